"""Forms in another encoding are refused with words, never with a server error."""

import pytest

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
