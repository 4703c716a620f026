"""Edits of questions: what a new wording would be found to be, and the revision it becomes.

An edit never changes a revision. It makes the next one, and the one before is superseded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Max

from generation.core import items
from generation.core.checks.catalogue import check_item
from generation.core.items import Item
from generation.core.registry import SUBTASKS
from generation.core.wording import Rules, Wording, editable_slots
from generation.models import Candidate, CandidateState, Option, Revision, SourceForm
from generation.services import audit
from generation.services.findings import store_findings
from generation.services.prompts import prompts_in_use
from generation.services.runs import Run, leaks_in, run_at_hand
from generation.services.texts import storable
from generation.services.trajectories import load_item, slots_of

EDITED = "edit"
"""The operator of an option that a person wrote."""


@dataclass(frozen=True, slots=True)
class Editing:
    """A revision as it is edited: its present wording, the rules, and what checks need of it."""

    revision: Revision
    rules: Rules
    run: Run
    item: Item

    @property
    def before(self) -> Wording:
        """The present wording."""
        return self.rules.before

    def findings(self, wording: Wording) -> list[items.Finding]:
        """Return what all checks of one item say of a wording, leaks first."""
        return self._check(wording, self.item.slots)

    def findings_in_own(self, wording: Wording) -> list[items.Finding]:
        """Return what they say of it without its run's history, which no edit changes.

        The history may be megabytes, the rest is what a person can type: this is quick enough to
        be asked at every pause of typing. Offsets into the prompt are other ones.
        """
        slots = dict(self.item.slots)
        if self.run.trajectory is not None and "history" not in self.revision.slots:
            slots["history"] = ""
        return self._check(wording, slots)

    def _check(self, wording: Wording, slots: Mapping[str, str]) -> list[items.Finding]:
        item = replace(
            self.item,
            slots={**slots, **wording.slots},
            options=wording.options,
            gold=wording.gold,
        )
        cut, own = self.revision.candidate.cut, self.own_slots(wording)
        return [*leaks_in(item, cut=cut, own=own, run=self.run), *check_item(item)]

    def own_slots(self, wording: Wording) -> dict[str, str]:
        """Return the slots that the revision of a wording holds itself.

        A built question holds only what differs from its run's own text.
        """
        stored: Mapping[str, str] = self.revision.slots
        if self.run.trajectory is None:
            return {**stored, **wording.slots}
        bare = Revision(candidate=self.revision.candidate, slots={})
        given = slots_of(bare, self.run.trajectory)
        own = {**stored, **wording.slots}
        return {name: text for name, text in own.items() if text != given.get(name)}


def read_for_editing(revision: Revision) -> Editing:
    """Return what an edit of a revision starts from; the revision comes with its content.

    The run of its source is read the first time, and kept for the next pause of typing.
    """
    candidate = revision.candidate
    source, subtask = candidate.source, SUBTASKS[candidate.subtask]
    run = run_at_hand(source)
    used = prompts_in_use().get(subtask.name) if source.form == SourceForm.QUESTION else None
    item = load_item(revision, run.trajectory, examples=used.prompt.head if used else "")
    slots = editable_slots(subtask, item.slots, all_own=run.trajectory is None)
    before = Wording(slots=slots, options=item.options, gold=item.gold)
    return Editing(revision, Rules(subtask, before, imported=item.imported), run, item)


def supersede(
    *,
    editing: Editing,
    wording: Wording,
    findings: Sequence[items.Finding],
    author: User,
    note: str,
    now: datetime,
) -> Revision:
    """Store a wording as the candidate's next revision and put it in review; return it.

    The caller holds the candidate's lock and has seen that ``editing`` is of the current
    revision; ``findings`` are those of the wording. Options whose text stands in the revision
    before keep where they came from.
    """
    old = editing.revision
    candidate = old.candidate
    before = candidate.state
    Revision.objects.filter(pk=old.pk).update(superseded_at=now)
    last = Revision.objects.filter(candidate=candidate).aggregate(last=Max("number"))["last"]
    new = Revision.objects.create(
        candidate=candidate,
        number=last + 1,
        slots={name: storable(text) for name, text in editing.own_slots(wording).items()},
        gold=[storable(text) for text in wording.gold],
        author=author,
        note=storable(note),
    )
    Option.objects.bulk_create(_options(old, new, wording))
    _move(candidate, CandidateState.CHECKED)
    audit.record(
        "candidate.edited",
        candidate,
        actor=author,
        before=[before, old.number, _state_of(editing.before)],
        after=[CandidateState.CHECKED, new.number, _state_of(wording)],
        detail=f"revision {new.number}",
    )
    store_findings(new.pk, findings)
    _move(candidate, CandidateState.IN_REVIEW)
    audit.record(
        "candidate.checked",
        candidate,
        before=CandidateState.CHECKED,
        after=CandidateState.IN_REVIEW,
        detail=f"revision {new.number}",
    )
    return new


def take_back(*, new: Revision, old: Revision, actor: User, now: datetime) -> None:
    """Make the revision that an edit was made from current again; ``new`` stays, superseded.

    The caller holds the candidate's lock and has seen that nothing rests on ``new``.
    """
    Revision.objects.filter(pk=new.pk).update(superseded_at=now)
    Revision.objects.filter(pk=old.pk).update(superseded_at=None)
    audit.record(
        "candidate.edit_undone",
        new.candidate,
        actor=actor,
        before=new.number,
        after=old.number,
        detail=f"revision {new.number}",
    )


def _options(old: Revision, new: Revision, wording: Wording) -> list[Option]:
    """Return the new revision's options, unsaved."""
    stored = list(old.options.all())
    known = {option.text: option for option in reversed(stored)}
    options = []
    for position, text in enumerate(wording.options):
        fresh = Option(revision=new, position=position, text=storable(text), operator=EDITED)
        is_there = position < len(stored) and stored[position].text == text
        if same := stored[position] if is_there else known.get(text):
            fresh.operator, fresh.reason, fresh.model = same.operator, same.reason, same.model
            fresh.prompt_version, fresh.seed = same.prompt_version, same.seed
            fresh.llm_call_id = same.llm_call_id
        options.append(fresh)
    return options


def _move(candidate: Candidate, state: CandidateState) -> None:
    candidate.state = state
    candidate.save(update_fields=["state"])


def _state_of(wording: Wording) -> list[object]:
    return [dict(wording.slots), wording.options, wording.gold]
