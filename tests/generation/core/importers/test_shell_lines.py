"""A script is cut into whole commands: nowhere inside quotes, brackets, loops, here-documents."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.importers.shell_lines import MOST_LINES, shell_lines


def texts(script: str) -> list[str]:
    return [found.text for found in shell_lines(script.split("\n"))]


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("pip install a", ["pip install a"]),
        ("cd a; make; make test", ["cd a", "make", "make test"]),
        ("conda create -n kiln python=3.10;", ["conda create -n kiln python=3.10"]),
        ('python -c "import a; print(1, 2)"', ['python -c "import a; print(1, 2)"']),
        ("sh -c 'a; b'; c", ["sh -c 'a; b'", "c"]),
        ("echo a\\;b", ["echo a\\;b"]),
        ("find . -exec rm {} \\;", ["find . -exec rm {} \\;"]),
        ("mkdir b && cd b", ["mkdir b && cd b"]),
        ("mkdir b &&\n  cd b", ["mkdir b && cd b"]),
        ("curl x |\n  sh", ["curl x | sh"]),
        ("run --a \\\n  --b \\\n  --c\nnext", ["run --a --b --c", "next"]),
        ("run --a \\   \n  --b", ["run --a --b"]),
        ("run --a \\\n  # what --b does\nnext", ["run --a", "next"]),
        ("run --a \\\n\nnext", ["run --a", "next"]),
        ("# only words\n\nmake", ["make"]),
        ("make  # builds it; all of it", ["make"]),
        ("pip install a#egg=b", ["pip install a#egg=b"]),
        ("echo '# no comment'", ["echo '# no comment'"]),
        (
            "for f in *.gz; do\n  gunzip $f\ndone\nls",
            ["for f in *.gz; do\n  gunzip $f\ndone", "ls"],
        ),
        ("for f in a b; do echo $f; done; ls", ["for f in a b; do echo $f; done", "ls"]),
        ("if [ -f a ]; then\n  cat a\nfi", ["if [ -f a ]; then\n  cat a\nfi"]),
        ("echo for me; echo done", ["echo for me", "echo done"]),
        ("git commit -m 'first\nsecond'", ["git commit -m 'first\nsecond'"]),
        ("A=$(cat b; cat c) make", ["A=$(cat b; cat c) make"]),
        ('echo "$(date; echo ")")"', ['echo "$(date; echo ")")"']),
        ("NAMES=(\n  a\n  b\n)\nls", ["NAMES=(\n  a\n  b\n)", "ls"]),
        ("ls ${A:-b;c}; cd", ["ls ${A:-b;c}", "cd"]),
        ("cat << EOF > a\nb; c\n# d\nEOF\nls", ["cat << EOF > a\nb; c\n# d\nEOF", "ls"]),
        ("cat <<-'E O'\nx", ["cat <<-'E O'", "x"]),
        ("cat <<-END\n\tx\n\tEND\nls", ["cat <<-END\n\tx\n\tEND", "ls"]),
        ("grep a <<< b\nls", ["grep a <<< b", "ls"]),
        ("", []),
        (";;", []),
    ],
)
def test_commands_of_a_script(script, commands):
    assert texts(script) == commands


def test_lines_of_a_command_are_told():
    found = shell_lines(["", "a \\", "  b", "c"])
    assert [(each.first, each.last) for each in found] == [(1, 2), (3, 3)]


@pytest.mark.parametrize("script", ["say 'it\nmake\nls", "echo (a\nmake\nls", "cat <<E\nmake\nls"])
def test_what_is_never_closed_swallows_no_line_after_it(script):
    first, *rest = shell_lines(script.split("\n"))
    assert first.is_open
    assert [each.text for each in rest] == ["make", "ls"]


def test_a_command_of_too_many_lines_counts_as_never_closed():
    assert len(shell_lines(["echo '", *["x"] * MOST_LINES, "'"])) > MOST_LINES - 5


@given(st.lists(st.text(alphabet="ab ;#'\"\\|&(){}$<\n-E", max_size=12), max_size=8))
def test_every_line_is_read_once_in_order(lines):
    lines = [line.replace("\n", "") for line in lines]
    found = shell_lines(lines)
    assert all(each.first <= each.last < len(lines) for each in found)
    assert all(
        a.last < b.first or (a.first, a.last) == (b.first, b.last) for a, b in pairwise(found)
    )


@given(
    st.lists(
        st.sampled_from(["a b", "make x", "'p; q' r", '"s, t"', "u=v w"]), min_size=1, max_size=6
    )
)
def test_quoted_marks_never_cut_a_command(parts):
    assert texts("; ".join(parts)) == parts
    assert texts("\n".join(parts)) == parts
