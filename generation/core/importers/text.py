"""Texts that name the task behind a record."""

import hashlib
import re
import unicodedata

_LONGEST_KEY = 120
_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


def cluster_key(text: str) -> str:
    """Return a short name for the task that ``text`` states; equal up to case, width and blanks.

    A text over 120 characters is named by its first 80 and 12 hexadecimal digits of the SHA-256
    of the whole.
    """
    key = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if len(key) <= _LONGEST_KEY:
        return key
    return f"{key[:80]}…{hashlib.sha256(key.encode()).hexdigest()[:12]}"


def holds_chinese(text: str) -> bool:
    """Say whether ``text`` holds a Chinese character."""
    return _CJK.search(text) is not None
