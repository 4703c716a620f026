"""Reads Researchy Questions: search queries that take research, and plans that a model made of them.

A question is a document: ``question``, and all else future: ``plan`` (the decomposition as numbered
headers with sub-questions), ``degraded_plan`` (wrong choices that came with it), ``search_query``
and ``result`` (title and snippet of a page that people clicked, without highlight marks). The plan
is a model's text, so a question is unconfirmed until a person has seen it. Formats: rows of the data
set (question, gpt4_decomposition, DocStream, scores), rows of id and query alone, and questions with
their plan and lettered choices.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.decompositions import plan_text, read_decomposition, read_plan
from generation.core.importers.fields import FieldError, needed_text, optional_text, text_or_number
from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import files_ending
from generation.core.importers.streams import Parsed
from generation.core.importers.tables import table_rows
from generation.core.importers.text import cluster_key, language_of
from generation.core.records import Document, Note, Provenance, Refusal, Section

KIND = "researchy_questions"
LICENCE = "CDLA-Permissive-2.0"
URL = "https://huggingface.co/datasets/corbyrosset/researchy_questions"
DECOMPOSITION = "gpt4_decomposition"
_MARKS = re.compile("[\ue000-\uf8ff]")
_LONGEST_QUESTION = 2_000
_SCORES = ("decompositional_score", "nonfactoid_score")
_SENSITIVE = re.compile(
    r"\b(?:abort\w*|biden|cancer|covid\w*|death penalty|depress\w*|drugs?|gun control|guns?|immigra\w*"
    r"|islam\w*|israel\w*|jew\w*|lgbt\w*|muslim\w*|palestin\w*|racis\w*|race|rape|religio\w*|sex\w*"
    r"|suicid\w*|terroris\w*|trans(?:gender)?|trump|ukrain\w*|vaccin\w*|my (?:husband|wife|son|daughter))\b",
    re.IGNORECASE,
)


def files_in(folder: Path) -> Iterator[Path]:
    """Return the .json, .jsonl and .parquet files below ``folder``."""
    return files_ending(folder, ".json", ".jsonl", ".parquet")


def read_file(file: InputFile) -> Iterator[Document | Refusal | Unrecognised]:
    """Yield the questions of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file cannot be read.
    """
    for parsed in table_rows(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
        elif why := _unlike(parsed.value):
            yield Unrecognised(parsed.number, why, "question")
        else:
            try:
                yield _document(file, parsed)
            except FieldError as error:
                yield Refusal(file.place(parsed.number), str(error))


def _unlike(value: Any) -> str:
    if not isinstance(value, dict):
        return "no research question: no object"
    if "uuid" in value and "choices" in value:
        return "a row of APTBench: import it with kind aptbench"
    if "trajectory" in value or "article" in value:
        return "a run or a report, no research question"
    is_one = "question" in value or ("query" in value and "id" in value)
    return "" if is_one else "no research question: no 'question', no 'id' with 'query'"


def _document(file: InputFile, parsed: Parsed) -> Document:
    row: Mapping[str, Any] = parsed.value
    name = "question" if "question" in row else "query"
    question = _unmarked(needed_text(row, name))
    if len(question) > _LONGEST_QUESTION:
        msg = f"field {name!r} has {len(question)} characters, {_LONGEST_QUESTION} at most"
        raise FieldError(msg)
    number = text_or_number(row, "id").strip()
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=number or cluster_key(question),
            cluster=cluster_key(question),
            where=f"{file.shown}:{parsed.number}",
            licence=optional_text(row, "licence") or LICENCE,
            url=URL,
        ),
        language=language_of(question),
        title=question,
        sections=(Section("question", question), *_plans(row), *_results(row)),
        facts=_facts(row),
        notes=(*parsed.notes, *_doubts(question)),
    )


def _unmarked(text: str) -> str:
    """Return a text without the private-use characters that mark what a search hit."""
    return " ".join(_MARKS.sub("", text).split())


def _plans(row: Mapping[str, Any]) -> Iterator[Section]:
    steps, queries = read_decomposition(row, DECOMPOSITION)
    given = optional_text(row, "plan")
    if not steps and given.strip():
        steps = read_plan(given)
        if not steps:
            msg = "field 'plan' has no numbered line"
            raise FieldError(msg)
    if steps:
        facts = {"steps": [[step.header, list(step.questions)] for step in steps]}
        yield Section("plan", plan_text(steps), is_future=True, facts=facts)
        yield from _degraded(row, plan_text(steps))
    for place, query in enumerate(queries, start=1):
        yield Section("search_query", _unmarked(query), str(place), is_future=True)


def _degraded(row: Mapping[str, Any], plan: str) -> Iterator[Section]:
    """Yield the choices beside the plan; the one that the answer names must be the plan."""
    choices = row.get("choices")
    if choices is None:
        return
    if not isinstance(choices, dict):
        msg = "field 'choices' is no object of lettered plans"
        raise FieldError(msg)
    texts = {
        str(letter): plan_text(read_plan(optional_text(choices, letter))) for letter in choices
    }
    answer = needed_text(row, "answer").strip()
    if texts.get(answer) != plan:
        msg = f"field 'answer': the choice {answer!r} is not the plan"
        raise FieldError(msg)
    for letter, text in texts.items():
        if letter != answer:
            yield Section("degraded_plan", text, letter, is_future=True)


def _results(row: Mapping[str, Any]) -> Iterator[Section]:
    results = row.get("DocStream")
    if results is None:
        return
    if not isinstance(results, list):
        msg = "field 'DocStream' is no list"
        raise FieldError(msg)
    for place, each in enumerate(results):
        if not isinstance(each, dict):
            msg = f"field DocStream[{place}] is no object"
            raise FieldError(msg)
        try:
            url = optional_text(each, "Url")
            texts = (optional_text(each, "Title"), optional_text(each, "Snippet"))
            language = optional_text(each, "UrlLanguage")
        except FieldError as error:
            msg = f"DocStream[{place}]: {error}"
            raise FieldError(msg) from error
        clicks = each.get("Click_Cnt")
        facts = {
            "language": language,
            "clicks": clicks if isinstance(clicks, int | float) else None,
        }
        text = "\n".join(filter(None, map(_unmarked, texts)))
        if text and url:
            yield Section("result", text, url, is_future=True, facts=facts)


def _facts(row: Mapping[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name in _SCORES:
        if isinstance(row.get(name), int | float):
            facts[name] = row[name]
    scores = row.get("intrinsic_scores")
    if isinstance(scores, dict):
        facts["intrinsic_scores"] = {
            str(name): score for name, score in scores.items() if isinstance(score, int | float)
        }
    return facts


def _doubts(question: str) -> Iterator[Note]:
    found = _SENSITIVE.search(question)
    if found is not None:
        yield Note("sensitive_topic", "question", f"a person should look: {found.group().lower()}")


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
