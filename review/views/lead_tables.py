"""The columns of leads' tables: people, tokens, runs and models of generation, disputes, questions."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from review.services.votes import pseudonym
from review.views.tables import Column, Table

PEOPLE = Table(
    "people",
    (
        Column(
            "name",
            _("name"),
            lambda person: person.profile.user.username,
            in_file=lambda person: pseudonym(person.profile.user_id),
        ),
        Column("role", _("role"), lambda person: person.profile.role),
        Column("languages", _("languages"), lambda person: list(person.profile.languages)),
        Column("scenarios", _("kinds of work"), lambda person: list(person.profile.scenarios)),
        Column("qualified", _("qualified"), lambda person: person.profile.qualified_at),
        Column("reviews", _("reviews"), lambda person: person.reviews, is_number=True),
        Column("begun", _("begun"), lambda person: person.open_turns, is_number=True),
        Column("last", _("last at work"), lambda person: person.last_active),
    ),
)
TOKENS = Table(
    "tokens",
    (
        Column("name", _("name"), lambda token: token.name),
        Column("prefix", _("begins with"), lambda token: token.prefix),
        Column("scopes", _("may"), lambda token: list(token.scopes)),
        Column("made", _("made"), lambda token: token.created_at),
        Column("used", _("last used"), lambda token: token.last_used_at),
        Column("ends", _("ends"), lambda token: token.expires_at),
    ),
    anchor="live-title",
)
RUNS = Table(
    "runs",
    (
        Column("run", _("run"), lambda run: run.pk, is_number=True),
        Column("state", _("state"), lambda run: str(run.state)),
        Column("subtasks", _("subtasks"), lambda run: list(run.subtasks)),
        Column("models", _("models"), lambda run: list(run.endpoints)),
        Column("spent", _("spent (USD)"), lambda run: run.spent_usd, is_number=True),
        Column("budget", _("budget (USD)"), lambda run: run.budget_usd, is_number=True),
        Column(
            "by",
            _("started by"),
            lambda run: run.started_by.username if run.started_by else None,
            in_file=lambda run: pseudonym(run.started_by_id) if run.started_by_id else None,
        ),
        Column("started", _("started"), lambda run: run.created_at),
    ),
    anchor="runs-title",
)
DISPUTES = Table(
    "disputes",
    (
        Column("item", _("item"), lambda row: (row[0].subtask, row[0].candidate)),
        Column("kind", _("disagreement"), lambda row: row[0].kind),
        Column(
            "line",
            _("in one line"),
            lambda row: row[0].about.template % row[0].about.values,
            is_sortable=False,
        ),
        Column("language", _("language"), lambda row: row[0].language),
        Column("round", _("round"), lambda row: row[0].returned + 1, is_number=True),
        Column(
            "since",
            _("since"),
            lambda row: row[0].last_review or None,
            in_file=lambda row: row[1],
        ),
    ),
    anchor="disputes-title",
)
OVERTURNED = Table(
    "overturned",
    (
        Column(
            "reviewer",
            _("reviewer"),
            lambda row: row.reviewer,
            in_file=lambda row: pseudonym(row.person),
        ),
        Column("settled", _("settled disputes (n)"), lambda row: row.settled, is_number=True),
        Column("against", _("decided otherwise"), lambda row: row.against, is_number=True),
        Column("share", _("share"), lambda row: row.share, is_number=True),
        Column(
            "interval",
            _("interval"),
            lambda row: tuple(f"{end:.3f}" for end in row.interval),
            is_number=True,
            is_sortable=False,
        ),
    ),
    anchor="overturned-title",
)


def _item(question: Any) -> tuple[str, int]:
    revision = question.assignment.revision
    return revision.candidate.subtask, revision.candidate_id


_ITEM = Column("item", _("item"), _item)
_QUESTION = Column("question", _("question"), lambda question: question.text, is_sortable=False)
OPEN_QUESTIONS = Table(
    "questions",
    (_ITEM, _QUESTION, Column("asked", _("asked"), lambda question: question.asked_at)),
)
ANSWERED_QUESTIONS = Table(
    "questions",
    (
        _ITEM,
        _QUESTION,
        Column("answer", _("answer"), lambda question: question.answer, is_sortable=False),
        Column("answered", _("answered"), lambda question: question.answered_at),
    ),
)
