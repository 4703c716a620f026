"""Every kind of question has a page that can be read: documents, patches, reports, citations."""

import pytest

from review.models import BlindAnswer
from tests.browser import questions
from tests.browser.pages import arrived, give, violations, wait_until
from tests.make import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KINDS = ("patches", "reports", "citation", "chinese", "next_command")


@pytest.fixture
def opened(open_page, log_in):
    """Return a function that opens a question of a kind for a new reviewer."""

    def opened(kind, **window):
        ann = make_user()
        turn = give(ann, revision=getattr(questions, kind)())
        page = open_page(**window)
        log_in(page, ann)
        page.goto(f"/review/{turn.pk}/")
        return page, turn

    return opened


def painted(page, kind):
    return page.evaluate(
        "(kind) => [...(CSS.highlights.get(`code-${kind}`) || [])].map((range) =>"
        " range.startContainer.data.slice(range.startOffset, range.endOffset))",
        kind,
    )


def test_document_has_its_files_in_the_outline_and_each_folds(opened):
    page, _turn = opened("patches")
    rows = page.locator(".outline li a span").all_inner_texts()
    assert rows[:4] == [
        "Bug report",
        "issue",
        "README.md",
        "kiln/heat.py",
    ]
    page.click(".outline a:has-text('kiln/heat.py')")
    section = page.locator(".section:has(> summary:has-text('kiln/heat.py'))")
    assert section.locator("pre").inner_text().startswith("[start of kiln/heat.py]")
    section.locator("summary").click()
    assert not section.locator("pre").is_visible()


def test_code_is_coloured_by_the_name_of_its_file(opened):
    page, _turn = opened("patches")
    wait_until(page, lambda: "return" in painted(page, "keyword"))
    assert "def" in painted(page, "keyword")
    assert '"cold"' in painted(page, "string")
    assert "# cold" in painted(page, "comment")
    assert "# Kiln" not in painted(page, "comment")
    assert page.locator("#section-issue_statement-3 pre *").count() == 0


def test_patches_are_read_as_patches_in_the_wide_column(opened):
    page, _turn = opened("patches")
    patch = page.locator("#section-option-B")
    assert patch.locator("del").inner_text().strip() == "-        kiln.heat(1)"
    assert patch.locator("ins").inner_text().strip().startswith("+        kiln.heat(")
    brief = page.locator(".option-text").all_inner_texts()
    assert len(set(brief)) == 4
    assert all(text.startswith("… +") for text in brief)
    page.click("a.in-full >> nth=1")
    box = patch.bounding_box()
    assert 0 <= box["y"] < 300
    assert page.locator("[name=choice]:checked").count() == 0


def test_reports_are_read_in_chapters_and_compared_two_at_a_time(opened):
    page, turn = opened("reports")
    assert page.locator(".section[id^='section-option-']").count() >= 8
    brief = page.locator(".option-text").all_inner_texts()
    assert sorted(text.split()[3].strip(".") for text in brief) == ["cold", "hot", "new", "round"]
    page.keyboard.press("o")
    page.wait_for_selector("#compare-box[open] .differing mark")
    assert page.locator("#compare-box .differing").count() == 1
    assert page.locator("#compare-box details").count() == 1
    page.keyboard.press("4")
    page.wait_for_selector("#compare-box [name=b][value=D]:checked")
    page.keyboard.press("Shift+Digit2")
    page.wait_for_selector("#compare-box [name=a][value=B]:checked")
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert not page.locator("#compare-box").is_visible()
    page.keyboard.press("3")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("Enter")
    arrived(page, "#gold")
    assert BlindAnswer.objects.get(assignment=turn).confidence == 3
    assert page.locator(".option-row .in-full").count() == 4


def test_cited_page_stands_beside_the_statements(opened):
    page, turn = opened("citation")
    section = page.locator("#section-page").bounding_box()
    options = page.locator(".options").bounding_box()
    assert section["y"] < 400
    assert section["y"] < options["y"] + options["height"]
    assert section["x"] + section["width"] <= options["x"]
    assert not page.locator("#section-article pre").first.is_visible()
    for key in ("1", "3", "Shift+Digit4", "Escape", "Enter"):
        page.keyboard.press(key)
    arrived(page, "#gold")
    assert len(BlindAnswer.objects.get(assignment=turn).positions) == 2


def test_command_is_written_or_said_not_to_be_determined(opened):
    page, turn = opened("next_command")
    page.keyboard.press("t")
    page.keyboard.type("make fire")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    assert page.is_checked("[name=not_determined]")
    page.keyboard.press("x")
    page.keyboard.press("Shift+Digit5")
    page.keyboard.press("Control+Enter")
    page.locator("body").press("Enter")
    arrived(page, "#gold")
    answer = BlindAnswer.objects.get(assignment=turn)
    assert (answer.text, answer.not_determined, answer.matches_gold) == ("make fire", False, True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "theme"), [(1440, "dark"), (390, "light")])
def test_axe_finds_nothing_and_nothing_is_cut_off(opened, kind, width, theme):
    page, _turn = opened(kind, width=width, height=844, theme=theme)
    page.wait_for_timeout(200)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
