"""Leads list disputes and decide them; annotators never see them."""

import re

import pytest
from django.urls import reverse

from generation.core.items import Severity
from generation.core.records import Outcome, Success
from generation.models import CandidateState
from review.models import Adjudication, Role
from review.services.disputes import Ruling, adjudicate
from tests.make import (
    approving,
    make_completion,
    make_revision,
    make_trajectory,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
)

pytestmark = pytest.mark.django_db
DISPUTES = "/disputes/"
HOSTILE = "</pre></td><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lea")


@pytest.fixture
def desk(client, lead):
    """A client logged in as the lead."""
    client.force_login(lead, backend="review.authentication.MemberBackend")
    return client


def dispute(revision=None, *, names=("ines", "tomas"), **fields):
    """Return a revision that the first person approves and the second rejects."""
    revision = revision or make_revision(**fields)
    review_by(make_user(username=names[0]), revision)
    review_by(make_user(username=names[1]), revision, answers=rejecting(revision))
    return revision


def address(revision):
    return reverse("dispute", args=[revision.pk])


def text_of(client, where, **query):
    return client.get(where, query).content.decode()


def sent(revision, **fields):
    form = {"seen": reviews_seen(revision), "outcome": "approve", "note": "Gold is right."}
    return form | fields


@pytest.mark.parametrize("method", ["get", "post"])
def test_annotator_is_refused(member, method):
    revision = dispute()
    assert getattr(member, method)(address(revision)).status_code == 403
    assert member.get(DISPUTES).status_code == 403
    assert member.get(f"{address(revision)}step/1/raw").status_code == 403


def test_admin_may_decide(client):
    client.force_login(make_user(Role.ADMIN), backend="review.authentication.MemberBackend")
    assert client.get(address(dispute())).status_code == 200


@pytest.mark.parametrize(
    "state", [CandidateState.IN_REVIEW, CandidateState.APPROVED, CandidateState.CHECKED]
)
def test_item_that_never_was_in_dispute_is_not_found(desk, state):
    revision = make_revision(state=state)
    assert desk.get(address(revision)).status_code == 404
    assert desk.post(address(revision), sent(revision)).status_code == 404
    assert desk.get(f"{address(revision)}section/task/raw").status_code == 404
    assert desk.get("/disputes/999999/").status_code == 404


def test_list_costs_nine_queries_however_many_disputes(desk, django_assert_num_queries):
    dispute()
    # Session, user, own turns, four of the disputes, times, settled ones.
    with django_assert_num_queries(9):
        desk.get(DISPUTES)
    dispute(names=("a", "b"))
    with django_assert_num_queries(9):
        desk.get(DISPUTES)


def listed(page):
    return [int(pk) for pk in re.findall(r'<th scope="row"><a href="/disputes/(\d+)/', page)]


def test_list_states_n_and_is_oldest_first(desk):
    first, second = dispute(), dispute(names=("a", "b"))
    page = text_of(desk, DISPUTES)
    assert "2 disputes wait" in page
    assert "Decisions differ: 1 approve, 1 reject." in page
    assert listed(page) == [first.pk, second.pk]
    assert listed(text_of(desk, DISPUTES, order="newest")) == [second.pk, first.pk]


def test_list_is_filtered_by_subtask_and_kind_and_the_filter_goes_along(desk):
    plan, command = dispute(), make_completion()
    for name in ("a", "b"):
        review_by(make_user(username=name), command, right=False)
    assert listed(text_of(desk, DISPUTES, subtask="issue_fix_plan")) == [plan.pk]
    page = text_of(desk, DISPUTES, kind="blind_answers")
    assert listed(page) == [command.pk]
    assert "1 of 2 disputes" in page
    assert f'href="{address(command)}?kind=blind_answers"' in page
    assert listed(text_of(desk, DISPUTES, kind="decisions", subtask="issue_fix_action")) == []


def test_list_is_paged_and_keeps_its_filter(desk):
    for number in range(51):
        dispute(names=(f"a{number}", f"b{number}"))
    page = text_of(desk, DISPUTES, kind="decisions")
    assert len(listed(page)) == 50
    assert 'href="?kind=decisions&amp;page=2"' in page
    assert len(listed(text_of(desk, DISPUTES, kind="decisions", page=2))) == 1


def test_empty_list_says_why(desk):
    assert "Nothing has been reviewed" in text_of(desk, DISPUTES)
    revision = make_revision()
    for _ in range(2):
        review_by(make_user(), revision)
    assert "Reviewers agreed on every item" in text_of(desk, DISPUTES)
    dispute()
    assert "none with this filter" not in text_of(desk, DISPUTES)
    assert "not with this filter" in text_of(desk, DISPUTES, subtask="<b>")


def test_page_costs_fifteen_queries_whatever_it_shows(desk, django_assert_num_queries):
    revision = dispute(findings=[Severity.NEEDS_PERSON])
    desk.get(address(revision))  # the first look is stored
    with django_assert_num_queries(15):
        desk.get(address(revision))
    full = dispute(make_revision(findings=[Severity.NOTE] * 5), names=("a", "b"))
    desk.get(address(full))
    with django_assert_num_queries(15):
        desk.get(address(full))


def test_page_shows_the_reviews_side_by_side_without_names(desk):
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    finding = revision.findings.get().pk
    review_by(make_user(username="ines"), revision, answers=approving(revision, comment="Fine."))
    answers = rejecting(
        revision,
        well_specified=2,
        well_specified_why="Two fixes would be as good as this one.",
        finding_verdicts={finding: ("confirmed", "it says so")},
    )
    review_by(make_user(username="tomas"), revision, answers=answers, right=False)
    page = text_of(desk, address(revision))
    assert not re.search(r"\bines\b", page)
    assert "tomas" not in page
    assert "Reviewer 1" in page
    assert "Reviewer 2" in page
    for words in (
        "Decisions differ: 1 approve, 1 reject.",
        "Fix the kiln.",
        "✓ gold",
        "The question is unclear or unfit",
        "Two fixes would be as good as this one.",
        "it says so",
        "harmless",
        "Fine.",
        "≠ differs",
        "✓ matches",
        "Finding 1: outcome",
    ):
        assert words in page


def test_rows_that_differ_are_marked_and_others_are_not(desk):
    page = text_of(desk, address(dispute()))
    differing = re.findall(r'<tr class="differs">\s*<th scope="row">([^<]+?) <', page)
    assert differing == ["Decision"]


def decisions_shown(client, revision):
    """Return the signs of the decisions in the order of the columns."""
    page = text_of(client, address(revision))
    row = re.search(r"Decision <small.*?</tr>", page, re.DOTALL)
    assert row
    return tuple(re.findall(r"<td><b>(.)", row[0]))


def test_order_of_reviewers_is_drawn_and_says_nothing_of_who_came_first(desk):
    orders = set()
    for number in range(12):
        revision = dispute(names=(f"a{number}", f"b{number}"))
        order = decisions_shown(desk, revision)
        assert decisions_shown(desk, revision) == order
        orders.add(order)
    assert orders == {("✓", "✕"), ("✕", "✓")}


def test_lead_who_reviewed_the_item_sees_it_said(desk, lead):
    revision = make_revision()
    review_by(lead, revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    page = text_of(desk, address(revision))
    assert page.count('<span class="attention">you</span>') == 1
    assert desk.post(address(revision), sent(revision)).status_code == 303


def test_decision_is_stored_and_shown_with_names_and_the_next_dispute(desk, lead):
    revision, following = dispute(), dispute(names=("a", "b"))
    response = desk.post(address(revision) + "?kind=decisions", sent(revision), follow=True)
    assert response.redirect_chain == [(f"{address(revision)}?kind=decisions", 303)]
    page = response.content.decode()
    assert Adjudication.objects.get().lead == lead
    assert '<b translate="no">ines</b>' in page
    assert '<b translate="no">tomas</b>' in page
    assert "Gold is right." in page
    assert "Decided: Approve." in page
    assert f'href="{address(following)}?kind=decisions">Next dispute' in page
    assert "Your decision" not in page


def test_last_dispute_leads_back_to_the_list(desk):
    revision = dispute()
    page = desk.post(address(revision), sent(revision), follow=True).content.decode()
    assert "No other dispute waits here." in page


def test_refused_decision_keeps_what_was_entered_and_says_what_is_missing(desk):
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    finding = revision.findings.get().pk
    review_by(make_user(), revision)
    seen = {finding: ("confirmed", "it is there")}
    review_by(make_user(), revision, answers=rejecting(revision, finding_verdicts=seen))
    response = desk.post(address(revision), sent(revision, note="My long note."))
    page = response.content.decode()
    assert response.status_code == 422
    assert "My long note." in page
    assert f'<a href="#finding-{finding}">To approve, dismiss this finding with a word' in page
    assert f'id="finding-{finding}"' in page
    fields = {f"finding_{finding}": "dismissed", f"finding_{finding}_word": "a file's name"}
    page = desk.post(address(revision), sent(revision, **fields), follow=True).content.decode()
    assert "outcome: dismissed — a file&#x27;s name" in page


@pytest.mark.parametrize("fields", [{"note": ""}, {"outcome": ""}, {"outcome": "reject"}])
def test_each_error_links_to_its_field(desk, fields):
    revision = dispute()
    page = desk.post(address(revision), sent(revision, **fields)).content.decode()
    (anchor,) = re.findall(r'<li><a href="#(field-\w+)">', page)
    assert f'id="{anchor}"' in page


def test_run_of_unknown_success_is_asked_about(desk):
    outcome = Outcome(final_answer="in 1871", reference_answer="in 1870")
    revision = dispute(success=Success.UNCONFIRMED, outcome=outcome)
    page = text_of(desk, address(revision))
    assert "in 1871" in page
    assert "in 1870" in page
    assert desk.post(address(revision), sent(revision)).status_code == 422
    assert desk.post(address(revision), sent(revision, sees_success="on")).status_code == 303


def test_second_lead_is_told_who_decided_and_keeps_the_note(desk):
    revision, first = dispute(), make_user(Role.LEAD, username="first")
    seen = reviews_seen(revision)
    adjudicate(
        revision=revision,
        lead=first,
        ruling=Ruling("reject", "No.", reject_reason="leak"),
        seen=seen,
    )
    response = desk.post(address(revision), sent(revision, note="My long note.", seen=seen))
    page = response.content.decode()
    assert response.status_code == 409
    assert re.search(r"first decided before you, at \d{4}-\d\d-\d\d \d\d:\d\d UTC: Reject", page)
    assert "My long note." in page
    assert Adjudication.objects.count() == 1


def returned(revision, by):
    ruling = Ruling("return", "Look again.")
    adjudicate(revision=revision, lead=by, ruling=ruling, seen=reviews_seen(revision))


def test_decision_on_a_round_that_is_over_is_refused_and_the_new_round_shown(desk, lead):
    revision = dispute()
    seen = reviews_seen(revision)
    returned(revision, make_user(Role.LEAD))
    dispute(revision, names=("c", "d"))
    response = desk.post(address(revision), sent(revision, note="My long note.", seen=seen))
    page = response.content.decode()
    assert response.status_code == 409
    assert "My long note." in page
    assert f'name="seen" value="{reviews_seen(revision)}"' in page
    assert desk.post(address(revision), sent(revision)).status_code == 303


def test_reviews_of_a_running_round_are_shown_to_nobody(desk):
    revision = dispute()
    returned(revision, make_user(Role.LEAD))
    review_by(
        make_user(username="carla"), revision, answers=approving(revision, comment="Secret so far.")
    )
    page = text_of(desk, address(revision))
    assert "Reviews of round 1" in page
    assert "Reviews of round 2" not in page
    assert "carla" not in page
    assert "Secret so far." not in page


def test_page_says_whether_enough_people_are_left_for_a_return(desk):
    revision = dispute()
    assert "0 annotators have not had this item" in text_of(desk, address(revision))
    assert "it would wait" in text_of(desk, address(revision))
    make_user()
    make_user()
    page = text_of(desk, address(revision))
    assert "2 annotators have not had this item" in page
    assert "it would wait" not in page


def test_source_can_be_read_with_what_follows_on_request(desk):
    revision = dispute()
    page = text_of(desk, address(revision))
    assert "Look at part 2" in page
    assert "Look at part 4" not in page
    assert "Look at part 4" in text_of(desk, address(revision), follows="1")


def test_long_step_is_opened_in_pieces(desk):
    long = make_trajectory()
    first = long.steps[0]
    long_step = type(first)(
        thought=first.thought,
        tool=first.tool,
        arguments=first.arguments,
        action=first.action,
        observation="\n".join(f"line {n} {HOSTILE}" for n in range(4000)),
    )
    revision = dispute(steps=(long_step, *long.steps[1:]))
    page = text_of(desk, address(revision))
    (piece,) = set(re.findall(r'hx-get="(/disputes/[^"]+/piece/1[^"]*)"', page))
    part = text_of(desk, piece.replace("&amp;", "&"))
    assert "line 2000" in part or "line 100 " in part
    assert address(revision) in part
    assert "<script>alert" not in part
    raw = desk.get(f"{address(revision)}step/1/raw")
    assert raw.content.decode() == long_step.observation
    assert raw["Content-Type"] == "text/plain; charset=utf-8"
    assert desk.get(f"{address(revision)}step/99/raw").status_code == 404
    assert desk.get(f"{address(revision)}section/task/raw").status_code == 200
    assert desk.get(f"{address(revision)}section/task/piece/9").status_code == 404


def test_hostile_text_is_shown_as_text(desk):
    revision = make_revision(
        options=(HOSTILE, "b", "c", "d"), findings=[Severity.NOTE], task=HOSTILE
    )
    finding = revision.findings.get().pk
    answers = approving(
        revision, comment=HOSTILE, finding_verdicts={finding: ("confirmed", HOSTILE)}
    )
    review_by(make_user(username="<img src=x>"), revision, answers=answers)
    review_by(make_user(), revision, answers=rejecting(revision))
    pages = [
        text_of(desk, address(revision)),
        desk.post(address(revision), sent(revision, note=HOSTILE, outcome="")).content.decode(),
        desk.post(address(revision), sent(revision, note=HOSTILE), follow=True).content.decode(),
    ]
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "&lt;script&gt;alert(1)" in page


def test_completion_shows_gold_and_written_answers(desk):
    revision = make_completion()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision), right=False)
    page = text_of(desk, address(revision))
    assert "cat part3.py" in page
    assert "<b>wrong</b>" in page
    assert "≠ differs" in page


def test_decision_without_the_mark_of_what_was_read_is_refused(desk):
    revision = dispute()
    assert desk.post(address(revision), sent(revision, seen="")).status_code == 422
    assert desk.post(address(revision), sent(revision, seen="x")).status_code == 409


def test_queue_of_a_lead_links_each_count_of_disputes_to_them(desk, member):
    dispute()
    assert DISPUTES not in text_of(member, reverse("queue"))
    desk.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    page = text_of(desk, reverse("queue"))
    assert '<a href="/disputes/?subtask=issue_fix_plan">1</a>' in page
    assert '<a href="/disputes/">Disputes</a>' in page


def test_list_says_how_often_leads_decided_against_whom(desk):
    revision = dispute()
    desk.post(address(revision), sent(revision))
    page = text_of(desk, DISPUTES)
    rows = re.findall(r'<th scope="row"[^>]*><a[^>]*>(\w+)</a></th>(.*?)</tr>', page)
    cells = {name: re.findall(r">([^<]+)</td>", row) for name, row in rows}
    assert cells == {
        "ines": ["1", "0", "0 %", "0–79 %"],
        "tomas": ["1", "1", "100 %", "21–100 %"],
    }
