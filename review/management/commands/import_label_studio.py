"""Takes annotations made in Label Studio on tasks exported from here as answers and reviews."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.utils import timezone

from generation.core.importers.errors import ImportInputError
from generation.core.importers.streams import (
    NotJsonError,
    Parsed,
    json_values,
    open_input,
    parse_json,
)
from generation.management.reporting import WRONG_USE, ReportingCommand, progress_bar
from review.authentication import is_lead
from review.services.label_studio_import import People, Taken, take_tasks


class Command(ReportingCommand):
    """Takes annotations made in Label Studio on tasks exported from here as answers and reviews."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the files, ``--by`` and ``--map``."""
        super().add_arguments(parser)
        parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="JSON or JSON_MIN")
        parser.add_argument("--by", required=True, metavar="NAME", help="the lead who takes them")
        parser.add_argument(
            "--map",
            type=Path,
            required=True,
            metavar="FILE",
            help='JSON object: annotator (e-mail or id) to member, {"ann@lab.example": "ann"}',
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Take annotation by annotation; list what could not be taken, with its place."""
        people = People(lead=_lead(options["by"]), members=_members(options["map"]))
        counts: Counter[Taken] = Counter()
        not_taken: list[dict[str, str]] = []
        try:
            with progress_bar("annotations", verbosity=options["verbosity"]) as advance:
                for found in take_tasks(_values(options["paths"]), people, now=timezone.now()):
                    if found.taken:
                        counts[found.taken] += 1
                    else:
                        not_taken.append({"where": found.where, "why": found.why})
                    advance()
        except ImportInputError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        result: dict[str, Any] = {str(taken): counts[taken] for taken in Taken}
        words = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in result.items())
        lines = [
            f"{words}, {len(not_taken)} not taken",
            *(f"  {each['where']}: {each['why']}" for each in not_taken),
        ]
        result["not_taken"] = not_taken
        self.report(result, as_json=options["json"], words="\n".join(lines))


def _values(paths: Sequence[Path]) -> Iterator[tuple[str, object]]:
    for path in paths:
        for parsed in json_values(path):
            place = f"{path}:{parsed.number}"
            if not isinstance(parsed, Parsed):
                raise ImportInputError(path, parsed.why, line=parsed.number)
            yield place, parsed.value


def _lead(name: str) -> User:
    user = User.objects.select_related("profile").filter(username=name, is_active=True).first()
    if user is None or not is_lead(user):
        msg = f"--by {name}: no lead has this name"
        raise CommandError(msg, returncode=WRONG_USE)
    return user


def _members(path: Path) -> Mapping[str, User]:
    """Return the member of each annotator.

    Raises:
        CommandError: the file is no JSON object of texts, or names somebody who is no member.
    """
    try:
        with open_input(path) as file:
            named, _notes = parse_json(file.read())
    except (ImportInputError, NotJsonError) as error:
        msg = str(error) if isinstance(error, ImportInputError) else f"{path}: {error}"
        raise CommandError(msg, returncode=WRONG_USE) from error
    if not isinstance(named, dict) or not all(isinstance(each, str) for each in named.values()):
        msg = f"{path}: an object of annotators and members' names is expected"
        raise CommandError(msg, returncode=WRONG_USE)
    # No name holds a NUL, and PostgreSQL fails on one.
    names = {name for name in named.values() if "\0" not in name}
    members = {
        user.username: user
        for user in User.objects.filter(username__in=names, profile__isnull=False)
    }
    if unknown := sorted(set(named.values()) - members.keys()):
        msg = f"{path}: no member {', '.join(unknown)}"
        raise CommandError(msg, returncode=WRONG_USE)
    return {annotator: members[name] for annotator, name in named.items()}
