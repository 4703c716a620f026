import re
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from review.models import GuidelineVersion, Release
from review.services.votes import Measure
from tests.commands import run_json
from tests.make import make_revision, make_user, rejecting, review_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewed():
    ines, tomas = make_user(username="ines"), make_user(username="tomas")
    for number in range(12):
        revision = make_revision()
        review_by(ines, revision, right=number % 3 != 1)
        review_by(tomas, revision, answers=rejecting(revision) if number % 3 == 0 else None)


def test_numbers_are_those_of_the_agreement_command(reviewed, tmp_path):
    run_json("report", "--out", tmp_path / "r")
    found = run_json("agreement")[Measure.DECISION]
    alpha = found["alpha"]
    row = (
        f"| {found['n_pairable']} | {found['n_raters']} | {found['raw']:.2f} | {alpha['value']:.2f} "
        f"({alpha['low']:.2f} to {alpha['high']:.2f}) | {found['ac1']:.2f} |"
    )
    assert f"| the decision {row}" in (tmp_path / "r/report.md").read_text()
    assert f"{alpha['low']:.2f} to {alpha['high']:.2f}" in (tmp_path / "r/report.html").read_text()


def test_report_says_who_reviewed_by_pseudonym_and_why_they_rejected(reviewed, tmp_path):
    run_json("report", "--out", tmp_path / "r")
    text = (tmp_path / "r/report.md").read_text()
    assert "2 people gave 24 independent reviews" in text
    assert "ines" not in text
    assert "tomas" not in text
    assert re.search(
        r"\*\*Rejecting reviews by reason\*\*\n\n\| subtask \| [a-z ]+ \| all \|", text
    )
    assert "python manage.py agreement --json" in text
    assert "python manage.py audit --json" in text


def test_pictures_are_whole_files_and_stand_in_the_page(reviewed, tmp_path):
    result = run_json("report", "--out", tmp_path / "r")
    assert result["files"] == [
        "figures/agreement_by_subtask.svg",
        "figures/agreement_by_week.svg",
        "report.html",
        "report.md",
    ]
    for name in result["files"][:2]:
        svg = (tmp_path / "r" / name).read_text()
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert "var(--" not in svg
    page = (tmp_path / "r/report.html").read_text()
    assert page.count("<svg") == 2
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_the_same_database_gives_the_same_bytes(reviewed, tmp_path):
    for name in ("a", "b"):
        run_json("report", "--out", tmp_path / name)
    for name in ("report.md", "report.html", "figures/agreement_by_week.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_hostile_words_are_shown_letter_by_letter(reviewed, tmp_path):
    hostile = "<img src=x onerror=alert(1)> | `a` [b](javascript:c)\nsecond"
    author = User.objects.get(username="ines")
    GuidelineVersion.objects.create(
        language="en", number=1, body="Look twice.", note=hostile, author=author
    )
    run_json("report", "--out", tmp_path / "r")
    assert "<img" not in (tmp_path / "r/report.html").read_text()
    text = (tmp_path / "r/report.md").read_text()
    assert r"\<img src=x onerror=alert(1)\> \| \`a\` \[b\](javascript:c) second" in text


def test_nothing_reviewed_yet_is_said(tmp_path):
    run_json("report", "--out", tmp_path / "r")
    text = (tmp_path / "r/report.md").read_text()
    assert "0 people gave 0 independent reviews" in text
    assert "No labels yet" in text


def test_folder_that_is_there_is_refused_and_left_alone(tmp_path):
    (tmp_path / "r").mkdir()
    with pytest.raises(CommandError, match="is never overwritten") as refused:
        run_json("report", "--out", tmp_path / "r")
    assert refused.value.returncode == 2
    assert list((tmp_path / "r").iterdir()) == []


def test_unknown_release_is_refused_with_those_there_are(tmp_path):
    assert not Release.objects.exists()
    with pytest.raises(CommandError, match=r"no release 9\.9: there are none yet"):
        run_json("report", "--out", tmp_path / "r", "--release", "9.9")
    assert not (tmp_path / "r").exists()


def test_report_needs_no_secret_key(reviewed, tmp_path, settings):
    settings.SECRET_KEY = ""
    run_json("report", "--out", tmp_path / "r")
    assert (tmp_path / "r/report.html").exists()
