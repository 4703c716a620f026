"""Stores an answer and a review in processes that are killed after each statement in turn.

``python -m tests.review.killed TURN``: one process after another stores the blind answer, then
the review, and is killed with SIGKILL after its first statement, its second, and so on, until
one gets to the end, which is killed too. After each death it prints what the database holds, as
a line of JSON; at last it stores the review once more, as a browser would whose request was lost.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from typing import Any
from uuid import UUID

import django

django.setup()

from django.db import connection  # noqa: E402

from review.models import Assignment, BlindAnswer, OptionVerdict, Review  # noqa: E402
from review.services.blind_answers import answer_blind  # noqa: E402
from review.services.reviews import submit_review  # noqa: E402
from tests.make import NOW, approving  # noqa: E402

FORM_KEY = UUID(int=7)


class KilledAfter:
    """A wrapper of statements that kills its own process once ``last`` were executed."""

    def __init__(self, last: int) -> None:
        self.left = last

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Execute a statement, then die if it was the last."""
        result = execute(sql, params, many, context)
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def answer(turn: Assignment) -> None:
    """Store the blind answer."""
    answer_blind(assignment=turn, positions=[0], confidence=4, active_seconds=1, now=NOW)


def submit(turn: Assignment) -> None:
    """Store the review."""
    submit_review(assignment=turn, form_key=FORM_KEY, answers=approving(turn.revision), now=NOW)


def killed_after(statements: int, store: Callable[[Assignment], None], pk: int) -> bool:
    """Let a process store and be killed; return whether it was through by then."""
    connection.close()
    through, tell = os.pipe()
    child = os.fork()
    if child == 0:
        turn = Assignment.objects.get(pk=pk)
        with connection.execute_wrapper(KilledAfter(statements)):
            store(turn)
        os.write(tell, b"1")
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(tell)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), status
    with os.fdopen(through, "rb") as said:
        return said.read() == b"1"


def held(pk: int) -> dict[str, Any]:
    """Return what the database holds of the turn."""
    turn = Assignment.objects.select_related("revision__candidate").get(pk=pk)
    return {
        "answers": BlindAnswer.objects.filter(assignment=pk).count(),
        "reviews": Review.objects.filter(assignment=pk).count(),
        "verdicts": OptionVerdict.objects.filter(review__assignment=pk).count(),
        "draft": turn.draft,
        "submitted": turn.submitted_at is not None,
        "state": turn.revision.candidate.state,
    }


def main(pk: int) -> None:
    """Print what is held after each death, then after the repeated request."""
    for name, store in (("answer", answer), ("review", submit)):
        for statements in count(1):
            is_through = killed_after(statements, store, pk)
            line = {"storing": name, "statements": statements, "through": is_through, **held(pk)}
            sys.stdout.write(json.dumps(line) + "\n")
            if is_through:
                break
    submit(Assignment.objects.get(pk=pk))
    sys.stdout.write(json.dumps({"storing": "again", "through": True, **held(pk)}) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
