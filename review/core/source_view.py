"""What the source column shows: sections and steps, folded, cleaned, with findings marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generation.core.records import Step
from review.core.chapters import Part
from review.core.colours import LARGEST
from review.core.display import one_line, shown, size_of
from review.core.edits import Edit, edit_of, patch_marks
from review.core.folding import Folded, fold, step_limit
from review.core.json_syntax import Syntax, json_syntax
from review.core.languages import language_of_part, language_of_text, may_have_colours
from review.core.marks import Mark, Segment, segments

PARTS = ("thought", "action", "observation")
_LEAST_EVIDENCE = 2


@dataclass(slots=True)
class Evidence:
    """Texts of findings to be marked where they first occur: finding key → text.

    ``placed`` collects the keys that were found, with the anchor of the step or section and
    whether the place itself is shown (else it lies in a folded part).
    """

    wanted: Mapping[int, str] = field(default_factory=dict)
    placed: dict[int, tuple[str, bool]] = field(default_factory=dict)

    def marks_in(self, text: str, folded: Folded, anchor: str) -> list[Mark]:
        """Return the marks of findings whose text occurs in ``text``; note where they lie."""
        found: list[Mark] = []
        for key, evidence in self.wanted.items():
            if key in self.placed or len(evidence) < _LEAST_EVIDENCE:
                continue
            start = text.find(evidence)
            if start < 0:
                continue
            end = start + len(evidence)
            is_shown = start < folded.middle_start or end > folded.middle_end
            self.placed[key] = anchor, is_shown
            found += [Mark(start, end, key)] * is_shown
        return found

    def note(self, marks: Sequence[Mark], folded: Folded, anchor: str) -> list[Mark]:
        """Return those of ``marks`` that are shown; note where all of them lie."""
        shown_ones: list[Mark] = []
        for mark in marks:
            is_shown = mark.start < folded.middle_start or mark.end > folded.middle_end
            self.placed[mark.key] = anchor, is_shown
            shown_ones += [mark] * is_shown
        return shown_ones


@dataclass(frozen=True, slots=True)
class TextView:
    """A text of the source as first shown; ``part`` names it among its step's texts.

    ``edit`` is what an action does to a file, where it is read as that; ``has_code`` says that
    it is code, or quotes some.
    """

    part: str
    head: tuple[Segment, ...]
    tail: tuple[Segment, ...]
    folded: Folded
    hidden: int
    edit: Edit | None = None
    has_code: bool = False

    @property
    def has_marks(self) -> bool:
        """Whether a finding is marked in what is shown."""
        return any(segment.key is not None for segment in (*self.head, *self.tail))

    @property
    def size(self) -> str:
        """The text's size for people."""
        return size_of(self.folded.size)

    @property
    def folded_size(self) -> str:
        """The size of what is folded, for people."""
        return size_of(self.folded.folded_size)


@dataclass(frozen=True, slots=True)
class StepView:
    """A step as the page shows it; ``texts`` leaves out the empty ones."""

    number: int
    tool: str
    line: str
    size: str
    texts: tuple[TextView, ...]

    @property
    def hidden(self) -> int:
        """How many invisible characters the step holds."""
        return sum(text.hidden for text in self.texts)


@dataclass(frozen=True, slots=True)
class SectionView:
    """A text that is no step: the task, the tools, a slot of an imported question, an option.

    A long one comes in several views: ``heading`` is its chapter's own, ``is_first`` says that
    the text begins here. ``is_prose`` sets it in the type of running text.
    """

    name: str
    title: str
    text: TextView
    heading: str = ""
    is_first: bool = True
    is_open: bool = True
    is_prose: bool = False


def view_text(
    text: str,
    *,
    part: str,
    limit: int,
    evidence: Evidence,
    anchor: str,
    edit: Edit | None = None,
    marks: Sequence[Mark] = (),
    language: str = "",
) -> TextView:
    """Return a text cleaned, folded to ``limit`` characters and marked.

    The syntax of an action that is a JSON call is quiet, in the head where it is folded; in other
    texts the lines of patches are marked.
    """
    clean = shown(text)
    folded = fold(clean.text, limit=limit)
    marks = [*evidence.marks_in(clean.text, folded, anchor), *evidence.note(marks, folded, anchor)]
    syntax = json_syntax(folded.head) if part == "action" else patch_marks(clean.text)
    tail_at = folded.middle_end
    shifted = [Mark(max(m.start - tail_at, 0), m.end - tail_at, m.key) for m in marks]
    return TextView(
        part=part,
        head=segments(folded.head, marks, syntax=syntax),
        tail=segments(
            folded.tail,
            [mark for mark in shifted if mark.end > 0],
            syntax=_from(syntax, tail_at),
        ),
        folded=folded,
        hidden=clean.hidden,
        edit=edit,
        has_code=len(clean.text) <= LARGEST and may_have_colours(folded.head, language),
    )


def _from(syntax: Sequence[Syntax], offset: int) -> tuple[Syntax, ...]:
    """Return the lines of patches that end after ``offset``, counted from there."""
    return tuple(
        Syntax(max(run.start - offset, 0), run.end - offset, kind=run.kind)
        for run in syntax
        if run.kind and run.end > offset
    )


def view_steps(
    steps: Sequence[Step], *, first: int, shown_in_all: int, evidence: Evidence
) -> tuple[StepView, ...]:
    """Return the steps, numbered from ``first``; ``shown_in_all`` sets how much each may show."""
    limit = step_limit(shown_in_all)
    return tuple(
        _view_step(step, number=number, limit=limit, evidence=evidence)
        for number, step in enumerate(steps, start=first)
    )


def _view_step(step: Step, *, number: int, limit: int, evidence: Evidence) -> StepView:
    texts = {"thought": step.thought, "action": step.action, "observation": step.observation}
    edits = {"action": edit_of(step.tool, step.arguments, limit=limit)}
    return StepView(
        number=number,
        tool=one_line(step.tool, limit=40),
        line=one_line(_in_brief(step)),
        size=size_of(sum(map(len, texts.values()))),
        texts=tuple(
            view_text(
                text,
                part=part,
                limit=limit,
                evidence=evidence,
                anchor=f"step-{number}",
                edit=edits.get(part),
                language=language_of_text(step, part),
            )
            for part, text in texts.items()
            if text.strip()
        ),
    )


def _in_brief(step: Step) -> str:
    """Return what tells a step from others in one line: what its tool was given, or its thought.

    A call that is shown as JSON begins like every other; its arguments' values say more.
    """
    if step.action.startswith("{"):
        values = " · ".join(str(value) for value in step.arguments.values())
        return values or step.thought
    return (step.action or step.thought).removeprefix(f"{step.tool} ")


def view_section(
    part: Part,
    title: str,
    *,
    evidence: Evidence,
    marks: Sequence[Mark] = (),
    language: str = "",
    is_open: bool = True,
    is_prose: bool = False,
) -> SectionView:
    """Return a part's text cleaned, folded and marked.

    ``marks`` are places in the whole text that the part is of; ``evidence`` notes where they lie.
    ``language`` is that of the code where the part has no file's name.
    """
    own = _within(part, marks)
    view = view_text(
        part.text,
        part=part.name,
        limit=part.limit,
        evidence=evidence,
        anchor=f"section-{part.name}",
        marks=own,
        language=language or language_of_part(part),
    )
    return SectionView(
        name=part.name,
        title=title,
        text=view,
        heading=part.heading,
        is_first=part.is_first,
        is_open=is_open or view.has_marks,
        is_prose=is_prose,
    )


def _within(part: Part, marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks that begin in a part, counted from its start in the text as it is shown."""
    end = part.start + len(part.text)
    return [
        Mark(_shown_offset(part, mark.start), _shown_offset(part, mark.end), mark.key)
        for mark in marks
        if part.start <= mark.start < end
    ]


def _shown_offset(part: Part, offset: int) -> int:
    return len(shown(part.text[: offset - part.start]).text)
