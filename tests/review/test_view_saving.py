from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from review.models import Assignment
from tests.make import blind, make_assignment, make_completion, make_revision, submit

HTMX = {"hx-request": "true"}


def test_draft_is_kept_and_the_status_says_when(member, turn):
    address = reverse("draft", args=[turn.pk])
    response = member.post(address, {"phase": "blind", "choice": "C"}, headers=HTMX)
    page = response.content.decode()
    assert 'id="saved"' in page
    assert "saved" in page
    assert "<html" not in page
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["choice"] == ["C"]


def test_draft_is_put_back_into_the_form(member, turn, url):
    draft = {"phase": "blind", "choice": "C", "confidence": "2", "active_seconds": "41.5"}
    member.post(reverse("draft", args=[turn.pk]), draft)
    page = member.get(url).content.decode()
    assert 'value="C" checked' in page
    assert 'value="2" checked' in page
    assert 'value="41.5"' in page


def test_draft_of_a_text_is_put_back_as_typed(member, reviewer):
    turn = make_assignment(revision=make_completion(), reviewer=reviewer, now=timezone.now())
    typed = "</textarea><b>grep -n 'x'\n  two"
    member.post(reverse("draft", args=[turn.pk]), {"phase": "blind", "text": typed})
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    assert "&lt;/textarea&gt;&lt;b&gt;grep -n &#x27;x&#x27;\n  two</textarea>" in page


def test_draft_of_the_phase_before_is_not_kept(member, turn):
    blind(turn)
    member.post(reverse("draft", args=[turn.pk]), {"phase": "blind", "choice": "C"})
    assert Assignment.objects.get(pk=turn.pk).draft == {}


def test_draft_after_the_review_changes_nothing(member, turn):
    blind(turn)
    submit(turn)
    member.post(reverse("draft", args=[turn.pk]), {"phase": "open", "comment": "late"})
    assert Assignment.objects.get(pk=turn.pk).draft == {}


def test_heartbeat_renews_a_running_lease(member, turn):
    soon = timezone.now() + timedelta(minutes=1)
    Assignment.objects.filter(pk=turn.pk).update(leased_until=soon)
    response = member.post(reverse("lease", args=[turn.pk]))
    until = Assignment.objects.get(pk=turn.pk).leased_until
    assert until > soon + timedelta(minutes=20)
    assert response.json() == {"leased_until": until.isoformat()}


def test_heartbeat_of_a_submitted_item_is_told_so(member, turn):
    blind(turn)
    submit(turn)
    assert member.post(reverse("lease", args=[turn.pk])).status_code == 409


def test_page_after_the_lease_says_that_work_is_still_kept(member, turn, url):
    Assignment.objects.filter(pk=turn.pk).update(leased_until=timezone.now())
    assert "Your time for this item has ended" in member.get(url).content.decode()


def test_skip_gives_the_item_back_and_goes_on(member, turn, url):
    waiting = make_revision()
    response = member.post(reverse("skip", args=[turn.pk]), {"reason": "not my language"})
    turn.refresh_from_db()
    assert turn.skip_reason == "not my language"
    following = turn.reviewer.assignments.get(revision=waiting)
    assert response["Location"] == reverse("review", args=[following.pk])
    assert "not my language" in member.get(url).content.decode()


def test_skip_without_a_reason_asks_for_one(member, turn):
    response = member.post(reverse("skip", args=[turn.pk]), {"reason": "  "})
    assert response.status_code == 422
    assert "Say why you skip it" in response.content.decode()
    assert Assignment.objects.get(pk=turn.pk).skipped_at is None


def test_skip_of_a_submitted_item_shows_that_it_is_done(member, turn, url):
    blind(turn)
    submit(turn)
    response = member.post(reverse("skip", args=[turn.pk]), {"reason": "late"})
    assert response["Location"] == url
