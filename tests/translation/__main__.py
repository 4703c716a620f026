"""``python -m tests.translation``: bring the Chinese catalogue up to date and compile it.

The .po file gets the texts that are new, empty, and loses those that are gone; the .mo file beside
it is what Django reads. Ends with 1 while texts are without translation, and lists them.
"""

import sys

from tests.translation import catalogue


def main() -> int:
    """Write both files; return the exit status."""
    new = catalogue.updated(catalogue.read())
    catalogue.TEXT.write_bytes(catalogue.as_text(new))
    catalogue.COMPILED.write_bytes(catalogue.compiled(new))
    missing = catalogue.untranslated(new)
    for text in missing:
        sys.stderr.write(f"{text}\n")
    sys.stderr.write(f"{len(new)} texts, {len(missing)} without translation\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
