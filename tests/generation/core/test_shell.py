import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.shell import (
    LONGEST_COMMAND,
    heredoc_and_comment_spans,
    shell_error,
    simple_commands,
    unbalanced,
)

HERE_DOCUMENT = "cat > f.py <<'EOF'\nprint(\"it's (\")\nEOF"

printable = st.text(st.characters(exclude_categories=["C"]), max_size=60)


@pytest.mark.parametrize(
    "command",
    [
        "make test",
        "cd repo && pip install -e '.[dev]'",
        HERE_DOCUMENT,
        "for f in *.py; do echo $f; done",
        'python -c "import sys; print(sys.path)"',
        "str_replace_editor view /testbed/a.py  --view_range 1 20",
        "submit",
    ],
)
def test_shell_commands_parse(command):
    assert shell_error(command) is None


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("wandb login <your token>", "line 1, column 24: cannot read '>'"),
        ('python -c "import widget', 'line 1, column 25: " is missing'),
        ("echo é\necho )", "line 2, column 6: cannot read ')'"),
        ("   ", "there is no command"),
        ("echo a\0b", "NUL character at offset 6"),
    ],
)
def test_an_error_names_line_column_and_text(command, error):
    assert shell_error(command) == error


def test_a_text_too_long_for_a_command_is_an_error_and_not_parsed():
    error = shell_error("a" * (LONGEST_COMMAND + 1))
    assert error == "32769 characters: over 32768 nothing is parsed as a command"
    assert shell_error("a" * LONGEST_COMMAND) is None


@given(printable)
def test_a_quoted_text_always_parses_and_balances(text):
    command = f"echo {shlex.quote(text)}"
    assert shell_error(command) is None
    assert unbalanced(command) is None


@given(st.text(max_size=40))
def test_any_text_gets_an_answer(text):
    assert shell_error(text) is None or shell_error(text)
    assert unbalanced(text) is None or unbalanced(text)


@pytest.mark.parametrize("text", ["{\U000f35d4\U0007ee62", "{\U000cf8dba\x19", "{𒿯"])
def test_a_character_of_a_high_plane_after_a_brace_does_not_end_the_process(text):
    # The grammar's scanner looks it up in a table of bytes: this run would stop here.
    assert all(shell_error(text) for _ in range(30))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("blmp] --seed 0", "] closes nothing"),
        ("gemini} --dataset {medqa", "} closes nothing"),
        ("python3 main.py --model {gpt-3.5", "{ is never closed"),
        ("pip install 'mujoco<2.2", "the quote ' is never closed"),
        ("echo (a]", "] closes nothing"),
        ("echo 'it is (' )", ") closes nothing"),
    ],
)
def test_an_unmatched_quote_or_bracket_is_named(text, fault):
    assert unbalanced(text) == fault


@pytest.mark.parametrize(
    "command",
    [
        HERE_DOCUMENT,
        "case $x in a) echo;; (b) echo;; esac",
        "echo hi # don't (",
        "echo \\( a \\)",
        'echo "it\'s ("',
        "[[ $a =~ ^\\( ]]",
        "x=${a%)}",
        'echo "$(ls "a(")"',
    ],
)
def test_brackets_that_are_data_need_no_partner(command):
    assert unbalanced(command) is None


def test_spans_of_here_documents_and_comments_are_in_characters():
    command = "é=1 # note\ncat <<E\nbody\nE"
    spans = heredoc_and_comment_spans(command)
    assert [command[start:end] for start, end in spans] == ["# note", "body\n"]


def test_a_text_that_does_not_parse_has_no_known_spans():
    assert heredoc_and_comment_spans("echo ) # note") == ()


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("cd a && X=1 make 'b c'", (("cd", "a"), ("make", "b c"))),
        ('echo "é 窑" | wc -l > out', (("echo", "é 窑"), ("wc", "-l"))),
        ("rm -f $(ls *.py)", (("rm", "-f", "$(ls *.py)"),)),
        ("cat <<'X'\nmake all\nX", (("cat",),)),
        ("for f in a b; do cat $f; done", (("cat", "$f"),)),
        ("make 'open", ()),
    ],
)
def test_the_commands_that_a_text_calls(command, calls):
    assert simple_commands(command) == calls
