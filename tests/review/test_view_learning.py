"""What changed with the guidelines: control items by person, item, week and version; before and after."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from review.models import Control, GuidelineVersion, Purpose, Review, Role
from review.services.guideline_changes import guideline_changes, guideline_marks, version_at
from review.services.measurements import ask_for, compute, measurement
from tests.make import make_revision, make_user, rejecting, review_by
from tests.review.test_view_reviewers import control_of, words

pytestmark = pytest.mark.django_db


def save(number, *, language="en", ago=timedelta(0)):
    return GuidelineVersion.objects.create(
        language=language,
        number=number,
        body=f"Version {number}.",
        note="What a typo is",
        author=make_user(Role.LEAD),
        created_at=timezone.now() - ago,
    )


def computed():
    ask_for(name="learning", actor=None, now=timezone.now())
    assert compute("learning")
    return measurement("learning").data


@pytest.fixture
def rounds():
    """Before version 1 two people differ on one of two and miss a control item; after it they agree."""
    ines, tomas = make_user(username="ines"), make_user(username="tomas")
    agreed, differed, across = (make_revision() for _ in range(3))
    review_by(ines, across)
    for revision in (agreed, differed):
        review_by(ines, revision)
        review_by(tomas, revision, answers=rejecting(revision) if revision == differed else None)
    control_of(ines, decision="reject")
    save(1)
    review_by(tomas, across)
    later = make_revision()
    review_by(ines, later)
    review_by(tomas, later)
    control_of(ines)
    return ines


def test_periods_hold_what_was_reviewed_in_them(rounds):
    data = computed()
    before, after = data["periods"]
    assert (before["label"], after["label"], after["note"]) == ("", "v1", "What a typo is")
    assert (before["reviews"], before["rejected"], before["reasons"]) == (5, 1, {"bad_question": 1})
    assert (after["reviews"], after["rejected"]) == (3, 0)
    assert (before["controls"], after["controls"]) == ([0, 1, 1], [1, 1, 1])
    assert (before["agreement"]["raw"], before["agreement"]["n_pairable"]) == (0.5, 2)
    assert (after["agreement"]["raw"], after["agreement"]["n_pairable"]) == (1.0, 1)
    assert data["straddling"] == 1


def test_control_items_are_counted_by_person_item_and_version(rounds):
    data = computed()
    (person,) = data["people"]
    assert (person["name"], person["purpose"]) == ("ines", Purpose.CONTROL)
    assert person["counts"] == [1, 2, 2]
    assert person["versions"] == [[0, "", 0, 1], [1, "v1", 1, 1]]
    assert [item["counts"] for item in data["items"]] == [[0, 1, 1], [1, 1, 1]]
    assert [(right, n) for _monday, right, n in data["weeks"]] == [(1, 2)]
    assert "<svg" in data["chart"]


def test_reviews_taken_back_enter_nothing(rounds):
    Review.objects.update(undone_at=timezone.now())
    data = computed()
    assert (data["people"], data["items"], data["weeks"], data["chart"]) == ([], [], [], "")


@pytest.fixture
def desk(client):
    client.force_login(
        make_user(Role.LEAD, username="lea"), backend="review.authentication.MemberBackend"
    )
    return client


def test_page_says_before_and_after_and_that_it_is_too_few(desk, rounds, django_assert_num_queries):
    computed()
    # session, user, row, profiles, two of what may be opened; three that tell whether it is stale
    with django_assert_num_queries(9):
        page = words(desk.get(reverse("learning")))
    assert "0 % <small>0–79 % · n 1</small>" in page  # Wilson of 0 of 1: 0 to 0.7935
    assert "100 % <small>21–100 % · n 1</small>" in page
    assert page.count("too few to conclude") == 3
    assert "1 item was reviewed before and after a change" in page


def test_item_that_the_lead_may_still_be_given_tells_nothing(desk, rounds):
    """Control items stay in review: a lead who has not opened one reads no results of it."""
    computed()
    assert words(desk.get(reverse("learning"))).count("You may still review it.") == 2
    first, _second = Control.objects.all()
    desk.force_login(first.made_by, backend="review.authentication.MemberBackend")
    assert words(desk.get(reverse("learning"))).count("You may still review it.") == 1


def test_page_without_versions_or_results_says_so(desk):
    computed()
    page = words(desk.get(reverse("learning")))
    assert "those that the project came with" in page
    assert "Nobody has reviewed a control item yet." in page


def test_labels_name_the_language_where_there_are_two():
    save(1, ago=timedelta(days=9))
    assert [change.label for change in guideline_changes()] == ["v1"]
    save(1, language="zh-hans", ago=timedelta(days=3))
    save(2, ago=timedelta(days=3))
    changes = guideline_changes()
    assert [change.label for change in changes] == ["en v1", "zh-hans v1", "en v2"]
    marks = guideline_marks(changes)
    assert [mark.label for mark in marks] == ["en v1", "zh-hans v1, en v2"]
    assert guideline_marks(changes, since=marks[1].date) == marks[1:]


def test_a_version_holds_from_the_moment_that_it_was_saved():
    first = save(1, ago=timedelta(days=1))
    changes = guideline_changes()
    assert version_at(changes, first.created_at - timedelta(seconds=1)) == 0
    assert version_at(changes, first.created_at) == 1
