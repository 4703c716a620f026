"""Texts made comparable: what a reader would call the same text becomes equal."""

from unicodedata import normalize


def folded(text: str) -> str:
    """Return ``text`` with NFKC, case folded and every run of blanks as one space, trimmed."""
    return " ".join(normalize("NFKC", text).casefold().split())


def blanks_folded(text: str) -> str:
    """Return ``text`` with every run of blanks as one space, trimmed; letters keep their case."""
    return " ".join(text.split())


def code_lines(text: str) -> tuple[str, ...]:
    """Return the lines that are not blank, each without blanks at its ends."""
    return tuple(line for line in map(str.strip, text.splitlines()) if line)


def trailing_blanks_removed(text: str) -> str:
    """Return ``text`` without blanks at line ends and without blank lines around it."""
    return "\n".join(map(str.rstrip, text.splitlines())).strip("\n")
