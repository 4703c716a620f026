"""Whatever the bytes are, an importer of documents gives records, a reason with a place, or an error."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.records import Document, PassedOver, Refusal
from tests.generation.core.importers.test_deepresearch_bench import REPORT
from tests.generation.core.importers.test_github_issues import comment, issue
from tests.generation.core.importers.test_predictions import prediction
from tests.generation.core.importers.test_researchy_questions import question
from tests.generation.core.importers.test_swe_bench import instance

PROJECT = Path(__file__).parents[4]
ROWS: dict[str, dict[str, Any]] = {
    "deepresearch_bench": REPORT,
    "github_issues": {"issue": issue(comments=1), "comments": [comment()]},
    "predictions": prediction(),
    "researchy_questions": question(),
    "swe_bench": instance(),
}
# A field of each kind that holds a long text.
TEXT = {
    "deepresearch_bench": "article",
    "github_issues": "body",
    "predictions": "model_patch",
    "researchy_questions": "question",
    "swe_bench": "problem_statement",
}
every_kind = pytest.mark.parametrize("kind", ROWS)
Found = Document | Refusal | PassedOver


def read(kind: str, path: Path) -> list[Found]:
    """Return what the importer gives; an error counts as one refusal."""
    found: list[Found] = []
    try:
        for each in IMPORTERS[kind].read(path):
            assert isinstance(each, Document | Refusal | PassedOver)
            if isinstance(each, Document):
                content_digest(each)
                json.dumps(each.facts, allow_nan=False)
            found.append(each)
    except ImportInputError as error:
        found.append(Refusal(error.path, error.why))
    assert all(each.why and each.where for each in found if not isinstance(each, Document))
    return found


def with_text(kind: str, text: Any) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(json.dumps(ROWS[kind]))
    holder = row["issue"] if kind == "github_issues" else row
    holder[TEXT[kind]] = text
    return row


def write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data)
    return path


def line(row: Any) -> bytes:
    return json.dumps(row).encode() + b"\n"


@every_kind
def test_a_byte_order_mark_and_crlf_line_ends_are_read_over(kind, tmp_path):
    plain = read(kind, write(tmp_path, line(ROWS[kind])))
    windows = read(
        kind, write(tmp_path, b"\xef\xbb\xbf" + line(ROWS[kind]).replace(b"\n", b"\r\n"))
    )
    assert plain == windows
    assert isinstance(plain[0], Document)


@every_kind
@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\0\0", b"\xff\xfe{\0", b"[", b"{", b'"', b"5\n", b"null\n"]
)
def test_what_is_no_record_gives_one_reason(kind, data, tmp_path):
    (refusal,) = read(kind, write(tmp_path, data))
    assert isinstance(refusal, Refusal)


@every_kind
@pytest.mark.parametrize("depth", [100, 100_000])
def test_deep_nesting_is_refused_by_its_line(kind, depth, tmp_path):
    deep = b'{"a":' * depth + b"1" + b"}" * depth + b"\n"
    row = json.dumps(with_text(kind, "DEEP")).replace('"DEEP"', "[" * depth + "]" * depth).encode()
    first, *rest = read(kind, write(tmp_path, line(ROWS[kind]) + deep + row + b"\n"))
    assert isinstance(first, Document)
    for number, each in enumerate(rest, start=2):
        assert isinstance(each, Refusal)
        assert each.where.endswith(f":{number}")
        assert "nested" in each.why


@every_kind
def test_nul_and_lone_surrogates_are_kept_or_replaced_and_noted(kind, tmp_path):
    text = with_text(kind, f"{ROWS[kind].get(TEXT[kind], 'text')}")
    raw = json.dumps(text).replace(
        "ilns" if kind == "deepresearch_bench" else "old", "\\ud800\\u0000old"
    )
    for found in read(kind, write(tmp_path, raw.encode() + b"\n")):
        if isinstance(found, Document):
            assert "\ud800" not in "".join(section.text for section in found.sections)


@every_kind
def test_invalid_utf8_is_replaced_and_noted(kind, tmp_path):
    marked = ROWS[kind]["issue" if kind == "github_issues" else TEXT[kind]]
    text = marked["body"] if isinstance(marked, dict) else marked
    data = line(with_text(kind, text.replace("o", "Q@", 1))).replace(b"Q@", b"\xff\xfe")
    for found in read(kind, write(tmp_path, data)):
        assert not isinstance(found, PassedOver)
        assert isinstance(found, Refusal) or any(n.kind == "invalid_utf8" for n in found.notes)


@every_kind
@pytest.mark.parametrize("unit", ["x", "\n"])
def test_a_line_of_20_megabytes_takes_no_long_time(kind, unit, tmp_path):
    # One mark of each kind's own is kept, so that the record is read as far as it can be.
    start = ROWS[kind].get(TEXT[kind], "")
    path = write(tmp_path, line(with_text(kind, start + unit * (20_000_000 // len(unit)))))
    started = time.process_time()
    assert len(read(kind, path)) == 1
    # Linear work takes about a second; what grows with the square takes hours.
    assert time.process_time() - started < 30


@every_kind
def test_a_file_that_breaks_off_gives_what_stands_before_and_the_place(kind, tmp_path):
    path = tmp_path / "preds.json"
    path.write_bytes(
        b"[" + json.dumps(ROWS[kind]).encode() + b"," + json.dumps(ROWS[kind])[:-20].encode()
    )
    first, broken = read(kind, path)
    assert isinstance(first, Document)
    assert isinstance(broken, Refusal)
    assert "not valid JSON" in broken.why


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@every_kind
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_damage_to_a_row_stops_the_import(kind, data, tmp_path):
    row = json.loads(json.dumps(ROWS[kind]))
    holders: list[Any] = [row]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [each for each in inner if isinstance(each, dict | list)]
    holder = data.draw(st.sampled_from([each for each in holders if each]))
    key = data.draw(
        st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder)))
    )
    if data.draw(st.booleans()):
        del holder[key]
    else:
        holder[key] = data.draw(JSON)
    assert len(read(kind, write(tmp_path, line(row)))) == 1


@every_kind
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_damage_to_the_bytes_stops_the_import(kind, data, tmp_path):
    raw = bytearray(line(ROWS[kind]) * 2)
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    assert read(kind, write(tmp_path, bytes(raw)))


MEMORY = """
import resource, sys
from pathlib import Path
from generation.core.importers.catalogue import IMPORTERS
importer = IMPORTERS[sys.argv[1]]
for _ in importer.read(Path(sys.argv[2])): pass
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in importer.read(Path(sys.argv[3])))
print(count, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@every_kind
def test_memory_stays_flat_over_a_file_of_many_rows(kind, tmp_path):
    row = with_text(kind, ROWS[kind].get(TEXT[kind], "") + " x" * 5_000)
    if kind in {"predictions", "researchy_questions"}:
        row = with_text(kind, ROWS[kind][TEXT[kind]])
    data = line(row)
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    small.write_bytes(data)
    large.write_bytes(data * (3_000_000 // len(data)))
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, kind, str(small), str(large)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    count, megabytes = map(int, done.stdout.split())
    assert count == 3_000_000 // len(data)
    assert megabytes < 20
