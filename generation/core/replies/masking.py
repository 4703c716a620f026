"""Secrets taken out of a text before it leaves the house."""

import re
from dataclasses import dataclass, field
from functools import partial

_PRIVATE_KEY = r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
_NAMED = (
    r"(?P<before>(?i:api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|access[_-]?token"
    r"|auth[_-]?token|client[_-]?secret|passw(?:or)?d|token)"
    r"[\"']{0,1}\s{0,4}(?:=|:)\s{0,4}[\"']{0,1})"
    r"(?P<secret>[A-Za-z0-9+/_.~$!@%^&*-]{8,512}={0,2})"
)
_PATTERNS = (
    ("private_key", re.compile(_PRIVATE_KEY)),
    (
        "key",
        re.compile(
            r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{16,256}|gh[pousr]_[A-Za-z0-9]{20,255}"
            r"|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{16,128}"
            r"|xox[abeoprs]-[A-Za-z0-9-]{10,255}|hf_[A-Za-z0-9]{20,128}"
            r"|A(?:KIA|SIA)[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,64}|pypi-[A-Za-z0-9_-]{16,512}"
            r"|npm_[A-Za-z0-9]{30,64}|[rs]k_live_[A-Za-z0-9]{16,255}"
            r"|eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,1024})"
        ),
    ),
    (
        "authorization",
        re.compile(
            r"(?P<before>(?i:authorization)[\"']{0,1}\s{0,4}[:=]\s{0,4}[\"']{0,1}(?i:bearer|basic)\s{1,4})"
            r"(?P<secret>[A-Za-z0-9+/_.~=-]{8,2048})"
        ),
    ),
    (
        "password",
        re.compile(
            r"(?P<before>[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,128}:)(?P<secret>[^\s/:@]{3,256})(?=@)"
        ),
    ),
    ("secret", re.compile(_NAMED)),
)
_CODE = re.compile(r"[A-Za-z_.]+|\$.*")
MASK = re.compile(r"\[masked [a-z_]+ \d+\]")


@dataclass(slots=True)
class Masker:
    """Masks secrets in several texts of one request; equal ones get equal masks."""

    masks: dict[str, str] = field(default_factory=dict)

    def mask(self, text: str) -> str:
        """Return ``text`` with keys, tokens, passwords and private keys masked.

        A value that is plain words (``token = next_token``) or a variable is code and stays.
        """
        for kind, pattern in _PATTERNS:
            text = pattern.sub(partial(self._masked, kind), text)
        return text

    def _masked(self, kind: str, match: re.Match[str]) -> str:
        named = match.groupdict()
        secret = named.get("secret") or match.group()
        if kind == "secret" and _CODE.fullmatch(secret):
            return match.group()
        mask = self.masks.setdefault(secret, f"[masked {kind} {len(self.masks) + 1}]")
        return (named.get("before") or "") + mask
