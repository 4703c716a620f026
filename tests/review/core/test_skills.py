from generation.core.registry import SUBTASKS
from review.core.skills import judgeable


def judged(languages=(), scenarios=()):
    return judgeable(SUBTASKS.values(), languages=languages, scenarios=scenarios)


def test_no_skills_named_stand_for_all():
    assert judged() == frozenset(SUBTASKS)


def test_language_leaves_out_the_subtasks_of_others():
    assert "closed_plan_zh" not in judged(languages=["en"])
    assert "closed_plan_en" in judged(languages=["en"])


def test_language_and_scenario_must_both_hold():
    assert judged(languages=["zh"], scenarios=["closed_qa"]) == {
        name
        for name, subtask in SUBTASKS.items()
        if subtask.language == "zh" and subtask.scenario == "closed_qa"
    }


def test_unknown_language_judges_nothing():
    assert judged(languages=["xx"]) == frozenset()
