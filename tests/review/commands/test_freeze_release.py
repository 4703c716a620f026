"""``freeze_release`` and ``export_benchmark``: what would enter, what is refused, where it goes."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from review.models import Release
from tests.commands import run_json
from tests.make import make_revision, make_user, review_by

pytestmark = pytest.mark.django_db


def make_approved(count: int) -> None:
    for number in range(count):
        options = [f"{verb} kiln {number}." for verb in ("Fix", "Sell", "Paint", "Watch")]
        revision = make_revision(options=options)
        for _ in range(2):
            review_by(make_user(), revision)


def test_dry_run_says_how_sure_a_score_would_be():
    make_approved(5)
    outlook = run_json("freeze_release", "1.0", "--dry-run", "--shots", "1")
    assert outlook["would_enter"] == {
        "issue_fix_plan": {
            "items": 4,
            "worked_examples": 1,
            # Wilson at 2 of 4: (0.1500, 0.8500)
            "interval_half_width": 0.35,
            # Wilson at one half is ± 0.0500 for 381 items and more than that for 380.
            "items_missing_for_5_points": 377,
        }
    }
    assert not Release.objects.exists()


def test_dry_run_in_words_names_what_is_refused():
    make_approved(2)
    out = StringIO()
    call_command("freeze_release", "1.0", "--dry-run", stdout=out)
    assert "refused: issue_fix_plan: 2 of 3 worked examples are missing" in out.getvalue()


def test_refusal_ends_with_status_1_and_every_reason():
    make_approved(2)
    with pytest.raises(CommandError, match="worked examples are missing") as stopped:
        run_json("freeze_release", "1.0")
    assert stopped.value.returncode == 1


def test_frozen_release_is_exported(tmp_path):
    make_approved(5)
    frozen = run_json("freeze_release", "1.0", "--shots", "1", "--at", "2026-01-01T08:00:00+08:00")
    exported = run_json("export_benchmark", "1.0", "--out", tmp_path / "out")
    manifest = json.loads((tmp_path / "out/manifest.json").read_text(encoding="utf-8"))
    assert manifest["frozen_at"] == "2026-01-01T00:00:00Z"
    assert frozen["sha256"] == exported["sha256"] == manifest["sha256"]
    assert exported["items"] == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a b/../c"], "letters, digits and"),
        ([""], "letters, digits and"),
        (["1.0", "--name", "a\nb"], "one line"),
        (["1.0", "--name", "x" * 101], "one line"),
        (["1.0", "--at", "0001-01-01T00:00:00+23:59"], "expected a time such as"),
        (["1.0", "--name", "\ud800"], "is no text"),
        (["1.0", "--subtasks", "no_such"], "no subtask no_such"),
        (["1.0", "--shots", "11"], "from 0 to 10"),
        (["1.0", "--at", "yesterday"], "expected a time such as"),
    ],
)
def test_wrong_use_is_refused(arguments, said):
    with pytest.raises(CommandError, match=said) as stopped:
        run_json("freeze_release", *arguments)
    assert stopped.value.returncode == 2


def test_unknown_version_is_named_with_those_there_are(tmp_path):
    make_approved(5)
    run_json("freeze_release", "1.0", "--shots", "1")
    with pytest.raises(CommandError, match=r"no release 2\.0: there are 1\.0") as stopped:
        run_json("export_benchmark", "2.0", "--out", tmp_path / "out")
    assert stopped.value.returncode == 2


def test_existing_folder_is_not_overwritten(tmp_path):
    make_approved(5)
    run_json("freeze_release", "1.0", "--shots", "1")
    with pytest.raises(CommandError, match="never overwritten") as stopped:
        run_json("export_benchmark", "1.0", "--out", tmp_path)
    assert stopped.value.returncode == 2
