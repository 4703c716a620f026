"""A reviewer sees their own numbers and no trace of others' open answers; leads see everybody's."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.models import CandidateState
from review.models import Control, ControlUse, Purpose, ReturnedEdit, Role
from review.services.controls import make_control
from review.services.disputes import Ruling, adjudicate
from review.services.measurements import ask_for, compute, measurement
from review.views.reviewer_rows import numbers_of
from tests.make import (
    NOW,
    approving,
    blind,
    make_assignment,
    make_revision,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
    submit,
)

pytestmark = pytest.mark.django_db


def counted():
    """Count anew and return what is stored of everybody, by name."""
    ask_for(name="reviewers", actor=None, now=timezone.now())
    assert compute("reviewers")
    return {own["name"]: own for own in measurement("reviewers").data["people"].values()}


def page_of(client, person, of=None):
    client.force_login(person, backend="review.authentication.MemberBackend")
    return client.get(reverse("reviewer", args=[(of or person).profile.pk]))


def words(response):
    """The page without its marks against forged forms, which are new each time."""
    return re.sub(r'value="\w{64}"|"X-CSRFToken": "\w+"', "", response.content.decode())


@pytest.fixture
def pair():
    return make_user(username="ines"), make_user(username="tomas")


def settle(revision, outcome):
    ruling = Ruling(outcome, "Gold follows.", "leak" if outcome == "reject" else "")
    lead = make_user(Role.LEAD)
    adjudicate(revision=revision, lead=lead, ruling=ruling, seen=reviews_seen(revision))


def test_accuracy_and_agreement_are_counted_over_closed_items_alone(pair):
    """One is approved by both; of one they differ, and a lead has yet to decide; one is half done."""
    ines, tomas = pair
    agreed, differed, half = make_revision(), make_revision(), make_revision()
    review_by(ines, agreed, right=False)
    review_by(tomas, agreed)
    review_by(ines, differed)
    review_by(tomas, differed, answers=rejecting(differed))
    review_by(ines, half)
    own = counted()["ines"]
    assert (own["reviews"], own["decisions"]) == (3, {"approve": 3})
    assert (own["blind"], own["agreement"], own["others"]) == ([0, 1], [1, 1], 1)
    assert own["calibration"] == [[4, 0, 1]]
    settle(differed, "reject")
    found = counted()
    assert (found["ines"]["blind"], found["ines"]["agreement"]) == ([1, 2], [1, 2])
    assert (found["ines"]["overturned"], found["tomas"]["overturned"]) == ([1, 1], [0, 1])
    assert [item for _turn, item, _subtask in found["ines"]["against"]] == [differed.candidate_id]
    assert [item for _turn, item, _subtask in found["ines"]["missed"]] == [agreed.candidate_id]


def test_pace_is_active_time_of_both_phases(pair):
    review_by(pair[0], make_revision())
    own = counted()["ines"]
    assert own["seconds"] == {"blind": 10, "open": 12.5, "both": 22.5}
    assert own["active"] == 22.5
    assert [n for _monday, n, _seconds in own["weeks"]] == [1]


def test_a_review_that_can_still_be_undone_tells_nothing_of_the_other(pair):
    """Else one could submit, read how the other decided, undo and decide anew."""
    ines, tomas = pair
    revision, now = make_revision(), timezone.now()
    review_by(tomas, revision)
    turn = make_assignment(revision=revision, reviewer=ines, now=now)
    blind(turn, now=now)
    submit(turn, now=now)
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.APPROVED
    own = counted()["ines"]
    assert (own["blind"], own["agreement"], own["others"]) == ([0, 0], [0, 0], 0)
    turn.submitted_at = now - timedelta(minutes=10)
    turn.save(update_fields=["submitted_at"])
    own = counted()["ines"]
    assert (own["blind"], own["agreement"], own["others"]) == ([1, 1], [1, 1], 1)


@pytest.mark.parametrize("is_open", [False, True])
def test_own_page_holds_no_trace_of_another_s_answer_before_the_own(
    client, pair, is_open, django_assert_num_queries
):
    ines, tomas = pair
    review_by(ines, make_revision())
    revision = make_revision()
    turn = make_assignment(revision=revision, reviewer=ines, now=timezone.now())
    if is_open:
        blind(turn, now=timezone.now())
    counted()
    before = words(page_of(client, ines))
    review_by(tomas, revision, answers=rejecting(revision), right=False)
    assert words(page_of(client, ines)) == before  # nor does it say that something has changed
    counted()
    with django_assert_num_queries(4):  # session, user, profile, the row
        after = client.get(reverse("reviewer", args=[ines.profile.pk]))
    assert words(after) == before


def test_own_page_does_not_tell_control_items_from_work(client, pair):
    ines, _tomas = pair
    control_of(ines)
    own = counted()["ines"]
    assert own["reviews"] == 1
    assert own["controls"] == {Purpose.CONTROL: [1, 1, 1]}
    assert numbers_of(own, for_lead=False)["controls"] is None
    assert "control" not in words(page_of(client, ines)).lower()
    page = words(page_of(client, make_user(Role.LEAD), of=ines))
    assert "control items, decision" in page
    assert "100 %" in page


def control_of(person, *, decision="approve", use=ControlUse.QUEUE):
    revision = make_revision(state=CandidateState.CHECKED)
    make_control(
        lead=make_user(Role.LEAD),
        candidate=revision.candidate,
        use=use,
        decision="approve",
        why="Gold is plain.",
        now=NOW,
    )
    is_round = use == ControlUse.QUALIFICATION
    turn = make_assignment(revision=revision, reviewer=person)
    turn.purpose = Purpose.QUALIFICATION if is_round else Purpose.CONTROL
    turn.save(update_fields=["purpose"])
    blind(turn)
    answers = approving(revision) if decision == "approve" else rejecting(revision)
    submit(turn, answers=answers)
    return Control.objects.get(candidate=revision.candidate)


def test_the_round_before_real_work_is_shown_to_the_person_and_counted_apart(client, pair):
    ines, _tomas = pair
    control_of(ines, use=ControlUse.QUALIFICATION)
    control_of(ines, use=ControlUse.QUALIFICATION, decision="reject")
    own = counted()["ines"]
    assert (own["reviews"], own["controls"]) == (0, {Purpose.QUALIFICATION: [1, 2, 2]})
    page = words(page_of(client, ines))
    assert "50 % <small>9–91 % · n 2</small>" in page  # Wilson of 1 of 2: 0.0945 to 0.9055


def test_returned_edits_are_counted_for_their_author(pair):
    revision = make_revision(author=pair[0])
    ReturnedEdit.objects.create(
        revision=revision, returned_by=make_user(Role.LEAD), comment="Once more."
    )
    own = counted()["ines"]
    assert (own["returned"], own["waiting"]) == (1, 1)


def test_others_pages_are_not_found_and_the_list_is_for_leads(client, pair):
    ines, tomas = pair
    review_by(ines, make_revision())
    counted()
    assert page_of(client, tomas, of=ines).status_code == 404
    assert client.get(reverse("reviewers")).status_code == 403
    page = page_of(client, make_user(Role.LEAD), of=ines)
    assert page.status_code == 200
    assert "/items/?reviewer=ines&amp;control=no&amp;decision=approve" in words(page)
    assert client.get(reverse("reviewer", args=[10**9])).status_code == 404


def test_a_page_before_anything_is_counted_says_so_and_counts_on_demand(client, pair):
    ines, _tomas = pair
    assert "Nothing is counted yet" in words(page_of(client, ines))
    assert client.post(reverse("reviewer", args=[ines.profile.pk])).status_code == 303
    assert "No reviews were there" in words(page_of(client, ines))


def test_list_has_everybody_by_name_and_comes_with_pseudonyms_as_a_file(
    client, pair, django_assert_num_queries
):
    for person in pair:
        review_by(person, make_revision())
    counted()
    client.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    # session, user, row, profiles; four that tell whether it is stale
    with django_assert_num_queries(8):
        page = words(client.get(reverse("reviewers")))
    assert page.index(">ines<") < page.index(">tomas<")
    lines = b"".join(
        client.get(reverse("reviewers"), {"file-reviewers": "jsonl"}).streaming_content
    )
    rows = [json.loads(line) for line in lines.splitlines()]
    assert [row["reviewer"] for row in rows] == [f"reviewer-{person.pk}" for person in pair]
    assert rows[0]["reviews"] == 1
