"""The checks of a completion's gold: commands above all, and answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.checks import (
    gold_exceeds_max_new_tokens,
    gold_is_command_fragment,
    gold_not_shell,
    gold_wrapped_in_quotes,
    placeholder_in_gold,
    target_already_executed,
)
from tests.generation.core.checks.make import answer, choice, command, make_item


def evidence(check, item):
    return [finding.evidence for finding in check(item)]


def test_a_command_that_is_no_shell_says_where():
    (said,) = evidence(gold_not_shell.check, command("echo (a"))
    assert said == "echo (a: line 1, column 8: ) is missing"


def test_answers_and_choices_are_no_commands():
    for check in (gold_not_shell.check, gold_is_command_fragment.check, placeholder_in_gold.check):
        assert not [*check(answer('"and <your answer')), *check(choice("and (", "<your b>"))]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("blmp] --seed 0", "] closes nothing"),
        ("pip install -e '.[dev", "the quote ' is never closed"),
        ("; make", "it begins with ;"),
        ("\\n  x", "it begins with \\"),
        ("from a import b", "it begins with code of another language or prose: from a import"),
        ("import nltk", "it begins with code of another language or prose: import n"),
        ("using Pkg", "it begins with code of another language or prose: using P"),
        ("length = 1", "it begins with code of another language or prose: length ="),
        ("model.fit(x)", "it begins with code of another language or prose: model.fit("),
        ("def f", "it begins with code of another language or prose: def"),
        ("or cd b", "it begins with code of another language or prose: or"),
        (
            "for x in xs:\n  y",
            "it begins with code of another language or prose: for x in xs:",
        ),
        ("# only a note", "it is a comment"),
    ],
)
def test_a_piece_of_a_command_or_other_code_is_a_fragment(text, why):
    assert evidence(gold_is_command_fragment.check, command(text)) == [f"{text}: {why}"]


@pytest.mark.parametrize(
    "text",
    [
        "./run.sh",
        "~/bin/x",
        "$HOME/x",
        '"./my run.sh"',
        "(cd a && make)",
        "[ -f a ] && make",
        "{ make; }",
        "< in sort",
        "`source .venv/bin/activate`",
        "length=1 make",
        "order food",
        "for f in a:b; do echo $f; done",
        "f() { make; }",
        "# first\n# then\nmake",
        "cat > f.py <<'EOF'\nprint(\"it's (\")\nEOF",
        "important --now",
    ],
)
def test_whole_commands_are_no_fragments(text):
    assert not evidence(gold_is_command_fragment.check, command(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("wandb login <your token>", "<your token>"),
        ('export KEY="<API_KEY>"', "<API_KEY>"),
        ("python p.py -d /path/to/data", "path/to"),
        ("run --key 'your key'", "your k"),
        ("run your_script.py", "your_s"),
        ("unzip data/[dataset].zip", "[dataset]"),
        ("run -[pattern & rate]", "[pattern & rate]"),
        ("[command] x", "[command]"),
        ("./gpu.sh {CUDA_VERSION}", "{CUDA_VERSION}"),
        ("login XXXX", "XXXX"),
        ("pip install ...", "..."),
        ('export K="..."', "..."),
        ("cd $WORK", "$WORK, which is assigned nowhere,"),
        ("cd ${WORK}", "$WORK, which is assigned nowhere,"),
    ],
)
def test_a_blank_to_fill_in_is_a_placeholder(text, found):
    assert evidence(placeholder_in_gold.check, command(text)) == [f"{found} in {text}"]


@pytest.mark.parametrize(
    "text",
    [
        "pip install -e '.[dev]'",
        "pip install pkg[dev]",
        "sort <input.txt >output.txt",
        "cat <<EOF >f\na\nEOF",
        "ls [a-z]*",
        "cd ../..",
        "cd $HOME/$CUDA_HOME",
        "cd ${HOME}",
        "for f in *; do echo $f; done",
        "x=1; echo $x",
        "echo $1",
        "cat > a.py <<'E'\nprint('<name>')\nE",
        "make # see path/to/docs",
        "str_replace_editor create a.py --file_text '<name>'",
        "ls yourself",
        "[ -f a ] && make",
    ],
)
def test_shell_that_only_looks_so_is_no_placeholder(text):
    assert not evidence(placeholder_in_gold.check, command(text))


@pytest.mark.parametrize("earlier", ["export WORK=/tmp", "for WORK in a b; do make; done"])
def test_a_variable_that_the_history_assigns_is_no_placeholder(earlier):
    item = command("cd $WORK", shown_actions=("ls", earlier))
    assert not evidence(placeholder_in_gold.check, item)


@pytest.mark.parametrize("text", ['"cd a"', "`make`", " 'make' ", "“make”"])
def test_quotes_around_the_whole_are_found_in_commands_and_answers(text):
    assert evidence(gold_wrapped_in_quotes.check, command(text)) == [text]
    assert evidence(gold_wrapped_in_quotes.check, answer(text)) == [text]


@pytest.mark.parametrize("text", ['"a" "b"', 'echo "a"', '"a" b', '"', "'a\"", ""])
def test_quotes_around_a_part_are_no_wrapping(text):
    assert not evidence(gold_wrapped_in_quotes.check, command(text))


def test_a_command_already_shown_names_the_first_such_action():
    item = command("make  test", shown_actions=("ls", "make test", "make test"))
    assert evidence(target_already_executed.check, item) == ["already done as action 2: make  test"]


def test_a_part_of_a_shown_command_and_another_case_are_not_done():
    item = command("make", shown_actions=("make test", "MAKE"))
    assert not evidence(target_already_executed.check, item)


def test_an_answer_is_no_action():
    item = answer("make", shown_actions=("make",))
    assert not evidence(target_already_executed.check, item)


def test_a_gold_call_is_already_done_whatever_its_plan_says():
    option = '{"planning": "again", "execution": {"name": "search", "args": {"text": "a  b"}}}'
    shown = '{"name":"search","args":{"text":"a b"}}'
    assert evidence(target_already_executed.check, choice(option, "x", shown_actions=(shown,)))
    assert not evidence(
        target_already_executed.check, choice(option, "x", gold="B", shown_actions=(shown,))
    )


def test_gold_over_the_items_own_budget_cannot_be_produced():
    item = command("a b c d", max_new_tokens=3)
    (said,) = evidence(gold_exceeds_max_new_tokens.check, item)
    assert said == "gold takes at least 4 tokens, the budget is 3"
    assert not evidence(gold_exceeds_max_new_tokens.check, command("a b c d", max_new_tokens=4))


def test_of_several_right_texts_the_shortest_must_fit():
    item = make_item(command("").subtask, gold=("a b c d", "a"), max_new_tokens=1)
    assert not evidence(gold_exceeds_max_new_tokens.check, item)


def test_several_right_labels_are_one_answer():
    item = choice(*"uvwxyz", gold="ABCDEF", max_new_tokens=10)
    (said,) = evidence(gold_exceeds_max_new_tokens.check, item)
    assert said == "gold takes at least 11 tokens, the budget is 10"


def test_another_counter_may_judge_the_budget():
    (finding,) = gold_exceeds_max_new_tokens.check(
        command("ab", max_new_tokens=3), count=lambda text: 2 * len(text)
    )
    assert finding.severity == 3


@given(st.text(max_size=60), st.integers(min_value=0, max_value=200))
def test_gold_is_never_too_long_for_a_budget_of_as_many_tokens_as_bytes(text, more):
    item = command(text, max_new_tokens=len(text.encode()) + more)
    assert not evidence(gold_exceeds_max_new_tokens.check, item)
