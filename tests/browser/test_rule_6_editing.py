"""Edits, notes, questions and returns in a real browser; axe finds nothing."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Step
from generation.models import CandidateState, Revision
from review.models import Note, Question, Review, Role
from tests.browser.conftest import PASSWORD
from tests.browser.pages import give, violations
from tests.make import blind, make_revision, make_trajectory, make_user, rejecting, review_by
from tests.review.services.test_editing import SEEN, edited

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(user, **fields):
    turn = give(user, **fields)
    blind(turn, now=timezone.now())
    return turn


def leaky_revision(**fields):
    steps = (*make_trajectory(steps=3).steps, Step("Look.", "bash", {}, "cat log", SEEN))
    return make_revision(steps=steps, **fields)


def gold_box(page):
    return page.locator(".option-box:has(.gold-mark :checked) textarea")


def rate(page):
    page.check("[name=well_specified][value='1']", force=True)
    page.check("[name=gold_quality][value='0']", force=True)


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_edit_shows_its_words_and_a_new_leak_while_one_types(open_page, log_in, width, theme):
    ann = make_user()
    turn = opened(ann, revision=leaky_revision(findings=[Severity.NOTE]))
    page = open_page(width=width, height=900, theme=theme)
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("e")
    page.wait_for_url(f"**/review/{turn.pk}/edit")
    assert violations(page) == []
    gold_box(page).fill("Fix the old kiln.")
    page.wait_for_selector("#changes ins:has-text('old')")
    assert page.locator("#changes del").count() == 0
    assert page.locator("text=Nothing new.").is_visible()
    gold_box(page).fill(f"Fix the kiln: {SEEN}.")
    page.wait_for_selector("text=new: future_observation")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".option-box textarea").nth(0).fill("Call the potter.")
    page.locator(".option-box textarea").nth(1).fill("Call the potter.")
    box = page.locator("#changes input[name=confirmed]")
    box.wait_for()
    rate(page)
    page.fill("#note", "It named two kilns.")
    page.click("button:has-text('Save the edit')")
    page.wait_for_selector("text=the checks say something new")
    assert violations(page) == []
    page.check("#changes input[name=confirmed]")
    page.click("button:has-text('Save the edit')")
    page.wait_for_selector("text=Your edit is stored")
    new = Revision.objects.current().get()
    assert new.number == 2
    assert {finding.kind for finding in new.findings.all()} >= {"duplicate_choice"}
    page.click(".messages button:has-text('Undo')")
    page.wait_for_selector("text=is taken back")
    assert Revision.objects.current().get() == turn.revision


def test_conflict_keeps_both_texts_and_goes_on_from_theirs(open_page, log_in):
    ann = make_user()
    turn = opened(ann)
    other = opened(make_user(), revision=turn.revision)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/edit")
    gold_box(page).fill("Cool the kiln.")
    page.wait_for_selector("#changes ins")
    edited(other)
    rate(page)
    page.fill("#note", "It named two kilns.")
    page.click("button:has-text('Save the edit')")
    page.wait_for_selector("text=Somebody saved revision 2 before you")
    assert page.locator(".both ins").all_inner_texts() == ["Mend", "Cool"]
    assert gold_box(page).input_value() == "Cool the kiln."
    assert violations(page) == []
    page.click("button:has-text('Go on from theirs')")
    page.wait_for_selector("text=Your text, not stored")
    assert gold_box(page).input_value() == "Mend the kiln."
    assert page.locator("[name^=kept_]").input_value() == "Cool the kiln."
    assert violations(page) == []
    gold_box(page).fill("Mend the kiln, then cool it.")
    page.wait_for_selector("#changes ins:has-text('then')")
    page.click("button:has-text('Save the edit')")
    page.wait_for_selector("text=Your edit is stored")
    assert Revision.objects.current().get().number == 3
    assert Review.objects.filter(decision="edit").count() == 2


def test_text_survives_a_reload_and_can_be_discarded(open_page, log_in):
    ann = make_user()
    turn = opened(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/edit")
    gold_box(page).fill("Cool the kiln.")
    page.goto("/queue/")
    page.goto(f"/review/{turn.pk}/edit")
    page.wait_for_selector("text=is put back from this browser")
    assert gold_box(page).input_value() == "Cool the kiln."
    page.wait_for_selector("#changes ins:has-text('Cool')")
    page.click("button:has-text('Take the stored text instead')")
    page.wait_for_selector("[data-restored]", state="hidden")
    assert gold_box(page).input_value() == "Fix the kiln."


def test_edit_works_without_javascript(chromium, live_server):
    ann = make_user()
    ann.set_password(PASSWORD)
    ann.save()
    turn = opened(ann, revision=leaky_revision())
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.goto("/login/")
    page.fill("#id_username", ann.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")
    page.goto(f"/review/{turn.pk}/")
    page.click("a[data-edit]")
    gold_box(page).fill(f"Fix the kiln: {SEEN}.")
    page.click("button:has-text('Check')")
    page.wait_for_selector("text=new: future_observation")
    rate(page)
    page.fill("#note", "It named two kilns.")
    page.click("button:has-text('Save the edit')")
    page.wait_for_selector("text=Your edit is stored")
    context.close()
    assert Revision.objects.current().get().author == ann


def test_note_by_its_key_and_a_question_that_comes_back_answered(open_page, log_in):
    ann, lea = make_user(), make_user(Role.LEAD, username="lea")
    turn = opened(ann)
    make_revision()
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("n")
    page.keyboard.type("Odd, but fair.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".notes >> text=Odd, but fair.")
    assert Note.objects.get().author == ann
    assert violations(page) == []
    page.fill("[name=comment]", "half a thought")
    page.wait_for_selector("#saved time")
    page.click("a[href='#ask']")
    page.keyboard.type("Is B as right as gold?")
    page.click("button:has-text('Ask and go on')")
    page.wait_for_selector("text=Asked. The item waits")
    assert not page.url.endswith(f"/review/{turn.pk}/")
    page.goto(f"/review/{turn.pk}/")
    assert page.locator("h1").inner_text() == "This item waits for a lead's answer"
    assert violations(page) == []

    desk = open_page(theme="dark")
    log_in(desk, lea)
    desk.goto("/questions/")
    assert violations(desk) == []
    desk.click("table tbody a")
    desk.wait_for_selector("#answer")
    assert violations(desk) == []
    desk.fill("#answer", "No: B comes two steps later.")
    desk.check("[name=is_example]")
    desk.click("button:has-text('Answer')")
    desk.wait_for_selector("text=The reviewer finds it in their queue")
    desk.goto("/questions/?state=answered")
    assert desk.locator("text=example").count() == 1
    assert violations(desk) == []
    assert Question.objects.get().is_example

    page.goto("/queue/")
    assert violations(page) == []
    page.click("#queue a:has-text('issue_fix_plan') >> nth=0")
    page.goto(f"/review/{turn.pk}/")
    page.wait_for_selector("text=No: B comes two steps later.")
    assert page.input_value("[name=comment]") == "half a thought"
    assert violations(page) == []


def test_edit_goes_back_to_its_author_who_lets_it_stand(open_page, log_in):
    ann, ben = make_user(username="ann"), make_user(username="ben")
    turn = opened(ben, revision=make_revision(author=ann))
    page = open_page(width=390, height=844)
    log_in(page, ben)
    page.goto(f"/review/{turn.pk}/")
    page.click("a[href='#give-back']")
    page.keyboard.type("Which kiln?")
    page.click("button:has-text('Give back and go on')")
    page.wait_for_selector("text=Given back.")
    author = open_page(theme="dark")
    log_in(author, ann)
    author.click("text=Returned to you >> xpath=.. >> css=a")
    author.wait_for_selector("text=Which kiln?")
    assert "ben" not in author.locator("main").inner_text()
    assert violations(author) == []
    author.click("text=Edit again")
    author.wait_for_selector("#edit-form")
    assert violations(author) == []
    author.go_back()
    author.click("button:has-text('Let it stand')")
    author.wait_for_selector("text=Your text stands.")
    turn.revision.candidate.refresh_from_db()
    assert turn.revision.candidate.state == CandidateState.IN_REVIEW


def test_lead_edits_a_dispute_with_the_note_begun_there(open_page, log_in):
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    page = open_page()
    log_in(page, make_user(Role.LEAD, username="lea"))
    page.goto(f"/disputes/{revision.pk}/")
    page.fill("#field-note", "It named two kilns.")
    page.click("button:has-text('Edit the question')")
    page.wait_for_selector("#edit-form")
    assert page.input_value("#note") == "It named two kilns."
    gold_box(page).fill("Mend the kiln.")
    page.wait_for_selector("#changes ins")
    page.click("button:has-text('Save the edit')")
    page.wait_for_selector("text=Decided: edited.")
    assert violations(page) == []
    assert Revision.objects.current().get().number == 2
