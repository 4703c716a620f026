"""What is typed outlives a session that ended and a mark that is stale, without any script."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client
from django.utils import timezone

from review.models import Assignment, BlindAnswer, Role
from review.views.kept import LONGEST
from tests.make import make_assignment, make_completion, make_user

PASSWORD = "lamp-rope-9"
TYPED = "git checkout -b kiln </textarea><script>alert(1)</script>"


@pytest.fixture
def ann(db):
    return user_named("ann")


def user_named(name, role=Role.ANNOTATOR):
    user = make_user(role, username=name)
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def turn(ann):
    return make_assignment(revision=make_completion(), reviewer=ann, now=timezone.now())


def logged_in(user, **options):
    browser = Client(**options)
    log_in(browser, user)
    return browser


def log_in(browser, user, **more):
    return browser.post("/login/", {"username": user.username, "password": PASSWORD} | more)


def end_session(browser):
    """End the session as time does: the row has expired, the browser dropped its cookie."""
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    del browser.cookies["sessionid"]


def text(response):
    return response.content.decode()


def kept_in(page):
    (kept,) = re.findall(r'name="kept" value="([^"]+)"', page)
    return kept


def answer_of(_turn):
    return {"phase": "blind", "text": TYPED, "confidence": "4"}


def form_of(page):
    """Return the fields of the kept page's first form, as a browser would send them."""
    form = page[page.index("<form", page.index("<main")) :]
    form = form[: form.index("</form>")]
    fields = {
        html.unescape(name): html.unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    }
    for name, value in re.findall(r'<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)</textarea>', form):
        fields[html.unescape(name)] = html.unescape(value)
    return fields


def test_answer_typed_in_a_session_that_ended_is_shown_after_the_login_and_sent_on(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    refused = browser.post(f"/review/{turn.pk}/", answer_of(turn))
    assert refused.status_code == 401
    assert "What you had typed is kept." in text(refused)
    kept = kept_in(text(refused))
    wrong = browser.post("/login/", {"username": "ann", "password": "no", "kept": kept})
    led = log_in(browser, ann, kept=kept_in(text(wrong)))
    assert (led.status_code, led["Location"]) == (303, "/kept-text/")
    page = text(browser.get("/kept-text/"))
    assert "Your text was kept" in page
    assert "&lt;/textarea&gt;&lt;script&gt;" in page
    sent = form_of(page) | {"kept-text": "send"}
    on = browser.post("/kept-text/", sent)
    assert (on.status_code, on["Location"]) == (307, f"/review/{turn.pk}/")
    assert browser.post(on["Location"], sent).status_code == 303
    assert BlindAnswer.objects.get().text == TYPED
    assert "No text is kept" in text(browser.get("/kept-text/"))


def test_somebody_else_who_logs_in_is_not_shown_the_text(ann, turn):
    ben = user_named("ben")
    browser = logged_in(ann)
    end_session(browser)
    kept = kept_in(text(browser.post(f"/review/{turn.pk}/", answer_of(turn))))
    led = log_in(browser, ben, kept=kept)
    assert led["Location"] == "/"
    for address in ("/kept-text/", "/queue/"):
        assert "kiln &lt;" not in text(browser.get(address))
    other = Client()
    log_in(other, ben, kept=kept)
    assert "is not shown to you" in text(other.get("/queue/"))


def test_text_of_nobody_knows_whom_is_shown_to_whose_turn_it_is_alone(ann, turn):
    stranger = Client()
    kept = kept_in(text(stranger.post(f"/review/{turn.pk}/", answer_of(turn))))
    assert log_in(Client(), user_named("ben"), kept=kept)["Location"] == "/"
    assert log_in(Client(), ann, kept=kept)["Location"] == "/kept-text/"


def test_text_for_leads_pages_of_nobody_knows_whom_is_shown_to_nobody(ann):
    lead = user_named("lead", Role.LEAD)
    sent = {"language": "en", "body": "New guidelines, long enough.", "based_on": "0"}
    kept = kept_in(text(Client().post("/guidelines/edit", sent)))
    assert log_in(Client(), ann, kept=kept)["Location"] == "/"
    assert log_in(Client(), lead, kept=kept)["Location"] == "/"


def test_session_that_is_gone_is_known_by_the_browsers_note(ann):
    lead = user_named("lead", Role.LEAD)
    browser = logged_in(lead)
    Session.objects.all().delete()
    sent = {"language": "en", "body": "New guidelines, long enough.", "based_on": "0"}
    kept = kept_in(text(browser.post("/guidelines/edit", sent)))
    assert log_in(Client(), ann, kept=kept)["Location"] == "/"
    assert log_in(browser, lead, kept=kept)["Location"] == "/kept-text/"


def test_somebody_who_logged_in_in_another_tab_meanwhile_goes_on_too(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    kept = kept_in(text(browser.post(f"/review/{turn.pk}/", answer_of(turn))))
    log_in(browser, ann)
    assert browser.post("/login/", {"kept": kept})["Location"] == "/kept-text/"


@pytest.mark.parametrize("kept", ["", "x", "a:b:c", "\x00"])
def test_forged_or_broken_kept_text_is_as_none(ann, kept):
    assert log_in(Client(), ann, kept=kept)["Location"] == "/"


@pytest.mark.parametrize(
    "path", ["https://example.org/", "//example.org/x", "/nothing/", "javascript:alert(1)", ""]
)
def test_nothing_is_sent_elsewhere_even_if_it_were_signed(ann, path):
    kept = signing.dumps([path, [["text", TYPED]], ann.pk], salt="review.kept-text", compress=True)
    assert log_in(Client(), ann, kept=kept)["Location"] == "/"


def test_passwords_marks_and_secrets_are_never_kept(ann):
    lead = user_named("lead", Role.LEAD)
    browser = logged_in(lead)
    end_session(browser)
    sent = {
        "note": "A note that is long enough to be kept.",
        "csrfmiddlewaretoken": "m" * 64,
        "my_password": "hidden-1",
        "api_token": "hidden-2",
        "secret": "hidden-3",
    }
    kept = kept_in(text(browser.post("/people/invitations/", sent)))
    _path, fields, _owner = signing.loads(kept, salt="review.kept-text")
    assert fields == [["note", sent["note"]]]
    own = browser.post("/account/password", {"old": "hidden-4", "password": "hidden-5"})
    assert own.status_code == 302


def test_form_without_a_word_leads_to_the_login_page(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    answer = browser.post("/queue/next", headers={"referer": "http://testserver/queue/"})
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=%2Fqueue%2F")
    elsewhere = browser.post("/queue/next", headers={"referer": "https://example.org/queue/"})
    assert elsewhere["Location"] == "/login/?next=%2F"


def test_what_is_too_long_to_keep_is_told(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    sent = answer_of(turn) | {"text": "a" * (LONGEST + 1)}
    page = text(browser.post(f"/review/{turn.pk}/", sent))
    assert "Go back in your browser: it is still in the form." in page
    assert 'name="kept"' not in page


def test_discarded_text_is_gone(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    log_in(browser, ann, kept=kept_in(text(browser.post(f"/review/{turn.pk}/", answer_of(turn)))))
    assert browser.post("/kept-text/", {"kept-text": "discard"})["Location"] == "/"
    assert "No text is kept" in text(browser.get("/kept-text/"))
    assert not BlindAnswer.objects.exists()


def test_stale_mark_answers_with_a_fresh_one_that_sends_the_same_form(ann, turn):
    browser = logged_in(ann, enforce_csrf_checks=False)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    refused = strict.post(
        f"/review/{turn.pk}/", answer_of(turn) | {"csrfmiddlewaretoken": "a" * 64}
    )
    page = text(refused)
    assert refused.status_code == 403
    assert f'action="/review/{turn.pk}/"' in page
    fields = form_of(page)
    assert fields["text"] == TYPED
    assert fields["confidence"] == "4"
    assert strict.post(f"/review/{turn.pk}/", fields).status_code == 303
    assert BlindAnswer.objects.get().text == TYPED


def test_stale_mark_of_the_login_page_keeps_the_text_and_forgets_the_password(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    kept = kept_in(text(browser.post(f"/review/{turn.pk}/", answer_of(turn))))
    strict = Client(enforce_csrf_checks=True)
    sent = {"username": "ann", "password": PASSWORD, "kept": kept, "next": "https://example.org/"}
    page = text(strict.post("/login/", sent))
    assert kept_in(page) == kept
    assert 'value="ann"' in page
    assert PASSWORD not in page
    assert "example.org" not in page


def test_stale_mark_of_a_session_that_ended_leads_over_the_login(ann, turn):
    browser = logged_in(ann)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    refused = strict.post(f"/review/{turn.pk}/", answer_of(turn))
    assert refused.status_code == 401
    assert kept_in(text(refused))


def test_form_of_another_site_is_refused_and_gets_nothing_to_send(ann, turn):
    browser = logged_in(ann)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    page = text(
        strict.post(
            f"/review/{turn.pk}/", answer_of(turn), headers={"origin": "https://example.org"}
        )
    )
    assert "It does not come from a page of this site." in page
    assert "Send it again" not in page


def test_review_page_under_htmx_is_told_where_to_log_in(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    headers = {"hx-request": "true", "hx-current-url": f"http://testserver/review/{turn.pk}/"}
    answer = browser.post(f"/review/{turn.pk}/", answer_of(turn), headers=headers)
    assert answer.status_code == 401
    assert answer["HX-Redirect"] == f"/login/?next=%2Freview%2F{turn.pk}%2F"
    draft = browser.post(f"/review/{turn.pk}/draft", answer_of(turn), headers=headers)
    assert draft.status_code == 401


def test_other_forms_under_htmx_get_the_login_page_with_the_text_in_the_pages_place(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    headers = {"hx-request": "true", "hx-current-url": f"http://testserver/review/{turn.pk}/"}
    sent = {"note": "A note that took a while to write."}
    answer = browser.post(f"/review/{turn.pk}/note", sent, headers=headers)
    assert answer.status_code == 401
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("body", "innerHTML")
    led = log_in(browser, ann, kept=kept_in(text(answer)))
    assert led["Location"] == "/kept-text/"
    assert "A note that took a while to write." in text(browser.get("/kept-text/"))


def test_script_of_the_page_is_told_that_the_session_ended(ann, turn):
    browser = logged_in(ann)
    end_session(browser)
    answer = browser.post(f"/review/{turn.pk}/lease", headers={"sec-fetch-mode": "cors"})
    assert answer.status_code == 401
    assert "Your session has ended." in text(answer)
    assert Assignment.objects.get().draft == {}
