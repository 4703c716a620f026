import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from review.core.scorer import score
from tests.review.core.scorer.make_export import make_row, write_export, write_predictions

# no test here may touch the database: none carries the mark that would let it


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "benchmark": write_export(tmp_path / "e", [make_row("a"), make_row("b")]),
        "predictions": write_predictions(tmp_path / "p.jsonl", {"a": "B)", "b": "C)"}),
    }


def test_one_json_object_on_stdout_holds_what_the_scorer_gives(files, capsys):
    call_command("score", **files, json=True)
    expected = score(files["benchmark"], files["predictions"])
    assert json.loads(capsys.readouterr().out) == expected


def test_the_table_is_for_people_and_compat_marks_it(files, capsys):
    call_command("score", **files, compat="aptbench")
    assert capsys.readouterr().out.startswith("[compat aptbench] apt-annotate ")


def test_a_changed_byte_leaves_with_1(files):
    path = files["benchmark"] / "items" / "env_setup_plan.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(CommandError, match=r"env_setup_plan\.jsonl") as caught:
        call_command("score", **files)
    assert caught.value.returncode == 1


def test_unreadable_input_leaves_with_2_and_says_where(files):
    files["predictions"].write_text('{"id": "a", "output": 1}\n', encoding="utf-8")
    with pytest.raises(CommandError, match=r"p\.jsonl, line 1: field output") as caught:
        call_command("score", **files)
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match=r"manifest\.json") as caught:
        call_command("score", **files | {"benchmark": files["benchmark"].parent})
    assert caught.value.returncode == 2
