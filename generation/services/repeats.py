"""Finds drafts that ask what a candidate of another run asks already: runs may begin alike."""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from generation.core.records import Trajectory
from generation.core.subtask import Draft, Subtask
from generation.models import Candidate, Source
from generation.services.trajectories import load_trajectory

REPEATED = "a candidate of another run has the same history and the same answer"


def repeated_cuts(
    source: Source, trajectory: Trajectory, subtask: Subtask, drafts: Sequence[Draft]
) -> set[int]:
    """Return the cuts of the drafts that a candidate of another run of this task repeats.

    Two are the same question if task, shown steps, the item's own texts, answer and, where it
    is shown, the thought are the same.
    """
    if not drafts or not trajectory.steps or subtask.build is None:
        return set()
    by_cut = {draft.cut: draft for draft in drafts}
    repeated: set[int] = set()
    asking = Candidate.objects.filter(source=OuterRef("pk"), subtask=subtask.name)
    twins = (
        Source.objects.filter(
            Exists(asking),
            task=source.task_id,
            steps__number=1,
            steps__thought=trajectory.steps[0].thought,
        )
        .exclude(pk=source.pk)
        .select_related("task", "system")
        .order_by("digest")
    )
    for twin in twins:
        other = load_trajectory(twin)
        cuts = set(twin.candidates.filter(subtask=subtask.name).values_list("cut", flat=True))
        for draft in subtask.build(other):
            if draft.cut in cuts and draft == by_cut.get(draft.cut):
                shown = draft.cut - 1
                alike = other.steps[:shown] == trajectory.steps[:shown]
                if alike and _thought(other, draft.cut, subtask) == _thought(
                    trajectory, draft.cut, subtask
                ):
                    repeated.add(draft.cut)
    return repeated


def _thought(trajectory: Trajectory, cut: int, subtask: Subtask) -> str:
    shown = subtask.shows_thought and cut <= len(trajectory.steps)
    return trajectory.steps[cut - 1].thought if shown else ""
