"""Operators on plans with a tool call: wrong in meaning at this point, valid by the tools' rules.

Wording is taken from real steps, of this run or of others, so far as there is any.
"""

import re
from collections.abc import Iterable

from generation.core.operators.calls import (
    PlannedCall,
    browsing_tool,
    call_of,
    read_planned_call,
    searching_tool,
    stopping_tool,
)
from generation.core.operators.operator import Context, Unfit, Wrong, seeded
from generation.core.records import Tool
from generation.core.selection.texts import normalise, overlap, tokens

_URL = re.compile(r"https?://[^\s\"'<>)\]}\\，。]+")
_SUBJECT = re.compile(
    r"[A-Z][\w'’-]+(?:\s+(?:of\s+|the\s+|de\s+)*[A-Z][\w'’-]+)*"
    r"|\b(?:1[0-9]|20)\d\d\b"  # a year
    r"|(?<![\u3400-\u9fff])[\u3400-\u9fff]{2,8}(?![\u3400-\u9fff])"
)
_ASKING = frozenset({"What", "When", "Where", "Which", "Who", "Whose", "Why", "How", "The", "Find"})
_NO_CALL = Unfit("the right answer holds no tool call")


def later_step(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return a step that the run takes later on, which comes too early here.

    For thoughts as for calls: the answer's form is the right one's.
    """
    right = read_planned_call(gold)
    later = []
    for step in context.later:
        call = call_of(step)
        text = call.written() if right else call.planning
        if not text or normalise(text) == normalise(gold) or (right and call.is_same_call(right)):
            continue
        if right is None or call.fault(context.tools) is None:
            later.append(text)
    if not later:
        return Unfit("no later step of the run differs")
    return Wrong(seeded("later_step", gold, seed).choice(later), "The run does this only later.")


def early_stop(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return the call that ends the run, in the words of a real ending, before it is due."""
    right = read_planned_call(gold)
    if right is None:
        return _NO_CALL
    tool = stopping_tool(context.tools)
    if tool is None or right.tool == tool.name:
        return Unfit("no declared tool ends a run, or this is where it ends")
    endings = _of_tool(tool.name, context)
    if not endings:
        return Unfit("no real ending is at hand to take the words from")
    call = seeded("early_stop", gold, seed).choice(endings)
    return _valid(call, right, context, "Ends the run before what was asked for is found.")


def repeat_done(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return a step that the run has taken already."""
    right = read_planned_call(gold)
    if right is None:
        return _NO_CALL
    done = [
        (number, call)
        for number, step in enumerate(context.shown, start=1)
        if (call := call_of(step)).planning
        and not call.is_same_call(right)
        and call.fault(context.tools) is None
    ]
    if not done:
        return Unfit("no step is shown that could be repeated")
    number, call = seeded("repeat_done", gold, seed).choice(done)
    return Wrong(call.written(), f"Step {number} has done this already.")


def off_target_query(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return the right search with what it is about replaced by something that was shown before.

    Plan and query change alike.
    """
    right = read_planned_call(gold)
    tool = searching_tool(context.tools)
    if right is None or tool is None or right.tool != tool.name:
        return Unfit("the right answer is no search")
    about = _subjects(right)
    known = f"{right.written()}\n{context.task}".casefold()
    shown = {subject for step in context.shown for subject in _subjects(call_of(step))}
    strange = sorted(subject for subject in shown if subject.casefold() not in known)
    random = seeded("off_target_query", gold, seed)
    for old in about:
        alike = [subject for subject in strange if subject.isdigit() == old.isdigit()]
        if alike:
            new = random.choice(alike)
            call = PlannedCall(
                planning=right.planning.replace(old, new),
                tool=right.tool,
                arguments={
                    name: value.replace(old, new) if isinstance(value, str) else value
                    for name, value in right.arguments.items()
                },
            )
            return _valid(call, right, context, f"Asks after {new} instead of {old}.")
    return Unfit("nothing in the query could be taken for something shown before")


def unrelated_url(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return a visit to a page that was shown and has little to do with what is needed now."""
    right = read_planned_call(gold)
    tool = browsing_tool(context.tools)
    if right is None or tool is None:
        return Unfit("no tool visits a page, or the right answer holds no call")
    stop = stopping_tool(context.tools)
    if stop is not None and right.tool == stop.name:
        return Unfit("the run ends here: there is nothing to ask a page for")
    visited = {str(step.arguments.get("url")) for step in context.shown}
    visited.add(str(right.arguments.get("url")))
    wanted = frozenset(tokens(gold))
    pages = {
        url.rstrip(".,;"): frozenset(tokens(around))
        for step in context.shown
        for url, around in _pages(step.observation)
    }
    free = sorted(
        (url for url in pages if url not in visited),
        key=lambda url: (overlap(pages[url], wanted), url),
    )
    if not free:
        return Unfit("no page is shown that was not visited")
    url = seeded("unrelated_url", gold, seed).choice(free[: max(1, len(free) // 2)])
    call = PlannedCall(right.planning, tool.name, _arguments(tool, right, url))
    return _valid(call, right, context, f"Visits {url}, which does not tell what is needed.")


def wrong_tool_use(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return the right aim by the wrong tool: a search for an address, a page asked as an engine.

    The address of a page that was visited before stands for the page.
    """
    right = read_planned_call(gold)
    browse, search = browsing_tool(context.tools), searching_tool(context.tools)
    if right is None or browse is None or search is None:
        return Unfit("there are no two tools to be taken for one another")
    if right.tool == browse.name and right.arguments.get("url"):
        arguments = dict.fromkeys(search.required, str(right.arguments["url"]))
        call = PlannedCall(right.planning, search.name, arguments)
        return _valid(call, right, context, "Searches for an address instead of visiting it.")
    visited = sorted({str(s.arguments["url"]) for s in context.shown if s.arguments.get("url")})
    if right.tool != search.name or not visited:
        return Unfit("no page was visited that could be taken for a search engine")
    url = seeded("wrong_tool_use", gold, seed).choice(visited)
    call = PlannedCall(right.planning, browse.name, _arguments(browse, right, url))
    return _valid(call, right, context, "Asks a page that was read already instead of searching.")


def _valid(call: PlannedCall, right: PlannedCall, context: Context, reason: str) -> Wrong | Unfit:
    """Return the call as a wrong answer, unless it is invalid or the right one."""
    if fault := call.fault(context.tools):
        return Unfit(fault)
    if call.is_same_call(right):
        return Unfit("it would make the right call")
    return Wrong(call.written(), reason)


def _of_tool(name: str, context: Context) -> list[PlannedCall]:
    found = [read_planned_call(other) for other in context.others]
    real = {c.written(): c for c in found if c is not None and c.tool == name and c.planning}
    return [real[text] for text in sorted(real)]


def _arguments(tool: Tool, right: PlannedCall, url: str) -> dict[str, str]:
    """Return arguments that the tool requires: the address, and else what the right call asks."""
    asked = [
        value for name, value in right.arguments.items() if isinstance(value, str) and name != "url"
    ]
    words = next((value for value in asked if value.strip()), right.planning)
    return {name: url if name == "url" else words for name in tool.required}


def _subjects(call: PlannedCall) -> list[str]:
    """Return what a call's arguments are about, the longest first: names, years, Chinese words."""
    words = " ".join(v for v in call.arguments.values() if isinstance(v, str) and "://" not in v)
    found = {match.group() for match in _SUBJECT.finditer(words)} - _ASKING
    return sorted(found, key=lambda subject: (-len(subject), subject))


def _pages(observation: str) -> Iterable[tuple[str, str]]:
    for match in _URL.finditer(observation):
        yield match.group(), observation[max(0, match.start() - 200) : match.end() + 200]
