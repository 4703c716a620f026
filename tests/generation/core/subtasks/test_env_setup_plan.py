"""``env_setup_plan``: a README's set-up as a plan in words, made by rule."""

from hypothesis import given
from hypothesis import strategies as st

from generation.core.records import Document, Language, Provenance, Section
from generation.core.registry import SUBTASKS
from generation.core.setup_plan import MOST_STEPS, repository_info, setup_plan
from generation.core.subtask import Draft, Rejection

PLAN = SUBTASKS["env_setup_plan"]
COMMANDS = ("git clone https://x.example/kiln", "cd kiln", "kiln init", "pip install -r req.txt")


def command(text: str, title: str = "Kiln › Set up", **facts) -> Section:
    return Section("command", text, title, facts={"origin": "fence", **facts})


def readme(*sections: Section, around: bool = True) -> Document:
    known = (Section("file_list", "kiln/heat.py\nreq.txt", "acme/kiln"),) if around else ()
    return Document(
        provenance=Provenance("readme", "acme/kiln", "acme/kiln", "README.md", "MIT"),
        language=Language.EN,
        title="acme/kiln",
        sections=(*sections, *known),
    )


def built(*sections: Section, around: bool = True):
    assert PLAN.build_document is not None
    (result,) = PLAN.build_document(readme(*sections, around=around))
    return result


def test_the_plan_says_commands_and_headings_in_words():
    steps = [
        *map(command, COMMANDS[:2]),
        command("kiln init --deep", "Kiln › 2. Make the first **firing plan**"),
        command("kiln more", "Kiln › 2. Make the first **firing plan**"),
        command(COMMANDS[3]),
        command("kiln go", "Kiln › Usage"),
        command("make fire"),
    ]
    draft = built(*steps)
    assert isinstance(draft, Draft)
    assert draft.gold.splitlines() == [
        "1. Get a copy of the repository kiln with git",
        "2. Go into the folder kiln",
        "3. Make the first firing plan",
        "4. Use pip to install what req.txt lists",
        "5. Build the Makefile's target fire",
    ]
    # All commands of the README are known: the cut is one past the last.
    assert draft.cut == 8


def test_the_repository_is_told_without_its_code():
    part = Section(
        "part", "## Set up\n\nGet it:\n\n```bash\ngit clone https://x\n```\n\nHave fun.", "Set up"
    )
    needs = Section("requirements", "numpy\n", "req.txt")
    info = repository_info(readme(part, needs, Section("imports", "numpy\nscipy", "kiln")))
    assert info.startswith(
        "Files:\nkiln/heat.py\nreq.txt\n\nImports:\nnumpy\nscipy\n\nreq.txt:\nnumpy"
    )
    assert info.endswith("Get it:\n\nHave fun.")
    assert "git clone" not in info


def test_only_one_alternative_and_one_environment_are_on_the_plan():
    steps = setup_plan(
        readme(
            command("pip install kiln", alternatives=[["1", "a"]]),
            command("conda install kiln", alternatives=[["1", "b"]]),
            command("cd one", environment="first"),
            command("cd two", environment="second"),
            command("make inline", origin="inline"),
        )
    )
    assert steps == ("Use pip to install kiln", "Go into the folder one")


def test_what_gives_no_plan_says_why():
    assert built(command("make a"), command("kiln init")) == Rejection(
        3, "fewer than 3 steps can be said in words"
    )
    many = [command(f"make t{number}") for number in range(3)]
    assert built(*many, around=False) == Rejection(
        4, "nothing is known of the repository but its commands"
    )
    chinese = command("kiln init", "Kiln › 准备 环境")
    assert built(*many, chinese) == Rejection(
        5, "the plan is in another language than the question"
    )


def test_placeholders_and_long_settings_are_not_in_a_step():
    long = "python fire.py " + " ".join(f"--option-{n} value-{n}" for n in range(20))
    steps = setup_plan(
        readme(command(long), command("bash go.sh [model_name]", "Kiln › Go on now"))
    )
    assert steps == ("Run the Python script fire.py", "Go on now")


@given(st.lists(st.sampled_from([*COMMANDS, "make a", "make b"]), max_size=30))
def test_no_step_comes_twice_nor_too_many(texts):
    steps = setup_plan(readme(*map(command, texts), *(command(f"make t{n}") for n in range(14))))
    assert len(set(steps)) == len(steps) <= MOST_STEPS
