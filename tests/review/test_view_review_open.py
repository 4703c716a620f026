import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Outcome, Success
from generation.models import CandidateState, Finding
from review.models import FindingVerdict, OptionVerdict, Review
from review.services.blind_answers import answer_blind
from tests.make import blind, make_assignment, make_completion, make_revision, make_user
from tests.review.orders import labels_of
from tests.review.sources import stored

HTMX = {"hx-request": "true"}


def label_of(turn, position):
    return labels_of(turn).label_at(position)


def approval(turn, **changes):
    """What the form sends when it approves, every distractor valid and every finding dismissed."""
    findings = {f"finding_{f.pk}": "dismissed" for f in turn.revision.findings.all()}
    positions = range(1, turn.revision.options.count())
    verdicts = {f"option_{label_of(turn, position)}": "valid" for position in positions}
    ratings = {"well_specified": "0", "gold_quality": "0", "active_seconds": "30.5"}
    decision = {"phase": "open", "form_key": str(uuid4()), "decision": "approve"}
    return decision | ratings | verdicts | findings | changes


@pytest.fixture
def opened(reviewer):
    turn = make_assignment(
        revision=make_revision(findings=[Severity.BLOCKS_RELEASE, Severity.NOTE]),
        reviewer=reviewer,
        now=timezone.now(),
    )
    blind(turn, right=False)
    return turn


@pytest.fixture
def url(opened):
    return reverse("review", args=[opened.pk])


def test_page_costs_ten_queries_and_nine_once_its_steps_are_kept(
    member, url, django_assert_num_queries
):
    # session, user, assignment with source and answer, options, findings, the project's settings,
    # what is left, questions, notes, steps
    with django_assert_num_queries(10):
        assert member.get(url).status_code == 200
    with django_assert_num_queries(9):
        assert member.get(url).status_code == 200


def test_gold_stands_beside_the_own_answer(member, url, opened):
    page = member.get(url).content.decode()
    gold, own = label_of(opened, 0), label_of(opened, 1)
    answers = re.findall(r'<p class="big">(\w)</p>', page)
    assert answers == [gold, own]
    assert "differs from gold" in page
    assert f'name="option_{gold}"' not in page
    assert page.count('value="also_correct"') == 3
    assert "because" in page


def test_page_says_what_to_do_and_what_the_words_mean(member, url):
    page = member.get(url).content.decode()
    assert '<summary id="sheet-title">Now judge gold and each other option</summary>' in page
    assert "<dt><u>m</u>alformed</dt><dd>broken: cut off" in page
    assert page.count("also <u>c</u>orrect</span>") == 3
    assert "say why in at least 20 characters" in page
    assert page.index("none</small>") < page.index('name="gold_quality" value="0"')


@pytest.mark.parametrize(
    ("fields", "answer", "is_offered"),
    [
        ({"subtask": "closed_answer_en"}, {"text": "another"}, True),
        ({"subtask": "closed_answer_en"}, {"not_determined": True}, False),
        ({"subtask": "closed_answer_en"}, {"text": "cat part3.py"}, False),
        ({"subtask": "issue_fix_action"}, {"text": "another"}, False),
    ],
    ids=["answer", "not determined", "the same already", "command"],
)
def test_same_meaning_is_offered_for_an_answer_in_words(
    member, reviewer, fields, answer, is_offered
):
    turn = make_assignment(
        revision=make_completion(**fields), reviewer=reviewer, now=timezone.now()
    )
    answer_blind(assignment=turn, confidence=3, active_seconds=1, now=timezone.now(), **answer)
    page = member.get(reverse("review", args=[turn.pk])).content.decode()
    assert ("My answer means the same as gold" in page) is is_offered


def test_same_meaning_of_a_choice_is_refused_by_field(member, url, opened):
    response = member.post(url, approval(opened, same_meaning="on"))
    assert response.status_code == 422
    assert "Only an answer written in words" in response.content.decode()
    assert not Review.objects.exists()


def test_every_message_names_the_fields_that_put_it_right(member, url, opened):
    page = member.post(url, {"phase": "open", "form_key": str(uuid4())}).content.decode()
    told = set(re.findall(r'data-of="([^"]*)"', page))
    assert {"decision", "well_specified well_specified_why"} < told
    for name in {name for names in told for name in names.split()}:
        assert f'name="{name}"' in page


def test_form_sent_for_another_item_before_is_stored_for_this_one_too(member, reviewer):
    key, turns = str(uuid4()), []
    for _ in range(2):
        turns.append(
            make_assignment(revision=make_revision(), reviewer=reviewer, now=timezone.now())
        )
        blind(turns[-1], now=timezone.now())
        address = reverse("review", args=[turns[-1].pk])
        assert member.post(address, approval(turns[-1], form_key=key)).status_code == 303
    assert Review.objects.count() == 2


def test_what_follows_the_cut_is_not_in_the_page(member, url):
    page = member.get(url).content.decode()
    assert "cat part2.py" in page
    assert "part 3: temperature" not in page
    assert "part 4: temperature" not in page


def test_review_is_stored_with_its_verdicts_and_the_next_item_comes(member, url, opened):
    waiting = make_revision()
    response = member.post(url, approval(opened, comment="fine"))
    review = Review.objects.get(assignment=opened)
    assert (review.decision, review.comment, review.active_seconds) == ("approve", "fine", 30.5)
    assert OptionVerdict.objects.filter(review=review, verdict="valid").count() == 3
    assert FindingVerdict.objects.filter(review=review, verdict="dismissed").count() == 2
    assert response.status_code == 303
    following = opened.reviewer.assignments.get(revision=waiting)
    assert response["Location"] == reverse("review", args=[following.pk])


def test_verdict_is_kept_for_the_option_under_the_displayed_label(member, url, opened):
    changed = {f"option_{label_of(opened, 2)}": "too_easy"}
    member.post(url, approval(opened, **changed))
    stored_verdicts = OptionVerdict.objects.values_list("option__position", "verdict")
    assert dict(stored_verdicts) == {1: "valid", 2: "too_easy", 3: "valid"}


def test_form_sent_twice_stores_one_review(member, url, opened):
    form = approval(opened)
    for _ in range(2):
        assert member.post(url, form).status_code == 303
    assert Review.objects.count() == 1


def test_everything_missing_is_named_at_once_and_what_was_typed_is_kept(member, url, opened):
    sent = {"phase": "open", "form_key": str(uuid4()), "comment": "half a thought"}
    response = member.post(url, sent, headers=HTMX)
    page = response.content.decode()
    assert response.status_code == 422
    assert "<html" not in page
    assert "half a thought" in page
    blocking = opened.revision.findings.get(severity=3)
    for anchor in (
        "#option-",
        "#field-well_specified",
        "#field-decision",
        f"#finding-{blocking.pk}",
    ):
        assert f'href="{anchor}' in page
    assert not Review.objects.exists()


def test_what_is_missing_is_listed_in_the_order_of_the_page(member, url, opened):
    page = member.post(url, {"phase": "open", "form_key": str(uuid4())}).content.decode()
    listed = re.findall(r'<li[^>]*><a href="#([a-z]+-[A-Za-z_]+)', page)
    options = [anchor for anchor in listed if anchor.startswith("option-")]
    assert options == sorted(options)
    assert len(options) == 3
    assert listed.index("field-well_specified") < listed.index("field-decision")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"well_specified": "2", "well_specified_why": "short"}, "at least 20 characters"),
        ({"decision": "reject"}, "Choose the reason."),
        ({"decision": "reject", "reject_reason": "other"}, "Say what the other reason is."),
        ({"decision": "edit"}, "edit is not one of the available choices"),
    ],
)
def test_rules_of_a_review_are_told_on_the_form(member, url, opened, change, sentence):
    response = member.post(url, approval(opened, **change))
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not Review.objects.exists()


def test_confirmed_blocking_finding_forbids_approval(member, url, opened):
    blocking = opened.revision.findings.get(severity=3)
    response = member.post(url, approval(opened, **{f"finding_{blocking.pk}": "confirmed"}))
    assert response.status_code == 422
    assert "can&#x27;t be approved" in response.content.decode()


def test_forged_form_key_is_refused_without_a_crash(member, url, opened):
    response = member.post(url, approval(opened, form_key="no-uuid"))
    assert response.status_code == 422


def test_blind_form_sent_late_shows_the_open_phase_and_changes_nothing(member, url, opened):
    response = member.post(url, {"phase": "blind", "choice": "A", "confidence": "1"})
    assert response.status_code == 303
    opened.blind_answer.refresh_from_db()
    assert opened.blind_answer.confidence == 4


def test_submitted_item_says_so_and_has_no_form_to_send_again(member, url, opened):
    """CB19: open an item, submit, go back."""
    member.post(url, approval(opened))
    response = member.get(url)
    page = response.content.decode()
    assert "<dt>submitted</dt>" in page
    assert "<dt>decision</dt><dd>Approve</dd>" in page
    assert "answer-form" not in page
    assert "<html" in page
    assert "no-store" in response["Cache-Control"]
    again = member.post(url, approval(opened))
    assert again.status_code == 303
    assert Review.objects.count() == 1


def test_restored_history_entry_is_a_whole_page(member, url, opened):
    member.post(url, approval(opened))
    part = member.get(url, headers=HTMX).content.decode()
    assert "<html" not in part
    restored = member.get(url, headers=HTMX | {"hx-history-restore-request": "true"})
    assert "<html" in restored.content.decode()
    assert "HX-Request" in restored["Vary"]


def test_prompt_finding_is_marked_where_its_evidence_stands(member, url, opened):
    finding = opened.revision.findings.first()
    Finding.objects.filter(pk=finding.pk).update(evidence="part 2: temp", source_step=4)
    page = member.get(url).content.decode()
    assert f'<mark id="mark-{finding.pk}" tabindex="-1">part 2: temp</mark>' in page
    assert f'href="#mark-{finding.pk}"' in page
    assert "comes from step 4" in page


def test_prompt_finding_whose_evidence_is_not_shown_has_a_box(member, url, opened):
    page = member.get(url).content.decode()
    assert '<pre class="evidence">all tests pass</pre>' in page


def test_option_finding_is_marked_at_its_offsets(member, url, opened):
    finding = opened.revision.findings.first()
    Finding.objects.filter(pk=finding.pk).update(field="option:1", start=0, end=4)
    page = member.get(url).content.decode()
    assert f'<mark id="mark-{finding.pk}" tabindex="-1">Sell</mark> the kiln.' in page


def test_run_of_unknown_success_is_judged_beside_its_reference(member, reviewer):
    source = stored(
        success=Success.UNCONFIRMED,
        outcome=Outcome(final_answer="1871", reference_answer="in 1871"),
    )
    turn = make_assignment(
        revision=make_completion(source=source), reviewer=reviewer, now=timezone.now()
    )
    blind(turn)
    address = reverse("review", args=[turn.pk])
    page = member.get(address).content.decode()
    assert ">1871</pre>" in page
    assert ">in 1871</pre>" in page
    refused = member.post(address, approval(turn))
    assert refused.status_code == 422
    assert member.post(address, approval(turn, source_is_success="yes")).status_code == 303
    assert Review.objects.get().source_is_success is True


def test_late_review_whose_place_is_taken_is_kept_and_the_person_is_told(member, opened, url):
    type(opened).objects.filter(pk=opened.pk).update(leased_until=timezone.now())
    for _ in range(2):
        make_assignment(revision=opened.revision, reviewer=make_user(), now=timezone.now())
    response = member.post(url, approval(opened), follow=True)
    assert not Review.objects.get(assignment=opened).is_counted
    assert "kept as an extra one" in response.content.decode()


def test_imported_question_shows_its_slots_as_sections(member, reviewer):
    revision = make_revision(subtask="env_setup_error", cut=0)
    type(revision).objects.filter(pk=revision.pk).update(
        slots={"issue_title": "It fails on start", "setup_instruct": "Clone it."}
    )
    type(revision.candidate.source).objects.update(form="question")
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    address = reverse("review", args=[turn.pk])
    page = member.get(address).content.decode()
    assert page.index("Clone it.") < page.index("It fails on start")
    assert "step 1" not in page
    blind(turn)
    assert "Show what follows" not in member.get(address).content.decode()
    assert revision.candidate.state == CandidateState.IN_REVIEW


@pytest.mark.parametrize("looked", [True, False])
def test_review_records_whether_the_reviewer_looked_past_the_cut(member, url, opened, looked):
    if looked:
        member.post(reverse("what-follows", args=[opened.pk]))
    member.post(url, approval(opened))
    assert Review.objects.get().saw_what_follows is looked
