"""What the product makes of the real runs: no cue of the options alone points at gold."""

import pytest

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.option_set import OptionSet
from generation.models import Revision
from review.core.presentation import shown_order
from tests.commands import run_json
from tests.shared_data import DATA, needs_shared

pytestmark = [pytest.mark.django_db, pytest.mark.shared]
NAMED = {"longest", "shortest", "token_centroid", "step_consensus"}


@needs_shared
@pytest.mark.parametrize(
    ("subtask", "kind", "folder"),
    [
        ("issue_fix_plan", "swe_smith", "swe_smith_traj"),
        ("closed_plan_en", "infodeepseek", "infodeepseek"),
    ],
)
def test_every_guess_from_the_options_alone_is_within_chance(subtask, kind, folder):
    run_json("import_sources", kind, DATA / folder)
    run_json("build_candidates", "--subtask", subtask)
    run_json("generate_distractors", "--rules-only", "--subtask", subtask)
    corpus = []
    for revision in Revision.objects.prefetch_related("options").order_by(
        "candidate__source__digest", "candidate__cut"
    ):
        texts = [option.text for option in revision.options.all()]
        if len(texts) > 1:
            order = shown_order(f"{revision.candidate_id}", len(texts))
            corpus.append(OptionSet(tuple(texts[place] for place in order), order.index(0)))
    assert len(corpus) >= 40
    results = {result.name: result for result in single_cues(corpus)}
    assert results.keys() >= NAMED
    assert [r.name for r in results.values() if not r.within_chance] == []
