"""The words of the interface for what a subtask asks."""

from django.utils.translation import gettext

from generation.core.subtask import Ability, AnswerFormat, Reader, Scenario, Subtask


def question_of(subtask: Subtask) -> str:
    """Return the question that the reviewer answers, in one sentence."""
    own = _own_question(subtask.name)
    if own:
        return own
    if subtask.answer_format is AnswerFormat.CHOICES:
        return gettext("Which of these hold? Choose all that do.")
    if subtask.answer_format is AnswerFormat.COMPLETION:
        if subtask.reader is Reader.COMMAND:
            return gettext("Which command comes next?")
        return gettext("Which short answer do these texts lead to?")
    if subtask.ability is Ability.PLAN:
        return gettext("Which next step fits best?")
    return gettext("Which option is right?")


def _own_question(name: str) -> str:
    """Return a subtask's own question, empty where the general one of its kind will do."""
    return {
        "env_setup_plan": gettext("Which plan sets the project up?"),
        "env_setup_error": gettext("Which way out solves the issue?"),
        "issue_fix_locate": gettext("Which excerpt has to change?"),
        "issue_fix_fix_patch": gettext("Which patch repairs the bug?"),
        "issue_fix_test_patch": gettext("Which test shows the bug?"),
        "open_plan_en": gettext("Which outline fits the question best?"),
        "open_citation_en": gettext("Which statements does the cited page support? Choose all."),
        "open_citation_zh": gettext("Which statements does the cited page support? Choose all."),
        "open_report_en": gettext("Which report answers the request best?"),
        "open_report_zh": gettext("Which report answers the request best?"),
    }.get(name, "")


def to_do_in(phase: str, subtask: Subtask) -> str:
    """Return what the reviewer is to do now: the question while blind, then the judgement."""
    if phase == "blind":
        return question_of(subtask)
    if subtask.answer_format is AnswerFormat.COMPLETION:
        return gettext("Now judge gold")
    return gettext("Now judge gold and each other option")


def scenario_word(scenario: Scenario) -> str:
    """Return a scenario's name for people."""
    return {
        Scenario.ENV_SETUP: gettext("environment set-up"),
        Scenario.ISSUE_FIX: gettext("issue fixing"),
        Scenario.CLOSED_QA: gettext("closed-ended research"),
        Scenario.OPEN_QA: gettext("open-ended research"),
    }[scenario]


def ability_word(ability: Ability) -> str:
    """Return an ability's name for people."""
    return {
        Ability.PLAN: gettext("planning"),
        Ability.ACTION: gettext("action"),
        Ability.ATOMIC: gettext("atomic ability"),
    }[ability]
