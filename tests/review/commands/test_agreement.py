"""``agreement``: the numbers, their edges, and the raw table that reproduces them elsewhere."""

import csv
import json
import random
import re
from collections import defaultdict
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Literal

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from generation.core.items import Severity
from review.core.review_answers import OPTION_VERDICTS
from review.services.blind_answers import answer_blind
from review.services.votes import pseudonym
from tests.commands import run_json
from tests.make import (
    NOW,
    approving,
    make_assignment,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db

MEASURES = [
    "blind_answer",
    "citation_answer",
    "matches_gold",
    "decision",
    "well_specified",
    "gold_quality",
    "distractor_verdict",
    "finding_verdict",
]
WHY = "a reason that is long enough to be one"


def make_reviews(items: int = 14) -> None:
    """Store three reviews of each item by three of four people, with labels drawn from a seed."""
    draw = random.Random(3)
    people = [make_user() for _ in range(4)]
    for number in range(items):
        is_citation = number % 4 == 3
        revision = make_revision(
            subtask="open_citation_en" if is_citation else "issue_fix_plan",
            options=[f"Option {n} of {number}." for n in range(6 if is_citation else 4)],
            findings=[Severity.NEEDS_PERSON],
        )
        finding = revision.findings.get().pk
        for person in draw.sample(people, 3):
            answers = draw.choice([approving, approving, rejecting])
            turn = make_assignment(revision=revision, reviewer=person)
            answer_blind(
                assignment=turn,
                positions=draw.sample(range(3), draw.randint(1, 3) if is_citation else 1),
                confidence=3,
                active_seconds=1,
                now=NOW,
            )
            submit(
                turn,
                answers=answers(
                    revision,
                    well_specified=draw.choice([0, 0, 1, 2, 3]),
                    gold_quality=draw.choice([0, 1, 1, 3]),
                    well_specified_why=WHY,
                    gold_quality_why=WHY,
                    option_verdicts={
                        option.position: draw.choice(OPTION_VERDICTS[:3])
                        for option in revision.options.all()
                    },
                    finding_verdicts={finding: (draw.choice(["confirmed", "dismissed"]), "")},
                ),
            )


@pytest.fixture
def three_wanted(settings):
    settings.REVIEWS_WANTED = 3


Table = dict[str, dict[tuple[str, str, str], dict[str, str]]]


def read_table(path: Path) -> Table:
    """Return, by measure, labels by unit and reviewer, as a stranger would read the CSV."""
    found: Table = defaultdict(lambda: defaultdict(dict))
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            unit = row["item"], row["revision"], row["field"]
            found[row["field"].split(".")[0]][unit][row["reviewer"]] = row["value"]
    return found


NOMINAL = ["blind_answer", "matches_gold", "decision", "distractor_verdict", "finding_verdict"]
ORDINAL = ["well_specified", "gold_quality"]


def test_raw_table_reproduces_every_number_with_outside_libraries(tmp_path, three_wanted):
    make_reviews()
    shown = run_json("agreement", "--table", tmp_path / "raw.csv", "--resamples", "50")
    table = read_table(tmp_path / "raw.csv")
    assert set(table) == set(MEASURES) == set(shown)
    for measure in NOMINAL + ORDINAL:
        units, ours = table[measure], shown[measure]
        people = sorted({name for labels in units.values() for name in labels})
        names = sorted({label for labels in units.values() for label in labels.values()})
        codes = np.array(
            [
                [names.index(labels[p]) if p in labels else np.nan for p in people]
                for labels in units.values()
            ]
        )
        level: Literal["nominal", "ordinal"] = "ordinal" if measure in ORDINAL else "nominal"
        theirs = krippendorff.alpha(
            reliability_data=codes.T,
            value_domain=list(range(len(names))),
            level_of_measurement=level,
        )
        assert ours["alpha"]["value"] == pytest.approx(theirs, abs=1e-6)
        assert ours["n_raters"] == len(people)
        # Every unit has three labels, so statsmodels' Fleiss applies.
        full = [[labels[p] for p in sorted(labels)] for labels in units.values()]
        counts, _ = aggregate_raters(np.array(full))
        assert ours["fleiss"] == pytest.approx(fleiss_kappa(counts), abs=1e-6)
        agreeing = [sum(a == b for a, b in combinations(labels, 2)) / 3 for labels in full]
        assert ours["raw"] == pytest.approx(np.mean(agreeing), abs=1e-9)
        assert len(ours["pairs"]) == 6
        for pair in ours["pairs"]:
            both = [labels for labels in units.values() if set(pair["raters"]) <= set(labels)]
            sides = [[labels[p] for labels in both] for p in pair["raters"]]
            assert pair["n"] == len(both)
            assert pair["cohen"] == pytest.approx(cohen_kappa_score(*sides), abs=1e-6)
            if measure in ORDINAL:
                kappa = cohen_kappa_score(*sides, weights="quadratic", labels=list("0123"))
                assert pair["cohen_quadratic"] == pytest.approx(kappa, abs=1e-6)


def masi_by_hand(first: set[str], second: set[str]) -> float:
    """Passonneau's distance, written down once more: equal, within, overlapping, apart."""
    common, all_members = len(first & second), len(first | second)
    if first == second:
        return 0.0
    return 1 - common / all_members * (2 / 3 if common in {len(first), len(second)} else 1 / 3)


def test_raw_table_reproduces_the_alpha_of_sets_with_an_outside_library(tmp_path, three_wanted):
    make_reviews()
    shown = run_json("agreement", "--table", tmp_path / "raw.csv", "--resamples", "50")
    units = read_table(tmp_path / "raw.csv")["citation_answer"]
    people = sorted({name for labels in units.values() for name in labels})
    sets = sorted({label for labels in units.values() for label in labels.values()})
    codes = [[sets.index(u[p]) if p in u else np.nan for p in people] for u in units.values()]
    apart = np.array([[masi_by_hand(set(a.split()), set(b.split())) for a in sets] for b in sets])
    assert len(set(apart.ravel().round(3))) > 3  # equal, within, overlapping, apart all occur

    def masi(v1, v2, i1, i2, n_v, dtype=np.float64):
        return apart[i1, i2].astype(dtype)

    theirs = krippendorff.alpha(
        reliability_data=np.array(codes).T,
        value_domain=list(range(len(sets))),
        level_of_measurement=masi,
    )
    assert shown["citation_answer"]["alpha"]["value"] == pytest.approx(theirs, abs=1e-6)


def test_jsonl_holds_what_the_csv_holds(tmp_path, three_wanted):
    make_reviews(4)
    for name in ("raw.csv", "raw.jsonl"):
        run_json("agreement", "--table", tmp_path / name, "--resamples", "10")
    lines = (tmp_path / "raw.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    with (tmp_path / "raw.csv").open(encoding="utf-8", newline="") as file:
        flat = list(csv.DictReader(file))
    assert [record["field"] for record in records] == [row["field"] for row in flat]
    for record, row in zip(records, flat, strict=True):
        value = record["value"]
        assert row["value"] == (" ".join(value) if isinstance(value, list) else str(value))
    assert any(isinstance(record["value"], list) for record in records)


def test_no_name_of_a_person_leaves(tmp_path, three_wanted):
    make_reviews(4)
    out = StringIO()
    call_command("agreement", "--json", "--table", tmp_path / "raw.csv", stdout=out, verbosity=0)
    text = out.getvalue() + (tmp_path / "raw.csv").read_text(encoding="utf-8")
    assert "reviewer-" in text
    assert all(f"reviewer{number}" not in text for number in range(200))


def test_same_seed_same_result(three_wanted):
    make_reviews(6)
    first, again = (run_json("agreement", "--resamples", "60") for _ in range(2))
    assert first == again
    other = run_json("agreement", "--resamples", "60", "--seed", "5")
    assert other["decision"]["raw"] == first["decision"]["raw"]
    assert other["decision"]["alpha"] != first["decision"]["alpha"]


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("subtask", ["issue_fix_plan", "open_citation_en"]),
        ("ability", ["atomic", "plan"]),
        ("language", ["en"]),
    ],
)
def test_groups_are_objects_of_measures(three_wanted, by, groups):
    make_reviews(4)
    shown = run_json("agreement", "--by", by, "--resamples", "10")
    assert list(shown) == groups
    assert [list(measures) for measures in shown.values()] == [MEASURES] * len(groups)
    assert sum(measures["decision"]["n_items"] for measures in shown.values()) == 4


def test_reviewers_and_weeks_are_groups_too():
    ann, bea = make_user(), make_user()
    revision = make_revision()
    review_by(ann, revision)
    review_by(bea, revision)
    shown = run_json("agreement", "--by", "reviewer", "--resamples", "10")
    assert list(shown) == sorted([pseudonym(ann.pk), pseudonym(bea.pk)])
    (week,) = run_json("agreement", "--by", "week", "--resamples", "10").values()
    assert week == run_json("agreement", "--resamples", "10")


def test_without_reviews_every_measure_says_so():
    shown = run_json("agreement")
    assert list(shown) == MEASURES
    for measure in shown.values():
        assert measure["warnings"] == ["No labels yet"]
        assert measure["alpha"]["value"] is measure["raw"] is None
        assert measure["reason"] == measure["alpha"]["reason"] == "No labels yet"
    assert run_json("agreement", "--by", "week") == {}


def test_one_reviewer_is_told_that_no_item_has_two_labels():
    review_by(make_user(), make_revision())
    assert run_json("agreement")["decision"]["warnings"] == ["0 items have 2 or more labels"]


def test_words_say_number_interval_and_warning(three_wanted):
    make_reviews(6)
    out = StringIO()
    call_command("agreement", "--resamples", "60", stdout=out, verbosity=0)
    text = out.getvalue()
    assert "decision: 6 items, 6 with 2 or more labels, 4 reviewers" in text
    assert "! too few to conclude: 6 items with 2 or more labels, 30 are needed" in text
    assert "AC1 undefined (answers are sets: no fixed list of labels)" in text
    assert "quadratic weights: raw" in text
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)


def test_words_without_reviews():
    out = StringIO()
    call_command("agreement", stdout=out)
    assert out.getvalue().startswith("No labels yet: blind_answer, ")
    out = StringIO()
    call_command("agreement", "--by", "week", stdout=out)
    assert out.getvalue() == "No labels yet\n"


def test_table_is_never_overwritten(tmp_path):
    path = tmp_path / "raw.csv"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match="never overwritten") as stopped:
        run_json("agreement", "--table", path)
    assert stopped.value.returncode == 2
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--table", "raw.xlsx"], "no known format"),
        (["--table", "nowhere/raw.csv"], "is no folder"),
        (["--by", "mood"], "invalid choice"),
        (["--seed", "-1"], "no whole number"),
        (["--resamples", "0"], "not from 1 to 100000"),
    ],
)
def test_wrong_use_is_refused(arguments, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=why):
        run_json("agreement", *arguments)
    assert list(tmp_path.iterdir()) == []
