import html
import re
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Step
from generation.models import Option
from generation.services.texts import storable
from review.models import BlindAnswer
from tests.make import make_assignment, make_completion, make_revision, make_user, review_by
from tests.review.orders import labels_of
from tests.review.sources import stored

ANSWER = {"phase": "blind", "choice": "A", "confidence": "4", "active_seconds": "12.5"}
HTMX = {"hx-request": "true"}


def test_page_costs_nine_queries_and_eight_once_its_steps_are_kept(
    member, url, django_assert_num_queries
):
    # session, user, assignment with source, options, the project's settings, what is left,
    # questions, notes, steps
    with django_assert_num_queries(9):
        assert member.get(url).status_code == 200
    with django_assert_num_queries(8):
        assert member.get(url).status_code == 200


def test_query_number_does_not_grow_with_the_steps(member, reviewer, django_assert_num_queries):
    turn = make_assignment(
        revision=make_revision(cut=30, steps=40), reviewer=reviewer, now=timezone.now()
    )
    with django_assert_num_queries(9):
        member.get(reverse("review", args=[turn.pk]))


def test_page_shows_the_steps_before_the_cut_and_none_after(member, url):
    page = member.get(url).content.decode()
    assert "cat part2.py" in page
    assert "cat part3.py" not in page
    assert "the model sees up to here" in page


def test_completion_shows_the_thought_of_the_asked_step_where_the_prompt_does(member, reviewer):
    turn = make_assignment(revision=make_completion(), reviewer=reviewer, now=timezone.now())
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    assert "cat part3.py" not in page
    beside = page.partition('id="section-thought"')[2].partition('id="question"')
    assert "Look at part 3 of kiln" in beside[0]
    assert beside[2]
    assert page.count("Look at part 3 of kiln") == 1


def test_page_says_what_is_asked_and_how_sure_the_ends_of_the_scale_are(member, url, turn):
    page = member.get(url).content.decode()
    assert page.count("One of them fits this point of the work") == 2  # wide and narrow
    assert page.index("a guess") < page.index('name="confidence"') < page.index("sure</small>")
    assert '<summary id="sheet-title">Which next step fits best?</summary>' in page


def test_calls_in_options_and_steps_keep_their_text_and_show_their_syntax_quiet(member, reviewer):
    call = '{"planning":"look","execution":{"name":"search"}}'
    steps = (Step("Think.", "search", {}, call, "found"),) * 4
    revision = make_revision(source=stored(steps=steps), options=(call, "b", "c", "d"))
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    markup = (
        '<span class="syntax">{&quot;planning&quot;:&quot;</span>look'
        '<span class="syntax">&quot;,</span>'
        '<span class="syntax starts-line">&quot;execution&quot;:{&quot;name&quot;:&quot;</span>search'
        '<span class="syntax">&quot;}}</span>'
    )
    assert page.count(f'<span class="option-text" lang="en">{markup}</span>') == 1
    assert page.count(f"<pre>{markup}</pre>") == 2
    assert html.unescape(re.sub("<[^>]*>", "", markup)) == call


def test_options_stand_in_the_reviewers_own_seeded_order(member, url, turn):
    page = member.get(url).content.decode()
    texts = [option.text for option in turn.revision.options.all()]
    places = [page.index(texts[position]) for position in labels_of(turn).order]
    assert places == sorted(places)


def test_blind_page_holds_nothing_of_gold_findings_or_other_reviewers(member, reviewer):
    other = make_user(username="somebody-else")
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    review_by(other, revision)
    Option.objects.filter(revision=revision).update(reason="REASON-17", operator="OPERATOR-17")
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    for secret in ("REASON-17", "OPERATOR-17", "somebody-else", "all tests pass", "outcome"):
        assert secret not in page
    assert not re.search(r"gold|finding|correct|approve", page, re.IGNORECASE)


def test_blind_page_is_the_same_whatever_gold_is(member, reviewer):
    pages = []
    for gold in ("A", "B"):
        turn = make_assignment(reviewer=reviewer, now=timezone.now())
        type(turn.revision).objects.filter(pk=turn.revision_id).update(gold=[gold])
        page = member.get(reverse("review", args=[turn.pk])).content.decode()
        texts = [turn.revision.options.all()[p].text for p in labels_of(turn).order]
        for label, text in zip("ABCD", texts, strict=True):
            page = page.replace(text, f"text of {label}")
        page = re.sub(r'value="[A-Za-z0-9]{64}"|"X-CSRFToken": "\w+"', "", page)
        pages.append(re.sub(r"\d+", "", page))
    assert pages[0] == pages[1]


def test_answer_is_stored_by_given_position_and_opens_the_next_phase(member, url, turn):
    response = member.post(url, ANSWER)
    assert (response.status_code, response["Location"]) == (303, url)
    answer = BlindAnswer.objects.get(assignment=turn)
    assert answer.positions == [labels_of(turn).order[0]]
    assert (answer.confidence, answer.active_seconds) == (4, 12.5)
    assert 'name="decision"' in member.get(url).content.decode()


def test_same_answer_sent_twice_stores_one(member, url):
    member.post(url, ANSWER)
    member.post(url, ANSWER | {"choice": "B"})
    assert BlindAnswer.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"choice": []}, "Choose an option."),
        ({"choice": ["A", "B"]}, "Choose one option."),
        ({"choice": "Z"}, "Z is not one of the available choices"),
        ({"confidence": ""}, "Say how sure you are."),
        ({"confidence": "9"}, "9 is not one of the available choices"),
    ],
)
def test_incomplete_answer_comes_back_with_the_reason(member, url, change, sentence):
    response = member.post(url, ANSWER | change)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not BlindAnswer.objects.exists()


def test_htmx_error_returns_only_the_question_and_keeps_the_choice(member, url):
    response = member.post(url, ANSWER | {"confidence": ""}, headers=HTMX)
    page = response.content.decode()
    assert response.status_code == 422
    assert "<html" not in page
    assert 'id="question"' in page
    assert re.search(r'value="A" checked', page)


def test_completion_takes_a_text_or_not_determined(member, reviewer):
    for sent, kept in (({"text": "ls"}, ("ls", False)), ({"not_determined": "on"}, ("", True))):
        turn = make_assignment(revision=make_completion(), reviewer=reviewer, now=timezone.now())
        address = reverse("review", args=[turn.pk])
        assert member.post(address, {"phase": "blind", "confidence": "3"}).status_code == 422
        assert member.post(address, {"phase": "blind", "confidence": "3"} | sent).status_code == 303
        answer = BlindAnswer.objects.get(assignment=turn)
        assert (answer.text, answer.not_determined) == kept


def test_another_persons_assignment_is_not_found(client, url):
    other = make_user()
    client.force_login(other, backend="review.authentication.MemberBackend")
    assert client.get(url).status_code == 404
    assert client.post(url, ANSWER).status_code == 404
    assert not BlindAnswer.objects.exists()


def test_stranger_is_sent_to_the_login_page(client, url):
    assert client.get(url)["Location"] == f"/login/?{urlencode({'next': url})}"


def test_hostile_text_is_shown_as_text(member, reviewer):
    """CB23, in every field of the page."""
    text = (
        "<img src=x onerror=\"document.title='hit'\"> </script><script>document.title='hit'</script>"
        " \x1b[31mred\x1b[0m \x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07 \x00nul"
        " \u202eevil\u202c \u200bzero {{ gold }} {% load x %} [x](javascript:alert(1))"
    )
    source = stored(task=text, steps=(Step(text, "bash", {}, text, text),) * 4)
    turn = make_assignment(
        revision=make_revision(source=source, options=(storable(text), "b", "c", "d")),
        reviewer=reviewer,
        now=timezone.now(),
    )
    response = member.get(reverse("review", args=[turn.pk]))
    page = response.content.decode()
    assert "<img" not in page
    assert page.count("<script") == page.count("<script src=")
    assert not re.search(r'href="javascript', page)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u200b]", page)
    assert "red link ␀nul ⟪U+202E⟫evil⟪U+202C⟫ ⟪U+200B⟫zero {{ gold }} {% load x %}" in page
    assert "9 hidden characters" in page
    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
