"""Option sets made from real runs: no cue points at gold, and nothing leaks."""

from dataclasses import replace
from functools import cache

import pytest

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.option_set import OptionSet
from generation.core.community import community_of
from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.records import Trajectory
from generation.core.registry import SUBTASKS
from generation.core.selection.texts import grams
from generation.core.subtask import OptionDraft, PoolEntry, Rejection
from tests.generation.core.runs import pool_of
from tests.shared_data import DATA, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]
SOURCES = {
    "issue_fix_plan": {
        "swe_smith": "swe_smith_traj",
        "swe_agent": "swe_agent_traj",
        "mini_swe_agent": "mini_swe_agent",
        "openhands": "openhands",
    },
    "closed_plan_en": {"infodeepseek": "infodeepseek"},
}
EACH = pytest.mark.parametrize("name", SOURCES)


@cache
def pool(name: str) -> list[PoolEntry]:
    subtask = SUBTASKS[name]
    assert set(subtask.source_kinds) == set(SOURCES[name])
    runs: dict[str, Trajectory] = {}
    for kind, folder in SOURCES[name].items():
        for record in IMPORTERS[kind].read(DATA / folder):
            if isinstance(record, Trajectory):
                runs.setdefault(content_digest(record), record)
    entries = []
    for place, run in enumerate(runs.values()):
        named = run.provenance
        community = community_of(named.kind, named.cluster, run.language)
        for entry in pool_of(subtask, [run], community=str(place)):
            entries.append(replace(entry, community=community))
    return entries


@cache
def options(name: str, seed: int = 1) -> dict[str, tuple[OptionDraft, ...]]:
    make = SUBTASKS[name].make_options
    assert make is not None
    made = make(pool(name), seed)
    return {key: value for key, value in made.items() if not isinstance(value, Rejection)}


@EACH
def test_there_are_enough_questions(name):
    assert len(options(name)) >= 40


@EACH
@pytest.mark.parametrize("seed", range(1, 6))
def test_no_cue_points_at_gold(name, seed):
    corpus = []
    for place, (_, given) in enumerate(sorted(options(name, seed).items())):
        texts = [option.text for option in given]
        shift = place % len(texts)
        corpus.append(OptionSet(tuple(texts[-shift:] + texts[:-shift]), shift))
    outside = [result for result in single_cues(corpus) if not result.within_chance]
    assert [result.name for result in outside] == []


@EACH
def test_no_wrong_option_quotes_what_the_run_saw_only_later(name):
    entries = {entry.key: entry for entry in pool(name)}
    for key, given in options(name).items():
        entry = entries[key]
        shown = entry.steps[: entry.draft.cut - 1]
        visible = {g for step in shown for g in grams(f"{step.thought} {step.action}")}
        visible |= {g for step in shown for g in grams(step.observation)}
        future = {g for s in entry.steps[entry.draft.cut - 1 :] for g in grams(s.observation)}
        for option in given[1:]:
            planning = option.text.split('"execution"')[0]
            assert not (future - visible) & set(grams(planning)), option.text
