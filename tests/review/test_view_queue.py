import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from generation.models import CandidateState
from review.models import Release, Role
from tests.make import blind, make_assignment, make_revision, make_user, review_by, submit

pytestmark = pytest.mark.django_db
HTMX = {"hx-request": "true"}


def text_of(client):
    return client.get(reverse("queue")).content.decode()


def test_page_costs_ten_queries(member, turn, django_assert_num_queries):
    # session, user, the project's settings, left, begun, own counts, questions, returned edits,
    # edited turns, own reviews
    with django_assert_num_queries(10):
        member.get(reverse("queue"))


def test_home_leads_to_the_queue(member):
    assert member.get("/")["Location"] == "/queue/"


def test_htmx_gets_the_part_and_history_the_page(member):
    address = reverse("queue")
    assert "<html" in text_of(member)
    part = member.get(address, headers=HTMX)
    assert "<html" not in part.content.decode()
    restored = member.get(address, headers=HTMX | {"hx-history-restore-request": "true"})
    assert "<html" in restored.content.decode()
    for response in (part, restored, member.get(address)):
        assert "HX-Request" in response["Vary"]


def test_next_gives_an_item_and_opens_it(member, reviewer):
    make_revision()
    response = member.post(reverse("next-item"))
    assert response["Location"] == reverse("review", args=[reviewer.assignments.get().pk])


def test_next_with_nothing_left_goes_back_to_the_queue(member):
    response = member.post(reverse("next-item"), follow=True)
    page = response.content.decode()
    assert response.redirect_chain == [("/queue/", 303)]
    assert "There is nothing for you right now" in page
    assert "No question has been built yet" in page


def test_empty_queue_says_that_all_is_settled(member):
    make_revision(state=CandidateState.APPROVED)
    assert "All candidates are settled" in text_of(member)


def test_empty_queue_says_that_others_are_at_it(member):
    revision = make_revision()
    for _ in range(2):
        make_assignment(revision=revision, reviewer=make_user(), now=timezone.now())
    assert "Others are at everything that is left" in text_of(member)


def test_empty_queue_says_that_the_rest_waits_for_others(member, reviewer):
    review_by(reviewer, make_revision())
    assert "it waits for other people" in text_of(member)


def test_counts_are_the_persons_own(member, reviewer, turn):
    review_by(make_user(), make_revision())
    blind(turn)
    submit(turn, now=timezone.now())
    page = text_of(member)
    assert "<dt>reviewed today</dt><dd>1</dd>" in page
    assert "<dt>reviewed in all</dt><dd>1</dd>" in page


def test_begun_items_are_listed(member, turn, url):
    assert f'href="{url}"' in text_of(member)


def test_annotator_sees_no_overview(member):
    make_revision()
    assert "Candidates by subtask and state" not in text_of(member)


def test_lead_sees_states_and_releases(client, django_assert_num_queries):
    client.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    make_revision()
    make_revision(state=CandidateState.APPROVED)
    Release.objects.create(
        name="apt",
        version="1.0",
        frozen_at=timezone.now(),
        validation="reviewed",
        shots=3,
        code_version="0.1",
        digest="0" * 64,
        canary="canary",
    )
    with django_assert_num_queries(12):
        page = text_of(client)
    assert "issue_fix_plan" in page
    assert "Disputed: the reviewers differ, so the candidate waits for a lead" in page
    assert "apt@1.0" in page


def test_user_without_a_profile_may_look_and_has_no_work(client, db):
    client.force_login(
        User.objects.create(username="nobody"), backend="review.authentication.MemberBackend"
    )
    make_revision()
    assert "Hello, nobody" in text_of(client)
    assert client.post(reverse("next-item"))["Location"] == "/queue/"


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "</script><script>"])
def test_hostile_user_name_is_shown_as_text(client, db, name):
    client.force_login(make_user(username=name), backend="review.authentication.MemberBackend")
    page = text_of(client)
    assert name not in page
    assert "&lt;" in page
