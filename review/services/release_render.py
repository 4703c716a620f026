"""Renders a planned release to the very bytes that every export of it writes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from generation.core.registry import SUBTASKS
from generation.core.tokens import TokenCounter, token_counter
from generation.models.candidate import RevisionQuerySet
from review.core import scorer
from review.core.canonical import canonical_json, json_line, sha256_of
from review.core.manifest import manifest, text_entry
from review.core.render import Content, in_order, render_head, render_item
from review.core.spool import LineSpool
from review.services.release_card import licence_counts, validation_words, write_card
from review.services.release_contents import entries
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


def render_release(plan: Plan, lines: LineSpool) -> Frozen:
    """Render everything that an export of the planned release writes; items go into ``lines``."""
    order, counter = plan.order, token_counter()
    by_pk = {pk: item_id for item_id, pk in plan.revisions.items()}
    shot_keys = [plan.revisions[i] for ids in plan.split.shots.values() for i in ids]
    shots = dict(_released(plan, by_pk, plan.candidates().filter(pk__in=shot_keys)))
    heads = {
        name: render_head(SUBTASKS[name], [shots[i] for i in plan.split.shots.get(name, ())])
        for name in plan.test_by_subtask
    }
    digest = sha256_of(
        canonical_json(
            {
                "name": order.name,
                "version": order.version,
                "items": [[i, plan.orders.get(i, ())] for i in sorted(plan.split.test)],
                "heads": {name: sha256_of(head) for name, head in heads.items()},
            }
        )
    )
    canary = f"apt-annotate canary {UUID(digest[:32])}"
    shas = _render_lines(plan, by_pk, heads, lines, canary=canary, counter=counter)
    reviews = read_reviews(plan)
    files = {f"prompts/{name}.txt": head for name, head in heads.items()}
    files |= scorer_files()
    files["README.md"] = write_card(plan, canary=canary, reviews=reviews)
    listed = [text_entry(path, text) for path, text in files.items()]
    listed.append(text_entry("reviews.jsonl", "".join(reviews.lines.values())))
    listed += [
        lines.entry(f"items/{name}.jsonl", ids) for name, ids in plan.test_by_subtask.items()
    ]
    head = _manifest_head(plan, canary=canary, tokenizer=counter.name)
    return Frozen(digest, canary, files, manifest(head, listed), lines, shas, reviews.lines)


def _released(
    plan: Plan, by_pk: Mapping[int, str], revisions: RevisionQuerySet
) -> Iterator[tuple[str, Content]]:
    """Yield the planned ones of these revisions, options in released order, source by source."""
    for entry in entries(revisions):
        if item_id := by_pk.get(entry.revision.pk):
            yield item_id, in_order(entry.content, plan.orders.get(item_id, ()))


def _render_lines(
    plan: Plan,
    by_pk: Mapping[int, str],
    heads: Mapping[str, str],
    lines: LineSpool,
    *,
    canary: str,
    counter: TokenCounter,
) -> dict[str, str]:
    """Put every test item's line into ``lines`` and return their digests by item id."""
    shas: dict[str, str] = {}
    test = frozenset(plan.split.test)
    for item_id, content in _released(plan, by_pk, plan.candidates()):
        if item_id not in test:
            continue
        head = heads[content.subtask.name]
        item = render_item(content, item_id=item_id, head=head, canary=canary, counter=counter)
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


def _manifest_head(plan: Plan, *, canary: str, tokenizer: str) -> dict[str, Any]:
    order = plan.order
    return {
        "name": order.name,
        "version": order.version,
        "frozen_at": f"{order.at:%Y-%m-%dT%H:%M:%SZ}",
        "canary": canary,
        "validation": validation_words(order),
        "code_version": scorer.VERSION,
        "shots": 0 if order.as_imported else order.shots,
        "tokenizer": tokenizer,
        "counts": {name: len(ids) for name, ids in plan.test_by_subtask.items()},
        "licences": licence_counts(plan),
        "allowed_licences": sorted(order.allowed_licences),
    }
