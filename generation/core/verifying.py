"""Which steps of a repair change the code, and which commands run it to see whether it works now.

Both are told by the call alone, in the shell's own grammar where it is a shell command: a test
runner, a script that is run, a build tool's test target. A command that carries the code of its
check in itself (``python -c``, a here-document) runs something, too, but says so by ``is_inline``.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from generation.core.records import Step
from generation.core.shell import simple_commands

EDITOR = "str_replace_editor"
_EDITS = frozenset({"str_replace", "insert"})
# SWE-agent's tools that work on the open file.
_WINDOW_EDITS = frozenset({"edit", "insert", "replace", "append"})
_RUNNERS = frozenset(
    [
        "pytest",
        "py.test",
        "tox",
        "nox",
        "nosetests",
        "nose2",
        "trial",
        "ctest",
        "jest",
        "mocha",
        "vitest",
        "rspec",
        "phpunit",
    ]
)
_TEST_TARGETS = {
    "cargo": frozenset({"test", "nextest"}),
    "dotnet": frozenset({"test"}),
    "go": frozenset({"test"}),
    "gradle": frozenset({"test", "check"}),
    "gradlew": frozenset({"test", "check"}),
    "make": frozenset({"test", "tests", "check"}),
    "mvn": frozenset({"test", "verify"}),
    "npm": frozenset({"test"}),
    "pnpm": frozenset({"test"}),
    "yarn": frozenset({"test"}),
}
_TEST_MODULES = frozenset({"pytest", "unittest", "doctest", "nose", "nose2", "tox", "nox"})
_IN_PLACE = re.compile(r"-[a-zA-Z]*i|--in-place")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*\Z")
_INTERPRETERS = frozenset({"bash", "sh", "zsh", "node", "ruby", "perl", "php", "julia", "Rscript"})
_INLINE_OPTIONS = frozenset({"-c", "-e", "--eval"})
_RUN_BY = frozenset({"env", "time", "timeout", "nice", "sudo", "xvfb-run"})
_RUN_WITHIN = frozenset({"coverage", "poetry", "pdm", "hatch", "uv", "pipenv", "rye"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?\Z")
# Scripts that build or install, whatever they are told.
_NO_CHECKS = frozenset({"setup.py", "setup.sh", "install.sh", "configure"})
_MANAGE = frozenset({"manage.py", "django-admin"})


class CodeChanges:
    """Whether a run changed code so far; it is shown the steps one by one, in order.

    A file that the run made itself is no code of the project: most are scripts that show the
    fault, and changing one repairs nothing.
    """

    def __init__(self) -> None:
        self.any = False
        self._made: set[str] = set()
        self._open = ""

    def take(self, step: Step) -> None:
        """Take the next step into account."""
        if step.tool == EDITOR:
            self._take_editor(step)
        elif step.tool in _WINDOW_EDITS:
            self._change(self._open)
        elif step.tool in {"create", "open"}:
            self._open = next(iter(step.action.split()[1:2]), self._open)
            if step.tool == "create":
                self._made.add(self._open)
        else:
            for words in simple_commands(step.action.strip()):
                self._take_command(words)

    def _take_editor(self, step: Step) -> None:
        path = str(step.arguments.get("path", ""))
        if step.arguments.get("command") == "create":
            self._made.add(path)
        elif step.arguments.get("command") in _EDITS:
            self._change(path)

    def _take_command(self, words: Sequence[str]) -> None:
        match words:
            case ["sed", *rest] if any(_IN_PLACE.match(word) for word in rest):
                self._change(rest[-1])
            case ["patch", *_] | ["git", "apply", *_]:
                self.any = True
            case _:
                return

    def _change(self, path: str) -> None:
        self.any = self.any or path not in self._made


def verifies(command: str) -> bool:
    """Return whether a shell command runs tests or a script, of the project or of the agent."""
    return any(_runs_a_check(_bare(words)) for words in simple_commands(command))


def is_inline(command: str) -> bool:
    """Return whether a command hands an interpreter code that stands in the command itself."""
    for words in simple_commands(command):
        bare = _bare(words)
        if not bare or not (_is_python(bare[0]) or _name(bare[0]) in _INTERPRETERS):
            continue
        script = next((word for word in bare[1:] if not word.startswith("-")), None)
        if script is None or any(word in _INLINE_OPTIONS for word in bare[1:]):
            return True
    return False


def _runs_a_check(words: Sequence[str]) -> bool:
    if not words:
        return False
    name, rest = _name(words[0]), words[1:]
    if name in _RUNNERS:
        return "--version" not in rest
    if name in _TEST_TARGETS:
        return any(word in _TEST_TARGETS[name] for word in rest)
    if _is_python(name):
        return _python_checks(rest)
    if name in _INTERPRETERS:
        return _is_check(next((word for word in rest if not word.startswith("-")), ""))
    return words[0].startswith("./") and _python_checks(words)


def _python_checks(rest: Sequence[str]) -> bool:
    if "-m" in rest:
        module = next(iter(rest[rest.index("-m") + 1 :]), "")
        return module.partition(".")[0] in _TEST_MODULES
    if not rest or "-" in rest or any(word in _INLINE_OPTIONS for word in rest):
        return True
    scripts = [word for word in rest if not word.startswith("-")]
    if not scripts:
        return False
    if _name(scripts[0]) in _MANAGE:
        return "test" in scripts[1:]
    return _is_check(scripts[0])


def _is_check(script: str) -> bool:
    return bool(script) and _name(script) not in _NO_CHECKS


def _bare(words: Sequence[str]) -> list[str]:
    """Return the words from the program on: without assignments, ``env``, ``timeout 60``, ``uv run``."""
    left = list(words)
    while left:
        if _ASSIGNMENT.match(left[0]):
            left = left[1:]
        elif left[0] in _RUN_BY:
            left = left[1:]
            while left and (left[0].startswith("-") or _DURATION.match(left[0])):
                left = left[1:]
        elif left[0] in _RUN_WITHIN and "run" in left[1:2]:
            left = left[2:]
            # ``coverage run -m pytest`` is Python's own way to call.
            if left and left[0] == "-m":
                left = ["python", *left]
        else:
            break
    return left


def _is_python(word: str) -> bool:
    return _PYTHON.match(_name(word)) is not None


def _name(word: str) -> str:
    return PurePosixPath(word).name
