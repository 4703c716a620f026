"""Turns the Markdown of leads into HTML that can do no harm, with a table of its headings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

LONGEST = 100_000
_ANCHOR = "g-"
_NOT_IN_ANCHORS = re.compile(r"[^\w]+")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the text: ``level`` 1 to 6, the id of its element, its words."""

    level: int
    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as HTML, and its headings in order."""

    html: str
    headings: tuple[Heading, ...]


def render_markdown(text: str) -> Rendered:
    """Return CommonMark (with tables) as HTML.

    HTML in the text is shown as text, images are not loaded, links lead to http, https or within
    this site only and tell the other page nothing. Ids of headings begin with ``g-``, so that
    they meet no id of the page around.

    Raises:
        ValueError: the text has more than 100,000 characters.
    """
    if len(text) > LONGEST:
        msg = f"the text has {len(text)} characters, more than {LONGEST}"
        raise ValueError(msg)
    parser = _Parser("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("link_open", _link_open)
    tokens = parser.parse(text)
    headings = tuple(_headings(tokens))
    for token in tokens:
        # An alignment comes as a style, which no page here may carry.
        style = token.attrs.pop("style", None)
        if style:
            token.attrs["class"] = str(style).replace("text-align:", "align-")
    return Rendered(parser.renderer.render(tokens, parser.options, {}), headings)


def is_safe_link(address: str) -> bool:
    """Return whether a link may lead there: http, https, or a path or anchor of this site."""
    # Browsers drop control characters within an address and read a backslash as a slash.
    plain = "".join(sign for sign in address if sign > " ").replace("\\", "/")
    if plain.lower().startswith(("http://", "https://")):
        return True
    return not plain.startswith("//") and not _SCHEME.match(plain)


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        return is_safe_link(url)


def _link_open(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    tokens[index].attrs["rel"] = "noopener noreferrer"
    return renderer.renderToken(tokens, index, options, env)


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Yield the headings, giving each element an id that occurs once."""
    used: set[str] = set()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        title = "".join(
            " " if part.type in {"softbreak", "hardbreak"} else part.content
            for part in inline.children or []
        )
        anchor = base = _ANCHOR + (_NOT_IN_ANCHORS.sub("-", title.lower()).strip("-") or "part")
        number = 2
        while anchor in used:
            anchor, number = f"{base}-{number}", number + 1
        used.add(anchor)
        opening.attrs["id"] = anchor
        yield Heading(int(opening.tag[1]), anchor, title)
