"""What people see when a form can't be taken: the login page or a fresh mark, and their text."""

from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.forms import LoginForm
from review.views.kept import (
    Kept,
    from_json,
    kept_of,
    long_texts,
    may_see,
    remember_person,
    sign,
    unsign,
)
from review.views.rendering import PageRequest

_IN_SESSION = "kept-text"
# Their page's scripts keep what is typed and put it back: an answer that tells is enough.
_KEPT_BY_THEIR_PAGE = frozenset({"review", "draft", "lease"})
_FROM_ELSEWHERE = ("Origin checking failed", "Referer checking failed")


def session_ended(request: HttpRequest) -> HttpResponse:
    """Answer a request that needs a log-in: with the login page, which carries what was typed.

    Programs in the page get 401: with an address to go to where their page keeps the text, else
    with the login page to put in the page's place.
    """
    kept = kept_of(request)
    address = f"{reverse('login')}?{urlencode({'next': _page_of(request)})}"
    if _is_of_script(request) and (kept is None or _page_keeps(request)):
        text = gettext("Your session has ended. Log in again; what you typed is kept.")
        response = HttpResponse(text, status=401, content_type="text/plain; charset=utf-8")
        if _is_htmx(request):
            response["HX-Redirect"] = address
        return response
    if kept is None:
        return HttpResponseRedirect(address)
    return _in_place_of_page(request, _login_page(request, kept), address)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose mark is stale or missing: a fresh one, with all that was typed.

    A form from another site gets nothing to send.
    """
    is_foreign = reason.startswith(_FROM_ELSEWHERE)
    if not is_foreign and request.path == reverse("login"):
        return _login_again(request)
    if not is_foreign and not request.user.is_authenticated:
        return session_ended(request)
    kept = kept_of(request)
    context = _shown(None if kept is None or kept.is_too_long else kept) | {
        "is_foreign": is_foreign,
        "is_too_long": kept is not None and kept.is_too_long,
        "page": _page_of(request),
    }
    if is_foreign or not _is_htmx(request) or _page_keeps(request):
        return render(request, "403_csrf.html", context, status=403)
    return _in_place_of_page(
        request, render(request, "403_csrf.html", context, status=422), request.path
    )


@method_decorator(login_not_required, name="dispatch")
class LoginPage(auth.LoginView):
    """The login page; it carries what was typed on to the page that gives it back."""

    redirect_authenticated_user = True
    authentication_form = LoginForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let somebody who logged in elsewhere meanwhile go on with what they had typed."""
        user = request.user
        if request.method == "POST" and isinstance(user, User) and request.POST.get("kept"):
            return self._go_on(user)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Log the person in and lead them to their text, or to where they were."""
        super().form_valid(form)
        response = self._go_on(form.get_user())
        remember_person(response, form.get_user())
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the kept form, where there is one: after a wrong password too."""
        text = self.request.POST.get("kept", "")
        kept = unsign(text) if text else None
        return super().get_context_data(**kwargs) | {"kept": text if kept else ""}

    def _go_on(self, user: User) -> HttpResponse:
        kept = unsign(self.request.POST.get("kept", ""))
        if kept is None:
            return HttpResponseRedirect(self.get_success_url())
        if not may_see(kept, user):
            messages.info(
                self.request,
                gettext("What somebody else had typed in this browser is not shown to you."),
            )
            return redirect("home")
        self.request.session[_IN_SESSION] = kept.as_json()
        response = redirect("kept-text")
        response.status_code = 303
        return response


@never_cache
@require_http_methods(["GET", "POST"])
def kept_text(request: PageRequest) -> HttpResponse:
    """Show what was typed before the log-in; send it to where it belonged, or discard it."""
    stored = request.session.get(_IN_SESSION)
    kept = from_json(stored) if stored else None
    if request.method == "GET" or kept is None:
        return render(request, "registration/kept_text.html", _shown(kept))
    del request.session[_IN_SESSION]
    if request.POST.get("kept-text") == "discard":
        messages.info(request, gettext("The text is discarded."))
        return redirect("home")
    # The browser sends the same form again, there: its fields are those of the page.
    return HttpResponse(status=307, headers={"Location": kept.path})


def _login_page(request: HttpRequest, kept: Kept) -> HttpResponse:
    context = {
        "form": LoginForm(request),
        "next": _page_of(request),
        "kept": "" if kept.is_too_long else sign(kept),
        "is_too_long": kept.is_too_long,
        "session_ended": True,
    }
    return render(request, "registration/login.html", context, status=401)


def _login_again(request: HttpRequest) -> HttpResponse:
    """Show the login form once more with a fresh mark; the password is not given back."""
    text = request.POST.get("kept", "")
    context = {
        "form": LoginForm(request, initial={"username": request.POST.get("username", "")[:150]}),
        "next": _own_path(request, request.POST.get("next", "")),
        "kept": text if unsign(text) else "",
        "is_stale": True,
    }
    return render(request, "registration/login.html", context, status=403)


def _in_place_of_page(request: HttpRequest, response: HttpResponse, address: str) -> HttpResponse:
    """Let htmx put the whole answer where the page was, under its own address."""
    if _is_htmx(request):
        response["HX-Retarget"], response["HX-Reswap"] = "body", "innerHTML"
        response["HX-Push-Url"] = address
    return response


def _shown(kept: Kept | None) -> dict[str, Any]:
    fields = kept.fields if kept else ()
    texts = long_texts(fields)
    return {
        "kept": kept,
        "fields": [(name, value, value in texts) for name, value in fields],
    }


def _is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _is_of_script(request: HttpRequest) -> bool:
    """Return whether a script asks, so that nobody would see a page."""
    return _is_htmx(request) or request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"


def _page_keeps(request: HttpRequest) -> bool:
    return getattr(request.resolver_match, "url_name", None) in _KEPT_BY_THEIR_PAGE


def _page_of(request: HttpRequest) -> str:
    """Return the address of the page that the person was at: to go on there after the log-in."""
    if request.method in {"GET", "HEAD"} and not _is_htmx(request):
        return request.get_full_path()
    shown = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(shown, allowed_hosts={request.get_host()}):
        parts = urlsplit(shown)
        return _own_path(request, f"{parts.path}?{parts.query}" if parts.query else parts.path)
    name = getattr(request.resolver_match, "url_name", None)
    return request.path if name == "review" else reverse("home")


def _own_path(request: HttpRequest, path: str) -> str:
    is_own = url_has_allowed_host_and_scheme(path, allowed_hosts={request.get_host()})
    return path if is_own and path.startswith("/") else reverse("home")
