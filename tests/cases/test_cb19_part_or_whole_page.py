"""CB19: htmx gets the part, a plain request or a restored history entry the whole page.

The case's flow (submit, then back in the browser) is in tests/review/test_view_review_open.py and,
in a real browser, in tests/browser.
"""

import pytest

from tests.cases.read import case
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_queue_is_a_page_or_a_part_as_the_request_asks(member, number):
    found = case("CB19")
    request = found["input"]["requests"][number - 1]
    response = member.get(request["get"], headers=request["headers"])
    whole = {"full page (<html)": True, "fragment (no <html)": False}
    assert response.status_code == 200
    assert ("<html" in response.content.decode()) is whole[found["expected"][str(number)]]
    assert found["expected"]["all"] == "Vary contains HX-Request"
    assert "HX-Request" in response["Vary"].split(", ")
