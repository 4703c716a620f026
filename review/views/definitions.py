"""What the words of a review mean, for people: definitions and examples of each closed set."""

import re
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from review.forms import REASONS, VERDICTS
from review.models import OptionVerdictValue, RejectReason

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Definition:
    """A word that reviewers choose: how it is written on the page, its meaning, an example."""

    value: str
    word: Words
    meaning: Words
    example: Words


_REASONS: dict[str, tuple[Words, Words]] = {
    RejectReason.BAD_QUESTION: (
        _("What is asked can't be understood, or can't be known from the shown text."),
        _("The next step depends on a file that the run opens only after the cut."),
    ),
    RejectReason.BAD_OPTIONS: (
        _("The options as a whole are of no use, though gold may be right."),
        _("Gold is the only complete sentence; every other option is cut off."),
    ),
    RejectReason.NO_CORRECT: (
        _("No option, gold included, is right."),
        _("All patches change the wrong file."),
    ),
    RejectReason.MULTIPLE_CORRECT: (
        _("At least one distractor is as right as gold."),
        _("Gold runs the tests with pytest, a distractor with python -m pytest."),
    ),
    RejectReason.WRONG_GOLD: (
        _("Gold is wrong, and another option or answer is right."),
        _("Gold says 1955; the page in step 3 says that it was 1956."),
    ),
    RejectReason.LEAK: (
        _("The shown text gives the answer away, so that nothing is tested."),
        _("A comment in the code reads: the bug is in the next line."),
    ),
    RejectReason.CONTAMINATED: (
        _("Question and answer stand together in public, so a model may know them by heart."),
        _("The same quiz with its answer is on a well-known website."),
    ),
    RejectReason.HARMFUL: (
        _("It shows private data or secrets, hurts people, or teaches to do harm."),
        _("The log holds somebody's phone number and home address."),
    ),
    RejectReason.OTHER: (
        _("Anything else that makes it unusable; say what in the comment."),
        _("Half of the task's text is in a language that the item does not claim to be in."),
    ),
}
_VERDICT_EXAMPLES: dict[str, Words] = {
    OptionVerdictValue.VALID: _("It names results of a test that has not been run yet."),
    OptionVerdictValue.ALSO_CORRECT: _("It does the same as gold with another tool."),
    OptionVerdictValue.TOO_EASY: _("It looks for flights while a program is being mended."),
    OptionVerdictValue.MALFORMED: _("It ends in the middle of a command."),
    OptionVerdictValue.DUPLICATE: _("Two options differ in a full stop only."),
}


def reason_definitions() -> list[Definition]:
    """Return every reason to reject, in the order of the form."""
    return [Definition(value, word, *_REASONS[value]) for value, word in REASONS]


def verdict_definitions() -> list[tuple[Definition, str]]:
    """Return every verdict on a distractor with its key, in the order of the form."""
    return [
        (Definition(value, word, meaning, _VERDICT_EXAMPLES[value]), key)
        for value, word, key, meaning in VERDICTS
    ]


@dataclass(frozen=True, slots=True)
class Level:
    """What a rating means for each of the two questions."""

    number: int
    word: Words
    well_specified: Words
    gold: Words


LEVELS = (
    Level(
        0,
        _("no problem"),
        _("Clear at once what is wanted, and the shown text holds all one needs."),
        _("Right, and plainly better than every other option."),
    ),
    Level(
        1,
        _("small problem"),
        _("Something is missing or clumsy, but everybody would read it the same way: a typo."),
        _("Right, though another option has something for it; gold still wins."),
    ),
    Level(
        2,
        _("serious problem"),
        _("Sensible people could read it in two ways: “the test” where there are two tests."),
        _("Another option can be defended as well as gold, or gold is right only in part."),
    ),
    Level(
        3,
        _("unusable"),
        _("Can't be answered from the shown text but by luck."),
        _("Wrong, or no better than another option."),
    ),
)

_KEY = re.compile(r"<dt>(.*?)</dt><dd>(.*?)</dd>", re.DOTALL)


def key_definitions() -> list[tuple[Words, list[tuple[SafeString, SafeString]]]]:
    """Return (phase, (keys, what they do)) as the review page's own list of keys has them.

    The list is read from that page's template, so that the guidelines never tell of other keys.
    """
    blind, opened = (
        _KEY.findall(render_to_string("review/keys.html", {"phase": phase}))
        for phase in ("blind", "open")
    )
    groups: list[tuple[Words, list[tuple[str, str]]]] = [
        (_("blind"), [row for row in blind if row not in opened]),
        (pgettext_lazy("phase", "open"), [row for row in opened if row not in blind]),
        (_("always"), [row for row in blind if row in opened]),
    ]
    return [
        (word, [(mark_safe(keys), mark_safe(does)) for keys, does in rows])  # noqa: S308
        for word, rows in groups
    ]
