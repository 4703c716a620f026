"""The Chinese catalogue: read, brought up to date with the project's texts, compiled."""

from datetime import UTC, datetime
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tests.translation.extraction import PROJECT, Message, messages, uses

FOLDER = PROJECT / "locale" / "zh_Hans" / "LC_MESSAGES"
TEXT = FOLDER / "django.po"
COMPILED = FOLDER / "django.mo"

HEADER = """\
# The interface of APT Annotate in Simplified Chinese.
# docs/translation.md says how to add and change texts, and which word stands for which.
msgid ""
msgstr ""
"Project-Id-Version: APT Annotate\\n"
"Language: zh_Hans\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

"""
# The same texts give the same bytes, on any day.
_NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)


def read() -> Catalog:
    """Return the catalogue as it lies in the repository."""
    with TEXT.open("rb") as file:
        return read_po(file, locale="zh_Hans", abort_invalid=True)


def updated(old: Catalog) -> Catalog:
    """Return the catalogue with exactly the texts that the project uses now.

    A text that is new has an empty translation; one that is gone is left out. Nothing is guessed:
    the translation of a text that was reworded is to be written anew.
    """
    new = Catalog(
        locale="zh_Hans", project="APT Annotate", creation_date=_NO_DATE, revision_date=_NO_DATE
    )
    found = messages(uses())
    for message in sorted(found, key=lambda text: (found[text][0], text)):
        before = old.get(_id(message), message.context or None)
        new.add(
            _id(message),
            before.string if before else None,
            locations=[(file, 0) for file in found[message]],
            flags=_flags(message),
            user_comments=before.user_comments if before else (),
            context=message.context or None,
        )
    return new


def untranslated(catalogue: Catalog) -> list[str]:
    """Return the texts that have no translation, or not every form of one."""
    return [
        str(message.id)
        for message in catalogue
        if message.id
        and not (
            all(message.string) if isinstance(message.string, tuple | list) else message.string
        )
    ]


def as_text(catalogue: Catalog) -> bytes:
    """Return the catalogue as the bytes of a .po file."""
    buffer = BytesIO()
    write_po(buffer, catalogue, width=100, include_lineno=False, omit_header=True)
    return HEADER.encode() + buffer.getvalue().lstrip(b"\n")


def compiled(catalogue: Catalog) -> bytes:
    """Return the catalogue as the bytes of a .mo file."""
    buffer = BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def _id(message: Message) -> str | tuple[str, str]:
    return (message.singular, message.plural) if message.plural else message.singular


def _flags(message: Message) -> set[str]:
    return {"python-format"} if "%(" in message.singular + message.plural else set()
