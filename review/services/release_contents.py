"""Reads what a release would hold: revisions as content, and what speaks against each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from generation.core.chunks import chunks
from generation.core.items import Severity
from generation.core.labels import index_of
from generation.core.records import Success
from generation.core.registry import SUBTASKS
from generation.core.tokens import fewest_tokens
from generation.models import Candidate, CandidateState, Finding, Revision, SourceForm
from generation.models.candidate import RevisionQuerySet
from generation.services.trajectories import load_trajectory, slots_of
from review.core.render import Content, SourceLine, answer_text
from review.core.scorer import em_norm
from review.models import Adjudication, FindingVerdict, FindingVerdictValue, Outcome, Project
from review.services.places import counting_reviews
from review.services.project import project, wanted_in

# Revisions read at a time: an imported one may hold a long text.
_CHUNK = 20

# Licences under which a derived benchmark may be passed on, with notice.
REDISTRIBUTABLE = frozenset(
    {
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC-BY-4.0",
        "CC0-1.0",
        "CDLA-Permissive-2.0",
        "ISC",
        "MIT",
        "PSF-2.0",
        "Unlicense",
    }
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A revision that may enter a release, with a name for people."""

    revision: Revision
    content: Content

    @property
    def name(self) -> str:
        """Subtask, source and cut: how a person finds the item again."""
        candidate = self.revision.candidate
        cut = f"#{candidate.cut}" if candidate.cut else ""
        return f"{candidate.subtask} {candidate.source.external_id}{cut}"


def approved_revisions(subtasks: Sequence[str]) -> RevisionQuerySet:
    """Return the approved revisions of these subtasks, or of all; control items never enter."""
    return _of_subtasks(
        Revision.objects.current().filter(
            candidate__state=CandidateState.APPROVED, candidate__is_control=False
        ),
        subtasks,
    )


def states_left_out(subtasks: Sequence[str], *, as_imported: bool) -> dict[str, int]:
    """Return how many candidates of these subtasks, or of all, do not stand for a release, by state.

    For an imported set these are the candidates that were built here.
    """
    candidates = Candidate.objects.filter(is_control=False)
    if subtasks:
        candidates = candidates.filter(subtask__in=subtasks)
    candidates = (
        candidates.exclude(source__form=SourceForm.QUESTION)
        if as_imported
        else candidates.exclude(state=CandidateState.APPROVED)
    )
    return dict(sorted(Counter(candidates.values_list("state", flat=True)).items()))


def imported_revisions(subtasks: Sequence[str]) -> RevisionQuerySet:
    """Return the ready-made questions of these subtasks, or of all, reviewed or not.

    As they came: an edit of one is a question of our own, and enters a reviewed release.
    """
    return _of_subtasks(
        Revision.objects.filter(
            number=1, candidate__source__form=SourceForm.QUESTION, candidate__is_control=False
        ),
        subtasks,
    )


def _of_subtasks(revisions: RevisionQuerySet, names: Sequence[str]) -> RevisionQuerySet:
    return revisions.filter(candidate__subtask__in=names) if names else revisions


def entries(revisions: RevisionQuerySet) -> Iterator[Entry]:
    """Yield revisions with their content, one source after another, none kept in memory."""
    source_pk, trajectory = None, None
    ordered = revisions.order_by(
        "candidate__source__digest", "candidate__subtask", "candidate__cut"
    )
    for revision in _one_by_one(list(ordered.values_list("pk", flat=True))):
        source = revision.candidate.source
        if source.pk != source_pk:
            is_run = source.form == SourceForm.TRAJECTORY
            source_pk, trajectory = source.pk, load_trajectory(source) if is_run else None
        content = Content(
            subtask=SUBTASKS[revision.candidate.subtask],
            slots=slots_of(revision, trajectory),
            options=tuple(option.text for option in revision.options.all()),
            gold=tuple(revision.gold),
            source=SourceLine(
                kind=source.kind,
                id=source.external_id,
                licence=source.licence,
                url=source.url,
                cluster=source.cluster,
                language=source.language,
            ),
            is_imported=source.form == SourceForm.QUESTION,
        )
        yield Entry(revision, content)


def _one_by_one(keys: Sequence[int]) -> Iterator[Revision]:
    """Yield revisions by key, a few read at a time: a database that sorts them holds all texts."""
    for some in chunks(keys, _CHUNK):
        found = Revision.objects.with_content().in_bulk(some)
        yield from (found[pk] for pk in some)


def unscorable(content: Content) -> str:
    """Return why no answer to the item could ever be right, empty where one can."""
    if content.is_completion:
        return "" if any(text.strip() for text in content.gold) else "it has no gold answer"
    missing = [label for label in content.gold if not _has_option(content, label)]
    if missing or not content.gold:
        return f"gold label {', '.join(missing) or 'none'} has no option"
    return ""


def _has_option(content: Content, label: str) -> bool:
    try:
        return index_of(label) < len(content.options)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Standing:
    """What people said of the revisions that may enter, by revision: a few queries for them all.

    ``reviews`` counts the reviews that count, ``by_lead`` holds those a lead approved,
    ``unsettled`` the kinds of findings of severity 3 that nobody dismissed for good; ``project``
    says how many reviews each subtask asks for.
    """

    reviews: Mapping[int, int]
    by_lead: frozenset[int]
    unsettled: Mapping[int, Sequence[str]]
    project: Project

    @classmethod
    def of(cls, revisions: RevisionQuerySet) -> "Standing":
        """Return the standing of these revisions."""
        pks = revisions.values("pk")
        leads = Adjudication.objects.filter(revision__in=pks, outcome=Outcome.APPROVE)
        return cls(
            reviews=Counter(
                counting_reviews()
                .filter(assignment__revision__in=pks)
                .values_list("assignment__revision", flat=True)
            ),
            by_lead=frozenset(leads.values_list("revision", flat=True)),
            unsettled=_unsettled(pks),
            project=project(),
        )


def _unsettled(pks: QuerySet[Revision, Any]) -> dict[int, list[str]]:
    """Return the kinds of unsettled blocking findings; a lead's word outweighs reviewers'."""
    standing = FindingVerdict.objects.filter(Q(review=None) | Q(review__in=counting_reviews()))
    blocking = Finding.objects.filter(
        revision__in=pks, severity=Severity.BLOCKS_RELEASE
    ).prefetch_related(Prefetch("verdicts", standing))
    found: dict[int, list[str]] = defaultdict(list)
    for finding in blocking.order_by("kind", "pk"):
        verdicts = list(finding.verdicts.all())
        judged = [v for v in verdicts if v.adjudication_id] or verdicts
        if not judged or any(v.verdict != FindingVerdictValue.DISMISSED for v in judged):
            found[finding.revision_id].append(finding.kind)
    return found


def objections(entry: Entry, standing: Standing) -> Iterable[str]:
    """Yield what forbids a reviewed item to be frozen, licence apart."""
    revision, content = entry.revision, entry.content
    if revision.candidate.source.success != Success.CONFIRMED:
        yield "nobody confirmed that its run is a success"
    reviews = standing.reviews.get(revision.pk, 0)
    wanted = wanted_in(standing.project, content.subtask.name)
    if reviews < wanted and revision.pk not in standing.by_lead:
        yield f"{reviews} of {wanted} reviews"
    for kind in standing.unsettled.get(revision.pk, ()):
        yield f"unsettled finding {kind} (severity 3)"
    if content.is_completion and not em_norm(
        content.subtask.reader, content.gold[0], content.gold[0]
    ):
        yield "gold is not read back as itself"
    if fewest_tokens(answer_text(content)) > content.subtask.max_new_tokens:
        yield f"gold does not fit its budget of {content.subtask.max_new_tokens} tokens"
