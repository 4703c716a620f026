"""The form of the edit page: the boxes of a question's texts, and what they hold when sent."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext

from generation.core.labels import index_of, label_of
from generation.core.subtask import AnswerFormat
from generation.core.wording import Wording, kept_or_new
from generation.services.revisions import Editing
from review.core.question_view import Labels, read_gold
from review.forms import NOT_RATED, RATINGS
from review.services.labels import labels_for
from review.views.source_parts import title_of

_NOTE_LIMIT = 20_000
_SPARE_GOLD = 1


class EditForm(forms.Form):
    """What the page sends beside the texts; the texts themselves are read by ``Boxes``."""

    base = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    form_key = forms.UUIDField(required=False)
    note = forms.CharField(required=False, max_length=_NOTE_LIMIT)
    well_specified = forms.TypedChoiceField(
        choices=RATINGS, coerce=int, required=False, empty_value=NOT_RATED
    )
    gold_quality = forms.TypedChoiceField(
        choices=RATINGS, coerce=int, required=False, empty_value=NOT_RATED
    )
    seen = forms.CharField(required=False, max_length=64)
    confirmed = forms.CharField(required=False, max_length=64)
    reviews_seen = forms.CharField(required=False, max_length=64)
    active_seconds = forms.FloatField(required=False, min_value=0, max_value=86_400)

    @property
    def key(self) -> str:
        """The page's idempotency key, a new one where none was sent."""
        return str(self["form_key"].value() or uuid4())


@dataclass(frozen=True, slots=True)
class Box:
    """A text box: its field, its name for people, what stands in it, what stood there before.

    ``label`` is the displayed letter of an option, ``is_gold`` whether it is chosen as gold.
    """

    name: str
    title: str
    text: str
    before: str
    label: str = ""
    is_gold: bool = False

    @property
    def rows(self) -> int:
        """How many lines the box shows at first."""
        return max(2, min(14, self.text.count("\n") + len(self.text) // 90 + 1))


@dataclass(frozen=True, slots=True)
class Boxes:
    """All boxes of a question, for one reader: their letters are those that the reader sees.

    ``gold`` are displayed letters, of choice formats alone.
    """

    editing: Editing
    labels: Labels
    slots: tuple[Box, ...]
    options: tuple[Box, ...]
    gold: tuple[Box, ...]

    @property
    def takes_several(self) -> bool:
        """Whether several options can be gold."""
        return self.editing.rules.subtask.answer_format is AnswerFormat.CHOICES

    @property
    def is_completion(self) -> bool:
        """Whether the answer is written."""
        return self.editing.rules.subtask.answer_format is AnswerFormat.COMPLETION

    @property
    def left_out(self) -> list[str]:
        """The names of the question's texts that are too long to be edited here."""
        slots = self.editing.item.slots
        own = {*self.editing.revision.slots} | {
            box.name.removeprefix("slot_") for box in self.slots
        }
        names = [name for name in own if name in slots and name not in self.editing.before.slots]
        return [title_of(name) for name in names if name != "options"]

    @property
    def counts(self) -> str:
        """The numbers of options that the subtask allows, for people; empty for completion."""
        allowed = self.editing.rules.subtask.choices
        if allowed is None:
            return ""
        return str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]}-{allowed[-1]}"

    def all(self) -> Iterator[Box]:
        """Yield every box, as they stand on the page."""
        yield from (*self.slots, *self.gold, *self.options)

    def wording(self) -> Wording:
        """Return what the boxes hold: an empty option or accepted text is not there."""
        slots = {box.name.removeprefix("slot_"): box.text for box in self.slots}
        if self.is_completion:
            return Wording(slots, (), tuple(box.text for box in self.gold if box.text.strip()))
        by_position = sorted(self.options, key=self._position)
        kept = [box for box in by_position if box.text.strip()]
        gold = tuple(label_of(index) for index, box in enumerate(kept) if box.is_gold)
        lost = any(box.is_gold for box in self.options if not box.text.strip())
        before = self.editing.before
        texts = tuple(box.text for box in kept)
        if texts == before.options and not lost and set(gold) == set(before.gold):
            gold = before.gold
        return Wording(slots, texts, gold)

    def field_of(self, name: str) -> str:
        """Return the box's name for a rule's field, where options go by their given order."""
        if not name.startswith("option_") or self.is_completion:
            return name
        kept = sorted((b for b in self.options if b.text.strip()), key=self._position)
        index = int(name.removeprefix("option_"))
        return kept[index].name if index < len(kept) else "options"

    def _position(self, box: Box) -> int:
        return self.position_of(box.label)

    def position_of(self, label: str) -> int:
        """Return where an option stands in the given order; new ones come last."""
        index = index_of(label)
        return self.labels.order[index] if index < len(self.labels.order) else index

    def label_at(self, position: int) -> str:
        """Return the displayed letter of an option that checks name by its given order."""
        kept = sorted((b for b in self.options if b.text.strip()), key=self._position)
        return kept[position].label if position < len(kept) else "?"


def read_boxes(
    editing: Editing, *, reader: int, sent: QueryDict | None, wording: Wording | None = None
) -> Boxes:
    """Return the boxes with what was sent in them, else with ``wording``, else as they are."""
    before = editing.before
    labels = labels_for(revision=editing.revision.pk, reader=reader, count=len(before.options))
    shown = wording or before
    slots = tuple(
        _box(f"slot_{name}", title_of(name), text, shown.slots.get(name, text), sent)
        for name, text in before.slots.items()
    )
    if editing.rules.subtask.answer_format is AnswerFormat.COMPLETION:
        return Boxes(editing, labels, slots, (), tuple(_gold_boxes(editing, shown, sent)))
    return Boxes(editing, labels, slots, tuple(_option_boxes(editing, labels, shown, sent)), ())


def _box(name: str, title: str, before: str, shown: str, sent: QueryDict | None) -> Box:
    text = kept_or_new(before, str(sent[name])) if sent is not None and name in sent else shown
    return Box(name, title, text, before)


def _gold_boxes(editing: Editing, shown: Wording, sent: QueryDict | None) -> Iterator[Box]:
    before = editing.before.gold
    given = len([name for name in sent or () if name.startswith("gold_") and name[5:].isdecimal()])
    filled = max(len(before), len(shown.gold), min(given, 20))
    for index in range(filled + _SPARE_GOLD):
        name = f"gold_{index}"
        old = before[index] if index < len(before) else ""
        new = shown.gold[index] if index < len(shown.gold) else ""
        text = kept_or_new(old, str(sent[name])) if sent is not None and name in sent else new
        if index >= filled and not text and given > filled:
            return
        title = gettext("Gold") if index == 0 else gettext("Also accepted")
        yield Box(name, title, text if text == old else text.strip(), old)


def _option_boxes(
    editing: Editing, labels: Labels, shown: Wording, sent: QueryDict | None
) -> Iterator[Box]:
    """Yield a box for each option under the letter that the reader sees, and for possible new ones."""
    before = editing.before.options
    most = editing.rules.most
    right = set(read_gold(shown.gold, most)[0])
    chosen = set(sent.getlist("gold")) if sent is not None else None
    for index in range(most):
        label = label_of(index)
        position = labels.order[index] if index < len(labels.order) else index
        old = before[position] if position < len(before) else ""
        new = shown.options[position] if position < len(shown.options) else ""
        name = f"option_{label}"
        text = kept_or_new(old, str(sent[name])) if sent is not None and name in sent else new
        is_gold = label in chosen if chosen is not None else position in right
        title = gettext("Option %(label)s") % {"label": label}
        yield Box(name, title, text if text == old else text.strip(), old, label, is_gold)


def ratings_from(data: dict[str, Any]) -> dict[str, int]:
    """Return the two ratings of a valid form, -1 where none was given."""
    return {name: int(data[name]) for name in ("well_specified", "gold_quality")}
