"""The colours of the stylesheet can be told apart in both themes, computed by WCAG 2.2's formula."""

import re
from itertools import product

import pytest

from tests.commands import PROJECT

SHEET = (PROJECT / "static/review.css").read_text(encoding="utf-8")
TOKENS: dict[str, str] = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\);", SHEET))
THEMES = ("light", "dark")
# What lies behind text: the page, panels, source texts, and the washes of the four meanings.
SURFACES = ("page", "panel", "code")
WASHES = ("accent-wash", "agree-wash", "reject-wash", "attention-wash")
CODE = tuple(name for name in TOKENS if name.startswith("code-"))
MEANINGS = ("accent", "agree", "reject", "attention")


def luminance(colour: str) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colour(token: str, theme: str) -> str:
    return TOKENS[token].split(", ")[THEMES.index(theme)]


def too_close(texts, surfaces, least: float) -> list[tuple[str, str, str, float]]:
    found = [
        (theme, text, behind, round(contrast(colour(text, theme), colour(behind, theme)), 2))
        for theme, text, behind in product(THEMES, texts, surfaces)
    ]
    return [each for each in found if each[-1] < least]


def test_formula_gives_the_published_values():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#ffffff", "#ffffff") == 1
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.005)


def test_every_colour_of_code_is_read_on_every_surface_a_text_lies_on():
    assert len(CODE) == 5
    # An action lies on the accent's wash; what an edit takes and brings on those of its meanings.
    assert too_close(CODE, SURFACES + WASHES, 4.5) == []


def test_text_is_read_on_every_surface():
    assert too_close(("ink", "quiet"), SURFACES + WASHES, 4.5) == []
    assert too_close(MEANINGS, SURFACES, 4.5) == []


def test_words_of_a_meaning_are_read_on_its_wash():
    assert [each for m in MEANINGS for each in too_close([m], [f"{m}-wash"], 4.5)] == []
    assert too_close(["on-accent"], ["accent"], 4.5) == []
    # A chosen decision is filled with its meaning.
    assert too_close(["on-accent"], ["agree", "reject"], 4.5) == []


def test_hits_of_a_search_are_read_on_their_mark():
    assert re.search(
        r"highlight\(hit\) \{ background-color: var\(--attention-wash\); color: var\(--ink\)", SHEET
    )
    assert too_close(["ink"], ["attention-wash"], 4.5) == []


def test_borders_that_matter_and_the_ring_of_the_focus_are_seen():
    assert too_close(("edge", "accent"), SURFACES, 3) == []


def test_every_kind_of_code_takes_its_colour_from_a_token():
    painted = dict(re.findall(r"highlight\((code-\w+)\) \{ color: var\(--([\w-]+)\); \}", SHEET))
    assert painted == {name: name for name in CODE}


def test_no_sheet_names_a_colour_of_its_own():
    """Else neither theme nor this test would know of it; shadows and backdrops hold no text."""
    for path in sorted((PROJECT / "static").glob("*.css")):
        rules = path.read_text(encoding="utf-8").replace(
            SHEET[: SHEET.index("@layer elements {")], ""
        )
        for line in rules.splitlines():
            if re.search(r"#[0-9a-fA-F]{3,8}\b(?=[\s;,)])", line) and "shadow" not in line:
                assert "::backdrop" in line, (path.name, line)
