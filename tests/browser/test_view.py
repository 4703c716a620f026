"""How the page is set: text size, widths, what is folded away, and where the reader was."""

import pytest

from tests.browser.pages import give, violations
from tests.make import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def opened(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=30, cut=30)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    return page


def width(page, selector):
    return page.locator(selector).bounding_box()["width"]


def letter(page):
    return page.locator(".step pre").first.evaluate(
        "box => parseFloat(getComputedStyle(box).fontSize)"
    )


def test_text_size_is_set_by_key_and_button_and_remembered(opened):
    usual = letter(opened)
    opened.keyboard.press("+")
    opened.click("[data-sizes='1']")
    assert letter(opened) == pytest.approx(usual * 1.3, abs=0.1)
    for _ in range(9):
        opened.keyboard.press("-")
    assert letter(opened) == pytest.approx(usual * 0.85, abs=0.1)
    opened.reload()
    assert letter(opened) == pytest.approx(usual * 0.85, abs=0.1)
    opened.keyboard.press("=")
    assert letter(opened) == pytest.approx(usual * 0.85, abs=0.1)


def test_columns_are_drawn_by_mouse_and_keys_and_remembered(opened):
    bar = opened.locator("[data-resizes=question]")
    box = bar.bounding_box()
    opened.mouse.move(box["x"] + 4, 400)
    opened.mouse.down()
    opened.mouse.move(box["x"] + 4 - 100, 400, steps=4)
    opened.mouse.up()
    assert width(opened, ".question-column") == pytest.approx(520, abs=2)
    bar.focus()
    opened.keyboard.press("ArrowRight")
    assert width(opened, ".question-column") == pytest.approx(500, abs=2)
    assert bar.get_attribute("aria-valuenow") == "500"
    outline = opened.locator("[data-resizes=outline]")
    outline.focus()
    opened.keyboard.press("ArrowRight")
    opened.reload()
    assert width(opened, ".question-column") == pytest.approx(500, abs=2)
    assert width(opened, ".outline") == pytest.approx(240, abs=2)
    outline.dblclick()
    assert width(opened, ".outline") == pytest.approx(220, abs=2)
    assert violations(opened) == []


def test_outline_and_question_fold_away(opened):
    opened.keyboard.press("[")
    assert not opened.locator(".outline").is_visible()
    opened.click("[data-toggles=question]")
    assert not opened.locator(".question-column").is_visible()
    assert width(opened, ".source") == pytest.approx(1440, abs=20)
    assert violations(opened) == []
    opened.reload()
    assert not opened.locator(".outline").is_visible()
    opened.keyboard.press("/")
    assert opened.evaluate("document.activeElement.id") == "search-box"
    opened.keyboard.press("Escape")
    opened.keyboard.press("]")
    assert opened.locator(".question-column").is_visible()


def test_folds_and_place_come_back_in_a_new_window_of_the_browser(opened):
    opened.click("#step-3 > summary")
    opened.click(".outline a[href='#step-20']")
    opened.wait_for_selector(".outline a[href='#step-20'][aria-current]")
    before = opened.locator("#step-20").bounding_box()["y"]
    address = opened.url.split("#")[0]
    opened.goto("/queue/")
    again = opened.context.new_page()
    again.goto(address)
    again.wait_for_timeout(200)
    assert again.locator("#step-3").get_attribute("open") is None
    assert again.locator("#step-20").bounding_box()["y"] == pytest.approx(before, abs=3)


def test_nothing_moves_while_the_page_loads_and_parts_are_swapped(opened):
    opened.add_init_script(
        "window.shifts = []; new PerformanceObserver((list) => {"
        " for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifts.push(e.value); })"
        ".observe({type: 'layout-shift', buffered: true});"
    )
    opened.goto(opened.url.split("#")[0])
    opened.wait_for_timeout(300)
    opened.evaluate("htmx.ajax('GET', location.pathname + '?q=kiln', '#hits')")
    opened.wait_for_selector("#hits li")
    opened.fill("#search-box", "part 7")
    opened.evaluate("document.querySelector('[name=choice]').click()")
    opened.wait_for_selector("#saved:has-text('saved')")
    opened.evaluate("window.apt.connection.say('unsaved')")
    opened.wait_for_selector("#connection:not([hidden])")
    opened.wait_for_timeout(200)
    assert sum(opened.evaluate("window.shifts")) < 0.01
