"""From what a model wrote to a validated answer, or to a named reason why there is none."""

import re
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from generation.core.replies.envelope import Reply
from generation.core.replies.failures import Failure, ReplyFault
from generation.core.replies.json_text import find_json

_REFUSES = re.compile(
    r"\s*(?:i(?:'|’)?m sorry|i am sorry|sorry|i can(?:'|’)?t (?:help|assist)"
    r"|i can(?:not| not) (?:help|assist|comply)|i won(?:'|’)?t|抱歉|对不起|我无法|很抱歉)",
    re.IGNORECASE,
)


class Answer(BaseModel):
    """What every operator asks a model for; fields that it adds by itself are passed over."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)


Shape = TypeVar("Shape", bound=Answer)


def read_answer(reply: Reply, shape: type[Shape]) -> Shape:
    """Return the one answer of that shape in a reply.

    Raises:
        ReplyFault: ``cut``, ``not_json``, ``refusal`` (prose that refuses), ``wrong_shape``,
            ``too_few`` (a list shorter than asked for) or ``ambiguous`` (several that differ).
    """
    found = find_json(reply.content)
    if not found.values:
        if reply.was_cut or found.is_cut:
            raise ReplyFault(Failure.CUT, "the answer ends before its JSON does")
        if _REFUSES.match(reply.content):
            raise ReplyFault(Failure.REFUSAL, reply.content.strip()[:300])
        raise ReplyFault(Failure.NOT_JSON, f"no JSON in {reply.content.strip()[:200]!r}")
    answers: list[Shape] = []
    faults: list[ReplyFault] = []
    for value in found.values:
        try:
            answers.append(shape.model_validate(value))
        except ValidationError as error:
            faults.append(_fault(error))
    if not answers:
        if reply.was_cut:
            raise ReplyFault(Failure.CUT, "the answer ends before its JSON does")
        raise faults[0]
    if any(answer != answers[0] for answer in answers):
        raise ReplyFault(Failure.AMBIGUOUS, f"{len(answers)} answers that differ")
    return answers[0]


def _fault(error: ValidationError) -> ReplyFault:
    first: Any = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or "the answer"
    failure = Failure.TOO_FEW if first["type"] == "too_short" else Failure.WRONG_SHAPE
    return ReplyFault(failure, f"{place}: {first['msg']}")
