"""What a set-up command does, in words that are not the command."""

import pytest

from generation.core.command_phrases import phrase_of, untold


@pytest.mark.parametrize(
    ("command", "phrase"),
    [
        ("git clone https://x.example/a/kiln.git", "Get a copy of the repository kiln with git"),
        ("git clone git@x.example:a/kiln k", "Get a copy of the repository kiln with git into the folder k"),
        ("cd kiln", "Go into the folder kiln"),
        ("uv venv --python 3.12", "Make a virtual environment with uv on Python 3.12"),
        ("python3 -m venv v", "Make a virtual environment in v with python3"),
        ("source v/bin/activate", "Switch to the virtual environment in v"),
        ("conda create -n k python=3.9", "Make a conda environment named k with python 3.9"),
        ("conda activate k", "Switch to the conda environment k"),
        ("pip install -r req.txt", "Use pip to install what req.txt lists"),
        ("pip install -e .", "Use pip to install the project in this folder so that it can be edited"),
        ("python -m pip install a==1.2 b", "Use the pip of python to install a 1.2 and b"),
        ("sudo apt-get install a b", "Use apt-get to install a and b"),
        ("make build", "Build the Makefile's target build"),
        ("cd kiln && make build", "Go into the folder kiln, then build the Makefile's target build"),
        ("python fire.py --heat 9 --fast a.csv", "Run the Python script fire.py, with heat as 9, with fast as a.csv"),
        ("python -m kiln.fire --heat=9", "Run the Python module kiln.fire, with heat as 9"),
        ("bash go.sh loft", "Run the shell script go.sh with bash, on loft"),
    ],
)  # fmt: skip
def test_what_a_command_does(command, phrase):
    assert phrase_of(command) == phrase
    assert command not in phrase


@pytest.mark.parametrize(
    "command",
    [
        "",
        "kiln fire",
        "python -c 'import kiln'",
        "curl -O https://x.example/a | bash",
        "cat <<X\na\nX",
        "cd kiln && kiln fire",
        "python fire.py --data https://x.example/a",
        "git clone",
        "make 'open",
        "pip install",
    ],
)
def test_what_has_no_words(command):
    assert phrase_of(command) is None


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("pip install -r req.txt", None),
        ("conda create -n k python=3.9", None),
        ("conda create -n k python=3.9 -y", "-y"),
        ("pip install kiln -U", "-U"),
        ("git clone https://x.example/a/kiln.git", "https://x.example/a/kiln.git"),
        ("HEAT=9 python fire.py", "HEAT=9"),
        ("python fire.py --heat 9", None),
        ("python fire.py --key=...", "--key=..."),
    ],
)
def test_a_part_that_nobody_could_guess_is_named(command, part):
    phrase = phrase_of(command)
    assert phrase is not None
    assert untold(command, phrase) == part
