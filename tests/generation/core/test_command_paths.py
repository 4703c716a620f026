"""A way through a README takes one branch of each choice and stays in one environment."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.command_paths import command_paths
from generation.core.importers.catalogue import IMPORTERS
from generation.core.records import Document, Section
from tests.shared_data import DATA, needs_shared

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "readme"


def command(text: str, environment: str = "", *alternatives: tuple[str, str]) -> Section:
    facts = {"environment": environment, "alternatives": [list(pair) for pair in alternatives]}
    return Section("command", text, facts=facts)


def texts(*commands: Section) -> list[list[str]]:
    return [[each.text for each in path] for path in command_paths(commands)]


def of_readme(path: Path) -> list[list[str]]:
    (document,) = IMPORTERS["readme"].read(path)
    assert isinstance(document, Document)
    return [[each.text for each in way] for way in command_paths(document.of_kind("command"))]


def test_without_a_choice_there_is_one_way():
    assert texts(command("a"), command("b", "e")) == [["a", "b"]]
    assert texts() == []


def test_each_branch_is_on_a_way_of_its_own_with_what_is_outside_the_choice():
    found = texts(
        command("clone"),
        command("pip", "", ("g", "1")),
        command("conda", "", ("g", "2")),
        command("conda more", "", ("g", "2")),
        command("run"),
    )
    assert found == [["clone", "pip", "run"], ["clone", "conda", "conda more", "run"]]


def test_a_choice_inside_a_branch_is_made_only_there():
    found = texts(
        command("a", "", ("g", "1")),
        command("b1", "", ("g", "2"), ("h", "1")),
        command("b2", "", ("g", "2"), ("h", "2")),
        command("end"),
    )
    assert found == [["a", "end"], ["b1", "end"], ["b2", "end"]]


def test_environments_are_ways_of_their_own():
    found = texts(command("clone"), command("x", "e"), command("y", "f"), command("z", "e"))
    assert found == [["clone", "x", "z"], ["clone", "y"]]


def test_the_samples_give_their_ways():
    gulls = of_readme(FIXTURES / "kestrel-lab__gullsight" / "README.md")
    assert [way[2].split()[3] for way in gulls] == ["gull-detect", "gull-name"]
    tide = of_readme(FIXTURES / "ormshaven__tidecast" / "README.md")
    begins = [way[0].split()[0] for way in tide]
    assert begins == ["git", "pip", "docker", "conda"]


PAIRS = st.lists(
    st.tuples(st.sampled_from("gh"), st.sampled_from("123")), max_size=2, unique_by=lambda p: p[0]
)


@given(st.lists(st.tuples(st.sampled_from(["", "e", "f"]), PAIRS), max_size=8))
def test_no_way_mixes_branches_or_environments(drawn):
    commands = [command(str(n), name, *pairs) for n, (name, pairs) in enumerate(drawn)]
    for way in command_paths(commands):
        taken = dict[str, set[str]]()
        for each in way:
            for group, branch in each.facts["alternatives"]:
                taken.setdefault(group, set()).add(branch)
        assert all(len(branches) == 1 for branches in taken.values())
        assert len({each.facts["environment"] for each in way} - {""}) < 2
        assert [int(each.text) for each in way] == sorted(int(each.text) for each in way)


@needs_shared
@pytest.mark.shared
def test_installing_torchtitan_is_one_of_four_ways():
    ways = of_readme(DATA / "readmes" / "pytorch__torchtitan" / "README.md")
    firsts = [way[0] for way in ways]
    assert len(firsts) == 4
    assert firsts[0].startswith("git clone")
    assert any(first.startswith("pip3 install --pre torch ") for first in firsts)
    assert {"pip install torchtitan", "conda install conda-forge::torchtitan"} <= set(firsts)
    assert len({way[-1] for way in ways}) == 1
