"""Searching the source and reading edits, in a real browser."""

import re

import pytest

from generation.core.records import Step
from tests.browser.pages import give, violations
from tests.make import make_user
from tests.review.sources import stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EDIT = {
    "command": "str_replace",
    "path": "/kiln/fire.py",
    "old_str": "def fire():\n    heat = 1\n",
    "new_str": "def fire():\n    heat = 2\n",
}
PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-cold clay\n+warm clay\n"
LINES = "".join(f"row {n} 😀 灯\n" for n in range(6_000))
STEPS = (
    Step("Warm it.", "str_replace_editor", EDIT, "call --old_str 'heat = 1' --new_str", "OK"),
    Step("Look.", "bash", {}, "git diff", PATCH),
    Step("Read.", "bash", {}, "cat rows", LINES),
    Step("Wait.", "bash", {}, "sleep 1", "done"),
)


@pytest.fixture
def turn():
    return give(make_user(username="ann"), source=stored(steps=STEPS), cut=4)


@pytest.fixture
def opened(open_page, log_in, turn):
    """Return a function that opens the review page with these sizes and colours."""

    def opened(**window):
        page = open_page(**window)
        log_in(page, turn.reviewer)
        page.goto(f"/review/{turn.pk}/")
        return page

    return opened


def search(page, query):
    page.fill("#search-box", query)
    page.press("#search-box", "Enter")
    page.wait_for_selector("#hits p")


def wait_until(page, is_true):
    # Playwright's own waiting for an expression needs eval, which the pages forbid.
    for _ in range(100):
        if is_true():
            return
        page.wait_for_timeout(50)
    pytest.fail("waited in vain")


def marked(page):
    return page.evaluate("[...(CSS.highlights.get('hit') ?? [])].map(String)")


def is_in_view(page, place):
    box = place.bounding_box()
    return 40 < box["y"] < page.viewport_size["height"]


def test_slash_leads_to_the_search_and_escape_out_of_it(opened):
    page = opened()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search-box"
    page.keyboard.type("a/1? s")
    assert page.input_value("#search-box") == "a/1? s"
    assert page.locator("[name=choice]:checked").count() == 0
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("?")
    assert page.locator("#keys").get_by_text("search the source").is_visible()


def test_search_swaps_the_hits_and_leaves_what_was_answered(opened, turn):
    page = opened()
    page.keyboard.press("2")
    page.keyboard.press("/")
    page.keyboard.type("WARM CLAY")
    page.keyboard.press("Enter")
    page.wait_for_selector("#hits li")
    assert page.locator("#hits p").inner_text() == "1 hit"
    assert page.locator("#hits li b").inner_text() == "2"
    assert page.locator("#hits mark").inner_text() == "warm clay"
    assert page.locator("[name=choice]:checked").count() == 1
    assert page.url.endswith(f"/review/{turn.pk}/?q=WARM+CLAY")
    page.reload()
    assert page.locator("#hits li").count() == 1
    search(page, "no such thing")
    page.wait_for_selector("text=No hit for “no such thing”")
    search(page, "x" * 300)
    page.wait_for_selector("text=Too long: 300 characters")


def test_hit_is_marked_where_it_is_shown(opened):
    page = opened()
    search(page, "warm clay")
    page.click("#hits a")
    wait_until(page, lambda: marked(page) == ["warm clay"])
    assert page.url.endswith("#step-2")
    search(page, "row 5999 😀 灯")
    page.wait_for_selector("#hits a[data-tail]")
    page.click("#hits a")
    wait_until(page, lambda: marked(page) == ["row 5999 😀 灯"])


def test_hit_in_a_folded_text_opens_the_piece_that_holds_it(opened):
    page = opened()
    for row in (3000, 4500, 1000, 4501, 3001):
        search(page, f"row {row} ")
        page.wait_for_selector(f"#hits a:has-text('row {row} ')")
        page.click("#hits a")
        mark = page.locator("#step-3 mark", has_text=f"row {row} ")
        mark.wait_for()
        wait_until(page, lambda mark=mark: is_in_view(page, mark))
    folds = page.locator("#step-3 .fold")
    pieces = page.locator("#step-3 pre.piece")
    while folds.count():
        count = pieces.count()
        folds.locator("a:has-text('open')").first.click()
        wait_until(page, lambda count=count: pieces.count() > count)
    text = "".join(
        page.locator("#step-3 .observation > pre").evaluate_all(
            "all => all.map(p => p.textContent)"
        )
    )
    assert text == LINES


def test_edit_is_read_as_lines_and_its_call_is_one_click_away(opened):
    page = opened()
    edit = page.locator("#step-1 .edit")
    assert edit.locator("del").inner_text().rstrip("\n") == "-     heat = 1"
    assert edit.locator("ins").inner_text().rstrip("\n") == "+     heat = 2"
    call = page.locator("#step-1 .recorded > pre")
    assert not call.is_visible()
    page.click("#step-1 .recorded > summary")
    assert call.is_visible()
    page.click("#step-1 .recorded > summary")
    search(page, "--OLD_STR")
    page.click("#hits a")
    page.wait_for_selector("#step-1 .recorded[open]")
    patch = page.locator("#step-2 .observation")
    assert patch.locator("del").inner_text().rstrip("\n") == "-cold clay"
    assert patch.locator("ins").inner_text().rstrip("\n") == "+warm clay"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_in_hits_and_edits(opened, theme, width, height):
    page = opened(width=width, height=height, theme=theme)
    if width < 1000:
        page.click(".sheet > summary")
    search(page, "row")
    page.wait_for_selector("#hits li")
    page.click("#hits a >> nth=0")
    page.evaluate("for (const box of document.querySelectorAll('.recorded')) box.open = true")
    page.evaluate("document.getElementById('step-1').scrollIntoView()")
    assert violations(page) == []
    search(page, "x" * 300)
    page.wait_for_selector("#hits .error")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_search_works_without_javascript(chromium, live_server, log_in, turn):
    context = chromium.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    log_in(page, turn.reviewer)
    page.goto(f"/review/{turn.pk}/")
    page.fill("#search-box", "row 3000 ")
    page.press("#search-box", "Enter")
    page.wait_for_url(re.compile(r"\?q=row\+3000"))
    page.click("#hits a")
    assert page.locator("mark#hit").inner_text() == "row 3000"
    page.click("text=Back to the item")
    page.click("#step-1 .recorded > summary")
    assert page.locator("#step-1 .recorded > pre").is_visible()
    context.close()
