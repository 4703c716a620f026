"""Archives that strangers made: what is unpacked, and what refuses them whole."""

import gzip
import io
import os
import tarfile
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.archives import (
    ArchiveRefused,
    Limits,
    Unpacked,
    directory_bytes,
    is_archive,
    stem_of,
    unpack,
)
from generation.core.file_names import UnsafeName, safe_name, safe_path

ROOMY = Limits(total_bytes=10_000_000)


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return path


def tarred(path, *members):
    """An archive of (name, type, bytes or link name)."""
    with tarfile.open(path, "w:gz") as packed:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if isinstance(content, bytes):
                info.size = len(content)
                packed.addfile(info, io.BytesIO(content))
            else:
                info.linkname = content
                packed.addfile(info)
    return path


def unpacked(archive, into, limits=ROOMY):
    so_far = Unpacked()
    unpack(archive, into, limits=limits, so_far=so_far)
    found = {p.relative_to(into).as_posix(): p.read_bytes() for p in into.rglob("*") if p.is_file()}
    return found, so_far


def test_zip_tar_and_gzip_give_their_files(tmp_path):
    files = {"runs/a.jsonl": "{}\n", "b.json": "[]"}
    assert unpacked(zipped(tmp_path / "x.zip", files), tmp_path / "1")[0] == {
        "runs/a.jsonl": b"{}\n",
        "b.json": b"[]",
    }
    tar = tarred(tmp_path / "x.tgz", ("runs", tarfile.DIRTYPE, b""), ("runs/a", b"0", b"one"))
    assert unpacked(tar, tmp_path / "2")[0] == {"runs/a": b"one"}
    packed = tmp_path / "rows.jsonl.gz"
    packed.write_bytes(gzip.compress(b"{}"))
    assert unpacked(packed, tmp_path / "3")[0] == {"rows.jsonl": b"{}"}


@pytest.mark.parametrize(
    "name", ["../out", "a/../../out", "/etc/out", "C:\\out", "a\\..\\..\\out", "a\x07b", "n" * 300]
)
def test_name_that_leads_out_or_can_not_be_a_files_refuses_the_whole_archive(tmp_path, name):
    archive = zipped(tmp_path / "x.zip", {"fine.json": "[]", name: "{}"})
    with pytest.raises(ArchiveRefused) as refused:
        unpacked(archive, tmp_path / "in")
    assert refused.value.kind == "unsafe_name"
    assert not (tmp_path / "out").exists()


def test_links_and_devices_are_left_out_and_named(tmp_path):
    archive = tarred(
        tmp_path / "x.tar.gz",
        ("link", tarfile.SYMTYPE, "/etc/passwd"),
        ("hard", tarfile.LNKTYPE, "fine.json"),
        ("pipe", tarfile.FIFOTYPE, ""),
        ("fine.json", b"0", b"[]"),
    )
    found, so_far = unpacked(archive, tmp_path / "in")
    assert found == {"fine.json": b"[]"}
    assert so_far.left_out == [("link", "a link"), ("hard", "a link"), ("pipe", "no file")]


def test_file_and_folder_of_one_name_are_one_name_twice(tmp_path):
    for number, names in enumerate((("a", "a/b"), ("a/b", "a"))):
        archive = zipped(tmp_path / f"{number}.zip", dict.fromkeys(names, "{}"))
        with pytest.raises(ArchiveRefused) as refused:
            unpacked(archive, tmp_path / str(number))
        assert (refused.value.kind, refused.value.name) == ("twice", names[1])


def test_what_the_system_says_of_a_damaged_archive_names_no_folder_of_the_server(tmp_path):
    with pytest.raises(ArchiveRefused) as refused:
        unpacked(tmp_path / "gone.zip", tmp_path / "in")
    assert (refused.value.kind, refused.value.name) == ("broken", "gone.zip")
    assert refused.value.detail == "No such file or directory"


@pytest.mark.parametrize("name", ["...zip", "..tar.gz", "....gz"])
def test_archive_with_a_name_of_dots_keeps_all_of_it(name):
    assert stem_of(name) == name


def test_link_is_never_written_through(tmp_path):
    archive = tarred(
        tmp_path / "x.tar.gz",
        ("way", tarfile.SYMTYPE, str(tmp_path)),
        ("way/out", b"0", b"gone"),
    )
    assert unpacked(archive, tmp_path / "in")[0] == {"way/out": b"gone"}
    assert not (tmp_path / "out").exists()


def test_what_grows_beyond_the_limit_is_refused_whatever_its_headers_say(tmp_path):
    bomb = zipped(tmp_path / "x.zip", {"zeros": b"\0" * 3_000_000})
    assert bomb.stat().st_size < 10_000
    with pytest.raises(ArchiveRefused) as refused:
        unpacked(bomb, tmp_path / "in", Limits(total_bytes=1_000_000))
    assert refused.value.kind == "too_large"


def test_limit_holds_for_what_is_passed_over_too(tmp_path):
    archive = tarred(tmp_path / "x.tgz", ("__MACOSX/zeros", b"0", b"\0" * 3_000_000))
    with pytest.raises(ArchiveRefused, match="too_large"):
        unpacked(archive, tmp_path / "in", Limits(total_bytes=1_000_000))


def test_limit_is_one_for_all_archives_of_an_upload(tmp_path):
    so_far = Unpacked()
    for number in range(2):
        archive = zipped(tmp_path / f"{number}.zip", {"zeros": b"\0" * 600_000})
        if number:
            with pytest.raises(ArchiveRefused, match="too_large"):
                unpack(archive, tmp_path / "b", limits=Limits(1_000_000), so_far=so_far)
        else:
            unpack(archive, tmp_path / "a", limits=Limits(1_000_000), so_far=so_far)


def test_too_many_files_are_refused(tmp_path):
    archive = zipped(tmp_path / "x.zip", {f"{n}.json": "" for n in range(5)})
    with pytest.raises(ArchiveRefused, match="too_many_files"):
        unpacked(archive, tmp_path / "in", Limits(total_bytes=10, files=4))


def test_names_of_a_zip_are_counted_before_they_are_read(tmp_path):
    files = {f"{n:04}{'x' * 150}.json": "" for n in range(50)}
    archive = zipped(tmp_path / "x.zip", files)
    assert directory_bytes(archive) == sum(46 + len(name) for name in files)
    data = archive.read_bytes()
    place = data.rfind(b"PK\x05\x06")
    archive.write_bytes(data[: place + 12] + (9_000_000).to_bytes(4, "little") + data[place + 16 :])
    with pytest.raises(ArchiveRefused, match="too_many_files"):
        unpacked(archive, tmp_path / "in")


def test_header_of_a_tar_that_claims_millions_of_bytes_is_refused(tmp_path):
    archive = tarred(tmp_path / "x.tgz", ("long", tarfile.XHDTYPE, b"\0" * 2_000_000))
    with pytest.raises(ArchiveRefused, match="a header of 2000000 bytes"):
        unpacked(archive, tmp_path / "in")


def test_encrypted_and_doubled_entries_are_refused(tmp_path):
    archive = zipped(tmp_path / "x.zip", {"a.json": "[]"})
    data = bytearray(archive.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    archive.write_bytes(data)
    with pytest.raises(ArchiveRefused, match="encrypted"):
        unpacked(archive, tmp_path / "in")
    twice = tarred(tmp_path / "x.tgz", ("a", b"0", b"1"), ("./a", b"0", b"2"))
    with pytest.raises(ArchiveRefused, match="twice"):
        unpacked(twice, tmp_path / "on")


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "x.tar.xz", "x.tbz2", "x.gz", "x.tar"])
@pytest.mark.parametrize("content", [b"no archive at all", b"\x1f\x8b\x08" + bytes(range(64))])
def test_what_is_no_archive_is_broken_and_never_an_error_of_ours(tmp_path, name, content):
    archive = tmp_path / name
    archive.write_bytes(content)
    with pytest.raises(ArchiveRefused, match="broken"):
        unpacked(archive, tmp_path / "in")


def test_archive_that_breaks_off_is_refused(tmp_path):
    archive = tarred(tmp_path / "x.tgz", ("a", b"0", os.urandom(100_000)))
    archive.write_bytes(archive.read_bytes()[:5_000])
    with pytest.raises(ArchiveRefused, match="broken"):
        unpacked(archive, tmp_path / "in")


def test_archives_are_known_by_their_names():
    assert [is_archive(n) for n in ("A.ZIP", "a.tar.gz", "a.jsonl.gz", "a.jsonl")] == [
        True,
        True,
        True,
        False,
    ]
    assert (stem_of("runs.tar.gz"), stem_of("rows.jsonl.gz")) == ("runs", "rows.jsonl")


@given(st.text(max_size=300))
def test_safe_names_and_paths_never_leave_their_folder(name):
    with suppress(UnsafeName):
        assert "/" not in safe_name(name)
    try:
        path = safe_path(name)
    except UnsafeName:
        return
    assert not path.is_absolute()
    assert ".." not in path.parts
    assert path.parts


def test_last_part_of_a_sent_name_is_taken():
    assert safe_name("C:\\fakepath\\runs.jsonl") == "runs.jsonl"
    assert safe_name("../../runs.jsonl") == "runs.jsonl"
