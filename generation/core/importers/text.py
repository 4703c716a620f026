"""Texts that name the task behind a record."""

import hashlib
import re
import unicodedata

from generation.core.records import Language

_LONGEST_KEY = 120
_LATIN_WORD = re.compile("[A-Za-z]{2,}")
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


def language_of(text: str) -> Language:
    """Return Chinese where a text has more Chinese characters than half its Latin words."""
    is_chinese = 2 * len(_CJK.findall(text)) > len(_LATIN_WORD.findall(text))
    return Language.ZH if is_chinese else Language.EN


def holds_chinese(text: str) -> bool:
    """Say whether ``text`` holds a Chinese character."""
    return _CJK.search(text) is not None
