"""Gathers what the dataset card of a planned release states."""

from collections import Counter
from collections.abc import Mapping

from generation.models import Finding
from generation.services.prompts import PromptInUse
from review.core.card import Audited, CardFacts, render_card
from review.services.release_plan import FreezeOrder, Plan
from review.services.release_reviews import ReviewRecord


def validation_words(order: FreezeOrder) -> str:
    """Return how the set was validated, as manifest and card say it."""
    return "none, imported" if order.as_imported else "reviewed"


def licence_counts(plan: Plan) -> dict[str, int]:
    """Return the number of test items by licence of their source, sorted by name."""
    return dict(sorted(Counter(plan.licence_of[i] for i in plan.split.test).items()))


def write_card(
    plan: Plan, *, canary: str, reviews: ReviewRecord, prompts: Mapping[str, PromptInUse]
) -> str:
    """Return the dataset card as Markdown."""
    order, tests = plan.order, plan.test_by_subtask
    return render_card(
        CardFacts(
            name=order.name,
            version=order.version,
            frozen_at=f"{order.at:%Y-%m-%dT%H:%M:%SZ}",
            validation=validation_words(order),
            shots=order.shots,
            canary=canary,
            counts={name: len(ids) for name, ids in tests.items()},
            clusters={name: len({plan.clusters[i] for i in ids}) for name, ids in tests.items()},
            shot_counts={name: len(ids) for name, ids in plan.split.shots.items()}
            | {name: each.shots for name, each in prompts.items()},
            licences=licence_counts(plan),
            allowed_licences=order.allowed_licences,
            blind_correct={} if order.as_imported else reviews.blind,
            findings=_findings(plan) if order.as_imported else {},
            left_out=plan.left_out if order.as_imported else [],
            held_out=Counter(why for _item, why in plan.left_out) if not order.as_imported else {},
            prompts_note=_prompts_note(plan, prompts) if order.as_imported else "",
            audited=[
                Audited(one.subtask, one.n, one.needed, str(one.verdict), one.reasons)
                for one in plan.judged
            ],
            despite_audit=order.despite_audit,
        )
    )


def _prompts_note(plan: Plan, prompts: Mapping[str, PromptInUse]) -> str:
    """Return whose wording the prompts of an imported set have."""
    own = "Prompts are in this project's wording, without worked examples"
    if not prompts:
        return f"{own}."
    files = ", ".join(each.place.rpartition("/")[2] for each in prompts.values())
    note = f"Prompts are those of the imported set: {files}."
    without = ", ".join(name for name in plan.test_by_subtask if name not in prompts)
    return f"{note} {own}, for {without}." if without else note


def _findings(plan: Plan) -> Counter[str]:
    """Return how many findings of each kind the imported rows have, those left out included."""
    return Counter(
        Finding.objects.filter(revision__in=plan.candidates().values("pk")).values_list(
            "kind", flat=True
        )
    )
