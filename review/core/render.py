"""Renders revisions as they stand in a release: items, worked examples, prompt heads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from generation.core.labels import index_of, label_of
from generation.core.official_prompts import OfficialPrompt
from generation.core.prompts import render_block, slot_names
from generation.core.subtask import AnswerFormat, Subtask
from generation.core.tokens import TokenCounter, bucket_of
from review.core.canonical import canonical_json, sha256_of


@dataclass(frozen=True, slots=True)
class SourceLine:
    """What a release says of an item's source."""

    kind: str
    id: str
    licence: str
    url: str
    cluster: str
    language: str


@dataclass(frozen=True, slots=True)
class Content:
    """A revision's content, free of any order of options and of any database.

    ``options`` are in their given order and ``gold`` their labels there (choice formats), or
    ``gold`` are the accepted texts (completion). ``is_imported`` rows keep official budgets;
    ``official_values`` fill the placeholders of the prompt that came with them.
    """

    subtask: Subtask
    slots: Mapping[str, str]
    options: tuple[str, ...]
    gold: tuple[str, ...]
    source: SourceLine
    is_imported: bool = False
    official_values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_completion(self) -> bool:
        """Whether the answer is written, not chosen."""
        return self.subtask.answer_format is AnswerFormat.COMPLETION

    @property
    def gold_texts(self) -> tuple[str, ...]:
        """The right answers as text.

        Raises:
            IndexError: a gold label has no option.
        """
        if self.is_completion:
            return self.gold
        return tuple(self.options[index_of(label)] for label in self.gold)


def content_id(content: Content) -> str:
    """Return the first 16 hex digits of the sha256 of the content, whatever the options' order."""
    shown = {name: content.slots[name] for name in sorted(_shown_slots(content))}
    canonical = canonical_json(
        {
            "subtask": content.subtask.name,
            "slots": shown,
            "options": sorted(content.options),
            "gold": sorted(content.gold_texts),
        }
    )
    return sha256_of(canonical)[:16]


def _shown_slots(content: Content) -> set[str]:
    return set(slot_names(content.subtask.prompt.block)) & set(content.slots)


def in_order(content: Content, order: Sequence[int]) -> Content:
    """Return the content with its options in another order and the gold labels that follow.

    ``order[i]`` is the present position of the option that comes to stand at position i.
    """
    if content.is_completion:
        return content
    new_place = {old: new for new, old in enumerate(order)}
    return replace(
        content,
        options=tuple(content.options[old] for old in order),
        gold=tuple(sorted(label_of(new_place[index_of(label)]) for label in content.gold)),
    )


def render_prompt(content: Content, official: OfficialPrompt | None = None) -> str:
    """Return the item's own part of the prompt, ending right before the answer.

    In the wording of ``official`` where there is one, the options then as its row wrote them.

    Raises:
        KeyError: the content lacks a value that ``official`` asks for.
    """
    if official:
        return official.fill(content.official_values)
    return render_block(content.subtask.prompt, content.slots, content.options)


def answer_text(content: Content) -> str:
    """Return the right answer as a worked example shows it: labels joined by commas, or text."""
    return content.gold[0] if content.is_completion else ",".join(content.gold)


def render_head(subtask: Subtask, shots: Sequence[Content]) -> str:
    """Return what every prompt of a subtask begins with: the instruction and worked examples."""
    examples = "".join(
        f"{render_prompt(shot)}{answer_text(shot)}{subtask.prompt.answer_end}\n\n" for shot in shots
    )
    return f"{subtask.prompt.instruction}\n\n{examples}"


def render_item(
    content: Content,
    *,
    item_id: str,
    head: str,
    canary: str,
    counter: TokenCounter,
    official: OfficialPrompt | None = None,
) -> dict[str, Any]:
    """Return an item as its line in ``items/<subtask>.jsonl``, keys in the format's order.

    ``content``'s options stand in the released order. Length is that of the whole prompt, the
    head included: what a model has to read. ``official`` is the prompt that came with an
    imported item, whose ``head`` is then given. ``sha256`` covers the canonical JSON of the rest.
    """
    subtask = content.subtask
    prompt = render_prompt(content, official)
    tokens = counter.count(head) + counter.count(prompt)
    item: dict[str, Any] = {
        "id": item_id,
        "subtask": subtask.name,
        "scenario": subtask.scenario.value,
        "ability": subtask.ability.value,
        "language": content.source.language,
        "format": subtask.answer_format.value,
        "reader": subtask.reader.value,
        "metrics": list(subtask.metrics),
        "prompt": prompt,
        "options": None
        if content.is_completion
        else [{"label": label_of(i), "text": text} for i, text in enumerate(content.options)],
        "gold": list(content.gold),
        "max_new_tokens": subtask.official_max_new_tokens
        if content.is_imported
        else subtask.max_new_tokens,
        "stop": [] if content.is_imported else list(subtask.stop),
        "cluster": content.source.cluster,
        "chars": len(head) + len(prompt),
        "tokens": tokens,
        "tokenizer": counter.name,
        "bucket": bucket_of(tokens),
        "long_context": subtask.long_context,
        "source": _source_fields(content.source),
        "canary": canary,
    }
    return item | {"sha256": sha256_of(canonical_json(item))}


def _source_fields(source: SourceLine) -> dict[str, str]:
    fields = {"kind": source.kind, "id": source.id, "licence": source.licence}
    return fields | ({"url": source.url} if source.url else {})
