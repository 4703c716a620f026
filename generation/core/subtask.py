"""The type of a subtask, and of the drafts its builder makes.

A subtask is one file in ``generation.core.subtasks`` that defines ``SUBTASK``; the registry
finds it, and every registry test covers it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from generation.core.records import Document, Language, Step, Tool, Trajectory


class Scenario(StrEnum):
    """What kind of work the agent does."""

    ENV_SETUP = "env_setup"
    ISSUE_FIX = "issue_fix"
    CLOSED_QA = "closed_qa"
    OPEN_QA = "open_qa"


class Ability(StrEnum):
    """What the question asks of the model."""

    PLAN = "plan"
    ACTION = "action"
    ATOMIC = "atomic"


class AnswerFormat(StrEnum):
    """How the answer is given."""

    CHOICE = "choice"
    CHOICES = "choices"
    COMPLETION = "completion"


class Reader(StrEnum):
    """How a model's output is read (see ``review.core.scorer``)."""

    LETTER = "letter"
    LETTERS = "letters"
    COMMAND = "command"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Prefix:
    """What was known before step ``cut``: the task, the tools, steps 1..cut-1. Never the future.

    ``thought`` is the thought of the asked step where the subtask's policy shows it.
    """

    task: str
    system: str
    tools: tuple[Tool, ...]
    steps: tuple[Step, ...]
    thought: str = ""

    @property
    def cut(self) -> int:
        """The 1-based number of the step that is asked for."""
        return len(self.steps) + 1


@dataclass(frozen=True, slots=True)
class Draft:
    """A question before its distractors.

    ``cut`` is the 1-based step asked for, or one more than the run has where the whole run is
    shown; of a document it is the number of the part that is asked about. ``slots`` are the item's
    own texts beside those of ``prompts.prefix_slots``; ``gold`` the right answer's text,
    ``more_golds`` those of further right options where several are to be chosen.
    """

    cut: int
    gold: str
    slots: Mapping[str, str]
    more_golds: tuple[str, ...] = ()

    @property
    def golds(self) -> tuple[str, ...]:
        """The texts of all right answers, at least one."""
        return (self.gold, *self.more_golds)


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a cut gives no question, so that nothing is dropped silently."""

    cut: int
    why: str


@dataclass(frozen=True, slots=True)
class OptionDraft:
    """An option: its text, the operator that made it and why it is right or wrong."""

    text: str
    operator: str
    reason: str
    is_gold: bool = False


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """A draft among all drafts of its subtask, as option selection sees them.

    ``key`` is stable (source digest and cut), ``cluster`` the task, ``community`` the repository
    or topic, ``steps`` the whole run: operators may take thoughts and actions of later steps,
    never their observations. ``document`` is what a draft that is of no run was made of, ``failed``
    the documents of its task that are known to be wrong (``Subtask.wrong_kinds``).
    """

    key: str
    cluster: str
    community: str
    draft: Draft
    steps: tuple[Step, ...]
    tools: tuple[Tool, ...]
    document: Document | None = None
    failed: tuple[Document, ...] = ()


Builder = Callable[[Trajectory], Iterator[Draft | Rejection]]
DocumentBuilder = Callable[[Document], Iterator[Draft | Rejection]]
OptionMaker = Callable[
    [Sequence[PoolEntry], int], Mapping[str, tuple[OptionDraft, ...] | Rejection]
]


@dataclass(frozen=True, slots=True)
class PromptParts:
    """The texts a prompt is made of; ``$name`` marks a slot, filled in one pass.

    ``instruction`` opens the prompt once, ``block`` is one question up to where the answer
    starts, ``answer_end`` closes the answer of a worked example (a bracket or a fence).
    """

    instruction: str
    block: str
    answer_end: str


@dataclass(frozen=True, slots=True)
class OfficialTask:
    """A task of the official APTBench layout: ``data/<dataset>/<task>/input_data.jsonl``."""

    dataset: str
    task: str


@dataclass(frozen=True, slots=True)
class Subtask:
    """One row of the benchmark, declared.

    ``choices`` is the range of allowed option counts (None for completion);
    ``max_new_tokens`` and ``stop`` the generation budget; ``official_max_new_tokens`` the
    official budget that imported rows keep, without stop strings; ``build`` makes drafts of runs,
    ``build_document`` of documents, and where both are None the subtask can be imported but not
    built; ``make_options`` is None for completion. ``wrong_kinds`` are the kinds of sources whose
    failed documents may be wrong options of the same task's questions.
    """

    name: str
    scenario: Scenario
    ability: Ability
    language: Language
    answer_format: AnswerFormat
    reader: Reader
    metrics: tuple[str, ...]
    prompt: PromptParts
    max_new_tokens: int
    stop: tuple[str, ...]
    official_max_new_tokens: int
    choices: range | None = None
    shots: int = 3
    long_context: bool = True
    official: OfficialTask | None = None
    source_kinds: tuple[str, ...] = ()
    wrong_kinds: tuple[str, ...] = ()
    build: Builder | None = None
    build_document: DocumentBuilder | None = None
    make_options: OptionMaker | None = None
    shows_thought: bool = False
    set_name: str = "swe"
