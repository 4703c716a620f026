"""A question that is itself a worked example of its prompt has its answer shown there."""

from collections.abc import Iterator

from generation.core.checks.fewshot import shown_in_examples
from generation.core.items import Finding, Item, Severity

KIND = "query_in_fewshot_prompt"

# The slots that tell one task from another; titles do not, since many issues share them.
_QUERIES = (
    "task",
    "query",
    "question",
    "repo_info",
    "execution_plan",
    "issue_body",
    "issue_statement",
    "problem_statement",
    "article",
)
_SHORTEST = 16


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each text of the question that the examples show, whole."""
    for name in _QUERIES:
        text = item.slots.get(name, "")
        if shown_in_examples(item, text, shortest=_SHORTEST):
            evidence = f"an example of the prompt has this {name}: {text.strip()[:200]}"
            yield Finding(KIND, Severity.BLOCKS_RELEASE, "prompt", evidence)
