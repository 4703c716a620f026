"""The labelling configuration that goes with exported tasks: XML for Label Studio."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from generation.core.labels import label_of
from generation.core.subtask import AnswerFormat
from review.core.label_studio import controls
from review.core.label_studio.controls import Phase


@dataclass(frozen=True, slots=True)
class Asked:
    """How much the tasks of one project ask for at most.

    ``options`` and ``findings`` are the most that any task has; ``success`` says whether some
    run's success is not known; ``reasons`` are the reasons to reject.
    """

    options: int
    findings: int
    success: bool
    reasons: Collection[str]


def labelling_config(form: AnswerFormat, phase: Phase, asked: Asked) -> str:
    """Return the configuration of a project: what is shown, then what is asked, top to bottom."""
    lines = [*_shown(phase)]
    if phase is not Phase.OPEN:
        lines += _blind(form)
    if phase is not Phase.BLIND:
        lines += _open(form, asked)
    if phase is Phase.REVIEWS:
        lines += [*_text(controls.REVIEWER, "Reviewer"), *_text(controls.REVIEWED_AT, "Sent")]
    return "<View>\n" + "".join(f"  {line}\n" for line in lines) + "</View>\n"


def _shown(phase: Phase) -> Iterator[str]:
    yield _tag("Header", value="$question", size="3")
    yield '<View style="max-height: 70vh; overflow: auto; white-space: pre-wrap">'
    yield "  " + _tag("Text", name=controls.SHOWN, value=f"${controls.SHOWN}")
    yield "</View>"
    if phase is not Phase.BLIND:
        for name, title in (("gold", "Gold"), ("findings", "Findings")):
            yield _tag("Header", value=title, size="4")
            yield '<View style="white-space: pre-wrap">'
            yield "  " + _tag("Text", name=name, value=f"${name}")
            yield "</View>"


def _blind(form: AnswerFormat) -> Iterator[str]:
    if form is AnswerFormat.COMPLETION:
        yield from _text(controls.ANSWER, "Your answer")
        yield from _choices(controls.NOT_DETERMINED, "", [controls.IS_NOT_DETERMINED])
    else:
        yield _tag("Header", value="Your answer", size="4")
        yield _tag(
            "Choices",
            name=controls.ANSWER,
            toName=controls.SHOWN,
            value="$options",
            choice="single-radio" if form is AnswerFormat.CHOICE else "multiple",
        )
    yield _tag("Header", value="How sure are you? 1 is a guess, 5 is sure", size="4")
    yield _tag("Rating", name=controls.CONFIDENCE, toName=controls.SHOWN, maxRating="5")


def _open(form: AnswerFormat, asked: Asked) -> Iterator[str]:
    if form is AnswerFormat.COMPLETION:
        yield from _choices(controls.SAME_MEANING, "", [controls.MEANS_THE_SAME])
    titles = ("The question is not well specified", "Gold is wrong, or not the one best answer")
    for name, title in zip(controls.RATINGS, titles, strict=True):
        yield from _choices(name, f"{title}: 0 no problem, 3 unusable", controls.RATING_VALUES)
        yield from _text(controls.why(name), "Why (from 2 on, at least 20 characters)")
    for index in range(asked.options):
        label = label_of(index)
        title = f"Option {label}, unless it is gold"
        yield from _choices(controls.option(label), title, controls.OPTION_VALUES)
    for number in range(1, asked.findings + 1):
        yield from _choices(controls.finding(number), f"Finding {number}", controls.FINDING_VALUES)
        yield from _text(controls.finding_word(number), "A word on it")
    if asked.success:
        title = "Does the run solve its task? Where it is asked"
        yield from _choices(controls.SUCCESS, title, (controls.YES, controls.NO))
    yield from _choices(controls.DECISION, "Decision", controls.DECISION_VALUES)
    yield from _choices(controls.REASON, "Reason, if you reject", asked.reasons)
    yield from _text(controls.COMMENT, "Comment")


def _choices(name: str, title: str, values: Iterable[str]) -> Iterator[str]:
    """Yield buttons for one of several values; one value alone is a box to tick."""
    each = list(values)
    if title:
        yield _tag("Header", value=title, size="4")
    kind = "single-radio" if len(each) > 1 else "multiple"
    opening = _tag("Choices", name=name, toName=controls.SHOWN, choice=kind, showInline="true")
    yield opening.removesuffix("/>") + ">"
    for value in each:
        yield "  " + _tag("Choice", value=value)
    yield "</Choices>"


def _text(name: str, title: str) -> Iterator[str]:
    yield _tag("Header", value=title, size="4")
    yield _tag(
        "TextArea",
        name=name,
        toName=controls.SHOWN,
        rows="3",
        maxSubmissions="1",
        editable="true",
    )


def _tag(kind: str, **attributes: str) -> str:
    words = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<{kind}{words}/>"
