"""The Markdown of leads: what comes out, and that nothing dangerous does."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.markdown import LONGEST, Heading, is_safe_link, render_markdown


def test_headings_get_ids_and_make_a_table_of_contents():
    rendered = render_markdown(
        "# How to *answer*\n\ntext\n\n## 盲答 阶段\n\n## How to answer\n\n### !!!\n"
    )
    assert rendered.headings == (
        Heading(1, "g-how-to-answer", "How to answer"),
        Heading(2, "g-盲答-阶段", "盲答 阶段"),
        Heading(2, "g-how-to-answer-2", "How to answer"),
        Heading(3, "g-part", "!!!"),
    )
    assert '<h1 id="g-how-to-answer">How to <em>answer</em></h1>' in rendered.html
    assert '<h2 id="g-盲答-阶段">盲答 阶段</h2>' in rendered.html


def test_html_in_the_text_is_shown_as_text():
    html = render_markdown(
        "a <script>alert(1)</script> <b onclick=x>b</b>\n\n<div>block</div>"
    ).html
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;b onclick=x&gt;" in html
    assert "&lt;div&gt;" in html


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a?b=c",
        "HTTP://example.org",
        "/guidelines/",
        "#g-time",
        "other/page",
        "a.md",
    ],
)
def test_links_of_the_web_and_of_this_site_work_and_tell_nothing(address):
    html = render_markdown(f"[word]({address})").html
    assert html == f'<p><a href="{address}" rel="noopener noreferrer">word</a></p>\n'


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,<script>",
        "vbscript:x",
        "file:///etc/passwd",
        "mailto:a@example.org",
        "//example.org/a",
        "/\\example.org",
        "\\\\example.org",
        "\x01javascript:alert(1)",
    ],
)
def test_other_links_are_no_links(address):
    assert not is_safe_link(address)
    for link in re.findall(r'href="([^"]*)"', render_markdown(f"[word](<{address}>)").html):
        assert link.startswith(("%01", "java%09script", "/%5C", "%5C"))  # paths of this site


@pytest.mark.parametrize(
    "text",
    ["[a](&#106;avascript:alert(1))", "<javascript:alert(1)>", "[a]\n\n[a]: javascript:alert(1)"],
)
def test_hidden_spellings_of_a_scheme_are_seen_through(text):
    assert "<a " not in render_markdown(text).html


def test_images_are_not_loaded():
    assert "<img" not in render_markdown("![a](https://example.org/x.png)").html


def test_aligned_columns_carry_a_class_and_no_style():
    html = render_markdown("| a | b |\n|---|--:|\n| 1 | 2 |\n").html
    assert '<td class="align-right">2</td>' in html
    assert "style=" not in html


def test_text_that_is_too_long_is_refused_with_its_length():
    with pytest.raises(ValueError, match=f"{LONGEST + 1} characters"):
        render_markdown("a" * (LONGEST + 1))


@given(st.text(alphabet="<>&\"'`[]()#*_-|:!\\ \n\tajavscript/", max_size=120))
def test_no_text_makes_an_element_or_attribute_that_is_not_allowed(text):
    html = render_markdown(text).html
    for name, attributes in re.findall(r"<([a-z0-9]+)((?:\s[^<>]*)?)>", html):
        assert name in {
            "p", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "code", "pre", "a", "hr", "br",
            "ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td",
        }  # fmt: skip
        names = set(re.findall(r'\s([a-z-]+)="[^"]*"', attributes))
        assert names <= {"href", "rel", "id", "class", "start", "title"}
    for address in re.findall(r'href="([^"]*)"', html):
        assert is_safe_link(address)
