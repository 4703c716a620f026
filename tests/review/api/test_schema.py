"""The OpenAPI document: valid, served to everyone, and true of what the API answers."""

import pytest
from django.core.management import call_command
from django.urls import URLPattern
from drf_spectacular.validation import validate_schema

from review.api.schema import openapi
from review.api.urls import urlpatterns
from tests.make import make_assignment, make_revision
from tests.review.api.calls import Caller

pytestmark = pytest.mark.django_db


def test_document_is_valid_and_made_without_a_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "api.yaml"))


def test_document_is_served_to_everyone_as_json_and_as_yaml():
    answer = Caller(None).get("schema")
    assert answer["Content-Type"] == "application/vnd.oai.openapi+json"
    validate_schema(answer.json())
    yaml = Caller(None).get("schema", headers={"accept": "application/vnd.oai.openapi"})
    assert yaml.content.startswith(b"openapi: 3.0.3")


def test_every_address_is_described():
    described = {path.removeprefix("/api/v1/") for path in openapi()["paths"]}
    addresses = {
        str(one.pattern)
        .replace("<int:pk>", "{id}")
        .replace("<str:version>", "{version}")
        .replace("<path:path>", "{path}")
        for one in urlpatterns
        if isinstance(one, URLPattern)
    }
    assert addresses - {"", "schema"} == described


def test_every_operation_says_what_it_does_and_which_credentials_it_takes():
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            assert operation["security"] == [{"token": []}, {"session": []}], (method, path)
            assert {"400", "401", "403", "406", "429"} <= set(operation["responses"])


def test_requests_are_said_to_take_no_other_fields():
    schemas = openapi()["components"]["schemas"]
    bodies = [one for name, one in schemas.items() if name.endswith("Request")]
    assert len(bodies) > 5
    assert all(body["additionalProperties"] is False for body in bodies)


def test_item_has_the_described_fields_and_no_others(api, ann):
    turn = make_assignment(revision=make_revision(), reviewer=ann)
    schemas = openapi()["components"]["schemas"]
    item = api.get(f"assignments/{turn.pk}").json()
    assert set(item) == set(schemas["Assignment"]["properties"])
    assert set(item["prompt"]) == set(schemas["Prompt"]["properties"])
    assert set(item["prompt"]["steps"][0]) == set(schemas["Step"]["properties"])
