"""A run with any one field spoilt is imported or refused with a reason, and never a traceback."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.records import Refusal, Trajectory
from tests.generation.core.importers import test_mini_swe_agent, test_openhands, test_swe_agent

SPOILT: tuple[Any, ...] = (None, 5, "[", [5], [[]], {"a": [1]})
RUNS: dict[str, list[Any]] = {
    "swe_agent": [
        test_swe_agent.run(replay_config={"agent": {"model": {"name": "m"}}}),
        test_swe_agent.run(history=None, trajectory=test_swe_agent.steps(query=["x"])),
    ],
    "mini_swe_agent": [
        test_mini_swe_agent.new(calls=True),
        test_mini_swe_agent.old(),
    ],
    "openhands": [
        test_openhands.row(),
        {"instruction": "Make x work.", "history": [test_openhands.BODY[:2]]},
        [*test_openhands.START, test_openhands.act(5, "run", command="ls")],
    ],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside ``value``."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in inside:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def with_value(run: Any, path: tuple[Any, ...], value: Any) -> Any:
    spoilt = copy.deepcopy(run)
    holder = spoilt
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return spoilt


@pytest.mark.parametrize("kind", RUNS)
def test_no_spoilt_field_stops_the_import(kind, tmp_path):
    path: Path = tmp_path / "acme__tool-7.traj.json"
    tried = refused = 0
    for run in RUNS[kind]:
        for place in places(run):
            for value in SPOILT:
                path.write_text(json.dumps(with_value(run, place, value)))
                try:
                    found = list(IMPORTERS[kind].read(path))
                except ImportInputError as error:
                    found = [Refusal(error.path, error.why)]
                assert len(found) == 1, place
                assert isinstance(found[0], Trajectory | Refusal)
                refused += isinstance(found[0], Refusal)
                assert not isinstance(found[0], Refusal) or found[0].why, place
                tried += 1
    assert 0 < refused < tried
