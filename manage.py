#!/usr/bin/env python
"""Runs the project's commands: ``manage.py help`` lists them."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command that the arguments name; a wrong setting is one line and exit status 2."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
