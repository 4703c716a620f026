"""Addresses of runs of generation: for leads and admins."""

from tests.roles.row import Row

# anonymous, no member, owner, other, lead, admin
_READ = "302 403 403 403 200 200"
_BY_LEADS = "302 403 403 403 303 303"
_TYPED_BY_LEADS = "401 403 403 403 303 303"

ROWS = [
    Row(
        "generation",
        "/generation/",
        _READ,
        _TYPED_BY_LEADS,
        data={
            "subtasks": "issue_fix_plan",
            "endpoints": "{endpoint}",
            "budget": "0.5",
            "seed": "3",
        },
        leaves="generation_run.started",
    ),
    Row("generation-run", "/generation/{run}/", _READ),
    Row(
        "generation-stop",
        "/generation/{run}/stop",
        "",
        _BY_LEADS,
        leaves="generation_run.stopped",
    ),
    Row(
        "generation-resume",
        "/generation/{halted}/resume",
        "",
        _TYPED_BY_LEADS,
        data={"budget": "2"},
        leaves="generation_run.resumed",
    ),
    Row("generation-call", "/generation/calls/{call}/", _READ),
]
