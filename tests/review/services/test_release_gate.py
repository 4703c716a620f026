"""The gate of a release: a set whose gold shows without the question is not frozen unsaid."""

from datetime import UTC, datetime
from random import Random

import pytest

from generation.models import AuditEvent
from review.models import Release
from review.services.release_gate import FEWEST
from review.services.release_plan import FreezeOrder, plan_release
from review.services.releases import FreezeRefused, freeze
from tests.commands import run_json
from tests.make import make_revision, make_user, review_by

pytestmark = pytest.mark.django_db
WORDS = [
    "moss",
    "tide",
    "brine",
    "quill",
    "ember",
    "slate",
    "fern",
    "loam",
    "gale",
    "husk",
    "crag",
    "mire",
    "dusk",
    "reed",
    "vale",
]
WHY = "The rest of the set is wanted for a trial run."


def order(despite_audit=""):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return FreezeOrder("kilns", "1.0", at, shots=1, despite_audit=despite_audit)


def make_approved(options):
    revision = make_revision(options=options)
    people = make_user(), make_user()
    for person in people:
        review_by(person, revision)


def make_set(count, gold):
    """Approved questions whose wrong options are drawn words; ``gold`` makes the right one."""
    draw = Random(7)
    for number in range(count):
        drawn = [" ".join(draw.choices(WORDS, k=6)) + f" {number}{place}." for place in range(4)]
        make_approved([gold(drawn[0], number), *drawn[1:]])


def telling(_drawn, number):
    return f"Yes {number}."


def silent(drawn, _number):
    return drawn


@pytest.fixture
def leaking():
    make_set(FEWEST + 4, telling)


def test_set_that_tells_its_gold_is_refused_with_attack_value_interval_allowance_and_remedy(
    leaking,
):
    with pytest.raises(FreezeRefused) as refused:
        freeze(order())
    (reason,) = refused.value.reasons
    assert reason.startswith("issue_fix_plan: gold can be told without the question: ")
    assert "shortest is right in 1.000 of 13 sets (95 % 0.772 to 1.000)" in reason
    assert "at most 0.250 is allowed" in reason
    assert "--despite-audit REASON" in reason
    assert not Release.objects.exists()


def test_override_is_recorded_in_manifest_card_and_trail(leaking):
    release = freeze(order(WHY))
    audit = release.manifest["audit"]
    assert audit["despite"] == WHY
    assert [one["verdict"] for one in audit["subtasks"]] == ["fails"]
    assert "shortest is right in 1.000" in audit["subtasks"][0]["reasons"][0]
    card = release.files["README.md"]
    assert f"Frozen all the same, for this reason: {WHY}" in card
    assert "| issue_fix_plan | 13 | 113 | **fails** |" in card
    assert AuditEvent.objects.get(action="release.frozen").detail == f"despite the audit: {WHY}"


def test_set_that_is_too_small_says_so_and_is_frozen():
    make_set(FEWEST + 4, silent)
    release = freeze(order())
    (one,) = release.manifest["audit"]["subtasks"]
    assert (one["verdict"], one["items"], one["needed"]) == ("too_few", 13, 113)
    assert one["reasons"][0].startswith("not enough to say: 13 sets, 113 are needed")
    assert "| issue_fix_plan | 13 | 113 | too few to say |" in release.files["README.md"]
    assert release.manifest["audit"]["despite"] is None


def test_handful_is_not_attacked_for_it_could_say_nothing():
    make_set(FEWEST - 3, telling)
    attacked: list[str] = []
    plan = plan_release(order(), advance=attacked.append)
    assert ([one.verdict for one in plan.judged], attacked, plan.reasons) == (["too_few"], [], [])


def test_dry_run_tells_what_the_gate_says(leaking):
    outlook = run_json("freeze_release", "9", "--shots", "1", "--dry-run")
    assert outlook["audit"]["subtasks"][0]["verdict"] == "fails"
    assert len(outlook["refused"]) == 1
    frozen = run_json("freeze_release", "9", "--shots", "1", "--despite-audit", WHY)
    assert frozen["audit"]["despite"] == WHY
