"""Exports of Label Studio 1.23 as they lie in files: what is read, and what is refused by name."""

import pytest

from review.core.label_studio.reading import Annotation, Task, UnreadableTask, read_task

KEY = "issue_fix_plan/0f/3/1"


def json_task(**annotation):
    given = {
        "id": 3,
        "completed_by": 1,
        "was_cancelled": False,
        "lead_time": 3.858,
        "created_at": "2026-11-30T20:46:51.321139Z",
        "unique_id": "1b5c2c23-03a5-4818-af14-0312b55ada1c",
        "result": [
            {
                "value": {"choices": ["D"]},
                "id": "cTFp_AuNMD",
                "from_name": "answer",
                "to_name": "prompt",
                "type": "choices",
                "origin": "manual",
            },
            {
                "value": {"rating": 4},
                "id": "Y9J7n39G3D",
                "from_name": "confidence",
                "to_name": "prompt",
                "type": "rating",
                "origin": "manual",
            },
        ],
    }
    return {
        "id": 1,
        "annotations": [given | annotation],
        "predictions": [],
        "data": {"key": KEY, "option_texts": ["Paint.", "Wait."]},
    }


def min_record(**fields):
    return {
        "key": KEY,
        "option_texts": ["Paint.", "Wait."],
        "options": [{"value": "A", "html": "A"}],
        "id": 1,
        "answer": "D",
        "confidence": [{"rating": 4}],
        "annotator": 1,
        "annotation_id": 3,
        "created_at": "2026-11-30T20:46:51.321139Z",
        "updated_at": "2026-11-30T20:46:51.321164Z",
        "lead_time": 3.858,
    } | fields


SAID = Annotation(
    number="3",
    annotator="1",
    seconds=3.858,
    made_at="2026-11-30T20:46:51.321139Z",
    values={"answer": ["D"], "confidence": ["4"]},
)


@pytest.mark.parametrize("value", [json_task(), min_record()])
def test_both_formats_say_the_same(value):
    assert read_task(value) == Task("1", KEY, ("Paint.", "Wait."), (), (SAID,))


def test_several_choices_and_texts_are_read_from_both_formats():
    task = json_task(
        result=[
            {"from_name": "answer", "type": "choices", "value": {"choices": ["B", "F"]}},
            {"from_name": "comment", "type": "textarea", "value": {"text": ["one", "two"]}},
        ]
    )
    expected = {"answer": ["B", "F"], "comment": ["one", "two"]}
    assert read_task(task).annotations[0].values == expected
    record = min_record(answer={"choices": ["B", "F"]}, comment=["one", "two"])
    del record["confidence"]
    assert read_task(record).annotations[0].values == expected


def test_a_record_of_a_task_that_nobody_annotated_has_no_annotation():
    record = min_record(annotator=None, annotation_id=None, lead_time=None, created_at=None)
    assert read_task(record).annotations == ()


def test_cancelled_annotations_are_counted_and_not_read():
    task = read_task(json_task(was_cancelled=True))
    assert (task.annotations, task.skipped) == ((), 1)


def test_an_annotator_is_an_email_where_there_is_one():
    task = json_task(completed_by={"id": 7, "email": "ann@lab.example"})
    assert read_task(task).annotations[0].annotator == "ann@lab.example"


def test_a_result_that_came_from_here_names_its_review():
    result = {"id": "4b1c:answer", "from_name": "answer", "value": {"choices": ["A"]}}
    assert read_task(json_task(result=[result])).annotations[0].own_key == "4b1c"
    foreign = {"id": "4b1c:other", "from_name": "answer", "value": {"choices": ["A"]}}
    assert read_task(json_task(result=[foreign])).annotations[0].own_key == ""


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ([], "task"),
        ({"id": 1}, "data"),
        ({"data": 5}, "data"),
        ({"data": {"key": 5}}, "data.key"),
        ({"data": {"option_texts": {}}}, "data.option_texts"),
        ({"data": {"option_texts": [1]}}, "data.option_texts[0]"),
        ({"data": {}, "annotations": {}}, "annotations"),
        ({"data": {}, "annotations": [5]}, "annotations[0]"),
        (json_task(result=None), "annotations[0].result"),
        (json_task(result=["x"]), "annotations[0].result[0]"),
        (json_task(result=[{"from_name": 5}]), "annotations[0].result[0].from_name"),
        (json_task(result=[{"from_name": "a", "value": 5}]), "annotations[0].result[0].value"),
        (
            json_task(result=[{"from_name": "a", "value": {"choices": 5}}]),
            "annotations[0].result[0].value.choices",
        ),
        (
            json_task(result=[{"from_name": "a", "value": {"rating": "x"}}]),
            "annotations[0].result[0].value.rating",
        ),
        (
            json_task(result=[{"from_name": "a", "value": {"number": float("inf")}}]),
            "annotations[0].result[0].value.number",
        ),
        (json_task(lead_time=-1), "annotations[0].lead_time"),
        (json_task(lead_time=True), "annotations[0].lead_time"),
    ],
)
def test_what_can_not_be_read_is_named_by_its_field(value, field):
    with pytest.raises(UnreadableTask) as refused:
        read_task(value)
    assert refused.value.field == field


def test_several_values_where_one_is_expected_are_refused():
    annotation = Annotation("1", "1", 0, "", {"decision": ["approve", "reject"]})
    with pytest.raises(UnreadableTask, match="2 values"):
        annotation.one("decision")
