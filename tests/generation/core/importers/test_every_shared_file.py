"""Every file of the shared data imports, or is refused for the reason that its page gives."""

from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import NO_DIFF, UNRESOLVED
from generation.core.records import PassedOver, Refusal
from tests.shared_data import DATA, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]

# Kind, files, how many records of the file import, and why the others do not (by how many).
Expected = tuple[str, str, int, dict[str, int]]
FILES: list[Expected] = [
    ("aptbench", "aptbench_official/data/deepresearch/plan_zh/*", 200, {}),
    ("aptbench", "aptbench_official/data/deepresearch/summ_ans_en/*", 212, {}),
    ("aptbench", "aptbench_official/data/env_setup/action/*", 1084, {}),
    ("aptbench", "aptbench_official/data/env_setup/error/*", 50, {}),
    ("aptbench", "aptbench_official/data/issue_fix/locate/*", 140, {}),
    # Worked examples of prompts in a form of their own, not the official layout.
    ("aptbench", "aptbench_official/fewshot_items.jsonl", 0, {"is no official task": 1}),
    ("deepresearch_bench", "deepresearch_bench/query.jsonl", 100, {}),
    ("deepresearch_bench", "deepresearch_bench/raw_data/*", 12, {}),
    ("deepresearch_bench", "deepresearch_bench/onyx_report_logs/*", 1, {}),
    (
        "deepresearch_bench",
        "deepresearch_bench/cleaned_data/onyx.jsonl",
        8,
        {"the cleaned form": 4},
    ),
    ("deepresearch_bench", "deepresearch_bench/cleaned_data/claude*", 0, {"the cleaned form": 12}),
    ("deepresearch_bench", "deepresearch_bench/criteria.jsonl", 0, {"criteria or scores": 1}),
    ("deepresearch_bench", "deepresearch_bench/*raw_results.jsonl", 0, {"criteria or scores": 1}),
    ("github_issues", "github_issues/rest_records/issues.json", 10, {"a pull request": 1}),
    ("github_issues", "github_issues/rest_records/bundle.jsonl", 10, {}),
    ("github_issues", "github_issues/rest_records/comments_*", 0, {"it is read with its issue": 1}),
    ("github_issues", "github_issues/octokit_fixtures/add*", 1, {"something else": 1}),
    ("github_issues", "github_issues/octokit_fixtures/lock*", 1, {"something else": 1}),
    ("github_issues", "github_issues/octokit_fixtures/paginate*", 26, {"something else": 1}),
    ("github_issues", "github_issues/octokit_fixtures/search*", 4, {"something else": 1}),
    ("github_issues", "github_issues/octokit_webhooks*", 19, {"a pull request": 2}),
    ("infodeepseek", "infodeepseek/trajectories_en.jsonl", 23, {}),
    ("infodeepseek", "infodeepseek/trajectories_zh.jsonl", 11, {}),
    ("infodeepseek", "infodeepseek/aptbench_plan*", 0, {"a question of APTBench": 1}),
    ("mini_swe_agent", "mini_swe_agent/*.traj.json", 1, {}),
    ("predictions", "mini_swe_agent/results.json", 1, {}),
    ("openhands", "openhands/*.traj.json", 1, {}),
    ("openhands", "openhands/multi_swe_bench*", 2, {"Agent reached maximum iteration": 1}),
    ("predictions", "openhands/example_model_output*", 26, {"nothing was handed in": 4}),
    ("readme", "readmes/All-Hands-AI__OpenHands/README.md", 0, {"no command: no fence": 1}),
    ("readme", "readmes/SWE-Gym__SWE-Gym/README.md", 0, {"no command in 1 fence (bibtex)": 1}),
    ("readme", "readmes/SWE-agent__SWE-agent/README.md", 0, {"no command in 2 fences (bibtex)": 1}),
    ("readme", "readmes/*.md", 1, {}),
    ("readme", "readmes/*/PYPI_METADATA_HEAD.txt", 0, {"no command: no fence": 1}),
    ("researchy_questions", "researchy_questions/aptbench*", 3, {}),
    ("researchy_questions", "researchy_questions/docstream*", 10, {}),
    ("researchy_questions", "researchy_questions/researchy_queries*", 600, {}),
    ("swe_agent", "swe_agent_traj/demonstrations/ctf/*.traj", 0, {NO_DIFF: 1}),
    ("swe_agent", "swe_agent_traj/*.traj", 1, {}),
    ("predictions", "swe_agent_traj/*all_preds.jsonl", 1, {}),
    ("swe_bench", "swe_bench_lite/debug_20240322.json", 5, {}),
    ("swe_bench", "swe_bench_lite/swe-bench-dev-easy.json", 5, {}),
    ("swe_bench", "swe_bench_lite/swe-bench-dev-easy_first_only.json", 1, {}),
    ("swe_bench", "swe_bench_lite/swe-bench-lite-test.json", 5, {}),
    ("swe_bench", "swe_bench_lite/*.csv", 150, {}),
    ("swe_bench", "swe_bench_lite/pvlib.jsonl", 0, {"a pull request of the GitHub API": 1}),
    ("swe_smith", "swe_smith_traj/trajectories/*53652/*.traj", 1, {}),
    ("swe_smith", "swe_smith_traj/trajectories/*53856/*.traj", 0, {UNRESOLVED: 1}),
    ("swe_smith", "swe_smith_traj/derived_hf_like/xml.jsonl", 2, {}),
    ("swe_smith", "swe_smith_traj/derived_hf_like/*", 2, {UNRESOLVED: 1}),
    ("swe_smith", "swe_smith_traj/ft_xml_example.jsonl", 3, {}),
    # Beginnings of runs that name no instance: they are no whole runs.
    ("swe_smith", "swe_smith_traj/aptbench_fewshot*", 0, {"'instance_id' is missing": 6}),
    ("swe_bench", "swe_smith_traj/pandas*.json", 0, {"its patch plants the bug": 1}),
]
# Read beside another file, or made for people: named so that no new file goes unnoticed.
SIDE_FILES = (
    "*/PROVENANCE.md",
    "*/LICENSE*",
    "deepresearch_bench/fact/*/fact_result.txt",
    "deepresearch_bench/race/*/race_result.txt",
    "github_issues/rest_schema_excerpt.d.ts",
    "swe_agent_traj/*.py",
    "swe_agent_traj/*.yaml",
    "swe_agent_traj/*.patch",
    "swe_smith_traj/run_evaluation/*report.json",
)


def name_of(path: Path) -> str:
    return path.relative_to(DATA).as_posix()


def rule_for(name: str) -> Expected | None:
    return next((rule for rule in FILES if fnmatchcase(name, rule[1])), None)


def all_files() -> list[str]:
    if not DATA.exists():
        return []
    return sorted(name_of(path) for path in DATA.rglob("*") if path.is_file())


NAMES = [name for name in all_files() if not any(fnmatchcase(name, side) for side in SIDE_FILES)]


@pytest.mark.parametrize("name", NAMES)
def test_a_file_imports_or_is_refused_for_its_reason(name):
    rule = rule_for(name)
    assert rule is not None, f"{name}: no importer is named for it"
    kind, _pattern, records, reasons = rule
    imported = 0
    why: Counter[str] = Counter()
    try:
        for found in IMPORTERS[kind].read(DATA / name):
            if isinstance(found, Refusal | PassedOver):
                why[next((part for part in reasons if part in found.why), found.why)] += 1
            else:
                imported += 1
    except ImportInputError as error:
        why[next((part for part in reasons if part in error.why), error.why)] += 1
    assert (imported, dict(why)) == (records, reasons)


def test_every_rule_is_of_a_file_that_is_there():
    for rule in FILES:
        assert any(rule_for(name) is rule for name in NAMES), rule
