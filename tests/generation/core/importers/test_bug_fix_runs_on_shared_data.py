"""Every real file of the bug-fix kinds imports, or is refused for the reason its page gives."""

from pathlib import Path

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import NO_DIFF
from generation.core.importers.tool_calls import TOOLS
from generation.core.records import Refusal, Success, Trajectory
from tests.shared_data import DATA, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]

DEMOS = "demonstrations/"
REPLAY = f"{DEMOS}replay__marshmallow-code__marshmallow-1867__"
GPT4 = "test_data/trajectories/gpt4__swe-"
RUN = "marshmallow-code__marshmallow-1867.traj"
# Kind, file (its beginning and end), steps of each run in order, or why there is none.
FILES: list[tuple[str, str, str, list[int | str]]] = [
    ("swe_agent", f"{DEMOS}ctf/crypto/katy", ".traj", [NO_DIFF]),
    ("swe_agent", f"{DEMOS}function_calling_simple", ".traj", [5]),
    ("swe_agent", f"{DEMOS}human_thought__", "humanevalfix-python-0.traj", [5]),
    ("swe_agent", f"{REPLAY}default__", RUN, [14]),
    ("swe_agent", f"{REPLAY}default_sys-env_cursors_", RUN, [12]),
    ("swe_agent", f"{REPLAY}default_sys-env_window100_", RUN, [11]),
    ("swe_agent", f"{REPLAY}function_calling__", RUN, [11]),
    ("swe_agent", f"{REPLAY}function_calling_replace__", RUN, [11]),
    ("swe_agent", f"{REPLAY}function_calling_replace_from", RUN, [13]),
    ("swe_agent", f"{REPLAY}xml_", RUN, [12]),
    ("swe_agent", f"{GPT4}agent-test-repo__", ".traj", [5]),
    ("swe_agent", f"{GPT4}bench-dev-easy", ".traj", [12]),
    ("swe_agent", f"{GPT4}bench-dev-easy", "all_preds.jsonl", ["a prediction"]),
    ("mini_swe_agent", "generated_text_submitted", ".traj.json", [5]),
    ("mini_swe_agent", "generated_toolcall_submitted", ".traj.json", [5]),
    ("mini_swe_agent", "github_issue", ".traj.json", [10]),
    ("mini_swe_agent", "local", ".traj.json", [2]),
    ("mini_swe_agent", "results", ".json", ["no run of mini-swe-agent"]),
    ("openhands", "basic", ".traj.json", [2]),
    ("openhands", "wrong_initial_state", ".traj.json", [4]),
    ("openhands", "multi_swe_bench", ".jsonl", [23, 34, "Agent reached maximum iteration"]),
    ("openhands", "example_model_output_predictions", ".json", ["a prediction"]),
]
FOLDERS = {
    "swe_agent": "swe_agent_traj",
    "mini_swe_agent": "mini_swe_agent",
    "openhands": "openhands",
}
# What lies beside the runs and is none: read by no importer, so only its name counts.
SIDE_FILES = {"PROVENANCE.md", "LICENSE", "LICENSE.md"}
SIDE_ENDINGS = (".py", ".yaml", ".patch")


def file_of(kind: str, start: str, end: str) -> Path:
    root = DATA / FOLDERS[kind]
    (found,) = [
        path
        for path in root.rglob("*")
        if path.is_file()
        and path.relative_to(root).as_posix().startswith(start)
        and path.name.endswith(end)
    ]
    return found


@pytest.mark.parametrize(
    ("kind", "start", "end", "runs"), FILES, ids=[f"{k}-{s[-24:]}{e[-12:]}" for k, s, e, _ in FILES]
)
def test_each_file_gives_its_runs_or_the_reason(kind, start, end, runs):
    path = file_of(kind, start, end)
    found: list[object] = []
    try:
        found += IMPORTERS[kind].read(path)
    except ImportInputError as error:
        found.append(Refusal(str(path), error.why))
    assert len(found) == len(runs)
    for record, wanted in zip(found, runs, strict=True):
        if isinstance(wanted, int):
            assert isinstance(record, Trajectory)
            assert len(record.steps) == wanted
            assert record.success is Success.UNCONFIRMED
            assert record.provenance.licence == "MIT"
        else:
            assert isinstance(record, Refusal)
            assert wanted in record.why


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_table_holds_every_file_that_may_be_a_run(kind):
    root = DATA / FOLDERS[kind]
    files = {
        path
        for path in root.rglob("*")
        if path.is_file() and path.name not in SIDE_FILES and path.suffix not in SIDE_ENDINGS
    }
    assert files == {file_of(k, start, end) for k, start, end, _ in FILES if k == kind}


@pytest.mark.parametrize(
    ("kind", "runs", "refused"),
    [("swe_agent", 11, 1), ("mini_swe_agent", 4, 0), ("openhands", 4, 1)],
)
def test_a_folder_is_read_as_a_whole(kind, runs, refused):
    found = list(IMPORTERS[kind].read(DATA / FOLDERS[kind]))
    assert sum(isinstance(record, Trajectory) for record in found) == runs
    assert sum(isinstance(record, Refusal) for record in found) == refused


@pytest.mark.parametrize("kind", FOLDERS)
def test_no_step_shows_the_patch_that_was_handed_in(kind):
    for record in IMPORTERS[kind].read(DATA / FOLDERS[kind]):
        if isinstance(record, Trajectory) and record.outcome.submission:
            patch = " ".join(record.outcome.submission.split())
            assert record.steps[-1].observation == ""
            shown = " ".join(f"{record.task} {record.system}".split())
            assert patch not in shown
            for step in record.steps:
                # What the agent's own command prints on the way is history.
                if "diff" not in step.action:
                    seen = " ".join(f"{step.thought} {step.observation}".split())
                    assert patch not in seen
                    assert "diff --git" not in seen


def test_no_worked_example_of_another_issue_is_left_in_a_prompt():
    pydicom = file_of("swe_agent", f"{GPT4}bench-dev-easy", ".traj")
    (run,) = IMPORTERS["swe_agent"].read(pydicom)
    assert isinstance(run, Trajectory)
    assert "demonstration" not in run.task
    assert "marshmallow" not in run.task


def test_the_history_that_lacks_its_submit_is_completed():
    path = file_of("swe_agent", f"{GPT4}agent-test-repo__", ".traj")
    (run,) = IMPORTERS["swe_agent"].read(path)
    assert isinstance(run, Trajectory)
    assert (run.steps[-1].action, run.steps[-1].observation) == ("submit", "")
    assert run.provenance.cluster == "SWE-agent__test-repo-i1"


def test_recorded_actions_of_other_tool_sets_are_kept_as_recorded():
    path = file_of("swe_agent", f"{REPLAY}function_calling_replace__", RUN)
    (run,) = IMPORTERS["swe_agent"].read(path)
    assert isinstance(run, Trajectory)
    tools = {step.tool for step in run.steps}
    assert tools == {"create", "insert", "bash", "find_file", "open", "edit", "submit"}
    opened = next(step for step in run.steps if step.tool == "open")
    assert opened.action == 'open "src/marshmallow/fields.py" 1474'
    assert opened.arguments == {"path": "src/marshmallow/fields.py", "line_number": 1474}


def test_an_openhands_call_that_failed_to_parse_is_an_error_turn():
    first, second, _refused = IMPORTERS["openhands"].read(
        file_of("openhands", "multi_swe_bench", ".jsonl")
    )
    assert isinstance(first, Trajectory)
    assert isinstance(second, Trajectory)
    assert [step.tool for step in first.steps].count("think") == 1
    (error,) = [step for step in second.steps if not step.tool]
    assert error.observation.startswith("Parameter 'command' is expected")
    assert "**********" not in repr(second.provenance)


def test_a_run_is_one_content_whichever_of_two_kinds_reads_it():
    path = DATA / "swe_smith_traj" / "trajectories"
    read = {
        kind: [r for r in IMPORTERS[kind].read(path) if isinstance(r, Trajectory)]
        for kind in ("swe_smith", "swe_agent")
    }
    digests = {kind: [content_digest(run) for run in runs] for kind, runs in read.items()}
    assert digests["swe_smith"] == digests["swe_agent"]
    assert len(digests["swe_agent"]) == 1
    assert read["swe_agent"][0].success is Success.CONFIRMED
    assert read["swe_agent"][0].tools == TOOLS
