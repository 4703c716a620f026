"""What the page of an import or a build shows."""

from typing import Any

from django.utils import timezone

from generation.models import Job, JobKind, JobState, Left
from generation.services.jobs import can_go_on, progress_of
from review.core.display import shown
from review.views.import_words import FORMS, JOB_KINDS, OUTCOMES, REFUSALS, STATES

_LISTED = 100


def job_words(job: Job) -> dict[str, Any]:
    """Return what a line about a job says in words."""
    return {
        "kind": JOB_KINDS[JobKind(job.kind)],
        "state": STATES[JobState(job.state)],
        "failure": REFUSALS.get(job.failure, ""),
        "files": [(shown(one["name"]).text, one["bytes"]) for one in job.order.get("files", ())],
        "what": job.order.get("kind", "") or ", ".join(job.order.get("subtasks", ())),
        "made": sum(job.result.get("candidates", {}).values()),
    }


def job_context(job: Job) -> dict[str, Any]:
    """Return what the page of a job is rendered from, in two queries."""
    rows = list(job.left_out.all()[: _LISTED + 1]) if job.kind == JobKind.IMPORT else []
    result = job.result
    return {
        "job": job,
        "words": job_words(job),
        "progress": progress_of(job, now=timezone.now()),
        "can_go_on": can_go_on(job),
        "detail": shown(job.failure_detail).text,
        "result": result,
        "forms": [(FORMS[name], n) for name, n in result.get("forms", {}).items()],
        "licences": sorted(result.get("licences", {}).items()),
        "left_out": [
            {
                "outcome": OUTCOMES[Left(row.outcome)],
                "file": shown(row.file).text,
                "line": row.line,
                "field": shown(row.field).text,
                "why": shown(row.why[:600]).text,
            }
            for row in rows[:_LISTED]
        ],
        "has_more": len(rows) > _LISTED,
        "candidates": sorted(result.get("candidates", {}).items()),
        "cuts": result.get("left_out", ()) if job.kind == JobKind.BUILD else (),
    }
