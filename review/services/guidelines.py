"""The guidelines that leads keep: every version of every language stays readable."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from generation.services import audit
from generation.services.texts import storable
from review.core.markdown import LONGEST
from review.models import GuidelineVersion
from review.models.guideline import LANGUAGES
from review.services.remarks import GuidelineExample, guideline_examples

_FOLDER = Path(__file__).resolve().parent.parent / "guidelines"
FALLBACK = "en"


class GuidelineRefused(Exception):
    """The text can't be stored, and why."""


class GuidelineChanged(Exception):
    """Somebody saved another version meanwhile; ``latest`` is the text as it is now."""

    def __init__(self, latest: "GuidelineText") -> None:
        super().__init__(f"version {latest.number} is newer than what was edited")
        self.latest = latest


@dataclass(frozen=True, slots=True)
class GuidelineText:
    """A text of the guidelines: ``number`` 0 is the project's own text, which nobody wrote here."""

    language: str
    number: int
    body: str
    note: str = ""
    author: str = ""
    created_at: datetime | None = None


@cache
def default_text(language: str) -> GuidelineText:
    """Return the text that the project comes with."""
    body = (_FOLDER / f"{language}.md").read_text(encoding="utf-8")
    return GuidelineText(language, 0, body)


def language_for(interface: str) -> str:
    """Return the guidelines' language for somebody whose interface is in ``interface``."""
    return interface if interface in LANGUAGES else FALLBACK


def current(language: str) -> GuidelineText:
    """Return the newest text in a language, the project's own where leads saved none; one query."""
    row = _versions(language).first()
    return _text(row) if row else default_text(language)


def version(language: str, number: int) -> GuidelineText | None:
    """Return one version, None where there is none of that number."""
    if number == 0:
        return default_text(language)
    row = _versions(language).filter(number=number).first()
    return _text(row) if row else None


def history(language: str) -> list[GuidelineText]:
    """Return all versions, newest first, the project's own text last."""
    return [*(_text(row) for row in _versions(language)), default_text(language)]


def examples_by_subtask() -> list[tuple[str, list[GuidelineExample]]]:
    """Return the answers that leads chose as examples, by subtask, newest first; one query."""
    rows = sorted(guideline_examples(), key=lambda example: example.subtask)
    by_subtask = groupby(rows, key=lambda example: example.subtask)
    return [(subtask, list(examples)) for subtask, examples in by_subtask]


def save_version(
    *, language: str, body: str, note: str, based_on: int, actor: User
) -> GuidelineText:
    """Store a new version and return it.

    ``based_on`` is the number of the version that was edited: where a newer one exists, nothing
    is stored.

    Raises:
        GuidelineRefused: the text is empty, too long, or the same as before.
        GuidelineChanged: somebody else saved a version meanwhile.
    """
    # Forms send lines that end with CR LF, which would make every line differ from before.
    text = storable(body.replace("\r\n", "\n")).strip() + "\n"
    if not text.strip():
        msg = "The guidelines can't be empty."
        raise GuidelineRefused(msg)
    if len(text) > LONGEST:
        msg = "The text is too long: the guidelines take up to 100,000 characters."
        raise GuidelineRefused(msg)
    latest = current(language)
    if latest.number != based_on:
        raise GuidelineChanged(latest)
    if text == latest.body:
        msg = "Nothing is changed in the text."
        raise GuidelineRefused(msg)
    try:
        with transaction.atomic():
            row = GuidelineVersion.objects.create(
                language=language,
                number=latest.number + 1,
                body=text,
                note=storable(note).strip(),
                author=actor,
            )
            audit.record(
                "guidelines.saved",
                row,
                actor=actor,
                before=latest.body,
                after=text,
                detail=f"{language} {row.number}",
            )
    except IntegrityError as error:  # somebody took the number between the look and the insert
        raise GuidelineChanged(current(language)) from error
    return current(language)


def restore(*, language: str, number: int, note: str, based_on: int, actor: User) -> GuidelineText:
    """Store an old version's text as a new version and return it.

    Raises:
        GuidelineRefused: there is no such version, or it is what holds now.
        GuidelineChanged: somebody else saved a version meanwhile.
    """
    old = version(language, number)
    if old is None:
        msg = "There is no such version."
        raise GuidelineRefused(msg)
    return save_version(language=language, body=old.body, note=note, based_on=based_on, actor=actor)


def _versions(language: str) -> QuerySet[GuidelineVersion]:
    rows = GuidelineVersion.objects.filter(language=language)
    return rows.select_related("author").order_by("-number")


def _text(row: GuidelineVersion) -> GuidelineText:
    return GuidelineText(
        language=row.language,
        number=row.number,
        body=row.body,
        note=row.note,
        author=row.author.username,
        created_at=row.created_at,
    )
