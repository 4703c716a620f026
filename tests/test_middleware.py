"""What no database could look up is refused with words, never with a server error."""

import pytest

from review.models import Role
from tests.make import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "no-such"])
def test_form_in_another_encoding_is_refused(client, charset):
    content_type = f"application/x-www-form-urlencoded; charset={charset}"
    response = client.generic("POST", "/login/", b"username=x", content_type)
    assert response.status_code == 400
    assert "send UTF-8" in response.content.decode()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"'])
def test_form_in_utf8_is_read(client, charset):
    content_type = f"application/x-www-form-urlencoded; charset={charset}"
    response = client.generic("POST", "/login/", b"username=x", content_type)
    assert response.status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/items/?q=a%00b",
        "/items/?not-source=%00",
        "/items/items.csv?q=%00",
        "/questions/?subtask=%00",
        "/invitation/a%00b/",
        "/api/v1/releases/a%00b",
        "/api/v1/findings?kind=%00",
    ],
)
def test_nul_in_an_address_is_refused(client, address):
    client.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    response = client.get(address)
    assert response.status_code == 400
    assert "NUL" in response.content.decode()


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "apt-person"])
def test_nul_in_a_cookie_is_refused(client, name):
    client.cookies[name] = "a\x00b" * 4
    response = client.get("/queue/")
    assert response.status_code == 400
    assert "NUL" in response.content.decode()


def test_percent_signs_that_are_no_nul_are_taken(client):
    client.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    assert client.get("/items/?q=100%2500").status_code == 200
