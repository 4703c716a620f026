"""``create_member``: people come in with a role and a password that is not weak."""

import io

import pytest
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from tests.commands import run_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def typed(monkeypatch):
    def type_in(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    return type_in


def test_member_may_log_in_with_the_role(typed, client):
    typed("rope-harbour-lamp\n")
    assert run_json("create_member", "ines", "--role", "lead") == {
        "username": "ines",
        "role": "lead",
    }
    user = User.objects.get(username="ines")
    assert user.check_password("rope-harbour-lamp")
    assert user.profile.is_lead


def test_member_gets_what_they_can_judge(typed):
    typed("rope-harbour-lamp\n")
    run_json("create_member", "ines", "--languages", "zh", "--scenarios", "open_qa", "closed_qa")
    profile = User.objects.get(username="ines").profile
    assert (profile.languages, profile.scenarios) == (["zh"], ["closed_qa", "open_qa"])


def test_weak_password_is_refused(typed):
    typed("1234\n")
    with pytest.raises(CommandError, match="too short") as stopped:
        run_json("create_member", "ines")
    assert stopped.value.returncode == 2
    assert not User.objects.exists()


def test_password_that_is_no_text_is_refused(typed):
    typed("rope-harbour-lamp\udcff\n")
    with pytest.raises(CommandError, match="password: it is not UTF-8") as stopped:
        run_json("create_member", "ines")
    assert stopped.value.returncode == 2
    assert not User.objects.exists()


def test_taken_name_is_refused(typed):
    typed("rope-harbour-lamp\n")
    run_json("create_member", "ines")
    typed("rope-harbour-lamp\n")
    with pytest.raises(CommandError, match="'ines' already") as stopped:
        run_json("create_member", "ines")
    assert stopped.value.returncode == 1


@pytest.mark.parametrize("name", ["", "two words", "x" * 151])
def test_impossible_name_is_refused(typed, name):
    typed("rope-harbour-lamp\n")
    with pytest.raises(CommandError, match="username") as stopped:
        run_json("create_member", name)
    assert stopped.value.returncode == 2
