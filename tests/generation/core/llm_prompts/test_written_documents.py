"""Plans, patches and reports that a model wrote: which can stand as wrong options, and why others not."""

import json

import pytest

from generation.core.llm_prompts.catalogue import PROMPTS
from generation.core.llm_prompts.operators import LLM_OPERATORS, OPERATOR_OF
from generation.core.operators.operator import Unfit, Wrong
from generation.core.records import Document, Language
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, PoolEntry
from tests.generation.core.subtasks.bug_fix_documents import (
    FIX,
    SOURCE,
    TEST_FIX,
    TEST_PATH,
    TESTS,
    instance,
    patch,
    replaced,
)

STEPS = (
    "Clone the repository of kiln",
    "Create a conda environment",
    "Activate the environment",
    "Install what requirements.txt lists",
    "Read the manual of glazes",
    "Run the first firing",
)
PLAN = "\n".join(f"{n}. {step}" for n, step in enumerate(STEPS, start=1))


def plan_entry(gold: str = PLAN) -> PoolEntry:
    return PoolEntry("k", "k", "acme", Draft(1, gold, {"repo_info": "kiln"}), (), ())


def fault_of(steps) -> str | None:
    asked = LLM_OPERATORS["llm_degrade"]["env_setup_plan"]
    shape = PROMPTS[asked.purpose, Language.EN].shape
    answer = shape.model_validate({"wrong": [{"steps": list(steps), "flaw": "f"}]})
    (wrong,) = asked.options(answer, plan_entry())
    assert isinstance(wrong, Wrong)
    return asked.fault(wrong.text, plan_entry())


def without(*places: int):
    return [step for place, step in enumerate(STEPS) if place not in places]


def put(step: str, place: int):
    return [*STEPS[:place], step, *STEPS[place + 1 :]]


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(put("Install the newest of everything", 3), id="another step"),
        pytest.param([*STEPS[3:4], *STEPS[:3], *STEPS[4:]], id="a step before what it needs"),
        pytest.param(without(1), id="a needed step left out"),
        pytest.param([f"{n}. {s}" for n, s in enumerate(put("Sell it", 2), 3)], id="numbered anew"),
    ],
)
def test_plan_that_fails_can_stand(steps):
    assert fault_of(steps) is None


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (STEPS, "nearly the right answer"),
        (without(4), "may work without"),
        ([*STEPS[:3], STEPS[4], STEPS[3], STEPS[5]], "does not matter"),
        ([*STEPS, "Sweep the floor"], "every step of the right one"),
        (without(0, 1, 2), "number of steps"),
        (put(STEPS[0], 4), "a step twice"),
        (put("去看看窑炉的温度记录", 4), "another language"),
        (put("Look at <<end 0123456789abcdef>>", 4), "mark of the request"),
    ],
)
def test_plan_that_may_work_or_gives_itself_away_is_refused_by_a_rule(steps, why):
    assert why in (fault_of(steps) or "")


def test_plan_is_written_as_the_right_one_is():
    asked = LLM_OPERATORS["llm_degrade"]["open_plan_en"]
    shape = PROMPTS[asked.purpose, Language.EN].shape
    answer = shape.model_validate(
        {"wrong": [{"steps": ["1. Ask\nwhom:\n  the potter", "Write"], "flaw": "f"}]}
    )
    (flat,) = asked.options(answer, plan_entry())
    assert isinstance(flat, Wrong)
    assert flat.text == "1. Ask whom: the potter\n2. Write"
    (parts,) = asked.options(answer, plan_entry("1. Look\n   - at it\n2. Write"))
    assert isinstance(parts, Wrong)
    assert parts.text == "1. Ask\n   whom:\n  the potter\n2. Write"


def patch_entry(subtask: str) -> PoolEntry:
    document = instance()
    return entry_of(document, subtask)


def entry_of(document: Document, subtask: str) -> PoolEntry:
    build = SUBTASKS[subtask].build_document
    assert build is not None
    (draft,) = build(document)
    assert isinstance(draft, Draft)
    return PoolEntry("k", "k", "acme", draft, (), (), document)


def attempt(subtask: str, text: str) -> str | None:
    """Return why a patch of a model can't stand, None when it can."""
    asked = LLM_OPERATORS["llm_patch"][subtask]
    shape = PROMPTS[asked.purpose, Language.EN].shape
    (read,) = asked.options(shape.model_validate({"patch": text}), patch_entry(subtask))
    return read.why if isinstance(read, Unfit) else asked.fault(read.text, patch_entry(subtask))


OTHER = patch(SOURCE, replaced("warm > limit_5:", "warm > limit_5 + 1:"))


@pytest.mark.parametrize("text", [OTHER, f"```diff\n{OTHER}```", OTHER.rstrip("\n")])
def test_patch_that_applies_and_does_something_else_can_stand(text):
    assert attempt("issue_fix_fix_patch", text) is None


@pytest.mark.parametrize(
    ("subtask", "text", "why"),
    [
        ("issue_fix_fix_patch", FIX, "what the right one does"),
        ("issue_fix_fix_patch", OTHER.replace("log_5", "log_55"), "does not apply"),
        ("issue_fix_fix_patch", "Change line 5.", "does not apply"),
        ("issue_fix_fix_patch", patch(TESTS, TESTS + "\n# a\n", TEST_PATH), "should not"),
        ("issue_fix_test_patch", OTHER, "should not"),
        ("issue_fix_test_patch", TEST_FIX, "what the right one does"),
    ],
)
def test_patch_that_is_none_or_is_right_is_refused(subtask, text, why):
    assert why in (attempt(subtask, text) or "")


def test_patch_prompt_shows_issue_and_files_and_never_the_right_patch():
    entry = patch_entry("issue_fix_fix_patch")
    shown = LLM_OPERATORS["llm_patch"]["issue_fix_fix_patch"].material(entry, task="")
    assert "Stage five overheats" in shown["issue"]
    assert "warm > limit_5:" in shown["files"]
    assert "margin" not in json.dumps(shown)


def test_long_file_is_shown_around_the_place_alone_and_its_lines_stand_as_they_are():
    long = SOURCE + "\n" + "".join(f"# {n} of the glazes\n" for n in range(3000))
    document = instance(
        patch(long, long.replace("> limit_5:", ">= limit_5:")), files={"kiln/fire.py": long}
    )
    entry = entry_of(document, "issue_fix_fix_patch")
    shown = LLM_OPERATORS["llm_patch"]["issue_fix_fix_patch"].material(entry, task="")["files"]
    head, _, part = shown.partition("]\n")
    assert "[lines 1 to " in head
    assert len(part) < 16_000
    assert part in long
    assert "warm > limit_5:" in part


def report_fault(text: str, gold: str) -> str | None:
    entry = PoolEntry("k", "k", "acme", Draft(1, gold, {"query": "q"}), (), ())
    return LLM_OPERATORS["llm_degrade"]["open_report_en"].fault(text, entry)


def test_report_stands_where_it_differs_enough_and_is_about_as_long():
    gold = " ".join(f"The glaze of year {n} melts at {900 + n} degrees." for n in range(40))
    assert report_fault(gold.replace("melts at 9", "boils under 8"), gold) is None
    assert "nearly" in (report_fault(gold.replace("905", "906"), gold) or "")
    assert "length" in (report_fault(gold[:300], gold) or "")


def test_each_subtask_has_one_operator_that_asks_for_its_options():
    names = [name for known in LLM_OPERATORS.values() for name in known]
    assert sorted(names) == sorted(OPERATOR_OF)
    assert all(SUBTASKS[name].choices for name in names)
