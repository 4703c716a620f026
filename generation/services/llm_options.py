"""Distractors that models write: what is asked for a draft, and which of the answers can stand."""

import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from generation.core.llm_prompts.catalogue import PROMPTS, VERSIONS
from generation.core.llm_prompts.operators import LLM_OPERATORS, SPARE, AskedOptions
from generation.core.llm_prompts.prompt import LlmPrompt
from generation.core.llm_prompts.report_degradation import RESPECTS
from generation.core.llm_prompts.request import Request, request_for
from generation.core.llm_prompts.written import chosen_set
from generation.core.operators.operator import Unfit, Wrong
from generation.core.records import Language
from generation.core.registry import SUBTASKS
from generation.core.replies.delimited import MarkInData
from generation.core.replies.outcome import answer_in
from generation.core.subtask import PoolEntry, Subtask
from generation.models import (
    CallState,
    Candidate,
    CandidateState,
    LLMCall,
    ModelEndpoint,
    Option,
    Revision,
    SourceForm,
)
from generation.services import audit
from generation.services.leaks import leak_checker, leaking_option
from generation.services.options import holds_gold_alone, pool_of
from generation.services.texts import storable
from generation.services.trajectories import load_trajectory


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a model wrote for a draft: why it is wrong, and the call it comes from."""

    text: str
    reason: str
    call: LLMCall


def target_of(revision_pk: int, respect: str = "") -> str:
    """Return the name under which calls know a revision, and what of it is to be made worse."""
    return f"revision:{revision_pk}:{respect}" if respect else f"revision:{revision_pk}"


def revision_of(target: str) -> int:
    """Return the key of the revision that a call is for."""
    return int(target.split(":")[1])


def respect_of(target: str) -> str:
    """Return in what respect a call is to make a revision's gold worse; "" where it is open."""
    return target.partition(":")[2].partition(":")[2]


def wrong_wanted(subtask: Subtask) -> range:
    """Return how many wrong options a subtask's items may have: the fewest to the most."""
    choices = subtask.choices or range(2, 3)
    return range(choices[0] - 1, choices[-1])


def calls_for(
    revisions: Sequence[Revision],
    *,
    operator: str,
    endpoints: Sequence[ModelEndpoint],
    seed: int,
) -> Iterator[LLMCall]:
    """Yield unsaved calls that ask every model for wrong options of every draft.

    All revisions are of one subtask, which the operator knows.
    """
    for entry, revision in pool_of(revisions).values():
        subtask = SUBTASKS[revision.candidate.subtask]
        asked = LLM_OPERATORS[operator][subtask.name]
        language = Language(subtask.language)
        prompt = PROMPTS[asked.purpose, language]
        data = asked.material(entry, task=revision.candidate.source.task.body)
        count = str(wrong_wanted(subtask)[-1] + SPARE)
        for respect, said in (asked.respects or {"": {}}).items():
            words = {"wanted": count, "respect": said.get(language, "")}
            for endpoint in endpoints:
                request = _request(prompt, endpoint, data, words, seed)
                yield LLMCall(
                    target=target_of(revision.pk, respect),
                    operator=operator,
                    model=endpoint.name,
                    endpoint=endpoint,
                    seed=seed,
                    prompt_version=prompt.version,
                    request=request.body,
                    request_digest=request.digest,
                )


def _request(
    prompt: LlmPrompt,
    endpoint: ModelEndpoint,
    data: Mapping[str, str],
    words: Mapping[str, str],
    seed: int,
) -> Request:
    """Return a request whose mark no text of it holds."""
    while True:
        try:
            return request_for(
                prompt,
                model=endpoint.model,
                data=data,
                words=words,
                mark=secrets.token_hex(8),
                seed=seed,
                is_structured=endpoint.is_structured,
            )
        except MarkInData:
            continue


def give_options(revision_pk: int, *, operator: str, seed: int) -> None:
    """Give a draft its distractors from what models wrote, where enough of it can stand.

    A draft that has its options already, or is no draft any more, stays as it is.
    """
    revision = _draft(revision_pk)
    if revision is None:
        return
    chosen, _why = _chosen(revision, operator=operator, seed=seed)
    if chosen:
        _store(revision, chosen, seed=seed)


def why_without_options(revision_pk: int, *, operator: str, seed: int) -> str:
    """Return why a draft got no options from what models wrote; "" where it is no such draft."""
    revision = _draft(revision_pk)
    return _chosen(revision, operator=operator, seed=seed)[1] if revision else ""


def _draft(revision_pk: int) -> Revision | None:
    """Return a revision that holds gold alone, all it needs loaded; None where it is another."""
    revision = Revision.objects.current().with_content().filter(pk=revision_pk).first()
    return revision if revision and holds_gold_alone(revision) else None


def _chosen(revision: Revision, *, operator: str, seed: int) -> tuple[list[Written], str]:
    """Return a draft's distractors, or none and why.

    All answered calls of that operator and seed count, whichever run paid for them.
    """
    targets = [target_of(revision.pk, respect) for respect in ("", *RESPECTS)]
    calls = LLMCall.objects.filter(
        target__in=targets, operator=operator, seed=seed, state=CallState.DONE
    )
    ((entry, _revision),) = pool_of([revision]).values()
    standing, faults = _standing(list(calls.order_by("pk")), revision, entry)
    subtask = SUBTASKS[revision.candidate.subtask]
    wanted = wrong_wanted(subtask)
    places = chosen_set(
        [written.text for written in standing],
        gold=entry.draft.gold,
        wanted=wanted,
        seed=str(seed),
        is_same=LLM_OPERATORS[operator][subtask.name].is_same,
    )
    if places is not None:
        return [standing[place] for place in places], ""
    most = f"; most often: {faults.most_common(1)[0][0]}" if faults else ""
    return [], f"fewer than {wanted[0]} options could stand{most}"


def _standing(
    calls: Sequence[LLMCall], revision: Revision, entry: PoolEntry
) -> tuple[list[Written], Counter[str]]:
    """Return the texts that can stand as options, and how often a rule refused one."""
    source = revision.candidate.source
    is_run = source.form != SourceForm.DOCUMENT
    leaks = leak_checker(load_trajectory(source)) if is_run else None
    standing: list[Written] = []
    faults: Counter[str] = Counter()
    for call in calls:
        asked = LLM_OPERATORS[call.operator][revision.candidate.subtask]
        for written in written_in(call, entry, asked):
            if isinstance(written, Unfit):
                faults[written.why] += 1
                continue
            fault = asked.fault(written.text, entry)
            if (
                not fault
                and leaks
                and leaking_option([written.text], revision.candidate.cut, leaks)
            ):
                fault = "the text would show a later observation"
            if fault is None:
                standing.append(written)
            else:
                faults[fault] += 1
    return standing, faults


def written_in(call: LLMCall, entry: PoolEntry, asked: AskedOptions) -> list[Written | Unfit]:
    """Return the texts of an answered call, before any rule looks at them, or why one is none.

    Raises:
        ReplyFault: the call was not answered.
    """
    shape = VERSIONS[call.prompt_version].shape
    answer = answer_in(call.response["body"], asked_model=call.request["model"], shape=shape)
    respect = respect_of(call.target)
    before = f"{respect}: " if respect else ""
    return [
        Written(read.text, f"{before}{read.reason}", call) if isinstance(read, Wrong) else read
        for read in asked.options(answer, entry)
    ]


@transaction.atomic
def _store(revision: Revision, chosen: Sequence[Written], *, seed: int) -> None:
    """Write a draft's distractors; nothing where it got some meanwhile."""
    candidate = Candidate.objects.select_for_update().get(pk=revision.candidate_id)
    is_draft = candidate.state == CandidateState.DRAFT and revision.superseded_at is None
    golds = len(revision.gold)
    if not is_draft or Option.objects.filter(revision=revision).count() != golds:
        return
    Option.objects.bulk_create(
        Option(
            revision=revision,
            position=position,
            text=storable(written.text),
            operator=written.call.operator,
            reason=storable(written.reason),
            model=written.call.model,
            prompt_version=written.call.prompt_version,
            seed=seed,
            llm_call=written.call,
        )
        for position, written in enumerate(chosen, start=golds)
    )
    after = [option.text for option in Option.objects.filter(revision=revision)]
    audit.record("candidate.options_made", candidate, after=after)
