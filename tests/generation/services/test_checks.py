"""Findings follow the newest check, and what people judged stays."""

import pytest

from generation.core.items import Finding as Found
from generation.core.items import Severity
from generation.models import Candidate, CandidateState, Finding
from generation.services import audit
from generation.services.checks import run_checks
from generation.services.findings import finding_digest
from review.models import FindingVerdict
from tests.make import make_completion, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db


def test_changed_severity_is_another_finding():
    note = Found("outcome", Severity.NOTE, "prompt", "passed")
    blocker = Found("outcome", Severity.BLOCKS_RELEASE, "prompt", "passed")
    assert finding_digest(note) != finding_digest(blocker)


def test_finding_that_no_check_makes_any_more_goes_away():
    revision = make_completion(findings=[Severity.NEEDS_PERSON])
    run_checks()
    assert not Finding.objects.filter(revision=revision).exists()


def test_finding_that_people_judged_stays():
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    review_by(make_user(), revision)
    run_checks()
    assert FindingVerdict.objects.get().finding.revision == revision


def test_what_a_person_took_out_of_the_queue_stays_out():
    withdrawn, waiting = (make_completion(state=CandidateState.CHECKED) for _ in range(2))
    audit.record("candidate.withdrawn", withdrawn.candidate)
    run_checks()
    states = dict(Candidate.objects.values_list("pk", "state"))
    assert states[withdrawn.candidate_id] == CandidateState.CHECKED
    assert states[waiting.candidate_id] == CandidateState.IN_REVIEW
