"""A README becomes a document with its commands in order, and with its repository around it."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.importers.licences import licence_named_by
from generation.core.records import Document, Language, PassedOver, Refusal, Success

README = IMPORTERS["readme"]
TEXT = """# Kiln

Fires clay.

## Install

```bash
git clone https://kiln.example/kiln
cd kiln
pip install -r requirements.txt
```

## Fire

Run `kiln heat --to 900`, or:

```bash
python -m kiln.heat --to 900
```

```
kiln/
└── heat.py
```
"""
MIT = (
    "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n"
)


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def only(path: Path) -> Document:
    (document,) = README.read(path)
    assert isinstance(document, Document)
    return document


def test_parts_commands_and_what_is_unsure_stand_in_the_order_of_their_lines(tmp_path):
    write(tmp_path / "acme__kiln", {"README.md": TEXT, "LICENSE": MIT})
    document = only(tmp_path / "acme__kiln" / "README.md")
    assert [(s.kind, s.text.split("\n")[0]) for s in document.sections] == [
        ("part", "# Kiln"),
        ("part", "## Install"),
        ("command", "git clone https://kiln.example/kiln"),
        ("command", "cd kiln"),
        ("command", "pip install -r requirements.txt"),
        ("part", "## Fire"),
        ("command", "python -m kiln.heat --to 900"),
        ("unsure", "kiln/"),
        ("unsure", "└── heat.py"),
    ]
    clone = document.of_kind("command")[0]
    assert clone.title == "Kiln › Install"
    assert (clone.facts["line"], clone.facts["origin"], clone.facts["info"]) == (8, "fence", "bash")
    assert document.provenance.cluster == "acme/kiln"
    assert document.provenance.external_id == "acme/kiln:README.md"
    assert (document.provenance.licence, document.language) == ("MIT", Language.EN)
    assert document.success is Success.CONFIRMED


def test_a_folder_adds_files_imports_and_requirements_and_the_document_stays_the_same(tmp_path):
    root = write(
        tmp_path / "kiln",
        {
            "README.md": TEXT,
            "LICENSE": MIT,
            "requirements.txt": "numpy>=2\n",
            "setup.py": "import setuptools\n",
            "kiln/__init__.py": "",
            "kiln/heat.py": "import os, numpy as np\nfrom torch.nn import Module\nfrom kiln import x\n",
            ".git/config": '[remote "origin"]\n\turl = git@github.com:acme/kiln.git\n',
            "node_modules/a/README.md": TEXT,
        },
    )
    (root / "link.txt").symlink_to("/etc/hostname")
    document = only(root)
    assert document.title == "acme/kiln"
    files = document.of_kind("file_list")[0].text.split("\n")
    assert files == [
        "LICENSE",
        "README.md",
        "kiln/__init__.py",
        "kiln/heat.py",
        "requirements.txt",
        "setup.py",
    ]
    assert document.of_kind("imports")[0].text.split("\n") == ["numpy", "os", "setuptools", "torch"]
    assert [(s.title, s.text) for s in document.of_kind("requirements")] == [
        ("requirements.txt", "numpy>=2\n"),
        ("setup.py", "import setuptools\n"),
    ]
    assert content_digest(document) == content_digest(only(root / "README.md"))


def test_each_folder_of_a_folder_of_repositories_is_one(tmp_path):
    write(tmp_path, {"a__x/README.md": TEXT, "a__y/README.md": TEXT, "a__x/docs/INSTALL.md": TEXT})
    found = [d for d in README.read(tmp_path) if isinstance(d, Document)]
    assert [d.provenance.external_id for d in found] == [
        "a/x:README.md",
        "a/x:docs/INSTALL.md",
        "a/y:README.md",
    ]


@pytest.mark.parametrize("named", [True, False])
def test_a_twin_in_another_language_is_passed_over(tmp_path, named):
    chinese = TEXT.replace("Fires clay.", "烧制陶土的小程序，用来加热窑炉。").replace(
        "## Fire", "## 烧制"
    )
    write(tmp_path / "kiln", {"README.md": TEXT, "README_zh-CN.md": chinese})
    path = tmp_path / "kiln" / "README_zh-CN.md" if named else tmp_path / "kiln"
    *documents, twin = README.read(path)
    assert isinstance(twin, PassedOver)
    assert twin.why == "the same commands as README.md, in another language"
    assert len(documents) == (0 if named else 1)


def test_of_twins_without_a_plain_one_the_english_goes_first(tmp_path):
    write(tmp_path / "kiln", {"README.en.md": TEXT, "README.cn.md": TEXT})
    passed, document = README.read(tmp_path / "kiln")
    assert isinstance(passed, PassedOver)
    assert isinstance(document, Document)
    assert document.facts["path"] == "README.en.md"


def test_a_readme_in_another_language_with_other_commands_is_one_of_its_own(tmp_path):
    other = "# 窑炉\n\n用来加热窑炉的小程序，先安装再运行。\n\n```bash\nmake fire\n```\n"
    write(tmp_path / "kiln", {"README.md": TEXT, "README_zh.md": other})
    first, second = README.read(tmp_path / "kiln")
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert (first.language, second.language) == (Language.EN, Language.ZH)
    assert first.provenance.cluster == second.provenance.cluster


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# Kiln\n\nNo more.\n", "no command: no fence"),
        ("```bibtex\n@misc{a}\n```\n", "no command in 1 fence (bibtex)"),
        ("```\na\n```\n```json\n{}\n```\n", "no command in 2 fences (json, without a tag)"),
    ],
)
def test_a_readme_without_a_command_is_refused_with_what_it_holds(tmp_path, text, why):
    write(tmp_path, {"README.md": text})
    (refusal,) = README.read(tmp_path / "README.md")
    assert isinstance(refusal, Refusal)
    assert why in refusal.why


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"# A\0\n", "a NUL byte at offset 3"),
        (b"\xff\xfe#\0", "UTF-16"),
        (b" \n", "empty"),
        (b"a" * 100_001, "a line longer than 100000"),
        (b"a\n" * 2_000_001, "larger than 4000000"),
    ],
)
def test_files_that_are_no_text_are_errors_when_named_and_refused_in_a_folder(tmp_path, data, why):
    write(tmp_path, {"README.md": data})
    with pytest.raises(ImportInputError, match=why):
        list(README.read(tmp_path / "README.md"))
    (refusal,) = README.read(tmp_path)
    assert isinstance(refusal, Refusal)
    assert why in refusal.why


def test_markdown_is_expected_by_name(tmp_path):
    write(tmp_path, {"README.rst": "Kiln\n====\n"})
    with pytest.raises(ImportInputError, match=r"Markdown is expected, not \.rst"):
        list(README.read(tmp_path / "README.rst"))


def test_a_readme_without_an_ending_is_markdown_and_other_markup_is_refused(tmp_path):
    write(tmp_path, {"a/README": TEXT, "b/README.rst": "Kiln\n====\n", "b/notes.txt": "make"})
    document, refusal = README.read(tmp_path)
    assert isinstance(document, Document)
    assert isinstance(refusal, Refusal)
    assert refusal.why == "no README: Markdown is expected, not .rst"


def test_line_ends_a_byte_order_mark_and_bad_bytes_are_read_over(tmp_path):
    plain = only(write(tmp_path / "a", {"README.md": TEXT}) / "README.md")
    data = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()
    windows = only(write(tmp_path / "b" / "a", {"README.md": data}) / "README.md")
    assert content_digest(windows) == content_digest(plain)
    bad = only(write(tmp_path / "c", {"README.md": TEXT.encode() + b"\xff\n"}) / "README.md")
    assert [note.kind for note in bad.notes] == ["invalid_utf8"]


def test_an_unclosed_fence_is_noted(tmp_path):
    document = only(write(tmp_path, {"README.md": "```bash\nmake\n\nProse.\n"}) / "README.md")
    assert [s.text for s in document.of_kind("command")] == ["make"]
    assert [(n.kind, n.where) for n in document.notes] == [("unclosed_fence", "line 1")]


@pytest.mark.parametrize(
    "text",
    [
        "```bash\n" + "echo 'open\n" * 15_000,
        "# h\n" * 25_000 + "```bash\nmake\n```\n",
        "```bash\n" + "make x\n" * 15_000 + "```\n",
        "`" * 4_900 + "\n`a` ``b " * 5_000,
        "<!--\n" * 25_000,
        "```console\n" + "$ echo '\n" * 15_000,
        "a  b  c" * 14_000 + "\n```bash\nmake\n```\n",
        "```bash\n" + "a  b  c " * 12_000 + "\n```\n",
    ],
    ids=["quotes", "headings", "commands", "ticks", "comments", "prompts", "blanks", "columns"],
)
def test_no_readme_takes_long(tmp_path, text):
    started = time.process_time()
    list(README.read(write(tmp_path, {"README.md": text + "\n```bash\nmake\n```\n"}) / "README.md"))
    # Not a measure of speed: what grows with the square of its lines takes minutes here.
    assert time.process_time() - started < 20


LINES = st.sampled_from(
    [
        "```bash",
        "```",
        "~~~",
        "pip install a",
        "$ make",
        "prose here",
        "# H",
        "",
        "    ls",
        "> x",
        "\\",
        "'",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES | st.text(max_size=20), max_size=25))
def test_any_text_gives_a_document_or_a_reason(tmp_path, lines):
    path = tmp_path / "README.md"
    path.write_bytes("\n".join(lines).encode(errors="replace"))
    found: list[Any] = []
    try:
        found += README.read(path)
    except ImportInputError as error:
        assert error.why  # noqa: PT017 - both ends are right
        return
    assert len(found) == 1
    if isinstance(found[0], Document):
        kept = [s.facts["line"] for s in found[0].sections]
        assert kept == sorted(kept)
        "".join(s.text for s in found[0].sections).encode()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (MIT, "MIT"),
        ("Apache License\n   Version 2.0, January 2004", "Apache-2.0"),
        (
            "Redistribution and use in source and binary forms ... to endorse or promote",
            "BSD-3-Clause",
        ),
        ("Redistribution and use in source and binary forms, with", "BSD-2-Clause"),
        ("GNU GENERAL PUBLIC LICENSE\n Version 3", "GPL-3.0"),
        ("Attribution-NonCommercial 4.0 International", "CC-BY-NC-4.0"),
        (f"{MIT}\n\nParts: Apache License Version 2.0", "MIT"),
        ("All rights reserved.", "unknown"),
    ],
)
def test_a_licence_is_named_by_its_text(text, name):
    assert licence_named_by(text) == name
