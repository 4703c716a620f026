"""Colours of code: numbers for the texts that the page shows this reader, for no other."""

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.records import Step
from review.core.colours import KINDS
from tests.make import blind, make_assignment, make_revision, make_user
from tests.review.sources import stored

FILE = "def fire():\n    return '🔥' + 7\n"
STEPS = (
    Step("Look.", "bash", {}, "cat kiln.py", FILE),
    Step("Again.", "bash", {}, "cat kiln.py", FILE * 2_000),
    Step("Asked.", "bash", {}, "cat secret.py", "def secret(): pass"),
)


@pytest.fixture
def turn(reviewer):
    revision = make_revision(source=stored(steps=STEPS), cut=3)
    return make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())


@pytest.fixture
def ask(member, turn):
    def ask(*names):
        return member.get(reverse("colours", args=[turn.pk]), {"of": names})

    return ask


def words(text, numbers):
    units = text.encode("utf-16-le")
    return [
        (KINDS[kind], units[2 * start : 2 * (start + length)].decode("utf-16-le"))
        for start, length, kind in zip(*[iter(numbers)] * 3, strict=True)
    ]


def test_file_that_a_step_reads_is_coloured_in_the_browsers_units(ask):
    found = ask("step-1:observation").json()["step-1:observation"]
    assert words(FILE, found["head"]) == [
        ("keyword", "def"),
        ("name", "fire"),
        ("keyword", "return"),
        ("string", "'🔥'"),
        ("number", "7"),
    ]
    assert found["tail"] == []


def test_long_text_is_coloured_where_it_is_shown_and_piece_by_piece(ask):
    answer = ask("step-2:observation", "step-2:observation:2").json()
    shown = answer["step-2:observation"]
    assert len(shown["head"]) > 300
    assert len(shown["tail"]) > 100
    assert len(answer["step-2:observation:2"]["piece"]) > 1_000


def test_step_after_the_cut_is_hidden_until_the_reader_asked_for_it(ask, member, turn):
    assert ask("step-3:observation").status_code == 404
    blind(turn, now=timezone.now())
    assert ask("step-3:observation").status_code == 404
    member.post(reverse("what-follows", args=[turn.pk]))
    assert ask("step-3:observation").status_code == 200


@pytest.mark.parametrize(
    "name", ["step-9:observation", "step-1:nothing", "section-none:none", "x", "step-1:action:7"]
)
def test_text_that_the_page_has_not_is_not_found(ask, name):
    assert ask(name).status_code == 404


def test_item_of_another_is_not_found(member):
    other = make_assignment(revision=make_revision(), reviewer=make_user(), now=timezone.now())
    assert member.get(reverse("colours", args=[other.pk]), {"of": "x"}).status_code == 404


def test_answer_is_kept_by_the_readers_browser_only(ask):
    assert "private" in ask("step-1:action")["Cache-Control"]
