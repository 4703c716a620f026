"""Audits the sets of questions in the database: what a guesser gains who never reads them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import sha256

from django.db.models import OuterRef, QuerySet, Subquery

from generation.core.attacks.completion import Completion
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.set_audit import SetAudit, audit_choices, audit_completions
from generation.core.community import community_of
from generation.core.labels import index_of
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Subtask
from generation.models import CandidateState, Option, Revision, SourceForm, Step


class Origin(StrEnum):
    """Who made a question: the project, from a run or a document, or somebody else."""

    BUILT = "built"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class _Row:
    """A revision without its options."""

    pk: int
    origin: Origin
    gold: tuple[str, ...]
    cluster: str
    community: str
    last_shown: str


def audit_sets(
    *,
    subtasks: Sequence[Subtask] = (),
    revisions: Collection[int] | None = None,
    orders: Mapping[int, Sequence[int]] | None = None,
    seed: int = 0,
    advance: Callable[[str], None] = lambda _name: None,
) -> dict[Origin, dict[str, SetAudit]]:
    """Return the audit of every subtask's complete questions, by their origin.

    Args:
        subtasks: These alone; all where empty.
        revisions: Keys of the revisions that make up the sets; where None, all current ones of
            candidates that are not rejected.
        orders: For a revision's key, the positions of its options in the order that a model sees.
            Without it built options have no order yet, imported ones the given one.
        seed: Of every random choice.
        advance: Called with the subtask's name after each kind of attack.
    """
    found: dict[Origin, dict[str, SetAudit]] = {origin: {} for origin in Origin}
    for subtask in subtasks or SUBTASKS.values():
        rows = _rows(subtask, revisions)
        for origin in Origin:
            own = [row for row in rows if row.origin is origin]
            audit = _audit(subtask, own, orders or {}, seed, partial(advance, subtask.name))
            if audit is not None:
                found[origin][subtask.name] = audit
    return found


def _audit(
    subtask: Subtask,
    rows: Sequence[_Row],
    orders: Mapping[int, Sequence[int]],
    seed: int,
    advance: Callable[[], None],
) -> SetAudit | None:
    """Return the audit of one set; None where it holds no complete question."""
    if not rows:
        return None
    if subtask.answer_format is AnswerFormat.COMPLETION:
        corpus = [Completion(row.gold, row.last_shown, row.cluster) for row in rows]
        return audit_completions(corpus)
    texts, rules_only = _options(subtask, {row.pk for row in rows})
    sets, unanswerable, ordered = [], 0, True
    for row in rows:
        options = texts.get(row.pk, ())
        if row.origin is Origin.BUILT and len(options) <= len(row.gold):
            continue  # a draft that still waits for its distractors
        order = orders.get(row.pk)
        if order is None and row.origin is Origin.BUILT:
            ordered = False
            order = _mixed(row.pk, options, seed)
        question = option_set(
            options, row.gold, cluster=row.cluster, community=row.community, order=order
        )
        if question is None:
            unanswerable += 1
        else:
            sets.append(question)
    if not sets and not unanswerable:
        return None
    return audit_choices(
        sets,
        unanswerable=unanswerable,
        ordered=ordered,
        rules_only=rules_only,
        seed=seed,
        advance=advance,
    )


def _rows(subtask: Subtask, revisions: Collection[int] | None) -> list[_Row]:
    """Return the subtask's revisions without their slots and their sources' texts."""
    chosen = Revision.objects.filter(candidate__subtask=subtask.name)
    if revisions is None:
        chosen = chosen.current().exclude(candidate__state=CandidateState.REJECTED)
    else:
        chosen = chosen.filter(pk__in=revisions)
    shown = _last_shown(chosen) if subtask.choices is None else {}
    values = chosen.order_by("pk").values_list(
        "pk",
        "gold",
        "candidate__source__form",
        "candidate__source__kind",
        "candidate__source__cluster",
        "candidate__source__language",
    )
    return [
        _Row(
            pk=pk,
            origin=Origin.IMPORTED if form == SourceForm.QUESTION else Origin.BUILT,
            gold=tuple(gold),
            cluster=cluster,
            community=community_of(kind, cluster, language),
            last_shown=shown.get(pk, ""),
        )
        for pk, gold, form, kind, cluster, language in values
    ]


def _last_shown(chosen: QuerySet[Revision]) -> dict[int, str]:
    """Return the last action that the prompt of each revision shows, where it shows one."""
    before = Step.objects.filter(
        source=OuterRef("candidate__source"), number=OuterRef("candidate__cut") - 1
    )
    imported = chosen.filter(candidate__source__form=SourceForm.QUESTION)
    shown = {
        pk: outcome["shown_actions"][-1]
        for pk, outcome in imported.values_list("pk", "candidate__source__outcome")
        if outcome.get("shown_actions")
    }
    documents = chosen.filter(candidate__source__form=SourceForm.DOCUMENT)
    shown |= {
        pk: slots["executed_commands"].splitlines()[-1]
        for pk, slots in documents.values_list("pk", "slots")
        if slots.get("executed_commands")
    }
    built = chosen.filter(candidate__source__form=SourceForm.TRAJECTORY)
    actions = built.annotate(shown=Subquery(before.values("action")[:1]))
    return shown | {pk: action or "" for pk, action in actions.values_list("pk", "shown")}


def _options(subtask: Subtask, chosen: Collection[int]) -> tuple[dict[int, tuple[str, ...]], bool]:
    """Return the options of the chosen revisions in the given order, and whether rules made all."""
    texts: dict[int, list[str]] = defaultdict(list)
    rules_only = True
    rows = Option.objects.filter(revision__candidate__subtask=subtask.name).order_by(
        "revision", "position"
    )
    for pk, text, model in rows.values_list("revision", "text", "model").iterator():
        if pk in chosen:
            texts[pk].append(text)
            rules_only = rules_only and not model
    return {pk: tuple(options) for pk, options in texts.items()}, rules_only


def _mixed(pk: int, options: Sequence[str], seed: int) -> list[int]:
    """Return an order that tells nothing: in the given one gold often stands first."""
    keys = [sha256(f"{seed}\x1f{pk}\x1f{text}".encode()).digest() for text in options]
    return sorted(range(len(options)), key=lambda place: keys[place])


def option_set(
    options: Sequence[str],
    gold: Sequence[str],
    *,
    cluster: str,
    community: str,
    order: Sequence[int] | None = None,
) -> OptionSet | None:
    """Return a question as an attack sees it; None where no option is right, or every one is.

    ``gold`` are labels of ``options`` as given; ``order`` their positions in the order that a
    model sees, the given one where there is none.
    """
    given = {place for label in gold if (place := _place(label)) is not None}
    places = range(len(options)) if order is None else order
    right = [new for new, old in enumerate(places) if old in given]
    if not right or len(right) == len(options) or len(given) != len(right):
        return None
    return OptionSet(
        options=tuple(options[old] for old in places),
        gold=right[0],
        also_right=frozenset(right[1:]),
        cluster=cluster,
        community=community,
    )


def _place(label: str) -> int | None:
    try:
        return index_of(label)
    except ValueError:
        return None
