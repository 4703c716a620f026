"""Which operators make options that reviewers complain of."""

import pytest

from generation.models import Option
from review.models import OptionVerdictValue
from review.services.operators import operator_verdicts
from tests.make import approving, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db


def verdicts(revision, **said):
    answers = approving(revision)
    values = {1: "valid", 2: "valid", 3: "valid"} | {int(k[1:]): v for k, v in said.items()}
    return approving(revision, option_verdicts={p: values[p] for p in answers.option_verdicts})


def test_shares_by_operator_and_model_the_most_complained_of_first():
    revision = make_revision()
    Option.objects.filter(revision=revision, position=3).update(model="a-model")
    said = verdicts(revision, o2="too_easy", o3="also_correct")
    review_by(make_user(), revision, answers=said)
    review_by(make_user(), revision, answers=verdicts(revision, o3="malformed"))
    by_model, by_rule = operator_verdicts()
    assert (by_model.operator, by_model.model, by_model.options) == ("later_step", "a-model", 1)
    assert by_model.share(OptionVerdictValue.ALSO_CORRECT) == 0.5
    assert by_model.share(OptionVerdictValue.MALFORMED) == 0.5
    assert (by_rule.model, by_rule.options, by_rule.verdicts.total()) == ("", 2, 4)
    assert by_rule.share(OptionVerdictValue.TOO_EASY) == 0.25


def test_control_items_say_nothing_of_operators():
    review_by(make_user(), make_revision(is_control=True))
    assert operator_verdicts() == []


def test_two_queries_are_one(django_assert_num_queries):
    review_by(make_user(), make_revision())
    with django_assert_num_queries(2):
        assert operator_verdicts()
