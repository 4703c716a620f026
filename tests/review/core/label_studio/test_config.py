"""The labelling configuration holds exactly the controls that its phase asks for."""

from xml.etree import ElementTree

import pytest

from generation.core.subtask import AnswerFormat
from review.core.label_studio import controls
from review.core.label_studio.config import Asked, labelling_config
from review.core.label_studio.controls import Phase

ASKED = Asked(options=3, findings=1, success=True, reasons=("wrong_gold", "other"))


def names(form, phase, asked=ASKED):
    root = ElementTree.fromstring(labelling_config(form, phase, asked))
    return [each.get("name") for each in root.iter() if each.get("toName")]


def test_the_blind_phase_asks_for_an_answer_and_shows_no_gold():
    config = labelling_config(AnswerFormat.CHOICE, Phase.BLIND, ASKED)
    assert names(AnswerFormat.CHOICE, Phase.BLIND) == ["answer", "confidence"]
    assert "gold" not in config
    assert "finding" not in config


def test_a_completion_may_be_not_determined():
    expected = ["answer", "not_determined", "confidence"]
    assert names(AnswerFormat.COMPLETION, Phase.BLIND) == expected


def test_the_open_phase_asks_for_judgements_and_no_answer():
    expected = [
        "well_specified",
        "well_specified_why",
        "gold_quality",
        "gold_quality_why",
        "option_A",
        "option_B",
        "option_C",
        "finding_1",
        "finding_1_word",
        "source_is_success",
        "decision",
        "reject_reason",
        "comment",
    ]
    assert names(AnswerFormat.CHOICE, Phase.OPEN) == expected


@pytest.mark.parametrize("form", list(AnswerFormat))
@pytest.mark.parametrize("phase", list(Phase))
def test_every_control_has_a_known_name_once_and_belongs_to_the_prompt(form, phase):
    root = ElementTree.fromstring(labelling_config(form, phase, ASKED))
    found = names(form, phase)
    assert all(map(controls.is_control, found))
    assert len(found) == len(set(found))
    objects = {each.get("name") for each in root.iter("Text")}
    assert {each.get("toName") for each in root.iter() if each.get("toName")} == {"prompt"}
    assert objects == ({"prompt"} if phase is Phase.BLIND else {"prompt", "gold", "findings"})


def test_words_are_escaped():
    asked = Asked(options=0, findings=0, success=False, reasons=('a "quoted" <reason>', "b"))
    root = ElementTree.fromstring(labelling_config(AnswerFormat.CHOICE, Phase.OPEN, asked))
    values = [each.get("value") for each in root.iter("Choice")]
    assert 'a "quoted" <reason>' in values
