"""Leads' tables sort by their heads and come as files, in which people are pseudonyms."""

import csv
import io
import json
from datetime import UTC, datetime
from decimal import Decimal
from operator import itemgetter
from typing import Any

import pytest
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils import timezone

from generation.models import CandidateState
from review.models import Adjudication, Role, Scope
from review.services.measurements import ask_for, compute
from review.services.remarks import ask_lead
from review.services.tokens import make_token
from review.views.tables import Column, Table
from tests.make import make_assignment, make_revision, make_user, rejecting, review_by
from tests.roles.world import make_runs

TABLE = Table(
    "kilns",
    (
        Column("name", "kiln", lambda row: row[0], in_file=lambda row: f"kiln-{row[1]}"),
        Column("heat", "heat", lambda row: row[2], is_number=True),
        Column("note", "note", lambda _row: "=1+1", is_sortable=False),
    ),
    anchor="kilns-title",
)
ROWS = [("beta", 1, 900), ("Alpha", 2, None), ("gamma", 3, 1200)]


def asked(text):
    return QueryDict(text, mutable=True)


def text_of(table, query, rows):
    """The file that an address asks for."""
    answer: Any = table.file(asked(query), rows)
    return b"".join(answer.streaming_content).decode()


def constant(value):
    return lambda _row: value


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("", [1, 2, 3]),
        ("sort-kilns=name", [2, 1, 3]),
        ("sort-kilns=-name", [3, 1, 2]),
        ("sort-kilns=heat", [1, 3, 2]),
        ("sort-kilns=-heat", [3, 1, 2]),
        ("sort-kilns=note", [1, 2, 3]),
        ("sort-kilns=weight", [1, 2, 3]),
        ("sort-others=-name", [1, 2, 3]),
    ],
)
def test_rows_come_in_the_order_that_the_address_asks_for_and_what_is_unknown_last(query, order):
    assert [row[1] for row in TABLE.shown(asked(query), ROWS).rows] == order


def test_heads_lead_to_the_other_direction_keep_the_filters_and_begin_at_the_first_page():
    heads = TABLE.shown(asked("state=open&page=3&sort-kilns=name"), ROWS).heads
    assert [head.direction for head in heads] == ["ascending", "", ""]
    assert heads[0].address == "?state=open&sort-kilns=-name#kilns-title"
    assert heads[1].address == "?state=open&sort-kilns=-heat#kilns-title"
    assert heads[2].address == ""
    assert TABLE.shown(asked("sort-kilns=-name"), ROWS).heads[0].direction == "descending"


def test_a_file_has_the_same_rows_in_the_same_order_with_pseudonyms_and_no_formulas():
    text = text_of(TABLE, "sort-kilns=-heat&file-kilns=csv", ROWS)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["name"] for row in rows] == ["kiln-3", "kiln-1", "kiln-2"]
    assert [row["heat"] for row in rows] == ["1200", "900", ""]
    assert rows[0]["note"] == "'=1+1"
    assert TABLE.file(asked("sort-kilns=name"), ROWS) is None
    with pytest.raises(Http404):
        TABLE.file(asked("file-kilns=exe"), ROWS)


def test_times_amounts_and_lists_are_written_for_programs():
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    table = Table(
        "all",
        tuple(
            Column(name, name, constant(value))
            for name, value in {
                "at": moment,
                "usd": Decimal("1.50"),
                "of": ["a", "b"],
                "item": ("plan", 7),
            }.items()
        ),
    )
    assert json.loads(text_of(table, "file-all=jsonl", [0])) == {
        "at": "2026-03-01T00:00:00+00:00",
        "usd": "1.50",
        "of": ["a", "b"],
        "item": "plan 7",
    }


@pytest.fixture
def desk(client, db):
    client.force_login(
        make_user(Role.LEAD, username="lea"), backend="review.authentication.MemberBackend"
    )
    return client


@pytest.fixture
def world(desk):
    """Two open disputes and a decided one, an open question, two runs, a token."""
    ines, tomas = make_user(username="ines"), make_user(username="tomas")
    for subtask in ("issue_fix_plan", "closed_plan_en", "issue_fix_plan"):
        revision = make_revision(subtask=subtask)
        review_by(ines, revision)
        review_by(tomas, revision, answers=rejecting(revision))
    lead = desk.get("/items/").context["user"]
    Adjudication.objects.create(revision=revision, lead=lead, outcome="approve", note="Plain.")
    revision.candidate.state = CandidateState.APPROVED
    revision.candidate.save()
    for text in ("Does a typo count?", "And a comma?"):
        turn = make_assignment(reviewer=ines, now=timezone.now())
        ask_lead(assignment=turn, text=text, now=timezone.now())
    make_runs()
    make_token(user=lead, name="=script", scopes=[Scope.READ], days=9, now=timezone.now())
    return desk


PAGES = {
    "people": ("people", ["name", "-reviews", "last"]),
    "disputes": ("disputes", ["item", "-since", "round"]),
    "overturned": ("disputes", ["reviewer", "-against", "share"]),
    "questions": ("lead-questions", ["item", "-asked"]),
    "tokens": ("tokens", ["name", "-ends"]),
    "runs": ("generation", ["-run", "spent", "started"]),
}


@pytest.mark.parametrize("table", PAGES)
def test_every_table_sorts_and_says_by_which_head(world, table):
    address, orders = PAGES[table]
    for order in orders:
        page = world.get(reverse(address), {f"sort-{table}": order}).content.decode()
        direction = "descending" if order.startswith("-") else "ascending"
        assert page.count(f'aria-sort="{direction}"') == 1


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize("table", PAGES)
def test_every_table_comes_as_a_file_without_names(world, table, suffix):
    address, _orders = PAGES[table]
    answer = world.get(reverse(address), {f"file-{table}": suffix})
    text = b"".join(answer.streaming_content).decode()
    assert len(text.splitlines()) >= 1 + (suffix == "csv")
    assert "ines" not in text.replace("lines", "")
    assert answer["Content-Disposition"] == f'attachment; filename="{table}.{suffix}"'
    assert f"file-{table}={suffix}" in world.get(reverse(address)).content.decode()


def test_disputes_are_ordered_before_they_are_cut_into_pages(world):
    rows = world.get(reverse("disputes"), {"sort-disputes": "item"}).context["rows"]
    assert [row[0].subtask for row in rows] == ["closed_plan_en", "issue_fix_plan"]


def test_a_question_about_an_item_at_which_the_lead_has_a_turn_is_in_no_file(world):
    lead = world.get("/items/").context["user"]
    turn = make_assignment(reviewer=make_user(), now=timezone.now())
    ask_lead(assignment=turn, text="Is gold wrong?", now=timezone.now())
    address = reverse("lead-questions")
    told = b"".join(world.get(address, {"file-questions": "csv"}).streaming_content)
    assert b"Is gold wrong?" in told
    make_assignment(revision=turn.revision, reviewer=lead, now=timezone.now())
    told = b"".join(world.get(address, {"file-questions": "csv"}).streaming_content)
    assert b"Is gold wrong?" not in told


def test_tables_of_agreement_sort_by_their_numbers_and_come_as_files(world):
    ask_for(name="agreement", actor=None, now=timezone.now())
    compute("agreement")
    address = reverse("agreement")
    by_subtask = world.get(address, {"sort-groups": "items"}).context["groups"]
    assert [row.key for row in by_subtask] == ["closed_plan_en", "issue_fix_plan"]
    for table, key in (("measures", "items"), ("groups", "group"), ("worst", "item")):
        asked_for = {"by": "reviewer", f"file-{table}": "jsonl", f"sort-{table}": f"-{key}"}
        answer = world.get(address, asked_for)
        rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
        assert rows == sorted(rows, key=itemgetter(key), reverse=True)
        assert not {"ines", "tomas"} & {str(value) for row in rows for value in row.values()}
    assert len(rows) == 3


def test_tables_of_progress_sort_and_come_as_files(world):
    ask_for(name="progress", actor=None, now=timezone.now())
    compute("progress")
    address = reverse("progress")
    page = world.get(address, {"sort-reviewers": "-name", "sort-candidates": "-all"})
    assert [person["name"] for person, _flags in page.context["people"]] == ["tomas", "ines"]
    assert page.content.decode().count('aria-sort="descending"') == 2
    for table in ("candidates", "reviewers", "operators", "cost"):
        answer = world.get(address, {f"file-{table}": "jsonl"})
        rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
        assert len(rows) == len(page.context["tables"][table].rows)
        assert not {"ines", "tomas"} & {str(value) for row in rows for value in row.values()}
        if table == "reviewers":
            assert all(row["name"].startswith("reviewer-") for row in rows)
