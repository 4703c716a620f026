"""Lines of a README are commands where a person would type them, and nothing else is."""

import pytest

from generation.core.importers.command_words import first_word, is_command, is_known
from generation.core.importers.readme_commands import Command, Unsure, commands_of, inline_commands
from generation.core.markdown_blocks import read_blocks


def found(text: str) -> list[str]:
    return [
        each.text
        for block in read_blocks(text)
        for each in (*commands_of(block), *inline_commands(block))
        if isinstance(each, Command)
    ]


def unsure(text: str) -> list[str]:
    return [
        each.text
        for block in read_blocks(text)
        for each in commands_of(block)
        if isinstance(each, Unsure)
    ]


def fence(info: str, *lines: str) -> str:
    return "\n".join([f"```{info}", *lines, "```"])


def test_any_program_counts_in_a_fence_of_a_shell():
    text = fence(
        "bash", "kilnctl heat --to 900", "A=1", "B=2 kilnctl", "./fire.sh", "kilnctl <name>"
    )
    assert found(text) == [
        "kilnctl heat --to 900",
        "A=1",
        "B=2 kilnctl",
        "./fire.sh",
        "kilnctl <name>",
    ]


def test_only_known_words_count_in_a_fence_without_a_tag():
    text = fence(
        "", "pip install kiln", "kilnctl heat", "A=1", "CUDA_VISIBLE_DEVICES=0 python a.py"
    )
    assert found(text) == ["pip install kiln", "CUDA_VISIBLE_DEVICES=0 python a.py"]
    assert unsure(text) == ["kilnctl heat", "A=1"]


@pytest.mark.parametrize("info", ["python", "json", "yaml", "bibtex", "diff", "dockerfile", "toml"])
def test_fences_of_other_languages_give_nothing(info):
    assert found(fence(info, "make", "pip install kiln")) == []


def test_the_shell_lines_of_a_notebook_count():
    assert found(fence("python", "!pip install kiln", "%cd kiln", "import kiln", "a != pip")) == [
        "pip install kiln",
        "cd kiln",
    ]


def test_a_fence_that_is_tagged_as_python_by_mistake_counts():
    lines = ["conda create -n kiln python=3.10", "conda activate kiln", "", "# fire", "make fire"]
    assert found(fence("python", *lines)) == [lines[0], lines[1], lines[4]]
    assert found(fence("python", "import kiln", *lines)) == []


@pytest.mark.parametrize("info", ["", "console", "bash", "text"])
@pytest.mark.parametrize(
    "prompt", ["$ ", "(kiln) $ ", "me@host:~/kiln$ ", "root@1a2b:/# ", "❯ ", "% "]
)
def test_after_a_prompt_stands_a_command_and_all_else_is_output(info, prompt):
    text = fence(
        info, f"{prompt}kilnctl heat", "make: heated to 900", "cat is asleep", f"{prompt}ls"
    )
    assert found(text) == ["kilnctl heat", "ls"]


def test_a_prompted_command_carries_on():
    text = fence(
        "console",
        "$ docker run \\",
        "    -it kiln",
        "$ for i in 1 2; do",
        "> echo $i",
        "> done",
        "1",
    )
    assert found(text) == ["docker run -it kiln", "for i in 1 2; do\necho $i\ndone"]


def test_a_session_without_a_prompt_counts_where_it_shows_no_output():
    assert found(fence("console", "pip install kiln", "kilnctl heat")) == [
        "pip install kiln",
        "kilnctl heat",
    ]
    assert found(fence("console", "pip install kiln", "Heated to 900.")) == ["pip install kiln"]


def test_commands_of_a_windows_shell_are_left_to_a_person():
    text = fence("powershell", "pip install kiln", "$env:A = 1")
    assert (found(text), unsure(text)) == ([], ["pip install kiln\n$env:A = 1"])


@pytest.mark.parametrize(
    "line",
    [
        "make sure the kiln is cold before you open it",
        "find the largest shelf and put it in",
        "open the lid.",
        "Install the package:",
        "which of these to take?",
        "kiln/          the program",
        "├── make.py",
        "@inproceedings{kiln,",
        "title = {On kilns}",
        "import kiln",
        "from kiln import heat",
        "kiln.heat(900)",
        "def heat(to):",
        "{",
        "KILN_TOKEN: 'your token'",
        "usage: kilnctl [-h] [--to T]",
        "0      shelf one      3.0",
        "运行下面的命令",
        "make 之后再运行",
    ],
)
@pytest.mark.parametrize("info", ["", "bash"])
def test_prose_output_trees_and_code_are_no_commands(info, line):
    assert found(fence(info, line)) == []


@pytest.mark.parametrize(
    "line",
    [
        "echo 'open the lid and wait for it to cool down.'",
        'git commit -m "Heat to 900, then wait; do not open."',
        "python -c 'import kiln; print(kiln.heat(1, 2))'",
        "find . -name '*.clay'",
        "set -e",
        "while true; do make; done",
        "kilnctl heat 窑",
        "cd kiln/",
        "pip install .",
    ],
)
def test_what_only_looks_like_prose_is_a_command(line):
    assert found(fence("bash", line)) == [line]


def test_an_unclosed_fence_gives_commands_up_to_its_first_line_of_prose():
    text = "```bash\npip install kiln\n\nThen heat it.\n\nmake is not needed here\nmake fire\n"
    assert found(text) == ["pip install kiln"]


def test_here_documents_and_quotes_stay_whole():
    lines = ["cat > kiln.toml <<EOF", "heat = 900; # not a comment", "EOF", "kiln run"]
    assert found(fence("bash", *lines)) == ["\n".join(lines[:3]), "kiln run"]


def test_code_spans_are_commands_from_two_words_on():
    text = (
        "Run `pip install kiln`, not `pip`, then `./fire.sh`; `kiln heat` is unknown, `make sure`"
        " is prose, and `python -m kiln ...` only names one. `$ git pull` is typed, `/a/b/` is not."
    )
    assert found(text) == ["pip install kiln", "./fire.sh", "git pull"]


def test_indented_code_gives_known_commands():
    assert found("Do:\n\n    make install\n    kilnctl heat\n") == ["make install"]


def test_a_comment_with_or_offers_another_way():
    text = fence("bash", "pip install kiln", "# or from conda", "conda install kiln")
    (block,) = read_blocks(text)
    assert [c.after_or for c in commands_of(block) if isinstance(c, Command)] == [False, True]


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("sudo -E apt-get install x", "apt-get"),
        ('A="b c" D=$(e) time python x', "python"),
        ("env A=1 python x", "python"),
        ("A=1", ""),
        ("", ""),
    ],
)
def test_the_program_of_a_command(command, word):
    assert first_word(command) == word


@pytest.mark.parametrize(
    "command", ["python3.12 -m x", "pip3 install x", "../run.sh", "~/x/y", "gcc-12 a.c"]
)
def test_versions_and_paths_are_known(command):
    assert is_known(command)


def test_a_text_too_long_to_parse_is_no_command():
    assert not is_command("make " + "x " * 20_000, in_shell=True)
