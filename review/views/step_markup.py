"""The HTML of the steps, written in Python: a page may hold a thousand of them.

The template engine looks a variable up in some 3 µs and a step has forty, which made half of the
page's time. Every value passes ``escape``; only this module's own markup is not escaped.

``language`` is that of the texts, as ``lang`` says it to browsers and screen readers where it is
given; the interface's own words between them then say theirs.
"""

from collections.abc import Iterable, Sequence
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from review.core.edits import Block, Change, Edit
from review.core.marks import Run, Segment
from review.core.source_view import SectionView, StepView, TextView

_ELEMENTS = {Change.REMOVED: "del", Change.ADDED: "ins", Change.KEPT: "span"}
_ELEMENTS_OF_PATCHES = {"removed": "del", "added": "ins"}


def outline_html(rows: Iterable[StepView], *, language: str = "") -> SafeString:
    """Return the outline's lines for steps: number, tool, one line, size."""
    lang = _lang(language)
    return mark_safe("".join(_outline_row(step, lang) for step in rows))  # noqa: S308


def _lang(language: str | None) -> str:
    return f' lang="{escape(language)}"' if language else ""


def _outline_row(step: StepView, lang: str) -> str:
    tool = f"<i>{escape(step.tool)}</i> " if step.tool else ""
    return (
        f'<li><a href="#step-{step.number}"><b>{step.number}</b> '
        f"<span{lang}>{tool}{escape(step.line)}</span> <small>{step.size}</small></a></li>\n"
    )


def section_rows_html(sections: Sequence[SectionView], *, language: str = "") -> SafeString:
    """Return the outline's lines for sections: title, and below it the chapters of a long one."""
    long = {section.title for section in sections if not section.is_first}
    lang = _lang(language)
    rows = (_section_row(section, section.title in long, lang) for section in sections)
    return mark_safe("".join(rows))  # noqa: S308  every value is escaped below


def _section_row(section: SectionView, is_long: bool, lang: str) -> str:
    target = f'<a href="#section-{escape(section.name)}"'
    title = (
        f"<li>{target}><b>·</b> <span>{escape(section.title)}</span>"
        f" <small>{section.text.size}</small></a></li>\n"
    )
    if not is_long:
        return title
    heading = section.heading or section.title
    chapter = (
        f'<li>{target} class="chapter"><b></b> <span{lang}>{escape(heading)}</span>'
        f" <small>{section.text.size}</small></a></li>\n"
    )
    first = f"<li>{target}><b>·</b> <span>{escape(section.title)}</span> <small></small></a></li>\n"
    return first + chapter if section.is_first else chapter


def steps_html(steps: Iterable[StepView], *, address: str, language: str = "") -> SafeString:
    """Return the steps, each folding as a whole; ``address`` is the review page's."""
    words = _Words(language)
    return mark_safe("".join(_step(step, address, words) for step in steps))  # noqa: S308


def sections_html(
    sections: Iterable[SectionView], *, address: str, language: str = ""
) -> SafeString:
    """Return the sections in the form of steps; ``address`` is the review page's."""
    words = _Words(language)
    return mark_safe("".join(_section(section, address, words) for section in sections))  # noqa: S308


class _Words:
    """The interface's words, looked up once a page, and what says the language of texts."""

    def __init__(self, language: str) -> None:
        self.lang = _lang(language)
        self.page_lang = _lang(get_language()) if language else ""
        self.step = escape(gettext("step"))
        self.hidden = escape(gettext("hidden characters"))
        self.lines = escape(gettext("lines folded"))
        self.open = escape(gettext("open"))
        self.raw = escape(gettext("raw"))
        self.recorded = escape(gettext("as the model sees it"))
        self.left_out = escape(gettext("more lines in the call as the model sees it"))


def _step(step: StepView, address: str, words: _Words) -> str:
    tool = f"<i{words.lang}>{escape(step.tool)}</i>" if step.tool else ""
    place = f"{address}step/{step.number}"
    texts = "".join(_text(text, place, f"?part={text.part}", words) for text in step.texts)
    return (
        f'<details class="step" id="step-{step.number}" open><summary>'
        f"<b>{words.step} {step.number}</b>{tool}<span{words.lang}>{escape(step.line)}</span>"
        f"{_warning(step.hidden, words)}<small>{step.size}</small></summary>{texts}</details>\n"
    )


def _section(section: SectionView, address: str, words: _Words) -> str:
    name = escape(section.name)
    text = _text(section.text, f"{address}section/{name}", "", words)
    kinds = "step section" + " prose" * section.is_prose + " chapter" * (not section.is_first)
    title = f"<b>{escape(section.title)}</b>" if section.is_first else ""
    heading = f"<i{words.lang}>{escape(section.heading)}</i>" if section.heading else ""
    return (
        f'<details class="{kinds}" id="section-{name}"{" open" * section.is_open}><summary>'
        f"{title}{heading}{_warning(section.text.hidden, words)}"
        f"<small>{section.text.size}</small></summary>{text}</details>\n"
    )


def _warning(hidden: int, words: _Words) -> str:
    return f'<em class="attention">{hidden} {words.hidden}</em>' if hidden else ""


def _text(text: TextView, place: str, query: str, words: _Words) -> str:
    recorded = _recorded(text, place, query, words)
    if text.edit:
        is_open = " open" if text.has_marks else ""
        recorded = (
            f"{_edit(text.edit, words)}"
            f'<details class="recorded"{is_open}>'
            f"<summary{words.page_lang}>{words.recorded}</summary>"
            f"{recorded}</details>"
        )
    code = " is-code-text" * text.has_code
    part = escape(text.part)
    return f'<div class="text {part}{code}" data-part="{part}"{words.lang}>{recorded}</div>'


def _edit(edit: Edit, words: _Words) -> str:
    more = (
        f'<p class="note"{words.page_lang}>… {edit.left_out} {words.left_out}</p>'
        if edit.left_out
        else ""
    )
    return (
        f'<p class="edit-head"><b>{escape(edit.command)}</b> <code>{escape(edit.path)}</code></p>'
        f'<pre class="edit">{"".join(map(_block, edit.blocks))}</pre>{more}'
    )


def _block(block: Block) -> str:
    lines = escape("\n".join(f"{block.change.value} {line}" for line in block.lines))
    name = _ELEMENTS[block.change]
    return f"<{name}>{lines}\n</{name}>"


def _recorded(text: TextView, place: str, query: str, words: _Words) -> str:
    """Return a text as it was recorded, folded where it is long."""
    shown = _pre(segments_html(text.head))
    if not text.folded.is_folded:
        return shown
    piece = f"{place}/piece/1{query}"
    return (
        f'{shown}<p class="fold" data-piece="1"{words.page_lang}><span>… {text.folded.folded_lines} {words.lines}, '
        f"{text.folded_size}</span>"
        f'<a href="{piece}" hx-get="{piece}" hx-target="closest .fold" hx-swap="outerHTML">'
        f'{words.open}</a><a href="{place}/raw{query}" download>{words.raw}</a></p>'
        f"{_pre(segments_html(text.tail))}"
    )


def _pre(text: str) -> str:
    """Return text as it stands: a browser leaves out a line break that a box begins with."""
    return f"<pre>\n{text}</pre>" if text.startswith("\n") else f"<pre>{text}</pre>"


def segments_html(parts: Sequence[Segment], *, name: str = "") -> SafeString:
    """Return text with its marks, its syntax quiet; all of it escaped.

    The one mark has the id ``name`` where that is given, else marks have one by their key.
    """
    found = (
        _runs(part)
        if part.key is None
        else f'<mark id="{name or f"mark-{part.key}"}" tabindex="-1">{_runs(part)}</mark>'
        for part in parts
    )
    return mark_safe("".join(found))  # noqa: S308  every text is escaped below


def _runs(part: Segment) -> str:
    if not part.runs:
        return escape(part.text)
    return "".join(map(_run, part.runs))


def _run(run: Run) -> str:
    if run.kind:
        name = _ELEMENTS_OF_PATCHES.get(run.kind, "span")
        return f'<{name} class="patch {run.kind}">{escape(run.text)}</{name}>'
    if not run.is_quiet:
        return escape(run.text)
    name = "syntax starts-line" if run.starts_line else "syntax"
    return f'<span class="{name}">{escape(run.text)}</span>'
