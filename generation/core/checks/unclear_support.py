"""A right statement whose words the cited page does not all have: a person reads the page."""

from collections.abc import Iterator

from generation.core.checks.answers import gold_indexes
from generation.core.items import Finding, Item, Severity
from generation.core.page_support import PageWords, Support
from generation.core.subtask import AnswerFormat

KIND = "unclear_support"


def check(item: Item) -> Iterator[Finding]:
    """Yield a finding for each right statement on a page that a rule does not see borne out."""
    page = item.slots.get("page", "")
    if item.subtask.answer_format is not AnswerFormat.CHOICES or not page:
        return
    words = PageWords(page)
    for place in sorted(gold_indexes(item)):
        if words.support(item.options[place]) is not Support.CONFIRMED:
            share = words.share(item.options[place])
            evidence = f"the page has {share:.0%} of its words, or lacks a number or name of it"
            yield Finding(KIND, Severity.NEEDS_PERSON, f"option:{place}", evidence)
