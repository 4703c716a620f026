"""One's own tokens of the API: made with a name, scopes and an end, shown once, revoked."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.models import ApiToken, Scope
from review.services.tokens import (
    MOST_DAYS,
    TokenRefused,
    live_tokens,
    make_token,
    past_tokens,
    revoke_token,
    scopes_for,
)
from review.views.lead_tables import TOKENS
from review.views.rendering import PageRequest, go_to
from review.views.told import told

SCOPES = {
    Scope.READ: _("read: look at whatever you may look at"),
    Scope.REVIEW: _("review: take items and send answers in your name"),
    Scope.LEAD: _("lead: decide disputes, and whatever else leads change"),
}
MOST_PAST = 20
_USUAL_DAYS = 90


class TokenForm(forms.Form):
    """What a new token may do, and for how long; the service has the rules."""

    name = forms.CharField(max_length=100)
    scopes = forms.MultipleChoiceField()
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, initial=_USUAL_DAYS)

    def __init__(self, *args: Any, scopes: list[Scope], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["scopes"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(scope.value, SCOPES[scope]) for scope in scopes]
        self.fields["name"].error_messages["required"] = gettext("Name the token.")
        field.error_messages["required"] = gettext("Choose what the token may do.")


@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: PageRequest) -> HttpResponseBase:
    """List the person's tokens, or make one and show its secret this one time."""
    own = live_tokens(request.user, now=timezone.now())
    if request.method == "GET" and (file := TOKENS.file(request.GET, own)):
        return file
    form = TokenForm(
        request.POST if request.method == "POST" else None,
        scopes=list(scopes_for(request.user)),
        initial={"scopes": [Scope.READ]},
    )
    made = _make(request, form) if request.method == "POST" and form.is_valid() else None
    return _show(request, form, made=made, status=422 if form.errors else 200)


@require_http_methods(["POST"])
def revoke(request: PageRequest, pk: int) -> HttpResponse:
    """End one of the person's tokens at once."""
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    revoke_token(token=token, actor=request.user, now=timezone.now())
    messages.success(request, gettext("The token is revoked: nothing can use it any more."))
    return go_to(request, reverse("tokens"))


def _make(request: PageRequest, form: TokenForm) -> tuple[ApiToken, str] | None:
    """Store the token and return it with its secret; None where it breaks a rule."""
    try:
        return make_token(user=request.user, now=timezone.now(), **form.cleaned_data)
    except TokenRefused as refused:
        for name, why in refused.problems.items():
            form.add_error(name, told(why))
        return None


def _show(
    request: PageRequest, form: TokenForm, *, made: tuple[ApiToken, str] | None, status: int
) -> HttpResponse:
    now = timezone.now()
    table = TOKENS.shown(request.GET, live_tokens(request.user, now=now))
    context = {
        "form": form,
        "made": made,
        "live": table.rows,
        "table": table,
        "past": list(past_tokens(request.user, now=now)[:MOST_PAST]),
        "most_days": MOST_DAYS,
        "address": request.build_absolute_uri("/api/v1/"),
    }
    return render(request, "people/tokens.html", context, status=status)
