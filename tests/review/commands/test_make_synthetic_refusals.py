"""``make_synthetic``: what it refuses, and that its rows depend on nothing but its arguments."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction

from generation.models import Candidate
from review.models import Review
from tests.commands import run_json
from tests.make import make_revision

pytestmark = pytest.mark.django_db

FEW = ("--items", "40", "--reviewers", "4", "--reviews", "100", "--at", "2026-03-01")


def test_the_same_seed_makes_the_same_reviews_and_another_seed_others():
    def said(seed):
        with transaction.atomic():
            run_json("make_synthetic", *FEW, "--seed", seed)
            rows = list(
                Review.objects.order_by("created_at", "form_key").values_list(
                    "form_key", "decision", "created_at", "assignment__reviewer__username"
                )
            )
            transaction.set_rollback(True)
        return rows

    first = said("1")
    assert first == said("1")
    assert first != said("2")


def test_it_refuses_beside_real_items_unless_told_and_a_second_time():
    make_revision()
    with pytest.raises(CommandError, match="not made up") as refused:
        run_json("make_synthetic", *FEW)
    assert refused.value.returncode == 1
    assert Candidate.objects.count() == 1
    few = ("--items", "5", "--reviewers", "3", "--reviews", "8", "--beside-real-items")
    run_json("make_synthetic", *few)
    assert Candidate.objects.count() == 6
    with pytest.raises(CommandError, match="already"):
        run_json("make_synthetic", *few)


@pytest.mark.parametrize(
    ("items", "reviewers", "reviews"), [("0", "3", "0"), ("10", "0", "0"), ("10", "3", "40")]
)
def test_a_size_that_cannot_be_is_refused_with_numbers(items, reviewers, reviews):
    with pytest.raises(CommandError, match=r"there must be|reviews of"):
        call_command(
            "make_synthetic", "--items", items, "--reviewers", reviewers, "--reviews", reviews
        )


@pytest.mark.parametrize("moment", ["0001-01-02", "9999-12-31"])
def test_history_ends_in_a_year_that_has_years_around_it(moment):
    with pytest.raises(CommandError, match="history ends in a year from 1970 to 2999") as refused:
        run_json("make_synthetic", *FEW[:-1], moment)
    assert refused.value.returncode == 1
