"""Undo on the pages: after a submit, on what was reviewed, in one's own list; without scripts."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.records import Success
from generation.models import AuditEvent
from review.models import Assignment, Review
from review.views.undo import minutes_left
from tests.make import (
    NOW,
    approving,
    blind,
    later,
    make_assignment,
    make_revision,
    make_user,
    review_by,
)
from tests.make import submit as store
from tests.review.orders import labels_of

HTMX = {"hx-request": "true"}


@pytest.fixture
def review(turn):
    return reviewed(turn)


def reviewed(turn):
    blind(turn, now=timezone.now())
    return store(turn, now=timezone.now())


def address(turn):
    return reverse("undo", args=[turn.pk])


def send_undo(client, review, **fields):
    return client.post(address(review.assignment), {"review": review.pk}, **fields)


def found(pattern, page):
    match = re.search(pattern, page, re.DOTALL)
    assert match
    return match[1]


def sent_long_ago(review):
    early = timezone.now() - timedelta(minutes=11)
    Assignment.objects.filter(pk=review.assignment_id).update(submitted_at=early)


def test_button_opens_the_form_again_with_all_that_was_entered(member, url, turn):
    blind(turn, now=timezone.now())
    answers = approving(turn.revision, comment="look at <step> 2", gold_quality=1)
    review = store(turn, answers=answers, now=timezone.now())
    response = send_undo(member, review)
    assert (response.status_code, response["Location"]) == (303, url)
    page = member.get(url).content.decode()
    assert f"Review {review.pk} is taken back. All that you entered is here." in page
    assert 'name="comment" rows="2">look at &lt;step&gt; 2</textarea>' in page
    assert 'name="gold_quality" value="1" checked' in page
    assert 'name="decision" value="approve" checked' in page
    for position in (1, 2, 3):
        label = labels_of(turn).label_at(position)
        assert re.search(f'name="option_{label}" value="valid" data-key="v" checked', page)


def test_form_that_came_back_can_be_sent_again(member, url, review):
    send_undo(member, review)
    page = member.get(url).content.decode()
    form = {"phase": "open", "form_key": found(r'"form_key" value="([^"]+)', page)}
    labels = labels_of(review.assignment)
    form |= {f"option_{labels.label_at(n)}": "valid" for n in (1, 2, 3)}
    form |= {"well_specified": "0", "gold_quality": "0", "decision": "approve"}
    assert member.post(url, form).status_code == 303
    again = Review.objects.get(undone_at=None)
    assert again.assignment == review.assignment
    assert again.pk != review.pk


def test_message_after_a_submit_offers_undo(member, url, turn):
    blind(turn, now=timezone.now())
    form = {"phase": "open", "form_key": uuid4(), "decision": "approve"}
    form |= {f"option_{labels_of(turn).label_at(n)}": "valid" for n in (1, 2, 3)}
    response = member.post(url, form | {"well_specified": "0", "gold_quality": "0"}, follow=True)
    review = Review.objects.get()
    message = found(r'class="messages"(.*?)</section>', response.content.decode())
    assert f"Review {review.pk} stored." in message
    assert f'action="{address(turn)}"' in message
    assert f'name="review" value="{review.pk}"' in message
    assert "csrfmiddlewaretoken" in message


def test_page_of_what_was_reviewed_has_undo_and_the_time_left(member, url, review):
    page = member.get(url).content.decode()
    assert f'action="{address(review.assignment)}"' in page
    assert "10 minutes left to undo" in page


def test_page_of_what_was_reviewed_says_why_not(member, url, review):
    sent_long_ago(review)
    page = member.get(url).content.decode()
    assert address(review.assignment) not in page
    assert "A review can be undone for 10 minutes; they are over." in page


def test_page_of_what_was_skipped_has_no_undo(member, url, turn):
    member.post(reverse("skip", args=[turn.pk]), {"reason": "not my language"})
    assert "ndo" not in member.get(url).content.decode()


@pytest.mark.parametrize(
    ("seconds", "minutes"), [(600, 10), (541, 10), (540, 9), (1, 1), (0, 0), (-60, 0)]
)
def test_begun_minutes_count_whole(seconds, minutes):
    assert minutes_left(NOW + timedelta(seconds=seconds), NOW) == minutes


def test_too_late_is_told_and_nothing_changes(member, url, review):
    sent_long_ago(review)
    response = send_undo(member, review, follow=True)
    assert response.redirect_chain == [(url, 303)]
    assert 'class="warning"' in response.content.decode()
    review.refresh_from_db()
    assert review.undone_at is None


def test_second_press_changes_nothing(member, url, review):
    send_undo(member, review)
    response = send_undo(member, review, follow=True)
    assert "This review was taken back already." in response.content.decode()
    assert Assignment.objects.get().draft["fields"]["decision"] == ["approve"]


def test_button_of_an_old_page_undoes_no_newer_review(member, review):
    send_undo(member, review)
    newer = store(review.assignment, now=timezone.now())
    send_undo(member, review)
    newer.refresh_from_db()
    assert newer.undone_at is None


@pytest.mark.parametrize("named", ["", "x", "-1", "0", "9" * 18, "9" * 40, "1 OR 1=1", "²"])
def test_review_that_is_none_is_told(member, review, url, named):
    response = member.post(address(review.assignment), {"review": named}, follow=True)
    assert response.redirect_chain == [(url, 303)]
    assert "There is no such review of yours here." in response.content.decode()
    review.refresh_from_db()
    assert review.undone_at is None


def test_others_turns_answer_404(client, review):
    client.force_login(make_user(), backend="review.authentication.MemberBackend")
    assert send_undo(client, review).status_code == 404
    review.refresh_from_db()
    assert review.undone_at is None


def test_others_review_on_ones_own_turn_is_none(member, turn):
    other = reviewed(make_assignment(revision=turn.revision, now=timezone.now()))
    member.post(address(turn), {"review": other.pk})
    other.refresh_from_db()
    assert other.undone_at is None


def test_undo_is_sent_never_read(member, review):
    assert member.get(address(review.assignment)).status_code == 405


def test_htmx_loads_the_whole_page(member, url, review):
    assert send_undo(member, review, headers=HTMX)["HX-Redirect"] == url


def test_person_without_a_free_place_is_told(member, url, turn):
    blind(turn, now=timezone.now())
    turn.leased_until = timezone.now()
    turn.save()
    for _ in range(2):
        other = make_assignment(revision=turn.revision, now=timezone.now())
        reviewed(other)
    review = store(turn, now=timezone.now())
    assert not review.is_counted
    page = send_undo(member, review, follow=True).content.decode()
    assert "no place is free" in page
    assert "Your time for this item has ended" in page


def test_home_lists_own_reviews_with_undo_where_it_is_possible(member, reviewer, review):
    last = reviewed(make_assignment(reviewer=reviewer, now=timezone.now()))
    others = reviewed(make_assignment(now=timezone.now()))
    page = member.get(reverse("queue")).content.decode()
    rows = found(r'id="own-reviews">(.*?)</ul>', page).split("<li>")[1:]
    assert len(rows) == 2
    for row, of in zip(rows, (last, review), strict=True):
        assert f'href="{reverse("review", args=[of.assignment_id])}"' in row
        assert "<span>Approve</span>" in row
    assert [address(last.assignment) in rows[0], "undo" in rows[1]] == [True, False]
    assert reverse("review", args=[others.assignment_id]) not in page


def test_home_lists_nothing_where_nothing_was_reviewed(member):
    assert "Your last reviews" not in member.get(reverse("queue")).content.decode()


def test_home_costs_no_more_for_ten_reviews(member, reviewer, django_assert_num_queries):
    for _ in range(11):
        reviewed(make_assignment(reviewer=reviewer, revision=make_revision(), now=later(0)))
    make_revision()
    with django_assert_num_queries(10):
        page = member.get(reverse("queue")).content.decode()
    assert page.count("<span>Approve</span>") == 10


def test_undo_that_makes_the_run_unconfirmed_says_so_before_and_after(member, reviewer):
    revision = make_revision(success=Success.UNCONFIRMED)
    review_by(make_user(), revision)
    turn = make_assignment(reviewer=reviewer, revision=revision, now=timezone.now())
    review = reviewed(turn)
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    assert "undone, the run is unconfirmed again" in page
    page = member.post(address(turn), {"review": review.pk}, follow=True).content.decode()
    assert "The run is unconfirmed again" in page
    event = AuditEvent.objects.get(action="source.unconfirmed")
    assert event.detail == f"review {review.pk} was undone"


def test_undo_that_leaves_the_run_as_it_is_says_nothing_of_it(member, review, url, turn):
    assert "unconfirmed" not in member.get(url).content.decode()
    page = member.post(address(turn), {"review": review.pk}, follow=True).content.decode()
    assert "unconfirmed" not in page
