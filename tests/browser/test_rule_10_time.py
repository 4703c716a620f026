"""Rule 10: active time is measured per phase; it rests while the page is hidden or nobody is at it."""

import pytest

from review.models import BlindAnswer
from tests.browser.pages import arrived, give
from tests.make import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def hide(page, hidden):
    page.evaluate(
        "(hidden) => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        " window.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def seconds(page):
    return float(page.input_value("[data-timer]"))


def test_seconds_count_while_somebody_is_at_work_and_no_others(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.clock.install()
    page.goto(f"/review/{turn.pk}/")
    start = seconds(page)
    page.clock.run_for(30_000)
    assert seconds(page) - start == pytest.approx(30, abs=1.5)

    # Nothing happens: after a minute the count rests, and goes on with the next key.
    page.clock.run_for(300_000)
    resting = seconds(page)
    assert resting - start == pytest.approx(60, abs=3)
    page.keyboard.press("j")
    page.clock.run_for(20_000)
    assert seconds(page) - resting == pytest.approx(20, abs=1.5)

    # Hidden: nothing counts, not even the first second after it is seen again.
    before = seconds(page)
    hide(page, hidden=True)
    page.clock.run_for(45_000)
    hide(page, hidden=False)
    page.keyboard.press("k")
    assert seconds(page) == pytest.approx(before, abs=1.5)

    # Loaded again without a word typed: what was counted stays.
    page.reload()
    assert seconds(page) >= before
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("Enter")
    arrived(page, "#gold")
    assert BlindAnswer.objects.get().active_seconds >= before
    assert seconds(page) < 10  # the open phase counts by itself
