"""Leads act on many items at once: foreseen, done once, told of, and put back as they were."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from generation.models import AuditEvent, Candidate, CandidateState, Finding
from generation.services.checks import run_checks
from review.models import (
    Adjudication,
    Assignment,
    BulkAction,
    BulkItem,
    BulkKind,
    BulkOutcome,
    Project,
    ReleaseItem,
    ReturnedEdit,
    Review,
    Role,
)
from review.services import bulk_actions, bulk_giving, bulk_obstacles, bulk_reads
from review.services.assigning import CANNOT_JUDGE, REVIEWED, WROTE, NoFreePlace, NotInReview
from review.services.bulk_undo import BEGUN, CHANGED
from review.services.drafts import save_draft
from review.services.item_access import give_up_review
from review.services.project import change_project
from review.services.queue import claim_next
from review.services.reviews import submit_review
from review.services.settlement import move
from tests.make import (
    approving,
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_source,
    make_user,
    rejecting,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db
STATES = CandidateState
GIVEN = {"note": "The source is not free.", "reason": "contaminated"}


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lea")


def chosen(*revisions):
    return Candidate.objects.filter(pk__in=[revision.candidate_id for revision in revisions])


def act(lead, kind, *revisions, rows=None, **asked):
    """Begin an action on the items of these revisions, or on ``rows``, and do it."""
    rows = chosen(*revisions) if rows is None else rows
    bulk = bulk_actions.begin(
        lead=lead,
        kind=kind,
        rows=rows,
        expected=rows.count(),
        asked=GIVEN | asked,
        form_key=uuid4(),
    )
    bulk_actions.run(bulk.pk)
    return bulk


def undo(bulk, lead):
    bulk_actions.ask_for_undo(bulk=bulk, lead=lead, now=timezone.now())
    bulk_actions.run(bulk.pk)


def state(revision):
    return Candidate.objects.get(pk=revision.candidate_id).state


def whys(bulk, outcome=BulkOutcome.LEFT):
    return dict(bulk_reads.whys(bulk, outcome))


def foreseen(lead, kind, *revisions, with_held=False):
    found = bulk_obstacles.obstacles(kind, lead=lead, with_held=with_held, now=timezone.now())
    return bulk_obstacles.foresee(chosen(*revisions), found)


def disputed():
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    assert state(revision) == STATES.DISPUTED
    return revision


def approved():
    revision = make_revision()
    for _ in range(2):
        review_by(make_user(), revision)
    assert state(revision) == STATES.APPROVED
    return revision


def test_withdrawn_items_leave_the_queue_and_come_back_by_undo(lead):
    some, ann = [make_revision() for _ in range(3)], make_user()
    settled = approved()
    bulk = act(lead, BulkKind.WITHDRAW, *some, settled)
    assert [state(revision) for revision in some] == [STATES.CHECKED] * 3
    assert state(settled) == STATES.APPROVED
    assert whys(bulk) == {bulk_obstacles.NOT_IN_REVIEW: 1}
    assert claim_next(reviewer=ann, now=timezone.now()) is None
    undo(bulk, lead)
    assert [state(revision) for revision in some] == [STATES.IN_REVIEW] * 3
    assert claim_next(reviewer=ann, now=timezone.now())


def test_every_item_has_one_entry_in_the_trail_with_the_action_and_the_lead_s_words(lead):
    some = [make_revision() for _ in range(3)]
    bulk = act(lead, BulkKind.REJECT, *some)
    for revision in some:
        event = AuditEvent.objects.get(subject="candidate", subject_id=revision.candidate_id)
        assert (event.action, event.actor) == ("candidate.rejected_by_lead", lead)
        told = f"bulk action {bulk.pk}: contaminated: The source is not free."
        assert event.detail == told


def test_what_is_foreseen_is_what_is_done(lead):
    free, held, control = make_revision(), make_revision(), make_revision(is_control=True)
    make_assignment(revision=held, now=timezone.now())
    settled, draft = approved(), make_revision(state=STATES.DRAFT)
    every = free, held, control, settled, draft
    for kind in BulkKind:
        before = foreseen(lead, kind, *every)
        assert before.items == 5
        if kind == BulkKind.GIVE:
            continue
        bulk = act(lead, kind, *every)
        assert whys(bulk) == before.left
        assert bulk_reads.counts(bulk).get(BulkOutcome.CHANGED, 0) == before.changes
        if bulk_reads.can_undo(bulk):
            undo(bulk, lead)


def test_an_item_that_somebody_reviews_is_left_unless_it_is_meant_too(lead):
    revision = make_revision()
    turn = make_assignment(revision=revision, now=timezone.now())
    blind(turn, now=timezone.now())
    assert foreseen(lead, BulkKind.WITHDRAW, revision).left == {bulk_obstacles.HELD: 1}
    bulk = act(lead, BulkKind.WITHDRAW, revision)
    assert whys(bulk) == {bulk_obstacles.HELD: 1}
    assert state(revision) == STATES.IN_REVIEW
    act(lead, BulkKind.WITHDRAW, revision, with_held=True)
    assert state(revision) == STATES.CHECKED
    review = submit(turn, now=timezone.now())
    assert not review.is_counted


def test_items_outside_the_queue_are_sent_to_review_but_not_those_with_their_author(lead):
    waiting, author = make_revision(state=STATES.CHECKED), make_user()
    given_back = make_revision(state=STATES.CHECKED, author=author)
    ReturnedEdit.objects.create(revision=given_back, returned_by=lead, comment="Again.")
    bulk = act(lead, BulkKind.QUEUE, waiting, given_back)
    assert state(waiting) == STATES.IN_REVIEW
    assert whys(bulk) == {bulk_obstacles.WITH_ITS_AUTHOR: 1}
    undo(bulk, lead)
    assert state(waiting) == STATES.CHECKED


def test_checks_do_not_send_back_what_a_lead_withdrew(lead):
    revision = make_completion()
    act(lead, BulkKind.WITHDRAW, revision)
    run_checks()
    assert state(revision) == STATES.CHECKED


def test_an_item_with_all_its_reviews_is_settled_when_it_is_sent_to_review(lead):
    revision, first = make_revision(), make_user()
    review_by(first, revision)
    bulk = act(lead, BulkKind.WITHDRAW, revision)
    Project.objects.update_or_create(pk=1, defaults={"reviews_wanted": 1})
    undo(bulk, lead)
    assert state(revision) == STATES.APPROVED


@pytest.mark.parametrize("make", [disputed, approved])
def test_a_returned_item_begins_a_new_round_and_undo_brings_the_old_one_back(lead, make):
    revision = make()
    before = state(revision)
    bulk = act(lead, BulkKind.RETURN, revision)
    assert state(revision) == STATES.IN_REVIEW
    assert Adjudication.objects.get().outcome == "return"
    assert claim_next(reviewer=make_user(), now=timezone.now())
    # Whoever took it has begun the new round: no undo takes it from them.
    undo(bulk, lead)
    assert whys(bulk, BulkOutcome.KEPT) == {BEGUN: 1}
    other = make()
    again = act(lead, BulkKind.RETURN, other)
    undo(again, lead)
    assert state(other) == before
    assert not Adjudication.objects.filter(revision=other).exists()


def test_what_a_lead_decided_or_a_release_holds_is_not_returned(lead, django_user_model):
    decided, held = disputed(), disputed()
    Adjudication.objects.create(revision=decided, lead=lead, outcome="approve", note="Plain.")
    make_assignment(revision=held, reviewer=lead, now=timezone.now())
    found = foreseen(lead, BulkKind.RETURN, decided, held, make_revision())
    assert found.left == {
        bulk_obstacles.DECIDED: 1,
        bulk_obstacles.OWN_TURN: 1,
        bulk_obstacles.NOT_SETTLED: 1,
    }
    assert not ReleaseItem.objects.exists()


def test_undo_puts_back_exactly_those_that_nobody_changed_since(lead):
    some = [make_revision() for _ in range(4)]
    bulk = act(lead, BulkKind.REJECT, *some)
    candidate = Candidate.objects.get(pk=some[1].candidate_id)
    move(candidate, STATES.IN_REVIEW, action="candidate.reopened", why="by hand", actor=lead)
    again = Candidate.objects.get(pk=some[2].candidate_id)
    for to in (STATES.IN_REVIEW, STATES.REJECTED):
        move(again, to, action="candidate.moved", why="there and back", actor=lead)
    undo(bulk, lead)
    assert [state(revision) for revision in some] == [
        STATES.IN_REVIEW,
        STATES.IN_REVIEW,
        STATES.REJECTED,
        STATES.IN_REVIEW,
    ]
    kept = BulkItem.objects.filter(bulk=bulk, outcome=BulkOutcome.KEPT)
    assert {item.candidate_id for item in kept} == {some[1].candidate_id, some[2].candidate_id}
    assert whys(bulk, BulkOutcome.KEPT) == {CHANGED: 2}


def test_the_same_form_twice_is_one_action_and_the_same_undo_once(lead):
    revision, key = make_revision(), uuid4()
    rows = chosen(revision)
    asked = {"lead": lead, "kind": BulkKind.WITHDRAW, "rows": rows, "expected": 1}
    first, second = (bulk_actions.begin(**asked, asked=GIVEN, form_key=key) for _ in range(2))
    assert first == second
    for _ in range(2):
        bulk_actions.run(first.pk)
    for _ in range(2):
        undo(first, lead)
    trail = AuditEvent.objects.filter(subject="candidate", subject_id=revision.candidate_id)
    assert [e.action for e in trail.order_by("pk")] == ["candidate.withdrawn", "candidate.put_back"]


def test_an_undo_stops_what_is_left(lead, monkeypatch):
    monkeypatch.setattr(bulk_actions, "_USUALLY_AT_A_TIME", 2)
    some = [make_revision() for _ in range(5)]
    rows = chosen(*some)
    bulk = bulk_actions.begin(
        lead=lead,
        kind=BulkKind.WITHDRAW,
        rows=rows,
        expected=5,
        asked=GIVEN,
        form_key=uuid4(),
    )
    assert bulk_actions._do_some(bulk.pk)
    undo(bulk, lead)
    assert {state(revision) for revision in some} == {STATES.IN_REVIEW}
    assert bulk_reads.counts(bulk) == {BulkOutcome.UNDONE: 2, BulkOutcome.LEFT: 3}
    assert whys(bulk) == {bulk_actions.STOPPED: 3}


def test_what_is_killed_midway_goes_on_where_it_was(lead, monkeypatch):
    monkeypatch.setattr(bulk_actions, "_USUALLY_AT_A_TIME", 2)
    rows = chosen(*[make_revision() for _ in range(5)])
    bulk = bulk_actions.begin(
        lead=lead, kind=BulkKind.REJECT, rows=rows, expected=5, asked=GIVEN, form_key=uuid4()
    )
    bulk_actions._do_some(bulk.pk)
    later = timezone.now() + 2 * bulk_reads._SILENCE
    assert bulk_reads.unfinished(now=timezone.now()) == []
    assert bulk_reads.unfinished(now=later) == [bulk.pk]
    bulk_actions.run(bulk.pk)
    assert bulk_reads.counts(bulk) == {BulkOutcome.CHANGED: 5}
    assert bulk_reads.unfinished(now=later) == []
    assert AuditEvent.objects.filter(action="candidate.rejected_by_lead").count() == 5


@pytest.mark.parametrize(
    ("kind", "changes", "field"),
    [
        (BulkKind.REJECT, {"reason": "because"}, "reason"),
        (BulkKind.REJECT, {"note": "  "}, "note"),
        (BulkKind.WITHDRAW, {"note": ""}, "note"),
        (BulkKind.RETURN, {"note": ""}, "note"),
        (BulkKind.GIVE, {"to": "person:nobody"}, "to"),
        (BulkKind.GIVE, {"to": ""}, "to"),
        (BulkKind.GIVE, {"to": "person:no\0body"}, "to"),
    ],
)
def test_what_is_missing_is_named_and_nothing_begins(lead, kind, changes, field):
    with pytest.raises(bulk_actions.BulkRefused) as refused:
        act(lead, kind, make_revision(), **changes)
    assert list(refused.value.problems) == [field]
    assert not BulkAction.objects.exists()


def test_another_number_of_items_than_was_shown_is_refused(lead):
    make_revision()
    rows = Candidate.objects.all()
    with pytest.raises(bulk_actions.SelectionChanged) as changed:
        bulk_actions.begin(
            lead=lead,
            kind=BulkKind.WITHDRAW,
            rows=rows,
            expected=2,
            asked=GIVEN,
            form_key=uuid4(),
        )
    assert changed.value.now == 1


def test_items_are_given_to_one_person_as_far_as_they_may_take_them(lead):
    ines = make_user(username="ines")
    free, done, own = make_revision(), make_revision(), make_revision(author=ines)
    review_by(ines, done)
    full, other = make_revision(), approved()
    for _ in range(2):
        make_assignment(revision=full, now=timezone.now())
    bulk = act(lead, BulkKind.GIVE, free, done, own, full, other, to="person:ines")
    assert whys(bulk) == {REVIEWED: 1, WROTE: 1, NoFreePlace.why: 1, NotInReview.why: 1}
    turn = claim_next(reviewer=ines, now=timezone.now())
    assert turn
    assert (turn.revision, turn.assigned_by) == (free, lead)


def test_items_are_spread_evenly_over_those_who_can_judge_them(lead):
    people = [make_user(username=name) for name in ("ines", "tomas")]
    zoe = make_user(username="zoe")
    zoe.profile.languages = ["zh"]
    zoe.profile.save()
    some = [make_revision() for _ in range(6)]
    act(lead, BulkKind.GIVE, *some, to="language:en")
    given = Counter(Assignment.objects.values_list("reviewer__username", flat=True))
    assert given["zoe"] == 0
    assert sorted(given.values()) == [2, 2, 2]  # the lead reviews, too
    assert {person.username for person in people} < set(given)
    bulk = act(lead, BulkKind.GIVE, make_revision(), to="person:zoe")
    assert whys(bulk) == {CANNOT_JUDGE: 1}


def test_turns_that_were_given_and_not_begun_are_taken_back(lead):
    ines = make_user(username="ines")
    some = [make_revision() for _ in range(2)]
    bulk = act(lead, BulkKind.GIVE, *some, to="person:ines")
    begun = Assignment.objects.get(revision=some[0])
    save_draft(assignment=begun, draft={"answer": "A"}, now=timezone.now())
    undo(bulk, lead)
    assert whys(bulk, BulkOutcome.KEPT) == {BEGUN: 1}
    assert not Assignment.objects.filter(revision=some[1]).exists()
    begun.refresh_from_db()
    assert begun.leased_until > timezone.now()
    assert claim_next(reviewer=ines, now=timezone.now()) == begun


def test_a_turn_that_had_lapsed_before_it_was_given_lapses_again(lead):
    ines = make_user(username="ines")
    turn = make_assignment(reviewer=ines, now=timezone.now() - timedelta(days=1))
    bulk = act(lead, BulkKind.GIVE, turn.revision, to="person:ines")
    turn.refresh_from_db()
    assert turn.leased_until > timezone.now()
    undo(bulk, lead)
    turn.refresh_from_db()
    assert turn.leased_until <= timezone.now()
    assert turn.assigned_by is None


def test_what_was_foreseen_of_giving_is_what_is_given(lead):
    other_lead = make_user(Role.LEAD, username="otto")
    returned, free = disputed(), make_revision()
    act(lead, BulkKind.RETURN, returned)
    plan = bulk_giving.plan(
        chosen(returned, free), list(bulk_giving.people_meant("person:otto")), now=timezone.now()
    )
    bulk = act(lead, BulkKind.GIVE, returned, free, to="person:otto")
    assert plan.given == {free.candidate_id: other_lead.pk}
    assert Counter(plan.left.values()) == whys(bulk)


def test_checks_run_again_on_the_chosen_items_alone(lead):
    stale, other = (make_completion(findings=[2]) for _ in range(2))
    Finding.objects.create(
        revision=stale, kind="duplicate_row", severity=3, field="row", digest="d" * 64
    )
    bulk = act(lead, BulkKind.CHECK, stale)
    kinds = Finding.objects.filter(revision=stale).values_list("kind", flat=True)
    assert "outcome" not in kinds
    assert "duplicate_row" in kinds  # said beside other items, which were not looked at
    assert Finding.objects.filter(revision=other, kind="outcome").exists()
    with pytest.raises(bulk_actions.CannotUndo):
        bulk_actions.ask_for_undo(bulk=bulk, lead=lead, now=timezone.now())


def test_each_run_of_items_costs_the_same_however_many_they_are(
    lead, django_assert_max_num_queries
):
    source = make_source(steps=2)
    some = [make_revision(source=source, cut=cut) for cut in range(2, 42)]
    for few in (some[:2], some[2:]):
        bulk = bulk_actions.begin(
            lead=lead,
            kind=BulkKind.WITHDRAW,
            rows=chosen(*few),
            expected=len(few),
            asked=GIVEN,
            form_key=uuid4(),
        )
        with django_assert_max_num_queries(14):
            bulk_actions._do_some(bulk.pk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs row locks")
def test_reviews_that_come_in_meanwhile_are_kept_whoever_is_first():
    lead = make_user(Role.LEAD)
    for _ in range(8):
        some = [make_revision() for _ in range(4)]
        turns = [make_assignment(revision=revision, now=timezone.now()) for revision in some]
        for turn in turns:
            blind(turn, now=timezone.now())
        answers = [approving(turn.revision) for turn in turns]
        start = Barrier(len(turns) + 1)

        def send(number, turns=turns, answers=answers, start=start):
            start.wait()
            review = submit_review(
                assignment=turns[number],
                form_key=uuid4(),
                answers=answers[number],
                now=timezone.now(),
            )
            connection.close()
            return review

        def withdraw(some=some, start=start):
            start.wait()
            bulk = act(lead, BulkKind.WITHDRAW, *some, with_held=True)
            connection.close()
            return bulk

        with ThreadPoolExecutor(len(turns) + 1) as pool:
            sent = [pool.submit(send, number) for number in range(len(turns))]
            bulk = pool.submit(withdraw).result()
            reviews = [each.result() for each in sent]
        assert Review.objects.filter(pk__in=[review.pk for review in reviews]).count() == 4
        assert bulk_reads.counts(bulk) == {BulkOutcome.CHANGED: 4}
        undo(bulk, lead)
        assert {state(revision) for revision in some} == {STATES.IN_REVIEW}


def test_the_lead_s_own_open_item_is_no_way_around_the_queue(lead):
    revision = make_revision()
    give_up_review(lead=lead, candidate=revision.candidate, now=timezone.now())
    act(lead, BulkKind.WITHDRAW, revision)
    assert claim_next(reviewer=lead, now=timezone.now()) is None


def test_settings_that_want_fewer_reviews_settle_nothing_withdrawn(lead):
    revision = make_revision()
    review_by(make_user(), revision)
    act(lead, BulkKind.WITHDRAW, revision)
    change_project(
        actor=lead,
        reviews_wanted=1,
        overlap={},
        control_percent=0,
        qualification_items=0,
        qualification_bar=80,
    )
    assert state(revision) == STATES.CHECKED
