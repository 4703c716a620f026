from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from generation.core.records import Step
from review.core.source_view import Evidence, view_section, view_steps
from review.views.step_markup import outline_html, sections_html, steps_html

TEXT = st.text(st.sampled_from("a<>&\"'/= \n\x1b]\u202e"), max_size=60)
TAGS = {"details", "summary", "b", "i", "span", "em", "small", "div", "pre", "p", "a", "mark", "li"}
ATTRIBUTES = {
    "class",
    "id",
    "open",
    "href",
    "hx-get",
    "hx-target",
    "hx-swap",
    "download",
    "tabindex",
}


class Reader(HTMLParser):
    """Collects what a browser would see: tags, attributes, text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}

    def handle_data(self, data):
        self.text += data


def read(markup):
    reader = Reader()
    reader.feed(str(markup))
    reader.close()
    return reader


@given(st.builds(Step, TEXT, TEXT, st.just({}), TEXT, TEXT), TEXT)
def test_no_text_of_a_step_becomes_markup(step, evidence):
    steps = view_steps((step,), first=1, shown_in_all=1, evidence=Evidence({5: evidence}))
    section = view_section("task", step.thought, step.action, evidence=Evidence())
    for markup in (
        steps_html(steps, address="/review/1/"),
        sections_html([section], address="/review/1/"),
        outline_html(steps),
    ):
        seen = read(markup)
        assert seen.tags <= TAGS
        assert seen.attributes <= ATTRIBUTES


def test_text_is_read_as_it_was_written_with_its_mark():
    step = Step("Is a < b?", "bash", {}, "echo '<b>'", "x & <i>")
    steps = view_steps((step,), first=7, shown_in_all=1, evidence=Evidence({5: "& <"}))
    markup = steps_html(steps, address="/review/1/")
    assert '<mark id="mark-5" tabindex="-1">&amp; &lt;</mark>' in markup
    seen = read(markup)
    for text in ("step 7", "Is a < b?", "echo '<b>'", "x & <i>"):
        assert text in seen.text


def test_folded_text_offers_its_first_piece_and_the_raw_text():
    step = Step("", "bash", {}, "cat", "line\n" * 2_000)
    steps = view_steps((step,), first=7, shown_in_all=1, evidence=Evidence())
    markup = steps_html(steps, address="/review/1/")
    assert 'hx-get="/review/1/step/7/piece/1?part=observation"' in markup
    assert 'href="/review/1/step/7/raw?part=observation" download' in markup
    assert "lines folded, " in markup
