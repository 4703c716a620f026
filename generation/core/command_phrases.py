"""Says in words what a set-up command does, so that a plan can name it without holding it.

Only commands whose purpose their own words give away are said: getting a repository, making and
entering environments, installing, running a script or a target. All else has no words (None); a
person or a model has to find them.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from generation.core.shell import simple_commands

_PIP = re.compile(r"pip3?(?:\.\d+)?\Z")
_PYTHON = re.compile(r"python[\d.]*\Z")
_CONDA = frozenset({"conda", "mamba", "micromamba"})
_PACKAGERS = {
    "apt": "apt",
    "apt-get": "apt-get",
    "brew": "Homebrew",
    "npm": "npm",
    "poetry": "poetry",
    **{name: name for name in _CONDA},
}
_IMPLIED = frozenset({"-r", "-e", "-n", "-m", "-c", "--name", "--python", "--channel"})
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_ADDRESS = re.compile(r"(?:\w+://|git@|git\+)\S+")


def phrase_of(command: str) -> str | None:
    """Return what a command does as a sentence without its end mark; None where no rule says it.

    Of several joined commands each is said. Names, paths and versions stand in the sentence as
    they are, since nobody could guess them; addresses and the command's own wording do not.
    """
    calls = simple_commands(command)
    if not calls or "<<" in command or re.search(r"[|;<>`]|\$\(", command):
        return None
    said = [_call(_without_sudo(words)) for words in calls]
    if any(text is None for text in said):
        return None
    text = ", then ".join(text for text in said if text)
    return None if _ADDRESS.search(text) else text[:1].upper() + text[1:]


def untold(command: str, phrase: str) -> str | None:
    """Return the first part of a command that its phrase says nothing of; None where all is told.

    Addresses, settings before the program and options count; those that a phrase implies do not.
    """
    said = re.findall(r"[\w.-]+", phrase)
    for place, word in enumerate(command.split()):
        name = word.strip("'\"").lstrip("-").partition("=")[0]
        if "..." in word or _ADDRESS.search(word) or (_SETTING.match(word) and place == 0):
            return word
        if word.startswith("-") and word not in _IMPLIED and name not in said:
            return word
    return None


def _without_sudo(words: Sequence[str]) -> list[str]:
    return list(words[1:] if words and words[0] == "sudo" else words)


def _call(words: list[str]) -> str | None:
    match words:
        case ["git", "clone", *rest]:
            return _clone(_plain(rest))
        case ["cd", folder]:
            return f"go into the folder {folder}"
        case ["mkdir", *rest] if len(_plain(rest)) == 1:
            return f"make the folder {_plain(rest)[0]}"
        case ["source" | ".", script] if script.endswith("/bin/activate"):
            return f"switch to the virtual environment in {script.removesuffix('/bin/activate')}"
        case [tool, "activate", name] if tool in _CONDA:
            return f"switch to the {tool} environment {name}"
        case [tool, "create", *rest] if tool in _CONDA:
            return _environment(tool, rest)
        case ["uv", "venv", *rest]:
            folder = next(iter(_plain(rest, valued={"--python", "-p"})), "")
            python = _value(rest, {"--python", "-p"})
            return (
                f"make a virtual environment{f' in {folder}' if folder else ''} with uv"
                f"{f' on Python {python}' if python else ''}"
            )
        case [python, "-m", "venv", folder] if _PYTHON.match(python):
            return f"make a virtual environment in {folder} with {python}"
        case ["uv", "pip", "install", *rest]:
            return _install(rest, "uv")
        case [python, "-m", pip, "install", *rest] if _PYTHON.match(python) and _PIP.match(pip):
            return _install(rest, f"the {pip} of {python}")
        case [pip, "install", *rest] if _PIP.match(pip):
            return _install(rest, pip)
        case ["make", target] if not target.startswith("-"):
            return f"build the Makefile's target {target}"
        case _:
            return _packages(words) or _script(words)


def _clone(plain: Sequence[str]) -> str | None:
    if not plain or len(plain) > 2:
        return None
    name = PurePosixPath(plain[0].replace(":", "/")).name.removesuffix(".git")
    into = f" into the folder {plain[1]}" if len(plain) == 2 else ""
    return f"get a copy of the repository {name} with git{into}"


def _environment(tool: str, rest: Sequence[str]) -> str | None:
    name = _value(rest, {"-n", "--name"})
    if not name:
        return None
    what = [word.replace("==", " ").replace("=", " ") for word in _plain(rest, {"-n", "--name"})]
    return f"make a {tool} environment named {name}{f' with {_listed(what)}' if what else ''}"


def _install(rest: Sequence[str], tool: str) -> str | None:
    listed = _value(rest, {"-r", "--requirement"})
    editable = _value(rest, {"-e", "--editable"})
    valued = {"-r", "--requirement", "-e", "--editable", "--index-url", "--extra-index-url", "-i"}
    packages = [word.replace("==", " ") for word in _plain(rest, valued)]
    said = []
    if listed:
        said.append(f"what {listed} lists")
    if editable:
        where = "the project in this folder" if editable == "." else f"the project at {editable}"
        said.append(f"{where} so that it can be edited")
    if packages:
        said.append(_listed(packages))
    return f"use {tool} to install {' and '.join(said)}" if said else None


def _packages(words: Sequence[str]) -> str | None:
    if len(words) < 2 or words[0] not in _PACKAGERS or words[1] != "install":
        return None
    packages = _plain(words[2:], {"-c", "--channel"})
    channel = _value(words[2:], {"-c", "--channel"})
    what = _listed(packages) if packages else "what the project depends on"
    return f"use {_PACKAGERS[words[0]]} to install {what}{f' from {channel}' if channel else ''}"


def _script(words: Sequence[str]) -> str | None:
    match words:
        case [python, "-m", module, *rest] if _PYTHON.match(python):
            what = f"the Python module {module}"
        case [python, script, *rest] if _PYTHON.match(python) and script.endswith(".py"):
            what = f"the Python script {script}"
        case ["bash" | "sh", script, *rest] if script.endswith(".sh"):
            what = f"the shell script {script} with {words[0]}"
        case [script, *rest] if script.startswith("./"):
            what = f"the program {script.removeprefix('./')} of this folder"
        case _:
            return None
    return f"run {what}{_settings(rest)}"


def _settings(rest: Sequence[str]) -> str:
    """Return the options and arguments in words: ``, with epochs as 30, on a.txt``."""
    said: list[str] = []
    left = list(rest)
    while left:
        word = left.pop(0)
        name, equals, value = word.lstrip("-").partition("=")
        if not word.startswith("-"):
            said.append(f"on {word}")
        elif equals:
            said.append(f"with {name} as {value}")
        elif left and not left[0].startswith("-"):
            said.append(f"with {name} as {left.pop(0)}")
        else:
            said.append(f"with {name} switched on")
    return "".join(f", {text}" for text in said)


def _plain(words: Sequence[str], valued: set[str] | frozenset[str] = frozenset()) -> list[str]:
    """Return the words that are neither options nor the values of ``valued`` ones."""
    return [
        word
        for place, word in enumerate(words)
        if not word.startswith("-") and (place == 0 or words[place - 1] not in valued)
    ]


def _value(words: Sequence[str], names: set[str]) -> str:
    places = [place for place, word in enumerate(words[:-1]) if word in names]
    return words[places[0] + 1] if places else ""


def _listed(words: Sequence[str]) -> str:
    return " and ".join([*([", ".join(words[:-1])] if words[:-1] else []), words[-1]])
