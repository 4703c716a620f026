"""Writes made-up sources and items in bulk: texts, steps, candidates, revisions, options, findings."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.contrib.auth.models import User

from generation.core.labels import label_of
from generation.core.prompts import slot_names
from generation.core.records import Success
from generation.core.registry import SUBTASKS
from generation.models import (
    CallState,
    Candidate,
    Finding,
    GenerationRun,
    LLMCall,
    Option,
    Revision,
    RunState,
    Source,
    SourceForm,
    Step,
    Text,
)
from generation.services.texts import store_texts
from review.core.synthetic import texts
from review.core.synthetic.made import MadeItem
from review.core.synthetic.texts import MadeSource
from review.models import Control, ControlUse

PLACE = "synthetic:"
"""How the place of a made-up source begins."""
BATCH = 2_000
_TOOLS = [
    {
        "name": "bash",
        "description": "Run a shell command.",
        "arguments": {"command": "the command"},
        "required": ["command"],
    }
]
_MODEL = "made-up-model"
LLM_OPERATOR = "llm_distractor"


class SourceRows:
    """Stores sources with their steps; outputs of tools are shared."""

    def __init__(self, *, now: datetime, weeks: int) -> None:
        self._imported_at = now - timedelta(weeks=weeks, days=3)
        self._observations: list[Text] = []
        self.counts: Counter[str] = Counter()

    def share_texts(self) -> None:
        """Store the outputs that all runs share."""
        bodies = [texts.observation(number) for number in range(texts.OBSERVATIONS)]
        stored = store_texts(bodies)
        self._observations = [stored[body] for body in bodies]

    def store(self, sources: Iterable[MadeSource]) -> dict[int, Source]:
        """Store each source once and return the rows by the sources' numbers."""
        made = {source.number: source for source in sources}
        tasks = store_texts([texts.task(source) for source in made.values()])
        rows = Source.objects.bulk_create(
            [self._source(one, tasks[texts.task(one)]) for one in made.values()], batch_size=BATCH
        )
        stored = dict(zip(made, rows, strict=True))
        steps = Step.objects.bulk_create(
            [
                row
                for one in made.values()
                if one.is_run
                for row in self._steps(one, stored[one.number])
            ],
            batch_size=BATCH,
        )
        self.counts.update(sources=len(rows), steps=len(steps))
        return stored

    def _source(self, made: MadeSource, task: Text) -> Source:
        place = f"{PLACE}{made.number}"
        is_agent = made.is_run and made.kind != "infodeepseek"
        return Source(
            form=SourceForm.TRAJECTORY if made.is_run else SourceForm.QUESTION,
            kind=made.kind,
            external_id=f"made-up-{made.number:06}",
            digest=hashlib.sha256(place.encode()).hexdigest(),
            cluster=f"made-up-{made.number // 3}",
            language=made.language,
            task=task,
            tools=_TOOLS if is_agent else [],
            outcome={"submission": "made up"} if is_agent else {},
            success=Success.CONFIRMED if made.is_confirmed else Success.UNCONFIRMED,
            model=made.model,
            licence=made.licence,
            place=place,
            imported_at=self._imported_at,
        )

    def _steps(self, made: MadeSource, source: Source) -> Iterator[Step]:
        for number in range(1, texts.STEPS + 1):
            action = texts.action(made, number)
            yield Step(
                source=source,
                number=number,
                thought=texts.thought(made, number),
                tool="search" if made.kind == "infodeepseek" else "bash",
                arguments={"command": action},
                action=action,
                observation=self._observations[(made.number * 7 + number) % texts.OBSERVATIONS],
            )


@dataclass(frozen=True, slots=True)
class StoredRevision:
    """A revision with the round of reviews to store of it; options and findings in given order."""

    made: MadeItem
    number: int
    revision: Revision
    options: tuple[Option, ...]
    findings: tuple[Finding, ...]


class ItemRows:
    """Stores items with all their revisions; some options come from calls of a made-up model."""

    def __init__(self, *, leads: Sequence[User], reviewers: Sequence[User]) -> None:
        self._leads = leads
        self._reviewers = reviewers
        self._run: GenerationRun | None = None
        self.counts: Counter[str] = Counter()

    def store(self, items: Sequence[MadeItem], sources: dict[int, Source]) -> list[StoredRevision]:
        """Store the items and return their revisions, oldest first within each."""
        candidates = Candidate.objects.bulk_create(
            [
                Candidate(
                    subtask=item.subtask,
                    source=sources[item.source.number],
                    cut=item.cut,
                    state=item.history.state,
                    is_control=item.is_control,
                    created_at=item.at(-60),
                )
                for item in items
            ],
            batch_size=BATCH,
        )
        pairs = list(zip(items, candidates, strict=True))
        Control.objects.bulk_create([self._control(*pair) for pair in pairs if pair[0].is_control])
        planned = [
            (item, number, self._revision(item, candidate, number))
            for item, candidate in pairs
            for number in range(1, len(item.history.revisions) + 1)
        ]
        Revision.objects.bulk_create([row for _i, _n, row in planned], batch_size=BATCH)
        calls = self._calls(planned)
        options = [
            [] if item.history.state == "draft" else self._options(item, row, calls.get(row.pk))
            for item, _n, row in planned
        ]
        findings = [
            [] if item.history.state == "draft" else _findings(item, row)
            for item, _n, row in planned
        ]
        Option.objects.bulk_create([o for some in options for o in some], batch_size=BATCH)
        Finding.objects.bulk_create([f for some in findings for f in some], batch_size=BATCH)
        self.counts.update(
            candidates=len(candidates),
            controls=sum(item.is_control for item in items),
            revisions=len(planned),
            options=sum(map(len, options)),
            findings=sum(map(len, findings)),
            calls=len(calls),
        )
        return [
            StoredRevision(item, number, row, tuple(some), tuple(found))
            for (item, number, row), some, found in zip(planned, options, findings, strict=True)
        ]

    def _control(self, item: MadeItem, candidate: Candidate) -> Control:
        reason = item.question.reason
        return Control(
            candidate=candidate,
            use=ControlUse.QUEUE,
            decision="reject" if reason else "approve",
            reject_reason=reason,
            why="Made up.",
            made_by=self._leads[0],
            created_at=item.at(-50),
        )

    def _revision(self, item: MadeItem, candidate: Candidate, number: int) -> Revision:
        rounds = item.history.revisions
        is_latest = number == len(rounds)
        edited_at = None
        author = None
        if number > 1:
            before = rounds[number - 2][-1]
            edited_at = item.at(before.after or before.turns[-1].after)
            author = self._author(item, number)
        superseded = None
        if not is_latest:
            last = rounds[number - 1][-1]
            superseded = item.at(last.after or last.turns[-1].after)
        return Revision(
            candidate=candidate,
            number=number,
            slots=_slots(item),
            gold=[label_of(place) for place in item.question.gold]
            or [texts.answer(item.source, item.cut)],
            author=author,
            note="made up: worded more clearly" if number > 1 else "",
            created_at=edited_at or item.at(-60),
            checked_at=None if item.history.state == "draft" else edited_at or item.at(-55),
            superseded_at=superseded,
        )

    def _author(self, item: MadeItem, number: int) -> User:
        """Return who wrote a later revision: the reviewer who edited, else a lead."""
        before = item.history.revisions[number - 2][-1]
        if not before.verdict:
            for turn in before.turns:
                if turn.review is not None and not turn.is_undone:
                    return self._reviewers[turn.reviewer]
        return self._leads[item.number % len(self._leads)]

    def _calls(self, planned: Sequence[tuple[MadeItem, int, Revision]]) -> dict[int, LLMCall]:
        """Store a call for each first revision with an option by a model; return them by revision."""
        wanted = [
            (item, row)
            for item, number, row in planned
            if number == 1
            and item.history.state != "draft"
            and LLM_OPERATOR in item.question.options
        ]
        run = self._generation_run(planned[0][0].at(-80)) if wanted else None
        rows = LLMCall.objects.bulk_create(
            [
                LLMCall(
                    run=run,
                    target=str(row.candidate_id),
                    operator=LLM_OPERATOR,
                    model=_MODEL,
                    seed=0,
                    prompt_version="1",
                    request={"messages": [{"role": "user", "content": "made up"}]},
                    request_digest=hashlib.sha256(str(item.number).encode()).hexdigest(),
                    response={"text": "made up"},
                    state=CallState.DONE,
                    attempts=1,
                    prompt_tokens=900 + item.number % 700,
                    completion_tokens=60 + item.number % 50,
                    cost_usd=Decimal("0.000400") + Decimal(item.number % 300) / 1_000_000,
                    created_at=item.at(-59),
                    finished_at=item.at(-58.9),
                )
                for item, row in wanted
            ],
            batch_size=BATCH,
        )
        return {row.pk: call for (_item, row), call in zip(wanted, rows, strict=True)}

    def _generation_run(self, at: datetime) -> GenerationRun:
        if self._run is None:
            self._run = GenerationRun.objects.create(
                operators=[LLM_OPERATOR],
                endpoints=[_MODEL],
                prompt_versions=["1"],
                seed=0,
                budget_usd=100,
                state=RunState.FINISHED,
                started_by=self._leads[0],
                created_at=at,
                finished_at=at + timedelta(hours=5),
            )
        return self._run

    def _options(self, item: MadeItem, row: Revision, call: LLMCall | None) -> list[Option]:
        return [
            Option(
                revision=row,
                position=position,
                text=texts.option(item.source, item.cut, position),
                operator=operator,
                reason="right" if operator == "gold" else "wrong: made up",
                model=_MODEL if operator == LLM_OPERATOR else "",
                llm_call=call if operator == LLM_OPERATOR else None,
            )
            for position, operator in enumerate(item.question.options)
        ]


def _slots(item: MadeItem) -> dict[str, str]:
    if item.source.is_run:
        return {}
    names = slot_names(SUBTASKS[item.subtask].prompt.block)
    return texts.slots(item.source, item.cut, [name for name in names if name != "options"])


def _findings(item: MadeItem, row: Revision) -> list[Finding]:
    return [
        Finding(
            revision=row,
            kind=kind,
            severity=severity,
            field="prompt",
            end=10,
            evidence="made up",
            digest=hashlib.sha256(f"{place}{kind}".encode()).hexdigest(),
            created_at=row.checked_at or row.created_at,
        )
        for place, (kind, severity) in enumerate(item.question.findings)
    ]
