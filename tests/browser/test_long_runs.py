"""Runs of 600 KB and 4 MB: what the page weighs, and that no task holds the reader up."""

import pytest

from generation.core.records import Step
from tests.browser.pages import give, wait_until
from tests.make import make_user
from tests.review.sources import stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def run(steps, size):
    """Return steps that read files of code, ``size`` characters each."""
    lines = "".join(
        f"def fire_{n}(kiln):\n    return kiln.heat({n})  # hot\n" for n in range(size // 50)
    )
    return tuple(
        Step(
            f"Look at file {n}.",
            "bash",
            {"command": f"cat a{n}.py"},
            f"cat a{n}.py",
            f"# {n}\n{lines}",
        )
        for n in range(1, steps + 2)
    )


@pytest.mark.parametrize(
    ("steps", "size", "most_nodes", "most_bytes"),
    [(100, 6_000, 4_000, 1_400_000), (1_000, 4_000, 32_000, 3_200_000)],
    ids=["600 KB", "4 MB"],
)
def test_page_of_a_long_run_is_bounded(open_page, log_in, steps, size, most_nodes, most_bytes):
    ann = make_user()
    turn = give(ann, source=stored(steps=run(steps, size)), cut=steps + 1)
    page = open_page()
    log_in(page, ann)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    response = page.goto(f"/review/{turn.pk}/")
    assert len(response.body()) < most_bytes
    count = "document.querySelectorAll('*').length"
    assert page.evaluate(count) < most_nodes
    assert len([url for url in asked if "/static/" not in url]) <= 3

    # Colours come for what is in view, without an element more, and go again.
    before = page.evaluate(count)
    stretches = (
        "[...CSS.highlights.keys()].reduce((sum, name) => sum + CSS.highlights.get(name).size, 0)"
    )
    wait_until(page, lambda: page.evaluate(stretches) > 100)
    for place in (steps // 3, steps // 2, steps):
        page.evaluate(f"location.hash = 'step-{place}'")
        page.wait_for_timeout(200)
    assert page.evaluate(count) == before
    assert page.evaluate(stretches) < 8_000
