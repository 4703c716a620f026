import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.records import Step
from review.core.folding import PIECE, fold, step_limit
from review.models import Assignment
from tests.make import blind, make_assignment, make_revision, make_user
from tests.review.sources import stored

HTMX = {"hx-request": "true"}
LINES = "".join(f"line {n}\n" for n in range(6_000))


@pytest.fixture
def long_turn(reviewer):
    steps = tuple(
        Step(f"thought {n}", "bash", {}, f"run {n}", LINES if n == 2 else f"seen {n}")
        for n in range(1, 6)
    )
    revision = make_revision(source=stored(steps=steps, task=LINES * 2), cut=4)
    return make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())


def piece(turn, number, step=2):
    return reverse("step-piece", args=[turn.pk, step, number])


def test_long_observation_is_folded_with_head_tail_and_size(member, long_turn):
    page = member.get(reverse("review", args=[long_turn.pk])).content.decode()
    step = page.partition('id="step-2"')[2].partition('id="step-3"')[0]
    assert "line 0\n" in step
    assert "line 5999\n" in step
    assert "line 3000\n" not in step
    folded = fold(LINES, limit=step_limit(3))
    assert f"{folded.folded_lines} lines folded" in step
    assert piece(long_turn, 1) in step


def test_pieces_together_are_the_folded_part(member, long_turn):
    folded = fold(LINES, limit=step_limit(3))
    found, number = "", 1
    while True:
        response = member.get(piece(long_turn, number), headers=HTMX)
        if response.status_code == 404:
            break
        text = response.content.decode().partition('<pre class="piece"')[2].partition(">")[2]
        # A browser leaves out the line break that a box begins with.
        found += text.partition("</pre>")[0].removeprefix("\n")
        number += 1
    assert found == LINES[folded.middle_start : folded.middle_end]
    assert number - 1 == -(-folded.folded_size // PIECE)


def test_piece_without_htmx_is_a_page_of_its_own(member, long_turn):
    response = member.get(piece(long_turn, 1))
    assert "<html" in response.content.decode()
    assert "HX-Request" in response["Vary"]


def test_section_opens_in_pieces_too(member, long_turn):
    address = reverse("section-piece", args=[long_turn.pk, "task", 1])
    assert "line" in member.get(address, headers=HTMX).content.decode()
    assert member.get(address.replace("task", "gold")).status_code == 404


def test_raw_text_is_a_plain_download(member, long_turn):
    response = member.get(reverse("step-raw", args=[long_turn.pk, 2]))
    assert response.content.decode() == LINES
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="step-2-observation.txt"'
    assert response["X-Content-Type-Options"] == "nosniff"


def test_raw_text_of_another_part_of_the_step(member, long_turn):
    address = reverse("step-raw", args=[long_turn.pk, 2])
    assert member.get(address, {"part": "action"}).content == b"run 2"
    assert member.get(address, {"part": "source"}).status_code == 404


@pytest.mark.parametrize("name", ["step-piece", "step-raw"])
@pytest.mark.parametrize("step", [4, 5, 99])
def test_step_from_the_cut_on_is_not_found(member, long_turn, name, step):
    arguments = [long_turn.pk, step] + ([1] if name == "step-piece" else [])
    assert member.get(reverse(name, args=arguments)).status_code == 404


def test_what_follows_is_not_found_in_the_blind_phase(member, long_turn):
    assert member.post(reverse("what-follows", args=[long_turn.pk])).status_code == 404


def test_what_follows_comes_on_request_and_is_recorded(member, long_turn):
    blind(long_turn)
    address = reverse("step-raw", args=[long_turn.pk, 4])
    assert member.get(address).status_code == 404
    response = member.post(reverse("what-follows", args=[long_turn.pk]), headers=HTMX)
    page = response.content.decode()
    assert "seen 4" in page
    assert "seen 3" not in page
    assert "<html" not in page
    assert Assignment.objects.get(pk=long_turn.pk).draft["saw_what_follows"] is True
    assert member.get(address).content == b"seen 4"
    assert "seen 5" in member.get(reverse("review", args=[long_turn.pk])).content.decode()


def test_autosave_does_not_forget_that_the_reviewer_looked(member, long_turn):
    blind(long_turn)
    member.post(reverse("what-follows", args=[long_turn.pk]))
    member.post(reverse("draft", args=[long_turn.pk]), {"phase": "open", "comment": "so"})
    draft = Assignment.objects.get(pk=long_turn.pk).draft
    assert (draft["saw_what_follows"], draft["fields"]["comment"]) == (True, ["so"])


def test_parts_of_another_persons_item_are_not_found(client, long_turn):
    client.force_login(make_user(), backend="review.authentication.MemberBackend")
    pk = long_turn.pk
    for address in (
        piece(long_turn, 1),
        reverse("step-raw", args=[pk, 2]),
        reverse("section-piece", args=[pk, "task", 1]),
        reverse("section-raw", args=[pk, "task"]),
    ):
        assert client.get(address).status_code == 404
    for name in ("what-follows", "draft", "lease", "skip"):
        assert client.post(reverse(name, args=[pk])).status_code == 404
