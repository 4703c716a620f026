"""Fills an empty database with a made-up project for measurements of the queue."""

import os
from collections.abc import Iterator, Sequence

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from generation.core.chunks import chunks  # noqa: E402
from generation.core.records import Language, Outcome, Provenance, Step, Success, Tool, Trajectory  # noqa: E402
from generation.models import Candidate, CandidateState, Option, Revision, Source  # noqa: E402
from generation.services.sources import store_records  # noqa: E402
from review.models import Profile, Role, Scope  # noqa: E402
from review.services.tokens import make_token  # noqa: E402

_STEPS = 40
_LINE = "collected part {n}: temperature = 1{n}, the door is shut and the fan runs on\n"
_OPTIONS = 4
_STORED_AT_ONCE = 50


def vendor() -> str:
    """Return the kind of the database that is measured."""
    return connection.vendor


class NotEmpty(Exception):
    """The database holds candidates: measurements are made on an empty one."""


def fill(*, items: int, item_bytes: int, reviewers: int) -> list[User]:
    """Migrate the database, make ``items`` in review of about ``item_bytes``; return reviewers.

    Raises:
        NotEmpty: there are candidates already.
    """
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if Candidate.objects.exists():
        raise NotEmpty
    for some in chunks(range(items), _STORED_AT_ONCE):
        store_records([_trajectory(number, item_bytes // _STEPS) for number in some])
    sources = list(Source.objects.order_by("pk").values_list("pk", flat=True))
    _store_candidates(sources)
    return [_reviewer(number) for number in range(reviewers)]


def _store_candidates(sources: Sequence[int]) -> None:
    candidates = Candidate.objects.bulk_create(
        Candidate(
            subtask="issue_fix_plan", source_id=pk, cut=_STEPS, state=CandidateState.IN_REVIEW
        )
        for pk in sources
    )
    revisions = Revision.objects.bulk_create(
        Revision(candidate=candidate, number=1, gold=["A"]) for candidate in candidates
    )
    Option.objects.bulk_create(
        Option(
            revision=revision,
            position=position,
            text=f"{position + 1}. Open part {position}.\n2. Change its temperature.\n" * 3,
            operator="gold" if position == 0 else "later_step",
        )
        for revision in revisions
        for position in range(_OPTIONS)
    )


def _trajectory(number: int, observation_bytes: int) -> Trajectory:
    def observation(n: int) -> str:
        line = _LINE.format(n=f"{number}.{n}")
        return line * (observation_bytes // len(line))

    return Trajectory(
        provenance=Provenance(
            kind="swe_smith",
            external_id=f"kiln__kiln.0a1b2c3d.pr_{number}",
            cluster=f"kiln__kiln.0a1b2c3d.pr_{number}",
            where=f"kiln.jsonl:{number}",
            licence="MIT",
            model="a-model",
        ),
        language=Language.EN,
        task=f"Task {number}: the kiln cools too fast.\n" * 20,
        tools=(Tool("bash", "Run a shell command.", {"command": "the command"}, ("command",)),),
        steps=tuple(
            Step(
                thought=f"Look at part {n} of kiln {number}.",
                tool="bash",
                arguments={"command": f"cat part{n}.py"},
                action=f"cat part{n}.py",
                observation=observation(n),
            )
            for n in range(1, _STEPS + 1)
        ),
        outcome=Outcome(submission="diff --git a/part1.py b/part1.py\n" * 50),
        success=Success.CONFIRMED,
    )


def _reviewer(number: int) -> User:
    user = User.objects.create(username=f"reviewer{number}")
    user.set_unusable_password()
    user.save()
    Profile.objects.create(user=user, role=Role.ANNOTATOR)
    return user


def sessions(users: Sequence[User]) -> Iterator[str]:
    """Yield a session key for each user: what a log-in gives."""
    for user in users:
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "review.authentication.MemberBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        yield str(session.session_key)


def tokens(users: Sequence[User]) -> Iterator[str]:
    """Yield an API token for each user that may review."""
    for user in users:
        _token, secret = make_token(
            user=user,
            name="measurement",
            scopes=[Scope.READ, Scope.REVIEW],
            days=1,
            now=timezone.now(),
        )
        yield secret
