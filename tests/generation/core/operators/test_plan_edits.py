"""Operators on plans: wrong for a reason, and never the plan in another order that does as well."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from generation.core.operators.dependencies import broken_by, dependencies
from generation.core.operators.operator import Context, Unfit, Wrong
from generation.core.operators.plan_edits import (
    drop_step,
    insert_harmful,
    insert_redundant,
    other_item,
    reorder_steps,
    swap_versions,
)
from generation.core.operators.plan_text import is_permutation, read_plan
from generation.core.selection.texts import normalise

PLAN = """\
1. Clone the repository of the kiln.
2. Create a conda environment with Python 3.10.
3. Activate it.
4. Install `glaze==2.1.0` with pip.
5. Write the settings to `kiln.toml`.
6. Run `kiln fire kiln.toml`."""
OTHER = "1. Clone the oven.\n2. Light the lamp.\n3. Bake."
CONTEXT = Context(others=(OTHER,))
STEPS = [line.split(". ", 1)[1] for line in PLAN.split("\n")]
SENTENCES = [*STEPS, "Read `glaze==2.1.0` notes.", "Download the data.", "Look at kiln.toml."]
plans = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=7, unique=True).map(
    lambda steps: "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))
)


def steps_of(wrong):
    return list(read_plan(wrong.text).steps)


def test_what_needs_what_by_hand():
    found = {(need.earlier, need.later) for need in dependencies(STEPS)}
    # Fetch before all others; create, then enter, then install, then run.
    assert {(0, 1), (0, 2), (0, 3), (0, 5), (1, 2), (1, 3), (1, 5), (2, 3), (2, 5), (3, 5)} <= found
    assert (3, 4) not in found
    assert (4, 3) not in found


def test_a_name_is_needed_by_the_steps_that_name_it_again():
    (need,) = dependencies(["Write `kiln.toml`", "Drink tea", "Look at `kiln.toml` again"])
    assert (need.earlier, need.later, need.why) == (0, 2, "kiln.toml")


def test_steps_without_a_bond_may_stand_in_any_order():
    free = ["Drink tea", "Feed the cat", "Water the plants"]
    assert dependencies(free) == ()
    assert isinstance(reorder_steps("\n".join(free), Context(), 1), Unfit)
    assert isinstance(drop_step("\n".join(free), Context(), 1), Unfit)


@given(plan=plans, seed=st.integers(0, 10_000))
def test_a_reordered_plan_breaks_a_dependency_and_keeps_all_steps(plan, seed):
    wrong = reorder_steps(plan, Context(), seed)
    if isinstance(wrong, Unfit):
        reject()
    steps, moved = list(read_plan(plan).steps), steps_of(wrong)
    assert is_permutation(plan, wrong.text)
    assert moved != steps
    order = [steps.index(step) for step in moved]
    assert broken_by(order, dependencies(steps)) is not None
    assert "comes before what it needs" in wrong.reason


@given(plan=plans, seed=st.integers(0, 10_000))
def test_a_dropped_step_is_one_that_a_later_step_needs(plan, seed):
    wrong = drop_step(plan, Context(), seed)
    if isinstance(wrong, Unfit):
        reject()
    steps, left = list(read_plan(plan).steps), steps_of(wrong)
    (gone,) = [step for step in steps if step not in left]
    assert left == [step for step in steps if step != gone]
    assert any(steps[need.earlier] == gone for need in dependencies(steps))
    assert gone in wrong.reason or repr(gone) in wrong.reason


@pytest.mark.parametrize(
    ("step", "undone"),
    [
        ("Install glaze.", "Uninstall glaze."),
        ("Then activate it.", "Then deactivate it."),
        ("创建环境", "删除环境"),
    ],
)
def test_a_harmful_step_undoes_the_one_before(step, undone):
    wrong = insert_harmful(f"{step}\nRun it.", Context(), 1)
    assert isinstance(wrong, Wrong)
    assert wrong.text == f"{step}\n{undone}\nRun it."
    assert wrong.reason == f"{undone!r} undoes what the step before it did."


def test_a_verb_inside_another_word_is_not_turned_round():
    assert isinstance(insert_harmful("Read the address book.", Context(), 1), Unfit)


def test_a_redundant_step_is_one_of_another_task():
    wrong = insert_redundant(PLAN, CONTEXT, 3)
    assert isinstance(wrong, Wrong)
    (new,) = [step for step in steps_of(wrong) if step not in STEPS]
    assert new in OTHER
    assert [step for step in steps_of(wrong) if step != new] == STEPS
    assert wrong.text.startswith("1. ")
    assert isinstance(insert_redundant(PLAN, Context(others=(PLAN,)), 3), Unfit)


@given(seed=st.integers(0, 10_000))
def test_a_version_is_changed_wherever_it_is_named(seed):
    wrong = swap_versions(f"{PLAN}\nCheck that it is Python 3.10.", Context(), seed)
    assert isinstance(wrong, Wrong)
    assert ("3.10" in wrong.text) != ("2.1.0" in wrong.text)
    new = wrong.reason.split("version ")[1].split(" where")[0]
    assert wrong.text.count(new) == (1 if "3.10" in wrong.text else 2)


def test_an_answer_without_a_version_gives_none():
    assert isinstance(swap_versions("Install step 3 of 10.", Context(), 1), Unfit)


def test_another_task_s_answer_is_never_the_same_steps():
    turned = "\n".join(reversed(STEPS))
    assert isinstance(other_item(PLAN, Context(others=(PLAN, turned)), 1), Unfit)
    assert other_item(PLAN, Context(others=(turned, OTHER)), 1) == Wrong(
        OTHER, "It is the answer of another task."
    )


EVERY = (reorder_steps, drop_step, insert_harmful, insert_redundant, swap_versions, other_item)


@given(plan=plans, seed=st.integers(0, 10_000), operator=st.sampled_from(EVERY))
def test_none_is_the_plan_itself_and_each_says_why_and_is_the_same_again(plan, seed, operator):
    wrong = operator(plan, CONTEXT, seed)
    assert wrong == operator(plan, CONTEXT, seed)
    if isinstance(wrong, Wrong):
        assert normalise(wrong.text) != normalise(plan)
        assert wrong.reason.endswith(".")
        if operator is not reorder_steps:
            assert not is_permutation(wrong.text, plan)
    else:
        assert wrong.why
