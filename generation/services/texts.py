"""Stores long texts once, in a form that both databases take."""

import hashlib
from collections.abc import Iterable

from generation.core.chunks import chunks
from generation.models import Text

_NUL_MARK = "␀"
_CHUNK = 500


def storable(text: str) -> str:
    """Return ``text`` with NUL shown as U+2400, since PostgreSQL takes no NUL."""
    return text.replace("\x00", _NUL_MARK)


def text_digest(text: str) -> str:
    """Return the sha256 of the original text's UTF-8, before ``storable`` touched it."""
    return hashlib.sha256(text.encode()).hexdigest()


def store_texts(texts: Iterable[str]) -> dict[str, Text]:
    """Store those texts that are new and return the rows of all, by original text."""
    digests = {text: text_digest(text) for text in texts}
    Text.objects.bulk_create(
        (Text(digest=digest, body=storable(text)) for text, digest in digests.items()),
        ignore_conflicts=True,
        batch_size=_CHUNK,
    )
    rows: dict[str, Text] = {}
    wanted = list(digests.values())
    for some in chunks(wanted, _CHUNK):
        for row in Text.objects.filter(digest__in=some):
            rows[row.digest] = row
    return {text: rows[digest] for text, digest in digests.items()}
