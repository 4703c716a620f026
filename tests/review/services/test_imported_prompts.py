"""A set made elsewhere is frozen with the prompts that lie beside it, else with our wording."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from generation.core.registry import SUBTASKS
from review.core.spool import LineSpool, unpack
from review.models import Release
from review.services.release_plan import FreezeOrder, plan_release
from review.services.release_render import render_release
from review.services.releases import freeze
from tests.commands import run_json

pytestmark = pytest.mark.django_db

AT = datetime(2026, 1, 1, tzinfo=UTC)
ORDER = FreezeOrder(name="kilns", version="1", at=AT, as_imported=True)
HEAD = "Find the part to be changed.\n\nIssue: Lid.\nParts: (A) lid (B) pan\nPart (A)\n\n"
BLOCK = "Issue: $ISSUE$\nParts: $CHOICES$\nPart ("
CHOICES = "(A) a = 1 (B) b = $ISSUE$"
LOCATE = {"uuid": "u1", "issue_statement": " Cold: $CHOICES$\n", "choices": CHOICES, "answer": "B"}
ACTION = {
    "uuid": "u2",
    "execution_plan": "step1: Clone",
    "executed_cmds": "git clone u",
    "cmd_prefix": "cd",
    "target_cmd": "cd u",
}


def make_set(folder: Path, **prompts: str) -> Path:
    for task, row in (("issue_fix/locate", LOCATE), ("env_setup/action", ACTION)):
        path = folder / "data" / task / "input_data.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "code/prompts").mkdir(parents=True, exist_ok=True)
    for name, text in prompts.items():
        (folder / f"code/prompts/{name}.txt").write_text(text, encoding="utf-8")
    return folder


def frozen(version: str = "1") -> Release:
    return freeze(replace(ORDER, version=version))


def items(release: Release) -> dict[str, dict]:
    rows = [json.loads(unpack(item.line)) for item in release.items.all()]
    return {row["subtask"]: row for row in rows}


def test_prompt_is_the_official_text_filled_in_one_pass(tmp_path):
    run_json("import_sources", "aptbench", make_set(tmp_path, issue_fix_locate_3shot=HEAD + BLOCK))
    release = frozen()
    item = items(release)["issue_fix_locate"]
    asked = "Issue: Cold: $CHOICES$\nParts: (A) a = 1 (B) b = $ISSUE$\nPart ("
    assert release.files["prompts/issue_fix_locate.txt"] == HEAD
    assert item["prompt"] == asked
    assert item["chars"] == len(HEAD + asked)
    assert [option["text"] for option in item["options"]] == ["a = 1", "b = $ISSUE$"]
    assert item["gold"] == ["B"]


def test_tasks_without_a_prompt_keep_our_wording_and_the_card_says_so(tmp_path):
    run_json("import_sources", "aptbench", make_set(tmp_path, issue_fix_locate_3shot=HEAD + BLOCK))
    release = frozen()
    instruction = SUBTASKS["env_setup_action"].prompt.instruction
    assert release.files["prompts/env_setup_action.txt"] == f"{instruction}\n\n"
    card = release.files["README.md"]
    assert "Prompts are those of the imported set: issue_fix_locate_3shot.txt." in card
    assert "project's wording, without worked examples, for env_setup_action." in card


def test_number_of_examples_is_what_the_file_name_says(tmp_path):
    run_json("import_sources", "aptbench", make_set(tmp_path, issue_fix_locate_3shot=HEAD + BLOCK))
    release = frozen()
    assert release.manifest["shots"] == release.shots == 3
    assert (
        "| issue_fix_locate | issue_fix | atomic | choice | 1 | 1 | 3 |"
        in (release.files["README.md"])
    )


def test_number_of_examples_that_nothing_tells_is_said_to_be_unknown(tmp_path):
    run_json("import_sources", "aptbench", make_set(tmp_path, issue_fix_locate=HEAD + BLOCK))
    release = frozen()
    assert release.manifest["shots"] == 0
    assert "| 1 | 1 | unknown |" in release.files["README.md"]


def test_refused_prompt_is_listed_and_our_wording_is_used(tmp_path):
    result = run_json(
        "import_sources", "aptbench", make_set(tmp_path, issue_fix_locate_3shot="$ISSUE$ (")
    )
    [refused] = result["refused"]
    assert refused["where"].endswith("code/prompts/issue_fix_locate_3shot.txt")
    assert refused["why"] == "placeholder $CHOICES$ is missing"
    assert (result["read"], result["imported"]) == (2, 2)
    release = frozen()
    assert release.manifest["shots"] == 0
    assert (
        "Prompts are in this project's wording, without worked examples."
        in (release.files["README.md"])
    )


def test_prompt_that_came_later_is_the_one_used_and_ids_stay(tmp_path):
    run_json("import_sources", "aptbench", make_set(tmp_path, issue_fix_locate_3shot=HEAD + BLOCK))
    first = frozen()
    make_set(tmp_path, issue_fix_locate_3shot=HEAD + BLOCK.replace("Part (", "The part is ("))
    result = run_json("import_sources", "aptbench", tmp_path)
    assert (result["imported"], result["skipped"]) == (0, 2)
    second = frozen(version="2")
    assert items(second)["issue_fix_locate"]["prompt"].endswith("The part is (")
    assert items(second)["issue_fix_locate"]["id"] == items(first)["issue_fix_locate"]["id"]


def test_digest_covers_the_prompt_and_not_only_its_head(tmp_path):
    digests = []
    for number, block in enumerate((BLOCK, BLOCK.replace("Part (", "The part is ("))):
        folder = make_set(tmp_path / str(number), issue_fix_locate_3shot=HEAD + block)
        run_json("import_sources", "aptbench", folder)
        with LineSpool() as lines:
            digests.append(render_release(plan_release(ORDER), lines).digest)
    assert digests[0] != digests[1]
