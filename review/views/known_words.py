"""The words of closed sets that code names: kinds of findings, operators; in the page's language.

In English they are the names themselves, since people meet those in files and filters, too.
"""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from review.models import Decision, Validation

KINDS = {
    "ambiguous_choice_labels": pgettext_lazy("finding", "ambiguous_choice_labels"),
    "answer_key": pgettext_lazy("finding", "answer_key"),
    "answer_out_of_range": pgettext_lazy("finding", "answer_out_of_range"),
    "distractor_same_action_as_gold": pgettext_lazy("finding", "distractor_same_action_as_gold"),
    "distractor_violates_tool_schema": pgettext_lazy("finding", "distractor_violates_tool_schema"),
    "duplicate_choice": pgettext_lazy("finding", "duplicate_choice"),
    "duplicate_row": pgettext_lazy("finding", "duplicate_row"),
    "final_answer": pgettext_lazy("finding", "final_answer"),
    "final_answer_in_prefix": pgettext_lazy("finding", "final_answer_in_prefix"),
    "future_observation": pgettext_lazy("finding", "future_observation"),
    "future_step": pgettext_lazy("finding", "future_step"),
    "gold_exceeds_max_new_tokens": pgettext_lazy("finding", "gold_exceeds_max_new_tokens"),
    "gold_fully_covered_by_distractors": pgettext_lazy(
        "finding", "gold_fully_covered_by_distractors"
    ),
    "gold_in_prompt": pgettext_lazy("finding", "gold_in_prompt"),
    "gold_is_command_fragment": pgettext_lazy("finding", "gold_is_command_fragment"),
    "gold_not_literal_in_trajectory": pgettext_lazy("finding", "gold_not_literal_in_trajectory"),
    "gold_not_shell": pgettext_lazy("finding", "gold_not_shell"),
    "gold_step_in_fewshot_prompt": pgettext_lazy("finding", "gold_step_in_fewshot_prompt"),
    "gold_wrapped_in_quotes": pgettext_lazy("finding", "gold_wrapped_in_quotes"),
    "hostile_characters": pgettext_lazy("finding", "hostile_characters"),
    "mojibake": pgettext_lazy("finding", "mojibake"),
    "near_duplicate_choice": pgettext_lazy("finding", "near_duplicate_choice"),
    "outcome": pgettext_lazy("finding", "outcome"),
    "overlapping_snippet": pgettext_lazy("finding", "overlapping_snippet"),
    "placeholder_in_gold": pgettext_lazy("finding", "placeholder_in_gold"),
    "query_in_fewshot_prompt": pgettext_lazy("finding", "query_in_fewshot_prompt"),
    "target_already_executed": pgettext_lazy("finding", "target_already_executed"),
    "unclear_support": pgettext_lazy("finding", "unclear_support"),
    "unexpected_choice_count": pgettext_lazy("finding", "unexpected_choice_count"),
}
OPERATORS = {
    "break_logic": pgettext_lazy("operator", "break logic"),
    "cited_elsewhere": pgettext_lazy("operator", "cited elsewhere"),
    "drop_step": pgettext_lazy("operator", "drop step"),
    "early_stop": pgettext_lazy("operator", "early stop"),
    "edit": pgettext_lazy("operator", "edit"),
    "failed_prediction": pgettext_lazy("operator", "failed prediction"),
    "gold": pgettext_lazy("operator", "gold"),
    "harm_readability": pgettext_lazy("operator", "harm readability"),
    "imported": pgettext_lazy("operator", "imported"),
    "insert_harmful": pgettext_lazy("operator", "insert harmful"),
    "insert_redundant": pgettext_lazy("operator", "insert redundant"),
    "later_step": pgettext_lazy("operator", "later step"),
    "llm_degrade": pgettext_lazy("operator", "made worse by a model"),
    "llm_patch": pgettext_lazy("operator", "patch by a model"),
    "miss_request": pgettext_lazy("operator", "miss request"),
    "off_target_query": pgettext_lazy("operator", "off target query"),
    "other_item": pgettext_lazy("operator", "other item"),
    "perturb_facts": pgettext_lazy("operator", "perturb facts"),
    "random_root_star": pgettext_lazy("operator", "random root star"),
    "real_step_block": pgettext_lazy("operator", "real step block"),
    "reorder_steps": pgettext_lazy("operator", "reorder steps"),
    "repeat_done": pgettext_lazy("operator", "repeat done"),
    "same_file_snippet": pgettext_lazy("operator", "same file snippet"),
    "swap_versions": pgettext_lazy("operator", "swap versions"),
    "unrelated_url": pgettext_lazy("operator", "unrelated url"),
    "wrong_tool_use": pgettext_lazy("operator", "wrong tool use"),
}
DECISIONS = {
    Decision.APPROVE: _("Approve"),
    Decision.REJECT: _("Reject"),
    Decision.EDIT: _("Edit"),
}
VALIDATIONS = {Validation.REVIEWED: _("Reviewed"), Validation.IMPORTED: _("Imported")}
# Values that filters, tables and labels show as they are in English.
VALUES = {
    "approve": pgettext_lazy("value", "approve"),
    "reject": pgettext_lazy("value", "reject"),
    "edit": pgettext_lazy("value", "edit"),
    "bad_question": pgettext_lazy("value", "bad_question"),
    "bad_options": pgettext_lazy("value", "bad_options"),
    "no_correct": pgettext_lazy("value", "no_correct"),
    "multiple_correct": pgettext_lazy("value", "multiple_correct"),
    "wrong_gold": pgettext_lazy("value", "wrong_gold"),
    "leak": pgettext_lazy("value", "leak"),
    "contaminated": pgettext_lazy("value", "contaminated"),
    "harmful": pgettext_lazy("value", "harmful"),
    "other": pgettext_lazy("value", "other"),
    "valid": pgettext_lazy("value", "valid"),
    "also_correct": pgettext_lazy("value", "also_correct"),
    "too_easy": pgettext_lazy("value", "too_easy"),
    "malformed": pgettext_lazy("value", "malformed"),
    "duplicate": pgettext_lazy("value", "duplicate"),
    "confirmed": pgettext_lazy("value", "confirmed"),
    "dismissed": pgettext_lazy("value", "dismissed"),
    "unconfirmed": pgettext_lazy("value", "unconfirmed"),
    "failed": pgettext_lazy("value", "failed"),
    "yes": pgettext_lazy("value", "yes"),
    "no": pgettext_lazy("value", "no"),
    "env_setup": pgettext_lazy("value", "env_setup"),
    "issue_fix": pgettext_lazy("value", "issue_fix"),
    "closed_qa": pgettext_lazy("value", "closed_qa"),
    "open_qa": pgettext_lazy("value", "open_qa"),
    "plan": pgettext_lazy("value", "plan"),
    "action": pgettext_lazy("value", "action"),
    "atomic": pgettext_lazy("value", "atomic"),
    "en": pgettext_lazy("value", "en"),
    "zh": pgettext_lazy("value", "zh"),
}
PLACES = {
    "gold": pgettext_lazy("place", "gold"),
    "prompt": pgettext_lazy("place", "prompt"),
    "row": pgettext_lazy("place", "row"),
    "trajectory": pgettext_lazy("place", "trajectory"),
}
SCOPES = {
    "lead": pgettext_lazy("scope", "lead"),
    "read": pgettext_lazy("scope", "read"),
    "review": pgettext_lazy("scope", "review"),
}


def kind_word(kind: str) -> str:
    """Return the kind of a finding for people; one that is not listed by its name."""
    return str(KINDS.get(kind, kind))


def operator_word(operator: str) -> str:
    """Return the operator that made an option for people; one that is not listed by its name."""
    return str(OPERATORS.get(operator, operator.replace("_", " ")))


def decision_word(decision: str) -> str:
    """Return what a reviewer decided in words."""
    return str(DECISIONS[Decision(decision)])


def validation_word(validation: str) -> str:
    """Return in words whether people validated a release."""
    return str(VALIDATIONS[Validation(validation)])


def value_word(value: str) -> str:
    """Return a value of a filter or table for people; one that is not listed as it is."""
    return str(VALUES.get(value, value))


def place_word(field: str) -> str:
    """Return the field of an item that a finding is in for people."""
    return str(PLACES.get(field, field))


def scope_words(scopes: Iterable[str]) -> str:
    """Return what a token may do for people."""
    return ", ".join(str(SCOPES.get(scope, scope)) for scope in scopes)
