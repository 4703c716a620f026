"""Freezes releases: what was rendered is stored once, and never changes again."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from review.core.spool import LineSpool
from review.models import ItemRole, Release, ReleaseItem, Validation
from review.services.release_plan import Advance, FreezeOrder, Plan, plan_release
from review.services.release_render import Frozen, ItemsChanged, render_release

_CHUNK = 50


class FreezeRefused(Exception):
    """Nothing was frozen; ``reasons`` are all of them at once."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = list(reasons)


def freeze(
    order: FreezeOrder,
    *,
    actor: User | None = None,
    advance: Advance = lambda _subtask: None,
) -> Release:
    """Freeze a release in one transaction and return it.

    Rendering happens before the transaction, since it may take minutes and a database that
    takes one writer would stand still; inside it, every revision must still be what it was.
    ``advance`` is told of the audit as ``plan_release`` does.

    Raises:
        FreezeRefused: with every reason there is; nothing is written.
    """
    if Release.objects.filter(version=order.version).exists():
        raise FreezeRefused([f"version {order.version} exists: a version is frozen once"])
    plan = plan_release(order, advance=advance)
    if plan.reasons:
        raise FreezeRefused(plan.reasons)
    with LineSpool() as lines:
        try:
            frozen = render_release(plan, lines)
        except ItemsChanged as changed:
            raise _refuse_changed(changed.ids) from changed
        try:
            return _store(plan, frozen, actor)
        except IntegrityError as error:
            why = f"version {order.version} was frozen by somebody else just now"
            raise FreezeRefused([why]) from error


@transaction.atomic
def _store(plan: Plan, frozen: Frozen, actor: User | None) -> Release:
    _refuse_if_changed(plan)
    order = plan.order
    release = Release.objects.create(
        name=order.name,
        version=order.version,
        frozen_at=order.at,
        frozen_by=actor,
        validation=Validation.IMPORTED if order.as_imported else Validation.REVIEWED,
        shots=frozen.manifest["shots"],
        code_version=frozen.manifest["code_version"],
        digest=frozen.digest,
        canary=frozen.canary,
        manifest=frozen.manifest,
        files=frozen.files,
        left_out=[{"item": item, "why": why} for item, why in plan.left_out],
    )
    rows = _rows(release, plan, frozen)
    while some := list(islice(rows, _CHUNK)):  # bulk_create alone would hold them all
        ReleaseItem.objects.bulk_create(some)
    audit.record(
        "release.frozen",
        release,
        actor=actor,
        after=frozen.manifest["sha256"],
        detail=f"despite the audit: {order.despite_audit}" if order.despite_audit else "",
    )
    return release


def _rows(release: Release, plan: Plan, frozen: Frozen) -> Iterator[ReleaseItem]:
    for item_id in plan.split.test:
        yield ReleaseItem(
            release=release,
            revision_id=plan.revisions[item_id],
            role=ItemRole.TEST,
            subtask=plan.subtask_of[item_id],
            item_id=item_id,
            sha256=frozen.shas[item_id],
            line=frozen.lines.packed(item_id),
            review=frozen.reviews[item_id],
        )
    for subtask, ids in plan.split.shots.items():
        for item_id in ids:
            yield ReleaseItem(
                release=release,
                revision_id=plan.revisions[item_id],
                role=ItemRole.SHOT,
                subtask=subtask,
                item_id=item_id,
                line=b"",
            )


def _refuse_if_changed(plan: Plan) -> None:
    """Refuse where a revision was edited, or its candidate reopened, while it was rendered."""
    entering = [*plan.split.test, *(i for ids in plan.split.shots.values() for i in ids)]
    pks = {plan.revisions[item_id]: item_id for item_id in entering}
    if not plan.order.as_imported:
        # Held until the release is stored, so that no review of them is taken back meanwhile.
        approved = Candidate.objects.select_for_update().filter(state=CandidateState.APPROVED)
        deque(approved.order_by("pk").values_list("pk").iterator(), maxlen=0)
    # An imported row stays as it came, whoever edits it.
    current = Revision.objects.filter(number=1)
    if not plan.order.as_imported:
        current = Revision.objects.current().filter(candidate__state=CandidateState.APPROVED)
    if plan.order.subtasks:
        current = current.filter(candidate__subtask__in=plan.order.subtasks)
    changed = set(pks) - set(current.values_list("pk", flat=True))
    if changed:
        raise _refuse_changed(pks[pk] for pk in changed)


def _refuse_changed(item_ids: Iterable[str]) -> FreezeRefused:
    names = ", ".join(sorted(item_ids))
    return FreezeRefused([f"changed while the release was rendered: {names}; freeze again"])
