"""``export_label_studio`` and ``import_label_studio``: tasks out, annotations back, nothing lost."""

import json
from copy import deepcopy

import pytest
from django.core.management.base import CommandError
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import AuditEvent, Candidate, CandidateState, Option
from review.core.label_studio import controls
from review.models import Assignment, BlindAnswer, FindingVerdict, Review, Role
from review.services.votes import pseudonym
from tests.commands import run_json
from tests.make import (
    approving,
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db

NOTHING = {"answers": 0, "reviews": 0, "extra_reviews": 0, "there_already": 0}


@pytest.fixture
def lea():
    return make_user(Role.LEAD, username="lea")


@pytest.fixture
def ann():
    return make_user(username="ann")


@pytest.fixture
def export(tmp_path, lea):
    """Return a function that exports and returns the tasks of one form."""

    def export(phase="blind", form="choice", *more):
        out = tmp_path / f"{phase}-{len(list(tmp_path.iterdir()))}"
        run_json("export_label_studio", "--out", out, "--phase", phase, "--by", "lea", *more)
        return json.loads((out / form / "tasks.json").read_text("utf-8"))

    return export


@pytest.fixture
def take(tmp_path, lea):
    """Return a function that imports tasks, annotator 1 being ann."""

    def take(tasks, people=None):
        file, mapping = tmp_path / "export.json", tmp_path / "map.json"
        file.write_text(json.dumps(tasks), "utf-8")
        mapping.write_text(json.dumps(people or {"1": "ann"}), "utf-8")
        result = run_json("import_label_studio", file, "--by", "lea", "--map", mapping)
        for each in result["not_taken"]:
            each["where"] = each["where"].replace(str(tmp_path), "")
        return result

    return take


def annotate(task, *, number=7, by=1, **values):
    """Add an annotation as Label Studio stores it."""
    kinds = {"confidence": "rating"} | dict.fromkeys(
        ("comment", "well_specified_why", "gold_quality_why"), "text"
    )
    results: list[dict[str, object]] = []
    for name, value in values.items():
        kind = kinds.get(name, "choices")
        held = value if kind == "rating" or isinstance(value, list) else [value]
        results.append(
            {"id": f"r{len(results)}", "from_name": name, "type": kind, "value": {kind: held}}
        )
    task["annotations"].append(
        {
            "id": number,
            "completed_by": by,
            "lead_time": 12.5,
            "was_cancelled": False,
            "created_at": "2026-03-01T12:00:00Z",
            "result": results,
        }
    )
    return task


def label_of_text(task, text):
    return "ABCDEFGH"[task["data"]["option_texts"].index(text)]


def test_blind_tasks_hold_neither_gold_nor_findings_nor_what_others_said(export, ann):
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    review_by(ann, revision, answers=approving(revision, comment="a secret word"))
    (task,) = export()
    text = json.dumps(task)
    assert set(task["data"]) == {
        "key",
        "subtask",
        "language",
        "question",
        "prompt",
        "options",
        "option_texts",
    }
    for hidden in ("outcome", "all tests pass", "secret word", "later_step", "because"):
        assert hidden not in text
    assert task["annotations"] == []
    assert sorted(task["data"]["option_texts"]) == sorted(
        option.text for option in revision.options.all()
    )


def test_the_place_of_gold_is_no_cue(export):
    for _ in range(24):
        make_revision()
    places = {task["data"]["option_texts"].index("Fix the kiln.") for task in export()}
    assert places == {0, 1, 2, 3}


def test_options_are_escaped_where_they_are_shown_as_html(export):
    make_revision(options=("<img src=x onerror=alert(1)>", "b & c", "\u202ec", "d"))
    (task,) = export()
    shown = " ".join(option["html"] for option in task["data"]["options"])
    assert "<img" not in shown
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
    assert "b &amp; c" in shown
    assert "\u202e" not in shown


def test_each_kind_of_answer_is_a_project_of_its_own(tmp_path, lea):
    make_revision()
    make_completion()
    result = run_json("export_label_studio", "--out", tmp_path / "out")
    assert result["tasks"] == {"choice": 1, "completion": 1}
    assert sorted(path.name for path in (tmp_path / "out").rglob("*.*")) == [
        "config.xml",
        "config.xml",
        "tasks.json",
        "tasks.json",
    ]


def test_the_same_items_give_the_same_bytes(tmp_path, lea):
    for _ in range(3):
        make_revision()
    texts = []
    for name in ("one", "two"):
        run_json("export_label_studio", "--out", tmp_path / name)
        texts.append((tmp_path / name / "choice" / "tasks.json").read_bytes())
    assert texts[0] == texts[1]


def test_control_items_and_other_states_stay_here(export):
    make_revision(is_control=True)
    make_revision(state=CandidateState.DRAFT)
    make_revision(state=CandidateState.DISPUTED)
    kept = make_revision()
    (task,) = export()
    assert task["data"]["key"].split("/")[1] == kept.candidate.source.digest


def test_gold_is_for_leads_and_who_asked_is_written_down(tmp_path, lea, ann):
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE, Severity.NOTE])
    for who in ([], ["--by", "ann"], ["--by", "nobody"]):
        with pytest.raises(CommandError, match="lead"):
            run_json("export_label_studio", "--out", tmp_path / "no", "--phase", "open", *who)
    out = tmp_path / "out"
    run_json("export_label_studio", "--out", out, "--phase", "open", "--by", "lea")
    (task,) = json.loads((out / "choice" / "tasks.json").read_text())
    gold = label_of_text(task, "Fix the kiln.")
    assert task["data"]["gold_labels"] == [gold]
    assert task["data"]["gold"] == f"({gold}) Fix the kiln."
    assert task["data"]["findings"] == "1. outcome (severity 3, prompt): all tests pass"
    assert task["data"]["finding_keys"] == [revision.findings.get(severity=3).digest]
    event = AuditEvent.objects.get(action="label_studio.exported")
    assert (event.actor, event.detail) == (lea, "open: 1 tasks")


def test_a_lead_who_takes_gold_out_reviews_those_items_no_more(export, lea):
    mine, other = make_revision(), make_revision()
    make_assignment(revision=mine, reviewer=lea, now=timezone.now())
    (task,) = export("open")
    assert task["data"]["key"].split("/")[1] == other.candidate.source.digest
    assert Assignment.objects.get(revision=other).skipped_at
    assert len(export("blind")) == 2


def test_a_folder_that_is_there_is_never_overwritten(tmp_path, lea):
    make_revision()
    (tmp_path / "out").mkdir()
    with pytest.raises(CommandError, match="exists") as refused:
        run_json("export_label_studio", "--out", tmp_path / "out")
    assert refused.value.returncode == 2


def test_nothing_to_export_is_said_and_leaves_no_folder(tmp_path, lea):
    with pytest.raises(CommandError, match="no item is in_review") as refused:
        run_json("export_label_studio", "--out", tmp_path / "out")
    assert refused.value.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_reviews_go_out_under_pseudonyms_and_are_known_when_they_come_back(export, take, ann):
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    review = review_by(
        ann,
        revision,
        right=False,
        answers=rejecting(
            revision, gold_quality=2, gold_quality_why="two options are right here", comment="hm"
        ),
    )
    (task,) = export("reviews")
    (annotation,) = task["annotations"]
    values = {each["from_name"]: each["value"] for each in annotation["result"]}
    assert values["reviewer"] == {"text": [pseudonym(ann.pk)]}
    assert values["answer"] == {"choices": [label_of_text(task, "Sell the kiln.")]}
    assert values["decision"] == {"choices": ["reject"]}
    assert values["gold_quality"] == {"choices": ["2"]}
    assert values["comment"] == {"text": ["hm"]}
    assert annotation["lead_time"] == 22.5
    assert annotation["created_at"] == review.created_at.isoformat()
    assert annotation["ground_truth"] is False
    assert take([task]) == NOTHING | {"there_already": 1, "not_taken": []}
    changed = deepcopy(task)
    for each in changed["annotations"][0]["result"]:
        if each["from_name"] == "comment":
            each["value"] = {"text": ["other"]}
    result = take([changed])
    assert result["there_already"] == 0
    assert "reviews are never edited" in result["not_taken"][0]["why"]
    assert Review.objects.count() == 1


def test_an_answer_comes_back_as_the_annotator_s_blind_answer_and_once(export, take, ann, lea):
    revision = make_revision()
    (task,) = export()
    label = label_of_text(task, "Fix the kiln.")
    annotate(task, answer=label, confidence=4)
    assert take([task]) == NOTHING | {"answers": 1, "not_taken": []}
    answer = BlindAnswer.objects.get()
    assert (answer.positions, answer.confidence, answer.active_seconds) == ([0], 4, 12.5)
    assert answer.matches_gold
    assert (answer.assignment.reviewer, answer.assignment.assigned_by) == (ann, lea)
    assert take([task]) == NOTHING | {"there_already": 1, "not_taken": []}
    annotate(task, number=8, answer="ABCD".replace(label, "")[0], confidence=4)
    result = take([task])
    assert result["there_already"] == 1
    assert result["not_taken"] == [
        {
            "where": "/export.json:1: task " + str(task["id"]) + ", annotation 8",
            "why": "ann answered this item before, and otherwise",
        }
    ]
    assert revision.assignments.count() == 1


def test_a_written_answer_comes_back(export, take, ann):
    make_completion()
    (task,) = export("blind", "completion")
    assert task["data"]["options"] == []
    annotate(task, confidence=2)
    task["annotations"][0]["result"].append(
        {"from_name": "answer", "type": "textarea", "value": {"text": ["cat part3.py"]}}
    )
    assert take([task])["answers"] == 1
    assert BlindAnswer.objects.get().text == "cat part3.py"
    assert take([task])["there_already"] == 1


def judged(task, **changes):
    """Return the values of a judgement that approves a task of the open phase."""
    labels = "ABCDEFGH"[: len(task["data"]["option_texts"])]
    values = {
        controls.option(label): "valid"
        for label in labels
        if label not in task["data"]["gold_labels"]
    }
    values |= {
        controls.finding(n): "dismissed" for n, _ in enumerate(task["data"]["finding_keys"], 1)
    }
    values |= {"well_specified": "0", "gold_quality": "0", "decision": "approve"}
    return values | changes


def test_a_judgement_comes_back_as_a_review_and_settles(export, take, ann, settings):
    settings.REVIEWS_WANTED = 1
    revision = make_revision(findings=[Severity.NEEDS_PERSON], success=Success.UNCONFIRMED)
    blind(make_assignment(revision=revision, reviewer=ann, now=timezone.now()))
    (task,) = export("open")
    assert task["data"]["asks_success"]
    annotate(task, **judged(task, source_is_success="yes", comment="fine"))
    assert take([task]) == NOTHING | {"reviews": 1, "not_taken": []}
    review = Review.objects.get()
    assert (review.decision, review.comment, review.active_seconds) == ("approve", "fine", 12.5)
    assert review.option_verdicts.count() == 3
    assert FindingVerdict.objects.get().verdict == "dismissed"
    assert Candidate.objects.get().state == CandidateState.APPROVED
    assert take([task]) == NOTHING | {"there_already": 1, "not_taken": []}
    task["annotations"][0]["result"][0]["value"] = {"choices": ["too_easy"]}
    assert "reviewed this item before" in take([task])["not_taken"][0]["why"]
    assert Review.objects.count() == 1


def test_a_judgement_whose_place_is_taken_is_kept_as_an_extra_review(export, take, ann, settings):
    settings.REVIEWS_WANTED = 1
    revision = make_revision()
    blind(make_assignment(revision=revision, reviewer=ann))  # a lease that ended long ago
    (task,) = export("open")
    other = make_assignment(revision=revision, reviewer=make_user(), now=timezone.now())
    blind(other, now=timezone.now())
    submit(other, now=timezone.now())
    annotate(task, **judged(task))
    assert take([task]) == NOTHING | {"extra_reviews": 1, "not_taken": []}


def refusal(result):
    (only,) = result["not_taken"]
    assert {name: result[name] for name in NOTHING} == NOTHING
    return only["why"]


def test_who_has_not_answered_blind_can_not_judge(export, take, ann):
    make_revision()
    (task,) = export("open")
    annotate(task, **judged(task))
    assert refusal(take([task])) == "ann has given no blind answer to this item"


def test_a_review_that_breaks_rules_names_the_task_s_own_controls(export, take, ann):
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    blind(make_assignment(revision=revision, reviewer=ann, now=timezone.now()))
    (task,) = export("open")
    values = judged(task, finding_1="confirmed")
    missing = next(name for name in values if name.startswith("option_"))
    del values[missing]
    annotate(task, **values)
    why = refusal(take([task]))
    assert f"{missing}: Judge this distractor." in why
    assert "finding_1: A confirmed severity-3 finding can't be approved." in why


def test_annotators_who_are_nobody_here_and_full_items_are_listed(export, take, ann, settings):
    settings.REVIEWS_WANTED = 1
    revision = make_revision()
    (task,) = export()
    annotate(task, by=9, answer="A", confidence=4)
    assert refusal(take([task])) == "annotator '9' is mapped to no member"
    task["annotations"].clear()
    annotate(task, answer="A", confidence=4)
    make_assignment(revision=revision, now=timezone.now())
    assert "places" in refusal(take([task]))
    assert not Assignment.objects.filter(reviewer=ann).exists()


def test_tasks_that_are_not_of_here_are_listed(export, take, ann):
    revision = make_revision()
    (task,) = export()
    foreign = annotate({"id": 5, "data": {"text": "x"}, "annotations": []}, answer="A")
    assert "import_sources label_studio" in refusal(take([foreign]))
    gone = annotate(deepcopy(task), answer="A", confidence=4)
    key = gone["data"]["key"]
    for other in (f"{key[:-1]}7", f"\0{key}"):
        gone["data"]["key"] = other
        assert "no revision" in refusal(take([gone]))
    Option.objects.filter(revision=revision, position=3).update(text="Something else.")
    annotate(task, answer="A", confidence=4)
    assert "data.option_texts" in refusal(take([task]))


def test_skipped_tasks_and_added_controls_are_named(export, take, ann):
    make_revision()
    (task,) = export()
    annotate(task, answer="A", confidence=4, mood="fine")
    annotate(task, number=8, answer="A", confidence=4)
    task["annotations"][1]["was_cancelled"] = True
    result = take([task])
    assert result["answers"] == 1
    assert [each["why"] for each in result["not_taken"]] == [
        "1 skipped in Label Studio",
        "mood: no control of ours, left out",
    ]


@pytest.mark.parametrize(
    ("text", "mapping", "why"),
    [
        ("[1, 2", "{}", "not valid JSON"),
        ("", "{}", "empty"),
        ("[]", "[]", "an object of annotators"),
        ("[]", '{"1": "nobody"}', "no member nobody"),
        ("[]", '{"1": "no\\u0000body"}', "no member no"),
        ("[]", "{", "map.json"),
    ],
)
def test_files_that_can_not_be_read_are_named(tmp_path, lea, text, mapping, why):
    file, people = tmp_path / "export.json", tmp_path / "map.json"
    file.write_text(text)
    people.write_text(mapping)
    with pytest.raises(CommandError, match=why) as refused:
        run_json("import_label_studio", file, "--by", "lea", "--map", people)
    assert refused.value.returncode == 2


def test_only_a_lead_takes_annotations_in(tmp_path, ann):
    file, people = tmp_path / "export.json", tmp_path / "map.json"
    file.write_text("[]")
    people.write_text("{}")
    with pytest.raises(CommandError, match="no lead has this name"):
        run_json("import_label_studio", file, "--by", "ann", "--map", people)
