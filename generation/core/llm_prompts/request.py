"""The request to a model: a prompt filled in once, secrets masked, data between delimiters."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generation.core.llm_prompts.prompt import LlmPrompt
from generation.core.prompts import slot_names
from generation.core.replies.delimited import fill_delimited
from generation.core.replies.masking import Masker


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, and a digest of what is asked that the delimiters have no part in."""

    body: Mapping[str, Any]
    digest: str
    masked: int


def request_for(
    prompt: LlmPrompt,
    *,
    model: str,
    data: Mapping[str, str],
    words: Mapping[str, str],
    mark: str,
    seed: int,
    is_structured: bool,
) -> Request:
    """Return the request for a prompt.

    Args:
        prompt: What is asked.
        model: The name by which the server knows the model.
        data: Texts from outside, by slot; secrets in them are masked.
        words: Our own texts, by slot.
        mark: A random mark of the delimiters.
        seed: Passed on to the model; 0..2**63 - 1.
        is_structured: Whether the server holds answers to a JSON schema.

    Raises:
        MarkInData: another mark has to be drawn.
        KeyError: the prompt names a slot that has no text.
    """
    masker = Masker()
    masked = {name: masker.mask(text) for name, text in data.items()}
    settings: dict[str, Any] = {
        "model": model,
        "max_tokens": prompt.max_tokens,
        "temperature": prompt.temperature,
        "seed": seed % 2**31,
    }
    if is_structured:
        settings["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": prompt.purpose, "schema": _schema(prompt, words)},
        }
    asked = json.dumps([prompt.version, settings, masked, dict(words)], sort_keys=True)
    messages = [
        {"role": "system", "content": fill_delimited(prompt.system, {}, words={}, mark=mark)},
        {"role": "user", "content": fill_delimited(prompt.user, masked, words=words, mark=mark)},
    ]
    return Request(
        body={**settings, "messages": messages},
        digest=hashlib.sha256(asked.encode()).hexdigest(),
        masked=len(masker.masks),
    )


def _schema(prompt: LlmPrompt, words: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of a prompt's answer; its list is as long as is asked for (``$wanted``).

    Without that a small model ends its list after the first element.
    """
    schema = prompt.shape.model_json_schema()
    if "wanted" in slot_names(prompt.user) and "wanted" in words:
        count = int(words["wanted"])
        lists = [field for field in schema["properties"].values() if field.get("type") == "array"]
        for field in lists:
            field.update(minItems=count, maxItems=count)
    return schema


def texts_of(body: Mapping[str, Any]) -> list[str]:
    """Return the texts of a request that a server counts as tokens."""
    texts = [message["content"] for message in body["messages"]]
    if "response_format" in body:
        texts.append(json.dumps(body["response_format"]))
    return texts
