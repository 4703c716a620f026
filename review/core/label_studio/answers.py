"""What an annotation says, as the review tables take it: a blind answer, or a judgement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generation.core.labels import index_of, label_of
from generation.core.subtask import AnswerFormat
from review.core.label_studio import controls
from review.core.label_studio.controls import is_control
from review.core.label_studio.reading import Annotation, Task, UnreadableTask
from review.core.review_answers import ReviewAnswers


@dataclass(frozen=True, slots=True)
class BlindSaid:
    """An answer given before gold was seen; ``positions`` are in the revision's given order."""

    positions: tuple[int, ...]
    text: str
    not_determined: bool
    confidence: int
    seconds: float


def is_blind(annotation: Annotation) -> bool:
    """Return whether the annotation is an answer, not a judgement.

    Raises:
        UnreadableTask: it is both, so the answer may not have been blind; or neither.
    """
    answers = bool(
        annotation.values.get(controls.ANSWER) or annotation.values.get(controls.NOT_DETERMINED)
    )
    judges = bool(annotation.values.get(controls.DECISION))
    if answers and judges:
        why = "an answer and a decision in one annotation: nobody knows that gold was not seen"
        raise UnreadableTask(controls.ANSWER, why)
    if not answers and not judges:
        raise UnreadableTask(controls.ANSWER, "neither an answer nor a decision")
    return answers


def strangers(annotation: Annotation) -> list[str]:
    """Return the names of controls that something is said at and that are none of ours."""
    return [name for name, said in annotation.values.items() if said and not is_control(name)]


def order_of(task: Task, options: Sequence[str]) -> tuple[int, ...]:
    """Return the given-order position of the option at each label of the task, by its text.

    The texts decide, not the tool's secret, so that a task means the same wherever it comes back.

    Raises:
        UnreadableTask: the task's options are not those of the revision.
    """
    free = list(range(len(options)))
    order: list[int] = []
    for index, text in enumerate(task.option_texts):
        position = next((each for each in free if options[each] == text), None)
        if position is None:
            raise UnreadableTask(f"data.option_texts[{index}]", "no option of the revision")
        free.remove(position)
        order.append(position)
    if free:
        why = f"{len(task.option_texts)} options, the revision has {len(options)}"
        raise UnreadableTask("data.option_texts", why)
    return tuple(order)


def blind_of(annotation: Annotation, *, form: AnswerFormat, order: Sequence[int]) -> BlindSaid:
    """Return the blind answer.

    Raises:
        UnreadableTask: no answer, a label that no option has, or no confidence from 1 to 5.
    """
    not_determined = bool(annotation.one_of(controls.NOT_DETERMINED, (controls.IS_NOT_DETERMINED,)))
    positions: tuple[int, ...] = ()
    text = ""
    if form is AnswerFormat.COMPLETION:
        text = annotation.one(controls.ANSWER)
    else:
        labels = annotation.values.get(controls.ANSWER, ())
        if form is AnswerFormat.CHOICE and len(labels) > 1:
            raise UnreadableTask(controls.ANSWER, f"{len(labels)} options where one is right")
        positions = tuple(sorted({_position(label, order) for label in labels}))
    confidence = annotation.one_of(controls.CONFIDENCE, ("1", "2", "3", "4", "5"))
    if not confidence:
        raise UnreadableTask(controls.CONFIDENCE, "missing: 1 (a guess) to 5 (sure)")
    return BlindSaid(positions, text, not_determined, int(confidence), annotation.seconds)


def _position(label: str, order: Sequence[int]) -> int:
    labels = [label_of(index) for index in range(len(order))]
    if label not in labels:
        raise UnreadableTask(controls.ANSWER, f"{label!r} is none of {', '.join(labels)}")
    return order[index_of(label)]


def judgement_of(
    annotation: Annotation,
    task: Task,
    *,
    order: Sequence[int],
    gold: Sequence[int],
    findings: Mapping[str, int],
) -> ReviewAnswers:
    """Return the judgement; whether it keeps the rules of a review is for the caller to ask.

    ``gold`` are the right options' positions, ``findings`` the keys of the rows by the task's
    names of them.

    Raises:
        UnreadableTask: a value that its control does not offer, a rating that is missing, a
            verdict on gold or on something that the task does not have.
    """
    _refuse_surplus(annotation, options=len(order), findings=len(task.finding_keys))
    verdicts: dict[int, str] = {}
    for index, position in enumerate(order):
        name = controls.option(label_of(index))
        if verdict := annotation.one_of(name, controls.OPTION_VALUES):
            if position in gold:
                raise UnreadableTask(name, "a verdict on gold, which is no distractor")
            verdicts[position] = verdict
    judged: dict[int, tuple[str, str]] = {}
    for number, key in enumerate(task.finding_keys, start=1):
        name = controls.finding(number)
        if verdict := annotation.one_of(name, controls.FINDING_VALUES):
            if key not in findings:
                raise UnreadableTask(name, "no finding of the revision any more")
            judged[findings[key]] = (verdict, annotation.one(controls.finding_word(number)))
    success = annotation.one_of(controls.SUCCESS, (controls.YES, controls.NO))
    well_specified, gold_quality = (_rating(annotation, name) for name in controls.RATINGS)
    return ReviewAnswers(
        decision=annotation.one_of(controls.DECISION, controls.DECISION_VALUES),
        well_specified=well_specified,
        gold_quality=gold_quality,
        well_specified_why=annotation.one(controls.why(controls.RATINGS[0])),
        gold_quality_why=annotation.one(controls.why(controls.RATINGS[1])),
        same_meaning=bool(annotation.one_of(controls.SAME_MEANING, (controls.MEANS_THE_SAME,))),
        source_is_success=success == controls.YES if success else None,
        reject_reason=annotation.one(controls.REASON),
        comment=annotation.one(controls.COMMENT),
        active_seconds=annotation.seconds,
        option_verdicts=verdicts,
        finding_verdicts=judged,
    )


def _refuse_surplus(annotation: Annotation, *, options: int, findings: int) -> None:
    """Refuse verdicts on options and findings that other tasks of the project have.

    Raises:
        UnreadableTask: there is one.
    """
    own = {controls.option(label_of(index)) for index in range(options)}
    for number in range(1, findings + 1):
        own |= {controls.finding(number), controls.finding_word(number)}
    for name, said in annotation.values.items():
        if said and name.startswith(("option_", "finding_")) and name not in own:
            raise UnreadableTask(name, "the task has nothing of this name")


def _rating(annotation: Annotation, name: str) -> int:
    value = annotation.one_of(name, controls.RATING_VALUES)
    if not value:
        raise UnreadableTask(name, "missing: 0 (no problem) to 3 (unusable)")
    return int(value)
