"""Notes stay with their writer and leads; a question parks the turn until a lead answers."""

import pytest

from generation.models import AuditEvent
from review.models import Assignment, Note, Question, Role
from review.services.leases import end_leases
from review.services.queue import claim_next
from review.services.remarks import (
    RemarkRefused,
    add_note,
    all_notes,
    all_questions,
    answer_question,
    ask_lead,
    guideline_examples,
    mark_as_example,
    own_notes,
    own_questions,
    take_up,
)
from tests.make import NOW, blind, later, make_assignment, make_revision, make_user, submit

pytestmark = pytest.mark.django_db


def asked(turn=None, text="Is B as right as gold?"):
    return ask_lead(assignment=turn or make_assignment(), text=text, now=NOW)


def answered(question, *, lead=None, is_example=False, now=NOW):
    return answer_question(
        question=question,
        lead=lead or make_user(Role.LEAD),
        answer="No: B comes two steps later.",
        is_example=is_example,
        now=now,
    )


def test_note_is_its_writers_and_all_are_for_leads():
    revision, ann, ben = make_revision(), make_user(), make_user()
    mine = add_note(revision=revision, author=ann, text=" odd wording ")
    theirs = add_note(revision=revision, author=ben, text="fine")
    assert mine.text == "odd wording"
    assert list(own_notes(revision, ann)) == [mine]
    assert list(all_notes(revision.candidate)) == [mine, theirs]
    assert AuditEvent.objects.filter(action="note.added").count() == 2


@pytest.mark.parametrize("text", ["", " \n", "x" * 5_001])
def test_note_without_words_or_with_too_many_is_refused(text):
    with pytest.raises(RemarkRefused):
        add_note(revision=make_revision(), author=make_user(), text=text)
    assert not Note.objects.exists()


def test_question_parks_the_turn_with_its_draft_and_holds_its_place():
    revision, ann = make_revision(), make_user()
    other = make_assignment(revision=revision)
    turn = make_assignment(revision=revision, reviewer=ann)
    Assignment.objects.filter(pk=turn.pk).update(draft={"fields": {"comment": ["x"]}})
    following = make_revision()
    asked(turn)
    turn.refresh_from_db()
    assert turn.parked_at == NOW
    assert turn.draft == {"fields": {"comment": ["x"]}}
    given = claim_next(reviewer=ann, now=later(1))
    assert given is not None
    assert given.revision == following
    # Long after both leases the parked place is still held, the other is free.
    assert end_leases(now=later(600)) == 2
    taken = claim_next(reviewer=make_user(), now=later(600))
    assert taken is not None
    assert taken.revision == revision
    third = claim_next(reviewer=make_user(), now=later(600))
    assert third is not None
    assert third.revision == following
    assert other.revision == revision


def test_answer_gives_the_turn_back_with_a_lease_of_a_day():
    turn = make_assignment()
    question = asked(turn)
    lead = make_user(Role.LEAD)
    answered(question, lead=lead, now=later(500))
    turn.refresh_from_db()
    assert turn.parked_at is None
    assert turn.leased_until == later(500 + 24 * 60)
    given = claim_next(reviewer=turn.reviewer, now=later(600))
    assert given == turn
    assert [q.answer for q in own_questions(turn.reviewer)] == ["No: B comes two steps later."]
    trail = AuditEvent.objects.filter(actor=lead).order_by("pk").values_list("action", flat=True)
    assert list(trail) == ["question.answered", "assignment.taken_up"]


def test_reviewer_may_go_on_without_the_answer_and_it_comes_later():
    turn = make_assignment()
    question = asked(turn)
    take_up(assignment=turn, now=later(5))
    turn.refresh_from_db()
    assert turn.parked_at is None
    assert turn.leased_until == later(35)
    blind(turn)
    submit(turn)
    answered(question)
    turn.refresh_from_db()
    assert turn.submitted_at
    with pytest.raises(RemarkRefused):
        take_up(assignment=turn, now=later(6))


def test_one_question_of_a_turn_waits_at_a_time():
    turn = make_assignment()
    question = asked(turn)
    with pytest.raises(RemarkRefused, match="first question"):
        asked(turn)
    answered(question)
    asked(turn, "And D?")
    assert Question.objects.count() == 2


def test_turn_that_is_over_asks_nothing():
    turn = make_assignment()
    blind(turn)
    submit(turn)
    with pytest.raises(RemarkRefused):
        asked(turn)
    assert not Question.objects.exists()


def test_lead_answers_no_question_of_their_own_and_none_beside_an_open_turn():
    lead = make_user(Role.LEAD)
    own = asked(make_assignment(reviewer=lead))
    with pytest.raises(RemarkRefused, match="own question"):
        answered(own, lead=lead)
    revision = make_revision()
    make_assignment(revision=revision, reviewer=lead)
    question = asked(make_assignment(revision=revision))
    with pytest.raises(RemarkRefused, match="submit your review or skip"):
        answered(question, lead=lead)
    with pytest.raises(RemarkRefused, match="Only a lead"):
        answered(question, lead=make_user())
    assert not Question.objects.exclude(answered_at=None).exists()


def test_two_leads_answer_once():
    question = asked()
    answered(question)
    with pytest.raises(RemarkRefused, match="Another lead"):
        answered(question)


def test_who_answered_is_not_given_the_item_afterwards():
    revision, lead = make_revision(), make_user(Role.LEAD)
    answered(asked(make_assignment(revision=revision)), lead=lead)
    assert claim_next(reviewer=lead, now=NOW) is None
    assert claim_next(reviewer=make_user(Role.LEAD), now=NOW) is not None


def test_lists_of_questions_are_by_state_and_subtask():
    first, second = asked(), asked()
    assert list(all_questions(answered=False)) == [first, second]
    answered(first)
    assert list(all_questions(answered=False)) == [second]
    assert list(all_questions(answered=True, subtask="issue_fix_plan")) == [first]
    assert not all_questions(answered=True, subtask="open_plan_en").exists()


def test_examples_for_the_guidelines_name_nobody():
    shown, hidden = asked(), asked()
    answered(shown, is_example=True)
    answered(hidden)
    (example,) = guideline_examples()
    assert (example.subtask, example.question) == ("issue_fix_plan", "Is B as right as gold?")
    assert guideline_examples("open_plan_en") == []
    mark_as_example(question=hidden, lead=make_user(Role.LEAD), is_example=True)
    mark_as_example(question=shown, lead=make_user(Role.LEAD), is_example=False)
    assert len(guideline_examples("issue_fix_plan")) == 1
    with pytest.raises(RemarkRefused):
        mark_as_example(question=asked(), lead=make_user(Role.LEAD), is_example=True)
