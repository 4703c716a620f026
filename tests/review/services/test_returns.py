"""An edited question can be given back to its author, who edits again or lets it stand."""

import pytest

from generation.models import AuditEvent, CandidateState, Revision
from review.models import Adjudication, ReturnedEdit, Role
from review.services.dispute_edits import return_dispute_to_author
from review.services.editing import NotEditable
from review.services.queue import claim_next
from review.services.returns import (
    ReturnRefused,
    edit_returned,
    let_stand,
    return_to_author,
    returned_to,
)
from tests.make import (
    NOW,
    blind,
    make_assignment,
    make_revision,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
)
from tests.review.services.test_editing import editing_of, reworded, state_of, sure

pytestmark = pytest.mark.django_db


def given_back(author=None, comment="Option B is gold's twin now."):
    """An edit that a reviewer gave back, and their turn."""
    revision = make_revision(author=author or make_user())
    turn = make_assignment(revision=revision)
    blind(turn)
    return return_to_author(assignment=turn, comment=comment, now=NOW), turn


def test_return_ends_the_turn_as_skipped_and_takes_the_item_from_the_queue():
    returned, turn = given_back()
    turn.refresh_from_db()
    assert turn.skipped_at == NOW
    assert turn.skip_reason == "given back to its author: Option B is gold's twin now."
    assert state_of(returned.revision) == CandidateState.CHECKED
    assert claim_next(reviewer=make_user(), now=NOW) is None
    assert list(returned_to(returned.revision.author)) == [returned]
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions)[-3:] == [
        "edit.returned",
        "assignment.skipped",
        "candidate.returned_to_author",
    ]


def test_author_lets_the_text_stand_and_it_goes_to_another():
    returned, turn = given_back()
    let_stand(returned=returned, author=returned.revision.author, now=NOW)
    assert state_of(returned.revision) == CandidateState.IN_REVIEW
    assert not returned_to(returned.revision.author).exists()
    assert claim_next(reviewer=turn.reviewer, now=NOW) is None
    assert claim_next(reviewer=returned.revision.author, now=NOW) is None
    assert claim_next(reviewer=make_user(), now=NOW) is not None


def test_author_edits_again_and_the_return_is_done_with():
    returned, _turn = given_back()
    editing = editing_of(returned.revision)
    edit_returned(
        returned=returned,
        author=returned.revision.author,
        editing=editing,
        edit=sure(editing, reworded(editing)),
        now=NOW,
    )
    new = Revision.objects.current().get()
    assert (new.number, new.author) == (2, returned.revision.author)
    assert state_of(new) == CandidateState.IN_REVIEW
    returned.refresh_from_db()
    assert returned.closed_at == NOW


def test_another_person_can_neither_edit_a_return_nor_let_it_stand():
    returned, _turn = given_back()
    editing = editing_of(returned.revision)
    with pytest.raises(ReturnRefused):
        let_stand(returned=returned, author=make_user(), now=NOW)
    with pytest.raises(NotEditable):
        edit_returned(
            returned=returned,
            author=make_user(),
            editing=editing,
            edit=sure(editing, reworded(editing)),
            now=NOW,
        )
    assert state_of(returned.revision) == CandidateState.CHECKED


def test_return_is_closed_once():
    returned, _turn = given_back()
    let_stand(returned=returned, author=returned.revision.author, now=NOW)
    with pytest.raises(ReturnRefused):
        let_stand(returned=returned, author=returned.revision.author, now=NOW)


@pytest.mark.parametrize("author", ["nobody", "oneself", "gone"])
def test_text_that_has_nobody_to_go_back_to_stays(author):
    reviewer = make_user()
    authors = {"nobody": None, "oneself": reviewer, "gone": make_user(is_active=False)}
    turn = make_assignment(revision=make_revision(author=authors[author]), reviewer=reviewer)
    blind(turn)
    with pytest.raises(ReturnRefused, match="nobody"):
        return_to_author(assignment=turn, comment="Look again.", now=NOW)
    assert not ReturnedEdit.objects.exists()
    turn.refresh_from_db()
    assert turn.skipped_at is None


def test_return_needs_a_comment_and_the_open_phase():
    turn = make_assignment(revision=make_revision(author=make_user()))
    with pytest.raises(ReturnRefused, match="Answer first"):
        return_to_author(assignment=turn, comment="Look again.", now=NOW)
    blind(turn)
    with pytest.raises(ReturnRefused, match="Say what"):
        return_to_author(assignment=turn, comment=" ", now=NOW)


def test_comment_with_a_nul_is_stored_with_a_mark_for_it():
    returned, turn = given_back(comment="One\0more word.")
    assert returned.comment == "One␀more word."
    turn.refresh_from_db()
    assert turn.skip_reason == "given back to its author: One␀more word."
    details = AuditEvent.objects.filter(action="candidate.returned_to_author")
    assert [event.detail for event in details] == ["One␀more word."]


def test_lead_gives_a_disputed_edit_back_and_what_stands_is_reviewed_anew():
    author, lead = make_user(), make_user(Role.LEAD)
    revision = make_revision(author=author)
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    return_dispute_to_author(
        revision=revision, lead=lead, comment="Which kiln?", seen=reviews_seen(revision)
    )
    assert Adjudication.objects.get().outcome == "return"
    assert state_of(revision) == CandidateState.CHECKED
    returned = returned_to(author).get()
    let_stand(returned=returned, author=author, now=NOW)
    people = [claim_next(reviewer=make_user(), now=NOW) for _ in range(3)]
    assert [bool(turn) for turn in people] == [True, True, False]
