"""Gold of a revision: which options are right, and whether an answer is."""

from collections.abc import Sequence

from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Reader
from generation.models import Revision
from review.core.question_view import read_gold
from review.core.scorer import em_norm
from review.models import BlindAnswer


def is_completion(revision: Revision) -> bool:
    """Return whether the answer is written, not chosen."""
    return SUBTASKS[revision.candidate.subtask].answer_format is AnswerFormat.COMPLETION


def gold_positions(revision: Revision) -> tuple[int, ...]:
    """Return the given-order positions of the right options, none where the answer is written.

    Labels that name no option are left out: the page tells the reviewer of them. One query.
    """
    return gold_among(revision, len(revision.option_keys))


def gold_among(revision: Revision, count: int) -> tuple[int, ...]:
    """Return the same of a revision that is known to have ``count`` options; no query."""
    return () if is_completion(revision) else read_gold(revision.gold, count)[0]


def matches_gold(
    revision: Revision, count: int, *, positions: Sequence[int], text: str, not_determined: bool
) -> bool:
    """Return whether a blind answer to a revision with ``count`` options is right.

    It names the same options, or equals gold by em_norm. Where gold names an option that is not
    there, no choice is right.
    """
    if not is_completion(revision):
        right, missing = read_gold(revision.gold, count)
        return not missing and set(positions) == set(right)
    reader = SUBTASKS[revision.candidate.subtask].reader
    return not not_determined and any(em_norm(reader, text, gold) for gold in revision.gold)


def may_mean_the_same(revision: Revision, answer: BlindAnswer) -> bool:
    """Return whether a blind answer may say gold in other words: an answer, not a command.

    A choice or a command says one thing only, and "not determined" says nothing that gold does.
    """
    is_answer = SUBTASKS[revision.candidate.subtask].reader is Reader.ANSWER
    return is_answer and not answer.not_determined and bool(answer.text.strip())
