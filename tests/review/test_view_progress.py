"""The progress page counts what the database holds, control items left out, for leads alone."""

from decimal import Decimal

import pytest
from django.utils import timezone

from generation.models import Candidate, CandidateState, LLMCall
from review.models import Measurement, Review, Role
from review.services.measurements import ask_for
from tests.make import make_completion, make_revision, make_user, rejecting, review_by

pytestmark = pytest.mark.django_db
PAGE = "/progress/"


@pytest.fixture
def desk(client):
    client.force_login(
        make_user(Role.LEAD, username="lea"), backend="review.authentication.MemberBackend"
    )
    return client


@pytest.fixture
def work():
    """Two rejected plans, one with one review, a command without, a control item."""
    ines, tomas = make_user(username="ines"), make_user(username="tomas")
    for _ in range(2):
        revision = make_revision()
        for person in (ines, tomas):
            review_by(person, revision, answers=rejecting(revision))
    review_by(ines, make_revision())
    make_completion()
    Candidate.objects.filter(pk=make_revision().candidate_id).update(is_control=True)
    LLMCall.objects.create(
        target="x",
        operator="llm_patch",
        model="small",
        seed=0,
        prompt_version="1",
        request_digest="d",
        state="failed",
        failure="refusal",
        cost_usd=Decimal("0.25"),
    )


def data(desk):
    assert desk.post(PAGE).status_code == 303
    return Measurement.objects.get(name="progress").data


def test_annotators_are_refused(client):
    client.force_login(make_user(), backend="review.authentication.MemberBackend")
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE).status_code == 403


def test_counts_are_those_of_the_database(desk, work):
    found = data(desk)
    plan = next(line for line in found["states"] if line["subtask"] == "issue_fix_plan")
    assert plan["states"] == {CandidateState.REJECTED: 2, CandidateState.IN_REVIEW: 1}
    assert found["forecast"]["remaining"] == 1 + 2
    assert sum(n for _day, n in found["days"]) == 5
    people = {person["name"]: person for person in found["people"]}
    assert (people["ines"]["reviews"], people["tomas"]["reviews"]) == (3, 2)
    assert found["rejections"]["subtask"] == [["issue_fix_plan", "bad_question", 4]]
    assert found["rejections"]["source"] == [["swe_smith", "bad_question", 4]]
    assert found["cost"][0]["usd"] == 0.25
    assert found["cost"][0]["failed"] == 1


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_page_links_every_number_to_what_it_counts(desk, work, language):
    data(desk)
    page = desk.get(PAGE, headers={"accept-language": language}).content.decode()
    assert (
        "/items/?subtask=issue_fix_plan&amp;language=en&amp;state=rejected&amp;control=no" in page
    )
    assert (
        desk.get("/items/?subtask=issue_fix_plan&language=en&state=rejected&control=no").context[
            "n"
        ]
        == 2
    )
    assert "/items/?subtask=issue_fix_plan&amp;reason=bad_question" in page
    assert ("fewer than three days with reviews" in page) is (language == "en")


def test_an_empty_project_has_a_page(desk):
    data(desk)
    assert "No candidates yet" in desk.get(PAGE).content.decode()


def test_page_costs_a_fixed_number_of_queries(desk, work, django_assert_num_queries):
    data(desk)
    with django_assert_num_queries(6):  # session, user, row; three that tell whether it is stale
        desk.get(PAGE)
    make_revision()
    with django_assert_num_queries(6):
        desk.get(PAGE)


def test_a_page_that_waits_loads_anew_once_the_result_is_there(desk, work):
    ask_for(name="progress", actor=None, now=timezone.now())
    waiting = desk.get(PAGE, headers={"hx-request": "true"})
    assert b"It waits for the worker" in waiting.content
    assert "HX-Refresh" not in waiting.headers
    data(desk)
    assert desk.get(PAGE, headers={"hx-request": "true"}).headers["HX-Refresh"] == "true"


def test_reviews_taken_back_enter_nothing(desk, work):
    Review.objects.update(undone_at=timezone.now())
    found = data(desk)
    assert found["people"] == []
    assert found["rejections"]["subtask"] == []
