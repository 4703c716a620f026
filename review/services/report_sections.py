"""Gathers the validation report from what is stored; its numbers are those of pages and commands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count

from generation.core.attacks.set_audit import SetAudit
from generation.models import Candidate, Finding
from generation.services.audits import Origin
from review.core.report.sections import Figure, Section, Table, number, within
from review.core.scorer.intervals import wilson_interval
from review.models import Adjudication, FindingVerdict, Profile, Role
from review.services.agreement import By
from review.services.agreement_pages import drawn_chart
from review.services.guideline_changes import guideline_changes
from review.services.operators import operator_verdicts
from review.services.overturned import overturned_reviewers
from review.services.progress import rejections
from review.services.project import project, wanted_by_default
from review.services.votes import Measure, independent_reviews, pseudonym

_SHORT = {
    Measure.MATCHES_GOLD: "the blind answer is gold",
    Measure.DECISION: "the decision",
    Measure.WELL_SPECIFIED: "problem with the question, 0-3",
    Measure.GOLD_QUALITY: "problem with gold, 0-3",
    Measure.DISTRACTOR_VERDICT: "the verdict on each distractor",
    Measure.FINDING_VERDICT: "the verdict on each finding",
}


def protocol() -> Section:
    """Return how items were reviewed: phases, overlap, controls, qualification, guidelines."""
    settings = project()
    own = ", ".join(f"{name} {n}" for name, n in sorted(settings.overlap.items()))
    words = [
        "Reviewers answer each question blind, from what the model sees and in an option order of "
        "their own, and say how sure they are. Only then do they see gold, the other options and "
        "what automatic checks found; they judge each, rate the question and gold from 0 to 3, "
        "and approve, reject or edit. An edit makes a new revision, which is reviewed anew.",
        f"Independent reviews of a revision: {wanted_by_default(settings)}"
        f"{f' ({own})' if own else ''}. Where they differ, a lead settles the dispute with the "
        "reviewers' names hidden until the decision.",
        f"Control items among the work: {settings.control_percent} %. Qualification round: "
        f"{settings.qualification_items} items"
        f"{f', of which {settings.qualification_bar} right' if settings.qualification_items else ''}"
        ".",
    ]
    rows = [
        (change.language, change.label, f"{change.at:%Y-%m-%d}", change.note)
        for change in guideline_changes()
    ]
    tables = [Table("Versions of the guidelines", ("language", "version", "from", "note"), rows)]
    return Section("Protocol", words, tables if rows else ())


def people() -> Section:
    """Return who reviewed, under pseudonyms: reviews, blind accuracy with interval."""
    found: dict[int, list[int]] = {}
    rows = independent_reviews().values_list(
        "assignment__reviewer", "assignment__blind_answer__matches_gold"
    )
    for reviewer, matches in rows:
        entry = found.setdefault(reviewer, [0, 0])
        entry[0] += 1
        entry[1] += bool(matches)
    roles = Counter(dict(Profile.objects.order_by().values_list("role").annotate(Count("pk"))))
    table = sorted(
        (pseudonym(reviewer), str(n), within(right / n, *wilson_interval(right / n, n)))
        for reviewer, (n, right) in found.items()
    )
    words = [
        f"{len(found)} people gave {sum(n for n, _right in found.values())} independent reviews. "
        f"Accounts: {roles[Role.ANNOTATOR]} annotators, {roles[Role.LEAD]} leads, "
        f"{roles[Role.ADMIN]} admins."
    ]
    head = ("reviewer", "reviews", "blind answers that are gold (95 %)")
    return Section("People", words, [Table("Reviewers, by pseudonym", head, table)])


def overlap() -> Section:
    """Return how many independent reviews the items have, by subtask."""
    per_revision = (
        independent_reviews()
        .order_by()
        .values_list("assignment__revision__candidate__subtask", "assignment__revision")
        .annotate(Count("pk"))
    )
    table: dict[str, Counter[int]] = {}
    for subtask, _revision, n in per_revision:
        table.setdefault(subtask, Counter())[n] += 1
    most = max((n for counts in table.values() for n in counts), default=0)
    head = ("subtask", *(f"{n} reviews" if n > 1 else "1 review" for n in range(1, most + 1)))
    rows = [
        (name, *(str(counts[n]) for n in range(1, most + 1)))
        for name, counts in sorted(table.items())
    ]
    states = Counter(
        dict(
            Candidate.objects.filter(is_control=False)
            .order_by()
            .values_list("state")
            .annotate(Count("pk"))
        )
    )
    words = ["Candidates by state: " + (_counts(states) or "none") + "."]
    return Section("Items and overlap", words, [Table("Items by number of reviews", head, rows)])


def agreement(data: Mapping[str, Any]) -> Section:
    """Return agreement as ``measure_agreement`` found it: every measure, by subtask, the warnings."""
    rows, warnings = [], []
    for measure in Measure:
        entry = data["whole"][measure]
        rows.append((_SHORT.get(measure, str(measure)), *_entry(entry)))
        warnings += [f"{_SHORT.get(measure, str(measure))}: {text}" for text in entry["warnings"]]
    by_subtask = [
        (name, *_entry(entries[Measure.DECISION]))
        for name, entries in data["by"][By.SUBTASK].items()
    ]
    head = ("items", "raters", "raw", "alpha (95 %)", "AC1", "Fleiss", "Brennan-Prediger")
    drawn = {
        "agreement_by_subtask": (By.SUBTASK, "Krippendorff's alpha of decisions by subtask, 95 %"),
        "agreement_by_week": (By.WEEK, "Krippendorff's alpha of decisions by week, 95 %"),
    }
    figures = [
        Figure(name, caption, svg)
        for name, (by, caption) in drawn.items()
        if (svg := drawn_chart(data, by, Measure.DECISION))
    ]
    return Section(
        "Agreement",
        [
            "Independent first reviews alone: no adjudication, no control item, no review of a "
            "superseded revision, none beyond those wanted. Intervals are percentile bootstraps "
            "over items (2,000 resamples, seed 0); items are those with two or more labels.",
            *warnings,
        ],
        [
            Table("Agreement by measure", ("measure", *head), rows),
            Table("Agreement on the decision by subtask", ("subtask", *head), by_subtask),
        ],
        figures,
        [
            "python manage.py agreement --json",
            "python manage.py agreement --by subtask --json",
            "python manage.py agreement --table raw.csv",
        ],
    )


def rejected() -> Section:
    """Return rejecting reviews by subtask and reason."""
    table: dict[str, Counter[str]] = {}
    for subtask, reason, n in rejections()["subtask"]:
        table.setdefault(subtask, Counter())[reason] = n
    reasons = sorted({reason for counts in table.values() for reason in counts})
    rows = [
        (name, *(str(counts[reason]) for reason in reasons), str(counts.total()))
        for name, counts in sorted(table.items())
    ]
    head = ("subtask", *(reason.replace("_", " ") for reason in reasons), "all")
    return Section("Rejections", (), [Table("Rejecting reviews by reason", head, rows)])


def adjudication() -> Section:
    """Return what leads decided, and how often against whom."""
    outcomes = Counter(
        dict(Adjudication.objects.order_by().values_list("outcome").annotate(Count("pk")))
    )
    rows = sorted(
        (pseudonym(one.person), str(one.settled), f"{one.against}: {_share(one)}")
        for one in overturned_reviewers()
    )
    head = ("reviewer", "settled disputes they had a part in", "decided otherwise (95 %)")
    words = ["Decisions of leads: " + (_counts(outcomes) or "none yet") + "."]
    return Section("Adjudication", words, [Table("Overturned reviewers", head, rows)])


def _share(one: Any) -> str:
    return within(one.share, *one.interval)


def checks() -> Section:
    """Return what automatic checks found in the current revisions, and what people said of it."""
    current = Finding.objects.filter(revision__superseded_at=None)
    counts = current.order_by("kind", "severity").values_list("kind", "severity")
    verdicts: dict[tuple[str, int], Counter[str]] = {}
    said = FindingVerdict.objects.filter(review__in=independent_reviews().values("pk")).order_by()
    for kind, severity, verdict, n in said.values_list(
        "finding__kind", "finding__severity", "verdict"
    ).annotate(Count("pk")):
        verdicts.setdefault((kind, severity), Counter())[verdict] = n
    rows = [
        (
            kind,
            str(severity),
            str(n),
            *(
                str(verdicts.get((kind, severity), Counter())[v])
                for v in ("confirmed", "dismissed")
            ),
        )
        for kind, severity, n in counts.annotate(Count("pk"))
    ]
    head = ("kind", "severity", "findings", "confirmed", "dismissed")
    return Section(
        "What the checks found",
        ["Severity 3 blocks a release, 2 needs a person's word, 1 is a note."],
        [Table("Findings by kind", head, rows)],
        commands=["python manage.py run_checks --out findings.jsonl"],
    )


def audits(found: Mapping[Origin, Mapping[str, SetAudit]]) -> Section:
    """Return what guesses that never read the question gain, and how people judge distractors."""
    gates = [
        (
            f"{name} ({origin})",
            str(audit.n),
            str(audit.gate.verdict).replace("_", " "),
            *_top(audit),
        )
        for origin, audits in found.items()
        for name, audit in sorted(audits.items())
    ]
    operators = [
        (
            one.operator,
            one.model or "–",
            str(one.options),
            str(one.verdicts.total()),
            *(number(one.verdicts[v] / one.verdicts.total()) for v in _COMPLAINTS),
        )
        for one in operator_verdicts()
    ]
    return Section(
        "Audits of whole sets",
        ["Attacks see the options alone. Chance, accuracy and its 95 % interval of the strongest."],
        [
            Table(
                "Choice-only attacks",
                ("set", "questions", "gate", "chance", "strongest attack", "right (95 %)"),
                gates,
            ),
            Table(
                "Distractors as reviewers judge them, by operator and model",
                ("operator", "model", "options", "verdicts", *map(_spaced, _COMPLAINTS)),
                operators,
            ),
        ],
        commands=["python manage.py audit --json"],
    )


_COMPLAINTS = ("also_correct", "too_easy", "malformed", "duplicate")


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _top(audit: SetAudit) -> Sequence[str]:
    if not audit.attacked or not audit.attacked.results:
        return ("–", "–", "–")
    best = max(audit.attacked.results, key=lambda result: result.accuracy)
    right = within(best.accuracy, best.accuracy_low, best.accuracy_high)
    return number(best.chance), _spaced(best.name), right


def _entry(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the cells of a measure: items, raters, raw, alpha with interval, the others."""
    alpha = entry["alpha"]
    yield str(entry["n_pairable"])
    yield str(entry["n_raters"])
    yield number(entry["raw"])
    yield within(alpha["value"], alpha["low"], alpha["high"])
    for name in ("ac1", "fleiss", "brennan_prediger"):
        yield number(entry[name])


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{_spaced(name)} {n}" for name, n in sorted(counts.items()))
