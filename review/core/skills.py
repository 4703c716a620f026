"""Which items a person can judge, by the language and the kind of work of their subtask."""

from collections.abc import Collection, Iterable

from generation.core.subtask import Subtask


def judgeable(
    subtasks: Iterable[Subtask], *, languages: Collection[str], scenarios: Collection[str]
) -> frozenset[str]:
    """Return the names of the subtasks that a person with these skills can judge.

    An empty collection of languages, or of scenarios, stands for all of them.
    """
    return frozenset(
        subtask.name
        for subtask in subtasks
        if (not languages or subtask.language in languages)
        and (not scenarios or subtask.scenario in scenarios)
    )
