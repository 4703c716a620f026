"""Cutting an output where the answer ends."""

from collections.abc import Iterable


def cut_at(text: str, marks: Iterable[str]) -> tuple[str, bool]:
    """Return ``text`` up to the first of ``marks``, and whether one was found."""
    places = [place for mark in marks if mark and (place := text.find(mark)) >= 0]
    return (text[: min(places)], True) if places else (text, False)
