"""What the checker says of single items."""

import json

import pytest

from generation.core.items import Finding
from generation.core.leakage.check import LeakChecker
from generation.core.prompts import render_history, render_options
from tests.generation.core.leakage.runs import WRITTEN, step
from tests.shared_data import CASES, needs_shared

RUN = WRITTEN[0]
LINE = "index only scan using invoice_customer_month_idx"


def checker(**changes) -> LeakChecker:
    told = {"task": RUN.task, "steps": RUN.steps, "tools_text": "bash(command)"} | changes
    return LeakChecker.for_trajectory(**told)


def check(extra: str, *, cut: int = 3, **changes) -> list[Finding]:
    prompt = f"{RUN.task}\n{render_history(RUN.steps[: cut - 1])}\n\nNow:\n{extra}\n"
    known = {"gold": (), "options": ()} | changes
    findings = checker().check(cut=cut, prompt=prompt, **known)
    for finding in findings:
        if finding.field == "prompt":
            assert prompt[finding.start : finding.end] == finding.evidence
    return findings


def told(findings: list[Finding]) -> list[tuple[str, int, str, int | None]]:
    return [(f.kind, int(f.severity), f.evidence, f.source_step) for f in findings]


def test_what_is_visible_never_leaks():
    assert check(RUN.steps[1].observation + RUN.steps[0].thought + RUN.task) == []


def test_a_later_observation_in_the_prompt_needs_a_person():
    text = RUN.steps[6].observation
    assert told(check("seq: " + RUN.steps[4].observation.splitlines()[1])) == [
        ("future_observation", 2, RUN.steps[4].observation.splitlines()[1], 5)
    ]
    assert ("outcome", 3, "11 passed", 7) in told(check(text))


def test_the_own_observation_of_the_step_is_future():
    assert told(check("CREATE INDEX invoice_customer_month_idx Time: 88412.903"))[0][1:] == (
        2, "CREATE INDEX invoice_customer_month_idx Time: 88412.903", 3,
    )  # fmt: skip


def test_five_to_seven_words_are_a_note():
    thought = "cut-off in the log should tell"
    assert told(check(thought)) == [("future_step", 1, thought, 5)]


def test_chinese_counts_characters_by_half():
    bridge = WRITTEN[1]
    seen = LeakChecker.for_trajectory(task=bridge.task, steps=bridge.steps)
    short, long = "匠人林守拙主持修建，历时", "桥由匠人林守拙主持修建，历时四年，于一"
    assert [int(f.severity) for f in seen.check(cut=2, prompt=short)] == [1]
    assert [int(f.severity) for f in seen.check(cut=2, prompt=long)] == [2]
    assert seen.check(cut=2, prompt="匠人林守拙主持") == []


def test_other_case_blanks_and_escapes_do_not_hide_it():
    text = RUN.steps[4].observation.splitlines()[1]
    for change in (str.upper, lambda t: t.replace(" ", "\\n"), lambda t: "\u200b".join(t)):
        findings = check(change(text))
        assert [(f.kind, int(f.severity), f.evidence) for f in findings] == [
            ("future_observation", 2, change(text))
        ]


def test_the_thought_of_the_step_is_visible_only_if_told():
    thought = RUN.steps[2].thought
    assert [f.kind for f in check(thought)] == ["future_step"]
    assert check(thought, visible_thought=True) == []


def test_options_may_hold_later_thoughts_and_actions_but_no_observation():
    options = (RUN.steps[2].thought, RUN.steps[5].action, f"Look at {LINE} or so")
    findings = check("", options=options)
    assert [(f.kind, int(f.severity), f.field, f.source_step) for f in findings] == [
        ("future_observation", 1, "option:2", 4)
    ]
    assert options[2][findings[0].start : findings[0].end] == LINE


def test_options_rendered_into_the_prompt_are_judged_as_options():
    options = tuple(s.thought for s in RUN.steps[2:6])
    assert check(render_options(options), options=options, gold=options[:1]) == []


def test_gold_in_the_prompt_blocks():
    gold = RUN.steps[2].thought
    assert told(check(f"Hint: {gold}", gold=(gold,))) == [("gold_in_prompt", 3, gold, 3)]


def test_gold_that_was_said_before_is_no_leak():
    assert check(RUN.steps[0].action, gold=(RUN.steps[0].action,)) == []


@pytest.mark.parametrize("gold", ["submit", "ls", "ls -la", "cd src", "git diff", "pwd"])
def test_a_short_gold_command_is_no_finding(gold):
    seen = checker(steps=(*RUN.steps[:2], step("x", gold, "y")))
    assert seen.check(cut=3, prompt=f"Use {gold} when you are done.", gold=(gold,)) == []


def test_a_short_but_distinctive_gold_command_is_found():
    gold = "pytest tests/units -x"
    seen = checker(steps=(*RUN.steps[:2], step("x", gold, "y")))
    found = seen.check(cut=3, prompt=f"Use {gold} now.", gold=(gold,))
    assert ("gold_in_prompt", 3, gold, 3) in told(found)


@pytest.mark.parametrize(
    ("answer", "prompt", "found"),
    [
        ("Ferdinand Oyelaran", "It is Ferdinand Oyelaran.", True),
        ("Lisboa", "Think of Lisboa.", True),
        ("1783", "Perhaps 1783?", True),
        ("林守拙", "也许是林守拙吧", True),
        ("yes", "Say yes or no.", False),
        ("42", "Read 42 lines.", False),
        ("是", "这是问题", False),
    ],
)
def test_the_final_answer_is_found_unless_it_is_a_plain_word(answer, prompt, found):
    findings = checker(final_answer=answer).check(cut=2, prompt=prompt)
    assert told(findings) == ([("final_answer", 3, answer, None)] if found else [])


def test_success_that_was_reported_before_is_known():
    assert [f.kind for f in check("11 passed")] == ["outcome"]
    assert check("11 passed", cut=8) == []


@pytest.mark.parametrize(
    ("extra", "kind", "severity"),
    [
        ("commit 7fe21c09ab", "future_observation", 2),
        ("see https://wiki.example.org/reports/nightly-rollup#cutoff", "future_observation", 2),
        ("on 2031-07-19", "future_observation", 2),
        ("it took 17.88 s", "future_observation", 2),
        ("read var/log/nightly/run_0719.log", "future_step", 2),
        ("the invoice_customer_month_idx", "future_observation", 1),
    ],
)
def test_single_facts_of_the_future_are_found(extra, kind, severity):
    assert [(f.kind, int(f.severity)) for f in check(extra)] == [(kind, severity)]


def test_import_lines_are_information():
    shown = "import os\nimport re\nimport sys\nimport json\nimport math\nimport shutil"
    seen = checker(steps=(*RUN.steps[:2], step("x", "y", shown)))
    assert [int(f.severity) for f in seen.check(cut=3, prompt=shown)] == [0]


def test_a_quotation_cut_in_a_word_is_still_the_visible_text():
    start = RUN.task.index("report")
    quoted = RUN.task[start + 3 :]
    seen = checker(steps=(*RUN.steps[:2], step("x", "y", f"log: {quoted}")))
    assert seen.check(cut=3, prompt=quoted) == []


def test_visible_extra_is_never_future():
    text = RUN.steps[4].observation
    assert checker(visible_extra=text).check(cut=2, prompt=text) == []
    assert checker(visible_extra=("x", text)).check(cut=2, prompt=text) == []


def test_the_submission_is_future_at_every_cut():
    patch = "--- a/x.py +++ b/x.py @@ return number of whole units that fit"
    findings = checker(submission=patch).check(cut=9, prompt=f"Patch: {patch}")
    assert [(f.kind, int(f.severity)) for f in findings] == [("final_answer", 3)]


@pytest.mark.parametrize("cut", [0, 10, -1])
def test_a_cut_the_run_does_not_have_is_refused(cut):
    with pytest.raises(ValueError, match=r"cut -?\d+ is outside 1..9"):
        checker().check(cut=cut, prompt="")


@needs_shared
@pytest.mark.shared
def test_the_published_case_of_leaking_prompts():
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    case = next(case for case in cases if case["id"] == "CB05")
    run, expected = case["input"]["trajectory"], case["expected"]
    steps = tuple(step(s["thought"], s["action"], s["observation"]) for s in run["steps"])
    cut = case["input"]["ask_at_step"]
    seen = LeakChecker.for_trajectory(task=run["task"], steps=steps)
    for name, prompt in case["input"]["prompts"].items():
        findings = seen.check(cut=cut, prompt=prompt, gold=(steps[cut - 1].thought,))
        assert any(f.severity >= 2 for f in findings) == expected["leak"][name], name
        assert all(prompt[f.start : f.end] == f.evidence != "" for f in findings)
        if name in expected["first_leaked_step"]:
            leaked = min(f.source_step for f in findings if f.source_step)
            assert leaked == expected["first_leaked_step"][name]
