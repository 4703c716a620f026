import json

import pytest

from review.core.scorer import PredictionError, item_from_row
from review.core.scorer.predictions import LogProbability, read_predictions
from tests.review.core.scorer.make_export import make_answer, make_row

ITEMS = {row["id"]: item_from_row(row, "row") for row in (make_row("a"), make_answer("b", "Paris"))}


def read(tmp_path, *lines: str | bytes):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return read_predictions(path, ITEMS)


def test_outputs_and_states_come_back_by_id(tmp_path):
    found = read(
        tmp_path,
        '{"id": "a", "output": "B", "finish_reason": "stop", "model": "m", "run": "r"}',
        "",
        '{"id": "b", "output": null, "error": "500", "truncated_prompt": true}',
    )
    assert found.by_id["a"].output == "B"
    assert (found.by_id["b"].error, found.by_id["b"].truncated_prompt) == ("500", True)
    assert found.models == ("m",)


def test_an_empty_file_holds_no_predictions(tmp_path):
    assert read(tmp_path).by_id == {}


def test_a_line_said_again_word_for_word_is_one_prediction(tmp_path):
    line = '{"id": "a", "output": "B"}'
    found = read(tmp_path, line, line)
    assert (len(found.by_id), found.repeated) == (1, 1)


def test_the_same_id_with_other_content_is_refused_with_both_lines(tmp_path):
    with pytest.raises(PredictionError, match=r"line 3: field id: 'a' stands already in line 1"):
        read(tmp_path, '{"id": "a", "output": "B"}', "", '{"id": "a", "output": "C"}')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "zz", "output": "B"}', "field id: 'zz' is not in the benchmark"),
        ('{"id": "a", "output": "B"', "is not JSON"),
        ('{"id": "a", "output": "B", "x": NaN}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        (b'{"id": "a", "output": "\xff"}', "is not UTF-8"),
        ('["a", "B"]', "an object is expected"),
        ('{"output": "B"}', "field id: text"),
        ('{"id": 3, "output": "B"}', "field id: text"),
        ('{"id": "a"}', "field output"),
        ('{"id": "a", "output": 3}', "field output"),
        ('{"id": "a", "output": ["B"]}', "field output"),
        ('{"id": "a", "output": "B", "finish_reason": 1}', "field finish_reason"),
        ('{"id": "a", "output": "B", "error": {}}', "field error"),
        ('{"id": "a", "output": "B", "truncated_prompt": "yes"}', "field truncated_prompt"),
        ('{"id": "a", "output": "B", "option_logprobs": []}', "field option_logprobs"),
        ('{"id": "a", "output": "B", "gold_logprob": -3.2}', "field gold_logprob"),
        (
            '{"id": "a", "output": "B", "gold_logprob": {"sum": 2, "tokens": 1, "bytes": 1}}',
            "field gold_logprob.sum",
        ),
        (
            '{"id": "a", "output": "B", "gold_logprob": {"sum": -2, "tokens": true, "bytes": 1}}',
            "field gold_logprob.tokens",
        ),
        (
            '{"id": "a", "output": "B", "gold_logprob": {"sum": -2, "tokens": 1, "bytes": 0}}',
            "field gold_logprob.bytes",
        ),
        (
            '{"id": "a", "output": "B", "option_logprobs": '
            '{"A": {"sum": -2, "tokens": 1, "bytes": 1}}}',
            "field option_logprobs: the labels A, B, C, D are expected",
        ),
    ],
)
def test_a_wrong_line_is_refused_with_its_number_and_field(tmp_path, line, message):
    with pytest.raises(PredictionError, match=r"p\.jsonl, line 2: ") as caught:
        read(tmp_path, '{"id": "b", "output": "x"}', line)
    assert message in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PredictionError, match="cannot be read"):
        read_predictions(tmp_path / "none.jsonl", ITEMS)


def test_log_probabilities_alone_are_a_prediction(tmp_path):
    one = {"sum": -12.5, "tokens": 4, "bytes": 12}
    found = read(tmp_path, json.dumps({"id": "b", "gold_logprob": one}))
    assert found.by_id["b"].gold_logprob == LogProbability(-12.5, 4, 12)


def test_a_byte_order_mark_and_lone_surrogates_are_read(tmp_path):
    found = read(tmp_path, b"\xef\xbb\xbf" + b'{"id": "a", "output": "\\ud800"}')
    assert found.by_id["a"].output == "\ud800"
