"""Reads GitHub issues with their comments, as the REST API hands them out.

Sections: ``body`` (the question) and one ``comment`` each, all of these future: an answer stands
in one of them, and which of the earlier ones a prompt may show is for the builder to say. Facts of
a comment: ``author``, ``author_association``, ``created_at``, ``reactions``, ``score``, ``is_bot``,
``is_asker``; of the issue: state, labels and times, which may tell how it ended. Pull requests are
passed over. A thread with fewer comments than the issue counts is imported with a note. Format:
GitHub REST API, issues and issue comments; older payloads lack reactions and ``state_reason``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.fields import FieldError, needed_text, optional_text
from generation.core.importers.github_threads import COMMENT, Comments, Thread, threads_of
from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import files_ending
from generation.core.importers.streams import Parsed, json_values
from generation.core.importers.text import language_of
from generation.core.records import Document, Note, PassedOver, Provenance, Refusal, Section

KIND = "github_issues"
LICENCE = "LicenseRef-issue-authors"
"""The texts belong to those who wrote them; no open licence follows from the repository's."""
PULL_REQUEST = "a pull request, no issue"
_API = re.compile(r"https?://[^/\s]+/(?:api/v3/)?repos/([\w.-]+)/([\w.-]+)(?:/issues/(\d+))?/?")
_PAGE = re.compile(r"https?://[^/\s]+/([\w.-]+)/([\w.-]+)/issues/(\d+)")
# Of the objects that the API has for pull requests themselves.
_PULL_FIELDS = frozenset({"diff_url", "merge_commit_sha"})
_LIKED = ("+1", "heart", "hooray", "rocket")
_DISLIKED = ("-1", "confused")
_REACTIONS = (*_LIKED, *_DISLIKED, "laugh", "eyes")
_TELLS_OUTCOME = re.compile(
    r"^[ \t>*_#(\[]{0,20}(?:edit|update|solved|solution|fixed|resolved|已解决|解决)\b[^\n]{0,12}[:：)\]]",
    re.IGNORECASE | re.MULTILINE,
)


def files_in(folder: Path) -> Iterator[Path]:
    """Return the .json and .jsonl files below ``folder``, those of comments among them."""
    return files_ending(folder, ".json", ".jsonl", ".ndjson")


def read_file(file: InputFile) -> Iterator[Document | Refusal | PassedOver | Unrecognised]:
    """Yield the issues of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file cannot be read.
    """
    told: set[str] = set()
    for parsed in json_values(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
            continue
        for found in threads_of(parsed.value):
            if isinstance(found, Thread):
                yield _read(file, parsed, found)
            elif not found.is_known or (found.why == COMMENT and file.path == file.given):
                yield Unrecognised(parsed.number, found.why)
            elif found.why not in told:
                told.add(found.why)
                yield PassedOver(file.place(parsed.number), found.why)


def _read(file: InputFile, parsed: Parsed, thread: Thread) -> Document | Refusal | PassedOver:
    place = file.place(parsed.number)
    if thread.issue.get("pull_request") or _PULL_FIELDS & set(thread.issue):
        return PassedOver(place, PULL_REQUEST)
    try:
        return _document(file, parsed, thread)
    except FieldError as error:
        return Refusal(place, str(error))


def _document(file: InputFile, parsed: Parsed, thread: Thread) -> Document:
    issue = thread.issue
    owner, repository, number = _name(issue)
    title = needed_text(issue, "title").strip()
    body = optional_text(issue, "body")
    asker = _login(issue, "user")
    given = thread.comments if thread.comments is not None else _comments(file, issue)
    comments = sorted(
        (_comment(each, place, asker) for place, each in enumerate(given)),
        key=lambda section: section.facts["created_at"],
    )
    notes = [*parsed.notes, *thread.notes, *_notes(issue, body, comments)]
    sections = [Section("body", body)] if body.strip() else []
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=f"{owner}/{repository}#{number}",
            cluster=f"{owner}__{repository}-{number}",
            where=f"{file.shown}:{parsed.number}",
            licence=LICENCE,
            url=optional_text(issue, "html_url"),
        ),
        language=language_of(f"{title}\n{body}"),
        title=title,
        sections=(*sections, *(each for each in comments if each.text.strip())),
        facts=_facts(issue, f"{owner}/{repository}", number, asker),
        notes=tuple(notes),
    )


def _name(issue: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return owner, repository and number."""
    number = issue.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        msg = f"field 'number' is no number of an issue: {number!r:.40}"
        raise FieldError(msg)
    for field, pattern in (("url", _API), ("repository_url", _API), ("html_url", _PAGE)):
        found = pattern.match(optional_text(issue, field))
        if found is not None:
            return found[1], found[2], number
    msg = "no repository: neither 'url' nor 'repository_url' nor 'html_url' names one"
    raise FieldError(msg)


def _comments(file: InputFile, issue: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the comments of an issue that lie in the files beside its own."""
    beside = file.remembered(file.path.absolute().parent, Comments)
    return beside.of(optional_text(issue, "url"))


def _comment(comment: Any, place: int, asker: str) -> Section:
    if not isinstance(comment, dict):
        msg = f"comments[{place}] is no object"
        raise FieldError(msg)
    try:
        author = _login(comment, "user")
        reactions = _reactions(comment)
        facts = {
            "author": author,
            "author_association": optional_text(comment, "author_association"),
            "created_at": optional_text(comment, "created_at"),
            "is_bot": _is_bot(comment),
            "is_asker": bool(author) and author == asker,
            "score": _score(reactions),
        }
        text = optional_text(comment, "body")
        address = optional_text(comment, "html_url") or optional_text(comment, "url")
    except FieldError as error:
        msg = f"comments[{place}]: {error}"
        raise FieldError(msg) from error
    if reactions:
        facts["reactions"] = reactions
    title = address or f"comment {place + 1}"
    return Section("comment", text, title, is_future=True, facts=facts)


def _login(holder: Mapping[str, Any], field: str) -> str:
    """Return the name of an account, empty for a deleted one."""
    user = holder.get(field)
    if user is None:
        return ""
    if not isinstance(user, dict):
        msg = f"field {field!r} is no account"
        raise FieldError(msg)
    return optional_text(user, "login")


def _is_bot(comment: Mapping[str, Any]) -> bool:
    user = comment.get("user") or {}
    return user.get("type") == "Bot" or str(user.get("login")).endswith("[bot]")


def _reactions(holder: Mapping[str, Any]) -> dict[str, int]:
    """Return how often each reaction was given, those that were; empty in older payloads."""
    given = holder.get("reactions")
    if given is None:
        return {}
    if not isinstance(given, dict):
        msg = "field 'reactions' is no object"
        raise FieldError(msg)
    counts: dict[str, int] = {}
    for name in _REACTIONS:
        count = given.get(name) or 0
        if not isinstance(count, int) or count < 0:
            msg = f"field reactions[{name!r}] is no count: {count!r:.40}"
            raise FieldError(msg)
        if count:
            counts[name] = int(count)
    return counts


def _score(reactions: Mapping[str, int]) -> int:
    """Return how well a comment is liked: hearts and the like, less those who did not."""
    liked = sum(reactions.get(name, 0) for name in _LIKED)
    return liked - sum(reactions.get(name, 0) for name in _DISLIKED)


def _facts(issue: Mapping[str, Any], repository: str, number: int, asker: str) -> dict[str, Any]:
    names = ("state", "state_reason", "created_at", "updated_at", "closed_at", "author_association")
    facts: dict[str, Any] = {"repository": repository, "number": number, "author": asker}
    facts |= {name: text for name in names if (text := optional_text(issue, name))}
    facts["labels"] = _labels(issue)
    if reactions := _reactions(issue):
        facts["reactions"] = reactions
    count = issue.get("comments")
    if isinstance(count, int):
        facts["comments"] = int(count)
    return facts


def _labels(issue: Mapping[str, Any]) -> list[str]:
    labels = issue.get("labels") or []
    if not isinstance(labels, list):
        msg = "field 'labels' is no list"
        raise FieldError(msg)
    names = []
    for place, label in enumerate(labels):
        name = label.get("name") if isinstance(label, dict) else label
        if not isinstance(name, str):
            msg = f"field labels[{place}] has no name"
            raise FieldError(msg)
        names.append(name)
    return names


def _notes(issue: Mapping[str, Any], body: str, comments: list[Section]) -> Iterator[Note]:
    count = issue.get("comments")
    if isinstance(count, int) and count > len(comments):
        detail = f"{len(comments)} of {count} comments are there"
        yield Note("incomplete_thread", "comments", detail)
    if not body.strip():
        yield Note("empty_body", "body", "the issue has no text but its title")
    if _TELLS_OUTCOME.search(body):
        yield Note("body_tells_outcome", "body", "a line of the issue says how it ended")
    empty = sum(not each.text.strip() for each in comments)
    if empty:
        yield Note("empty_comment", "comments", f"{empty} without a text, left out")


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
