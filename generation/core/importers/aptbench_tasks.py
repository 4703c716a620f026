"""The tasks of the official layout: where their rows lie, which fields they have, what they are.

Field names as the official ``code/predict.py`` reads them; licences as their sources have them
(the repository's own licence does not lift those of InfoDeepSeek and of issue texts).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from generation.core.records import Language

APACHE, NON_COMMERCIAL, UNKNOWN = "Apache-2.0", "CC-BY-NC-4.0", "unknown"
_CHOICES = {"$CHOICES$": "choices"}


class History(Enum):
    """How the shown history is written in a row."""

    NONE = auto()
    COMMANDS = auto()
    RESEARCH = auto()
    MESSAGES = auto()


class Answer(Enum):
    """How the right answer is written in a row."""

    LETTER = auto()
    LETTERS = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class OfficialRows:
    """One task's rows: ``slots`` maps a slot's name to its field, ``cluster`` is a field too.

    ``placeholders`` maps each mark of the task's official prompt to the field that fills it.
    """

    subtask: str
    language: Language
    answer: Answer
    slots: Mapping[str, str]
    cluster: str
    licence: str
    placeholders: Mapping[str, str]
    history: History = History.NONE
    history_field: str = "trajectory"
    answer_field: str = "answer"
    optional: Mapping[str, str] = field(default_factory=dict)


def _choices_of(answer: Answer) -> Mapping[str, str]:
    return {} if answer is Answer.TEXT else _CHOICES


def _research(subtask: str, language: Language, answer: Answer) -> OfficialRows:
    return OfficialRows(
        subtask=subtask,
        language=language,
        answer=answer,
        slots={"task": "query"},
        cluster="query",
        licence=NON_COMMERCIAL,
        placeholders={"$QUERY$": "query", "$TRAJ$": "trajectory", **_choices_of(answer)},
        history=History.RESEARCH,
    )


def _messages(subtask: str, answer: Answer) -> OfficialRows:
    return OfficialRows(
        subtask=subtask,
        language=Language.EN,
        answer=answer,
        slots={},
        cluster="",
        licence=APACHE,
        placeholders={"$TRAJ$": "trajs", **_choices_of(answer)},
        history=History.MESSAGES,
        history_field="trajs",
    )


def _issue(subtask: str, statement: str, mark: str = "$ISSUE$") -> OfficialRows:
    return OfficialRows(
        subtask=subtask,
        language=Language.EN,
        answer=Answer.LETTER,
        slots={statement: statement},
        cluster=statement,
        licence=APACHE,
        placeholders={mark: statement, **_CHOICES},
    )


def _citation(subtask: str, language: Language) -> OfficialRows:
    return OfficialRows(
        subtask=subtask,
        language=language,
        answer=Answer.LETTERS,
        slots={"article": "article", "page": "url_content"},
        cluster="article",
        licence=APACHE,
        placeholders={"$ARTICLE$": "article", "$WEB_PAGE$": "url_content", **_CHOICES},
    )


def _report(subtask: str, language: Language) -> OfficialRows:
    return OfficialRows(
        subtask=subtask,
        language=language,
        answer=Answer.LETTER,
        slots={"query": "query"},
        cluster="query",
        licence=APACHE,
        placeholders={"$QUERY$": "query", **_CHOICES},
    )


OFFICIAL_ROWS: Mapping[tuple[str, str], OfficialRows] = {
    ("env_setup", "plan"): OfficialRows(
        subtask="env_setup_plan",
        language=Language.EN,
        answer=Answer.LETTER,
        slots={"repo_info": "repo_info"},
        cluster="repo_info",
        licence=APACHE,
        placeholders={"$REPO_INFO$": "repo_info", **_CHOICES},
    ),
    ("env_setup", "action"): OfficialRows(
        subtask="env_setup_action",
        language=Language.EN,
        answer=Answer.TEXT,
        slots={"execution_plan": "execution_plan", "executed_commands": "executed_cmds"},
        optional={"command_prefix": "cmd_prefix"},
        # The whole plan names the repository; its first step is often the same for many.
        cluster="execution_plan",
        licence=APACHE,
        placeholders={"$EXE_PLAN$": "execution_plan", "$EXE_CMDS$": "executed_cmds"},
        history=History.COMMANDS,
        history_field="executed_cmds",
        answer_field="target_cmd",
    ),
    ("env_setup", "error"): OfficialRows(
        subtask="env_setup_error",
        language=Language.EN,
        answer=Answer.LETTER,
        slots={
            "setup_instruct": "setup_instruct",
            "issue_title": "issue_title",
            "issue_body": "issue_body",
        },
        cluster="issue_title",
        licence=UNKNOWN,
        placeholders={
            "$SETUP$": "setup_instruct",
            "$ISSUE_TITLE$": "issue_title",
            "$ISSUE_BODY$": "issue_body",
            **_CHOICES,
        },
    ),
    ("issue_fix", "locate"): _issue("issue_fix_locate", "issue_statement"),
    ("issue_fix", "fix_patch"): _issue("issue_fix_fix_patch", "issue_statement"),
    ("issue_fix", "test_patch"): _issue("issue_fix_test_patch", "problem_statement", "$PROBLEM$"),
    ("issue_fix", "plan"): _messages("issue_fix_plan", Answer.LETTER),
    ("issue_fix", "action"): _messages("issue_fix_action", Answer.TEXT),
    ("deepresearch", "plan_en"): _research("closed_plan_en", Language.EN, Answer.LETTER),
    ("deepresearch", "plan_zh"): _research("closed_plan_zh", Language.ZH, Answer.LETTER),
    ("deepresearch", "summ_ans_en"): _research("closed_answer_en", Language.EN, Answer.TEXT),
    ("deepresearch", "summ_ans_zh"): _research("closed_answer_zh", Language.ZH, Answer.TEXT),
    ("deepresearch", "openend_plan_en"): OfficialRows(
        subtask="open_plan_en",
        language=Language.EN,
        answer=Answer.LETTER,
        slots={"question": "question"},
        cluster="question",
        licence="CDLA-Permissive-2.0",
        placeholders={"$QUERY$": "question", **_CHOICES},
    ),
    ("deepresearch", "openend_citation_en"): _citation("open_citation_en", Language.EN),
    ("deepresearch", "openend_citation_zh"): _citation("open_citation_zh", Language.ZH),
    ("deepresearch", "openend_quality_en"): _report("open_report_en", Language.EN),
    ("deepresearch", "openend_quality_zh"): _report("open_report_zh", Language.ZH),
}
"""Every documented task by its dataset and its name there."""
