"""After each item of the qualification round a reviewer sees what was known of it, and why."""

import pytest
from django.urls import reverse
from django.utils import timezone

from review.models import ControlUse, Project, Purpose, Role
from review.services.assigning import assign
from tests.make import blind, make_revision, make_user, rejecting, submit
from tests.review.orders import labels_of
from tests.review.services.test_controls import control_of
from tests.review.test_view_review_open import approval

pytestmark = pytest.mark.django_db

WHY = "Gold follows from <step> 2."


@pytest.fixture
def round_of_two(db):
    for _ in range(2):
        control_of(use=ControlUse.QUALIFICATION, why=WHY)
    Project.objects.create(pk=1, qualification_items=2, qualification_bar=100)


def begin(member, reviewer):
    """Take the next item of the round and answer it blind; return the turn."""
    member.post(reverse("next-item"))
    turn = reviewer.assignments.get(submitted_at=None)
    assert turn.purpose == Purpose.QUALIFICATION
    blind(turn, now=timezone.now())
    return turn


def address_of(turn):
    return reverse("feedback", args=[turn.pk])


def test_review_of_the_round_leads_to_what_was_known(round_of_two, member, reviewer):
    turn = begin(member, reviewer)
    sent = member.post(reverse("review", args=[turn.pk]), approval(turn))
    assert (sent.status_code, sent["Location"]) == (303, address_of(turn))
    page = member.get(sent["Location"]).content.decode()
    assert "You decided as the leads did" in page
    assert "Gold follows from &lt;step&gt; 2." in page
    assert "1 of 2 answered" in page
    label = labels_of(turn).label_at(0)
    assert page.count(f'<td translate="no">{label}</td>') == 2


def test_end_of_the_round_says_whether_it_is_passed(round_of_two, member, reviewer):
    for _ in range(2):
        turn = begin(member, reviewer)
        member.post(reverse("review", args=[turn.pk]), approval(turn))
    page = member.get(address_of(turn)).content.decode()
    assert "You have passed the qualification round." in page
    assert "2 of 2 decisions were right" in page


def test_end_of_the_round_says_what_now_where_it_is_not_passed(round_of_two, member, reviewer):
    turn = begin(member, reviewer)
    submit(turn, answers=rejecting(turn.revision), now=timezone.now())
    turn = begin(member, reviewer)
    submit(turn, now=timezone.now())
    page = member.get(address_of(turn)).content.decode()
    assert "You have not passed the qualification round." in page
    assert "A lead sees your answers" in page
    queue = member.get(reverse("queue")).content.decode()
    assert "1 of 2 decisions were right, 100 % were wanted" in queue


def test_nothing_is_known_before_the_review(round_of_two, member, reviewer):
    turn = begin(member, reviewer)
    assert member.get(address_of(turn)).status_code == 404
    assert WHY.split("<")[0] not in member.get(reverse("review", args=[turn.pk])).content.decode()


def test_feedback_on_another_persons_turn_is_none(round_of_two, member, client, reviewer):
    turn = begin(member, reviewer)
    submit(turn, now=timezone.now())
    client.force_login(make_user(), backend="review.authentication.MemberBackend")
    assert client.get(address_of(turn)).status_code == 404


def test_real_item_has_no_feedback(member, turn):
    blind(turn, now=timezone.now())
    submit(turn, now=timezone.now())
    assert member.get(address_of(turn)).status_code == 404


def test_queue_says_how_the_round_goes(round_of_two, member, reviewer):
    page = member.get(reverse("queue")).content.decode()
    assert "0 of 2 answered." in page
    assert "<dt>left for you</dt><dd>2</dd>" in page


def test_queue_lists_what_a_lead_gave_by_hand(member, reviewer):
    lead = make_user(Role.LEAD)
    turn = assign(lead=lead, revision=make_revision(), reviewer=reviewer, now=timezone.now())
    page = member.get(reverse("queue")).content.decode()
    assert "Given to you by a lead" in page
    assert reverse("review", args=[turn.pk]) in page
    assert lead.username not in page


def test_control_item_looks_like_any_other_on_its_page(member, reviewer):
    """All words of the page but the item's own are the same for both."""
    work, known = make_revision(), control_of().candidate.revisions.get()
    pages = []
    for revision, purpose in ((work, Purpose.WORK), (known, Purpose.CONTROL)):
        turn = reviewer.assignments.create(
            revision=revision, purpose=purpose, leased_until=timezone.now()
        )
        page = member.get(reverse("review", args=[turn.pk])).content.decode()
        pages.append([word for word in page.split() if "control" in word.lower()])
    assert pages[0] == pages[1]


def test_lead_lets_a_reviewer_who_failed_try_further_items(round_of_two, member, client, reviewer):
    control_of(use=ControlUse.QUALIFICATION)
    for _ in range(2):
        turn = begin(member, reviewer)
        submit(turn, answers=rejecting(turn.revision), now=timezone.now())
    further = reverse("person-further", args=[reviewer.profile.pk])
    assert member.post(further).status_code == 403
    client.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    page = client.post(further, follow=True).content.decode()
    assert "They can try further items now: 1." in page
    assert reviewer.assignments.filter(submitted_at=None).count() == 1
    page = client.post(further, follow=True).content.decode()
    assert "Only who did not pass the qualification round can try further items." in page
