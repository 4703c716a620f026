"""Requests made up from the OpenAPI document: no server error, and nothing undocumented."""

from datetime import UTC, datetime
from typing import Any

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from apt_annotate.wsgi import application
from generation.core.items import Severity
from generation.models import Candidate, Job, Revision, Source
from review.models import Assignment, Role
from review.services.release_plan import FreezeOrder
from review.services.releases import freeze
from tests.make import (
    approving,
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)
from tests.review.api.calls import Caller

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
WHERE = {ParameterLocation.BODY, ParameterLocation.QUERY}
# Bounded, and the same in every run.
BOUNDED = settings(
    max_examples=4,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def people(db):
    """A person of each role with turns in every phase, among items in every state; a release."""
    now = timezone.now()
    for number in range(4):
        verbs = ("Fix", "Sell", "Paint", "Watch")
        approved = make_revision(options=[f"{verb} kiln {number}." for verb in verbs])
        for _ in range(2):
            review_by(make_user(), approved)
    freeze(FreezeOrder(name="kilns", version="1.0", at=AT, shots=1))
    people = {role: make_user(role) for role in (Role.ANNOTATOR, Role.LEAD)}
    for person in people.values():
        revision = make_revision(findings=[Severity.NEEDS_PERSON, Severity.NOTE])
        make_assignment(revision=revision, reviewer=person, now=now)
        make_assignment(revision=make_completion(), reviewer=person, now=now)
        answered = make_assignment(revision=make_revision(), reviewer=person, now=now)
        blind(answered, now=now)
        submitted = make_assignment(revision=make_revision(), reviewer=person, now=now)
        blind(submitted, now=now)
        submit(submitted, now=now)
    disputed = make_revision()
    for answers in (approving(disputed), rejecting(disputed)):
        review_by(make_user(), disputed, answers=answers)
    return people


@pytest.fixture(autouse=True)
def _one_connection():
    """Requests leave the test's own connection open, as those of Django's test client do."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def there_are(path: str, person: User) -> dict[str, list[Any]]:
    """Values of the path's parameters that exist: made-up ids would all answer 404."""
    if path.startswith("/api/v1/assignments/"):
        return {"id": list(Assignment.objects.filter(reviewer=person).values_list("pk", flat=True))}
    if path.startswith("/api/v1/releases/"):
        return {"version": ["1.0"], "path": ["reviews.jsonl", "README.md"]}
    kind: Any = {"sources": Source, "candidates": Candidate, "disputes": Revision, "jobs": Job}
    model = kind[path.split("/")[3]]
    return {"id": list(model.objects.order_by("-pk").values_list("pk", flat=True)[:8])}


def call_with_made_up_requests(
    operation: Any, mode: GenerationMode, caller: Caller, person: User | None
):
    """Call an operation with requests that fit its description, or do not, and hold the answers.

    A request that does not fit must be refused where its body or query is what does not.
    """
    headers = {"Authorization": f"Bearer {caller.secret}"} if person else {}
    known = there_are(operation.path, person) if "{" in operation.path and person else {}

    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def check(case, data):
        for name in set(case.path_parameters or ()) & set(known):
            if known[name] and data.draw(st.integers(0, 3)):
                case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
        parts = case.meta.components
        is_wrong = any(parts[where].mode is mode for where in parts if where in WHERE)
        must_refuse = mode is GenerationMode.NEGATIVE and is_wrong
        response = case.call(headers=headers)
        assert person or response.status_code in {400, 401, 404, 429}  # 400: a NUL
        case.validate_response(response, checks=[*CHECKS, *[negative_data_rejection] * must_refuse])

    check()


@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
@pytest.mark.parametrize(
    "role", [Role.ANNOTATOR, Role.LEAD, ""], ids=["annotator", "lead", "nobody"]
)
def test_made_up_requests_are_answered_as_documented(people, role, mode):
    person = people.get(role)
    caller = Caller(person)
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema", application)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 25
    for operation in operations:
        if mode is GenerationMode.POSITIVE or operation.query or operation.body:
            call_with_made_up_requests(operation, mode, caller, person)
