"""Addresses of the REST API, asked with a session as a page's script would."""

from tests.roles.row import Row

# anonymous, no member, owner, other, lead, admin
_READ = "401 403 200 200 200 200"
_BY_LEADS = "401 403 403 403 200 200"
_NO_RELEASE = "401 403 403 403 404 404"
_OF_OWNER = "401 403 200 404 404 404"
# A body is read before its object is looked for: it says nothing of whose that is.
_NO_DATA = "401 403 422 422 422 422"
_FULL = "tests/review/api has whole bodies and their events"
_ALL = "404 404 404 404 404 404"

ROWS = [
    Row("api:schema", "/api/v1/schema", "200 200 200 200 200 200"),
    Row("api:me", "/api/v1/me", _READ),
    Row("api:next", "/api/v1/next", "", _READ, leaves="assignment.given", is_json=True),
    Row("api:assignments", "/api/v1/assignments", _READ),
    Row("api:assignment", "/api/v1/assignments/{turn}", _OF_OWNER),
    *(
        Row(
            f"api:{name}",
            f"/api/v1/assignments/{{turn}}/{name}",
            "",
            _NO_DATA,
            quiet=_FULL,
            is_json=True,
        )
        for name in ("blind", "review", "submit", "skip", "undo", "edit")
    ),
    Row(
        "api:draft",
        "/api/v1/assignments/{turn}/draft",
        methods={"PUT": _NO_DATA},
        quiet="what is typed is saved all the time",
        is_json=True,
    ),
    Row(
        "api:lease",
        "/api/v1/assignments/{turn}/lease",
        "",
        _OF_OWNER,
        quiet="a sign of life",
        is_json=True,
    ),
    Row(
        "api:what-follows",
        "/api/v1/assignments/{opened}/what-follows",
        "",
        _OF_OWNER,
        quiet="stored with the review",
        is_json=True,
    ),
    *(
        Row(
            f"api:{name}",
            f"/api/v1/assignments/{{turn}}/{name}",
            _OF_OWNER,
            _NO_DATA,
            quiet=_FULL,
            is_json=True,
        )
        for name in ("notes", "questions")
    ),
    Row("api:sources", "/api/v1/sources", _BY_LEADS),
    Row("api:source", "/api/v1/sources/{source}", _BY_LEADS),
    Row("api:steps", "/api/v1/sources/{source}/steps", _BY_LEADS),
    Row(
        "api:imports",
        "/api/v1/imports",
        "",
        "401 403 403 403 422 422",
        quiet="no kind is named; test_imports.py has the events of uploads",
        is_json=True,
    ),
    Row(
        "api:builds",
        "/api/v1/builds",
        "",
        "401 403 403 403 202 202",
        data={},
        leaves="job.asked",
        is_json=True,
    ),
    Row("api:jobs", "/api/v1/jobs", _BY_LEADS),
    Row("api:job", "/api/v1/jobs/{job}", _BY_LEADS),
    Row("api:job-left-out", "/api/v1/jobs/{job}/left-out", _BY_LEADS),
    Row(
        "api:stop-job",
        "/api/v1/jobs/{job}/stop",
        "",
        _BY_LEADS,
        leaves="job.stopped",
        is_json=True,
    ),
    Row(
        "api:resume-job",
        "/api/v1/jobs/{halted_job}/resume",
        "",
        "401 403 403 403 202 202",
        leaves="job.resumed",
        is_json=True,
    ),
    Row("api:candidates", "/api/v1/candidates", _BY_LEADS),
    Row("api:candidate", "/api/v1/candidates/{settled}", _BY_LEADS),
    Row(
        "api:open-candidate",
        "/api/v1/candidates/{settled}/open",
        "",
        "401 403 403 403 204 204",
        leaves="assignment.given_up",
        is_json=True,
    ),
    Row(
        "api:edit-candidate",
        "/api/v1/candidates/{settled}/edit",
        "",
        "401 403 403 403 422 422",
        quiet=_FULL,
        is_json=True,
    ),
    Row("api:findings", "/api/v1/findings", _READ),
    Row("api:reviews", "/api/v1/reviews", _READ),
    Row("api:agreement", "/api/v1/agreement", _BY_LEADS),
    Row("api:disputes", "/api/v1/disputes", _BY_LEADS),
    Row("api:dispute", "/api/v1/disputes/{disputed}", _BY_LEADS),
    Row(
        "api:decision",
        "/api/v1/disputes/{disputed}/decision",
        "",
        "401 403 403 403 422 422",
        quiet=_FULL,
        is_json=True,
    ),
    Row("api:releases", "/api/v1/releases", _BY_LEADS),
    Row("api:release", "/api/v1/releases/1.0", _NO_RELEASE),
    Row("api:release-items", "/api/v1/releases/1.0/items", _NO_RELEASE),
    Row("api:release-file", "/api/v1/releases/1.0/files/items.jsonl", _NO_RELEASE),
    Row("api:no-such-address", "/api/v1/nothing", _ALL, _ALL, quiet="there is nothing"),
]
