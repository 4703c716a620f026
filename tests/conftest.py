"""What all tests share: immutability triggers that let a test's rows go, and a fixed clock."""

from collections.abc import Iterator

import pytest
from django.db import connection

from generation.models.triggers import statements_that_allow_changes, statements_that_refuse_changes

IMMUTABLE = ("generation_auditevent", "review_release", "review_releaseitem")


@pytest.fixture(scope="session", autouse=True)
def _flush_despite_triggers() -> Iterator[None]:
    """Let the clean-up after a transactional test empty immutable tables on SQLite.

    PostgreSQL truncates, which row triggers do not see; SQLite deletes row by row.
    """
    if connection.vendor != "sqlite":
        yield
        return
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_without_triggers(self, sql_list):
        with self.connection.cursor() as cursor:
            for table in IMMUTABLE:
                for statement in statements_that_allow_changes("sqlite", table):
                    cursor.execute(statement)
            try:
                flush(self, sql_list)
            finally:
                for table in IMMUTABLE:
                    for statement in statements_that_refuse_changes("sqlite", table, "immutable"):
                        cursor.execute(statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "execute_sql_flush", flush_without_triggers)
        yield
