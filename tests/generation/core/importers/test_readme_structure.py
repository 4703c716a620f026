"""Each command knows its environment, and which alternatives it belongs to."""

import pytest

from generation.core.importers.readme_structure import environment_after
from generation.core.importers.readme_text import Readme


def environments(text: str) -> list[tuple[str, str]]:
    return [(p.command.text, p.environment) for p in Readme(text).placed]


def choices(text: str) -> dict[str, list[str]]:
    return {p.command.text: [branch for _g, branch in p.alternatives] for p in Readme(text).placed}


def bash(*lines: str) -> str:
    return "\n".join(["", "```bash", *lines, "```", ""])


@pytest.mark.parametrize(
    ("command", "after"),
    [
        ("conda create -n kiln python=3.10 -y", "kiln"),
        ("conda create --name kiln && conda activate kiln", "kiln"),
        ("mamba env create -f env.yml -n kiln", "kiln"),
        ("python3 -m venv .venv", ".venv"),
        ("uv venv", ".venv"),
        ("uv venv kiln --python 3.12", "kiln"),
        ("virtualenv -p python3 kiln", "kiln"),
        ("source kiln/bin/activate", "kiln"),
        (". ./.venv/bin/activate", ".venv"),
        ("source activate kiln", "kiln"),
        ("conda deactivate", ""),
        ("deactivate", ""),
        ("docker run -it kiln bash", "bash"),
        ("pip install conda", "before"),
        ("echo conda activate kiln", "before"),
    ],
)
def test_the_environment_after_a_command(command, after):
    assert environment_after(command, "before") == after


def test_two_environments_of_one_readme_are_kept_apart():
    text = bash(
        "git clone https://kiln.example/kiln",
        "conda create -n heat python=3.9",
        "conda activate heat",
        "pip install torch",
    ) + bash("conda create -n glaze python=3.10", "conda activate glaze", "conda install numpy")
    assert [environment for _command, environment in environments(text)] == (
        ["", "heat", "heat", "heat", "glaze", "glaze", "glaze"]
    )


def test_an_environment_made_from_a_file_has_the_name_that_enters_it():
    text = bash("conda env create -f environment.yml", "conda activate kiln", "make")
    assert {environment for _command, environment in environments(text)} == {"kiln"}


def test_sections_that_are_ways_to_one_end_are_alternatives():
    text = (
        f"## Install\n### From source\n{bash('git clone a', 'pip install -e .')}"
        f"### 🚀 Nightly builds\n{bash('pip install --pre kiln')}"
        f"### Download a model\n{bash('wget b')}### 3. With conda\n{bash('conda install kiln')}"
        f"## Use\n{bash('kiln run')}"
    )
    assert choices(text) == {
        "git clone a": ["From source"],
        "pip install -e .": ["From source"],
        "pip install --pre kiln": ["🚀 Nightly builds"],
        "wget b": [],
        "conda install kiln": ["3. With conda"],
        "kiln run": [],
    }


def test_numbered_options_are_alternatives_also_in_chinese():
    for one, two in (("Option A: all", "Option B: parts"), ("方式一：整体", "方式二：部分")):
        text = f"# K\n## {one}\n{bash('make all')}## {two}\n{bash('make top', 'make end')}"
        assert choices(text) == {"make all": [one], "make top": [two], "make end": [two]}


def test_steps_are_no_alternatives():
    text = f"## 1. Install\n{bash('pip install kiln')}## 2. Run\n{bash('kiln run')}"
    assert choices(text) == {"pip install kiln": [], "kiln run": []}


def test_or_between_blocks_or_in_a_comment_offers_an_alternative():
    text = f"{bash('make fire')}\nOr, with docker:\n{bash('docker run kiln')}"
    assert choices(text) == {"make fire": ["1"], "docker run kiln": ["2"]}
    text = bash("kiln serve", "# Or without a window", "kiln run")
    assert choices(text) == {"kiln serve": ["1"], "kiln run": ["2"]}


def test_one_package_from_two_installers_is_a_choice_and_what_follows_is_not():
    text = bash("pip install kiln[all]", "conda install conda-forge::kiln", "kiln --version")
    assert choices(text) == {
        "pip install kiln[all]": ["1"],
        "conda install conda-forge::kiln": ["2"],
        "kiln --version": [],
    }
    assert choices(bash("pip install a", "pip install b", "conda install c")) == {
        "pip install a": [],
        "pip install b": [],
        "conda install c": [],
    }


def test_each_branch_begins_in_the_environment_before_the_choice():
    text = (
        f"## Install\n### With conda\n{bash('conda create -n a', 'conda activate a', 'make')}"
        f"### With pip\n{bash('pip install kiln')}"
    )
    assert environments(text)[-1] == ("pip install kiln", "")


def test_code_spans_that_name_a_command_of_a_block_are_not_said_twice():
    text = f"Before `make fire`, run `make clean`.\n{bash('make fire --hot')}\nThen `make clean` again."
    assert [command for command, _e in environments(text)] == ["make clean", "make fire --hot"]
