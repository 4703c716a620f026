"""What services, checks and operators say in English is known to the edge, which translates it."""

import importlib
import pkgutil
import re

import numpy as np
import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from generation.core import checks
from generation.core.cited_pages import CITED_ELSEWHERE
from generation.core.leakage.spans import KIND_OF_ORIGIN
from generation.core.llm_prompts.operators import LLM_OPERATORS
from generation.core.operators import random_root_star, real_step_block, snippets
from generation.core.operators.catalogue import OPERATORS
from generation.core.operators.dependencies import _STAGES
from generation.core.selection.conflicts import _DEEDS
from generation.services.revisions import EDITED
from review.core.agreement import words
from review.core.agreement.alpha import Scale
from review.core.agreement.summary import agreement_of
from review.core.agreement.table import Rating, RatingTable
from review.core.dispute import LINES
from review.models import Decision, OptionVerdictValue, RejectReason, Scope, Validation
from review.views import known_words
from review.views.told import PATTERNS, is_told, told, told_all
from review.views.told_sentences import SENTENCES
from tests.translation.sentences import sentences

# Said in one of several ways, each of which is a pattern of its own.
SPLIT = {"The plan *.": "The plan lacks %(step)s."}


def with_stars(pattern: str) -> str:
    return re.sub(r"%\(\w+\)s", "*", pattern.replace("%%", "%"))


def test_every_sentence_of_services_and_core_is_known():
    plain = {sentence.text for sentence in sentences() if not sentence.has_values}
    assert plain - SENTENCES == set(), "add them to review/views/told_sentences.py"
    known = {with_stars(pattern) for pattern in PATTERNS} | {with_stars(SPLIT[s]) for s in SPLIT}
    filled = {sentence.text for sentence in sentences() if sentence.has_values}
    assert filled - known - set(SPLIT) == set(), "add them to review/views/told.py"


def test_no_sentence_is_kept_that_nobody_says():
    said = {sentence.text for sentence in sentences()}
    ends = re.compile(r"[.?!]")
    assert {text for text in SENTENCES if ends.match(text[-1])} - said - _PLAN == set()


_PLAN = {"The plan has its steps in another order."}


def test_every_line_of_a_dispute_and_word_of_agreement_is_known():
    assert set(LINES.values()) <= SENTENCES
    said = {value for name, value in vars(words).items() if name.isupper()}
    assert said <= SENTENCES
    assert set(_DEEDS.values()) <= SENTENCES


def test_every_kind_of_finding_has_a_word():
    modules = [
        importlib.import_module(f"{checks.__name__}.{module.name}")
        for module in pkgutil.iter_modules(checks.__path__)
    ]
    kinds = {module.KIND for module in modules if hasattr(module, "KIND")}
    leaks = {*KIND_OF_ORIGIN.values(), "gold_in_prompt", "final_answer", "outcome", "answer_key"}
    assert set(known_words.KINDS) == kinds | leaks


def test_every_operator_has_a_word():
    sets = {random_root_star.OPERATOR, real_step_block.OPERATOR, snippets.OPERATOR, CITED_ELSEWHERE}
    assert set(known_words.OPERATORS) == {
        *OPERATORS,
        *LLM_OPERATORS,
        *sets,
        EDITED,
        "gold",
        "imported",
    }
    assert {stage for stage, _words in _STAGES} <= SENTENCES


def test_every_value_of_a_closed_set_has_a_word():
    for values in (Decision, RejectReason, OptionVerdictValue):
        assert set(values) <= set(known_words.VALUES)
    assert set(known_words.DECISIONS) == set(Decision)
    assert set(known_words.VALIDATIONS) == set(Validation)
    assert set(known_words.SCOPES) == set(Scope)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Choose the reason.", "请选择原因。"),
        ("Say why in at least 20 characters.", "请说明理由，至少 20 个字符。"),
        (
            "Step 9 of this run, asked at step 4: it names b.py, not seen yet.",
            "本运行的步骤 9，而所问的是步骤 4：它提到尚未出现的 b.py。",
        ),
        (
            "A step of another run that changes a file; at this point this run calls grep.",
            "另一次运行的步骤：修改文件；而此处本运行是调用 grep。",
        ),
        (
            "The plan lacks 'a and b' and has 'c', which belongs to another plan.",
            "该方案缺少 'a and b'，且含有属于另一方案的 'c'。",
        ),
        ("A reason that a model wrote.", "A reason that a model wrote."),
    ],
)
def test_sentences_and_their_values_are_said_in_chinese(english, chinese):
    with translation.override("zh-hans"):
        assert told(english) == chinese
    assert told(english) == english
    assert is_told(english) == (english != chinese)


@given(st.text(max_size=3000))
def test_any_text_comes_back_as_it_is_in_english(text):
    assert told(text) == text
    assert told_all(text) == text


RATERS = ("a", "b", "c")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("items", [0, 1, 3, 40])
def test_every_warning_about_agreement_is_said_in_chinese(share, items):
    draw = np.random.default_rng(5)
    ratings = [
        Rating(item, rater, "yes" if draw.random() < share or rater == "c" else "no", item)
        for item in range(items)
        for rater in RATERS
    ]
    table = RatingTable.of(ratings, labels=("yes", "no"))
    found = agreement_of(table, Scale.NOMINAL, seed=1, resamples=50)
    with translation.override("zh-hans"):
        for warning in found.warnings:
            shown = told_all(warning.text)
            left = re.findall(r"[A-Za-z]{2,}", shown)
            assert set(left) <= {"alpha", "kappa", "AC"}, shown
