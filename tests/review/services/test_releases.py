"""Freezing refuses with all reasons at once, and what is frozen never changes."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction

from generation.core.appearing import TargetExists
from generation.core.items import Severity
from generation.core.records import Provenance, Question, Success
from generation.models import AuditEvent, CandidateState, Revision
from generation.services.sources import store_records
from review.core.export.native import ExportError
from review.core.spool import unpack
from review.models import FindingVerdict, ItemRole, Release, ReleaseItem
from review.services.exports import export_native
from review.services.release_contents import states_left_out
from review.services.release_plan import FreezeOrder, plan_release
from review.services.releases import FreezeRefused, freeze
from tests.make import make_completion, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db
AT = datetime(2026, 1, 1, tzinfo=UTC)


def order(**fields) -> FreezeOrder:
    given: dict[str, Any] = {"name": "kilns", "version": "1.0", "at": AT, "shots": 1}
    return FreezeOrder(**given | fields)


def make_approved(**fields) -> Revision:
    revision = make_revision(**fields)
    for _ in range(2):
        review_by(make_user(), revision)
    return revision


def make_approved_completion() -> Revision:
    revision = make_completion()
    for _ in range(2):
        review_by(make_user(), revision)
    return revision


def options(number: int) -> tuple[str, ...]:
    return tuple(f"{verb} kiln {number}." for verb in ("Fix", "Sell", "Paint", "Watch"))


def make_approved_set(count: int = 4) -> list[Revision]:
    return [make_approved(options=options(n)) for n in range(count)]


def refusal(**fields) -> list[str]:
    with pytest.raises(FreezeRefused) as refused:
        freeze(order(**fields))
    assert not Release.objects.exists()
    return refused.value.reasons


def question(line: int, **fields) -> Question:
    given: dict[str, Any] = {
        "provenance": Provenance(
            kind="aptbench",
            external_id=f"uuid-{line}",
            cluster=f"issue {line}",
            where=f"input_data.jsonl:{line}",
            licence="Apache-2.0",
        ),
        "subtask": "issue_fix_locate",
        "language": "en",
        "slots": {"issue_statement": "The kiln cools."},
        "options": ("a = 1", "b = 2", "c = 3", "d = 4"),
        "gold": ("B",),
        "raw": {},
    }
    return Question(**given | fields)


def test_examples_and_items_are_frozen_apart():
    make_approved_set()
    release = freeze(order())
    roles = list(release.items.values_list("role", flat=True))
    assert sorted(roles) == [ItemRole.SHOT, *[ItemRole.TEST] * 3]
    assert release.manifest["counts"] == {"issue_fix_plan": 3}
    assert AuditEvent.objects.filter(action="release.frozen").count() == 1


def test_head_holds_the_example_with_its_answer():
    make_approved_set()
    release = freeze(order())
    shot = release.items.get(role=ItemRole.SHOT).revision
    head = release.files["prompts/issue_fix_plan.txt"]
    assert shot.options.get(position=0).text in head


def test_control_items_never_enter():
    make_approved_set()
    make_approved(options=options(9), is_control=True)
    assert freeze(order()).items.count() == 4


def test_nothing_to_freeze_is_refused():
    assert refusal() == ["no approved revision enters: nothing to freeze"]


def test_all_reasons_come_at_once():
    make_approved_set()
    make_revision(options=options(7), state=CandidateState.APPROVED)
    unfit = make_approved(options=options(8))
    unfit.candidate.source.licence = "CC-BY-NC-4.0"
    unfit.candidate.source.success = Success.UNCONFIRMED
    unfit.candidate.source.save()
    reasons = refusal()
    assert len(reasons) == 3
    assert any("0 of 2 reviews" in reason for reason in reasons)
    assert any("licence CC-BY-NC-4.0 (--allow-licence CC-BY-NC-4.0)" in r for r in reasons)
    assert any("nobody confirmed" in reason for reason in reasons)


def test_licence_may_be_allowed_and_is_recorded():
    make_approved_set()
    revision = make_approved(options=options(8))
    revision.candidate.source.licence = "CC-BY-NC-4.0"
    revision.candidate.source.save()
    release = freeze(order(allowed_licences=("CC-BY-NC-4.0",)))
    assert release.manifest["allowed_licences"] == ["CC-BY-NC-4.0"]
    assert "CC-BY-NC-4.0" in release.files["README.md"]


def test_same_content_twice_is_refused_by_name():
    make_approved_set()
    source = make_approved(options=options(8)).candidate.source
    twin = make_approved(options=options(8), task=source.task.body)
    twin.candidate.source.steps.all().delete()
    steps = source.steps.all()
    for step in steps:
        step.pk, step.source = None, twin.candidate.source
        step.save()
    reasons = refusal()
    assert len(reasons) == 1
    assert "the same content as issue_fix_plan kiln__kiln" in reasons[0]


def test_unsettled_finding_of_severity_3_is_refused():
    make_approved_set()
    revision = make_approved(options=options(8), findings=[Severity.BLOCKS_RELEASE])
    FindingVerdict.objects.filter(finding__revision=revision).delete()
    assert "unsettled finding outcome (severity 3)" in refusal()[0]


def test_dismissed_finding_of_severity_3_enters():
    make_approved_set()
    make_approved(options=options(8), findings=[Severity.BLOCKS_RELEASE])
    assert freeze(order()).items.count() == 5


def test_missing_examples_are_refused():
    make_approved_set(2)
    reasons = refusal(shots=3)
    assert reasons == ["issue_fix_plan: 2 of 3 worked examples are missing (--shots)"]


def test_gold_over_its_budget_is_refused():
    make_approved_set()
    long = make_completion(gold="echo " + " ".join(str(n) * 3 for n in range(700)))
    for _ in range(2):
        review_by(make_user(), long)
    assert any("does not fit its budget of 512 tokens" in reason for reason in refusal(shots=0))


def test_version_is_frozen_once():
    make_approved_set()
    freeze(order())
    with pytest.raises(FreezeRefused, match="a version is frozen once"):
        freeze(order())


def test_dry_run_writes_nothing():
    make_approved_set()
    plan = plan_release(order())
    assert {name: len(ids) for name, ids in plan.test_by_subtask.items()} == {"issue_fix_plan": 3}
    assert not Release.objects.exists()


def test_completions_and_choices_are_frozen_together():
    make_approved_set()
    for _ in range(3):
        make_approved_completion()
    release = freeze(order())
    assert set(release.manifest["counts"]) == {"issue_fix_action", "issue_fix_plan"}


IMMUTABLE = ["review_release", "review_releaseitem", "generation_auditevent", "review_blindanswer"]


@pytest.mark.parametrize("table", IMMUTABLE)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {} SET id = id",
        "DELETE FROM {}",
        "INSERT OR REPLACE INTO {0} SELECT * FROM {0}",
    ],
)
def test_database_refuses_to_change_what_is_frozen(table, statement):
    if statement.startswith("INSERT OR") and connection.vendor != "sqlite":
        pytest.skip("a statement of SQLite")
    make_approved_set()
    freeze(order())
    with (
        pytest.raises(DatabaseError, match=r"immutable|append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="a statement of PostgreSQL")
@pytest.mark.parametrize("table", IMMUTABLE)
def test_postgresql_refuses_to_truncate_what_is_frozen(table):
    with (
        pytest.raises(DatabaseError, match=r"immutable|append-only"),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE {table} CASCADE")


def test_orm_can_not_change_a_release_either():
    make_approved_set()
    release = freeze(order())
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        Release.objects.update(name="other")
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        ReleaseItem.objects.filter(release=release).delete()


def test_imported_set_is_frozen_unreviewed_in_its_given_order():
    store_records([question(1), question(2, slots={"issue_statement": "Other."})])
    release = freeze(order(as_imported=True))
    lines = read_items(release)
    assert release.manifest["validation"] == "none, imported"
    assert [line["gold"] for line in lines] == [["B"], ["B"]]
    assert [o["text"] for o in lines[0]["options"]] == ["a = 1", "b = 2", "c = 3", "d = 4"]
    assert lines[0]["max_new_tokens"] == 10
    assert lines[0]["stop"] == []


def test_imported_repeats_are_numbered():
    store_records([question(1), question(2), question(10)])
    release = freeze(order(as_imported=True))
    ids = sorted(line["id"] for line in read_items(release))
    assert [i.partition("-")[2] for i in ids] == ["", "2", "3"]
    by_id = {line["id"]: line["source"]["id"] for line in read_items(release)}
    assert [by_id[i] for i in ids] == ["uuid-1", "uuid-2", "uuid-10"]


def test_imported_row_that_nothing_could_answer_is_left_out_and_named():
    store_records([question(1), question(2, gold=("E",))])
    release = freeze(order(as_imported=True))
    why = "gold label E has no option"
    assert release.left_out == [{"item": "issue_fix_locate uuid-2", "why": why}]
    assert "gold label E has no option" in release.files["README.md"]


def read_items(release: Release) -> list[dict]:
    return [json.loads(unpack(i.line)) for i in release.items.filter(role=ItemRole.TEST)]


def test_export_writes_what_was_frozen_and_never_over_something(tmp_path):
    make_approved_set()
    release = freeze(order())
    told: list[str] = []
    export_native(release, tmp_path / "out", progress=told.append)
    manifest = json.loads((tmp_path / "out/manifest.json").read_text(encoding="utf-8"))
    assert manifest == release.manifest
    assert told == ["items/issue_fix_plan.jsonl", "reviews.jsonl"]
    with pytest.raises(TargetExists, match="never overwritten"):
        export_native(release, tmp_path / "out", progress=told.append)


def test_two_exports_are_the_same_bytes(tmp_path):
    make_approved_set()
    release = freeze(order())
    for name in ("one", "two"):
        export_native(release, tmp_path / name, progress=lambda _path: None)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def contents(folder) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_failed_export_leaves_nothing(tmp_path):
    make_approved_set()
    release = freeze(order())
    release.manifest["files"][0]["sha256"] = "0" * 64
    with pytest.raises(ExportError, match="not what was frozen"):
        export_native(release, tmp_path / "out", progress=lambda _path: None)
    assert list(tmp_path.iterdir()) == []


def test_no_reviewer_is_named_in_an_export():
    make_approved_set()
    release = freeze(order())
    names = set(User.objects.values_list("username", flat=True))
    lines = [item.review for item in release.items.filter(role=ItemRole.TEST)]
    text = json.dumps(release.files) + json.dumps(read_items(release)) + "".join(lines)
    assert [name for name in names if name in text] == []
    first = json.loads(lines[0])
    assert first["reviews"] == 2
    assert set(first["decisions"].values()) == {"approve"}


def test_every_record_is_one_line_for_any_splitter():
    for n, separator in enumerate(("\u2028", "\u2029", "\u0085", "plain")):
        make_approved(options=tuple(f"{text}{separator}" for text in options(n)))
    release = freeze(order())
    for item in release.items.filter(role=ItemRole.TEST):
        text = unpack(item.line).decode()
        assert text.splitlines() == [text.rstrip("\n")]


def test_freezing_costs_the_same_number_of_queries_for_more_items(django_assert_max_num_queries):
    make_approved_set(4)
    with django_assert_max_num_queries(60) as few:
        freeze(order(version="1"))
    make_approved_set_from(10, 14)
    with django_assert_max_num_queries(len(few.captured_queries) + 2 * 4):
        # Each further run is read twice (to plan, to render), with its steps: two queries.
        freeze(order(version="2"))


def make_approved_set_from(first: int, last: int) -> None:
    for number in range(first, last):
        make_approved(options=options(number))


def test_dry_run_counts_what_is_not_approved():
    make_approved_set(2)
    make_revision(options=options(7))
    assert states_left_out((), as_imported=False) == {"in_review": 1}
    assert states_left_out((), as_imported=True) == {"approved": 2, "in_review": 1}
