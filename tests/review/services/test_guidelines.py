"""The guidelines: versions, conflicts, what they restore to, and that our own text is whole."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from generation.models import AuditEvent
from review.core.markdown import render_markdown
from review.models import GuidelineVersion, Question, Role
from review.services.guidelines import (
    GuidelineChanged,
    GuidelineRefused,
    current,
    default_text,
    examples_by_subtask,
    history,
    language_for,
    restore,
    save_version,
    version,
)
from tests.make import NOW, make_assignment, make_revision, make_user

pytestmark = pytest.mark.django_db


def save(body="New text.", *, based_on=0, language="en", note="", actor=None):
    return save_version(
        language=language,
        body=body,
        note=note,
        based_on=based_on,
        actor=actor or make_user(Role.LEAD),
    )


def test_before_the_first_version_the_projects_own_text_holds():
    assert current("en") == default_text("en")
    assert current("zh-hans").number == 0
    assert [text.number for text in history("en")] == [0]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_own_text_has_the_same_parts_in_both_languages_and_links_that_lead_on(language):
    rendered = render_markdown(default_text(language).body)
    levels = [heading.level for heading in rendered.headings]
    english = render_markdown(default_text("en").body)
    assert levels == [heading.level for heading in english.headings]
    for anchor in ("ratings", "verdicts", "reasons", "examples"):
        assert f'href="#{anchor}"' in rendered.html


def test_own_english_text_can_be_read_in_ten_minutes():
    assert 1_200 <= len(default_text("en").body.split()) <= 1_800


@pytest.mark.parametrize(
    ("interface", "language"), [("en", "en"), ("zh-hans", "zh-hans"), ("fr", "en"), ("", "en")]
)
def test_other_languages_of_the_interface_fall_back_to_english(interface, language):
    assert language_for(interface) == language


def test_versions_are_counted_by_language_and_stay():
    lead = make_user(Role.LEAD, username="wanda")
    first = save("One.\r\nTwo.", note=" first ", actor=lead)
    assert (first.number, first.body, first.note) == (1, "One.\nTwo.\n", "first")
    assert save("Three.", based_on=1).number == 2
    assert save("一。", language="zh-hans").number == 1
    assert current("en").body == "Three.\n"
    old = version("en", 1)
    assert old
    assert (old.body, old.author) == ("One.\nTwo.\n", "wanda")
    assert version("en", 3) is None
    assert [text.number for text in history("en")] == [2, 1, 0]
    assert AuditEvent.objects.filter(action="guidelines.saved").count() == 3


@pytest.mark.parametrize("body", ["", " \r\n ", "a" * 100_001])
def test_text_that_is_none_or_too_long_is_refused(body):
    with pytest.raises(GuidelineRefused):
        save(body)
    assert not GuidelineVersion.objects.exists()


def test_unchanged_text_makes_no_version():
    save("One.")
    with pytest.raises(GuidelineRefused, match="Nothing is changed"):
        save("One.\r\n", based_on=1)


def test_save_against_an_older_version_is_refused_with_the_newest():
    save("One.")
    with pytest.raises(GuidelineChanged) as refused:
        save("Other.", based_on=0)
    assert refused.value.latest.body == "One.\n"
    assert GuidelineVersion.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told_of_the_other():
    leads = [make_user(Role.LEAD), make_user(Role.LEAD)]
    start = Barrier(2)

    def write(lead):
        start.wait()
        try:
            return save(f"By {lead.username}.", actor=lead).number
        except GuidelineChanged as changed:
            return changed.latest.number
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(write, leads)) == [1, 1]
    assert GuidelineVersion.objects.count() == 1


def test_old_version_and_own_text_can_be_restored_as_new_ones():
    lead = make_user(Role.LEAD)
    save("One.")
    save("Two.", based_on=1)
    again = restore(language="en", number=1, note="back", based_on=2, actor=lead)
    assert (again.number, again.body) == (3, "One.\n")
    own = restore(language="en", number=0, note="", based_on=3, actor=lead)
    assert own.body.strip() == default_text("en").body.strip()
    with pytest.raises(GuidelineRefused, match="no such version"):
        restore(language="en", number=9, note="", based_on=4, actor=lead)
    with pytest.raises(GuidelineChanged):
        restore(language="en", number=1, note="", based_on=2, actor=lead)


def test_examples_are_answered_questions_that_leads_marked():
    lead = make_user(Role.LEAD)
    for subtask, text, is_example in (
        ("issue_fix_plan", "Does a typo count?", True),
        ("env_setup_plan", "Is sudo fine?", True),
        ("issue_fix_plan", "Hidden?", False),
    ):
        turn = make_assignment(revision=make_revision(subtask=subtask))
        Question.objects.create(
            assignment=turn,
            text=text,
            answer="It does.",
            answered_by=lead,
            answered_at=NOW,
            is_example=is_example,
        )
    shown = [
        (subtask, [pair.question for pair in pairs]) for subtask, pairs in examples_by_subtask()
    ]
    assert shown == [
        ("env_setup_plan", ["Is sudo fine?"]),
        ("issue_fix_plan", ["Does a typo count?"]),
    ]
