"""Reads DeepResearch-Bench: its queries, and reports of agents joined by id with all that is known.

A query is a document of section ``query`` and, where criteria.jsonl has them, ``criterion`` ones. A
report is a document of its own: ``query``, ``chatter`` (what the agent said before it, future),
``report``, ``citation`` (text: the statement, title: the address), ``reference`` (title: the
address, text: the page's title), ``cleaned_report``, and ``page`` (text of a cited page, from
``--pages``). Facts of a report: ``query_id``, ``styles`` of its citations, ``body_end`` (where its
list of references begins), ``race`` scores; facts never reach a prompt. Formats: query.jsonl,
raw_data/<model>.jsonl, cleaned_data/<model>.jsonl, and Onyx's report logs (Markdown).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.chatter import strip_chatter
from generation.core.importers.fields import FieldError, needed_text, optional_text, text_or_number
from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.report_sections import addresses_left, cited_sections, doubts_on
from generation.core.importers.research_bench import Bench, bench_of
from generation.core.importers.streams import Parsed, json_values, open_input
from generation.core.importers.text import cluster_key, language_of
from generation.core.records import (
    Document,
    Language,
    PassedOver,
    Provenance,
    Refusal,
    Section,
    Success,
)

KIND = "deepresearch_bench"
URL = "https://github.com/Ayanami0730/deep_research_bench"
LICENCE = "Apache-2.0"
LICENCES = {"onyx": "MIT"}
LONGEST_REPORT = 1_000_000
"""Characters; a longer text is no report."""
_LANGUAGES = {language.value: language for language in Language}
_LOG = re.compile(
    r"\s*Query ID:\s*(?P<id>\S+)\s*\n=+\s*\n\s*QUESTION:\s*\n(?P<query>.*?)\n=+\s*\n"
    r"(?P<tasks>.*?)\n=+\s*\n\s*ANSWER:\s*\n(?P<report>.*)",
    re.DOTALL,
)
_TASK = re.compile(
    r"^[ \t]*#(\d{1,3}):[ \t]*(.*?)(?=^[ \t]*#\d{1,3}:|\Z)", re.MULTILINE | re.DOTALL
)
_LARGEST_LOG = 4_000_000


def files_in(folder: Path) -> Iterator[Path]:
    """Yield query.jsonl, the reports' files and logs below ``folder``.

    The cleaned reports of a model whose raw ones are there are read with those.
    """
    yield from folder.rglob("query.jsonl")
    yield from folder.rglob("raw_data/*.jsonl")
    yield from folder.rglob("*report_logs/*.md")
    for path in folder.rglob("cleaned_data/*.jsonl"):
        if not (path.parent.parent / "raw_data" / path.name).is_file():
            yield path


def read_file(file: InputFile) -> Iterator[Document | Refusal | PassedOver | Unrecognised]:
    """Yield the queries or reports of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or one that is joined with it, cannot be read.
    """
    bench = bench_of(file)
    if file.path.suffix == ".md":
        yield _log(file, bench)
        return
    for parsed in json_values(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
        elif not isinstance(parsed.value, dict):
            yield Unrecognised(parsed.number, "neither a query nor a report: no object")
        else:
            yield _of_row(file, bench, parsed)


def _of_row(
    file: InputFile, bench: Bench, parsed: Parsed
) -> Document | Refusal | PassedOver | Unrecognised:
    row: Mapping[str, Any] = parsed.value
    place = file.place(parsed.number)
    try:
        if "article" in row:
            number = text_or_number(row, "id")
            if bench.is_read_elsewhere(file.path, number):
                return PassedOver(
                    place, "the cleaned form of a report: it is read with the raw one"
                )
            return _report(file, bench, parsed, row)
        if "prompt" in row and ("topic" in row or "language" in row):
            return _query(file, bench, parsed)
    except FieldError as error:
        return Refusal(place, str(error))
    what = "criteria or scores, no report: they are read with the queries and reports"
    other = "neither a query nor a report: no 'article', no 'topic'"
    is_known = "criterions" in row or "overall_score" in row
    return Unrecognised(parsed.number, what if is_known else other, "article")


def _query(file: InputFile, bench: Bench, parsed: Parsed) -> Document:
    row: Mapping[str, Any] = parsed.value
    prompt = needed_text(row, "prompt").strip()
    number = _number(row)
    code = optional_text(row, "language")
    criteria, weights = bench.criteria(number)
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=f"query:{number}",
            cluster=cluster_key(prompt),
            where=f"{file.shown}:{parsed.number}",
            licence=LICENCE,
            url=URL,
        ),
        language=_LANGUAGES.get(code, language_of(prompt)),
        title=prompt,
        sections=(Section("query", prompt), *criteria),
        facts={"query_id": number, "topic": optional_text(row, "topic")} | weights,
        success=Success.CONFIRMED,
        notes=parsed.notes,
    )


def _number(row: Mapping[str, Any]) -> str:
    number = text_or_number(row, "id").strip()
    if not number or len(number) > 200:
        msg = "field 'id' is missing" if not number else "field 'id' has over 200 characters"
        raise FieldError(msg)
    return number


def _report(
    file: InputFile,
    bench: Bench,
    parsed: Parsed,
    row: Mapping[str, Any],
    tasks: tuple[Section, ...] = (),
) -> Document:
    number = _number(row)
    given = optional_text(row, "prompt").strip()
    known = bench.query(number)
    prompt = given or known
    if not prompt:
        msg = f"field 'prompt' is missing, and no query.jsonl has id {number}"
        raise FieldError(msg)
    article = needed_text(row, "article")
    if len(article) > LONGEST_REPORT:
        msg = f"field 'article' has {len(article)} characters, {LONGEST_REPORT} at most"
        raise FieldError(msg)
    chatter, report = strip_chatter(article)
    sections, facts, notes = cited_sections(file, report)
    model = bench.model_of(file.path)
    if scores := bench.scores(model, number):
        facts["race"] = scores
    cleaned = bench.cleaned(model, number) if not bench.is_cleaned(file.path) else ""
    facts["is_cleaned"] = bench.is_cleaned(file.path)
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=f"{model}:{number}",
            cluster=cluster_key(prompt),
            where=f"{file.shown}:{parsed.number}" if file.path.suffix != ".md" else file.shown,
            licence=optional_text(row, "licence") or LICENCES.get(model, LICENCE),
            url=URL,
            model=model,
        ),
        language=bench.language(number) or language_of(prompt),
        title=prompt,
        sections=(
            Section("query", prompt),
            *((Section("chatter", chatter, is_future=True),) if chatter else ()),
            Section("report", report),
            *tasks,
            *sections,
            *((Section("cleaned_report", cleaned, model),) if cleaned else ()),
        ),
        facts={"query_id": number} | facts,
        success=Success.CONFIRMED,
        notes=(
            *parsed.notes,
            *notes,
            *doubts_on(prompt, given, known, report, model),
            *(addresses_left(report) if bench.is_cleaned(file.path) else ()),
        ),
    )


def _log(file: InputFile, bench: Bench) -> Document | Refusal | Unrecognised:
    """Return the report of an Onyx log."""
    with open_input(file.path) as opened:
        data = opened.read(_LARGEST_LOG + 1)
    if len(data) > _LARGEST_LOG:
        return Unrecognised(0, f"no report log: larger than {_LARGEST_LOG} bytes")
    text = data.decode(errors="replace").replace("\r\n", "\n").replace("\0", "\ufffd")
    found = _LOG.fullmatch(text)
    if found is None:
        return Unrecognised(0, "no report log: no 'Query ID:', 'QUESTION:', 'ANSWER:' in order")
    row = {"id": found["id"], "prompt": found["query"].strip(), "article": found["report"]}
    tasks = tuple(
        Section("research_task", each[2].strip(), f"#{each[1]}", is_future=True)
        for each in _TASK.finditer(found["tasks"])
    )
    try:
        return _report(file, bench, Parsed(0, row), row, tasks)
    except FieldError as error:
        return Refusal(file.place(), str(error))


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
