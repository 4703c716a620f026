"""The queue gives out exactly as many turns as are wanted, each for a limited time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from generation.core.items import Severity
from generation.models import AuditEvent, CandidateState
from review.models import Assignment, Profile, Review, Role
from review.services import leases
from review.services.assigning import assign
from review.services.blind_answers import answer_blind
from review.services.drafts import save_draft
from review.services.empty_queue import why_empty
from review.services.mixing import left_for
from review.services.queue import claim_next
from tests.make import (
    NOW,
    approving,
    blind,
    later,
    make_assignment,
    make_revision,
    make_source,
    make_user,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db


def park(turn):
    turn.parked_at = NOW
    turn.save()
    return turn


def skilled(**skills):
    reviewer = make_user()
    Profile.objects.filter(user=reviewer).update(**skills)
    return User.objects.get(pk=reviewer.pk)


def test_second_claim_gives_the_running_turn_again():
    make_revision()
    make_revision()
    reviewer = make_user()
    first = claim_next(reviewer=reviewer, now=NOW)
    assert first is not None
    assert claim_next(reviewer=reviewer, now=NOW) == first


def test_third_person_gets_the_next_item_when_two_are_at_the_first():
    first, second = make_revision(), make_revision()
    turns = [claim_next(reviewer=make_user(), now=NOW) for _ in range(3)]
    assert [turn.revision for turn in turns if turn] == [first, first, second]


def test_nobody_reviews_one_revision_twice():
    revision = make_revision()
    reviewer = make_user()
    review_by(reviewer, revision)
    assert claim_next(reviewer=reviewer, now=NOW) is None


def test_nobody_reviews_what_they_wrote():
    author = make_user()
    make_revision(author=author)
    assert claim_next(reviewer=author, now=NOW) is None


@pytest.mark.parametrize("state", [s for s in CandidateState if s != CandidateState.IN_REVIEW])
def test_only_candidates_in_review_are_given_out(state):
    make_revision(state=state)
    assert claim_next(reviewer=make_user(), now=NOW) is None


def test_superseded_revision_is_not_given_out():
    revision = make_revision()
    revision.superseded_at = NOW
    revision.save()
    assert claim_next(reviewer=make_user(), now=NOW) is None


def test_user_without_a_profile_gets_nothing(django_user_model):
    make_revision()
    assert claim_next(reviewer=django_user_model.objects.create(username="x"), now=NOW) is None


def test_ended_lease_returns_the_place_without_anyone_opening_it():
    revision = make_revision()
    make_assignment(revision=revision)
    make_assignment(revision=revision)
    newcomer = make_user()
    assert claim_next(reviewer=newcomer, now=later(29)) is None
    turn = claim_next(reviewer=newcomer, now=later(31))
    assert turn is not None
    assert turn.revision == revision


def test_own_ended_turn_comes_again_with_its_draft():
    revision = make_revision()
    turn = make_assignment(revision=revision)
    save_draft(assignment=turn, draft={"comment": "half a"}, now=NOW)
    again = claim_next(reviewer=turn.reviewer, now=later(45))
    assert again == turn
    assert again.draft == {"comment": "half a"}
    assert again.leased_until == later(75)


def test_heartbeat_renews_a_running_lease_and_not_an_ended_one():
    turn = make_assignment()
    assert leases.renew_lease(assignment=turn, now=later(20)) == later(50)
    assert leases.renew_lease(assignment=turn, now=later(51)) == later(50)


def test_heartbeat_of_a_submitted_turn_is_refused():
    turn = make_assignment()
    blind(turn)
    submit(turn)
    with pytest.raises(leases.NotYours):
        leases.renew_lease(assignment=turn, now=NOW)


def test_skipped_item_goes_to_others_and_not_back():
    revision = make_revision()
    reviewer = make_user()
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    leases.skip(assignment=turn, reason="not my language", now=NOW)
    assert claim_next(reviewer=reviewer, now=NOW) is None
    others = [claim_next(reviewer=make_user(), now=NOW) for _ in range(3)]
    assert [t.revision if t else None for t in others] == [revision, revision, None]


def test_skip_needs_a_reason():
    with pytest.raises(ValueError, match="say why"):
        leases.skip(assignment=make_assignment(), reason="  ", now=NOW)


def test_submitted_turn_can_not_be_skipped():
    turn = make_assignment()
    blind(turn)
    submit(turn)
    with pytest.raises(leases.NotYours):
        leases.skip(assignment=turn, reason="too late", now=NOW)


def test_ended_leases_are_written_down_once():
    turn = make_assignment()
    make_assignment(now=later(20))
    assert leases.end_leases(now=later(31)) == 1
    assert leases.end_leases(now=later(31)) == 0
    turn.refresh_from_db()
    assert turn.expired_at == later(30)
    assert AuditEvent.objects.filter(action="assignment.expired").count() == 1


def test_empty_queue_says_that_nothing_is_built():
    assert why_empty(reviewer=make_user(), now=NOW).reason == "nothing_built"


def test_empty_queue_says_that_all_is_done():
    make_revision(state=CandidateState.APPROVED)
    assert why_empty(reviewer=make_user(), now=NOW).reason == "all_done"


def test_empty_queue_says_until_when_others_hold_the_rest():
    revision = make_revision()
    make_assignment(revision=revision, now=later(5))
    make_assignment(revision=revision)
    empty = why_empty(reviewer=make_user(), now=NOW)
    assert (empty.reason, empty.until) == ("all_leased", later(30))


def test_empty_queue_says_that_the_rest_waits_for_others():
    reviewer = make_user()
    review_by(reviewer, make_revision())
    assert why_empty(reviewer=reviewer, now=NOW).reason == "all_mine"


def test_empty_queue_says_until_when_even_where_the_lease_is_a_leads():
    revision = make_revision()
    for _ in range(2):
        assign(lead=make_user(Role.LEAD), revision=revision, reviewer=make_user(), now=NOW)
    assert why_empty(reviewer=make_user(), now=NOW).until == NOW + timedelta(days=7)


def test_empty_queue_names_no_time_where_others_wait_for_an_answer():
    revision = make_revision()
    for _ in range(2):
        park(make_assignment(revision=revision))
    empty = why_empty(reviewer=make_user(), now=later(60))
    assert (empty.reason, empty.until) == ("all_leased", None)


def test_empty_queue_says_that_the_rest_is_not_in_the_persons_skills():
    make_revision()
    assert why_empty(reviewer=skilled(languages=["zh"]), now=NOW).reason == "not_your_skills"
    assert why_empty(reviewer=skilled(scenarios=["open_qa"]), now=NOW).reason == "not_your_skills"


def test_empty_queue_says_that_a_question_waits_for_its_answer():
    turn = park(make_assignment())
    assert why_empty(reviewer=turn.reviewer, now=NOW).reason == "waiting_for_answer"


def test_empty_queue_of_who_is_no_member_says_so(django_user_model):
    stranger = django_user_model.objects.create(username="x")
    assert why_empty(reviewer=stranger, now=NOW).reason == "no_role"


def test_control_items_alone_are_nothing_to_do():
    make_revision(is_control=True)
    assert claim_next(reviewer=make_user(), now=NOW) is None
    assert why_empty(reviewer=make_user(), now=NOW).reason == "all_done"


def test_only_items_that_the_person_can_judge_are_given():
    english = make_revision()
    chinese = make_revision(subtask="closed_plan_zh")
    open_ended = make_revision(subtask="open_plan_en")
    people = [
        skilled(languages=["zh"]),
        skilled(scenarios=["open_qa"]),
        skilled(languages=["en"], scenarios=["issue_fix"]),
    ]
    turns = [claim_next(reviewer=person, now=NOW) for person in people]
    given = [turn.revision for turn in turns if turn]
    assert given == [chinese, open_ended, english]


def test_left_counts_what_the_person_can_judge_and_has_begun():
    make_revision()
    make_revision(subtask="closed_plan_zh")
    reviewer = skilled(languages=["en"])
    assert left_for(reviewer, most=100, now=NOW).items == 1
    claim_next(reviewer=reviewer, now=NOW)
    assert left_for(reviewer, most=100, now=NOW).items == 1


def test_left_stops_counting_at_one_more_than_asked():
    source = make_source()
    for cut in range(2, 8):
        make_revision(source=source, cut=cut)
    assert left_for(make_user(), most=3, now=NOW).items == 4


def test_parked_turn_holds_its_place_and_the_person_goes_on_with_others():
    revision, following = make_revision(), make_revision()
    turn = park(make_assignment(revision=revision))
    review_by(make_user(), revision)
    given = claim_next(reviewer=turn.reviewer, now=later(60))
    assert given is not None
    assert given.revision == following
    newcomer = claim_next(reviewer=make_user(), now=later(60))
    assert newcomer is not None
    assert newcomer.revision == following


def test_parked_turn_is_never_ended_and_its_review_closes_it():
    turn = park(make_assignment())
    assert leases.end_leases(now=later(600)) == 0
    blind(turn)
    review = submit(turn, now=later(600))
    turn.refresh_from_db()
    assert (review.is_counted, turn.parked_at) == (True, None)


def test_unparked_turn_comes_again():
    turn = park(make_assignment())
    turn.parked_at, turn.leased_until = None, later(90)
    turn.save()
    assert claim_next(reviewer=turn.reviewer, now=later(60)) == turn


def test_ten_submits_on_one_free_place_count_once_and_are_all_kept():
    revision = make_revision()
    review_by(make_user(), revision)
    late = [make_assignment(revision=revision, now=later(-120)) for _ in range(10)]
    for turn in late:
        blind(turn)
    reviews = [submit(turn) for turn in late]
    assert [review.is_counted for review in reviews] == [True] + [False] * 9
    assert Review.objects.count() == 11


def test_claim_costs_a_fixed_number_of_queries(django_assert_max_num_queries):
    reviewer = make_user()
    for _ in range(5):
        review_by(reviewer, make_revision())
    make_revision()
    # begin, the profile's lock, a running turn, settings, the first waiting, its places, the
    # turn, the trail, commit
    with django_assert_max_num_queries(9):
        claim_next(reviewer=reviewer, now=NOW)


def test_answer_and_review_cost_a_fixed_number_of_queries(django_assert_max_num_queries):
    turn = make_assignment(revision=make_revision(findings=[Severity.NEEDS_PERSON]))
    answers = approving(turn.revision)
    # begin, the turn, its answer, options, the answer, the turn, the trail, commit
    with django_assert_max_num_queries(8):
        answer_blind(assignment=turn, positions=[0], confidence=4, active_seconds=1, now=NOW)
    # begin, the candidate's lock, the turn, its reviews, its answer, options, findings, places, settings, the
    # review, verdicts on options and on findings, the turn, the trail, commit
    with django_assert_max_num_queries(15):
        submit(turn, answers=answers)


@pytest.mark.django_db(transaction=True)
def test_people_who_claim_at_once_never_exceed_the_wanted_number():
    crowd = [make_user() for _ in range(8)]
    rounds = 60 if connection.vendor == "postgresql" else 10
    start = Barrier(len(crowd))

    def claim(user):
        start.wait()
        try:
            return [claim_next(reviewer=user, now=NOW) for _ in range(2)]
        finally:
            connection.close()

    for _ in range(rounds):  # a single round misses the race more often than not
        revision = make_revision()
        with ThreadPoolExecutor(len(crowd)) as pool:
            turns = [turn for pair in pool.map(claim, crowd) for turn in pair]
        assert revision.assignments.count() == 2
        assert len({turn.pk for turn in turns if turn}) == 2
        revision.candidate.state = CandidateState.REJECTED
        revision.candidate.save()


@pytest.mark.django_db(transaction=True)
def test_two_tabs_of_one_person_get_one_turn():
    make_revision()
    make_revision()
    reviewer = make_user()
    start = Barrier(4)

    def claim(_tab):
        start.wait()
        try:
            return claim_next(reviewer=reviewer, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        turns = list(pool.map(claim, range(4)))
    assert len({turn.pk for turn in turns if turn}) == 1
    assert Assignment.objects.count() == 1
