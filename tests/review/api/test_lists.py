"""Lists: pages by key, filters on every field, and what leads may read whole."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from generation.models import Candidate, CandidateState, Finding
from review.models import Review, Role
from tests.make import blind, make_assignment, make_revision, make_source, make_user, review_by
from tests.review.api.calls import Caller, label_at

pytestmark = pytest.mark.django_db


def ids(answer):
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["results"]]


def test_pages_hold_every_row_once_in_either_order(lead_api):
    made = [make_revision().candidate_id for _ in range(7)]
    for order, expected in [("oldest", made), ("newest", made[::-1])]:
        answer = lead_api.get("candidates", limit=3, order=order)
        seen = ids(answer)
        while following := answer.json()["next"]:
            assert answer["Link"] == f'<{following}>; rel="next"'
            answer = lead_api.get(following.removeprefix("http://testserver"))
            seen += ids(answer)
        assert seen == expected
        assert "Link" not in answer


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=%D9%A3",
        "after=-1",
        "after=99999999999999999999",
        "order=id",
    ],
)
def test_wrong_page_is_refused(lead_api, query):
    answer = lead_api.get(f"candidates?{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == query.split("=")[0]


@pytest.fixture
def several():
    """Three candidates, each other in every field."""
    one = make_revision(subtask="issue_fix_plan", cut=2, findings=[Severity.BLOCKS_RELEASE])
    two = make_revision(
        subtask="closed_answer_en", options=(), gold=["x"], state=CandidateState.DRAFT, cut=3
    )
    three = make_revision(
        subtask="closed_plan_zh",
        cut=4,
        state=CandidateState.APPROVED,
        findings=[Severity.NOTE],
        is_control=True,
        author=make_user(),
        language="zh",
    )
    Finding.objects.filter(revision=three).update(kind="length_cue")
    return [r.candidate_id for r in (one, two, three)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("subtask=issue_fix_plan", [0]),
        ("subtask=issue_fix_plan&subtask=closed_plan_zh", [0, 2]),
        ("scenario=closed_qa", [1, 2]),
        ("ability=plan", [0, 2]),
        ("scenario=closed_qa&ability=plan", [2]),
        ("state=draft&state=approved", [1, 2]),
        ("language=zh", [2]),
        ("source_kind=swe_smith", [0, 1, 2]),
        ("source_kind=swe_agent", []),
        ("success=confirmed", [0, 1, 2]),
        ("success=unconfirmed", []),
        ("cut=3", [1]),
        ("cut_from=3", [1, 2]),
        ("cut_to=3&cut_from=3", [1]),
        ("is_control=true", [2]),
        ("is_control=false", [0, 1]),
        ("is_edited=true", [2]),
        ("is_edited=false", [0, 1]),
        ("revision_from=1", [0, 1, 2]),
        ("revision_from=2", []),
        ("finding=length_cue", [2]),
        ("severity_from=1", [0, 2]),
        ("severity_from=2", [0]),
        ("has_findings=true", [0, 2]),
        ("has_findings=false", [1]),
        ("created_from=2020-01-01", [0, 1, 2]),
        ("created_to=2020-01-01", []),
    ],
)
def test_candidates_are_filtered_by_every_field(lead_api, several, query, expected):
    for candidate in several:
        lead_api.post(f"candidates/{candidate}/open")
    assert ids(lead_api.get(f"candidates?{query}")) == [several[i] for i in expected]


def test_candidates_are_filtered_by_their_source(lead_api, several):
    source = Candidate.objects.get(pk=several[1]).source
    assert ids(lead_api.get("candidates", source=source.pk)) == [several[1]]
    assert ids(lead_api.get("candidates", cluster=source.cluster)) == [several[1]]


@pytest.mark.parametrize(
    "query",
    [
        "state=nonsense",
        "is_control=yes",
        "is_control=",
        "cut=x",
        "cut=-1",
        "cut=9223372036854775808",
        "created_from=yesterday",
        "created_from=0000-00-00",
        "severity_from=1e3",
        "subtask=",
    ],
)
def test_wrong_value_of_a_filter_is_refused_by_name(lead_api, query):
    answer = lead_api.get(f"candidates?{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == query.split("=")[0]


def test_list_costs_a_fixed_number_of_queries(lead_api, django_assert_num_queries):
    for _ in range(5):
        make_revision(findings=[Severity.NOTE])
    lead_api.get("me")
    with django_assert_num_queries(2):  # token with person, candidates
        lead_api.get("candidates")


def test_candidate_is_read_whole_once_the_lead_cannot_review_it_any_more(lead_api):
    revision = make_revision(findings=[Severity.NOTE])
    address = f"candidates/{revision.candidate_id}"
    answer = lead_api.get(address)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_opened")
    assert lead_api.post(f"{address}/open").status_code == 204
    whole = lead_api.get(address).json()
    assert whole["revision"] == 1
    assert [o["text"] for o in whole["revisions"][0]["options"] if o["is_gold"]] == [
        "Fix the kiln."
    ]
    assert whole["revisions"][0]["findings"][0]["kind"] == "outcome"
    assert lead_api.post("next").json()["item"] is None


def test_own_turn_keeps_a_lead_from_the_whole_item_and_its_source(lead_api, lea):
    turn = make_assignment(revision=make_revision(), reviewer=lea, now=timezone.now())
    candidate = turn.revision.candidate
    for path in (
        f"candidates/{candidate.pk}",
        f"sources/{candidate.source_id}",
        f"sources/{candidate.source_id}/steps",
    ):
        answer = lead_api.get(path)
        assert (answer.status_code, answer.json()["code"]) == (409, "own_turn_open")
    assert lead_api.post(f"candidates/{candidate.pk}/open").status_code == 409


def test_filters_by_findings_tell_nothing_of_what_the_lead_may_still_review(lead_api):
    hidden = make_revision(findings=[Severity.NEEDS_PERSON])
    settled = make_revision(findings=[Severity.NOTE], state=CandidateState.APPROVED)
    bare = make_revision(state=CandidateState.APPROVED)
    for query, expected in [
        ("finding=outcome", [settled]),
        ("severity_from=1", [settled]),
        ("severity_from=2", []),
        ("has_findings=true", [settled]),
        ("has_findings=false", [bare]),
    ]:
        expected_ids = [revision.candidate_id for revision in expected]
        assert ids(lead_api.get(f"candidates?{query}")) == expected_ids, query
    lead_api.post(f"candidates/{hidden.candidate_id}/open")
    assert ids(lead_api.get("candidates?severity_from=2")) == [hidden.candidate_id]


def test_sources_and_their_steps(lead_api):
    source = make_source(steps=5)
    rows = lead_api.get("sources", kind="swe_smith").json()["results"]
    assert [row["id"] for row in rows] == [source.pk]
    whole = lead_api.get(f"sources/{source.pk}").json()
    assert (whole["steps"], whole["task"]) == (5, source.task.body)
    steps = lead_api.get(f"sources/{source.pk}/steps", after=2, limit=2).json()
    assert [step["number"] for step in steps["results"]] == [3, 4]
    assert steps["results"][0]["arguments"] == {"command": "cat part3.py"}
    assert lead_api.get(f"sources/{source.pk}/steps?after=4").json()["next"] is None


def test_reviews_are_ones_own_and_for_leads_those_of_opened_items(api, ann, bea, lead_api):
    revision = make_revision()
    mine = review_by(ann, revision)
    others = review_by(bea, make_revision())
    assert ids(api.get("reviews")) == [mine.pk]
    assert ids(lead_api.get("reviews")) == []
    lead_api.post(f"candidates/{revision.candidate_id}/open")
    rows = lead_api.get("reviews").json()["results"]
    assert [row["id"] for row in rows] == [mine.pk]
    assert rows[0]["reviewer"] == f"reviewer-{ann.pk}"
    assert others.pk not in ids(api.get("reviews"))


def test_verdicts_go_by_the_labels_of_who_reads_them(api, ann):
    review = review_by(ann, make_revision())
    row = api.get("reviews").json()["results"][0]
    turn = review.assignment
    assert row["options"] == [
        {"label": label, "verdict": "valid"}
        for label in sorted(label_at(turn, position) for position in (1, 2, 3))
    ]
    assert row["answer"]["labels"] == [label_at(turn, 0)]


def test_reviewers_learn_nothing_of_control_items(api, ann):
    review_by(ann, make_revision())
    assert api.get("reviews").json()["results"][0]["purpose"] is None
    assert api.get("reviews", purpose="control").status_code == 422


def test_names_stay_hidden_while_a_dispute_is_open(ann, bea, lead_api):
    from tests.make import rejecting

    revision = make_revision()
    review_by(ann, revision)
    review_by(bea, revision, answers=rejecting(revision))
    assert {row["reviewer"] for row in lead_api.get("reviews").json()["results"]} == {None}


def test_findings_are_seen_by_those_who_have_answered(api, ann, lead_api):
    revision = make_revision(findings=[Severity.NOTE, Severity.BLOCKS_RELEASE])
    turn = make_assignment(revision=revision, reviewer=ann, now=timezone.now())
    assert ids(api.get("findings")) == []
    blind(turn, now=timezone.now())
    assert len(ids(api.get("findings"))) == 2
    assert len(ids(api.get("findings", severity_from=2))) == 1
    assert ids(lead_api.get("findings")) == []


def test_annotators_are_refused_what_is_for_leads(api):
    revision = make_revision()
    for path in (
        "sources",
        f"sources/{revision.candidate.source_id}",
        f"sources/{revision.candidate.source_id}/steps",
        "candidates",
        f"candidates/{revision.candidate_id}",
        "agreement",
        "disputes",
        f"disputes/{revision.pk}",
        "releases",
        "releases/1.0",
        "releases/1.0/items",
        "releases/1.0/files/manifest.json",
    ):
        answer = api.get(path)
        assert (answer.status_code, answer.json()["detail"]) == (403, "Only leads may do this.")
    assert api.post(f"candidates/{revision.candidate_id}/open").status_code == 403
    assert api.post(f"disputes/{revision.pk}/decision", {}).status_code == 403


def test_admins_may_what_leads_may(db):
    assert Caller(make_user(Role.ADMIN)).get("candidates").status_code == 200
    assert not Review.objects.exists()
