"""The guidelines' pages: reading, editing, conflicts, versions."""

import pytest

from review.models import GuidelineVersion, OptionVerdictValue, RejectReason, Role
from review.views.definitions import reason_definitions, verdict_definitions
from tests.make import make_user

BACKEND = "review.authentication.MemberBackend"


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lead")


@pytest.fixture
def desk(client, lead):
    client.force_login(lead, backend=BACKEND)
    return client


def text(response):
    return response.content.decode()


def edit(desk, body, *, based_on=0, **more):
    sent = {"language": "en", "body": body, "note": "", "based_on": based_on}
    return desk.post("/guidelines/edit", sent | more)


def test_every_word_of_the_closed_sets_is_defined_with_an_example():
    assert [each.value for each in reason_definitions()] == RejectReason.values
    assert [each.value for each, _key in verdict_definitions()] == OptionVerdictValue.values
    for each in [*reason_definitions(), *(each for each, _key in verdict_definitions())]:
        assert str(each.meaning)
        assert str(each.example)


def test_page_has_a_table_of_contents_and_all_definitions(member):
    page = text(member.get("/guidelines/"))
    assert 'href="#g-what-you-are-looking-at"' in page
    assert 'id="g-what-you-are-looking-at"' in page
    for anchor in ("ratings", "verdicts", "reasons", "keys", "examples"):
        assert f'id="{anchor}"' in page
        assert f'href="#{anchor}"' in page
    for reason in RejectReason.values:
        assert f"<code>{reason}</code>" in page
    assert "guidelines/edit" not in page


def test_page_lists_the_keys_of_both_phases_once(member):
    page = text(member.get("/guidelines/"))
    keys = page[page.index('id="keys"') :]
    for words in ("choose an option", "approve, reject", "search the source"):
        assert keys.count(f"<td>{words}</td>") == 1


def test_page_is_read_in_the_asked_language(member):
    assert "您看到的是什么" in text(member.get("/guidelines/?language=zh-hans"))
    assert member.get("/guidelines/?language=fr").status_code == 404


def test_page_costs_four_queries(member, django_assert_num_queries):
    with django_assert_num_queries(4):  # session, user, newest version, examples
        member.get("/guidelines/")


def test_saved_text_is_what_people_read_and_does_no_harm(desk):
    answer = edit(desk, "# Rule\n\n<script>alert(1)</script> [x](javascript:alert(1))")
    assert answer["Location"] == "/guidelines/?language=en"
    page = text(desk.get("/guidelines/?language=en"))
    assert '<h1 id="g-rule">Rule</h1>' in page
    assert "&lt;script&gt;alert(1)" in page
    assert 'href="javascript' not in page
    assert "version 1" in page


def test_preview_stores_nothing(desk):
    answer = edit(desk, "## Seen before", preview="1")
    assert answer.status_code == 200
    assert '<h2 id="g-seen-before">' in text(answer)
    assert not GuidelineVersion.objects.exists()


def test_later_save_answers_409_keeps_the_text_and_shows_both(desk):
    edit(desk, "Take the first step.")
    answer = edit(desk, "Take the last step.", based_on=0)
    page = text(answer)
    assert answer.status_code == 409
    assert "Take the last step.</textarea>" in page
    assert "<del>first</del>" in page
    assert "<ins>last</ins>" in page
    assert "lead saved version 1 while you were writing" in page
    assert 'name="based_on" value="1"' in page
    assert edit(desk, "Take the last step.", based_on=1).status_code == 303


@pytest.mark.parametrize("body", ["", "   ", "a" * 100_001])
def test_unfit_text_is_refused_and_kept(desk, body):
    answer = edit(desk, body, note="my note")
    assert answer.status_code == 422
    assert 'value="my note"' in text(answer)


@pytest.mark.parametrize("based_on", ["", "x", "-1", "9" * 30])
def test_broken_number_is_refused(desk, based_on):
    assert edit(desk, "Text.", based_on=based_on).status_code == 422


def test_versions_are_listed_compared_and_restored(desk):
    edit(desk, "Take the first step.", note="begin")
    edit(desk, "Take the last step.", based_on=1)
    page = text(desk.get("/guidelines/versions?language=en"))
    assert "From version 1 to version 2" in page
    assert "<ins>last</ins>" in page
    assert "begin" in page
    back = text(desk.get("/guidelines/versions?language=en&version=1&against=2"))
    assert "<ins>first</ins>" in back
    answer = desk.post("/guidelines/restore", {"language": "en", "version": 1, "based_on": 2})
    assert answer.status_code == 303
    assert "Take the first step." in text(desk.get("/guidelines/?language=en"))
    late = desk.post("/guidelines/restore", {"language": "en", "version": 2, "based_on": 2})
    assert late.status_code == 409
    assert "Take the last step." in text(late)


@pytest.mark.parametrize("query", ["version=9", "against=x", "language=xx", "version="])
def test_versions_that_are_not_there_answer_404(desk, query):
    assert desk.get(f"/guidelines/versions?{query}").status_code == 404


@pytest.mark.parametrize("version", ["9", "x", "", "1" * 30])
def test_nothing_is_restored_from_a_version_that_is_not_there(desk, version):
    sent = {"language": "en", "version": version, "based_on": "0"}
    assert desk.post("/guidelines/restore", sent).status_code == 404
