"""Issues come with their comments, whatever form of the API's answers the files hold."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.records import Document, Language, PassedOver, Refusal, Success
from tests.shared_data import DATA, needs_shared

ISSUES = IMPORTERS["github_issues"]
API = "https://api.github.com/repos/acme/kiln/issues/7"
PAGE = "https://github.com/acme/kiln/issues/7"


def user(login: str = "ada", kind: str = "User") -> dict[str, Any]:
    return {"login": login, "id": 1, "type": kind}


def issue(**fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "url": API,
        "repository_url": "https://api.github.com/repos/acme/kiln",
        "html_url": PAGE,
        "number": 7,
        "title": "It stays cold",
        "user": user(),
        "labels": [{"name": "bug"}, "solved"],
        "state": "closed",
        "state_reason": "completed",
        "comments": 2,
        "created_at": "2024-01-01T00:00:00Z",
        "closed_at": "2024-01-03T00:00:00Z",
        "author_association": "NONE",
        "body": "I lit it.\r\nNothing.",
        "reactions": {"total_count": 1, "+1": 1, "-1": 0},
    }
    return given | fields


def comment(number: int = 1, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "url": f"https://api.github.com/repos/acme/kiln/issues/comments/{number}",
        "html_url": f"{PAGE}#issuecomment-{number}",
        "issue_url": API,
        "user": user("bo"),
        "created_at": f"2024-01-02T00:00:0{number}Z",
        "author_association": "MEMBER",
        "body": f"Try {number}.",
        "reactions": {"+1": 3, "heart": 1, "confused": 1, "-1": 1, "eyes": 5},
    }
    return given | fields


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def documents(path: Path) -> list[Document]:
    return [each for each in ISSUES.read(path) if isinstance(each, Document)]


def test_an_issue_and_its_comments_lie_in_files_of_one_folder(tmp_path):
    write(tmp_path / "issues.json", [issue()])
    write(tmp_path / "comments_page2.json", [comment(2)])
    write(tmp_path / "comments_page1.json", [comment(1), comment(3, issue_url=f"{API}0")])
    found = list(ISSUES.read(tmp_path))
    (document,) = (each for each in found if isinstance(each, Document))
    assert sum(isinstance(each, PassedOver) for each in found) == 2
    assert (document.title, document.language) == ("It stays cold", Language.EN)
    assert [(s.kind, s.text, s.is_future) for s in document.sections] == [
        ("body", "I lit it.\r\nNothing.", False),
        ("comment", "Try 1.", True),
        ("comment", "Try 2.", True),
    ]
    assert document.notes == ()
    assert document.success is Success.UNCONFIRMED
    assert document.provenance.cluster == "acme__kiln-7"
    assert document.provenance.licence == "LicenseRef-issue-authors"
    assert content_digest(document) == content_digest(documents(tmp_path / "issues.json")[0])


def test_a_comment_is_liked_by_its_reactions_less_those_against_it(tmp_path):
    bundle = {"issue": issue(), "comments": [comment(1), comment(2, user=user(), reactions=None)]}
    (document,) = documents(write(tmp_path / "a.jsonl", bundle))
    first, second = document.of_kind("comment")
    assert first.facts == {
        "author": "bo",
        "author_association": "MEMBER",
        "created_at": "2024-01-02T00:00:01Z",
        "is_bot": False,
        "is_asker": False,
        "score": 3 + 1 - 1 - 1,
        "reactions": {"+1": 3, "heart": 1, "-1": 1, "confused": 1, "eyes": 5},
    }
    assert (second.facts["is_asker"], second.facts["score"]) == (True, 0)
    assert "reactions" not in second.facts


def test_facts_of_the_issue_are_kept_apart_from_its_text(tmp_path):
    (document,) = documents(write(tmp_path / "a.json", [issue(user=None, state_reason=None)]))
    assert document.facts == {
        "repository": "acme/kiln",
        "number": 7,
        "author": "",
        "state": "closed",
        "created_at": "2024-01-01T00:00:00Z",
        "closed_at": "2024-01-03T00:00:00Z",
        "author_association": "NONE",
        "labels": ["bug", "solved"],
        "reactions": {"+1": 1},
        "comments": 2,
    }


@pytest.mark.parametrize("as_bot", [user("ci[bot]"), user("ci", "Bot")])
def test_a_bot_is_told(tmp_path, as_bot):
    bundle = {"issue": issue(), "comments": [comment(user=as_bot)]}
    (document,) = documents(write(tmp_path / "a.jsonl", bundle))
    assert document.of_kind("comment")[0].facts["is_bot"]


@pytest.mark.parametrize(
    ("fields", "notes"),
    [
        ({"comments": 3}, [("incomplete_thread", "0 of 3 comments are there")]),
        ({"comments": 0, "body": None}, [("empty_body", "the issue has no text but its title")]),
        (
            {"comments": 0, "body": "Cold.\n\n**EDIT: solved by lighting it**"},
            [("body_tells_outcome", "a line of the issue says how it ended")],
        ),
    ],
)
def test_what_a_person_should_know_is_noted(tmp_path, fields, notes):
    (document,) = documents(write(tmp_path / "a.json", [issue(**fields)]))
    assert [(note.kind, note.detail) for note in document.notes] == notes


def test_pull_requests_are_passed_over_and_are_no_refusals(tmp_path):
    pull = issue(number=8, pull_request={"url": "x"}, body=None, user=None)
    first, second = ISSUES.read(write(tmp_path / "a.json", [pull, issue()]))
    assert isinstance(first, PassedOver)
    assert first.why == "a pull request, no issue"
    assert isinstance(second, Document)


@pytest.mark.parametrize(
    "value",
    [
        {"method": "get", "path": "/issues", "response": [issue()]},
        {"method": "post", "path": "/issues", "response": issue()},
        {"total_count": 1, "incomplete_results": False, "items": [issue()]},
        {"action": "created", "issue": issue(), "comment": comment()},
        {"name": "issues", "examples": [{"action": "opened", "issue": issue()}]},
        issue(),
    ],
    ids=["exchange", "created", "search", "event", "examples", "plain"],
)
def test_the_forms_in_which_an_issue_comes(tmp_path, value):
    assert len(documents(write(tmp_path / "a.jsonl", value))) == 1


def test_a_page_of_a_search_that_lacks_issues_says_so(tmp_path):
    page = {"total_count": 9, "items": [issue(comments=0)]}
    (document,) = documents(write(tmp_path / "a.jsonl", page))
    assert [(note.kind, note.detail) for note in document.notes] == [
        ("incomplete_page", "1 of 9 issues found")
    ]


def test_comments_by_themselves_are_an_error(tmp_path):
    with pytest.raises(ImportInputError, match="it is read with its issue"):
        list(ISSUES.read(write(tmp_path / "comments.json", [comment()])))


def test_a_later_thread_with_more_comments_is_the_same_document(tmp_path):
    one, two = (
        documents(write(tmp_path / name, {"issue": issue(), "comments": comments}))[0]
        for name, comments in (("a.jsonl", [comment(1)]), ("b.jsonl", [comment(1), comment(2)]))
    )
    assert content_digest(one) == content_digest(two)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"title": None}, "field 'title' is missing"),
        ({"title": ["x"]}, "field 'title' holds a list"),
        ({"number": "7"}, "field 'number' is no number of an issue"),
        ({"number": True}, "field 'number' is no number of an issue"),
        ({"url": "x", "repository_url": None, "html_url": "y"}, "no repository"),
        ({"body": 5}, "field 'body' holds a number"),
        ({"user": "ada"}, "field 'user' is no account"),
        ({"labels": "bug"}, "field 'labels' is no list"),
        ({"labels": [{"id": 1}]}, "field labels[0] has no name"),
        ({"reactions": [1]}, "field 'reactions' is no object"),
        ({"reactions": {"+1": "3"}}, "field reactions['+1'] is no count"),
    ],
)
def test_an_issue_with_a_wrong_field_is_refused_by_its_name(tmp_path, fields, why):
    path = write(tmp_path / "a.json", [issue(), issue(**fields)])
    _first, refusal = ISSUES.read(path)
    assert isinstance(refusal, Refusal)
    assert refusal.where == f"{path}:2"
    assert why in refusal.why


def test_a_wrong_field_of_a_comment_names_the_comment(tmp_path):
    bundle = {"issue": issue(), "comments": [comment(), comment(2, body=[1])]}
    path = write(tmp_path / "a.json", [{"issue": issue(number=8)}, bundle])
    _first, refusal = ISSUES.read(path)
    assert isinstance(refusal, Refusal)
    assert refusal.why == "comments[1]: field 'body' holds a list, not text"


SPOILT: tuple[Any, ...] = (None, 5, True, "[", "a\x00", [5], [[]], {"a": [1]}, 1.5, -1)


def test_no_spoilt_field_stops_the_import(tmp_path):
    path = tmp_path / "a.json"
    for part, holder in (("issue", issue()), ("comment", comment())):
        for name in holder:
            for value in SPOILT:
                bundle: dict[str, Any] = {"issue": issue(), "comments": [comment()]}
                target = bundle["issue"] if part == "issue" else bundle["comments"][0]
                target[name] = copy.deepcopy(value)
                write(path, [{"issue": issue(number=8)}, bundle])
                _good, *rest = ISSUES.read(path)
                assert len(rest) == 1, (part, name, value)
                if isinstance(rest[0], Document):
                    content_digest(rest[0])


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "distinct", "refused"),
    [
        ("rest_records", 10, 0),
        ("octokit_fixtures", 17, 0),
        ("octokit_webhooks_issue_examples.json", 2, 0),
    ],
)
def test_the_issues_of_the_shared_data(name, distinct, refused):
    found = list(ISSUES.read(DATA / "github_issues" / name))
    digests = {content_digest(each) for each in found if isinstance(each, Document)}
    assert len(digests) == distinct
    assert sum(isinstance(each, Refusal) for each in found) == refused


@needs_shared
@pytest.mark.shared
def test_the_edge_cases_that_the_shared_threads_were_made_for():
    folder = DATA / "github_issues" / "rest_records"
    by_number = {d.facts["number"]: d for d in documents(folder / "issues.json")}
    bundled = {d.facts["number"]: d for d in documents(folder / "bundle.jsonl")}
    assert {n: content_digest(d) for n, d in by_number.items()} == (
        {n: content_digest(d) for n, d in bundled.items()}
    )
    assert all(not document.notes for document in by_number.values())
    best = {
        n: max(d.of_kind("comment"), key=lambda c: c.facts["score"]) for n, d in by_number.items()
    }
    assert [best[n].facts["score"] for n in (7, 4, 2108, 188)] == [11, 6, 15, 12]
    # The top answer of 188 was written a year after closing.
    assert best[188].facts["created_at"] > by_number[188].facts["closed_at"]
    assert best[6].facts["is_asker"]
    assert "\r\n" in by_number[7].sections[0].text
    assert "state_reason" not in by_number[188].facts
