"""Every number of the reference file, which outside libraries and publications agree on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from review.core.agreement.alpha import (
    FixedDistance,
    Scale,
    alpha,
    alpha_of_counts,
    metric_of,
    set_distances,
)
from review.core.agreement.coefficients import (
    brennan_prediger,
    fleiss,
    gwet,
    gwet_by_chance,
    gwet_standard_error,
    raw_agreement,
)
from review.core.agreement.cohen import cohen, cohen_standard_error, conger, pairs
from review.core.agreement.distances import jaccard_distance, masi_distance
from review.core.agreement.specific import binarised
from review.core.agreement.table import RatingTable
from review.core.agreement.weights import Weights, weight_matrix
from tests.review.core.agreement.tables import counts_of, from_square, table_of
from tests.shared_data import REFERENCE, needs_shared

pytestmark = needs_shared

PATH = REFERENCE / "agreement_reference.json"
KNOWN: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
SETS: dict[str, Any] = {entry["name"]: entry for entry in KNOWN.get("sets", [])}
ISSUES: dict[str, Any] = {entry["id"]: entry for entry in KNOWN.get("issue_tests", [])}

IRR = "irrCAC weights="
# What the file gives beside numbers: words for the page, what libraries answer in edge cases.
NO_NUMBERS = {"libraries", "ui"}


def table_in(entry: dict[str, Any]) -> RatingTable:
    if "table" in entry:
        return from_square(entry["table"], entry["categories"])
    if entry["name"].startswith("masi"):
        return table_of([[x if x is None else frozenset(x) for x in r] for r in entry["ratings"]])
    return table_of(entry["ratings"])


def numbers(entry: dict[str, Any]) -> Iterator[tuple[str, float | None, float | None]]:
    """Yield (name, ours, expected) for every number expected of a data set."""
    table = None if "counts" in entry else table_in(entry)
    counts = counts_of(entry["counts"]) if table is None else table.counts()
    labels = range(counts.shape[1]) if table is None else table.labels
    for name, expected in entry["expected"].items():
        if name.startswith(IRR):
            weights = weight_matrix(Weights(name.removeprefix(IRR)), counts.shape[1])
            ours = {
                "percent": raw_agreement(counts, weights),
                "fleiss": fleiss(counts, weights),
                "gwet_ac1": gwet(counts, weights),
                "gwet_ac2": gwet(counts, weights),
                "brennan_prediger": brennan_prediger(counts, weights),
                "gwet_se_unconditional": gwet_standard_error(counts, weights),
            }
            assert table is not None
            ours["conger"] = conger(table, weights)
            for key, value in expected.items():
                yield f"{name}: {key}", ours[key].number, value
        elif name == "krippendorff_alpha":
            assert table is not None
            for scale, value in expected.items():
                yield f"alpha {scale}", alpha(table, Scale(scale)).number, value
        elif name.startswith("pairwise_cohen"):
            assert table is not None
            found = {f"{p.first[1:]}-{p.second[1:]}": p for p in pairs(table)}
            assert set(found) == set(expected)
            for pair, cell in expected.items():
                yield f"{pair} kappa", cohen(found[pair].both).number, cell["kappa"]
                yield f"{pair} n", found[pair].n, cell["n"]
                yield f"{pair} raw", found[pair].raw.number, cell["raw"]
        elif name.startswith("fleiss_per_category"):
            for label, value in expected.items():
                yield f"fleiss of {label}", fleiss(binarised(counts, int(label))).number, value
        elif name in {"masi", "jaccard"}:
            distance = {"masi": masi_distance, "jaccard": jaccard_distance}[name]
            plain = set_distances(labels, distance)
            once = alpha_of_counts(counts, FixedDistance(plain)).number
            twice = alpha_of_counts(counts, FixedDistance(plain**2)).number
            yield f"{name} nltk", once, expected["nltk_alpha"]
            yield f"{name} own", once, expected["own_alpha_delta=distance"]
            yield f"{name} squared", twice, expected["own_alpha_delta=distance^2"]
        elif name == "cohen_ci95_statsmodels":
            assert table is not None
            (pair,) = pairs(table)
            kappa, error = cohen(pair.both).number, cohen_standard_error(pair.both).number
            assert kappa is not None
            assert error is not None
            for sign, value in zip((-1, 1), expected, strict=True):
                yield f"{name} {sign}", kappa + sign * 1.959963984540054 * error, value
        else:
            yield name, one_number(name, table, counts, labels), expected


def one_number(name, table, counts, labels):
    nominal = metric_of(Scale.NOMINAL, labels)
    if name.startswith("cohen"):
        (pair,) = pairs(table)
        kind = {"cohen_linear": Weights.LINEAR, "cohen_quadratic": Weights.QUADRATIC}
        weights = weight_matrix(kind.get(name, Weights.IDENTITY), len(labels))
        error = name == "cohen_se_statsmodels"
        return (cohen_standard_error if error else cohen)(pair.both, weights).number
    if name.startswith("krippendorff_") and name != "krippendorff_nominal":
        return alpha(table, Scale(name.removeprefix("krippendorff_"))).number
    coefficients = {
        "percent": raw_agreement,
        "fleiss": fleiss,
        "scott": fleiss,
        "gwet_ac1": gwet,
        "brennan_prediger": brennan_prediger,
        "randolph_uniform": brennan_prediger,
    }
    # The first word is the coefficient, the rest says which library gave it.
    if coefficient := coefficients.get(name.split(" ")[0]):
        return coefficient(counts).number
    # What is left is nominal alpha under its four names; another name is no number we know.
    assert name in {
        "alpha",
        "krippendorff_nominal",
        "nominal_exact_set",
        "crowd-kit alpha_krippendorff nominal",
    }, name
    return alpha_of_counts(counts, nominal).number


@pytest.mark.parametrize("name", SETS)
def test_data_set_gives_the_numbers_of_the_libraries(name):
    found = {what: (ours, expected) for what, ours, expected in numbers(SETS[name])}
    for what, (ours, expected) in found.items():
        if expected is None or ours is None:
            assert ours is expected, what
        else:
            assert ours == pytest.approx(expected, abs=1e-6), what


def test_no_data_set_is_passed_over():
    checked = {name: sum(1 for _ in numbers(entry)) for name, entry in SETS.items()}
    assert len(checked) == 35
    assert [name for name, count in checked.items() if not count] == ["edge_empty"]
    assert sum(checked.values()) > 300


@pytest.mark.parametrize("name", [name for name, entry in SETS.items() if entry.get("published")])
def test_published_alphas_to_their_last_digit(name):
    entry = SETS[name]
    scales = {key: value for key, value in entry["published"].items() if key in list(Scale)}
    for scale, value in scales.items():
        ours = alpha(table_in(entry), Scale(scale)).number
        assert ours == pytest.approx(value, abs=5.1e-4)


@pytest.mark.parametrize("pair", KNOWN.get("masi_pairs", {}).get("pairs", []))
def test_masi_of_a_pair_of_sets(pair):
    first, second = frozenset(pair["a"]), frozenset(pair["b"])
    assert masi_distance(first, second) == pytest.approx(pair["masi_distance"], abs=1e-6)
    assert masi_distance(second, first) == masi_distance(first, second)


def test_ac1_of_independent_raters_is_the_simulated_one():
    for prevalence, raw, _kappa, ac1, bp in KNOWN["independence_baseline"]["rows"]:
        # The shares of two raters whose labels are independent: (p, 1 - p) as counts of units.
        rare = round(1000 * prevalence)
        counts = counts_of([[2, 0]] * rare + [[0, 2]] * (1000 - rare))
        assert gwet_by_chance(counts).number == pytest.approx(ac1, abs=0.012)
        independent = prevalence**2 + (1 - prevalence) ** 2
        assert independent == pytest.approx(raw, abs=0.012)
        assert 2 * independent - 1 == pytest.approx(bp, abs=0.012)
