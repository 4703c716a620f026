"""Reads InfoDeepSeek runs: one whole run a line, or what its own agent writes.

Success is never taken from the file: a short answer in other words than the reference is no
failure, so every run is unconfirmed until a person has seen it. Formats: rows with ``trajectory``
(steps of planning, execution, observation); query records of InfoDeepSeek with ``result``.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.research_steps import (
    FINISH,
    StepError,
    make_step,
    read_step,
    read_steps,
    read_tools,
)
from generation.core.importers.streams import Parsed, json_values
from generation.core.importers.text import cluster_key, holds_chinese
from generation.core.records import (
    Language,
    Note,
    Outcome,
    Provenance,
    Refusal,
    Step,
    Success,
    Tool,
    Trajectory,
)

KIND = "infodeepseek"
LICENCE = "CC-BY-NC-4.0"
_LANGUAGES = {language.value: language for language in Language}
# <queries>_result_<language>_<model>_<steps>_<pages>_wotool_<flag>_<engine>[_lang_aware]
_NATIVE_NAME = re.compile(r"_result_(?P<language>en|zh)_(?P<model>.+?)_\d+_\d+_wotool_")
_COMPLETE_TASKS = "* Complete tasks: "

DEFAULT_TOOLS = (
    Tool("web_search", "Searches the web.", {"text": "the search query"}, ("text",)),
    Tool(
        "browse_website",
        "Reads a page and answers a question about it.",
        {"url": "address of the page", "question": "what is sought on it"},
        ("url", "question"),
    ),
    Tool(FINISH, "Ends the run: no further call is needed."),
)
"""The tools of a run whose record does not declare any."""


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the .jsonl files below ``folder``."""
    for where, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(where, name) for name in files if name.endswith(".jsonl"))


def read_file(file: InputFile) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield the runs of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file cannot be read.
    """
    for parsed in json_values(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
            continue
        row = parsed.value
        if not isinstance(row, dict):
            yield Unrecognised(parsed.number, "no object")
        elif "choices" in row:
            why = "a question of APTBench, not a run: import it with kind aptbench"
            yield Unrecognised(parsed.number, why, "choices")
        elif "trajectory" in row or isinstance(row.get("result"), dict):
            try:
                read = _row if "trajectory" in row else _native
                yield read(file, parsed, row)
            except StepError as error:
                yield Refusal(where=file.place(parsed.number), why=str(error))
        else:
            why = "no run of InfoDeepSeek: neither 'trajectory' nor 'result'"
            yield Unrecognised(parsed.number, why, "trajectory")


def _row(file: InputFile, parsed: Parsed, row: Mapping[str, Any]) -> Trajectory:
    query = _needed(row, "query")
    steps, notes = read_steps(row["trajectory"], field="trajectory")
    terminate = row.get("terminate_step")
    if terminate is not None and not (steps and steps[-1].tool == FINISH):
        steps = (*steps, read_step(terminate, "terminate_step"))
    source, number = _word(row, "source"), _word(row, "traj_id")
    language = _language(_word(row, "lang"), query)
    return _trajectory(
        file,
        parsed,
        language=language,
        query=query,
        steps=steps,
        external_id=":".join((language.value, source, number or str(parsed.number))),
        model=_model_of(source),
        licence=_word(row, "licence"),
        tools=read_tools(row.get("tool_set")) or DEFAULT_TOOLS,
        outcome=Outcome(
            final_answer=_word(row, "agent_short_answer") or _word(row, "answer"),
            reference_answer=_word(row, "reference_answer") or _word(row, "query_answer"),
        ),
        notes=notes,
    )


def _native(file: InputFile, parsed: Parsed, row: Mapping[str, Any]) -> Trajectory:
    named = _NATIVE_NAME.search(file.path.stem)
    code = named["language"] if named else _word(row, "lang")
    if code not in _LANGUAGES:
        known = [each for each in _LANGUAGES if _word(row, f"query_{each}")]
        if len(known) != 1:
            msg = "field 'lang' is missing, and the file's name does not tell the language"
            raise StepError(msg)
        code = known[0]
    result = row["result"]
    identifier = _word(row, "id") or _word(result, "id") or str(parsed.number)
    return _trajectory(
        file,
        parsed,
        language=_LANGUAGES[code],
        query=_needed(row, f"query_{code}"),
        steps=_native_steps(row, result),
        external_id=f"{code}:{file.path.stem}:{identifier}",
        model=named["model"] if named else "",
        licence=_word(row, "licence"),
        tools=DEFAULT_TOOLS,
        outcome=Outcome(
            final_answer=_word(result, "response"),
            reference_answer=_word(row, f"answer_{code}"),
        ),
        notes=(),
    )


def _native_steps(row: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[Step, ...]:
    tasks = result.get("complete_task_list", row.get("complete_task_list"))
    if tasks is None:
        tasks = _tasks_in_prompts(result.get("full_llm_prompt_responses"))
    if not isinstance(tasks, list):
        msg = "no list of complete tasks: the run's steps are not in the record"
        raise StepError(msg)
    steps = []
    for number, task in enumerate(tasks):
        place = f"complete_task_list[{number}]"
        command = task.get("command") if isinstance(task, dict) else None
        if not isinstance(command, dict):
            msg = f"{place}: field 'command' is no object"
            raise StepError(msg)
        steps.append(make_step(task.get("task_name"), command, task.get("result"), place))
    return tuple(steps)


def _tasks_in_prompts(exchanges: Any) -> list[Any] | None:
    """Return the longest list of complete tasks that a prompt shows: the agent keeps no other."""
    longest: list[Any] | None = None
    decoder = json.JSONDecoder()
    for exchange in exchanges if isinstance(exchanges, list) else ():
        prompt = exchange.get("prompt") if isinstance(exchange, dict) else None
        if not isinstance(prompt, str) or _COMPLETE_TASKS not in prompt:
            continue
        start = prompt.index(_COMPLETE_TASKS) + len(_COMPLETE_TASKS)
        try:
            tasks, _ = decoder.raw_decode(prompt, start)
        except (ValueError, RecursionError):
            continue  # cut to the model's context: a shorter prompt or none holds it whole
        if isinstance(tasks, list) and len(tasks) > len(longest or ()):
            longest = tasks
    return longest


def _trajectory(
    file: InputFile,
    parsed: Parsed,
    *,
    language: Language,
    query: str,
    steps: tuple[Step, ...],
    external_id: str,
    model: str,
    licence: str,
    tools: tuple[Tool, ...],
    outcome: Outcome,
    notes: tuple[Note, ...],
) -> Trajectory:
    if not steps:
        msg = "no step"
        raise StepError(msg)
    return Trajectory(
        provenance=Provenance(
            kind=KIND,
            external_id=external_id,
            cluster=cluster_key(query),
            where=f"{file.shown}:{parsed.number}",
            licence=licence or LICENCE,
            model=model,
        ),
        language=language,
        task=query,
        steps=steps,
        tools=tools,
        outcome=outcome,
        success=Success.UNCONFIRMED,
        notes=(*parsed.notes, *notes),
    )


def _language(code: str, query: str) -> Language:
    if code in _LANGUAGES:
        return _LANGUAGES[code]
    return Language.ZH if holds_chinese(query) else Language.EN


def _model_of(source: str) -> str:
    """Return the model in ``ids_<model>[_lang]_<engine>``, empty in any other text."""
    parts = source.split("_")
    if len(parts) < 3 or parts[0] != "ids":
        return ""
    return "_".join(parts[1:-1]).removesuffix("_lang")


def _needed(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        msg = f"field {name!r} is missing or no text"
        raise StepError(msg)
    return value


def _word(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value)


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
