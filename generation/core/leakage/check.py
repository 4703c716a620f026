"""The leak check of one trajectory's items: what their texts tell of the future."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from generation.core.items import Finding, Severity
from generation.core.leakage.answer_key import answer_fields
from generation.core.leakage.atoms import Atom, holds_whole, unusual_atoms
from generation.core.leakage.first_seen import FirstSeenMap
from generation.core.leakage.given_away import Answer, occurrences
from generation.core.leakage.lexicon import success_assertions
from generation.core.leakage.looked_up import LookedUp, look_up_texts
from generation.core.leakage.passage import Horizon, Passage
from generation.core.leakage.settle import settled
from generation.core.leakage.spans import KIND_OF_ORIGIN, Span, verbatim_spans
from generation.core.prompts import render_options
from generation.core.records import Step

_LONG_ATOM = 12  # a longer one may be cut at its ends and is still the visible one


class LeakChecker:
    """Checks items cut from one trajectory; what is costly is done once, when it is made."""

    def __init__(self, seen: FirstSeenMap, *, steps: int, final_answer: str) -> None:
        """Keep the map of a run of ``steps`` steps that ended with ``final_answer``."""
        self.seen = seen
        self._steps = steps
        self._final_answer = Answer.of(final_answer)

    @classmethod
    def for_trajectory(
        cls,
        *,
        task: str,
        steps: Sequence[Step],
        tools_text: str = "",
        final_answer: str = "",
        submission: str = "",
        visible_extra: str | Iterable[str] = (),
    ) -> "LeakChecker":
        """Return the checker of a run.

        ``tools_text`` and ``visible_extra`` (system prompt, fixed template text) are visible at
        every cut; ``final_answer`` and ``submission`` are future at every cut.
        """
        extra = (visible_extra,) if isinstance(visible_extra, str) else tuple(visible_extra)
        seen = FirstSeenMap.build(
            task=task,
            steps=steps,
            always_shown=(tools_text, *extra),
            outcomes=(final_answer, submission),
        )
        return cls(seen, steps=len(steps), final_answer=final_answer)

    def check(
        self,
        *,
        cut: int,
        prompt: str,
        options: Sequence[str] = (),
        gold: Sequence[str] = (),
        visible_thought: bool = False,
    ) -> list[Finding]:
        """Return what leaks into an item that asks for step ``cut``, prompt first.

        ``cut`` is 1-based, at most one more than the run has steps; ``gold`` are texts, for a
        choice those of the right options. ``visible_thought`` says that the subtask shows the
        thought of step ``cut``. Offsets are code points of the field's own text. Options rendered
        into the prompt are judged as options, not as prompt.

        Raises:
            ValueError: the run has no such cut.
        """
        if not 1 <= cut <= self._steps + 1:
            msg = f"cut {cut} is outside 1..{self._steps + 1}"
            raise ValueError(msg)
        horizon = Horizon.at(self.seen, cut, thought_shown=visible_thought)
        asked_text, *option_texts = look_up_texts((prompt, *options), self.seen)
        asked = Passage(asked_text, horizon, exempt=_rendered_options(prompt, options))
        found = [
            *_copied(asked, "prompt"),
            *self._given_away(asked, _answers(gold, option_texts), cut),
            *_outcome_findings(asked),
        ]
        findings = settled(found)
        for index, option in enumerate(option_texts):
            field = f"option:{index}"
            findings += settled(_copied(Passage(option, horizon, is_option=True), field))
        return findings

    def _given_away(self, asked: Passage, gold: Iterable[Answer], cut: int) -> Iterator[Finding]:
        for answer in gold:
            for start, end in occurrences(asked, answer, one_word=False):
                yield _finding(
                    asked, "prompt", "gold_in_prompt", Severity.BLOCKS_RELEASE, start, end, cut
                )
        for start, end in occurrences(asked, self._final_answer, one_word=True):
            yield _finding(
                asked, "prompt", "final_answer", Severity.BLOCKS_RELEASE, start, end, None
            )


def _answers(gold: Sequence[str], options: Sequence[LookedUp]) -> Iterator[Answer]:
    """Yield each gold text once, as it was already worked on where it is one of the options."""
    known = {option.original: option for option in options}
    for text in dict.fromkeys(gold):
        option = known.get(text)
        if option is None or text != text.strip():
            yield Answer.of(text)
        else:
            yield Answer(option.normalised.text.strip(), option.tokens)


def _rendered_options(prompt: str, options: Sequence[str]) -> tuple[tuple[int, int], ...]:
    if not 0 < len(options) <= 26:
        return ()
    rendered = render_options(options)
    start = prompt.find(rendered)  # never rfind: it is quadratic on hostile text
    return () if start < 0 else ((start, start + len(rendered)),)


def _copied(passage: Passage, field: str) -> Iterator[Finding]:
    """Yield verbatim stretches of the future, then single facts outside the grave ones."""
    spans = list(verbatim_spans(passage))
    for span in spans:
        yield _span_finding(passage, field, span)
    grave = [span for span in spans if span.severity >= Severity.NEEDS_PERSON]
    ends = [span.end for span in grave]
    for start, end in passage.unseen:
        for atom in unusual_atoms(passage.normalised.text, start, end):
            around = bisect_left(ends, atom.end)
            if around < len(grave) and grave[around].start <= atom.start:
                continue
            finding = _atom_finding(passage, field, atom)
            if finding is not None:
                yield finding


def _span_finding(passage: Passage, field: str, span: Span) -> Finding:
    seen = passage.horizon.seen
    kind = KIND_OF_ORIGIN[seen.origin(span.source_text)]
    severity = span.severity
    if kind == "final_answer" and severity == Severity.NEEDS_PERSON:
        severity = Severity.BLOCKS_RELEASE
    step = seen.step(span.source_text)
    return _finding(passage, field, kind, severity, span.start, span.end, step)


def _atom_finding(passage: Passage, field: str, atom: Atom) -> Finding | None:
    if passage.is_exempt(atom.start, atom.end):
        return None
    seen = passage.horizon.seen
    place = _future_place(passage, atom, seen.normalised.text)
    if place < 0:
        return None
    source = seen.text_of_code(place)
    severity = Severity.NOTE if atom.kind == "identifier" else Severity.NEEDS_PERSON
    kind = KIND_OF_ORIGIN[seen.origin(source)]
    return _finding(passage, field, kind, severity, atom.start, atom.end, seen.step(source))


def _future_place(passage: Passage, atom: Atom, whole: str) -> int:
    """Return where the future first holds the atom, -1 if it does not or something allows it."""
    horizon = passage.horizon
    ends_whole = atom.kind in {"path", "identifier"}
    if not passage.may_leak(atom.start, atom.end, ends_whole=ends_whole):
        return -1
    place = holds_whole(whole, atom, 0, len(whole))
    if place < horizon.codes:
        return -1
    if len(atom.text) >= _LONG_ATOM and horizon.shows_text(atom.text):
        return -1
    if not passage.is_option:
        return place
    if holds_whole(horizon.seen.spoken_text, atom, 0, len(horizon.seen.spoken_text)) >= 0:
        return -1
    return place


def _outcome_findings(passage: Passage) -> Iterator[Finding]:
    text = passage.normalised.text
    for start, end in passage.unseen:
        for low, high in success_assertions(text, start, end):
            yield from _told(passage, "outcome", low, high)
        for key in answer_fields(text, start, end):
            yield from _told(passage, key.kind, key.start, key.end)


def _told(passage: Passage, kind: str, start: int, end: int) -> Iterator[Finding]:
    """Yield the finding unless the visible part says the same."""
    said = passage.normalised.text[start:end]
    if passage.is_exempt(start, end) or passage.horizon.shows_text(said):
        return
    seen = passage.horizon.seen
    place = seen.normalised.text.find(said, passage.horizon.codes)
    step = None if place < 0 else seen.step(seen.text_of_code(place))
    yield _finding(passage, "prompt", kind, Severity.BLOCKS_RELEASE, start, end, step)


def _finding(
    passage: Passage,
    field: str,
    kind: str,
    severity: Severity,
    start: int,
    end: int,
    step: int | None,
) -> Finding:
    begin, stop = passage.normalised.original_span(start, end)
    return Finding(
        kind=kind,
        severity=severity,
        field=field,
        evidence=passage.original[begin:stop],
        start=begin,
        end=stop,
        source_step=step,
    )
