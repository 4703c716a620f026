"""The path of a reviewer through the pages, in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Step
from review.models import Assignment, BlindAnswer, Release, Review, Role
from tests.browser.conftest import PASSWORD
from tests.make import blind, make_assignment, make_completion, make_revision, make_user, submit
from tests.review.orders import labels_of
from tests.review.sources import stored

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOSTILE = (
    "<img src=x onerror=\"document.title='hit'\"> </script><script>document.title='hit'</script>"
    " \x1b]8;;javascript:document.title='hit'\x07link\x1b]8;;\x07 {{7*7}} \u202eevil\u202c"
)


def give(user, **fields):
    revision = fields.pop("revision", None) or make_revision(**fields)
    return make_assignment(revision=revision, reviewer=user, now=timezone.now())


def violations(page):
    return [rule["id"] for rule in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_on_any_page(open_page, log_in, theme, width, height):
    ann = make_user(username="ann")
    page = open_page(width=width, height=height, theme=theme)
    page.goto("/login/")
    assert violations(page) == []
    log_in(page, ann)
    assert violations(page) == []
    turn = give(
        ann,
        options=("def kiln():\n" + "    fire()\n" * 60, "b", "c", "d"),
        findings=[Severity.BLOCKS_RELEASE, Severity.NEEDS_PERSON, Severity.NOTE],
    )
    page.goto(f"/review/{turn.pk}/")
    assert violations(page) == []
    blind(turn, right=False, now=timezone.now())
    page.reload()
    assert violations(page) == []
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    page.click("text=What the verdicts mean")
    assert violations(page) == []
    written = give(ann, revision=make_completion())
    page.goto(f"/review/{written.pk}/")
    assert violations(page) == []
    blind(written, right=False, now=timezone.now())
    page.reload()
    assert violations(page) == []
    submit(written, now=timezone.now())
    page.reload()
    assert violations(page) == []


def test_axe_finds_nothing_on_the_queue_of_a_lead(open_page, log_in):
    make_revision()
    Release.objects.create(
        name="apt",
        version="1.0",
        frozen_at=timezone.now(),
        validation="reviewed",
        shots=3,
        code_version="0.1",
        digest="0" * 64,
        canary="canary",
    )
    page = open_page()
    log_in(page, make_user(Role.LEAD))
    assert page.locator("table").count() == 2
    assert violations(page) == []


def test_reviewer_answers_blind_sees_gold_after_and_submits(open_page, log_in):
    ann, ben = make_user(username="ann"), make_user(username="ben")
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    page = open_page()
    log_in(page, ann)
    page.click("button:has-text('Next item')")
    page.wait_for_selector(".options")
    assert page.locator("text=/gold/i").count() == 0
    assert page.locator("text=because").count() == 0

    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#gold")
    order = labels_of(revision.assignments.get(reviewer=ann)).order
    assert BlindAnswer.objects.get().positions == [order[1]]
    assert BlindAnswer.objects.get().confidence == 4
    assert page.locator(".answers .big").all_inner_texts() == ["ABCD"[order.index(0)], "B"]

    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.get_by_label("dismiss").check()
    page.check("[name=well_specified][value='0']")
    page.check("[name=gold_quality][value='0']")
    page.fill("#field-comment", "the comment of ann")
    page.locator("#field-comment").blur()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/queue/")
    review = Review.objects.get()
    assert (review.decision, review.comment) == ("approve", "the comment of ann")
    assert review.option_verdicts.count() == 3

    page.go_back()
    page.wait_for_selector("text=You have reviewed this item")
    assert page.locator("time").inner_text() == "just now"
    assert page.locator("#answer-form").count() == 0

    other = open_page()
    log_in(other, ben)
    other.click("button:has-text('Next item')")
    other.wait_for_selector(".options")
    content = other.content()
    for secret in ("the comment of ann", "because", "all tests pass", "ann<"):
        assert secret not in content


def test_hostile_text_runs_nothing_anywhere(open_page, log_in):
    user = make_user(username=HOSTILE[:100])
    source = stored(task=HOSTILE, steps=(Step(HOSTILE, HOSTILE[:90], {}, HOSTILE, HOSTILE),) * 4)
    turn = give(
        user,
        source=source,
        options=(HOSTILE, HOSTILE + "b", "c", "d"),
        findings=[Severity.BLOCKS_RELEASE],
    )
    turn.revision.options.update(reason=HOSTILE)
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    log_in(page, user)
    titles = [page.title()]
    page.goto(f"/review/{turn.pk}/")
    titles.append(page.title())
    blind(turn, right=False, now=timezone.now())
    page.reload()
    page.click("text=Show what follows")
    page.wait_for_selector(".follows")
    page.fill("#field-comment", HOSTILE)
    page.wait_for_selector("text=saved")
    page.reload()
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    titles.append(page.title())
    assert not any("hit" in title for title in titles)
    assert page.locator("img").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0


def test_keys_do_nothing_while_one_types_or_composes(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click("#answer-text")
    page.keyboard.type("sed -n 1,9p a?jk")
    assert page.input_value("#answer-text") == "sed -n 1,9p a?jk"
    assert page.locator("#skip").get_attribute("open") is None
    page.locator("#answer-text").blur()
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 's', isComposing: true, bubbles: true}))"
    )
    page.keyboard.press("Control+s")
    assert page.locator("#skip").get_attribute("open") is None
    page.keyboard.press("s")
    assert page.locator("#skip").get_attribute("open") is not None


def test_text_box_is_left_by_escape_and_sent_from_by_ctrl_enter(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.check("[name=confidence][value='3']")
    page.click("#answer-text")
    page.keyboard.type("cat")
    page.keyboard.press("Enter")
    page.keyboard.type("part3.py")
    assert page.input_value("#answer-text") == "cat\npart3.py"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")
    page.click("#answer-text")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#gold")
    assert BlindAnswer.objects.get().text == "cat\npart3.py"


def test_enter_in_a_word_on_a_finding_sends_nothing(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON])
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill(".finding input[type=text]", "harmless")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.locator("div.error").count() == 0
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("div.error")


@pytest.mark.parametrize("keys", ["j", "jjk", "g2"])
def test_enter_sends_after_a_walk_through_the_steps(open_page, log_in, keys):
    ann = make_user()
    turn = give(ann, steps=12, cut=12)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.type(keys)
    assert page.evaluate("document.activeElement.matches('.step')")
    page.wait_for_timeout(1_100)  # a number is ended by a pause
    page.keyboard.press("Enter")
    page.wait_for_selector("#gold")
    assert page.locator(".source .step:not([open])").count() == 0


def test_number_of_a_step_ends_with_a_pause_or_enter_and_sends_nothing(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=12, cut=12)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.type("g11")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.id") == "step-11"
    assert not BlindAnswer.objects.exists()
    page.keyboard.type("g1")
    page.wait_for_timeout(1_100)
    page.keyboard.press("1")
    assert page.evaluate("document.activeElement.id") != "step-11"
    assert page.locator("[name=choice]:checked").input_value() == "A"


def test_message_goes_as_soon_as_its_field_is_changed_and_nothing_moves(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON])
    blind(turn, now=timezone.now())
    page = open_page(height=700)
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    told = page.locator("#question [data-of]:visible").count()
    field = page.locator("[name=gold_quality][value='0']")
    field.scroll_into_view_if_needed()
    before = field.bounding_box()["y"]
    field.check()
    assert page.locator("[data-of~=gold_quality]:visible").count() == 0
    assert page.locator("#question [data-of]:visible").count() == told - 2
    assert field.bounding_box()["y"] == pytest.approx(before, abs=1)
    page.keyboard.press("a")
    for number in range(1, 5):
        page.keyboard.press(str(number))
        page.keyboard.press("v")
    page.get_by_label("dismiss").check()
    page.check("[name=well_specified][value='0']")
    assert page.locator("#question .error:visible").count() == 0


def test_refused_form_whose_text_box_was_made_larger_breaks_no_rule_of_the_page(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    comment = page.locator("#field-comment")
    comment.scroll_into_view_if_needed()
    page.evaluate("document.getElementById('field-comment').scrollIntoView({block: 'center'})")
    box = comment.bounding_box()
    corner = box["x"] + box["width"] - 4, box["y"] + box["height"] - 4
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0], corner[1] + 60)
    page.mouse.up()
    assert "height" in comment.get_attribute("style")
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    page.wait_for_timeout(200)  # what the browser complains of fails the test


def test_message_of_the_last_action_moves_nothing_and_goes(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    blind(turn, now=timezone.now())
    give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    for number in range(1, 5):
        page.keyboard.press(str(number))
        page.keyboard.press("v")
    page.check("[name=well_specified][value='0']")
    page.check("[name=gold_quality][value='0']")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=stored.")
    before = page.locator(".workspace").bounding_box()["y"]
    assert violations(page) == []
    page.wait_for_selector(".messages", state="detached", timeout=12_000)
    assert page.locator(".workspace").bounding_box()["y"] == before == 44


def test_list_of_keys_opens_and_closes(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").is_visible()
    page.keyboard.press("1")
    assert page.locator("[name=choice]:checked").count() == 0
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()


def test_what_is_typed_comes_back_from_the_server_and_from_the_browser(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill("#answer-text", "kept on the server")
    page.wait_for_selector("#saved:has-text('saved')")
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["text"] == ["kept on the server"]

    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('offline')); }")
    page.fill("#answer-text", "kept in the browser")
    page.wait_for_selector("text=Not saved on the server")
    page.reload()
    assert page.input_value("#answer-text") == "kept in the browser"


def test_session_that_ends_in_mid_work_costs_no_word(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill("#answer-text", "typed before the session ended")
    page.check("[name=confidence][value='3']")
    page.context.clear_cookies(name="sessionid")
    page.click("button:has-text('Answer')")
    page.wait_for_url("**/login/**")
    page.fill("#id_username", ann.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"**/review/{turn.pk}/")
    assert page.input_value("#answer-text") == "typed before the session ended"
    page.click("button:has-text('Answer')")
    page.wait_for_selector("#gold")
    assert BlindAnswer.objects.get().text == "typed before the session ended"


def test_page_that_comes_again_is_where_it_was(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=40, cut=40)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click(".outline a[href='#step-30']")
    page.wait_for_selector(".outline a[href='#step-30'][aria-current]")
    before = page.locator("#step-30").bounding_box()["y"]
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("Enter")
    page.wait_for_selector("#gold")
    page.wait_for_timeout(200)
    assert page.locator("#step-30").bounding_box()["y"] == pytest.approx(before, abs=3)


def test_double_click_stores_one_answer(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.dblclick("button:has-text('Answer')")
    page.wait_for_selector("#gold")
    assert BlindAnswer.objects.count() == 1
    assert Review.objects.count() == 0


def test_long_run_is_light_and_its_question_always_in_view(open_page, log_in):
    ann = make_user()
    steps = tuple(
        Step(f"think {n}", "bash", {}, f"echo {n}", f"row {n} " * 600) for n in range(1, 302)
    )
    endless = Step("think", "bash", {}, "cat", "x" * 2_000_000)
    lines = Step("think", "bash", {}, "seq", "".join(f"line {k}\n" for k in range(60_000)))
    steps = (*steps[:49], endless, *steps[50:119], lines, *steps[120:])
    turn = give(ann, source=stored(steps=steps), cut=301)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    assert len(page.content()) < 1_500_000
    assert page.evaluate("document.querySelectorAll('*').length") < 15_000
    page.keyboard.type("g250")
    for place in ("#step-250", "#step-50", "#step-120"):
        page.click(f".outline a[href='{place}']")
        assert page.locator(place).is_visible()
        box = page.locator("#question .primary").bounding_box()
        assert 0 <= box["y"] <= 900
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    page.click("#step-120 .fold a:has-text('open')")
    page.wait_for_selector("#step-120 pre.piece")


def test_question_folds_to_one_line_on_a_phone(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page(width=390, height=844)
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click(".sheet > summary")
    assert page.locator(".question-column").bounding_box()["height"] < 60
    assert page.locator(".sheet > summary").inner_text() == "Which next step fits best?"
    page.evaluate("scrollTo(0, 9999)")
    assert page.locator(".sheet > summary").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_pages_work_without_javascript(chromium, live_server, log_in):
    ann = make_user()
    turn = give(ann)
    context = chromium.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    log_in(page, ann)
    page.click("button:has-text('Go on')")
    page.click("label.option >> nth=0")
    page.click(".choices label >> nth=2")
    page.click("button:has-text('Answer')")
    page.wait_for_url(f"**/review/{turn.pk}/")
    assert page.locator("#gold").is_visible()
    page.click("text=Show what follows")
    assert page.locator(".follows").is_visible()
    context.close()
