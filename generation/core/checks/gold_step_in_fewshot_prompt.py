"""A gold step that stands in a worked example of the prompt can be copied from there."""

from collections.abc import Iterator

from generation.core.checks.answers import gold_commands, gold_texts, has_options
from generation.core.checks.fewshot import shown_in_examples
from generation.core.items import Finding, Item, Severity

KIND = "gold_step_in_fewshot_prompt"

# What everyone types, as ``pip install -r requirements.txt``, is shorter than this.
_SHORTEST = 40


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each gold option or command that the examples show, whole.

    Answers are no steps.
    """
    golds = gold_texts(item) if has_options(item) else gold_commands(item)
    for text in golds:
        if shown_in_examples(item, text, shortest=_SHORTEST):
            evidence = f"an example of the prompt shows it: {text.strip()[:200]}"
            yield Finding(KIND, Severity.BLOCKS_RELEASE, "gold", evidence)
