"""Addresses of leads: agreement, progress, items, disputes, questions."""

from tests.roles.row import Row

# anonymous, no member, owner, other, lead, admin
_READ = "302 403 403 403 200 200"
_NO_SUCH_PART = "302 403 403 403 404 404"

ROWS = [
    Row("agreement", "/agreement/", _READ, "302 403 403 403 303 303", leaves="measurement.asked"),
    Row("agreement-chart", "/agreement/chart", _NO_SUCH_PART),
    Row("raw-table", "/agreement/reviews.csv", _READ),
    Row("progress", "/progress/", _READ, "302 403 403 403 303 303", leaves="measurement.asked"),
    Row("items", "/items/", _READ),
    Row("items-file", "/items/items.csv", _READ),
    Row("bulk-actions", "/items/actions/", _READ),
    Row(
        "bulk-new",
        "/items/actions/new?do=withdraw&item={waiting}",
        _READ,
        "401 403 403 403 303 303",
        data={"do": "withdraw", "item": "{waiting}", "bulk-n": "1", "bulk-note": "Not free."},
        leaves="candidate.withdrawn",
    ),
    Row("bulk-action", "/items/actions/{bulk}/", _READ),
    Row(
        "bulk-undo",
        "/items/actions/{bulk}/undo",
        "",
        "302 403 403 403 303 303",
        leaves="candidate.put_back",
    ),
    Row(
        "item",
        "/items/{settled}/",
        _READ,
        "302 403 403 403 303 303",
        leaves="assignment.given_up",
    ),
    Row(
        "item-give",
        "/items/{waiting}/give",
        "",
        "401 403 403 403 303 303",
        data={"reviewer": "other"},
        leaves="assignment.given_by_lead",
    ),
    Row(
        "item-edit",
        "/items/{settled}/edit",
        _READ,
        "302 403 403 403 200 200",
        quiet="an empty form stores nothing; test_editing.py has the events of edits",
    ),
    Row("item-step-piece", "/items/{settled}/step/1/piece/1", _NO_SUCH_PART),
    Row("item-step-raw", "/items/{settled}/step/1/raw", _READ),
    Row("item-section-piece", "/items/{settled}/section/task/piece/1", _NO_SUCH_PART),
    Row("item-section-raw", "/items/{settled}/section/task/raw", _READ),
    Row("disputes", "/disputes/", _READ),
    Row(
        "dispute",
        "/disputes/{disputed}/",
        _READ,
        "401 403 403 403 303 303",
        data={"seen": "{seen}", "outcome": "approve", "note": "Gold is plain."},
        leaves="dispute.decided",
    ),
    Row(
        "dispute-edit",
        "/disputes/{disputed}/edit",
        _READ,
        "302 403 403 403 200 200",
        quiet="an empty form stores nothing; test_editing.py has the events of edits",
    ),
    Row(
        "dispute-return",
        "/disputes/{disputed}/return",
        "",
        "401 403 403 403 409 409",
        data={"comment": "Nobody wrote this text."},
        quiet="the text of this dispute has no author",
    ),
    Row("dispute-step-piece", "/disputes/{disputed}/step/1/piece/1", _NO_SUCH_PART),
    Row("dispute-step-raw", "/disputes/{disputed}/step/1/raw", _READ),
    Row("dispute-section-piece", "/disputes/{disputed}/section/task/piece/1", _NO_SUCH_PART),
    Row("dispute-section-raw", "/disputes/{disputed}/section/task/raw", _READ),
    Row("lead-questions", "/questions/", _READ),
    Row(
        "lead-question",
        "/questions/{question}/",
        _READ,
        "401 403 403 403 303 303",
        data={"answer": "It does not."},
        leaves="question.answered",
    ),
    Row("lead-question-step-piece", "/questions/{question}/step/1/piece/1", _NO_SUCH_PART),
    Row("lead-question-step-raw", "/questions/{question}/step/1/raw", _READ),
    Row(
        "lead-question-section-piece",
        "/questions/{question}/section/task/piece/1",
        _NO_SUCH_PART,
    ),
    Row("lead-question-section-raw", "/questions/{question}/section/task/raw", _READ),
]
