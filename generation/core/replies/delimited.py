"""A request's text: our words, and data between delimiters that the data can't know."""

from collections.abc import Mapping

from generation.core.prompts import fill


class MarkInData(ValueError):
    """The drawn mark occurs in the data; another has to be drawn."""


def fill_delimited(
    template: str, data: Mapping[str, str], *, words: Mapping[str, str], mark: str
) -> str:
    """Return the template, each ``$name`` replaced once: data in delimiters, words as they are.

    Args:
        template: Our own text with slots; ``$mark`` names the mark.
        data: Texts from outside; each stands alone between its delimiters.
        words: Our own texts, such as a number.
        mark: Random letters and digits, new for every request.

    Raises:
        MarkInData: a text of ``data`` holds the mark.
        KeyError: the template names a slot that has no text.
    """
    for name, text in data.items():
        if mark in text:
            msg = f"the mark occurs in {name}"
            raise MarkInData(msg)
    marked = {name: f"<<{mark} {name}>>\n{text}\n<<end {mark}>>" for name, text in data.items()}
    return fill(template, {**words, **marked, "mark": mark})
