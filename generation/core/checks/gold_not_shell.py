"""A gold command that bash's grammar does not accept."""

from collections.abc import Iterator

from generation.core.checks.answers import gold_commands
from generation.core.items import Finding, Item, Severity
from generation.core.shell import shell_error

KIND = "gold_not_shell"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each gold command with a syntax error, and say where it is."""
    for command in gold_commands(item):
        error = shell_error(command)
        if error:
            evidence = f"{command[:200]}: {error}"
            yield Finding(KIND, Severity.BLOCKS_RELEASE, "gold", evidence)
