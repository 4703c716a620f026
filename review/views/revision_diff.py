"""What an edit changes, text by text, as HTML with what goes and what comes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from generation.core.wording import Wording
from review.core.display import shown
from review.core.edits import Change
from review.core.question_view import read_gold
from review.core.word_diff import Piece, is_changed, shortened, word_diff
from review.views.source_parts import title_of

_AROUND = 160
_ELEMENTS = {Change.REMOVED: "del", Change.ADDED: "ins", Change.KEPT: "span"}


@dataclass(frozen=True, slots=True)
class TextChange:
    """A changed text: its name for people, and the change as HTML."""

    title: str
    html: SafeString


def change_of(title: str, old: str, new: str) -> TextChange | None:
    """Return how a text changes, None where it does not."""
    if old == new:
        return None
    pieces = word_diff(old, new)
    return TextChange(title, diff_html(pieces)) if is_changed(pieces) else None


def diff_html(pieces: Sequence[Piece]) -> SafeString:
    """Return pieces as HTML; of long text that stays only what lies beside a change."""
    found = (
        f'<span class="left-out">… {piece} {_characters()} …</span>'
        if isinstance(piece, int)
        else _element(piece)
        for piece in shortened(pieces, around=_AROUND)
    )
    return mark_safe("".join(found))  # noqa: S308  every text is escaped below


def _characters() -> str:
    return escape(gettext("characters unchanged"))


def _element(piece: Piece) -> str:
    name, text = _ELEMENTS[piece.change], escape(shown(piece.text).text)
    if piece.change is not Change.KEPT and not piece.text.strip():
        text = text.replace("\n", "⏎\n").replace(" ", "␣")
    return f"<{name}>{text}</{name}>"


def changes_between(old: Wording, new: Wording) -> tuple[TextChange, ...]:
    """Return what changed from one wording to another.

    Options are compared by their given order under neutral names, which say nothing of it.
    """
    changes = (change_of(title, before, after) for title, before, after in _pairs(old, new))
    return tuple(change for change in changes if change)


def _pairs(old: Wording, new: Wording) -> Iterator[tuple[str, str, str]]:
    for name in dict.fromkeys([*old.slots, *new.slots]):
        yield title_of(name), old.slots.get(name, ""), new.slots.get(name, "")
    if not (old.options or new.options):
        yield from _by_index([gettext("Gold")] * len(old.gold + new.gold), old.gold, new.gold)
        return
    most = max(len(old.options), len(new.options))
    was, now = read_gold(old.gold, most)[0], read_gold(new.gold, most)[0]
    titles = [gettext("Gold") if index in now else gettext("Option") for index in range(most)]
    yield from _by_index(titles, old.options, new.options)
    if set(was) != set(now):
        yield (
            gettext("Which option is gold"),
            "\n".join(old.options[index] for index in was if index < len(old.options)),
            "\n".join(new.options[index] for index in now if index < len(new.options)),
        )


def _by_index(
    titles: Sequence[str], old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    for index in range(max(len(old), len(new))):
        left = old[index] if index < len(old) else ""
        yield titles[index], left, new[index] if index < len(new) else ""
