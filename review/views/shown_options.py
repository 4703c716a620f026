"""The options as one reviewer sees them: beside the question, or in the source column if long."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from generation.models import Option
from review.core.display import size_of
from review.core.question_view import Labels, excerpts, need_room
from review.models import Assignment
from review.services.labels import labels_of
from review.views.source_parts import option_sections, section_of
from review.views.step_markup import segments_html


@dataclass(frozen=True, slots=True)
class ShortText:
    """What the question shows of an option: its text, or what tells a long one apart.

    ``anchor`` is the id of the section that holds the whole text, empty where it is here.
    """

    label: str
    text: SafeString | str
    anchor: str
    size: str


def options_of(assignment: Assignment) -> list[Option]:
    """Return the options in the given order, in one query."""
    return list(assignment.revision.options.order_by("position"))


def shown_options_of(assignment: Assignment) -> dict[str, str]:
    """Return the options that are read in the source column by section name, in one query."""
    options = options_of(assignment)
    return option_sections(labels_of(assignment, len(options)), options)


def short_texts(labels: Labels, options: Sequence[Option]) -> list[ShortText]:
    """Return what the question shows of each option, in displayed order."""
    texts = [option.text for option in options]
    if not need_room(texts):
        return [
            ShortText(option.label, segments_html(option.text), "", "")
            for option in labels.shown(texts)
        ]
    beginnings = excerpts(texts)
    found = []
    for position in labels.order:
        label = labels.label_at(position)
        size = size_of(len(texts[position]))
        found.append(ShortText(label, beginnings[position], f"section-{section_of(label)}", size))
    return found
