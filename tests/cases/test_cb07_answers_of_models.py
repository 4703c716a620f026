"""CB07: what models answer, and what becomes of it."""

import json

from generation.core.llm_prompts.wrong_thoughts import WrongThoughts
from generation.core.replies.outcome import outcome_of
from tests.cases.read import case
from tests.shared_data import needs_shared

EXPECTED = {
    "plain": None,
    "fenced": None,
    "think": None,
    "two_objects": None,
    "truncated": "cut",
    "refusal": "refusal",
    "filtered": "content_filter",
    "in_reasoning": "reasoning_only",
    "spaces": "cut",
    "error_200": "server_error",
    "html": "not_json",
}


@needs_shared
def test_each_answer_has_its_name_and_its_usage_is_read():
    responses = case("CB07")["input"]["responses"]
    for name, failure in EXPECTED.items():
        # the case calls the list "distractors" where the prompt here calls it "wrong"
        body = json.dumps(responses[name]).replace("distractors", "wrong")
        outcome = outcome_of(body, asked_model="m", shape=WrongThoughts)
        assert outcome.failure == failure, name
        assert (outcome.usage is None) is ("usage" not in responses[name]), name
