"""``invite`` and ``withdraw_member``: people come and go by the command line too."""

import pytest
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from review.models import Invitation, Role
from tests.commands import run_json
from tests.make import make_user

pytestmark = pytest.mark.django_db


def test_link_of_the_command_makes_a_member(client):
    make_user(Role.ADMIN, username="boss")
    made = run_json(
        "invite", "--by", "boss", "--role", "lead", "--languages", "zh", "--scenarios", "open_qa",
        "--days", "3", "--note", "Wanda", "--site", "https://annotate.example.org/",
    )  # fmt: skip
    assert made["role"] == "lead"
    path = made["link"].removeprefix("https://annotate.example.org")
    assert path.startswith("/invitation/")
    sent = {"username": "wanda", "password": "lamp-rope-9", "repeated": "lamp-rope-9"}
    assert client.post(path, sent).status_code == 303
    profile = User.objects.get(username="wanda").profile
    assert (profile.role, profile.languages, profile.scenarios) == ("lead", ["zh"], ["open_qa"])
    assert Invitation.objects.get().note == "Wanda"


@pytest.mark.parametrize(
    ("by", "role", "days", "status"),
    [("nobody", "annotator", "3", 2), ("lead", "admin", "3", 1), ("lead", "annotator", "91", 1)],
)
def test_what_can_not_be_invited_is_refused(by, role, days, status):
    make_user(Role.LEAD, username="lead")
    with pytest.raises(CommandError) as stopped:
        run_json("invite", "--by", by, "--role", role, "--days", days)
    assert stopped.value.returncode == status
    assert not Invitation.objects.exists()


def test_person_withdraws_when_the_name_is_typed_twice():
    ann = make_user(username="ann")
    with pytest.raises(CommandError, match="'an' is not 'ann'") as stopped:
        run_json("withdraw_member", "ann", "--confirm", "an")
    assert stopped.value.returncode == 2
    name = f"withdrawn-{ann.pk}"
    assert run_json("withdraw_member", "ann", "--confirm", "ann") == {"username": name}
    assert User.objects.get(pk=ann.pk).username == name
    for word, status in ((name, 1), ("nobody", 2)):
        with pytest.raises(CommandError) as stopped:
            run_json("withdraw_member", word, "--confirm", word)
        assert stopped.value.returncode == status


def test_last_admin_can_not_withdraw():
    make_user(Role.ADMIN, username="boss")
    with pytest.raises(CommandError, match="only active admin") as stopped:
        run_json("withdraw_member", "boss", "--confirm", "boss")
    assert stopped.value.returncode == 1
