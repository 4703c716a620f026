"""Addresses of imports and builds: for leads and admins."""

from tests.roles.row import Row

# anonymous, no member, owner, other, lead, admin
_READ = "302 403 403 403 200 200"
_BY_LEADS = "302 403 403 403 303 303"

ROWS = [
    Row(
        "imports",
        "/imports/",
        _READ,
        "401 403 403 403 422 422",
        data={"kind": "readme"},
        quiet="no file is sent; test_view_imports.py has the events of uploads",
    ),
    Row("import", "/imports/{job}/", _READ),
    Row("import-stop", "/imports/{job}/stop", "", _BY_LEADS, leaves="job.stopped"),
    Row("import-resume", "/imports/{halted_job}/resume", "", _BY_LEADS, leaves="job.resumed"),
    Row("import-left-out", "/imports/{job}/left-out.csv", _READ),
    Row(
        "build",
        "/imports/build",
        "",
        "401 403 403 403 303 303",
        data={"subtasks": "issue_fix_plan", "seed": "1"},
        leaves="job.asked",
    ),
]
