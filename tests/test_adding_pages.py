"""The pages on adding a source and a subtask: their examples do what the pages say."""

import json
import re
from pathlib import Path
from types import ModuleType

from generation.core.importers.importer import Importer
from generation.core.prompts import slot_names
from generation.core.records import Refusal, Trajectory
from generation.core.subtask import Draft, Subtask
from tests.generation.core.runs import swe_run

DOCS = Path(__file__).resolve().parents[1] / "docs"


def example(page: str) -> ModuleType:
    """The module that the page's first block of Python is."""
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE
    )
    module = ModuleType("example")
    exec(compile(blocks[0], page, "exec"), module.__dict__)  # the page is our own
    return module


def test_the_subtask_of_the_page_asks_for_searches_alone():
    subtask: Subtask = example("adding-a-subtask.md").SUBTASK
    assert subtask.build is not None
    results = list(subtask.build(swe_run(1)))
    golds = [result.gold for result in results if isinstance(result, Draft)]
    assert len(results) == len(swe_run(1).steps)
    assert golds
    assert all(gold.startswith("grep ") for gold in golds)
    assert set(slot_names(subtask.prompt.block)) == {"task", "history"}
    assert subtask.prompt.block.endswith("```bash\n")


def test_the_importer_of_the_page_reads_and_refuses_by_field(tmp_path):
    importer: Importer = example("adding-a-source.md").IMPORTER
    row = {"id": "1", "task": "Mend the kiln.", "diary": [{"command": "ls -a"}]}
    rows = [row, row | {"solved": False}, {"other": 1}]
    path = tmp_path / "a.diary.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    run, failed, other = importer.read(tmp_path)
    assert isinstance(run, Trajectory)
    assert run.steps[0].action == "ls -a"
    assert isinstance(failed, Refusal)
    assert failed.why == "field 'solved' is false: not usable as gold"
    assert isinstance(other, Refusal)
    assert (other.where, other.field) == (f"{path}:3", "diary")
