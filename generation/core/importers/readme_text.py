"""A README's text taken apart: blocks, commands in their places, and what may be commands besides."""

from collections.abc import Iterator, Sequence

from generation.core.importers.readme_commands import Command, Unsure, commands_of, inline_commands
from generation.core.importers.readme_structure import PlacedCommand, place
from generation.core.markdown_blocks import Block, BlockKind, read_blocks


class Readme:
    """A README taken apart: its blocks, its placed commands, what may be commands besides."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.blocks = read_blocks(self.text)
        self.unsure: list[Unsure] = []
        found: list[tuple[int, Command]] = []
        spans: list[tuple[int, Command]] = []
        for index, block in enumerate(self.blocks):
            for each in commands_of(block):
                if isinstance(each, Unsure):
                    self.unsure.append(each)
                else:
                    found.append((index, each))
            spans += [(index, command) for command in inline_commands(block)]
        found += _instructions(spans, [command.text for _index, command in found])
        found.sort(key=lambda pair: (pair[1].line, pair[1].last_line))
        self.placed: Sequence[PlacedCommand] = place(self.blocks, found)

    @property
    def commands(self) -> list[str]:
        """The texts of the commands in order, code spans left out."""
        return [each.command.text for each in self.placed if each.command.origin != "inline"]

    @property
    def fences(self) -> list[Block]:
        """The fenced blocks, whatever they hold."""
        return [block for block in self.blocks if block.kind is BlockKind.FENCE]

    def why_no_command(self) -> str:
        """Return why a README without a command gives none, by what its fences hold."""
        infos = sorted({block.info or "without a tag" for block in self.fences})
        if not infos:
            return "no command: no fence, and no command in indented code or code spans"
        count = len(self.fences)
        return f"no command in {count} fence{'s' * (count > 1)} ({', '.join(infos)})"


def _instructions(
    spans: Sequence[tuple[int, Command]], others: Sequence[str]
) -> Iterator[tuple[int, Command]]:
    """Yield the code spans that are said once: those that repeat or begin another only name it."""
    known = [" ".join(text.split()) for text in others]
    texts = [" ".join(command.text.split()) for _index, command in spans]
    for number, (index, command) in enumerate(spans):
        rest = [*known, *texts[:number], *texts[number + 1 :]]
        text = texts[number]
        is_named = any(other.startswith(f"{text} ") for other in rest)
        if not is_named and text not in known and text not in texts[:number]:
            yield index, command
