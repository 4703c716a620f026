"""Renders a planned release to the very bytes that every export of it writes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generation.core.registry import SUBTASKS
from generation.core.tokens import TokenCounter, token_counter
from generation.models import Finding, Revision, SourceForm
from generation.models.candidate import RevisionQuerySet
from review.core import scorer
from review.core.canonical import canonical_json, json_line, sha256_of
from review.core.card import CardFacts, render_card
from review.core.manifest import FileEntry, manifest, text_entry
from review.core.render import Content, in_order, render_head, render_item
from review.core.splits import drawn
from review.core.spool import LineSpool
from review.models import Adjudication, Review
from review.services.release_contents import entries
from review.services.release_plan import FreezeOrder, Plan
from review.services.settlement import counted_reviews

CODE_VERSION = "0.1.0"


@dataclass(slots=True)
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
    shot_ids = {item_id for ids in plan.split.shots.values() for item_id in ids}
    shots = dict(_released(plan, by_pk, shot_ids))
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
    canary = f"apt-annotate canary {digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:32]}"
    frozen = Frozen(digest, canary, {}, {}, lines, {}, {})
    _render_lines(plan, by_pk, heads, frozen, counter)
    reviews = _reviews(plan)
    frozen.reviews = dict(_review_lines(plan, reviews))
    frozen.files = {f"prompts/{name}.txt": head for name, head in heads.items()}
    frozen.files |= scorer_files()
    frozen.files["reviews.jsonl"] = "".join(frozen.reviews[i] for i in sorted(plan.split.test))
    frozen.files["README.md"] = render_card(_card_facts(plan, frozen, reviews))
    listed = [text_entry(path, text) for path, text in frozen.files.items()]
    frozen.manifest = manifest(
        _manifest_head(plan, frozen, counter), [*listed, *_items(plan, frozen)]
    )
    return frozen


def _items(plan: Plan, frozen: Frozen) -> Iterator[FileEntry]:
    for name, ids in plan.test_by_subtask.items():
        yield frozen.lines.entry(f"items/{name}.jsonl", ids)


def _released(
    plan: Plan, by_pk: Mapping[int, str], wanted: set[str]
) -> Iterator[tuple[str, Content]]:
    """Yield the wanted items with their options in released order, source by source."""
    pks = [plan.revisions[item_id] for item_id in wanted]
    for entry in entries(_by_keys(pks)):
        item_id = by_pk[entry.revision.pk]
        yield item_id, in_order(entry.content, plan.orders.get(item_id, ()))


def _by_keys(pks: Sequence[int]) -> RevisionQuerySet:
    return Revision.objects.filter(pk__in=pks)


def _render_lines(
    plan: Plan,
    by_pk: Mapping[int, str],
    heads: Mapping[str, str],
    frozen: Frozen,
    counter: TokenCounter,
) -> None:
    test = sorted(plan.split.test)
    for start in range(0, len(test), 500):
        for item_id, content in _released(plan, by_pk, set(test[start : start + 500])):
            head = heads[content.subtask.name]
            item = render_item(
                content, item_id=item_id, head=head, canary=frozen.canary, counter=counter
            )
            frozen.lines.add(item_id, json_line(item))
            frozen.shas[item_id] = item["sha256"]


def _reviews(plan: Plan) -> dict[str, Sequence[Review]]:
    """Return the counted reviews of every test item, by item id."""
    revisions = Revision.objects.in_bulk([plan.revisions[i] for i in plan.split.test])
    return {i: counted_reviews(revisions[plan.revisions[i]]) for i in plan.split.test}


def _review_lines(plan: Plan, reviews: Mapping[str, Sequence[Review]]) -> Iterator[tuple[str, str]]:
    """Yield the line of ``reviews.jsonl`` by item id; people appear as r1, r2, … of the release."""
    people = {r.assignment.reviewer.username for found in reviews.values() for r in found}
    drawn_order = sorted(people, key=lambda name: drawn(plan.order.version, name))
    pseudonyms = {name: f"r{number}" for number, name in enumerate(drawn_order, start=1)}
    adjudicated = set(Adjudication.objects.values_list("revision_id", flat=True))
    for item_id, found in reviews.items():
        decisions = {pseudonyms[r.assignment.reviewer.username]: r.decision for r in found}
        line = {
            "id": item_id,
            "reviews": len(found),
            "decisions": dict(sorted(decisions.items())),
            "blind_correct": sum(r.assignment.blind_answer.matches_gold for r in found),
            "adjudicated": plan.revisions[item_id] in adjudicated,
        }
        yield item_id, json_line(line)


def scorer_files() -> dict[str, str]:
    """Return the scorer package as it stands in every export, text by path."""
    folder = Path(scorer.__file__).parent
    return {
        f"scorer/{path.relative_to(folder).as_posix()}": path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


def _card_facts(plan: Plan, frozen: Frozen, reviews: Mapping[str, Sequence[Review]]) -> CardFacts:
    order, tests = plan.order, plan.test_by_subtask
    blind: dict[str, tuple[int, int]] = {}
    if not order.as_imported:
        for name, ids in tests.items():
            answers = [r.assignment.blind_answer for i in ids for r in reviews[i]]
            blind[name] = (sum(a.matches_gold for a in answers), len(answers))
    findings: Counter[str] = Counter()
    if order.as_imported:
        findings.update(
            Finding.objects.filter(
                revision__superseded_at=None,
                revision__candidate__source__form=SourceForm.QUESTION,
                **({"revision__candidate__subtask__in": order.subtasks} if order.subtasks else {}),
            ).values_list("kind", flat=True)
        )
    return CardFacts(
        name=order.name,
        version=order.version,
        frozen_at=f"{order.at:%Y-%m-%dT%H:%M:%SZ}",
        validation=_validation_words(order),
        shots=order.shots,
        canary=frozen.canary,
        counts={name: len(ids) for name, ids in tests.items()},
        clusters={name: len({plan.clusters[i] for i in ids}) for name, ids in tests.items()},
        shot_counts={name: len(ids) for name, ids in plan.split.shots.items()},
        licences=Counter(plan.licence_of[i] for i in plan.split.test),
        allowed_licences=order.allowed_licences,
        blind_correct=blind,
        findings=findings,
        left_out=plan.left_out,
        prompts_note="Prompts are in this project's wording, without worked examples."
        if order.as_imported
        else "",
    )


def _validation_words(order: FreezeOrder) -> str:
    return "none, imported" if order.as_imported else "reviewed"


def _manifest_head(plan: Plan, frozen: Frozen, counter: TokenCounter) -> dict[str, Any]:
    order = plan.order
    return {
        "name": order.name,
        "version": order.version,
        "frozen_at": f"{order.at:%Y-%m-%dT%H:%M:%SZ}",
        "canary": frozen.canary,
        "validation": _validation_words(order),
        "code_version": CODE_VERSION,
        "shots": 0 if order.as_imported else order.shots,
        "tokenizer": counter.name,
        "counts": {name: len(ids) for name, ids in plan.test_by_subtask.items()},
        "licences": dict(sorted(Counter(plan.licence_of[i] for i in plan.split.test).items())),
        "allowed_licences": sorted(order.allowed_licences),
    }
