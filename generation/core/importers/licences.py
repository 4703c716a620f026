"""Names the licence of a folder by the text of its licence file."""

import re
from pathlib import Path

UNKNOWN = "unknown"
_NAMES = re.compile(r"(?:LICEN[CS]E|COPYING)(?:[.-].*)?", re.IGNORECASE)
_LARGEST = 200_000
# Of those that fit in one place the first is taken, so the narrower stand before the wider.
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("Apache-2.0", r"Apache License\s+Version 2\.0"),
    ("AGPL-3.0", r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-3.0", r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-2.1", r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1"),
    ("GPL-3.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("MPL-2.0", r"Mozilla Public License,?\s+(?:Version|v\.?) ?2\.0"),
    ("CC-BY-NC-SA-4.0", r"Attribution-NonCommercial-ShareAlike 4\.0"),
    ("CC-BY-NC-4.0", r"Attribution-NonCommercial 4\.0"),
    ("CC-BY-SA-4.0", r"Attribution-ShareAlike 4\.0"),
    ("CC-BY-4.0", r"Attribution 4\.0 International"),
    ("CC0-1.0", r"CC0 1\.0 Universal"),
    ("Unlicense", r"This is free and unencumbered software released into the public domain"),
    ("BSL-1.0", r"Boost Software License - Version 1\.0"),
    ("ISC", r"Permission to use, copy, modify,? and/?(?:or)? distribute this software for any"),
    ("BSD-3-Clause", r"Redistribution and use in source and binary forms.*endorse or promote"),
    ("BSD-2-Clause", r"Redistribution and use in source and binary forms"),
    ("MIT", r"Permission is hereby granted, free of charge, to any person obtaining a copy"),
)
_MARKS = [(name, re.compile(mark, re.IGNORECASE | re.DOTALL)) for name, mark in _PATTERNS]


def licence_of(folder: Path) -> str:
    """Return the SPDX identifier of a folder's licence; ``unknown`` where no file tells one."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if _NAMES.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                named = licence_named_by(file.read(_LARGEST).decode(errors="replace"))
            if named != UNKNOWN:
                return named
    return UNKNOWN


def licence_named_by(text: str) -> str:
    """Return the SPDX identifier of a licence's text; ``unknown`` where it is none of the usual.

    Where a text holds several, as those of adopted parts, the one that stands first is the name.
    """
    folded = " ".join(text.split())
    found = [(mark.search(folded), name) for name, mark in _MARKS]
    places = [(match.start(), name) for match, name in found if match is not None]
    return min(places, key=lambda place: place[0])[1] if places else UNKNOWN
