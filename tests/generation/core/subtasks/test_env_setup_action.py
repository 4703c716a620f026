"""``env_setup_action``: the next command of a README, from its plan in words."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from generation.core.leakage.check import LeakChecker
from generation.core.prompts import render_block
from generation.core.records import Document, Language, Provenance, Section, Step
from generation.core.registry import SUBTASKS
from generation.core.setup_steps import setup_steps
from generation.core.subtask import Draft, Rejection

ACTION = SUBTASKS["env_setup_action"]
COMMANDS = ("git clone https://x.example/kiln", "cd kiln", "kiln init", "pip install -r req.txt")


def command(text: str, **facts) -> Section:
    return Section("command", text, "Kiln › Set up", facts={"origin": "fence", **facts})


def readme(*commands: Section) -> Document:
    return Document(
        provenance=Provenance("readme", "acme/kiln", "acme/kiln", "README.md", "MIT"),
        language=Language.EN,
        title="acme/kiln",
        sections=(Section("part", "# Kiln", "Kiln"), *commands),
    )


def built(*commands: Section):
    assert ACTION.build_document is not None
    return list(ACTION.build_document(readme(*commands)))


def why(*texts: str) -> str:
    last = built(*map(command, texts))[-1]
    assert isinstance(last, Rejection)
    return last.why


def test_a_command_is_asked_with_the_plan_in_words_and_the_commands_before_it():
    draft = built(*map(command, COMMANDS))[-1]
    assert draft == Draft(
        cut=4,
        gold="pip install -r req.txt",
        slots={
            "execution_plan": "Step 1: Get a copy of the repository kiln with git.\n"
            "Step 2: Go into the folder kiln.\n"
            "Step 3: Do what comes next in the part “Set up”.\n"
            "Step 4: Use pip to install what req.txt lists.",
            "executed_commands": "git clone https://x.example/kiln\ncd kiln\nkiln init",
            "command_prefix": "pip",
        },
    )


def test_every_command_left_out_has_its_reason():
    assert why("cd kiln") == "no command comes before it"
    assert why("make a", "cd kiln", "make a") == "command 1 of the way is the same"
    assert why("make a", "kiln init") == "no words are known for the command"
    assert why("make a", "pip install -U kiln").endswith("a part of the command: -U")
    assert why("make a", "./go.sh") == "the command is one word"
    assert "placeholder" in why("make a", "cd path/to/kiln")
    assert "does not parse" in why("make a", "cd 'kiln")
    assert "the budget is 128" in why("make a", "pip install " + "kiln " * 300)


def test_a_command_named_in_a_sentence_is_neither_asked_nor_shown():
    found = built(command("make a"), command("make b", origin="inline"), command("make c"))
    assert found[1] == Rejection(2, "the command is named in a sentence")
    assert found[2].slots["executed_commands"] == "make a"


def test_a_heading_that_is_a_command_to_come_is_no_plan():
    headed = replace(command("kiln init"), title="Kiln › make a && make b")
    found = built(command("make x"), headed, command("make a && make b"))
    assert found[-1] == Rejection(3, "the plan holds a command to come")


def test_only_one_of_two_alternatives_is_on_a_way():
    first = command("pip install kiln", alternatives=[["1", "a"]])
    other = command("conda install kiln", alternatives=[["1", "b"]])
    found = built(command("make x"), first, other, command("make y"))
    assert [draft.cut for draft in found if isinstance(draft, Draft)] == [2, 3, 4]
    assert found[2].slots["executed_commands"] == "make x"
    assert found[3].slots["executed_commands"] == "make x\npip install kiln"


@given(st.lists(st.sampled_from(["cd a", "make b", "pip install c", "kiln init"]), max_size=8))
def test_every_command_is_asked_or_left_out_once_and_none_to_come_is_shown(texts):
    found = built(*map(command, texts))
    assert [result.cut for result in found] == list(range(1, len(texts) + 1))
    for draft in found:
        if isinstance(draft, Draft):
            shown = f"{draft.slots['execution_plan']}\n{draft.slots['executed_commands']}"
            to_come = set(texts[draft.cut - 1 :]) - set(texts[: draft.cut - 1])
            assert not any(text in shown for text in to_come)
            assert draft.gold not in shown


def test_no_prompt_leaks_what_is_typed_later():
    document = readme(*map(command, COMMANDS), command("make docs"))
    assert ACTION.build_document is not None
    steps = setup_steps(document)
    for draft in ACTION.build_document(document):
        if isinstance(draft, Draft):
            step = steps[draft.cut]
            way = (*step.earlier, step.command, *step.later)
            checker = LeakChecker.for_trajectory(
                task=step.plan, steps=[Step("", "bash", {"command": t}, t, "") for t in way]
            )
            prompt = render_block(ACTION.prompt, draft.slots, ())
            cut = len(step.earlier) + 1
            assert checker.check(cut=cut, prompt=prompt, gold=[draft.gold]) == []
