import csv

import pytest

from review.core.scorer import item_from_row
from review.core.scorer.compat import official_values, rouge101
from review.core.scorer.predictions import Prediction
from review.core.scorer.rouge import tokens
from tests.review.core.scorer.make_export import make_answer, make_choices, make_command, make_row
from tests.shared_data import REFERENCE, needs_shared


@needs_shared
@pytest.mark.parametrize(
    ("column", "split"),
    [("raw", str), ("chars", " ".join), ("mixed", lambda text: " ".join(tokens(text)))],
)
def test_rouge_1_0_1_is_reproduced(column, split):
    with (REFERENCE / "rouge_reference.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    compared = 0
    for row in rows:
        wanted = [row[f"rouge101_{column}_{kind}"] for kind in ("r1", "r2", "rl")]
        prediction, reference = row["prediction"], row["reference"]
        if column == "chars":
            prediction, reference = (text.replace(" ", "") for text in (prediction, reference))
        given = split(prediction), split(reference)
        if wanted[0].startswith("ValueError"):
            with pytest.raises(ValueError, match="empty"):
                rouge101(*given)
        else:
            assert rouge101(*given) == pytest.approx([float(x) for x in wanted], abs=1e-8), row[
                "id"
            ]
        compared += 1
    assert compared == 18


CHOICE = item_from_row(make_row("a"), "row")
CHOICES = item_from_row(make_choices("c", ["A", "C"]), "row")
COMMAND = item_from_row(make_command("d", "make"), "row")
ANSWER = item_from_row(make_answer("e", "Paris"), "row")


@pytest.mark.parametrize(
    ("item", "output", "right"),
    [
        (CHOICE, "B)", 1),
        (CHOICE, "B", 0),  # a letter before the end of the text is not seen
        (CHOICE, "**B**) x", 1),
        (CHOICE, "It is a) or B)", 0),
        (CHOICES, "A,C)", 1),
        (CHOICES, "A, C)", 0),
        (CHOICES, "A,C", 0),
        (COMMAND, "make\nmore", 1),
        (COMMAND, "make; ls\nmore", 1),
        (COMMAND, "make; ls", 0),
        (ANSWER, "Paris]", 1),
        (ANSWER, "Paris", 0),
        (ANSWER, "paris]", 0),
    ],
)
def test_the_official_reading_is_reproduced_with_its_faults(item, output, right):
    values = official_values(item, Prediction(output))
    assert values is not None
    assert next(iter(values.values())) == right


@pytest.mark.parametrize(
    "prediction", [None, Prediction(""), Prediction(None), Prediction("B)", error="x")]
)
def test_what_gave_no_output_is_dropped(prediction):
    assert official_values(CHOICE, prediction) is None
