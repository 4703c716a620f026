"""What leads see of people: counts of what stands and what is begun, and the last day at work."""

import pytest

from generation.models import Revision
from review.models import Assignment, Profile
from review.services.people import people
from review.services.undo import undo_review
from tests.make import NOW, later, make_assignment, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db


def counts():
    return {
        person.profile.user.username: (person.reviews, person.open_turns, person.last_active)
        for person in people()
    }


def test_counts_are_of_each_person_and_only_of_what_stands():
    ann, ben, _cid = (make_user(username=name) for name in ("ann", "ben", "cid"))
    for _ in range(2):
        review_by(ann, make_revision())
    taken_back = review_by(ben, make_revision())
    undo_review(review=taken_back, reviewer=ben, now=later(1))
    make_assignment(reviewer=ben)
    skipped, replaced = make_assignment(reviewer=ben), make_assignment(reviewer=ben)
    Assignment.objects.filter(pk=skipped.pk).update(skipped_at=NOW, skip_reason="too long")
    Revision.objects.filter(pk=replaced.revision_id).update(superseded_at=NOW)
    # The turn that was taken back is begun again, with what was typed as its draft.
    assert counts() == {"ann": (2, 0, NOW), "ben": (0, 2, later(1)), "cid": (0, 0, None)}


def test_last_day_at_work_is_the_latest_of_login_draft_and_review():
    for name, moments in {"login": (9, 1, 2), "draft": (1, 9, 2), "review": (1, 2, 9)}.items():
        login, saved, sent = map(later, moments)
        user = make_user(username=name, last_login=login)
        drafted, done = make_assignment(reviewer=user), make_assignment(reviewer=user)
        Assignment.objects.filter(pk=drafted.pk).update(draft_saved_at=saved)
        Assignment.objects.filter(pk=done.pk).update(submitted_at=sent)
    assert {last for _reviews, _begun, last in counts().values()} == {later(9)}


def test_one_person_is_told_as_in_the_list():
    for name in ("ann", "ben"):
        user = make_user(username=name)
        review_by(user, make_revision())
        make_assignment(reviewer=user)
    profiles = Profile.objects.order_by("user__username")
    assert [people(profile.pk) for profile in profiles] == [[person] for person in people()]
    assert people(0) == []
