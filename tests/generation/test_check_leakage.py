"""The command that checks cases of a file; no test here may touch a database."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

CASE: dict[str, Any] = {
    "id": "one",
    "task": "Let the parser accept a unit",
    "steps": [
        {"thought": "Look.", "action": "cat len.py", "observation": "def parse(s): return int(s)"},
        {
            "thought": "Cut the unit off before the number is read.",
            "action": "python edit.py",
            "observation": "edited: return int(unit_pattern.match(text).group(1) or 0)",
        },
    ],
    "cut": 2,
    "prompt": "Task: let the parser accept a unit. What is next?",
    "options": ["Cut the unit off before the number is read.", "Stop here."],
    "gold": [0],
}


def run(tmp_path: Path, *lines: object, **options: object) -> str:
    path = tmp_path / "cases.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    out = StringIO()
    call_command("check_leakage", input=path, stdout=out, **options)
    return out.getvalue()


def test_each_case_gets_one_json_line_in_order(tmp_path):
    leaking = CASE | {"id": 2, "prompt": "Hint: return int(unit_pattern.match(text).group(1) or 0)"}
    first, second = map(json.loads, run(tmp_path, CASE, leaking, json=True).splitlines())
    assert first == {"id": "one", "findings": [], "max_severity": 0}
    assert second == {
        "id": 2,
        "findings": [
            {
                "kind": "future_observation",
                "severity": 2,
                "field": "prompt",
                "start": 6,
                "end": 56,
                "text": "return int(unit_pattern.match(text).group(1) or 0)",
                "source_step": 2,
            }
        ],
        "max_severity": 2,
    }


def test_gold_may_be_a_text_or_an_index(tmp_path):
    prompt = f"Hint: {CASE['options'][0]}"
    for gold in ([0], CASE["options"][0]):
        report = json.loads(run(tmp_path, CASE | {"prompt": prompt, "gold": gold}, json=True))
        assert [finding["kind"] for finding in report["findings"]] == ["gold_in_prompt"]


def test_the_thought_of_the_step_is_visible_only_if_the_case_says_so(tmp_path):
    case = CASE | {"prompt": CASE["steps"][1]["thought"], "gold": "python edit.py"}
    assert json.loads(run(tmp_path, case, json=True))["max_severity"] == 2
    shown = run(tmp_path, case | {"visible_thought": True}, json=True)
    assert json.loads(shown)["max_severity"] == 0


def test_without_json_people_can_read_it(tmp_path):
    leaking = CASE | {"prompt": "resolved: true"}
    assert run(tmp_path, CASE, leaking | {"id": "two"}).splitlines() == [
        "one: nothing",
        "two: 1 finding",
        "  3  answer_key            prompt 0-14                          resolved: true",
    ]


def test_empty_lines_and_unknown_fields_are_left_alone(tmp_path):
    more = CASE | {"base_time": "2031-01-01", "note": 3, "final_answer": None}
    assert len(run(tmp_path, more, "", CASE, json=True).splitlines()) == 2


def without(name: str) -> dict[str, object]:
    return {key: value for key, value in CASE.items() if key != name}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "not JSON"),
        ('"\\ud800"', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "expected a JSON object, got a list"),
        *((without(name), f"'{name}' is missing") for name in CASE),
        (CASE | {"cut": 0}, r"'cut' must be in 1\.\.3 for 2 steps, got 0"),
        (CASE | {"cut": 4}, r"'cut' must be in 1\.\.3 for 2 steps, got 4"),
        (CASE | {"cut": "2"}, "'cut' must be a whole number, got a text"),
        (CASE | {"cut": True}, "'cut' must be a whole number"),
        (CASE | {"final_answer": 0}, "'final_answer' must be a text"),
        (CASE | {"final_answer": False}, "'final_answer' must be a text"),
        (CASE | {"final_answer": []}, "'final_answer' must be a text, got a list"),
        (CASE | {"prompt": None}, "'prompt' must be a text, got null"),
        (CASE | {"options": "A"}, "'options' must be a list, got a text"),
        (CASE | {"options": ["A", 2]}, r"'options\[1\]' must be a text, got a number"),
        (CASE | {"gold": [2]}, "'gold' must list indexes of the 2 options"),
        (CASE | {"gold": [True]}, "'gold' must list indexes"),
        (CASE | {"gold": 1}, "'gold' must be a text or a list of option indexes"),
        (CASE | {"steps": [1]}, r"'steps\[0\]' must be an object"),
        (CASE | {"steps": [{"thought": "", "action": ""}]}, r"'steps\[0\].observation' is missing"),
        (CASE | {"visible_thought": "no"}, "'visible_thought' must be true or false"),
    ],
)
def test_a_bad_line_is_named_and_nothing_else_is_printed(tmp_path, bad, why, capsys):
    out = StringIO()
    path = tmp_path / "cases.jsonl"
    line = bad if isinstance(bad, str) else json.dumps(bad)
    path.write_text(f"{json.dumps(CASE)}\n{line}\n", encoding="utf-8")
    with pytest.raises(CommandError, match=rf"line 2: .*{why}") as refused:
        call_command("check_leakage", input=path, json=True, stdout=out)
    assert refused.value.returncode == 2
    assert out.getvalue() == ""
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["absent.jsonl", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(CommandError, match=r"(No such file|Is a directory)") as refused:
        call_command("check_leakage", input=tmp_path / name)
    assert refused.value.returncode == 2


def test_bytes_that_are_no_utf8_are_refused(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(CommandError, match="line 1: not JSON"):
        call_command("check_leakage", input=path)
