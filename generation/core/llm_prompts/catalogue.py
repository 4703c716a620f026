"""All prompts, by purpose and language and by version; every version is kept readable."""

from collections.abc import Mapping
from types import MappingProxyType

from generation.core.llm_prompts import (
    attempted_test,
    citation_statements,
    issue_triage,
    judge,
    patch_attempt,
    plan_extraction,
    report_degradation,
    wrong_calls,
    wrong_plans,
    wrong_thoughts,
)
from generation.core.llm_prompts.prompt import LlmPrompt
from generation.core.records import Language

_MODULES = (
    attempted_test,
    citation_statements,
    issue_triage,
    judge,
    patch_attempt,
    plan_extraction,
    report_degradation,
    wrong_calls,
    wrong_plans,
    wrong_thoughts,
)

PROMPTS: Mapping[tuple[str, Language], LlmPrompt] = MappingProxyType(
    {
        (prompt.purpose, prompt.language): prompt
        for module in _MODULES
        for prompt in (module.EN, module.ZH)
    }
)
"""The prompt to use now, by purpose and language."""

VERSIONS: Mapping[str, LlmPrompt] = MappingProxyType(
    {prompt.version: prompt for prompt in (*wrong_thoughts.EARLIER, *PROMPTS.values())}
)
"""Prompts by version: by these a stored answer is read."""
