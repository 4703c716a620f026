"""The guidelines: read by everybody, kept by leads, with every version and what it changed."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.authentication import is_lead
from review.core.line_diff import line_diff
from review.core.markdown import render_markdown
from review.models.guideline import LANGUAGES
from review.services.guidelines import (
    GuidelineChanged,
    GuidelineRefused,
    GuidelineText,
    current,
    examples_by_subtask,
    history,
    language_for,
    restore,
    save_version,
    version,
)
from review.views.access import require_lead
from review.views.definitions import (
    LEVELS,
    key_definitions,
    reason_definitions,
    verdict_definitions,
)
from review.views.guideline_form import GuidelineForm
from review.views.rendering import PageRequest, go_to
from review.views.told import told

LANGUAGE_NAMES = {"en": "English", "zh-hans": "中文"}


@never_cache
@require_http_methods(["GET"])
def guidelines(request: PageRequest) -> HttpResponse:
    """Show the guidelines in the asked language, else in that of the interface."""
    text = current(asked_language(request))
    context = {
        "text": text,
        "rendered": render_markdown(text.body),
        "language_names": LANGUAGE_NAMES,
        "levels": LEVELS,
        "verdicts": verdict_definitions(),
        "reasons": reason_definitions(),
        "keys": key_definitions(),
        "examples": examples_by_subtask(),
        "is_lead": is_lead(request.user),
    }
    return render(request, "guidelines/guidelines.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def edit(request: PageRequest) -> HttpResponse:
    """Show the text for editing, a preview of it, or store it; 409 where another was first."""
    require_lead(request)
    language = asked_language(request)
    if request.method == "GET":
        text = current(language)
        form = GuidelineForm(initial={"body": text.body, "based_on": text.number})
        return _editor(request, language, form)
    form = GuidelineForm(request.POST)
    if not form.is_valid() or "preview" in request.POST:
        return _editor(request, language, form, status=422 if form.errors else 200)
    try:
        saved = save_version(language=language, actor=request.user, **form.cleaned_data)
    except GuidelineRefused as refused:
        form.add_error("body", told(str(refused)))
        return _editor(request, language, form, status=422)
    except GuidelineChanged as changed:
        return _conflict(request, form, changed.latest)
    return _tell_saved(request, saved)


@never_cache
@require_http_methods(["GET"])
def versions(request: PageRequest) -> HttpResponse:
    """List the versions of a language, and show what one changed against another."""
    language = asked_language(request)
    every = history(language)
    newer = _chosen(request, "version", every, every[0])
    older = _chosen(request, "against", every, _before(every, newer))
    context = {
        "language": language,
        "language_names": LANGUAGE_NAMES,
        "versions": every,
        "newer": newer,
        "older": older,
        "lines": line_diff(older.body, newer.body),
        "is_lead": is_lead(request.user),
    }
    return render(request, "guidelines/history.html", context)


@require_http_methods(["POST"])
def restore_version(request: PageRequest) -> HttpResponse:
    """Make an old version's text the newest; 409 where another version came meanwhile."""
    require_lead(request)
    language = asked_language(request)
    number, based_on = _number(request, "version"), _number(request, "based_on")
    if version(language, number) is None:
        raise Http404
    note = gettext("version %(number)s again") % {"number": number}
    try:
        saved = restore(
            language=language, number=number, note=note, based_on=based_on, actor=request.user
        )
    except GuidelineRefused as refused:
        messages.info(request, told(str(refused)))
        return go_to(request, _address("guidelines-history", language))
    except GuidelineChanged as changed:
        old = version(language, number)
        form = GuidelineForm({"body": old.body if old else "", "note": note, "based_on": based_on})
        form.is_valid()
        return _conflict(request, form, changed.latest)
    return _tell_saved(request, saved)


def asked_language(request: PageRequest) -> str:
    """Return the language that the address or the form asks for, else the interface's.

    Raises:
        Http404: the guidelines have no such language.
    """
    asked = request.POST.get("language") or request.GET.get("language")
    if asked is None:
        return language_for(get_language() or "")
    if asked not in LANGUAGES:
        raise Http404
    return asked


def _editor(
    request: PageRequest, language: str, form: GuidelineForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    is_preview = form.is_bound and not form.errors
    context = {
        "language": language,
        "language_names": LANGUAGE_NAMES,
        "form": form,
        "preview": render_markdown(form.cleaned_data["body"]) if is_preview else None,
        **more,
    }
    return render(request, "guidelines/edit.html", context, status=status)


def _conflict(request: PageRequest, form: GuidelineForm, latest: GuidelineText) -> HttpResponse:
    """Answer 409: keep the typed text, show what differs from the newest, and build on that next."""
    typed = form.cleaned_data["body"]
    again = GuidelineForm(
        initial={"body": typed, "note": form.cleaned_data["note"], "based_on": latest.number}
    )
    return _editor(
        request,
        latest.language,
        again,
        status=409,
        latest=latest,
        lines=line_diff(latest.body, typed.replace("\r\n", "\n")),
    )


def _tell_saved(request: PageRequest, saved: GuidelineText) -> HttpResponse:
    words = {"number": saved.number}
    messages.success(request, gettext("Version %(number)s is what people read now.") % words)
    return go_to(request, _address("guidelines", saved.language))


def _address(name: str, language: str) -> str:
    return f"{reverse(name)}?language={language}"


def _number(request: PageRequest, name: str) -> int:
    """Return a number that the form sent.

    Raises:
        Http404: it is none.
    """
    value = request.POST.get(name, "")
    if not value.isdecimal() or len(value) > 9:
        raise Http404
    return int(value)


def _chosen(
    request: PageRequest, name: str, every: list[GuidelineText], default: GuidelineText
) -> GuidelineText:
    asked = request.GET.get(name)
    if asked is None:
        return default
    found = next((text for text in every if str(text.number) == asked), None)
    if found is None:
        raise Http404
    return found


def _before(every: list[GuidelineText], text: GuidelineText) -> GuidelineText:
    """Return the version before one; the first has none and stands for itself."""
    return next((other for other in every if other.number < text.number), text)
