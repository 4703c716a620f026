"""Takes a row of shell commands that were joined by semicolons apart again."""

_LOOP_WORDS = ("do", "done", "then", "else", "elif", "fi", "esac")


def split_commands(joined: str) -> tuple[tuple[str, ...], bool]:
    """Return the commands between the semicolons outside quotes, and whether that is certain.

    It is not certain where a semicolon stands inside quotes, where a quote stays open, or where
    a piece is the inside of a loop or condition: the join did not say which semicolons it added.
    There the pieces between all semicolons follow, as far as they are others.
    """
    pieces: list[str] = []
    start = 0
    quote = ""
    quoted = escaped = False
    for position, character in enumerate(joined):
        if escaped:
            escaped = False
        elif character == "\\" and quote != "'":
            escaped = True
        elif quote:
            quoted = quoted or character == ";"
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == ";":
            pieces.append(joined[start:position])
            start = position + 1
    pieces.append(joined[start:])
    commands = _not_empty(pieces)
    inside = any(command.split(maxsplit=1)[0] in _LOOP_WORDS for command in commands)
    if not (quoted or quote or inside):
        return tuple(commands), True
    return tuple(dict.fromkeys([*commands, *_not_empty(joined.split(";"))])), False


def _not_empty(pieces: list[str]) -> list[str]:
    return [piece.strip() for piece in pieces if piece.strip()]
