"""Renders a planned release to the very bytes that every export of it writes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from generation.core.registry import SUBTASKS
from generation.core.tokens import TokenCounter, token_counter
from generation.models.candidate import RevisionQuerySet
from generation.services.prompts import PromptInUse, official_values, prompts_in_use
from review.core import scorer
from review.core.canonical import canonical_json, json_line, sha256_of
from review.core.manifest import manifest, text_entry
from review.core.render import Content, in_order, render_head, render_item
from review.core.spool import LineSpool
from review.services.release_card import (
    licence_counts,
    validation_words,
    write_card,
)
from review.services.release_contents import entries
from review.services.release_gate import as_json
from review.services.release_plan import Plan
from review.services.release_reviews import read_reviews


@dataclass(frozen=True, slots=True)
class Frozen:
    """A rendered release: digest, canary, small files, manifest, item lines and their digests."""

    digest: str
    canary: str
    files: dict[str, str]
    manifest: dict[str, Any]
    lines: LineSpool
    shas: dict[str, str]
    reviews: dict[str, str]


class ItemsChanged(Exception):
    """Items of the plan are not what they were: settled no more, or edited; ``ids`` says which."""

    def __init__(self, ids: Collection[str]) -> None:
        super().__init__(", ".join(sorted(ids)))
        self.ids = sorted(ids)


def render_release(plan: Plan, lines: LineSpool) -> Frozen:
    """Render everything that an export of the planned release writes; items go into ``lines``.

    Raises:
        ItemsChanged: items of the plan would not enter any more.
    """
    counter = token_counter()
    by_pk = {pk: item_id for item_id, pk in plan.revisions.items()}
    shot_keys = [plan.revisions[i] for ids in plan.split.shots.values() for i in ids]
    examples = plan.candidates().filter(pk__in=shot_keys)
    shots = dict(_released(plan, by_pk, examples, {}))
    if gone := {i for ids in plan.split.shots.values() for i in ids} - set(shots):
        raise ItemsChanged(gone)
    prompts = _imported_prompts(plan)
    heads = {
        name: prompts[name].prompt.head
        if name in prompts
        else render_head(SUBTASKS[name], [shots[i] for i in plan.split.shots.get(name, ())])
        for name in plan.test_by_subtask
    }
    digest = _digest(plan, heads, prompts)
    canary = f"apt-annotate canary {UUID(digest[:32])}"
    shas = _render_lines(plan, by_pk, heads, prompts, lines, canary=canary, counter=counter)
    if gone := set(plan.split.test) - set(shas):
        raise ItemsChanged(gone)
    reviews = read_reviews(plan)
    files = {f"prompts/{name}.txt": head for name, head in heads.items()}
    files |= scorer_files()
    files["README.md"] = write_card(plan, canary=canary, reviews=reviews, prompts=prompts)
    listed = [text_entry(path, text) for path, text in files.items()]
    listed.append(text_entry("reviews.jsonl", "".join(reviews.lines.values())))
    listed += [
        lines.entry(f"items/{name}.jsonl", ids) for name, ids in plan.test_by_subtask.items()
    ]
    head = _manifest_head(plan, prompts, canary=canary, tokenizer=counter.name)
    return Frozen(digest, canary, files, manifest(head, listed), lines, shas, reviews.lines)


def _imported_prompts(plan: Plan) -> dict[str, PromptInUse]:
    """Return the prompts that came with an imported set, by subtask; others have our wording."""
    if not plan.order.as_imported:
        return {}
    in_use = prompts_in_use()
    return {name: in_use[name] for name in plan.test_by_subtask if name in in_use}


def _most_shots(prompts: Mapping[str, PromptInUse]) -> int:
    """Return the greatest number of worked examples that a prompt's file name tells."""
    return max((each.shots or 0 for each in prompts.values()), default=0)


def _digest(plan: Plan, heads: Mapping[str, str], prompts: Mapping[str, PromptInUse]) -> str:
    """Return the sha256 of everything that a release shows a model."""
    covered = {
        "name": plan.order.name,
        "version": plan.order.version,
        "items": [[i, plan.orders.get(i, ())] for i in sorted(plan.split.test)],
        "heads": {name: sha256_of(head) for name, head in heads.items()},
    }
    if prompts:
        covered["prompts"] = {name: each.digest for name, each in prompts.items()}
    return sha256_of(canonical_json(covered))


def _released(
    plan: Plan,
    by_pk: Mapping[int, str],
    revisions: RevisionQuerySet,
    prompts: Mapping[str, PromptInUse],
) -> Iterator[tuple[str, Content]]:
    """Yield the planned ones of these revisions, options in released order, source by source."""
    for entry in entries(revisions):
        if item_id := by_pk.get(entry.revision.pk):
            content = in_order(entry.content, plan.orders.get(item_id, ()))
            if content.subtask.name in prompts:
                content = replace(content, official_values=official_values(entry.revision))
            yield item_id, content


def _render_lines(
    plan: Plan,
    by_pk: Mapping[int, str],
    heads: Mapping[str, str],
    prompts: Mapping[str, PromptInUse],
    lines: LineSpool,
    *,
    canary: str,
    counter: TokenCounter,
) -> dict[str, str]:
    """Put every test item's line into ``lines`` and return their digests by item id."""
    shas: dict[str, str] = {}
    test = frozenset(plan.split.test)
    for item_id, content in _released(plan, by_pk, plan.candidates(), prompts):
        if item_id not in test:
            continue
        name = content.subtask.name
        item = render_item(
            content,
            item_id=item_id,
            head=heads[name],
            canary=canary,
            counter=counter,
            official=prompts[name].prompt if name in prompts else None,
        )
        lines.add(item_id, json_line(item))
        shas[item_id] = item["sha256"]
    return shas


def scorer_files() -> dict[str, str]:
    """Return the scorer package as it stands in every export, text by path."""
    folder = Path(scorer.__file__).parent
    return {
        f"scorer/{path.relative_to(folder).as_posix()}": path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


def _manifest_head(
    plan: Plan, prompts: Mapping[str, PromptInUse], *, canary: str, tokenizer: str
) -> dict[str, Any]:
    order = plan.order
    return {
        "name": order.name,
        "version": order.version,
        "frozen_at": f"{order.at:%Y-%m-%dT%H:%M:%SZ}",
        "canary": canary,
        "validation": validation_words(order),
        "code_version": scorer.VERSION,
        "shots": _most_shots(prompts) if order.as_imported else order.shots,
        "tokenizer": tokenizer,
        "counts": {name: len(ids) for name, ids in plan.test_by_subtask.items()},
        "licences": licence_counts(plan),
        "allowed_licences": sorted(order.allowed_licences),
        "audit": None if order.as_imported else as_json(plan.judged, despite=order.despite_audit),
    }
