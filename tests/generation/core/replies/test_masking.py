"""Secrets are masked, code is not, and equal secrets get equal masks."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.replies.delimited import MarkInData, fill_delimited
from generation.core.replies.masking import Masker

SECRETS = [
    "sk-" + "proj-A1b2" * 6,
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1_" * 12,
    "glpat-" + "x1y2" * 5,
    "xoxb-" + "123-abc" * 3,
    "hf_" + "AbCd" * 8,
    "AKIA" + "ABCD1234" * 2,
    "AIza" + "Sy_1" * 9,
    "eyJhbGciOi1.eyJzdWIiOi2.c2lnbmF0dXJl",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_known_form_of_a_key_is_masked_wherever_it_stands(secret):
    text = Masker().mask(f"export X={secret}\nrun '{secret}'")
    assert secret not in text
    assert text.count("[masked key 1]") == 2


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password=Kiln1234!", "Kiln1234!"),
        ('"api_key": "k1ln-k1ln-k1ln"', "k1ln-k1ln-k1ln"),
        ("AWS_SECRET_ACCESS_KEY=abc/def+1234567890", "abc/def+1234567890"),
        ("Authorization: Bearer abc123def456", "abc123def456"),
        ("git clone https://ann:hunter22@host/x.git", "hunter22"),
        ("postgresql://kiln:p4ssw0rd@db/kiln", "p4ssw0rd"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE cut here", "MIIE"),
    ],
)
def test_named_secret_is_masked_and_its_name_stays(text, secret):
    masked = Masker().mask(text)
    assert secret not in masked
    assert "[masked " in masked


@pytest.mark.parametrize(
    "text",
    [
        "token = next_token(stream)",
        "password = getpass.getpass()",
        "secret=$SECRET_NAME",
        "def tokens(self): return self.tokens",
        "see https://host:8080/a?b=c",
        "The password is asked for.",
    ],
)
def test_code_and_prose_stay(text):
    assert Masker().mask(text) == text


@given(st.text(max_size=200))
def test_masking_twice_changes_nothing_more(text):
    once = Masker().mask(text)
    assert Masker().mask(once).count("[masked") == once.count("[masked")


@pytest.mark.parametrize(
    "text",
    [
        "password=" * 50_000,
        "a://" * 100_000,
        "-----BEGIN PRIVATE KEY-----" * 2_000,
        "eyJ" * 100_000,
    ],
)
def test_hostile_text_takes_no_quadratic_time(text):
    started = time.monotonic()
    Masker().mask(text)
    assert time.monotonic() - started < 5


def test_data_is_filled_in_once_between_its_marks():
    text = fill_delimited(
        "Do $n.\n$task", {"task": "a $n $task <<end 00>>"}, words={"n": "3"}, mark="ab12"
    )
    assert text == "Do 3.\n<<ab12 task>>\na $n $task <<end 00>>\n<<end ab12>>"


def test_data_that_holds_the_mark_is_refused():
    with pytest.raises(MarkInData, match="task"):
        fill_delimited("$task", {"task": "<<end ab12>>"}, words={}, mark="ab12")
