"""How many tokens a text takes: by tiktoken's o200k_base where its file is there, else estimated.

The estimate is one token for four ASCII characters and one for one and a half others, rounded
up: near what o200k_base gives for English prose and code, and for Chinese. It says its name
(``characters``), so that a number can be told from a counted one. ``fewest_tokens`` is no
estimate but a bound: o200k_base never joins the pieces that its splitting rule makes.
"""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from unicodedata import category

BUCKETS = (
    ("<=4K", 4_096),
    ("4-16K", 16_384),
    ("16-32K", 32_768),
    ("32-128K", 131_072),
)
"""Context-length buckets: name and largest token count; longer than the last is ``>128K``."""

LONGEST_TOKEN = 128
"""Bytes of the longest token of o200k_base: a run of blanks."""


# The pieces of o200k_base, taken coarsely so that none is finer than its own: a word with the
# mark before it, up to three digits, a run of marks with its blank, a run of blanks.
_PIECE = re.compile(
    r"(?:[^\r\n\w]|_)?[^\W\d_]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\d{1,3}| ?(?:[^\w\s]|_)+[\r\n/]*|\s+"
)

# The splitting rule of o200k_base as published with tiktoken (MIT).
_O200K_PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


class TokenFileError(ValueError):
    """The token file is no rank file of tiktoken; the message names file and line."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts tokens; ``name`` says by what: ``"o200k_base"`` or ``"characters"``."""

    name: str
    count: Callable[[str], int]


def count_tokens(text: str, *, by: TokenCounter | None = None) -> int:
    """Return how many tokens ``text`` takes: as ``by`` counts, or estimated where it is None."""
    return by.count(text) if by else estimate_tokens(text)


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens: ASCII characters / 4 + others / 1.5, rounded up."""
    ascii_count = len(text.encode("ascii", "ignore"))
    others = len(text) - ascii_count
    # In twelfths of a token, to stay in whole numbers: 3 for an ASCII character, 8 for others.
    return -(-(3 * ascii_count + 8 * others) // 12)


def fewest_tokens(text: str) -> int:
    """Return a number of tokens that ``text`` takes at least under o200k_base."""
    if not text.isascii():
        text = "".join(map(_as_re_sees_it, text))
    return sum(-(-len(piece.encode()) // LONGEST_TOKEN) for piece in _PIECE.findall(text))


def token_counter(ranks_file: Path | None = None) -> TokenCounter:
    """Return the counter to use: tiktoken over ``ranks_file`` if both are there, else estimated.

    ``ranks_file`` is tiktoken's ``o200k_base.tiktoken``; nothing is ever fetched.

    Raises:
        TokenFileError: the file is there and is no rank file.
    """
    if ranks_file is None or not ranks_file.is_file() or find_spec("tiktoken") is None:
        return TokenCounter("characters", estimate_tokens)
    encoding = import_module("tiktoken").Encoding(
        "o200k_base",
        pat_str=_O200K_PATTERN,
        mergeable_ranks=_read_ranks(ranks_file),
        special_tokens={},
    )
    return TokenCounter("o200k_base", lambda text: len(encoding.encode_ordinary(text)))


def bucket_of(tokens: int) -> str:
    """Return the name of the context-length bucket that holds ``tokens``.

    Raises:
        ValueError: ``tokens`` is negative.
    """
    if tokens < 0:
        msg = f"{tokens} tokens: a count is never negative"
        raise ValueError(msg)
    return next((name for name, most in BUCKETS if tokens <= most), ">128K")


def _as_re_sees_it(character: str) -> str:
    """Return the character where ``re`` has its class, else what stands for it.

    A combining mark belongs to its letter's piece, and every number is a digit there.
    """
    match category(character)[0]:
        case "M":
            return ""
        case "N":
            return "0"
        case _:
            return character


def _read_ranks(path: Path) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                token, rank = line.split()
                ranks[base64.b64decode(token, validate=True)] = int(rank)
            except (ValueError, binascii.Error) as error:
                msg = f"{path}, line {number}: not a token and its rank"
                raise TokenFileError(msg) from error
    return ranks
