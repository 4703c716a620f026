import json
from hashlib import sha256
from typing import Any

import pytest

from review.core.scorer import BenchmarkError, DigestMismatch, read_benchmark
from tests.review.core.scorer.make_export import make_answer, make_row, write_export


def test_items_come_back_typed_and_without_prompt(tmp_path):
    rows = [make_row("a"), make_answer("b", "Paris")]
    benchmark = read_benchmark(write_export(tmp_path / "e", rows))
    item = benchmark.items["a"]
    assert (item.labels, item.gold, item.stop) == (("A", "B", "C", "D"), ("B",), ("\n\n",))
    assert benchmark.items["b"].options == ()
    assert (benchmark.name, benchmark.version, benchmark.shots) == ("demo", "1.0", 3)
    assert not hasattr(item, "prompt")


def test_a_changed_byte_is_refused_and_the_file_named(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a")])
    path = folder / "items" / "env_setup_plan.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Which", b"which"))
    with pytest.raises(DigestMismatch, match=r"items/env_setup_plan\.jsonl"):
        read_benchmark(folder)


def test_a_missing_file_is_refused_and_named(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a")])
    (folder / "items" / "env_setup_plan.jsonl").unlink()
    with pytest.raises(DigestMismatch, match=r"env_setup_plan\.jsonl"):
        read_benchmark(folder)


def test_a_manifest_whose_own_digest_is_wrong_is_refused(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a")], sha256="0" * 64)
    with pytest.raises(DigestMismatch, match=r"manifest\.json"):
        read_benchmark(folder)


def test_files_that_the_manifest_does_not_name_are_ignored(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a")])
    (folder / "items" / "other.jsonl").write_text("junk", encoding="utf-8")
    (folder / "__pycache__").mkdir()
    assert list(read_benchmark(folder).items) == ["a"]


@pytest.mark.parametrize("path", ["../outside", "/etc/hostname", "a/../../b", "", "..\\x"])
def test_a_path_that_leaves_the_folder_is_refused(tmp_path, path):
    files = [{"path": path, "sha256": "0" * 64, "bytes": 1, "rows": 1}]
    folder = write_export(tmp_path / "e", [make_row("a")], files=files)
    with pytest.raises(BenchmarkError, match="no path inside") as caught:
        read_benchmark(folder)
    assert not isinstance(caught.value, DigestMismatch)


def test_an_empty_benchmark_is_an_error(tmp_path):
    folder = write_export(tmp_path / "e", [])
    with pytest.raises(BenchmarkError, match="no items"):
        read_benchmark(folder)


def test_counts_other_than_the_manifest_s_are_refused(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a")], counts={"env_setup_plan": 2})
    with pytest.raises(BenchmarkError, match="counts"):
        read_benchmark(folder)


def test_an_id_that_stands_twice_is_refused_with_its_line(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a"), make_row("a")])
    with pytest.raises(BenchmarkError, match=r"line 2: the id 'a' stands twice"):
        read_benchmark(folder)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "not JSON"),
        ('{"format": "other"}', "field format"),
        ('{"format": "apt-annotate-native-1", "name": 3}', "field name"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_manifest_of_another_kind_is_refused(tmp_path, text, named):
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=named):
        read_benchmark(tmp_path)


def test_a_folder_without_manifest_is_refused(tmp_path):
    with pytest.raises(BenchmarkError, match=r"manifest\.json: cannot be read"):
        read_benchmark(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"gold": ["F"]}, "gold"),
        ({"gold": []}, "gold"),
        ({"gold": "B"}, "gold"),
        ({"reader": "command"}, "reader"),
        ({"options": []}, "options"),
        ({"options": [{"label": "B"}]}, "options"),
        ({"options": [{"label": "B", "text": "x"}] * 2}, "options"),
        ({"metrics": ["bleu"]}, "metrics"),
        ({"stop": None}, "stop"),
        ({"cluster": ""}, "cluster"),
        ({"long_context": "no"}, "long_context"),
    ],
)
def test_a_line_that_is_no_item_is_refused_with_file_line_and_field(tmp_path, fields, named):
    folder = write_export(tmp_path / "e", [make_row("a"), make_row("b", **fields)])
    with pytest.raises(BenchmarkError, match=rf"env_setup_plan\.jsonl, line 2: field {named}:"):
        read_benchmark(folder)


def test_the_manifest_s_digest_is_that_of_sorted_digest_and_path_lines(tmp_path):
    folder = write_export(tmp_path / "e", [make_row("a"), make_answer("b", "Paris")])
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    lines = sorted(f"{one['path']}\0{one['sha256']}" for one in manifest["files"])
    text = "".join(f"{line.split(chr(0))[1]}  {line.split(chr(0))[0]}\n" for line in lines)
    assert read_benchmark(folder).sha256 == sha256(text.encode()).hexdigest()
