"""Leads filter items on every field; each filter and its opposite part the items between them."""

import json
import re

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from generation.core.items import Severity
from generation.models import Candidate, CandidateState, Finding
from review.core.spreadsheets import harmless
from review.filters import FIELDS, NOT, WrongFilter, filtered
from review.models import Note, Role
from review.services.item_access import give_up_review
from review.services.queue import claim_next
from tests.make import make_completion, make_revision, make_user, rejecting, review_by

pytestmark = pytest.mark.django_db
PAGE = "/items/"


@pytest.fixture
def desk(client):
    client.force_login(
        make_user(Role.LEAD, username="lea"), backend="review.authentication.MemberBackend"
    )
    return client


@pytest.fixture
def some():
    """Three items: a rejected plan with a finding and a note, a plan in review, a command."""
    plan, other = make_revision(), make_revision(options=("窑炉", "卖掉", "等待"))
    command = make_completion(state=CandidateState.APPROVED)
    Finding.objects.create(
        revision=plan, kind="secret", severity=Severity.BLOCKS_RELEASE, field="gold", digest="d"
    )
    for name in ("ines", "tomas"):
        review_by(make_user(username=name), plan, answers=rejecting(plan))
    Note.objects.create(revision=plan, author=make_user(), text="Look again.")
    return plan, other, command


def keys(query, lead=None):
    """The items found by a lead, one who may read all of them where none is named."""
    reader = lead or make_user(Role.LEAD)
    if lead is None:
        for candidate in Candidate.objects.all():
            give_up_review(lead=reader, candidate=candidate, now=timezone.now())
    rows = filtered(Candidate.objects.all(), QueryDict(query, mutable=True), lead=reader)
    return set(rows.values_list("pk", flat=True))


VALUES = {
    "state": "rejected",
    "subtask": "issue_fix_action",
    "scenario": "issue_fix",
    "ability": "plan",
    "language": "en",
    "source": "swe_smith",
    "cluster": "no-such",
    "external_id": "no-such",
    "model": "no-such",
    "success": "confirmed",
    "finding": "secret",
    "severity": "3",
    "operator": "gold",
    "option_model": "no-such",
    "decision": "reject",
    "reason": "bad_question",
    "verdict": "valid",
    "reviewer": "ines",
    "also": "tomas",
    "right": "no",
    "confidence": "4",
    "well_specified": "0",
    "gold_quality": "3",
    "on": "2026-03-01",
    "week": "2026-W09",
    "author": "no-such",
    "reviewed": "yes",
    "edited": "yes",
    "control": "no",
    "note": "yes",
    "question": "no",
    "release": "v1",
    "bulk": "1-changed",
}


def test_every_field_is_tried():
    assert set(VALUES) == set(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_a_filter_and_its_opposite_part_the_items(name, some):
    every = set(Candidate.objects.values_list("pk", flat=True))
    matching, others = keys(f"{name}={VALUES[name]}"), keys(f"{NOT}{name}={VALUES[name]}")
    assert matching | others == every
    assert not matching & others


def test_filters_find_what_they_name(some):
    plan, other, command = (revision.candidate_id for revision in some)
    assert keys("state=rejected") == {plan}
    assert keys("finding=secret&severity=3") == {plan}
    assert keys("reason=bad_question") == {plan}
    assert keys("reviewer=tomas") == {plan}
    assert keys("note=yes") == {plan}
    assert keys("ability=action") == {command}
    assert keys("subtask=issue_fix_plan&subtask=issue_fix_action") == {plan, other, command}
    assert keys("reviewed=no&not-state=approved") == {other}


BIASING = {
    "finding",
    "severity",
    "operator",
    "option_model",
    "decision",
    "reason",
    "verdict",
    "reviewer",
    "also",
    "right",
    "confidence",
    "well_specified",
    "gold_quality",
    "on",
    "week",
    "reviewed",
}


def test_fields_that_bias_are_known():
    assert {name for name, field in FIELDS.items() if field.biases} == BIASING


@pytest.mark.parametrize("name", sorted(BIASING))
def test_no_filter_tells_what_others_said_of_an_item_that_the_lead_may_still_review(name):
    revision, lead = make_revision(), make_user(Role.LEAD)
    Finding.objects.create(
        revision=revision, kind="secret", severity=Severity.BLOCKS_RELEASE, field="gold", digest="d"
    )
    review_by(make_user(username="ines"), revision, answers=rejecting(revision))
    asked = f"{name}={VALUES[name]}", f"{NOT}{name}={VALUES[name]}"
    assert not keys(asked[0], lead) | keys(asked[1], lead)
    give_up_review(lead=lead, candidate=revision.candidate, now=timezone.now())
    assert keys(asked[0], lead) ^ keys(asked[1], lead) == {revision.candidate_id}


def test_words_of_gold_are_found_only_where_the_lead_may_read_it():
    revision, lead = make_completion(gold="cat kiln.py"), make_user(Role.LEAD)
    assert not keys("q=kiln.py", lead)
    give_up_review(lead=lead, candidate=revision.candidate, now=timezone.now())
    assert keys("q=kiln.py", lead) == {revision.candidate_id}


def test_row_of_an_item_that_the_lead_may_still_review_counts_nothing_of_others(desk):
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    before = desk.get(PAGE).content.decode()
    review_by(make_user(), revision, answers=rejecting(revision))
    assert anonymous(desk.get(PAGE).content.decode()) == anonymous(before)
    assert "blocks release" not in before
    lines = b"".join(desk.get(reverse("items-file", args=["jsonl"])).streaming_content)
    row = json.loads(lines)
    assert (row["findings"], row["severity"], row["reviews"]) == (None, None, None)


def anonymous(page):
    """The page without its marks against forged forms, which are new each time."""
    return re.sub(r'"(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]*"', "", page)


def test_page_says_that_a_filter_leaves_items_out(desk, some):
    told = "Items that you may still review are left out"
    assert told not in desk.get(PAGE, {"state": "in_review"}).content.decode()
    page = desk.get(PAGE, {"finding": "secret"}).content.decode()
    assert told in page
    assert "1 item" in page


def test_words_are_found_in_options_gold_and_in_chinese(some):
    _plan, other, command = (revision.candidate_id for revision in some)
    assert keys("q=窑炉") == {other}
    assert keys("q=CAT part3") == {command}
    assert keys("q=100%25_no") == set()


@pytest.mark.parametrize(
    "query",
    [
        "state=nonsense",
        "severity=9",
        "since=yesterday",
        "not-verdict=fine",
        "bulk=all",
        "bulk=7-gone",
    ],
)
def test_wrong_filters_are_named_and_answer_400(query, desk, some):
    with pytest.raises(WrongFilter):
        keys(query)
    answer = desk.get(f"{PAGE}?{query}")
    assert answer.status_code == 400
    assert query.split("=")[1] in answer.content.decode()


def test_annotators_are_refused(client, some):
    client.force_login(make_user(), backend="review.authentication.MemberBackend")
    assert client.get(PAGE).status_code == 403
    assert client.get(reverse("item", args=[some[0].candidate_id])).status_code == 403
    assert client.get(reverse("items-file", args=["csv"])).status_code == 403


@pytest.mark.parametrize("query", ["", "q=kiln", "severity=3", "order=-reviews", "order=revision"])
def test_page_costs_a_fixed_number_of_queries(
    desk, some, query, django_assert_max_num_queries, django_assert_num_queries
):
    with django_assert_max_num_queries(14) as seen:
        desk.get(f"{PAGE}?{query}")
    for _ in range(5):
        make_revision()
    with django_assert_num_queries(len(seen)):
        desk.get(f"{PAGE}?{query}")


COLUMNS = ("number", "subtask", "state", "source", "step", "language", "revision")


@pytest.mark.parametrize("order", [*COLUMNS, "reviews", "findings", "nonsense"])
def test_heads_sort_the_list_both_ways_and_the_file_alike(desk, some, order):
    for asked in (order, f"-{order}"):
        page = desk.get(PAGE, {"order": asked})
        keys = [row.pk for row, _state in page.context["rows"]]
        assert sorted(keys) == sorted(revision.candidate_id for revision in some)
        if order != "nonsense":
            direction = "descending" if asked.startswith("-") else "ascending"
            assert page.content.decode().count(f'aria-sort="{direction}"') == 1
        address = reverse("items-file", args=["jsonl"])
        lines = b"".join(desk.get(address, {"order": asked}).streaming_content).splitlines()
        assert [json.loads(line)["pk"] for line in lines] == keys


def test_what_the_lead_may_not_know_has_no_part_in_the_order(desk, some):
    plan, other, command = (revision.candidate_id for revision in some)
    for order in ("-reviews", "-findings"):
        keys = [row.pk for row, _state in desk.get(PAGE, {"order": order}).context["rows"]]
        assert keys == [plan, command, other]
    hidden = [make_revision(), make_revision(findings=[Severity.NOTE] * 3)]
    review_by(make_user(), hidden[1])
    for order in ("reviews", "-reviews", "findings", "-findings"):
        keys = [row.pk for row, _state in desk.get(PAGE, {"order": order}).context["rows"]]
        assert keys[2:] == [other, *(revision.candidate_id for revision in hidden)]


def test_list_is_sent_as_csv_and_json_lines(desk, some):
    lines = b"".join(desk.get(reverse("items-file", args=["jsonl"])).streaming_content)
    rows = [json.loads(line) for line in lines.splitlines()]
    assert [row["pk"] for row in rows] == sorted(revision.candidate_id for revision in some)
    assert (rows[0]["findings"], rows[0]["severity"], rows[0]["reviews"]) == (1, 3, 2)
    table = b"".join(desk.get(reverse("items-file", args=["csv"])).streaming_content).decode()
    assert len(table.splitlines()) == 4


@given(st.text())
def test_no_cell_starts_a_formula(text):
    assert not str(harmless(text)).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert harmless(3) == 3


def test_a_lead_who_may_still_review_an_item_sees_neither_gold_nor_reviews(desk, some):
    revision = some[1]
    address = reverse("item", args=[revision.candidate_id])
    closed = desk.get(address).content.decode()
    assert "You may still review this item" in closed
    assert "窑炉" not in closed
    assert desk.get(f"{address}step/1/raw").status_code == 404
    assert desk.post(address).status_code == 303
    opened = desk.get(address).content.decode()
    assert "窑炉" in opened
    assert desk.get(f"{address}step/1/raw").status_code == 200
    assert "assignment.given_up" in opened


def test_an_opened_item_never_comes_to_the_lead_for_review(desk, some):
    lead = desk.get(PAGE).context["user"]
    desk.post(reverse("item", args=[some[1].candidate_id]))
    assert claim_next(reviewer=lead, now=timezone.now()) is None


def test_item_page_holds_reviews_side_by_side_findings_and_trail(desk, some):
    page = desk.get(reverse("item", args=[some[0].candidate_id])).content.decode()
    for words in ("ines", "tomas", "secret", "review.submitted", "Look again.", "gold"):
        assert words in page


def test_item_page_costs_a_fixed_number_of_queries(desk, some, django_assert_max_num_queries):
    with django_assert_max_num_queries(26):
        desk.get(reverse("item", args=[some[0].candidate_id]))


def test_a_lead_gives_an_item_to_a_person_once(desk, some):
    address = reverse("item", args=[some[1].candidate_id])
    give = reverse("item-give", args=[some[1].candidate_id])
    mei = make_user(username="mei")
    assert 'value="mei"' in desk.get(address).content.decode()
    assert "Given to mei" in desk.post(give, {"reviewer": "mei"}, follow=True).content.decode()
    turn = claim_next(reviewer=mei, now=timezone.now())
    assert turn
    assert turn.revision == some[1]
    assert desk.post(give, {"reviewer": "nobody-of-that-name"}).status_code == 404


def test_a_refused_gift_says_why(desk, some):
    give = reverse("item-give", args=[some[0].candidate_id])
    answer = desk.post(give, {"reviewer": "ines"}, follow=True)
    assert "This item waits for no review." in answer.content.decode()


def test_fields_of_reviews_hold_of_one_and_the_same_review():
    """Ines rejects and is right, Tomas approves and is wrong: nobody did both."""
    revision = make_revision()
    review_by(make_user(username="ines"), revision, answers=rejecting(revision))
    review_by(make_user(username="tomas"), revision, right=False)
    found = {revision.candidate_id}
    assert keys("reviewer=ines&decision=reject&right=yes&confidence=4") == found
    assert keys("reviewer=tomas&decision=approve&right=no&gold_quality=0") == found
    assert keys("reviewer=tomas&decision=reject") == set()
    assert keys("reviewer=ines&also=tomas") == found
    assert keys("reviewer=ines&also=mei") == set()


def test_items_are_found_by_the_day_and_the_week_of_their_reviews():
    revision = make_revision()
    review_by(make_user(), revision)
    today = timezone.now().date()
    year, week, _day = today.isocalendar()
    assert keys(f"on={today}") == keys(f"week={year}-W{week:02}") == {revision.candidate_id}
    assert keys("on=2020-01-01") == keys("week=2020-W01") == set()
    for wrong in ("on=yesterday", "on=9999-12-31", "week=2026", "week=2026-W60", "week=9999-W52"):
        with pytest.raises(WrongFilter, match=wrong.split("=")[0]):
            keys(wrong)
