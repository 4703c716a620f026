"""The path of a reviewer through the pages, in a real browser."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Step
from review.models import BlindAnswer, Review
from tests.browser.pages import arrived, give
from tests.browser.questions import ready_made
from tests.make import blind, make_revision, make_user
from tests.review.orders import labels_of
from tests.review.sources import stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOSTILE = (
    "<img src=x onerror=\"document.title='hit'\"> </script><script>document.title='hit'</script>"
    " \x1b]8;;javascript:document.title='hit'\x07link\x1b]8;;\x07 {{7*7}} \u202eevil\u202c"
)


def test_reviewer_answers_blind_sees_gold_after_and_submits(open_page, log_in):
    ann, ben = make_user(username="ann"), make_user(username="ben")
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    page = open_page()
    log_in(page, ann)
    page.click("button:has-text('Next item')")
    arrived(page, ".options")
    assert page.locator("text=/gold/i").count() == 0
    assert page.locator("text=because").count() == 0

    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit4")
    page.keyboard.press("Enter")
    arrived(page, "#gold")
    order = labels_of(revision.assignments.get(reviewer=ann)).order
    assert BlindAnswer.objects.get().positions == [order[1]]
    assert BlindAnswer.objects.get().confidence == 4
    assert page.locator(".answers .big").all_inner_texts() == ["ABCD"[order.index(0)], "B"]

    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.get_by_label("dismiss").check()
    page.check("[name=well_specified][value='0']")
    page.check("[name=gold_quality][value='0']")
    page.fill("#field-comment", "the comment of ann")
    page.locator("#field-comment").blur()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/queue/")
    review = Review.objects.get()
    assert (review.decision, review.comment) == ("approve", "the comment of ann")
    assert review.option_verdicts.count() == 3

    page.go_back()
    page.wait_for_selector("text=You have reviewed this item")
    assert page.locator("time[data-moment]").inner_text() == "just now"
    assert page.locator("#answer-form").count() == 0

    other = open_page()
    log_in(other, ben)
    other.click("button:has-text('Next item')")
    arrived(other, ".options")
    content = other.content()
    for secret in ("the comment of ann", "because", "all tests pass", "ann<"):
        assert secret not in content


def test_hostile_text_runs_nothing_anywhere(open_page, log_in):
    user = make_user(username=HOSTILE[:100])
    source = stored(task=HOSTILE, steps=(Step(HOSTILE, HOSTILE[:90], {}, HOSTILE, HOSTILE),) * 4)
    turn = give(
        user,
        source=source,
        options=(HOSTILE, HOSTILE + "b", "c", "d"),
        findings=[Severity.BLOCKS_RELEASE],
    )
    turn.revision.options.update(reason=HOSTILE)
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    log_in(page, user)
    titles = [page.title()]
    page.goto(f"/review/{turn.pk}/")
    titles.append(page.title())
    blind(turn, right=False, now=timezone.now())
    page.reload()
    page.click("text=Show what follows")
    page.wait_for_selector(".follows")
    page.fill("#field-comment", HOSTILE)
    page.wait_for_selector("text=saved")
    page.reload()
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    titles.append(page.title())
    assert not any("hit" in title for title in titles)
    assert page.locator("img").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0


@pytest.mark.parametrize("phase", ["blind", "open"])
def test_hostile_text_in_long_options_and_headings_runs_nothing(open_page, log_in, phase):
    body = f"# {HOSTILE}\n\n" + f"{HOSTILE} word " * 40
    slots = {"article": f"[start of {HOSTILE[:80]}]\n{body}", "page": f"```{HOSTILE}\n{body}"}
    revision = ready_made("open_citation_en", slots, [f"{body}{n}\n" * 2 for n in range(6)])
    ann = make_user()
    turn = give(ann, revision=revision)
    if phase == "open":
        blind(turn, now=timezone.now())
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("o")
    page.wait_for_selector("#compare-box .compared")
    page.keyboard.press("Escape")
    page.fill("#search-box", "onerror")
    page.press("#search-box", "Enter")
    page.wait_for_selector("#hits li")
    page.wait_for_timeout(300)
    assert "hit" not in page.title()
    assert page.locator("img").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0


def test_double_click_stores_one_answer(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.dblclick("button:has-text('Answer')")
    arrived(page, "#gold")
    assert BlindAnswer.objects.count() == 1
    assert Review.objects.count() == 0


def test_long_run_is_light_and_its_question_always_in_view(open_page, log_in):
    ann = make_user()
    steps = tuple(
        Step(f"think {n}", "bash", {}, f"echo {n}", f"row {n} " * 600) for n in range(1, 302)
    )
    endless = Step("think", "bash", {}, "cat", "x" * 2_000_000)
    lines = Step("think", "bash", {}, "seq", "".join(f"line {k}\n" for k in range(60_000)))
    steps = (*steps[:49], endless, *steps[50:119], lines, *steps[120:])
    turn = give(ann, source=stored(steps=steps), cut=301)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    assert len(page.content()) < 1_500_000
    assert page.evaluate("document.querySelectorAll('*').length") < 15_000
    page.keyboard.type("g250")
    for place in ("#step-250", "#step-50", "#step-120"):
        page.click(f".outline a[href='{place}']")
        assert page.locator(place).is_visible()
        box = page.locator("#question .primary").bounding_box()
        assert 0 <= box["y"] <= 900
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    page.click("#step-120 .fold a:has-text('open')")
    page.wait_for_selector("#step-120 pre.piece")


def test_question_folds_to_one_line_on_a_phone(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page(width=390, height=844)
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click(".sheet > summary")
    assert page.locator(".question-column").bounding_box()["height"] < 60
    assert page.locator(".sheet > summary").inner_text() == "Which next step fits best?"
    page.evaluate("scrollTo(0, 9999)")
    assert page.locator(".sheet > summary").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_pages_work_without_javascript(chromium, live_server, log_in):
    ann = make_user()
    turn = give(ann)
    context = chromium.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    log_in(page, ann)
    page.click("button:has-text('Go on')")
    page.click("label.option >> nth=0")
    page.click(".choices label >> nth=2")
    page.click("button:has-text('Answer')")
    page.wait_for_url(f"**/review/{turn.pk}/")
    assert page.locator("#gold").is_visible()
    page.click("text=Show what follows")
    assert page.locator(".follows").is_visible()
    context.close()
