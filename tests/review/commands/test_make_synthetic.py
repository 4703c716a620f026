"""``make_synthetic``: a made-up project that the rest of the program takes for a real one."""

from collections import Counter

import pytest
from django.db import transaction

from generation.models import AuditEvent, Candidate, Finding, Option, Source
from review.core.consensus import settle
from review.models import Adjudication, Assignment, BlindAnswer, Control, Project, Review
from review.services.gold import matches_gold
from review.services.settlement import counted_reviews, vote_of
from tests.commands import run_json

pytestmark = pytest.mark.django_db

ARGUMENTS = ("--items", "300", "--reviewers", "8", "--reviews", "900", "--at", "2026-03-01")


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker):
    """One made-up project for all tests here that only read it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield run_json("make_synthetic", *ARGUMENTS)
        transaction.set_rollback(True)


def test_there_are_as_many_items_and_reviews_as_asked(made):
    assert made["candidates"] == Candidate.objects.count() == 300
    assert made["reviews"] == Review.objects.count() == BlindAnswer.objects.count() == 900


def test_the_trail_tells_that_the_project_s_settings_were_changed(made):
    assert (Project.objects.get().reviews_wanted or 0) > 2
    (event,) = AuditEvent.objects.filter(subject="project")
    assert (event.action, event.detail) == ("project.changed", "made up")


def test_every_state_occurs_and_work_lies_in_many_weeks(made):
    states = Counter(Candidate.objects.values_list("state", flat=True))
    assert set(states) == {"approved", "rejected", "disputed", "in_review", "checked", "draft"}
    days = set(Review.objects.values_list("created_at__date", flat=True))
    assert len(days) > 40
    assert Adjudication.objects.exists()
    assert Control.objects.exists()
    assert Finding.objects.exists()
    assert Assignment.objects.exclude(draft={}).exists()
    assert len(set(Source.objects.values_list("language", "kind"))) > 3
    assert Option.objects.exclude(llm_call=None).exists()


def test_settled_items_stand_where_consensus_puts_their_reviews(made):
    settled = Candidate.objects.filter(state__in=["approved", "rejected"], is_control=False)
    untouched = settled.exclude(revisions__adjudications__isnull=False)
    revisions = {
        item.pk: item.revisions.get(superseded_at=None)
        for item in untouched.prefetch_related("revisions")
    }
    counted = counted_reviews([revision.pk for revision in revisions.values()])
    assert len(revisions) > 50
    for item in untouched:
        revision = revisions[item.pk]
        votes = [vote_of(review) for review in counted[revision.pk]]
        blocking = frozenset(revision.findings.filter(severity=3).values_list("pk", flat=True))
        ended = settle(votes, wanted=len(votes), blocking=blocking)
        assert ended is not None
        assert ended.verdict == item.state


def test_blind_answers_match_gold_where_they_say_so(made):
    answers = BlindAnswer.objects.select_related("assignment__revision__candidate")
    for answer in answers[:200]:
        revision = answer.assignment.revision
        assert answer.matches_gold == matches_gold(
            revision,
            revision.options.count(),
            positions=answer.positions,
            text=answer.text,
            not_determined=answer.not_determined,
        )
