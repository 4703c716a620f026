"""Every prompt can be filled, is in both languages, and its own example has its shape."""

import json
import re

import pytest

from generation.core.llm_prompts.catalogue import PROMPTS, VERSIONS
from generation.core.llm_prompts.operators import LLM_OPERATORS
from generation.core.llm_prompts.report_degradation import RESPECTS
from generation.core.llm_prompts.request import request_for, texts_of
from generation.core.prompts import slot_names
from generation.core.records import Language
from generation.core.registry import SUBTASKS

PURPOSES = {purpose for purpose, _language in PROMPTS}


def request(prompt, *, mark="ab12", structured=False, **data):
    slots = {name: f"text of {name}" for name in slot_names(prompt.user)}
    return request_for(
        prompt,
        model="m",
        data={**slots, **data},
        words={},
        mark=mark,
        seed=7,
        is_structured=structured,
    )


@pytest.mark.parametrize("purpose", sorted(PURPOSES))
def test_prompt_is_there_in_both_languages_with_the_same_slots_and_shape(purpose):
    english, chinese = (PROMPTS[purpose, language] for language in Language)
    assert set(slot_names(english.user)) == set(slot_names(chinese.user))
    assert english.shape is chinese.shape
    assert english.version != chinese.version


def test_seven_kinds_of_work_have_prompts():
    assert {
        "plan_extraction",
        "issue_triage",
        "wrong_plans",
        "patch_attempt",
        "report_degradation",
        "citation_statements",
        "judge",
    } <= PURPOSES
    assert set(RESPECTS) == {"facts", "logic", "readability", "fit"}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=lambda prompt: prompt.version)
def test_request_is_filled_quotes_its_data_and_names_its_form(prompt):
    assert VERSIONS[prompt.version] is prompt
    assert len(prompt.version) <= 40
    made = request(prompt, structured=True)
    system, user, schema = texts_of(made.body)
    assert not re.search(r"\$[a-z]", system + user)
    assert "<<ab12 ...>>" in system
    for name in slot_names(prompt.user):
        assert f"<<ab12 {name}>>\ntext of {name}\n<<end ab12>>" in user
    for field in prompt.shape.model_fields:
        assert f'"{field}"' in user or not prompt.shape.model_fields[field].is_required()
        assert field in schema
    json.dumps(made.body)


def test_digest_is_of_what_is_asked_and_not_of_the_marks():
    prompt = PROMPTS["judge", Language.EN]
    digest = request(prompt).digest
    assert request(prompt, mark="cd34").digest == digest
    assert request(prompt, question="another").digest != digest
    assert request(prompt, structured=True).digest != digest


def test_operators_ask_with_prompts_that_exist_in_the_language_of_their_subtask():
    for subtasks in LLM_OPERATORS.values():
        for name, asked in subtasks.items():
            assert (asked.purpose, SUBTASKS[name].language) in PROMPTS


def test_earlier_version_keeps_its_words_so_that_stored_answers_are_read_by_it():
    earlier, now = VERSIONS["wrong_thoughts-en-1"], PROMPTS["wrong_thoughts", Language.EN]
    assert now.version == "wrong_thoughts-en-2"
    assert '"the thought"' in earlier.user
    assert '"the thought"' not in now.user
    assert "As flaw say in one sentence" in now.user
    assert earlier.shape is now.shape


def test_server_that_holds_to_a_schema_is_told_how_many_options_are_wanted():
    prompt = PROMPTS["wrong_thoughts", Language.EN]
    data = dict.fromkeys(slot_names(prompt.user), "x")
    made = request_for(
        *(prompt,),
        model="m",
        data=data,
        words={"wanted": "5"},
        mark="a",
        seed=7,
        is_structured=True,
    )
    schema = made.body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["wrong"]["minItems"] == 5
    assert schema["properties"]["wrong"]["maxItems"] == 5
