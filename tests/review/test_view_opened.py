"""What htmx gets for a blind answer: the open phase in the place of the blind one."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.items import Severity
from generation.models import Source, SourceForm
from review.models import BlindAnswer
from tests.make import make_assignment, make_completion, make_revision, make_user

ANSWER = {"phase": "blind", "choice": "A", "confidence": "4", "active_seconds": "12.5"}
HTMX = {"hx-request": "true"}
_CHANGES = re.compile(r'value="[A-Za-z0-9]{64}"|name="form_key" value="[^"]+"')


def answered(member, turn, sent=ANSWER):
    return member.post(reverse("review", args=[turn.pk]), sent, headers=HTMX)


def part(page, start, end):
    """Return what stands between two marks, but for what no two answers share, and blanks."""
    found = _CHANGES.sub("", page[page.index(start) :].partition(end)[0])
    return re.sub(r"\s+", " ", found)


def test_part_is_what_the_whole_open_page_shows_there(member, reviewer):
    turn = make_assignment(reviewer=reviewer, now=timezone.now())
    swapped = answered(member, turn).content.decode()
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    assert "<html" not in swapped
    assert 'id="gold"' in swapped
    for start, end in (
        ('<section id="question"', "</form>"),
        ('id="phase-keys"', "</dl>"),
        (f'<form method="post" action="/review/{turn.pk}/what-follows', "</form>"),
    ):
        shown = part(swapped, start, end).replace(' hx-swap-oob="true"', "")
        assert shown == part(page, start, end)
    for place in ("to-do", "sheet-title"):
        words = re.search(f'id="{place}"[^>]*>([^<]+)<', page)
        assert words
        assert f'id="{place}" hx-swap-oob="true">{words[1]}<' in swapped


def test_page_is_told_that_the_answer_is_stored(member, reviewer):
    turn = make_assignment(reviewer=reviewer, now=timezone.now())
    response = answered(member, turn)
    assert response["HX-Trigger"] == '{"answered": {}}'
    assert {"HX-Request", "HX-History-Restore-Request"} <= set(response["Vary"].split(", "))
    assert BlindAnswer.objects.get(assignment=turn).confidence == 4


def test_written_answer_stands_beside_gold(member, reviewer):
    turn = make_assignment(revision=make_completion(), reviewer=reviewer, now=timezone.now())
    sent = {"phase": "blind", "text": "grep -n kiln", "confidence": "3"}
    page = answered(member, turn, sent).content.decode()
    assert "grep -n kiln" in page
    assert "cat part3.py" in page


def test_document_has_nothing_to_follow(member, reviewer):
    revision = make_revision()
    Source.objects.update(form=SourceForm.DOCUMENT)
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    page = answered(member, turn).content.decode()
    assert 'id="gold"' in page
    assert "what-follows" not in page


@pytest.mark.parametrize("severity", Severity)
def test_page_comes_whole_where_findings_mark_the_source(member, reviewer, severity):
    revision = make_revision(findings=(severity,))
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    assert answered(member, turn)["HX-Redirect"] == reverse("review", args=[turn.pk])


def test_page_comes_whole_where_the_text_may_go_back_to_its_author(member, reviewer):
    revision = make_revision(author=make_user(username="ines"))
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    assert answered(member, turn)["HX-Redirect"] == reverse("review", args=[turn.pk])


def test_page_without_scripts_comes_whole(member, reviewer):
    turn = make_assignment(reviewer=reviewer, now=timezone.now())
    url = reverse("review", args=[turn.pk])
    response = member.post(url, ANSWER)
    assert (response.status_code, response["Location"]) == (303, url)


def test_answer_sent_again_shows_the_page_as_it_stands(member, reviewer):
    turn = make_assignment(reviewer=reviewer, now=timezone.now())
    answered(member, turn)
    again = answered(member, turn, ANSWER | {"choice": "B"})
    assert again["HX-Redirect"] == reverse("review", args=[turn.pk])
    assert BlindAnswer.objects.count() == 1


def test_answer_costs_a_fixed_number_of_queries(member, reviewer, django_assert_num_queries):
    # session, user, assignment with source, options; begin, turn, no answer yet, number of
    # options, answer, turn, trail, end; findings
    for cut, steps in ((3, 4), (30, 40)):
        revision = make_revision(cut=cut, steps=steps)
        turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
        with django_assert_num_queries(13):
            answered(member, turn)
