"""A lead settles a dispute once, or returns it; a return begins a new round of reviews."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import AuditEvent, Candidate, CandidateState, Finding
from review.core.consensus import Cause
from review.core.dispute import disagreement
from review.models import Adjudication, FindingVerdict, Review, Role
from review.services.dispute_list import open_disputes
from review.services.disputes import (
    AlreadyDecided,
    NotDisputed,
    Ruling,
    RulingRefused,
    adjudicate,
    asked_of_lead,
)
from review.services.overturned import overturned_reviewers
from review.services.places import taken_places
from review.services.project import reviews_wanted
from review.services.queue import claim_next
from review.services.release_contents import Standing, approved_revisions, entries, objections
from review.services.settlement import counted_reviews, vote_of
from review.services.votes import independent_reviews
from tests.make import (
    NOW,
    approving,
    blind,
    later,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
    submit,
)

pytestmark = pytest.mark.django_db

APPROVE = Ruling("approve", "Gold is right: the diff says so.")
REJECT = Ruling("reject", "Two options are right.", reject_reason="multiple_correct")
RETURN = Ruling("return", "Both misread the task: look again.")


def dispute(revision=None, **fields):
    """Return a revision that one person approves and another rejects."""
    revision = revision or make_revision(**fields)
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    return revision


def lead():
    return make_user(Role.LEAD)


def state_of(revision):
    revision.candidate.refresh_from_db()
    return revision.candidate.state


def decide(revision, ruling, *, by=None, seen=None):
    seen = reviews_seen(revision) if seen is None else seen
    return adjudicate(revision=revision, lead=by or lead(), ruling=ruling, seen=seen)


def refusal(revision, ruling):
    with pytest.raises(RulingRefused) as refused:
        decide(revision, ruling)
    assert not Adjudication.objects.exists()
    assert state_of(revision) == CandidateState.DISPUTED
    return refused.value.problems


@pytest.mark.parametrize(
    ("ruling", "state"),
    [
        (APPROVE, CandidateState.APPROVED),
        (REJECT, CandidateState.REJECTED),
        (RETURN, CandidateState.IN_REVIEW),
    ],
)
def test_decision_gives_the_candidate_its_state(ruling, state):
    revision = dispute()
    decision = decide(revision, ruling)
    assert state_of(revision) == state
    assert (decision.outcome, decision.note) == (ruling.outcome, ruling.note)
    assert decision.reject_reason == ruling.reject_reason


def test_decision_leaves_a_trail_that_names_the_lead():
    by = lead()
    decide(dispute(), APPROVE, by=by)
    trail = AuditEvent.objects.filter(actor=by).order_by("pk")
    assert [event.action for event in trail] == ["dispute.decided", "candidate.settled"]


@pytest.mark.parametrize("state", [s for s in CandidateState if s != CandidateState.DISPUTED])
def test_only_a_dispute_can_be_decided(state):
    with pytest.raises(NotDisputed):
        decide(make_revision(state=state), APPROVE)


def test_superseded_revision_can_not_be_decided():
    revision = dispute()
    revision.superseded_at = NOW
    revision.save()
    with pytest.raises(NotDisputed):
        decide(revision, APPROVE)


def test_second_lead_is_told_who_decided():
    revision, first = dispute(), lead()
    decision = decide(revision, APPROVE, by=first)
    with pytest.raises(AlreadyDecided, match=f"{first.username} decided at .*: approve") as late:
        decide(revision, REJECT)
    assert late.value.adjudication == decision
    assert state_of(revision) == CandidateState.APPROVED


def test_decision_on_reviews_that_count_no_more_is_refused():
    revision, first = dispute(), lead()
    seen = reviews_seen(revision)
    returned = decide(revision, RETURN, by=first)
    dispute(revision)
    with pytest.raises(AlreadyDecided) as late:
        decide(revision, APPROVE, seen=seen)
    assert late.value.adjudication == returned
    assert decide(revision, APPROVE).outcome == "approve"


@pytest.mark.django_db(transaction=True)
def test_leads_who_decide_at_once_settle_it_once():
    leads = [lead() for _ in range(4)]
    start = Barrier(len(leads))

    def decide_at_once(by):
        start.wait()
        try:
            return adjudicate(revision=revision, lead=by, ruling=APPROVE, seen=seen)
        except AlreadyDecided as late:
            return late.adjudication
        finally:
            connection.close()

    for _ in range(10):
        revision = dispute()
        seen = reviews_seen(revision)
        with ThreadPoolExecutor(len(leads)) as pool:
            found = set(pool.map(decide_at_once, leads))
        assert found == {Adjudication.objects.get(revision=revision)}


def test_note_is_required():
    assert list(refusal(dispute(), Ruling("approve", " \n"))) == ["note"]


@pytest.mark.parametrize("outcome", ["", "edit", "delete"])
def test_outcome_must_be_one_that_is_offered(outcome):
    assert list(refusal(dispute(), Ruling(outcome, "why"))) == ["outcome"]


@pytest.mark.parametrize("reason", ["", "ugly"])
def test_rejection_needs_a_known_reason(reason):
    assert list(refusal(dispute(), Ruling("reject", "why", reject_reason=reason))) == [
        "reject_reason"
    ]


def test_reason_chosen_and_not_used_is_not_stored():
    decision = decide(dispute(), Ruling("approve", "fine", reject_reason="leak"))
    assert decision.reject_reason == ""


def test_nul_in_a_note_is_stored_as_its_picture():
    assert decide(dispute(), Ruling("approve", "a\x00b")).note == "a␀b"


def confirmed_by_one():
    """Return a disputed revision with a blocking finding that one of two confirms."""
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    finding = revision.findings.get().pk
    review_by(make_user(), revision)
    seen = {finding: ("confirmed", "it is there")}
    review_by(make_user(), revision, answers=rejecting(revision, finding_verdicts=seen))
    return revision, finding


@pytest.mark.parametrize(
    "said", [("", ""), ("dismissed", " "), ("confirmed", "yes"), ("what", "yes")]
)
def test_approval_needs_a_word_on_each_unsettled_blocking_finding(said):
    revision, finding = confirmed_by_one()
    ruling = Ruling("approve", "fine", finding_verdicts={finding: said} if said[0] else {})
    assert list(refusal(revision, ruling)) == [f"finding_{finding}"]


def test_dismissal_by_the_lead_is_kept_and_outweighs_the_reviewers():
    revision, finding = confirmed_by_one()
    word = {finding: ("dismissed", "the name of a file")}
    decision = decide(revision, Ruling("approve", "fine", finding_verdicts=word))
    stored = FindingVerdict.objects.get(adjudication=decision)
    assert (stored.verdict, stored.word, stored.review) == (
        "dismissed",
        "the name of a file",
        None,
    )
    assert objections_to(revision) == []


def test_finding_that_all_dismiss_needs_no_word():
    assert decide(dispute(findings=[Severity.BLOCKS_RELEASE]), APPROVE).outcome == "approve"


def test_finding_that_all_dismiss_and_the_lead_confirms_can_not_be_approved():
    revision = dispute(findings=[Severity.BLOCKS_RELEASE])
    word = {revision.findings.get().pk: ("confirmed", "it is the answer")}
    assert refusal(revision, Ruling("approve", "fine", finding_verdicts=word))


def test_rejection_may_leave_findings_open():
    revision, _finding = confirmed_by_one()
    assert decide(revision, REJECT).outcome == "reject"


def test_return_takes_no_verdict_on_findings():
    revision, finding = confirmed_by_one()
    word = {finding: ("dismissed", "harmless")}
    ruling = Ruling("return", "again", finding_verdicts=word)
    assert list(refusal(revision, ruling)) == [f"finding_{finding}"]


def test_finding_of_another_revision_is_not_stored():
    other = make_revision(findings=[Severity.NOTE]).findings.get()
    decide(dispute(), Ruling("approve", "fine", finding_verdicts={other.pk: ("dismissed", "x")}))
    assert not other.verdicts.exists()


def test_run_of_unknown_success_is_approved_only_by_a_lead_who_sees_it():
    revision = dispute(success=Success.UNCONFIRMED)
    assert list(refusal(revision, APPROVE)) == ["sees_success"]
    by = lead()
    decide(revision, Ruling("approve", "the tests pass", sees_success=True), by=by)
    revision.candidate.source.refresh_from_db()
    assert revision.candidate.source.success == Success.CONFIRMED
    assert AuditEvent.objects.get(action="source.confirmed").actor == by


def test_rejection_confirms_no_run():
    revision = dispute(success=Success.UNCONFIRMED)
    decide(revision, Ruling("reject", "no", reject_reason="leak", sees_success=True))
    revision.candidate.source.refresh_from_db()
    assert revision.candidate.source.success == Success.UNCONFIRMED


def objections_to(revision):
    revisions = approved_revisions(())
    (entry,) = entries(revisions)
    assert entry.revision == revision
    return list(objections(entry, Standing.of(revisions)))


def test_item_that_a_lead_approved_may_be_frozen():
    revision = dispute()
    decide(revision, APPROVE)
    assert objections_to(revision) == []


def test_returned_item_has_all_its_places_again():
    revision = dispute()
    decide(revision, RETURN)
    assert len(taken_places(revision.pk, now=NOW)) == 0
    assert counted_reviews([revision.pk]) == {revision.pk: []}
    turns = [claim_next(reviewer=make_user(), now=NOW) for _ in range(3)]
    assert [turn.revision if turn else None for turn in turns] == [revision, revision, None]


def test_returned_item_goes_to_nobody_who_had_it():
    revision = make_revision()
    had = [make_user(), make_user()]
    review_by(had[0], revision)
    review_by(had[1], revision, answers=rejecting(revision))
    decide(revision, RETURN)
    assert [claim_next(reviewer=user, now=NOW) for user in had] == [None, None]


def test_returned_item_goes_to_no_lead_since_leads_could_read_the_reviews():
    revision, other = dispute(), make_revision()
    decide(revision, RETURN)
    turn = claim_next(reviewer=lead(), now=NOW)
    assert turn is not None
    assert turn.revision == other


def test_new_round_alone_settles_a_returned_item():
    revision = dispute()
    decide(revision, RETURN)
    review_by(make_user(), revision)
    assert state_of(revision) == CandidateState.IN_REVIEW
    review_by(make_user(), revision)
    assert state_of(revision) == CandidateState.APPROVED
    assert len(counted_reviews([revision.pk])[revision.pk]) == reviews_wanted("issue_fix_plan")
    assert Review.objects.filter(is_counted=True).count() == 4
    assert objections_to(revision) == []


def test_finding_confirmed_in_the_round_before_does_not_block_the_release():
    revision, _finding = confirmed_by_one()
    decide(revision, RETURN)
    for _ in range(2):
        review_by(make_user(), revision)
    assert objections_to(revision) == []


def test_returned_item_may_be_disputed_and_returned_again():
    revision = dispute()
    decide(revision, RETURN)
    dispute(revision)
    assert state_of(revision) == CandidateState.DISPUTED
    decide(revision, RETURN)
    dispute(revision)
    assert decide(revision, REJECT).outcome == "reject"


def test_agreement_keeps_the_reviews_of_a_returned_round():
    revision = dispute()
    decide(revision, RETURN)
    dispute(revision)
    assert independent_reviews().count() == 4


def test_open_disputes_are_listed_oldest_first_with_their_cause():
    differ = dispute()
    missed = make_revision()
    for _ in range(2):
        review_by(make_user(), missed, right=False)
    settled = dispute()
    decide(settled, APPROVE)
    listed = [(found.revision, found.kind) for found in open_disputes()]
    assert listed == [
        (differ.pk, Cause.DECISIONS),
        (missed.pk, Cause.BLIND_ANSWERS),
    ]


def test_listed_line_counts_only_the_round_that_is_on():
    revision = dispute()
    decide(revision, RETURN)
    for _ in range(2):
        review_by(make_user(), revision, right=False)
    (listed,) = open_disputes()
    assert listed.about.line == "All 2 approve, but only 0 of 2 blind answers match gold."
    assert listed.returned == 1


def test_counts_of_the_database_say_of_each_dispute_what_its_votes_say_one_by_one():
    two = [Severity.BLOCKS_RELEASE, Severity.BLOCKS_RELEASE, Severity.NOTE]
    returned, edited = dispute(), make_revision()
    decide(returned, RETURN)
    for right in (True, False):
        review_by(make_user(), returned, right=right)
    review_by(make_user(), edited)
    review_by(make_user(), edited, answers=rejecting(edited), right=False)
    Review.objects.filter(assignment__revision=edited, decision="approve").update(decision="edit")
    seen_later, unseen = make_revision(), dispute()
    meant = make_completion(subtask="closed_answer_en", gold="1871")
    for _ in range(2):
        review_by(make_user(), seen_later)
        review_by(make_user(), meant, answers=approving(meant, same_meaning=True), right=False)
    for digest in "ab":
        Finding.objects.create(
            revision=seen_later,
            kind="leak",
            severity=Severity.BLOCKS_RELEASE,
            field="prompt",
            evidence="it",
            digest=digest * 64,
        )
    for review in Review.objects.filter(assignment__revision=seen_later):
        FindingVerdict.objects.create(
            review=review, finding=seen_later.findings.order_by("pk")[0], verdict="dismissed"
        )
    Review.objects.filter(assignment__revision=unseen).update(
        decision="approve", reject_reason="", source_is_success=False
    )
    revisions = [returned, edited, seen_later, meant, unseen, dispute(findings=two)]
    revisions += [confirmed_by_one()[0], make_revision(findings=two)]  # the last without votes
    Candidate.objects.update(state=CandidateState.DISPUTED)
    listed = {found.revision: found for found in open_disputes()}
    assert listed.keys() == {revision.pk for revision in revisions}
    causes = set()
    for revision in revisions:
        reviews = counted_reviews([revision.pk])[revision.pk]
        blocks = asked_of_lead(revision, reviews).blocking
        found = listed[revision.pk]
        assert found.about == disagreement([vote_of(one) for one in reviews], blocking=blocks)
        assert found.last_review == max((one.pk for one in reviews), default=0)
        causes.add(found.about.cause)
    assert causes == {None, Cause.DECISIONS, Cause.FINDINGS, Cause.RUN}
    assert listed[seen_later.pk].about.values["findings"] == 1
    assert listed[meant.pk].about.values["matched"] == 2


def test_list_costs_four_queries_however_many_disputes(django_assert_num_queries):
    for _ in range(3):
        dispute(findings=[Severity.BLOCKS_RELEASE])
    with django_assert_num_queries(4):
        assert len(open_disputes()) == 3


def test_reviewers_are_overturned_only_by_decisions_that_settle():
    ann, ben = make_user(username="ann"), make_user(username="ben")
    for ruling in (APPROVE, REJECT, APPROVE, RETURN):
        revision = make_revision()
        review_by(ann, revision)
        review_by(ben, revision, answers=rejecting(revision))
        decide(revision, ruling)
    rows = [(row.reviewer, row.settled, row.against) for row in overturned_reviewers()]
    assert rows == [("ann", 3, 1), ("ben", 3, 2)]


def test_round_before_a_return_is_overturned_by_nobody():
    revision = dispute()
    decide(revision, RETURN)
    carla, dora = make_user(username="carla"), make_user(username="dora")
    review_by(carla, revision)
    review_by(dora, revision, answers=rejecting(revision))
    decide(revision, APPROVE)
    rows = [(row.reviewer, row.settled, row.against) for row in overturned_reviewers()]
    assert rows == [("carla", 1, 0), ("dora", 1, 1)]


def test_late_review_of_a_lead_who_could_read_the_others_does_not_count():
    late, revision = lead(), make_revision()
    turn = make_assignment(revision=revision, reviewer=late, now=later(-60))
    blind(turn, now=later(-60))
    dispute(revision)
    decide(revision, RETURN)
    assert not submit(turn).is_counted
    assert len(taken_places(revision.pk, now=NOW)) == 0


def test_late_review_of_an_annotator_counts_in_the_new_round():
    revision = make_revision()
    turn = make_assignment(revision=revision, now=later(-60))
    blind(turn, now=later(-60))
    dispute(revision)
    decide(revision, RETURN)
    assert submit(turn).is_counted
