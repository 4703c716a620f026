"""Where the prompt already shows the asked action as done, copying it is enough."""

from collections.abc import Iterator

from generation.core.checks.answers import gold_commands, gold_texts, has_options
from generation.core.checks.calls import read_call
from generation.core.checks.normalisation import blanks_folded
from generation.core.items import Finding, Item, Severity

KIND = "target_already_executed"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each gold action among the shown ones, with the first such step.

    Commands are compared after folding blanks, calls by tool and arguments; answers are no
    actions.
    """
    golds = gold_texts(item) if has_options(item) else gold_commands(item)
    if not golds or not item.shown_actions:
        return
    first_shown: dict[str, int] = {}
    for position, shown in enumerate(item.shown_actions, start=1):
        first_shown.setdefault(_comparable(shown), position)
    for gold in golds:
        number = first_shown.get(_comparable(gold))
        if number is not None:
            evidence = f"already done as action {number}: {gold[:200]}"
            yield Finding(KIND, Severity.NEEDS_PERSON, "gold", evidence)


def _comparable(action: str) -> str:
    call = read_call(action)
    return call.normalised if call else blanks_folded(action)
