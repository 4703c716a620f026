import pytest

from review.core.scorer.shell_lexer import ShellSyntaxError
from review.core.scorer.shell_words import parse_commands


@pytest.mark.parametrize(
    "text",
    [
        *("echo 'a", 'echo "a', "echo $(ls", "echo `ls", "echo ${X", "(ls", "ls)", "ls |", "&& ls"),
        *("if true; then ls", "done", "cat <<E\nx", "cat <<E", "ls >", "{ ls;", "echo $((1", ";"),
        *("print(1)", "x = f(1)", "echo a (b)"),
        "echo " + "$(" * 60 + ")" * 60,
    ],
)
def test_incomplete_text_is_refused(text):
    with pytest.raises(ShellSyntaxError):
        parse_commands(text)


def test_each_line_is_a_command_and_blocks_are_whole():
    text = "A=1 make x\nwhile read l; do\n echo $l\ndone < f\ncat <<E | sort\nb\nE\nls"
    commands, followed = parse_commands(text)
    assert [command.tool for command in commands] == ["make", "read", "cat", "ls"]
    assert not followed


@pytest.mark.parametrize(
    "text",
    [
        *("f() { ls; }", "function f () { ls; }", "for ((i=0;i<3;i++)); do ls; done", "(ls)"),
        *("[[ ( a || b ) && c ]] && ls", "case $x in (a) ls;; b|c) pwd;; esac", "A=(1 2) ls"),
        *("! (ls)", "diff <(ls a) <(ls b)", "echo $((1 + (2)))", "if (ls); then pwd; fi"),
    ],
)
def test_parentheses_stand_where_the_shell_takes_them(text):
    commands, _ = parse_commands(text)
    assert len(commands) == 1


def test_what_follows_the_wanted_commands_is_not_looked_at():
    commands, followed = parse_commands("ls\necho 'open", limit=1)
    assert [command.words for command in commands] == [("ls",)]
    assert followed


def test_words_hold_every_argument_and_redirection_target_in_order():
    ((command,), _) = parse_commands('A=1 grep -n "a b" *.py > out && wc -l out')
    assert command.words == ("A=1", "grep", "-n", "a b", "*.py", "out", "wc", "-l", "out")


def test_the_tool_stands_behind_assignments_and_sudo():
    ((command,), _) = parse_commands("X=1 sudo -E apt-get install -y cmake")
    assert command.tool == "apt-get"
