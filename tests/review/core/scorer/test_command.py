import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.scorer.command import compare_command
from tests.shared_data import REFERENCE, needs_shared


@needs_shared
def test_the_25_reference_pairs_hold():
    lines = (REFERENCE / "em_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    assert len(pairs) == 25
    for pair in pairs:
        match = compare_command(pair["prediction"], pair["gold"])
        found = {
            "em_strict": match.em_strict,
            "em_norm": match.em_norm,
            "tool_match": match.tool_match,
            "arg_f1": pytest.approx(pair["arg_f1"], abs=0.005),
        }
        assert found == {key: pair[key] for key in found} | {"arg_f1": match.arg_f1}, pair["why"]


SAME = [
    ("pip install -r 'requirements.txt'", "pip install -r requirements.txt"),
    ("make -j4  install ;", "make -j4 install"),
    ("$ make", "make"),
    ("```bash\nmake\n```", "make"),
    ("```\nmake\n```\nThen test.", "make"),
    ("make # build it", "make"),
    ("# first\nmake", "make"),
    ("A=1 B='x y' make", "B='x y' A=1 make"),
    ("make \\\n  -j4\nmake test", "make -j4"),
    ("make\nmake test", "make"),
    ("for f in a b; do\n  cat $f\ndone\nls", "for f in a b; do cat $f; done"),
    ("make &&\nmake test", "make && make test"),
    ("cat > f <<A\none\nA\nls", "cat > f <<'B'\none\nB"),
    ("cat <<-E\n\tone\n\tE", "cat <<E\none\nE"),
    ("echo $(ls   -l)", "echo $(ls -l)"),
    ("echo $'a b'", "echo 'a b'"),
    ("find . -exec rm {} \\;", "find . -exec rm '{}' ';'"),
    ("ls 1> f", "ls > f"),
    ("a; b", "a\nb"),
    ("make\r\nmake test\r\n", "make"),
    ("echo 'it''s'", 'echo "its"'),
]
DIFFERENT = [
    ("echo '$X'", 'echo "$X"'),
    ('echo "$X"', "echo $X"),
    ("ls *.py", "ls '*.py'"),
    ("ls ~/x", "ls '~/x'"),
    ("echo {a,b}", "echo '{a,b}'"),
    ("a; b", "a && b"),
    ("a", "a && b"),
    ("a", "a\nb"),
    ("tar -xz f", "tar -x -z f"),
    ("run --a b", "run --a=b"),
    ("sudo make", "make"),
    ("ls -a -l", "ls -l -a"),
    ("A=1 A=2 make", "A=2 A=1 make"),
    ("A=$B B=1 make", "B=1 A=$B make"),
    ("'A=1' make", "A=1 make"),
    ("make > a", "make >> a"),
    ("make &", "make"),
    ("make | tee l", "make || tee l"),
    ("cat <<E\n$X\nE", "cat <<'E'\n$X\nE"),
    ("cat <<E\none\nE", "cat <<E\ntwo\nE"),
    ("pip install “numpy”", 'pip install "numpy"'),
    ("echo 'a b'", "echo a b"),
    ("", "ls"),
]


@pytest.mark.parametrize(("prediction", "gold"), SAME)
def test_spelling_without_meaning_does_not_matter(prediction, gold):
    assert compare_command(prediction, gold).em_norm


@pytest.mark.parametrize(("prediction", "gold"), DIFFERENT)
def test_what_the_shell_would_do_otherwise_matters(prediction, gold):
    assert not compare_command(prediction, gold).em_norm


def test_strict_match_cuts_at_the_fence_and_trims_and_does_nothing_else():
    assert compare_command(" make\n```\nmore", "make").em_strict
    assert compare_command("make END more", "make", stop=["END"]).em_strict
    for prediction in ("$ make", "```bash\nmake\n```", "make;", "make\nls"):
        assert not compare_command(prediction, "make").em_strict


def test_a_prediction_that_does_not_parse_is_compared_as_text_and_told():
    match = compare_command("echo 'open", "echo 'open")
    assert (match.em_norm, match.parsed) == (True, False)
    match = compare_command("echo 'open", "echo open")
    assert (match.em_norm, match.parsed) == (False, False)


def test_three_backticks_inside_a_line_are_content():
    command = "grep -c '```python' README.md"
    match = compare_command(command + "\n```\nmore", command, stop=["\n```"])
    assert match.em_strict
    assert match.em_norm


def test_a_gold_that_is_cut_by_no_fence_is_compared_whole():
    gold = "cat > r.md <<'E'\n```\ncode\n```\nE"
    assert not compare_command("cat > r.md <<'E'\n", gold).em_norm


def test_tool_calls_compare_name_and_arguments_as_json():
    gold = '{"name": "search", "arguments": {"query": "x", "limit": 3}}'
    same = '{"arguments": "{\\"limit\\": 3, \\"query\\": \\"x\\"}", "name": "search"}'
    other = '{"name": "search", "arguments": {"query": "x", "limit": "3"}}'
    assert compare_command(same, gold).em_norm
    match = compare_command(other, gold)
    assert (match.em_norm, match.tool_match, match.arg_f1) == (False, True, 0.5)


def test_a_further_line_or_a_fence_says_that_the_command_ended():
    assert compare_command("make\nls", "make").ended
    assert compare_command("make\n```", "make").ended
    assert not compare_command("make", "make").ended


@given(st.text(), st.text())
def test_no_text_is_refused(prediction, gold):
    match = compare_command(prediction, gold)
    assert 0 <= match.arg_f1 <= 1


shell = st.lists(
    st.sampled_from(
        [
            *"ab ;|&<>()'\"\\$`*#={}\n",
            "$(",
            "${",
            "<<E\n",
            "\nE\n",
            "if ",
            "fi",
            "case ",
            "esac",
            "```",
        ]
    ),
    max_size=25,
).map("".join)


@given(shell)
def test_any_shell_like_text_is_read_and_a_command_equals_itself(text):
    match = compare_command(text, text)
    if "```" not in text and match.parsed and not text.strip().startswith("$ "):
        assert match.em_norm


@pytest.mark.parametrize(
    "unit",
    ["$(", "'a", '"', "{", "a=(", "`", "<<", "(", "if ", "$'", "${", "1", "a\\\n", "a;", "a<<b\n"],
)
def test_long_hostile_commands_end(unit):
    compare_command(unit * (100_000 // len(unit)), "ls")
