"""Items with one planted leak, and items that only look as if they leaked; by fixed seeds."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from generation.core.prompts import render_history, render_options
from generation.core.records import Step
from tests.generation.core.leakage.runs import Run

INSTRUCTION = "Each question shows a task and the work so far. Choose what fits as the next step."


@dataclass(frozen=True)
class Planted:
    """An item and where its leak stands (``field`` is empty where there is none)."""

    run: Run
    cut: int
    prompt: str
    options: tuple[str, ...]
    field: str = ""
    start: int = 0
    end: int = 0
    step: int | None = None


def clean(run: Run, cut: int) -> Planted:
    """An item as the product makes it: past in the prompt, later thoughts as options."""
    thoughts = dict.fromkeys(s.thought for s in run.steps[cut - 1 :] if s.thought)
    options = tuple(list(thoughts)[:4])
    return Planted(run, cut, _prompt(run, cut, "", render_options(options)), options)


def _prompt(run: Run, cut: int, extra: str, options: str) -> str:
    history = render_history(run.steps[: cut - 1])
    return f"{INSTRUCTION}\n\nTask:\n{run.task}\n\nWork so far:\n{history}\n\nRemarks:\n{extra}\n\n{options}\n\nThe answer: ("


def with_note(item: Planted, text: str, rng: Random, *, step: int | None = None) -> Planted:
    """The item with ``text`` put into its prompt."""
    before, after = rng.choice((("", ""), ("Note: ", ""), ("\n", "\n"), ("「", "」"), ("> ", "\n")))
    mark = "\x02"
    prompt = _prompt(item.run, item.cut, f"{before}{mark}{after}", render_options(item.options))
    start = prompt.index(mark)
    return replace(
        item,
        prompt=prompt.replace(mark, text),
        field="prompt",
        start=start,
        end=start + len(text),
        step=step,
    )


def _squeezed(text: str) -> str:
    return re.sub(r"\W+", "", text.casefold())


def past(run: Run, cut: int) -> str:
    """Everything visible at the cut, without blanks, punctuation and case."""
    texts = [run.task]
    for s in run.steps[: cut - 1]:
        texts += [s.thought, s.action, s.observation]
    return _squeezed("\n".join(texts))


def some_cut(run: Run, rng: Random) -> int:
    return rng.randrange(1, len(run.steps))


def window(
    run: Run, cut: int, rng: Random, low: int, high: int, *, words: int
) -> tuple[str, int] | None:
    """A stretch of a later observation that nothing earlier shows, and its step; None if none.

    It begins with a word and has ``low`` to ``high`` characters; with ``words`` it has at least
    so many and ends with one.
    """
    number = rng.randrange(cut, len(run.steps) + 1)
    text = run.steps[number - 1].observation
    begins = [m.start() for m in re.finditer(r"(?<!\w)\w", text)]
    if not begins:
        return None
    start = rng.choice(begins)
    piece = text[start : start + rng.randint(low, high)]
    if words:
        piece = re.sub(r"\W*\w*$", "", piece)
    piece = piece.rstrip()
    enough = len(re.findall(r"[㐀-鿿]", piece)) / 2 + len(re.findall(r"[A-Za-z0-9_]+", piece))
    if len(piece) < min(low, 25) or enough < words:
        return None
    spoken = _squeezed("\n".join(s.thought + "\n" + s.action for s in run.steps))
    if _squeezed(piece) in past(run, cut) or _squeezed(piece) in spoken:
        return None
    first = next(
        i
        for i, s in enumerate(run.steps, 1)
        if i >= cut and _squeezed(piece) in _squeezed(s.observation)
    )
    return piece, first


def plant_window(
    runs: Sequence[Run], seed: str, *, low: int, high: int, words: int,
    change: Callable[[str, Random], str] = lambda text, _: text, into_option: bool = False,
) -> Planted:  # fmt: skip
    """An item whose prompt or option shows a stretch of a later observation."""
    rng = Random(seed)
    while True:
        run = rng.choice(runs)
        cut = some_cut(run, rng)
        found = window(run, cut, rng, low, high, words=words)
        if found is None:
            continue
        text, number = found
        text = change(text, rng)
        item = clean(run, cut)
        if not into_option:
            return with_note(item, text, rng, step=number)
        if not item.options:
            continue
        place = rng.randrange(len(item.options))
        option = item.options[place]
        options = list(item.options)
        options[place] = f"{option}\n{text}\n"
        return replace(
            item,
            options=tuple(options),
            prompt=_prompt(run, cut, "", render_options(options)),
            field=f"option:{place}",
            start=len(option) + 1,
            end=len(option) + 1 + len(text),
            step=number,
        )


def respaced(text: str, rng: Random) -> str:
    """The text in another case and with other blanks."""
    text = rng.choice((str.upper, str.lower, str.title))(text)
    return re.sub(r"\s+", lambda _: rng.choice(("  ", "\n", "\t", " \n ")), text)


def plant_fact(runs: Sequence[Run], seed: str, kind: str) -> Planted:
    """An item whose prompt names a fact that only a later observation has."""
    rng = Random(seed)
    run = rng.choice(runs)
    cut = some_cut(run, rng)
    number = rng.randrange(cut, len(run.steps) + 1)
    fact = _FACTS[kind](rng)
    steps = list(run.steps)
    told = steps[number - 1]
    steps[number - 1] = replace(told, observation=f"{told.observation}\nresult: {fact} .\n")
    item = clean(replace(run, steps=tuple(steps)), cut)
    carrier = rng.choice(
        ("It was {}, as they say.", "Hint: {}", "结果是 {}。", "({})", "see {} there")
    )
    before, after = carrier.split("{}")
    noted = with_note(item, f"{before}{fact}{after}", rng, step=number)
    start = noted.start + len(before)
    return replace(noted, start=start, end=start + len(fact))


_MONTHS = ("January", "March", "May", "Aug", "October", "Dec")
_FACTS: dict[str, Callable[[Random], str]] = {
    "number": lambda r: r.choice((
        f"{r.uniform(0.1, 0.9):.4f}",
        f"{r.randrange(100, 999)}.{r.randrange(11, 99)}",
        f"{r.randrange(11, 99)}.{r.randrange(1, 9)}",
        f"{r.randrange(21, 99)},{r.randrange(101, 999)}",
        str(r.randrange(23001, 899999) // 100 * 100 + 37),
    )),
    "date": lambda r: r.choice((
        f"{r.randrange(1950, 2049)}-{r.randrange(1, 12):02}-{r.randrange(1, 28):02}",
        f"{r.choice(_MONTHS)} {r.randrange(1, 28)}, {r.randrange(1950, 2049)}",
        f"{r.randrange(1, 28)} {r.choice(_MONTHS)} {r.randrange(1950, 2049)}",
        f"{r.randrange(1950, 2049)}年{r.randrange(1, 12)}月{r.randrange(1, 28)}日",
    )),
    "url": lambda r: f"https://{r.choice(('www.', 'docs.', ''))}site{r.randrange(9999)}.example/"
    f"{r.choice(('wiki/', 'a/b?id=', ''))}{r.getrandbits(32):x}",
    "hash": lambda r: f"{r.getrandbits(160):040x}"[: r.choice((9, 12, 40))],
}  # fmt: skip

SUCCESSES = (
    "All tests passed.", "The issue has been resolved.", "In the end all 14 tests pass.",
    "The bug is now fixed.", "27 passed, 0 failed", "The fix works as it should.",
    "It was successfully resolved.", "The hidden tests now pass.", "The build succeeded.",
    "所有测试均已通过。", "问题已经解决。", "最后修复成功。", "任务已成功完成。", "全部通过。",
    "The patch was accepted.", "After that edit, all the unit tests passed.",
)  # fmt: skip
CONDITIONS = (
    "Do not submit until all tests pass.", "If all tests passed, submit.",
    "Make sure that the hidden tests pass.", "Did all tests pass?", "Not all tests passed.",
    "Go on until the issue is resolved.", "The bug is fixed only if the loop ends.",
    "You should check whether the fix works.", "The tests must all be green and all tests must pass.",
    "确保所有测试通过。", "如果测试全部通过，就提交。", "直到问题已经解决为止。", "测试是否全部通过？",
    "请在所有测试通过后再提交。", "Without a change the tests never pass.",
    "Once all the tests pass, stop.", "问题还没有成功解决。", "The change must ensure all tests pass.",
)  # fmt: skip
IMPORTS = (
    "import numpy as np\nimport pandas as pd\nfrom collections import OrderedDict",
    "from pathlib import Path\nfrom typing import Any, Callable, Mapping\nimport json",
    "import os\nimport re\nimport sys\nimport subprocess\nimport unittest\nimport logging",
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n#include <math.h>",
)
PATHS = (
    "/usr/lib/python3/dist-packages", "src/main.py", "tests/__init__.py", "/etc/hosts",
    "/usr/bin/python3", "docs/index.md", "/tmp/test.py", "src/utils/config.py", "and/or",
)  # fmt: skip


def plant_success(runs: Sequence[Run], seed: str) -> Planted:
    """An item whose prompt says that the run succeeded."""
    rng = Random(seed)
    run = rng.choice(runs)
    item = clean(run, some_cut(run, rng))
    return with_note(item, rng.choice(SUCCESSES), rng)


def hard_negative(runs: Sequence[Run], seed: str, kind: str) -> Planted:
    """An item that looks as if it leaked and does not."""
    rng = Random(seed)
    run = rng.choice(runs)
    cut = rng.randrange(2, len(run.steps) + 1)
    return _NEGATIVES[kind](run, cut, rng)


def _later(run: Run, cut: int, text: str, rng: Random) -> Run:
    """The run with a later observation that also shows ``text``."""
    number = rng.randrange(cut, len(run.steps) + 1)
    steps = list(run.steps)
    told = steps[number - 1]
    steps[number - 1] = replace(told, observation=f"{told.observation}\n{text}\n")
    return replace(run, steps=tuple(steps))


def _earlier(run: Run, cut: int, text: str, rng: Random) -> Run:
    number = rng.randrange(1, cut)
    steps = list(run.steps)
    told = steps[number - 1]
    steps[number - 1] = replace(told, observation=f"{told.observation}\n{text}\n")
    return replace(run, steps=tuple(steps))


def _shown_later_too(run: Run, cut: int, text: str, rng: Random) -> Planted:
    return with_note(clean(_later(run, cut, text, rng), cut), text, rng)


def _boilerplate(run: Run, cut: int, rng: Random) -> Planted:
    text = "Observed output follows; long lines are cut after eighty characters by the tool itself:"
    return _shown_later_too(_earlier(run, cut, text, rng), cut, text, rng)


def _gold_echo(run: Run, cut: int, rng: Random) -> Planted:
    echoed = run.steps[rng.randrange(1, cut) - 1]
    steps = list(run.steps)
    steps[cut - 1] = replace(steps[cut - 1], thought=echoed.thought, action=echoed.action)
    item = clean(replace(run, steps=tuple(steps)), cut)
    return with_note(item, f"{echoed.thought}\n{echoed.action}", rng)


def _repeated_listing(run: Run, cut: int, rng: Random) -> Planted:
    earlier = run.steps[rng.randrange(1, cut) - 1]
    steps: list[Step] = list(run.steps)
    steps.insert(cut - 1, earlier)
    item = clean(replace(run, steps=tuple(steps)), cut)
    return with_note(item, earlier.observation[: rng.randint(60, 600)], rng)


def _quoted_task(run: Run, cut: int, rng: Random) -> Planted:
    start = rng.randrange(max(len(run.task) - 80, 1))
    return _shown_later_too(run, cut, run.task[start : start + 300], rng)


def _conditional(run: Run, cut: int, rng: Random) -> Planted:
    return with_note(clean(run, cut), rng.choice(CONDITIONS), rng)


def _legal_success(run: Run, cut: int, rng: Random) -> Planted:
    text = rng.choice(SUCCESSES)
    return _shown_later_too(_earlier(run, cut, text, rng), cut, text, rng)


def _common_path(run: Run, cut: int, rng: Random) -> Planted:
    path = rng.choice(PATHS)
    item = clean(_later(run, cut, f"{path} was read", rng), cut)
    return with_note(item, f"Mind {path} as well.", rng)


def _small_number(run: Run, cut: int, rng: Random) -> Planted:
    number = rng.choice(("3", "12", "0.5", "100", "7", "42", "1000", "2.0", "8080", "64", "1999"))
    item = clean(_later(run, cut, f"there are {number} of them", rng), cut)
    return with_note(item, f"Think of {number} ways.", rng)


def _import_lines(run: Run, cut: int, rng: Random) -> Planted:
    text = rng.choice(IMPORTS)
    item = clean(_later(run, cut, text, rng), cut)
    return with_note(item, f"\n{text}\n", rng)


_NEGATIVES: dict[str, Callable[[Run, int, Random], Planted]] = {
    "none": lambda run, cut, _: clean(run, cut),
    "prefix boilerplate": _boilerplate,
    "gold echo": _gold_echo,
    "repeated listing": _repeated_listing,
    "quoted task": _quoted_task,
    "conditional success": _conditional,
    "earlier legal success": _legal_success,
    "common path": _common_path,
    "small number": _small_number,
    "import lines": _import_lines,
}
NEGATIVE_KINDS = tuple(_NEGATIVES)
