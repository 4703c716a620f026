import json
import random
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review.core.scorer import score
from review.core.scorer.intervals import wilson_interval
from review.core.scorer.summary import PAPER_AVERAGES
from tests.review.core.scorer.make_export import (
    make_answer,
    make_choices,
    make_command,
    make_row,
    write_export,
    write_predictions,
)

COLUMNS = {
    **{name: {"scenario": name[:9]} for name in PAPER_AVERAGES["swe"]},
    **{name: {"scenario": "open_qa"} for name in PAPER_AVERAGES["dr"] if ":" not in name},
}


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Four choice items in two clusters, two commands, one answer, one set."""
    rows = [
        *(make_row(f"c{place}", cluster=f"s{place // 2}") for place in range(4)),
        make_command("k0", "make", cluster="s0"),
        make_command("k1", "ls -l", cluster="s1", long_context=True, bucket="4-16K"),
        make_answer("a0", "Paris"),
        make_choices("m0", ["A", "C"]),
    ]
    return write_export(tmp_path / "e", rows)


OUTPUTS = {
    "c0": "B)",
    "c1": "B)",
    "c2": "C)",
    "c3": "hm",
    "k0": "make;",
    "k1": "pwd",
    "a0": "paris]",
    "m0": "A,C)",
}


def scores_of(folder: Path, outputs: dict, **options):
    return score(folder, write_predictions(folder.parent / "p.jsonl", outputs), **options)


def test_each_subtask_has_value_error_interval_chance_and_reasons(mixed):
    entry = scores_of(mixed, OUTPUTS)["subtasks"]["env_setup_plan"]
    low, high = wilson_interval(0.5, 4)
    # cluster sums of deviations: +1 and -1
    assert entry["metrics"]["accuracy"] == {
        "value": 0.5,
        "se": pytest.approx(sqrt(2) / 4),
        "low": low,
        "high": high,
        "n": 4,
        "clusters": 2,
    }
    assert (entry["n"], entry["clusters"], entry["chance"]) == (4, 2, 0.25)
    assert entry["chance_adjusted"] == pytest.approx(1 / 3)
    assert {key: value for key, value in entry["status"].items() if value} == {
        "parsed": 3,
        "unparsed": 1,
    }
    assert (entry["no_label"], entry["answered"], entry["accuracy_answered"]) == (1, 4, 0.5)
    assert entry["baselines"] == {"majority_label": 1.0, "longest_option": 0.0}


def test_macro_weighs_subtasks_and_micro_items(mixed):
    averages = scores_of(mixed, OUTPUTS)["averages"]
    assert averages["macro"] == pytest.approx((0.5 + 0.5 + 1 + 1) / 4)
    assert averages["micro"] == pytest.approx((2 + 1 + 1 + 1) / 8)


def test_groups_hold_their_items(mixed):
    groups = scores_of(mixed, OUTPUTS)["groups"]
    swe = groups["set"]["swe"]
    assert (swe["n"], swe["macro"]["value"], swe["micro"]["value"]) == (6, 0.5, 0.5)
    # both subtasks share the sources s0 and s1: their deviations add up
    assert swe["micro"]["se"] == pytest.approx(sqrt((1.5 / 6) ** 2 * 2))
    assert groups["long_context"]["with"]["macro"]["value"] == 0
    assert groups["long_context"]["without"]["n"] == 7
    assert sorted(groups) == ["ability", "bucket", "language", "long_context", "scenario", "set"]
    assert groups["bucket"]["4-16K"]["n"] == 1
    assert groups["ability"]["action"]["micro"]["value"] == 0.5


def test_missing_items_are_wrong_and_told(mixed):
    found = scores_of(mixed, {"c0": "B)"})
    entry = found["subtasks"]["env_setup_plan"]
    assert (entry["n"], entry["metrics"]["accuracy"]["value"]) == (4, 0.25)
    assert entry["status"]["missing"] == 3
    assert entry["accuracy_answered"] == 1.0
    assert "7 items have no prediction" in found["warnings"][0]


def test_an_empty_prediction_file_scores_zero(mixed):
    found = scores_of(mixed, {})
    assert found["averages"]["macro"] == found["averages"]["micro"] == 0
    assert found["subtasks"]["env_setup_plan"]["accuracy_answered"] is None


def test_errors_and_empty_outputs_stay_in_the_denominator(mixed):
    outputs = OUTPUTS | {"c0": {"output": None, "error": "500"}, "c1": ""}
    entry = scores_of(mixed, outputs)["subtasks"]["env_setup_plan"]
    assert (entry["n"], entry["metrics"]["accuracy"]["value"]) == (4, 0)
    assert (entry["status"]["error"], entry["status"]["empty"], entry["answered"]) == (1, 1, 2)


def test_status_counts_add_up_to_the_items(mixed):
    for entry in scores_of(mixed, OUTPUTS)["subtasks"].values():
        assert sum(entry["status"].values()) == entry["n"]


def test_a_paper_average_with_a_missing_column_is_null_and_says_which(mixed):
    found = scores_of(mixed, OUTPUTS)
    assert found["averages"]["swe"] is None
    assert "issue_fix_plan" in found["averages_detail"]["swe"]["reason"]
    assert any(line.startswith("average swe is null") for line in found["warnings"])


def test_the_paper_s_averages_are_means_of_8_and_11_columns(tmp_path):
    assert [len(PAPER_AVERAGES[name]) for name in PAPER_AVERAGES] == [8, 11, 6, 7]
    rows = []
    for name, fields in COLUMNS.items():
        for place in range(2):
            key = f"{name}-{place}"
            if "answer" in name:
                rows.append(make_answer(key, "Paris France", subtask=name, **fields))
            elif "citation" in name:
                rows.append(make_choices(key, ["B"], subtask=name, **fields))
            else:
                rows.append(make_row(key, subtask=name, **fields))
    folder = write_export(tmp_path / "e", rows)
    outputs = {row["id"]: "B)" if row["reader"] != "answer" else "France]" for row in rows}
    outputs |= {"issue_fix_plan-0": "C)", "open_report_zh-0": "C)"}
    averages = scores_of(folder, outputs)["averages"]
    assert averages["swe"] == pytest.approx(7.5 / 8)
    assert averages["swe_without_long"] == 1
    # EM 0 and ROUGE-1 2/3 of both answer subtasks, one report of two wrong, six columns right
    assert averages["dr"] == pytest.approx((2 * (0 + 2 / 3) + 0.5 + 6) / 11)
    assert averages["dr_without_long"] == pytest.approx((2 * (0 + 2 / 3) + 3) / 7)
    assert averages["macro"] == pytest.approx((7.5 + 0 + 0.5 + 6) / 17)


def test_log_probability_metrics_appear_where_predictions_carry_them(mixed):
    best = {label: {"sum": -1.0 - (label != "B"), "tokens": 1, "bytes": 1} for label in "ABCD"}
    gold = {"sum": -12.5, "tokens": 4, "bytes": 12}
    outputs = OUTPUTS | {
        "c0": {"output": None, "option_logprobs": best},
        "a0": {"output": "x", "gold_logprob": gold},
    }
    subtasks = scores_of(mixed, outputs)["subtasks"]
    plan = subtasks["env_setup_plan"]["metrics"]
    assert (plan["letter_accuracy"]["value"], plan["letter_accuracy"]["n"]) == (0.25, 4)
    assert plan["margin"]["n"] == 1
    bits = subtasks["closed_answer_en"]["metrics"]["bits_per_byte"]
    assert bits["value"] == pytest.approx(1.5028073343)
    assert "bits_per_byte" not in subtasks["env_setup_action"]["metrics"]


def test_the_signature_says_how_the_score_was_made(mixed):
    found = scores_of(mixed, OUTPUTS)
    digest = found["benchmark"]["sha256"][:12]
    assert found["signature"] == (
        f"apt-annotate 0.1.0 | release demo@1.0 sha256:{digest} | reader letter-1,cmd-1,ans-1"
        " | shots 3 | metric accuracy,em_norm,set_accuracy | compat no"
    )


def test_compat_drops_what_the_official_scripts_drop_and_says_so(mixed):
    found = scores_of(mixed, OUTPUTS | {"c2": "", "c3": "B"}, compat="aptbench")
    entry = found["subtasks"]["env_setup_plan"]
    assert (entry["n"], entry["dropped"]) == (3, 1)
    assert entry["metrics"]["accuracy"]["value"] == pytest.approx(2 / 3)
    assert found["signature"].endswith("compat aptbench")
    assert found["compat"] == "aptbench"
    assert any("1 items without output left the denominator" in w for w in found["warnings"])


def test_compat_over_no_outputs_at_all_gives_null_averages(mixed):
    found = scores_of(mixed, {}, compat="aptbench")
    assert found["averages"]["macro"] is None
    assert found["subtasks"]["env_setup_plan"]["n"] == 0


def test_an_unknown_compat_is_refused(mixed):
    with pytest.raises(ValueError, match="lm_eval"):
        scores_of(mixed, OUTPUTS, compat="lm_eval")


def test_one_model_is_named_and_several_are_warned_about(mixed):
    one = {"c0": {"output": "B", "model": "m1"}}
    assert scores_of(mixed, one)["model"] == "m1"
    found = scores_of(mixed, one | {"c1": {"output": "B", "model": "m2"}})
    assert found["model"] is None
    assert "the file holds several models: m1, m2" in found["warnings"]


def test_a_benchmark_that_nobody_reviewed_is_told(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a")], validation="none, imported")
    assert scores_of(folder, {"a": "B"})["warnings"][-1] == (
        "the benchmark was not reviewed: validation none, imported"
    )


def test_scores_are_json_without_nan(mixed):
    for outputs in (OUTPUTS, {}):
        json.dumps(scores_of(mixed, outputs), allow_nan=False)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(
    st.randoms(use_true_random=False), st.dictionaries(st.sampled_from(list(OUTPUTS)), st.text())
)
def test_the_order_of_lines_does_not_matter(mixed, order: random.Random, outputs):
    keys = list(outputs)
    first = scores_of(mixed, outputs)
    order.shuffle(keys)
    assert scores_of(mixed, {key: outputs[key] for key in keys}) == first
