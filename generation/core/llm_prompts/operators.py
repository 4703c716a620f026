"""Operators that ask a model for wrong options, by name and subtask.

An operator says what of a draft a prompt shows, how an answer is read as option texts with reasons,
and by which rule a text can stand: that is for rules, never for the model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Protocol

from generation.core.bug_fixes import is_test_path
from generation.core.llm_prompts.material import (
    patch_material,
    plan_material,
    report_material,
    run_material,
)
from generation.core.llm_prompts.read_options import (
    calls_of,
    patches_of,
    plans_of,
    report_of,
    thoughts_of,
)
from generation.core.llm_prompts.report_degradation import RESPECTS
from generation.core.llm_prompts.written import alike, written_fault
from generation.core.llm_prompts.written_documents import (
    patch_fault,
    plan_fault,
    report_fault,
    same_report,
    same_text,
)
from generation.core.operators.operator import Unfit, Wrong
from generation.core.records import Language
from generation.core.replies.reading import Answer
from generation.core.subtask import PoolEntry

SPARE = 2
"""Options asked for beyond those needed, since rules will refuse some."""


class Material(Protocol):
    """Texts of a draft by the slots of a prompt."""

    def __call__(self, entry: PoolEntry, *, task: str) -> Mapping[str, str]:
        """Return the texts; ``task`` is what the run of a cut was told to do."""


@dataclass(frozen=True, slots=True)
class AskedOptions:
    """What a subtask asks a model for.

    ``purpose`` names the prompt, ``material`` gives its texts; ``options`` reads an answer, ``fault``
    says why a text can't stand, ``is_same`` whether two are one to a reader. With ``respects``
    a draft is asked about once for each of them: ``respects`` are words for ``$respect``.
    """

    purpose: str
    options: Callable[[Answer, PoolEntry], list[Wrong | Unfit]]
    material: Material = run_material
    fault: Callable[[str, PoolEntry], str | None] = written_fault
    is_same: Callable[[str, str], bool] = alike
    respects: Mapping[str, Mapping[Language, str]] | None = None


_THOUGHTS = AskedOptions("wrong_thoughts", thoughts_of)
_CALLS = AskedOptions("wrong_calls", calls_of)
_PLANS = AskedOptions("wrong_plans", plans_of, plan_material, plan_fault, same_text)
_REPORTS = AskedOptions(
    "report_degradation", report_of, report_material, report_fault, same_report, RESPECTS
)
_FIX = AskedOptions(
    "patch_attempt",
    patches_of,
    patch_material,
    partial(patch_fault, is_fit=lambda path: not is_test_path(path)),
    same_text,
)
_TEST = AskedOptions(
    "attempted_test",
    patches_of,
    patch_material,
    partial(patch_fault, is_fit=is_test_path),
    same_text,
)

LLM_OPERATORS: Mapping[str, Mapping[str, AskedOptions]] = MappingProxyType(
    {
        "llm_degrade": MappingProxyType(
            {
                "issue_fix_plan": _THOUGHTS,
                "closed_plan_en": _CALLS,
                "closed_plan_zh": _CALLS,
                "env_setup_plan": _PLANS,
                "env_setup_error": _PLANS,
                "open_plan_en": _PLANS,
                "open_report_en": _REPORTS,
                "open_report_zh": _REPORTS,
            }
        ),
        "llm_patch": MappingProxyType({"issue_fix_fix_patch": _FIX, "issue_fix_test_patch": _TEST}),
    }
)

OPERATOR_OF: Mapping[str, str] = MappingProxyType(
    {name: operator for operator, known in LLM_OPERATORS.items() for name in known}
)
"""The one operator that writes options of a subtask, by the subtask's name."""
