"""``build_candidates`` and ``generate_distractors``: from runs to complete questions."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management.base import CommandError
from django.db import connection

from generation.core.registry import SUBTASKS
from generation.models import Candidate, Option, Revision
from tests.commands import PROJECT, run_json

BUILT = [name for name, subtask in SUBTASKS.items() if subtask.build or subtask.build_document]


@pytest.fixture
def samples(db):
    run_json("import_sources", "swe_smith", PROJECT / "fixtures/swe_smith")
    run_json("import_sources", "infodeepseek", PROJECT / "fixtures/infodeepseek")
    run_json("import_sources", "readme", PROJECT / "fixtures/readme")


def test_samples_give_candidates_of_every_subtask_made_of_their_kinds(samples):
    result = run_json("build_candidates")
    assert list(result["candidates"]) == BUILT
    made = {name for name, count in result["candidates"].items() if count >= 10}
    kinds = {"swe_smith", "infodeepseek", "readme"}
    assert made == {name for name in BUILT if kinds & {*SUBTASKS[name].source_kinds}}


def test_building_again_adds_nothing(samples):
    run_json("build_candidates")
    count = Candidate.objects.count()
    assert set(run_json("build_candidates")["candidates"].values()) == {0}
    assert Candidate.objects.count() == count


def test_limited_run_is_completed_by_a_later_one(samples):
    run_json("build_candidates", "--limit", "7")
    assert Candidate.objects.filter(subtask="issue_fix_action").count() == 7
    run_json("build_candidates")
    whole = Candidate.objects.filter(subtask="issue_fix_action").count()
    Option.objects.all().delete()
    Revision.objects.all().delete()
    Candidate.objects.all().delete()
    run_json("build_candidates")
    assert Candidate.objects.filter(subtask="issue_fix_action").count() == whole


def test_distractors_are_the_same_whenever_they_are_made(samples):
    run_json("build_candidates")
    run_json("generate_distractors", "--rules-only")

    def options() -> list[tuple[str, int, int, str]]:
        rows = Option.objects.values_list(
            "revision__candidate__source__digest", "revision__candidate__cut", "position", "text"
        )
        return sorted(rows)

    first = options()
    assert set(run_json("generate_distractors", "--rules-only")["candidates"].values()) == {0}
    assert options() == first
    Option.objects.all().delete()
    Revision.objects.all().delete()
    Candidate.objects.all().delete()
    run_json("build_candidates")
    run_json("generate_distractors", "--rules-only")
    assert options() == first


def test_every_option_says_where_it_comes_from(samples):
    run_json("build_candidates", "--subtask", "closed_plan_en")
    result = run_json("generate_distractors", "--rules-only", "--subtask", "closed_plan_en")
    distractors = Option.objects.exclude(operator="gold")
    assert distractors.count() == sum(result["operators"].values()) > 0
    assert not distractors.filter(reason="").exists()
    assert not distractors.filter(seed=None).exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_the_options_of_one(tmp_path):
    run_json("import_sources", "infodeepseek", PROJECT / "fixtures/infodeepseek")
    run_json("build_candidates", "--subtask", "closed_plan_en")

    def generate(_number):
        try:
            return run_json("generate_distractors", "--rules-only", "--subtask", "closed_plan_en")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(generate, range(2)))
    made = sum(result["candidates"]["closed_plan_en"] for result in results)
    assert made == Option.objects.filter(position=1).count() > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--subtask", "no_such"], "no subtask 'no_such'"),
        (["--limit", "0"], "at least 1"),
    ],
)
def test_wrong_use_is_refused(db, arguments, said):
    with pytest.raises(CommandError, match=said) as stopped:
        run_json("build_candidates", *arguments)
    assert stopped.value.returncode == 2
