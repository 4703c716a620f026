"""What services and pure code say to people in English, in the language of the page.

They know nothing of languages: they give whole sentences, this is where these are looked up.
``SENTENCES`` and ``PATTERNS`` name each for the catalogue; a test holds that none is missing.
"""

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

from review.views.told_sentences import SENTENCES

# With values in them; those that are sentences or phrases of the list are looked up, too.
PATTERNS = (
    gettext_noop("A review can be undone for %(minutes)s minutes; they are over."),
    gettext_noop("Say why in at least %(characters)s characters."),
    gettext_noop("The round needs %(wanted)s qualification items; there are %(there)s."),
    gettext_noop("There is no subtask %(names)s."),
    gettext_noop("What the run did at step %(step)s; the run was successful."),
    gettext_noop("Step %(other)s of this run, asked at step %(asked)s: %(why)s."),
    gettext_noop("Another run's %(tool)s: at step %(step)s of this run the work goes on."),
    gettext_noop("A step of another task, about %(topic)s, which is not asked here."),
    gettext_noop("A step of other work: it names %(name)s, which this run has nothing to do with."),
    gettext_noop("A step of another run that %(does)s; at this point this run %(asked)s."),
    gettext_noop("The plan %(what)s."),
    gettext_noop("it names %(name)s, not seen yet"),
    gettext_noop("calls %(tool)s"),
    gettext_noop("%(first)s and %(second)s"),
    gettext_noop("lacks %(step)s"),
    gettext_noop("has %(step)s, which belongs to another plan"),
)
_VALUE = re.compile(r"%\((\w+)\)s")


def told(text: str) -> str:
    """Return a sentence in the language of the page; one that is not known comes as it is."""
    if text in SENTENCES:
        return gettext(text)
    for pattern, finder in _finders():
        if found := finder.fullmatch(text):
            return gettext(pattern) % {
                name: told(value) for name, value in found.groupdict().items()
            }
    return text


def is_told(text: str) -> bool:
    """Return whether the sentence is known, so that it comes in the language of the page."""
    return text in SENTENCES or any(finder.fullmatch(text) for _pattern, finder in _finders())


@cache
def _finders() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((pattern, _finder(pattern)) for pattern in PATTERNS)


def _finder(pattern: str) -> re.Pattern[str]:
    """Return what finds the sentence and its values; a later value takes as little as it can."""
    words = _VALUE.split(pattern)
    parts = [
        f"(?P<{word}>.+?)" if index % 2 else re.escape(word) for index, word in enumerate(words)
    ]
    return re.compile("".join(parts), re.DOTALL)
