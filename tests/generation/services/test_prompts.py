"""Imported prompts are kept once by text, and the latest import is in use."""

import pytest

from generation.core.official_prompts import PromptFile
from generation.core.records import Language, Provenance, Question
from generation.models import AuditEvent, Finding, PromptTemplate
from generation.services.checks import run_checks
from generation.services.prompts import prompts_in_use, store_prompts
from generation.services.sources import store_records
from generation.services.trajectories import load_item, load_trajectory
from tests.make import make_revision

pytestmark = pytest.mark.django_db


def prompt(head: str, place: str = "code/prompts/issue_fix_locate_3shot.txt") -> PromptFile:
    return PromptFile("issue_fix_locate", f"{head}\n\n$ISSUE$ $CHOICES$ (", place)


def test_stored_prompt_is_in_use_with_its_examples():
    assert store_prompts([prompt("Examples.")]) == 1
    used = prompts_in_use()["issue_fix_locate"]
    assert (used.prompt.head, used.prompt.block) == ("Examples.\n\n", "$ISSUE$ $CHOICES$ (")
    assert (used.place, used.shots) == ("code/prompts/issue_fix_locate_3shot.txt", 3)


def test_same_prompt_comes_once_and_leaves_one_event():
    assert [store_prompts([prompt("Examples.")]) for _ in range(2)] == [1, 0]
    assert PromptTemplate.objects.count() == 1
    assert AuditEvent.objects.filter(action="prompt.imported").count() == 1


def test_latest_import_is_in_use_an_earlier_prompt_that_came_again_too():
    for head in ("First.", "Second."):
        store_prompts([prompt(head)])
    assert prompts_in_use()["issue_fix_locate"].prompt.head == "Second.\n\n"
    assert store_prompts([prompt("First.")]) == 0
    assert prompts_in_use()["issue_fix_locate"].prompt.head == "First.\n\n"
    assert PromptTemplate.objects.count() == 2


def test_text_that_no_database_takes_is_stored_all_the_same():
    assert [store_prompts([prompt("NUL: \x00")]) for _ in range(2)] == [1, 0]
    assert prompts_in_use()["issue_fix_locate"].prompt.head == "NUL: ␀\n\n"


def row(statement: str) -> Question:
    where = f"input_data.jsonl:{len(statement)}"
    return Question(
        provenance=Provenance("aptbench", statement, cluster=statement, where=where),
        subtask="issue_fix_locate",
        language=Language.EN,
        slots={"issue_statement": statement},
        options=("a = 1", "b = 2", "c = 3", "d = 4"),
        gold=("B",),
        raw={"issue_statement": statement},
    )


def test_question_that_is_an_example_of_its_set_is_found_and_another_is_not():
    store_records([row("The kiln cools too fast."), row("The kiln never cools down.")])
    kind = "query_in_fewshot_prompt"
    assert run_checks().findings[kind] == 0
    store_prompts([prompt("Issue: The kiln cools too fast.\nPart (A)")])
    assert run_checks().findings[kind] == 1
    found = Finding.objects.get(kind=kind)
    assert found.revision.candidate.source.external_id == "The kiln cools too fast."


def test_examples_of_an_imported_set_say_nothing_of_what_is_built_here():
    revision = make_revision()
    item = load_item(revision, load_trajectory(revision.candidate.source), examples="Examples.")
    assert item.extra == {}
