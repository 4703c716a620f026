"""Makes a table's rows immutable in the database itself, for migrations of both vendors.

UPDATE, DELETE, TRUNCATE and REPLACE are refused whoever sends them: the ORM, the admin, or a
person with a shell. (A REPLACE of SQLite deletes the row it meets without firing delete
triggers, so an INSERT that meets one is refused instead.)
"""

from collections.abc import Sequence

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

Keys = Sequence[Sequence[str]]
"""The unique keys of a table, each a tuple of columns."""

_SQLITE = """
CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
_SQLITE_INSERT = """
CREATE TRIGGER {table}_refuse_replace BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE {meets})
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION {table}_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{why}' USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
_POSTGRESQL_ROWS = """
CREATE TRIGGER {table}_refuse_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_refuse_change()
"""
_POSTGRESQL_TABLE = """
CREATE TRIGGER {table}_refuse_truncate BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION {table}_refuse_change()
"""


def statements_that_refuse_changes(vendor: str, table: str, why: str, keys: Keys) -> list[str]:
    """Return the SQL that makes the rows of ``table`` immutable; ``why`` is the error's text."""
    if vendor == "postgresql":
        forms = [_POSTGRESQL_FUNCTION, _POSTGRESQL_ROWS, _POSTGRESQL_TABLE]
        return [form.format(table=table, why=why) for form in forms]
    each = (" AND ".join(f"{column} = NEW.{column}" for column in key) for key in keys)
    meets = " OR ".join(f"({key})" for key in each)
    return [
        *(_SQLITE.format(table=table, why=why, verb=verb) for verb in ("UPDATE", "DELETE")),
        _SQLITE_INSERT.format(table=table, why=why, meets=meets),
    ]


def statements_that_allow_changes(vendor: str, table: str) -> list[str]:
    """Return the SQL that takes the triggers of ``table`` away again."""
    if vendor == "postgresql":
        return [
            f"DROP TRIGGER {table}_refuse_change ON {table}",
            f"DROP TRIGGER {table}_refuse_truncate ON {table}",
            f"DROP FUNCTION {table}_refuse_change()",
        ]
    return [f"DROP TRIGGER {table}_refuse_{what}" for what in ("UPDATE", "DELETE", "replace")]


def immutable(table: str, why: str, keys: Keys) -> RunPython:
    """Return the reversible migration step after which rows of ``table`` can't change."""

    def refuse(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        vendor = editor.connection.vendor
        for statement in statements_that_refuse_changes(vendor, table, why, keys):
            editor.execute(statement)

    def allow(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in statements_that_allow_changes(editor.connection.vendor, table):
            editor.execute(statement)

    return RunPython(refuse, allow)
