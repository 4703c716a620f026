"""The keyboard, in a real browser."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Step
from review.models import BlindAnswer, Review
from tests.browser.pages import arrived, give
from tests.make import blind, make_completion, make_user
from tests.review.sources import stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_keys_do_nothing_while_one_types_or_composes(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click("#answer-text")
    page.keyboard.type("sed -n 1,9p a?jk")
    assert page.input_value("#answer-text") == "sed -n 1,9p a?jk"
    assert page.locator("#skip").get_attribute("open") is None
    page.locator("#answer-text").blur()
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 's', isComposing: true, bubbles: true}))"
    )
    page.keyboard.press("Control+s")
    assert page.locator("#skip").get_attribute("open") is None
    page.keyboard.press("s")
    assert page.locator("#skip").get_attribute("open") is not None


def test_text_box_is_left_by_escape_and_sent_from_by_ctrl_enter(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.check("[name=confidence][value='3']")
    page.click("#answer-text")
    page.keyboard.type("cat")
    page.keyboard.press("Enter")
    page.keyboard.type("part3.py")
    assert page.input_value("#answer-text") == "cat\npart3.py"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")
    page.click("#answer-text")
    page.keyboard.press("Control+Enter")
    arrived(page, "#gold")
    assert BlindAnswer.objects.get().text == "cat\npart3.py"


def test_enter_in_a_word_on_a_finding_sends_nothing(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON])
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill(".finding input[type=text]", "harmless")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.locator("div.error").count() == 0
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("div.error")


@pytest.mark.parametrize("keys", ["j", "jjk", "g2"])
def test_enter_sends_after_a_walk_through_the_steps(open_page, log_in, keys):
    ann = make_user()
    turn = give(ann, steps=12, cut=12)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.type(keys)
    assert page.evaluate("document.activeElement.matches('.step')")
    page.wait_for_timeout(1_100)  # a number is ended by a pause
    page.keyboard.press("Enter")
    arrived(page, "#gold")
    assert page.locator(".source .step:not([open])").count() == 0


def test_number_of_a_step_ends_with_a_pause_or_enter_and_sends_nothing(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=12, cut=12)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.type("g11")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.id") == "step-11"
    assert not BlindAnswer.objects.exists()
    page.keyboard.type("g1")
    page.wait_for_timeout(1_100)
    page.keyboard.press("1")
    assert page.evaluate("document.activeElement.id") != "step-11"
    assert page.locator("[name=choice]:checked").input_value() == "A"


def test_list_of_keys_opens_and_closes(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").is_visible()
    page.keyboard.press("1")
    assert page.locator("[name=choice]:checked").count() == 0
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()


@pytest.mark.parametrize("phase", ["blind", "open"])
def test_list_of_keys_names_what_the_keys_do_and_nothing_else(open_page, log_in, phase):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON])
    if phase == "open":
        blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    done = page.evaluate("(phase) => window.apt.actions(phase)", phase)
    rows = page.locator("#keys [data-action]")
    named = rows.evaluate_all("all => all.map((row) => row.dataset.action)")
    assert sorted(set(named)) == sorted(done)
    assert all(text.strip() for text in page.locator("#keys dt").all_text_contents())
    page.keyboard.press("?")
    assert page.locator("#keys [data-action=same]").count() == (phase == "open")
    assert not page.locator("#keys [data-action=undetermined]").is_visible()


def test_whole_item_by_the_keyboard_alone(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON, Severity.NOTE], steps=6, cut=5)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.type("jjk")
    page.keyboard.press("c")
    page.keyboard.press("ArrowDown")
    assert page.locator("[name=choice]:checked").input_value() == "D"
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    arrived(page, "#gold")
    gold = page.locator(".answers .big").first.inner_text()
    for row in range(1, 5):
        page.keyboard.press(str(row))
        assert page.evaluate("document.activeElement.matches('.option-row')")
        if "ABCD"[row - 1] != gold:
            page.keyboard.press("e")
    page.keyboard.press("x")
    assert page.evaluate("document.activeElement.matches('.finding')")
    page.keyboard.press("y")
    page.keyboard.press("i")
    page.keyboard.type("q2")
    page.keyboard.type("the question names no kiln of the two")
    page.keyboard.press("Escape")
    page.keyboard.type("w1")
    page.keyboard.press("t")
    page.keyboard.type("two kilns, one question; r s a 1")
    page.keyboard.press("Escape")
    page.keyboard.type("r1")
    assert page.input_value("[name=reject_reason]") == "bad_question"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=stored.")
    review = Review.objects.get()
    assert (review.decision, review.reject_reason) == ("reject", "bad_question")
    assert (review.well_specified, review.gold_quality) == (2, 1)
    assert review.comment == "two kilns, one question; r s a 1"
    verdicts = review.finding_verdicts.order_by("-finding__severity")
    assert [each.verdict for each in verdicts] == ["confirmed", "dismissed"]
    assert {each.verdict for each in review.option_verdicts.all()} == {"too_easy"}


def test_key_of_a_verdict_goes_on_from_gold_and_opens_no_edit(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    gold = "ABCD".index(page.locator(".answers .big").first.inner_text()) + 1
    page.keyboard.press(str(gold))
    page.keyboard.press("e")
    page.wait_for_timeout(300)
    assert page.url.endswith(f"/review/{turn.pk}/")
    assert page.locator(".option-row input:checked").count() == 0
    rows = page.locator(".option-row")
    held = rows.evaluate_all("all => all.indexOf(document.activeElement) + 1")
    assert held == min(gold + 1, 4)


def test_walk_to_the_last_steps_marks_each_and_leads_back_by_one(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=4, cut=4)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.type("jjjjjjjj")
    last = page.evaluate("document.activeElement.id")
    page.wait_for_selector(f".outline a[href='#{last}'][aria-current]")
    page.wait_for_timeout(200)
    assert page.locator(f".outline a[href='#{last}'][aria-current]").count() == 1
    ids = page.locator(".source .step").evaluate_all("all => all.map((step) => step.id)")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.id") == ids[ids.index(last) - 1]


def test_focus_is_seen_wherever_tab_goes(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=3, cut=3)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const held = document.activeElement, style = getComputedStyle(held);"
            " const beside = held.nextElementSibling && getComputedStyle(held.nextElementSibling);"
            " return [held.outerHTML.slice(0, 90), style.outlineStyle !== 'none'"
            " || Boolean(beside && beside.outlineStyle !== 'none')]; }"
        )
        seen.add(found[0])
        assert found[1] or found[0].startswith("<body"), found[0]
    assert len(seen) > 15


def test_hits_folds_and_pieces_by_keys(open_page, log_in):
    ann = make_user()
    steps = tuple(
        Step("think", "bash", {}, f"cat {n}", f"needle {n}\n" + "row\n" * 9_000)
        for n in range(1, 5)
    )
    turn = give(ann, source=stored(steps=steps), cut=4)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("/")
    page.keyboard.type("needle")
    page.keyboard.press("Enter")
    page.wait_for_selector("#hits li")
    page.keyboard.press("Escape")
    current = "document.querySelector('#hits a[aria-current]')?.dataset.anchor"
    page.keyboard.press(".")
    page.keyboard.press(".")
    assert page.evaluate(current) == "step-2"
    page.keyboard.press(",")
    assert page.evaluate(current) == "step-1"
    page.keyboard.type("g2")
    page.wait_for_timeout(1_100)
    page.keyboard.press("p")
    page.wait_for_selector("#step-2 pre.piece")
    page.keyboard.press("f")
    assert page.locator("#step-2").get_attribute("open") is None
    page.keyboard.press("Shift+F")
    assert page.locator(".source .step[open]").count() == 0
    page.keyboard.press("Shift+F")
    assert page.locator(".source .step:not([open])").count() == 0
