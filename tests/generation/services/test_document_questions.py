"""Questions made of documents: built once, checked against the commands that come later."""

import pytest

from generation.core.items import Severity
from generation.core.registry import SUBTASKS
from generation.models import Candidate, CandidateState, Finding, Revision, Source
from generation.services.audits import Origin, audit_sets
from generation.services.candidates import build_from, sources_for
from generation.services.checks import run_checks
from tests.commands import PROJECT, run_json

pytestmark = pytest.mark.django_db
ACTION = SUBTASKS["env_setup_action"]


@pytest.fixture
def kilnlog():
    run_json("import_sources", "readme", PROJECT / "fixtures/readme/tarn-collective__kilnlog")
    (source,) = sources_for(ACTION, seed=0)
    return source


def revision_at(source: Source, cut: int) -> Revision:
    return Revision.objects.get(candidate__source=source, candidate__cut=cut)


def test_only_documents_in_the_subtask_s_language_are_its_sources(kilnlog):
    run_json("import_sources", "infodeepseek", PROJECT / "fixtures/infodeepseek")
    Source.objects.filter(pk=kilnlog.pk).update(language="zh")
    assert list(sources_for(ACTION, seed=0)) == []


def test_building_again_adds_nothing(kilnlog):
    assert build_from(kilnlog, ACTION, limit=4).candidates["env_setup_action"] == 4
    assert build_from(kilnlog, ACTION).candidates["env_setup_action"] == 6
    assert build_from(kilnlog, ACTION).candidates["env_setup_action"] == 0
    assert sorted(Candidate.objects.values_list("cut", flat=True)) == list(range(2, 12))


def test_what_is_built_goes_to_review_without_a_grave_finding(kilnlog):
    build_from(kilnlog, ACTION)
    assert run_checks().queued == 10
    assert not Finding.objects.filter(severity__gte=Severity.NEEDS_PERSON).exists()
    assert set(Candidate.objects.values_list("state", flat=True)) == {CandidateState.IN_REVIEW}


def test_a_plan_that_quotes_a_later_command_is_found(kilnlog):
    build_from(kilnlog, ACTION)
    revision = revision_at(kilnlog, 3)
    later = "python tools/calibrate.py --probe north --points tables/type-k.csv"
    revision.slots["execution_plan"] += f"\nThe last one is {later}."
    revision.save()
    run_checks()
    found = Finding.objects.filter(revision=revision, severity__gte=Severity.NEEDS_PERSON)
    assert {(each.kind, each.source_step) for each in found} == {("future_step", 9)}


def test_a_plan_that_quotes_its_own_answer_is_found(kilnlog):
    build_from(kilnlog, ACTION)
    revision = revision_at(kilnlog, 9)
    revision.slots["execution_plan"] += f"\nNow type {revision.gold[0]}."
    revision.save()
    run_checks()
    found = Finding.objects.filter(revision=revision, severity=Severity.BLOCKS_RELEASE)
    assert {each.kind for each in found} == {"gold_in_prompt"}


def test_a_command_that_the_prompt_says_was_run_is_found(kilnlog):
    build_from(kilnlog, ACTION)
    revision = revision_at(kilnlog, 3)
    revision.slots["executed_commands"] += f"\n{revision.gold[0]}"
    revision.save()
    run_checks()
    kinds = Finding.objects.filter(revision=revision).values_list("kind", flat=True)
    assert "target_already_executed" in kinds


def test_the_audit_counts_them_among_the_built(kilnlog):
    build_from(kilnlog, ACTION)
    assert audit_sets()[Origin.BUILT]["env_setup_action"].n == 10
