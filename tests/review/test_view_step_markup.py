from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from generation.core.records import Step
from review.core.chapters import Part
from review.core.source_view import Evidence, view_section, view_steps
from review.views.step_markup import outline_html, sections_html, steps_html

TEXT = st.text(st.sampled_from("a<>&\"'/= \n\x1b]\u202e"), max_size=60)
TAGS = {
    "details",
    "summary",
    "b",
    "i",
    "span",
    "em",
    "small",
    "div",
    "pre",
    "p",
    "a",
    "mark",
    "li",
    "del",
    "ins",
    "code",
}
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
    "data-piece",
    "data-part",
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
    part = Part("task", "task", step.thought, "", step.action, limit=40_000)
    section = view_section(part, step.thought, evidence=Evidence())
    for markup in (
        steps_html(steps, address="/review/1/"),
        sections_html([section], address="/review/1/"),
        outline_html(steps),
    ):
        seen = read(markup)
        assert seen.tags <= TAGS
        assert seen.attributes <= ATTRIBUTES


@given(TEXT, TEXT, TEXT)
def test_no_text_of_an_edit_or_a_patch_becomes_markup(path, old, new):
    arguments = {"command": "str_replace", "path": path, "old_str": old, "new_str": new}
    patch = f"@@ -1,9 +1,9 @@ {path}\n-{old}\n+{new}\n"
    step = Step("", "str_replace_editor", arguments, f"{path} {old} {new}", patch)
    steps = view_steps((step,), first=1, shown_in_all=1, evidence=Evidence())
    seen = read(steps_html(steps, address="/review/1/"))
    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES


def test_edit_shows_its_lines_with_signs_and_keeps_the_call_as_recorded():
    arguments = {"command": "str_replace", "path": "/a<b", "old_str": "x < 1", "new_str": "x > 1"}
    step = Step("", "str_replace_editor", arguments, "call as recorded", "OK")
    steps = view_steps((step,), first=1, shown_in_all=1, evidence=Evidence())
    markup = steps_html(steps, address="/review/1/")
    assert "<del>- x &lt; 1\n</del><ins>+ x &gt; 1\n</ins>" in markup
    assert "<b>str_replace</b> <code>/a&lt;b</code>" in markup
    assert '<details class="recorded"><summary>as the model sees it</summary>' in markup
    assert "call as recorded" in markup


def test_call_in_which_a_finding_is_marked_is_open():
    arguments = {"command": "create", "path": "/a", "file_text": "the key"}
    step = Step("", "str_replace_editor", arguments, "create 'the key'", "OK")
    steps = view_steps((step,), first=1, shown_in_all=1, evidence=Evidence({5: "the key"}))
    markup = steps_html(steps, address="/review/1/")
    assert '<details class="recorded" open>' in markup
    assert 'id="mark-5"' in markup


def test_lines_of_a_patch_are_marked_in_the_head_and_in_the_tail():
    patch = "@@ -1,999 +1,999 @@\n" + "-old line\n" * 999 + "+new line\n" * 999
    steps = view_steps(
        (Step("", "bash", {}, "git diff", patch),), first=1, shown_in_all=1, evidence=Evidence()
    )
    head, _fold, tail = steps_html(steps, address="/review/1/").partition('<p class="fold"')
    assert '<del class="patch removed">-old line\n' in head
    assert "<ins" not in head
    assert '<ins class="patch added">+new line\n' in tail
    assert "<del" not in tail


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
