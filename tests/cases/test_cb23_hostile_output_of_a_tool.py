"""CB23: whatever a tool printed is imported into either database and shown as text, never obeyed.

What the importer notes of it is in tests/generation/core/importers/test_swe_smith.py; that no
script runs is tried in tests/browser.
"""

import json
import re
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.models import Source
from generation.services.texts import text_digest
from tests.cases.read import case
from tests.commands import run_json
from tests.make import blind, make_assignment, make_completion
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared, pytest.mark.django_db]


@pytest.fixture(scope="module")
def printed():
    given = case("CB23")["input"]
    return given["observation"] + " " + json.loads(f'"{given["observation_escaped_surrogate"]}"')


@pytest.fixture
def turn(reviewer, tmp_path, printed):
    """A turn at the third step of an imported run, whose first two steps printed the case's text."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You fix code."},
        {"role": "user", "content": f"The kiln cools too fast. {printed}"},
    ]
    for name in ("ls", "pwd", "id"):
        function = {"name": "bash", "arguments": json.dumps({"command": name})}
        call = {"id": name, "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": f"Next comes {name}.", "tool_calls": [call]},
            {"role": "tool", "tool_call_ids": [name], "content": printed},
        ]
    row = {
        "instance_id": "kiln__kiln.0a1b2c3d.pr_1",
        "traj_id": "kiln.1",
        "messages": json.dumps(messages),
        "resolved": True,
    }
    (tmp_path / "runs.jsonl").write_text(json.dumps(row) + "\n")
    done = run_json("import_sources", "swe_smith", tmp_path / "runs.jsonl")
    assert (done["imported"], done["refused"]) == (1, [])
    revision = make_completion(source=Source.objects.get(), gold="id", cut=3)
    return make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())


@pytest.mark.parametrize("phase", ["blind", "open"])
def test_page_shows_it_as_text(member, turn, phase):
    if phase == "open":
        blind(turn)
    response = member.get(reverse("review", args=[turn.pk]))
    page = response.content.decode()
    assert "<img" not in page
    assert page.count("<script") == page.count("<script src=")
    assert not re.search(r"""href=["']?\s*javascript:""", page, re.IGNORECASE)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u200b]", page)
    assert "red link ␀nul ⟪U+202E⟫evil⟪U+202C⟫ ⟪U+200B⟫zero {{ gold }} {% load x %}" in page
    assert "[x](javascript:alert(1)) a\ufffdb" in page
    assert "3 hidden characters" in page.partition('id="step-1"')[2].partition('id="step-2"')[0]
    assert "unsafe" not in response["Content-Security-Policy"]
    assert "default-src 'self'" in response["Content-Security-Policy"]


def test_raw_text_is_a_plain_download_and_its_digest_is_that_of_the_original(member, turn, printed):
    response = member.get(reverse("step-raw", args=[turn.pk, 1]))
    original = printed.replace("\ud800", "\ufffd")
    assert response.content.decode() == original.replace("\x00", "␀")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"].startswith("attachment; ")
    step = Source.objects.get().steps.get(number=1)
    assert step.observation.digest == text_digest(original)
