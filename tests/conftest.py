"""What all tests share: immutability triggers that let a test's rows go; a run of some tests."""

from collections.abc import Iterator

import pytest
from django.db import connection

from generation.models.triggers import (
    Keys,
    statements_that_allow_changes,
    statements_that_refuse_changes,
)

DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}
IMMUTABLE: dict[str, Keys] = {
    "generation_auditevent": [("id",)],
    "review_release": [("id",), ("version",)],
    "review_releaseitem": [
        ("id",),
        ("release_id", "item_id"),
        ("release_id", "revision_id"),
    ],
    "review_blindanswer": [("id",), ("assignment_id",)],
    "review_guidelineversion": [("id",), ("language", "number")],
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only-database",
        action="store_true",
        help="leave out tests that a second database changes nothing for: those that can't touch it, "
        "and those of what a browser shows",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--only-database"):
        return
    chosen: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        uses = DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
        can_differ = bool(uses or item.get_closest_marker("django_db"))
        # What pages ask and store, their views' and services' tests do on both.
        is_of_browser = item.get_closest_marker("browser")
        (chosen if can_differ and not is_of_browser else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = chosen


@pytest.fixture(scope="session", autouse=True)
def _flush_despite_triggers() -> Iterator[None]:
    """Let the clean-up after a transactional test empty the immutable tables."""
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_without_triggers(self, sql_list):
        vendor = self.connection.vendor
        with self.connection.cursor() as cursor:
            for table in IMMUTABLE:
                for statement in statements_that_allow_changes(vendor, table):
                    cursor.execute(statement)
            try:
                flush(self, sql_list)
            finally:
                for table, keys in IMMUTABLE.items():
                    for statement in statements_that_refuse_changes(
                        vendor, table, "immutable", keys
                    ):
                        cursor.execute(statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "execute_sql_flush", flush_without_triggers)
        yield
