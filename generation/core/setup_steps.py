"""The steps of a README's set-up, in words and as commands: what one command's question shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from generation.core.command_paths import command_paths
from generation.core.command_phrases import phrase_of
from generation.core.records import Document, Section


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A command on a way through a README; ``earlier`` are those typed before it, in order.

    ``number`` is its 1-based place among all commands of the README, ``plan`` the whole way in
    words, which holds no command; ``phrase`` its own part of the plan, None where no rule says
    what it does (the plan then names the README's part).
    """

    number: int
    command: str
    earlier: tuple[str, ...]
    later: tuple[str, ...]
    plan: str
    phrase: str | None


def setup_steps(document: Document) -> dict[int, SetupStep]:
    """Return the steps of a README by number, each on the first way that takes it.

    Commands named inside sentences are left out: a reader may never type them.
    """
    commands = document.of_kind("command")
    numbers = {id(command): number for number, command in enumerate(commands, start=1)}
    typed = [command for command in commands if command.facts.get("origin") != "inline"]
    found: dict[int, SetupStep] = {}
    for path in command_paths(typed):
        texts = [command.text.strip() for command in path]
        phrases = [phrase_of(text) for text in texts]
        plan = _plan(path, phrases)
        for place, command in enumerate(path):
            number = numbers[id(command)]
            step = SetupStep(
                number=number,
                command=texts[place],
                earlier=tuple(texts[:place]),
                later=tuple(texts[place + 1 :]),
                plan=plan,
                phrase=phrases[place],
            )
            found.setdefault(number, step)
    return dict(sorted(found.items()))


def _plan(path: Sequence[Section], phrases: Sequence[str | None]) -> str:
    said = [
        phrase or f"Do what comes next in the part “{_heading(command)}”"
        for command, phrase in zip(path, phrases, strict=True)
    ]
    return "\n".join(f"Step {number}: {text}." for number, text in enumerate(said, start=1))


def _heading(command: Section) -> str:
    return command.title.rpartition("›")[2].strip() or "Start"
