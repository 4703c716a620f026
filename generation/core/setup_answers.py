"""The solution in a well-liked answer to a GitHub issue, as a plan of steps, made by rule.

Steps are the items of the answer's lists, the commands of its fences and the sentences of its
prose that say what to do, in their order; thanks, questions, what explains and headings over a
list are none.
"""

import re
from collections.abc import Iterator, Sequence

from generation.core.markdown_blocks import Block, BlockKind, read_blocks
from generation.core.records import Document, Section

LEAST_LIKED = 3
"""Likes less dislikes that an answer needs: one more than two friends give."""
MOST_STEPS = 12
_LONGEST_STEP = 300
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+")
_CODE = re.compile(r"`[^`\n]+`")
_HIDDEN = re.compile("`\0`")
_SENTENCE = re.compile(r"(?<=[.;!?。；！？])\s+(?=[A-Z`\"'(]|[\u4e00-\u9fff])|(?<=[。；！？])")
_JOINED = re.compile(r"(?:,|;)?\s+(?:and\s+)?then\s+(?=\w)|;\s+(?=[a-z`])")
_IDLE = re.compile(
    r"^(?:thanks?\b|thank you|hi\b|hello\b|great\b|good\b|glad\b|sorry\b|hope\b|cheers\b|closing\b"
    r"|same (?:here|issue|problem)|any update|it works|works for me|that (?:was it|worked)|see\b)",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"(?:^|[,:;(]\s+|\b(?:to|then|and|or|can|could|should|must|just|please|by|try|was|is)\s+)"
    r"(?:(?:re|un)?install|set|unset|run|use|add|remove|delete|change|edit|replace|rename|relax|pin"
    r"|(?:up|down)grad|updat|export|creat|(?:de)?activat|(?:re)?build|compil|download|copy|mov|put"
    r"|clon|check|switch|open|clos|restart|clear|disabl|enabl|pass|writ|mak|split|fit|link|point"
    r"|append|apply|patch|comment|increas|decreas|lower|rais|try|drop|overrid|start|stop|mount|grant"
    r"|allow|sourc|load|convert|sav|skip|execut|launch|fetch|pull|log|prepend|plug|connect|give|tell"
    r"|keep|leav|go|call|includ|exclud|free|kill|turn|select|choos|confirm|repeat|wait|mark|order)"
    r"(?:e|es|s|ed|d|ing|p|ping|ting|ning)?\b",
    re.IGNORECASE,
)
_SETUP = re.compile(
    r"\b(?:install\w*|pip3?|conda|mamba|npm|poetry|uv|wheel|setup\.py|build\w*|compil\w+|import\w*"
    r"|ModuleNotFoundError|ImportError|CUDA\w*|nvcc|gcc|cmake|docker\w*|requirements?|environment"
    r"|version|dependenc\w+|PATH|LD_LIBRARY_PATH|apt|brew|venv|virtualenv|kernel|driver|makefile)\b",
    re.IGNORECASE,
)


def best_answer(document: Document) -> Section | str:
    """Return the comment that solves a closed issue as its readers see it, or why there is none."""
    if document.facts.get("state") != "closed":
        return "the issue is not closed"
    if document.facts.get("state_reason") in {"not_planned", "duplicate"}:
        return f"the issue was closed as {document.facts['state_reason']}"
    notes = {note.kind for note in document.notes}
    if "body_tells_outcome" in notes:
        return "the issue's own text says how it ended"
    if "incomplete_thread" in notes:
        return "comments are missing: the best answer may not be here"
    liked = [
        comment
        for comment in document.of_kind("comment")
        if not comment.facts.get("is_bot") and int(comment.facts.get("score", 0)) >= LEAST_LIKED
    ]
    if not liked:
        return f"no answer has {LEAST_LIKED} likes more than dislikes"
    best, *rest = sorted(liked, key=lambda comment: -int(comment.facts["score"]))
    if rest and rest[0].facts["score"] == best.facts["score"]:
        return "two answers are liked equally"
    return best


def is_about_setup(document: Document) -> bool:
    """Return whether an issue speaks of installing, building or its environment."""
    text = "\n".join([document.title, *(part.text for part in document.of_kind("body"))])
    return _SETUP.search(text) is not None


def solution_steps(answer: str) -> tuple[str, ...]:
    """Return the steps of an answer, each once; without end marks, on one line each."""
    found = (" ".join(step.split()).rstrip(" .;:,。；：") for step in _steps(answer))
    kept = (step for step in found if len(step) > 3 and not _IDLE.match(step))
    return tuple(dict.fromkeys(step[:1].upper() + step[1:] for step in kept))


def plan_fault(steps: Sequence[str], *, fewest: int) -> str | None:
    """Return why steps are no plan to choose; None where they are one."""
    if len(steps) < fewest:
        return f"the answer has fewer than {fewest} steps"
    if len(steps) > MOST_STEPS:
        return f"the answer has more than {MOST_STEPS} steps"
    if any(len(step) > _LONGEST_STEP for step in steps):
        return f"a step of the answer is longer than {_LONGEST_STEP} characters"
    return None


def _steps(answer: str) -> Iterator[str]:
    for block in read_blocks(answer.replace("\0", "")):
        if block.kind is BlockKind.PROSE:
            yield from _of_prose(block)
        elif block.kind in {BlockKind.FENCE, BlockKind.INDENTED}:
            for command in _commands(block):
                yield f"Run `{command}`"


def _commands(block: Block) -> Iterator[str]:
    text = block.text.replace("\\\n", " ")
    for line in text.splitlines():
        command = line.strip().removeprefix("$ ")
        if command and not command.startswith("#"):
            yield command


def _of_prose(block: Block) -> Iterator[str]:
    for paragraph in _paragraphs(block.lines):
        if paragraph.rstrip().endswith((":", "：")) and not _ITEM.match(paragraph):
            continue  # it opens a list or a fence
        # Code is cut nowhere: it stands as one word while sentences are told apart.
        spans = _CODE.findall(paragraph)
        hidden = _CODE.sub(lambda _: "`\0`", _ITEM.sub("", paragraph))
        for sentence in _SENTENCE.split(hidden):
            is_asked = sentence.rstrip().endswith(("?", "？"))
            for part in _JOINED.split(sentence):
                own = [spans.pop(0) for _ in range(part.count("\0"))]
                if not is_asked and _DOES.search(part):
                    yield _HIDDEN.sub(lambda _: own.pop(0), part)  # noqa: B023 - used at once


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yield list items and paragraphs, each joined to one line; quoted lines are left out."""
    held: list[str] = []
    for line in (*lines, ""):
        if line.lstrip().startswith(">"):
            continue
        if not line.strip() or _ITEM.match(line):
            if held:
                yield " ".join(held)
            held = []
        if line.strip():
            held.append(line.strip())
