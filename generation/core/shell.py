"""Whether a text is a shell command: bash's grammar, and quotes and brackets that match."""

import re
from collections.abc import Iterator
from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser, Tree

LONGEST_COMMAND = 32_768
"""Characters; a longer text is not parsed and counts as no command."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")

_CLOSER_OF = {"(": ")", "[": "]", "{": "}"}
_OPENERS = frozenset(_CLOSER_OF)
_CLOSERS = frozenset(_CLOSER_OF.values())

# Inside these, quotes and brackets are data and need no partner.
_DATA_NODES = frozenset(
    {"comment", "heredoc_body", "raw_string", "ansi_c_string", "string_content", "regex"}
)


def shell_error(command: str) -> str | None:
    """Return where bash's grammar fails on ``command`` and on what; None when it parses.

    Lines and columns are counted from 1, columns in characters. An empty command, one that
    holds a NUL character and one over ``LONGEST_COMMAND`` characters are errors, too.
    """
    if not command.strip():
        return "there is no command"
    if "\0" in command:
        return f"NUL character at offset {command.index(chr(0))}"
    if len(command) > LONGEST_COMMAND:
        return f"{len(command)} characters: over {LONGEST_COMMAND} nothing is parsed as a command"
    source = _for_the_grammar(command)
    root = _parse(source).root_node
    return _describe(command, source, _first_error(root)) if root.has_error else None


def heredoc_and_comment_spans(command: str) -> tuple[tuple[int, int], ...]:
    """Return the character spans of here-document bodies and comments, in order.

    Empty where the command does not parse (``shell_error``): its parts are then unknown.
    """
    if shell_error(command) is not None:
        return ()
    source = _for_the_grammar(command)
    wanted = frozenset({"comment", "heredoc_body"})
    return tuple(_span(source, node) for node in _outermost(_parse(source).root_node, wanted))


def simple_commands(command: str) -> tuple[tuple[str, ...], ...]:
    """Return the commands that a text calls in order, each as its words, quotes undone.

    Those inside another one's ``$(...)`` and assignments before a command are left out. Empty
    where the text does not parse (``shell_error``).
    """
    if shell_error(command) is not None:
        return ()
    source = _for_the_grammar(command)
    return tuple(
        tuple(_words(command, source, node))
        for node in _outermost(_parse(source).root_node, frozenset({"command"}))
    )


def unbalanced(command: str) -> str | None:
    """Return the first quote or bracket without a partner as a sentence; None when all match.

    Brackets count only outside quotes. Where the command parses, comments, here-documents,
    patterns and the ``)`` of a ``case`` branch are no brackets; where it does not, the text is
    read character by character.
    """
    if shell_error(command) is None:
        return _unmatched(_without_data(command))
    return _unmatched(command)


@cache
def _language() -> Language:
    return Language(tree_sitter_bash.language())


def _for_the_grammar(command: str) -> bytes:
    """Return the text as bytes to parse: every character beyond ASCII is the same letter.

    The grammar's scanner hands characters to C functions that take one byte (``isdigit``): one
    of a high plane after a brace ends the process. To bash, all of them are parts of words.
    """
    return _BEYOND_ASCII.sub("é", command).encode()


def _span(source: bytes, node: Node) -> tuple[int, int]:
    """Return where the node stands, in characters."""
    return len(source[: node.start_byte].decode()), len(source[: node.end_byte].decode())


def _words(command: str, source: bytes, node: Node) -> Iterator[str]:
    parts = [*node.children_by_field_name("name"), *node.children_by_field_name("argument")]
    for part in parts:
        start, end = _span(source, part)
        word = command[start:end]
        quoted = len(word) > 1 and word[0] == word[-1] and word[0] in "'\""
        yield word[1:-1] if quoted else word


def _parse(source: bytes) -> Tree:
    # A parser holds state and may not be shared by threads; making one takes microseconds.
    return Parser(_language()).parse(source)


def _first_error(root: Node) -> Node:
    """Return the first node in text order that is an error or that the parser made up."""
    node = root
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error), None)
        if inner is None:
            return node
        node = inner
    return node


def _describe(command: str, source: bytes, node: Node) -> str:
    start, end = _span(source, node)
    line = command.count("\n", 0, start) + 1
    column = start - command.rfind("\n", 0, start)
    if node.is_missing:
        return f"line {line}, column {column}: {node.type} is missing"
    text = command[start:end]
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    return f"line {line}, column {column}: cannot read {shown!r}"


def _outermost(root: Node, types: frozenset[str]) -> Iterator[Node]:
    """Yield the outermost nodes of these types in text order, without recursion."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in types:
            yield node
        else:
            waiting.extend(reversed(node.children))


def _without_data(command: str) -> str:
    """Return the command with everything that is data, and the ``)`` of case branches, blanked."""
    source = _for_the_grammar(command)
    kept = bytearray(source)
    root = _parse(source).root_node
    for node in _outermost(root, _DATA_NODES):
        kept[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    for item in _outermost(root, frozenset({"case_item"})):
        for mark in item.children:
            if mark.type in {"(", ")"}:
                kept[mark.start_byte : mark.end_byte] = b" "
    return kept.decode()


def _unmatched(text: str) -> str | None:
    open_brackets: list[str] = []
    quote = ""
    escaped = False
    for character in text:
        if escaped:
            escaped = False
        elif quote == "'":
            quote = "" if character == "'" else quote
        elif character == "\\":
            escaped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in _OPENERS:
            open_brackets.append(character)
        elif character in _CLOSERS and (
            not open_brackets or _CLOSER_OF[open_brackets.pop()] != character
        ):
            return f"{character} closes nothing"
    if quote:
        return f"the quote {quote} is never closed"
    if open_brackets:
        return f"{open_brackets[-1]} is never closed"
    return None
