"""Makes hostile text readable and harmless: what a person sees is text, and nothing hides in it.

The result is plain text without control characters but tab and newline; escaping is left to
the template, which escapes everything.
"""

import re
from dataclasses import dataclass

# One pass over the text. A string sequence (OSC and its kin) that does not end within 4,000
# characters is no sequence: only its opening goes, so that it can't swallow what follows.
_ESCAPE = re.compile(
    "\x1b\\[[0-?]{0,200}[ -/]{0,20}[@-~]"
    "|\x1b[\\]PX^_][^\x07\x1b]{0,4000}(?:\x07|\x1b\\\\)"
    "|\x1b[\\]PX^_]"
    "|\x1b[ -/]{0,20}[0-~]"
)
# Bidi controls, zero-width and other invisible characters, tags, variation selectors' supplement.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_MOST_STATES = 4
_VISIBLE = bytes((*b"\t\n", *range(0x20, 0x7F)))


@dataclass(frozen=True, slots=True)
class ShownText:
    """Text fit to be shown; ``hidden`` counts the bidi and invisible characters made visible."""

    text: str
    hidden: int = 0


def shown(text: str) -> ShownText:
    """Return ``text`` as a person may see it.

    Terminal sequences are removed; a line that carriage returns rewrote shows its states one below
    the other, of more than four the first, how often it was rewritten, and the last. Bidi and
    invisible characters become ``⟪U+202E⟫``, other control characters their picture (NUL is
    ``␀``), lone surrogates U+FFFD. Linear in time.
    """
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if "\r" in text:
        lines = text.replace("\r\n", "\n").split("\n")
        text = "\n".join(_without_rewriting(line) if "\r" in line else line for line in lines)
    if text.isascii():
        if text.encode("ascii").translate(None, _VISIBLE):
            text = _CONTROL.sub(_picture, text)
        return ShownText(text)
    text, hidden = _HIDDEN.subn(_visible, text)
    return ShownText(_CONTROL.sub(_picture, text), hidden)


def _without_rewriting(line: str) -> str:
    """Return a line's states one below the other; of more than four the first and the last."""
    states = [state for state in line.split("\r") if state]
    if len(states) > _MOST_STATES:
        states[1:-1] = [f"⟪{len(states) - 2} × rewritten⟫"]
    return "␍\n".join(states)


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"⟪U+{code:04X}⟫" if code < 0xA0 else "\ufffd"


def _visible(match: re.Match[str]) -> str:
    return f"⟪U+{ord(match.group()):04X}⟫"


def one_line(text: str, *, limit: int = 80) -> str:
    """Return the first line that holds a word, shown, cut to ``limit`` characters with an ellipsis."""
    head = shown(text[: limit * 20]).text
    line = next((line.strip() for line in head.splitlines() if line.strip()), "")
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def size_of(characters: int) -> str:
    """Return a size for people: ``840 B``, ``3.1 KB``, ``2.0 MB`` (1 KB = 1,000 characters)."""
    if characters < 1_000:
        return f"{characters} B"
    if characters < 999_950:
        return f"{characters / 1_000:.1f} KB"
    return f"{characters / 1_000_000:.1f} MB"
