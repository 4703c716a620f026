"""A distractor that makes gold's call in other words is right, too."""

from collections.abc import Iterator

from generation.core.checks.answers import distractors, gold_texts
from generation.core.checks.calls import read_call
from generation.core.items import Finding, Item, Severity

KIND = "distractor_same_action_as_gold"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each wrong option whose call has gold's tool and arguments."""
    calls = (read_call(text) for text in gold_texts(item))
    gold = {call.normalised for call in calls if call}
    if not gold:
        return
    for index, text in distractors(item):
        call = read_call(text)
        if call and call.normalised in gold:
            yield Finding(KIND, Severity.BLOCKS_RELEASE, f"option:{index}", text[:300])
