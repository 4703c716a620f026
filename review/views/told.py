"""What services and pure code say to people in English, in the language of the page.

They know nothing of languages: they give whole sentences, this is where these are looked up.
``SENTENCES`` and ``PATTERNS`` name each for the catalogue; a test holds that none is missing.
"""

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop, pgettext

from review.views.known_words import VALUES
from review.views.told_sentences import SENTENCES

# With values in them; those that are sentences or phrases of the list are looked up, too.
PATTERNS = (
    gettext_noop("A review can be undone for %(minutes)s minutes; they are over."),
    gettext_noop("Say why in at least %(characters)s characters."),
    gettext_noop("The round needs %(wanted)s qualification items; there are %(there)s."),
    gettext_noop("There is no subtask %(names)s."),
    # why an option is there
    gettext_noop("What the run did at step %(step)s; the run was successful."),
    gettext_noop("Step %(other)s of this run, asked at step %(asked)s: %(why)s."),
    gettext_noop("Another run's %(tool)s: at step %(step)s of this run the work goes on."),
    gettext_noop("A step of another task, about %(topic)s, which is not asked here."),
    gettext_noop(
        "A patch by %(model)s for the same issue; its report says that it does not resolve it."
    ),
    gettext_noop("A step of other work: it names %(name)s, which this run has nothing to do with."),
    gettext_noop("A step of another run that %(does)s; at this point this run %(asked)s."),
    gettext_noop("it names %(name)s, not seen yet"),
    gettext_noop("calls %(tool)s"),
    gettext_noop("The plan lacks %(step)s and has %(other)s, which belongs to another plan."),
    gettext_noop("The plan lacks %(step)s."),
    gettext_noop("The plan has %(step)s, which belongs to another plan."),
    gettext_noop("%(step)s belongs to another task."),
    gettext_noop("%(step)s comes before what it needs: %(why)s."),
    gettext_noop("%(step)s undoes what the step before it did."),
    gettext_noop("Lacks %(step)s, which %(later)s needs: %(why)s."),
    gettext_noop("Asks for version %(new)s where %(old)s is right."),
    gettext_noop("Asks after %(new)s instead of %(old)s."),
    gettext_noop("Visits %(url)s, which does not tell what is needed."),
    gettext_noop("Step %(step)s has done this already."),
    gettext_noop("Lines %(first)s to %(last)s of the file; the fix leaves them alone."),
    gettext_noop("%(n)s numbers are false, such as %(some)s."),
    gettext_noop("%(n)s pairs of sentences stand in one another's paragraphs."),
    gettext_noop("Instead of %(sections)s it treats what was not asked."),
    gettext_noop("It says %(new)s where the report had %(old)s."),
    gettext_noop("%(first)s Besides: %(second)s"),
    # what is said beside the numbers of agreement
    gettext_noop("alpha and kappa undefined: %(why)s (%(label)s)"),
    gettext_noop("too few to conclude: %(items)s, %(needed)s are needed"),
    gettext_noop("too few to conclude: %(width)s, more than %(most)s"),
    gettext_noop("the 95 %% interval of alpha is %(width)s wide"),
    gettext_noop("prevalence: %(what)s"),
    gettext_noop("%(share)s %% of labels are %(label)s"),
    gettext_noop("AC1 %(ac1)s and nominal alpha %(alpha)s are far apart"),
    gettext_noop("two independent raters with these shares of labels would reach AC1 %(ac1)s"),
    gettext_noop("%(who)s always says %(label)s (%(items)s)"),
    gettext_noop("%(n)s item with 2 or more labels"),
    gettext_noop("%(n)s items with 2 or more labels"),
    gettext_noop("%(n)s item labelled"),
    gettext_noop("%(n)s items labelled"),
)
_LONGEST = 2_000
_VALUE = re.compile(r"%\((\w+)\)s")


def told(text: str) -> str:
    """Return a sentence in the language of the page; one that is not known comes as it is."""
    if text in SENTENCES:
        return gettext(text)
    if text in VALUES:
        return str(VALUES[text])
    if len(text) > _LONGEST:
        return text
    for pattern, finder in _finders():
        if found := finder.fullmatch(text):
            return gettext(pattern) % {
                name: told(value) for name, value in found.groupdict().items()
            }
    return text


def is_told(text: str) -> bool:
    """Return whether the sentence is known, so that it comes in the language of the page."""
    is_short = len(text) <= _LONGEST
    return text in SENTENCES or (
        is_short and any(finder.fullmatch(text) for _pattern, finder in _finders())
    )


def told_all(text: str) -> str:
    """Return several sentences, apart by semicolons, each in the language of the page."""
    return pgettext("between sentences", "; ").join(map(told, text.split("; ")))


@cache
def _finders() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((pattern, _finder(pattern)) for pattern in PATTERNS)


def _finder(pattern: str) -> re.Pattern[str]:
    """Return what finds the sentence and its values; a later value takes as little as it can."""
    words = _VALUE.split(pattern.replace("%%", "%"))
    parts = [
        f"(?P<{word}>.+?)" if index % 2 else re.escape(word) for index, word in enumerate(words)
    ]
    return re.compile("".join(parts), re.DOTALL)
