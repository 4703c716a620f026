"""What the words of a review mean, for people: definitions and examples of each closed set."""

from dataclasses import dataclass

from django.utils.functional import Promise
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

# Keys, or pairs of keys, and what they do; the first group while blind, the second once gold is shown.
KEYS: tuple[tuple[Words, tuple[tuple[str, Words], ...]], ...] = (
    (
        _("blind"),
        (
            ("1–9, A–I", _("choose an option")),
            ("↑ ↓", _("next option, once one is chosen")),
            ("Shift+1–5, ← →", _("confidence")),
            ("Enter", _("send the answer, when not typing")),
        ),
    ),
    (
        pgettext_lazy("phase", "open"),
        (
            ("1–9", _("go to an option")),
            (
                "v c e m d",
                _("valid, also correct, too easy, malformed, duplicate; on to the next option"),
            ),
            ("a r e", _("approve, reject, edit")),
            ("Enter", _("send the review, when not typing")),
        ),
    ),
    (
        _("always"),
        (
            ("Ctrl+Enter", _("send from inside a text box")),
            ("Esc", _("leave a text box")),
            ("j k", _("next step, previous step")),
            ("g 1 2", _("go to step 12")),
            ("/", _("search the source")),
            ("s n", _("skip, note")),
            ("?", _("this list")),
        ),
    ),
)
