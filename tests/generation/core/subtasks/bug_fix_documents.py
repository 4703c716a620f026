"""Small bug-fix instances and predictions, as the importers hand them out."""

import difflib

from generation.core.records import Document, Language, Provenance, Section, Success

PATH = "kiln/fire.py"
TEST_PATH = "tests/test_fire.py"
SOURCE = '"""Firing."""\n\nimport math\n\n\n' + "\n\n".join(
    f"def stage_{n}(heat):\n    warm = heat * {n}\n    if warm > limit_{n}:\n"
    f"        warm = limit_{n}\n    log_{n}(warm)\n    return warm - loss_{n}\n"
    for n in range(12)
)
TESTS = (
    "import unittest\n\nfrom kiln import fire\n\n\nclass FireTest(unittest.TestCase):\n"
    "    def test_cold(self):\n        self.assertEqual(fire.stage_0(0), 0)\n"
)


def patch(old: str, new: str, path: str = PATH) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return f"diff --git a/{path} b/{path}\n" + "".join(lines)


def replaced(old: str, new: str, source: str = SOURCE) -> str:
    assert source.count(old) == 1
    return source.replace(old, new)


FIX = patch(SOURCE, replaced("warm > limit_5:", "warm >= limit_5 - margin:"))
TEST_FIX = patch(
    TESTS,
    TESTS + "\n    def test_margin(self):\n        self.assertEqual(fire.stage_5(2), 7)\n",
    TEST_PATH,
)


def instance(
    fix: str = FIX,
    test_patch: str = TEST_FIX,
    *,
    problem: str = "Stage five overheats\n\nIt goes over its limit.",
    files: dict[str, str] | None = None,
    name: str = "acme__kiln-7",
    **facts,
) -> Document:
    there = {PATH: SOURCE, TEST_PATH: TESTS} if files is None else files
    sections = [Section("problem", problem), Section("patch", fix, is_future=True)]
    if test_patch:
        sections.append(Section("test_patch", test_patch, is_future=True))
    return Document(
        provenance=Provenance("swe_bench", name, name, "rows.jsonl:1"),
        language=Language.EN,
        title=problem.splitlines()[0],
        sections=(*sections, *(Section("file", text, path) for path, text in there.items())),
        facts={"repository": "acme/kiln", **facts},
        success=Success.CONFIRMED,
    )


def prediction(text: str, model: str, name: str = "acme__kiln-7") -> Document:
    return Document(
        provenance=Provenance("predictions", f"{name}:{model}", name, "preds.jsonl:1", model=model),
        language=Language.EN,
        title=f"{name} by {model}",
        sections=(Section("patch", text, is_future=True),),
        success=Success.FAILED,
    )
