"""Makes a table's rows immutable in the database itself, for migrations of both vendors.

An UPDATE or DELETE is refused whoever sends it: the ORM, the admin, or a person with a shell.
"""

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

_SQLITE = """
CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{why}'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION {table}_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{why}' USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
_POSTGRESQL_TRIGGER = """
CREATE TRIGGER {table}_refuse_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_refuse_change()
"""


def statements_that_refuse_changes(vendor: str, table: str, why: str) -> list[str]:
    """Return the SQL that makes the rows of ``table`` immutable; ``why`` is the error's text."""
    if vendor == "postgresql":
        forms = [_POSTGRESQL_FUNCTION, _POSTGRESQL_TRIGGER]
        return [form.format(table=table, why=why) for form in forms]
    return [_SQLITE.format(table=table, why=why, verb=verb) for verb in ("UPDATE", "DELETE")]


def statements_that_allow_changes(vendor: str, table: str) -> list[str]:
    """Return the SQL that takes the triggers of ``table`` away again."""
    if vendor == "postgresql":
        return [
            f"DROP TRIGGER {table}_refuse_change ON {table}",
            f"DROP FUNCTION {table}_refuse_change()",
        ]
    return [f"DROP TRIGGER {table}_refuse_{verb}" for verb in ("UPDATE", "DELETE")]


def immutable(table: str, why: str) -> RunPython:
    """Return the reversible migration step after which rows of ``table`` can't change."""

    def refuse(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in statements_that_refuse_changes(editor.connection.vendor, table, why):
            editor.execute(statement)

    def allow(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in statements_that_allow_changes(editor.connection.vendor, table):
            editor.execute(statement)

    return RunPython(refuse, allow)
