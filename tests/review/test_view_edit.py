"""The edit page: what comes back with each answer, who may open it, what it keeps."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Step
from generation.models import CandidateState, Revision
from review.models import Adjudication, Assignment, Review, Role
from review.services.item_access import give_up_review
from review.services.queue import claim_next
from tests.make import (
    blind,
    later,
    make_assignment,
    make_completion,
    make_revision,
    make_trajectory,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
)
from tests.review.orders import labels_of
from tests.review.services.test_editing import SEEN, edited

pytestmark = pytest.mark.django_db
HOSTILE = "</textarea><script>alert(1)</script>\u202e"


@pytest.fixture
def opened(turn):
    """The reviewer's turn in its open phase."""
    blind(turn, now=timezone.now())
    return turn


def edit_url(turn):
    return reverse("edit", args=[turn.pk])


def form_of(turn, **fields):
    """What the page sends of an unchanged question, with ``fields`` in place of some."""
    revision, labels = turn.revision, labels_of(turn)
    texts = {
        f"option_{labels.label_at(option.position)}": option.text
        for option in revision.options.all()
    }
    form = {
        "base": revision.pk,
        "gold": labels.label_at(0),
        "slot_task": revision.candidate.source.task.body,
        **texts,
        "well_specified": "0",
        "gold_quality": "1",
        "note": "It named two kilns.",
        "action": "save",
    }
    return form | fields


def gold_box(turn):
    return f"option_{labels_of(turn).label_at(0)}"


def text_of(response):
    return response.content.decode()


def seen_in(page):
    return re.findall(r'name="seen" value="(\w*)"', page)[0]


def test_page_holds_the_texts_under_the_letters_that_the_reviewer_sees(member, opened):
    page = text_of(member.get(edit_url(opened)))
    boxes = re.findall(r'<textarea id="option_(\w)"[^>]*>\n([^<]*)</textarea>', page)
    labels = labels_of(opened)
    stored = {option.position: option.text for option in opened.revision.options.all()}
    assert boxes == [(label, stored[labels.position_of(label)]) for label in "ABCD"]
    assert re.findall(r'value="(\w)" checked> <span>gold', page) == [labels.label_at(0)]
    assert "Nothing is changed yet." in page


def test_edit_is_stored_and_leads_on(member, opened):
    response = member.post(edit_url(opened), form_of(opened, **{gold_box(opened): "Mend it."}))
    assert response.status_code == 303
    new = Revision.objects.current().get()
    assert new.options.get(position=0).text == "Mend it."
    assert new.gold == ["A"]
    review = Review.objects.get()
    assert (review.well_specified, review.gold_quality) == (0, 1)
    page = text_of(member.get(response.url))
    assert f"Your edit is stored as review {review.pk}" in page
    assert "Undo" in page


def test_line_ends_of_a_form_are_no_change(member, reviewer):
    options = ("Fix:\n1. cool\r\n2. heat", "b", "c", "d")
    turn = make_assignment(
        revision=make_revision(options=options), reviewer=reviewer, now=timezone.now()
    )
    blind(turn, now=timezone.now())
    same = form_of(turn, **{gold_box(turn): "Fix:\r\n1. cool\r\n2. heat"})
    response = member.post(edit_url(turn), same)
    assert response.status_code == 422
    assert "Nothing is changed" in text_of(response)


def test_check_shows_the_word_diff_and_stores_nothing(member, opened):
    form = form_of(opened, action="check", **{gold_box(opened): "Fix the old kiln."})
    page = text_of(member.post(edit_url(opened), form))
    assert "<span>Fix the </span><ins>old </ins><span>kiln.</span>" in page
    assert "<!doctype html>" in page
    part = text_of(member.post(edit_url(opened), form, headers={"HX-Request": "true"}))
    assert part.strip().startswith("<section") or "<!doctype" not in part
    assert "<ins>old </ins>" in part
    assert Revision.objects.count() == 1


def test_changed_gold_is_shown_by_its_letters(member, opened):
    labels = labels_of(opened)
    form = form_of(opened, action="check", gold=labels.label_at(2))
    page = text_of(member.post(edit_url(opened), form))
    assert "Which option is gold" in page
    assert f"<ins>{labels.label_at(2)}</ins>" in page


def test_refused_edit_keeps_all_that_was_typed_and_links_to_what_is_missing(member, opened):
    form = form_of(
        opened, note="", well_specified="", **{gold_box(opened): "", "slot_task": HOSTILE}
    )
    response = member.post(edit_url(opened), form)
    page = text_of(response)
    assert response.status_code == 422
    assert "&lt;/textarea&gt;&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    for anchor in ("field-note", "field-options", "field-well_specified", "field-gold"):
        assert f'<a href="#{anchor}">' in page
        assert f'id="{anchor}"' in page
    assert Revision.objects.count() == 1


def leaky(reviewer):
    steps = (*make_trajectory(steps=3).steps, Step("Look.", "bash", {}, "cat log", SEEN))
    turn = make_assignment(
        revision=make_revision(steps=steps), reviewer=reviewer, now=timezone.now()
    )
    blind(turn, now=timezone.now())
    return turn


def test_new_leak_is_shown_before_the_edit_is_stored(member, reviewer):
    turn = leaky(reviewer)
    form = form_of(turn, **{gold_box(turn): f"Mend it: {SEEN}."})
    response = member.post(edit_url(turn), form)
    page = text_of(response)
    assert response.status_code == 422
    assert "new: future_observation" in page
    assert "comes from step 4" in page
    assert Revision.objects.count() == 1
    again = member.post(edit_url(turn), form | {"seen": seen_in(page)})
    assert again.status_code == 303


def test_new_finding_that_blocks_needs_a_ticked_box(member, opened):
    labels = labels_of(opened)
    form = form_of(opened, **{f"option_{labels.label_at(1)}": "Fix the kiln."})
    page = text_of(member.post(edit_url(opened), form))
    first, second = sorted((labels.label_at(0), labels.label_at(1)), key=labels.position_of)
    assert f"({second}) says the same as ({first})" in page
    seen = seen_in(page)
    assert member.post(edit_url(opened), form | {"seen": seen}).status_code == 422
    ticked = form | {"seen": seen, "confirmed": seen}
    assert member.post(edit_url(opened), ticked).status_code == 303


def test_conflict_shows_both_texts_and_goes_on_from_either(member, opened):
    other = make_assignment(revision=opened.revision, now=timezone.now())
    blind(other, now=timezone.now())
    form = form_of(opened, **{gold_box(opened): "Cool the kiln."})
    edited(other)
    response = member.post(edit_url(opened), form)
    page = text_of(response)
    new = Revision.objects.current().get()
    assert response.status_code == 409
    assert "Somebody saved revision 2 before you" in page
    assert "<del>Fix</del><ins>Mend</ins>" in page
    assert "<del>Fix</del><ins>Cool</ins>" in page
    assert ">\nCool the kiln.</textarea>" in page
    assert f'name="base" value="{new.pk}"' in page
    # Seen beside an own edit, the newer text is not theirs to answer blind.
    assert Assignment.objects.get(revision=new, reviewer=opened.reviewer).skipped_at

    sent = dict(re.findall(r'<textarea id="(option_\w)"[^>]*>\n([^<]*)</textarea>', page))
    gold = re.findall(r'value="(\w)" checked> <span>gold', page)[0]
    going_on = form | sent | {"base": new.pk, "gold": gold}
    theirs = text_of(member.post(edit_url(opened), going_on | {"action": "theirs"}))
    assert ">\nMend the kiln.</textarea>" in theirs
    assert re.search(r"<textarea[^>]* readonly>\s*Cool the kiln.</textarea>", theirs)
    assert member.post(edit_url(opened), going_on).status_code == 303
    latest = Revision.objects.current().get()
    assert (latest.number, latest.options.get(position=0).text) == (3, "Cool the kiln.")


def test_newer_text_shown_on_the_edit_page_of_an_older_turn_is_not_given_blind(member, opened):
    """The page of a turn whose text was edited meanwhile shows the text as it is now."""
    other = make_assignment(revision=opened.revision, now=timezone.now())
    blind(other, now=timezone.now())
    edited(other)
    assert ">\nMend the kiln.</textarea>" in text_of(member.get(edit_url(opened)))
    assert claim_next(reviewer=opened.reviewer, now=timezone.now()) is None


@pytest.mark.parametrize("method", ["get", "post"])
def test_text_at_which_one_has_a_blind_turn_is_not_shown_beside_an_edit(member, opened, method):
    other = make_assignment(revision=opened.revision, now=timezone.now())
    blind(other, now=timezone.now())
    edited(other)
    given = make_assignment(
        revision=Revision.objects.current().get(), reviewer=opened.reviewer, now=timezone.now()
    )
    form = form_of(opened, action="check", base=given.revision.pk, option_A="Cool the kiln.")
    sent = form if method == "post" else {}
    response = getattr(member, method)(edit_url(opened), sent)
    page = text_of(response)
    assert response.status_code == 409
    assert "You have a turn at this item" in page
    assert "Mend the kiln." not in page
    assert ("Cool the kiln." in page) is (method == "post"), "what was typed comes back"


def test_text_kept_in_view_comes_along(member, opened):
    form = form_of(opened, action="check", kept_option_A="Cool the kiln.")
    assert "Cool the kiln.</textarea>" in text_of(member.post(edit_url(opened), form))


def test_edit_of_another_candidates_revision_is_not_found(member, opened):
    other = make_revision()
    assert member.post(edit_url(opened), form_of(opened, base=other.pk)).status_code == 404
    assert member.post(edit_url(opened), form_of(opened, base=10**30)).status_code == 422


def test_blind_turn_and_one_that_is_over_lead_back_to_the_item(member, turn):
    assert member.get(edit_url(turn)).url == reverse("review", args=[turn.pk])
    blind(turn, now=timezone.now())
    review_by(make_user(), turn.revision)
    Assignment.objects.filter(pk=turn.pk).update(submitted_at=timezone.now())
    assert member.get(edit_url(turn)).url == reverse("review", args=[turn.pk])


def test_others_pages_are_not_found_and_leads_pages_not_for_annotators(member, client):
    theirs = make_assignment(now=timezone.now())
    revision = theirs.revision
    assert member.get(edit_url(theirs)).status_code == 404
    assert member.post(edit_url(theirs), {}).status_code == 404
    assert member.get(reverse("dispute-edit", args=[revision.pk])).status_code == 403
    assert member.get(reverse("item-edit", args=[revision.candidate_id])).status_code == 403
    assert member.post(reverse("dispute-return", args=[revision.pk])).status_code == 403


def test_page_costs_no_more_for_more_findings(member, opened, django_assert_max_num_queries):
    with django_assert_max_num_queries(16):
        member.get(edit_url(opened))
    with django_assert_max_num_queries(11):
        member.post(edit_url(opened), form_of(opened, action="check"))


def test_undone_edit_is_in_the_boxes_again(member, opened):
    member.post(edit_url(opened), form_of(opened, **{gold_box(opened): "Mend it."}))
    review = Review.objects.get()
    member.post(reverse("undo", args=[opened.pk]), {"review": review.pk})
    assert ">\nMend it.</textarea>" in text_of(member.get(edit_url(opened)))


def test_accepted_texts_have_a_spare_box(member, reviewer):
    turn = make_assignment(revision=make_completion(), reviewer=reviewer, now=timezone.now())
    blind(turn, now=timezone.now())
    page = text_of(member.get(edit_url(turn)))
    assert re.findall(r'<textarea id="(gold_\d)"', page) == ["gold_0", "gold_1"]
    form = {
        "base": turn.revision_id,
        "gold_0": "cat part3.py",
        "gold_1": "head part3.py",
        "slot_task": turn.revision.candidate.source.task.body,
        "slot_thought": "Look at part 3 of kiln 0.",
        "note": "Both do.",
        "well_specified": "0",
        "gold_quality": "0",
        "action": "check",
    }
    page = text_of(member.post(edit_url(turn), form))
    assert re.findall(r'<textarea id="(gold_\d)"', page) == ["gold_0", "gold_1", "gold_2"]
    response = member.post(edit_url(turn), form | {"action": "save", "seen": seen_in(page)})
    assert response.status_code == 303
    assert Revision.objects.current().get().gold == ["cat part3.py", "head part3.py"]


# Leads


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lea")


@pytest.fixture
def desk(client, lead):
    """A client logged in as the lead."""
    client.force_login(lead, backend="review.authentication.MemberBackend")
    return client


def dispute(**fields):
    revision = make_revision(**fields)
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    return revision


def sent_of(page, **fields):
    """What the shown page would send, with ``fields`` in place of some."""
    texts = dict(
        re.findall(r'<textarea id="((?:option|slot)_\w+)"[^>]*>\n([^<]*)</textarea>', page)
    )
    hidden = dict(re.findall(r'type="hidden" name="(base|reviews_seen)" value="(\w*)"', page))
    gold = re.findall(r'value="(\w)" checked> <span>gold', page)[0]
    return texts | hidden | {"gold": gold, "note": "Named one kiln.", "action": "save"} | fields


def test_lead_edits_a_dispute_and_the_note_goes_along(desk, lead):
    revision = dispute()
    url = reverse("dispute-edit", args=[revision.pk])
    assert url in text_of(desk.get(reverse("dispute", args=[revision.pk])))
    page = text_of(desk.post(url, {"note": "My long note.", "action": "begin", "seen": "abc"}))
    assert "My long note." in page
    assert 'name="reviews_seen" value="abc"' in page
    page = text_of(desk.get(url))
    box = re.findall(r'<textarea id="(option_\w)"[^>]*>\nFix the kiln', page)[0]
    response = desk.post(url, sent_of(page, **{box: "Mend the kiln."}), follow=True)
    assert response.redirect_chain == [(reverse("dispute", args=[revision.pk]), 303)]
    assert "<h1>Edited: what reviewers said is shown again once the new" in text_of(response)
    decided = Adjudication.objects.get()
    assert (decided.outcome, decided.lead) == ("edit", lead)
    assert Revision.objects.current().get().author == lead


def test_edit_on_reviews_that_changed_is_refused_with_the_text_kept(desk):
    revision = dispute()
    url = reverse("dispute-edit", args=[revision.pk])
    page = text_of(desk.get(url))
    box = re.findall(r'<textarea id="(option_\w)"[^>]*>\nFix the kiln', page)[0]
    response = desk.post(url, sent_of(page, reviews_seen="old", **{box: "Mend the kiln."}))
    assert response.status_code == 409
    assert "The reviews changed since you read them" in text_of(response)
    assert ">\nMend the kiln.</textarea>" in text_of(response)
    assert not Adjudication.objects.exists()


def test_lead_edits_a_settled_item_once_they_have_opened_it(desk, lead):
    revision = make_revision(state=CandidateState.APPROVED)
    url = reverse("item-edit", args=[revision.candidate_id])
    assert url in text_of(desk.get(reverse("item", args=[revision.candidate_id])))
    page = text_of(desk.get(url))
    box = re.findall(r'<textarea id="(option_\w)"[^>]*>\nFix the kiln', page)[0]
    response = desk.post(url, sent_of(page, **{box: "Mend the kiln."}))
    assert response.url == reverse("item", args=[revision.candidate_id])
    assert Revision.objects.current().get().number == 2


def test_item_that_the_lead_may_still_review_is_not_open_to_edits(desk, lead):
    revision = make_revision()
    url = reverse("item-edit", args=[revision.candidate_id])
    assert desk.get(url).status_code == 303
    give_up_review(lead=lead, candidate=revision.candidate, now=timezone.now())
    assert desk.get(url).status_code == 200


def test_posted_form_shows_a_lead_no_item_at_which_they_have_a_turn(desk, lead):
    turn = make_assignment(reviewer=lead, now=timezone.now())
    url = reverse("item-edit", args=[turn.revision.candidate_id])
    response = desk.post(url, {"action": "check", "note": "My long note."})
    assert response.status_code == 409
    assert "Fix the kiln." not in text_of(response)
    assert "My long note." in text_of(response)


def test_posted_form_that_shows_an_item_leaves_its_review_to_others(desk, lead):
    revision = make_revision()
    url = reverse("item-edit", args=[revision.candidate_id])
    page = text_of(desk.post(url, {"action": "check", "note": "x"}))
    assert ">\nFix the kiln.</textarea>" in page
    assert claim_next(reviewer=lead, now=timezone.now()) is None


def test_lead_with_an_own_turn_reads_no_dispute(desk, lead):
    revision = make_revision()
    turn = make_assignment(revision=revision, reviewer=lead, now=later(-60))
    for answers in (None, rejecting(revision)):
        review_by(make_user(), revision, answers=answers)
    for name in ("dispute", "dispute-edit"):
        response = desk.get(reverse(name, args=[revision.pk]))
        assert response.status_code == 403
        assert reverse("review", args=[turn.pk]) in text_of(response)
    assert desk.get(f"/disputes/{revision.pk}/step/1/raw").status_code == 403
    page = text_of(desk.get(reverse("disputes")))
    assert "with a turn of your own" in page
    assert "Decisions differ" not in page
    Assignment.objects.filter(pk=turn.pk).update(skipped_at=timezone.now(), skip_reason="as a lead")
    assert desk.get(reverse("dispute", args=[revision.pk])).status_code == 200


def test_decision_after_an_undo_keeps_the_note_and_says_what_happened(desk):
    revision = make_revision()
    ines = make_user()
    review_by(make_user(), revision)
    review = review_by(ines, revision, answers=rejecting(revision))
    seen = reviews_seen(revision)
    Review.objects.filter(pk=review.pk).update(undone_at=timezone.now())
    revision.candidate.state = CandidateState.IN_REVIEW
    revision.candidate.save()
    form = {"seen": seen, "outcome": "approve", "note": "My long note."}
    url = reverse("dispute", args=[revision.pk])
    assert desk.get(url).status_code == 404
    response = desk.post(url, form)
    assert response.status_code == 409
    assert "My long note." in text_of(response)
    Assignment.objects.filter(pk=review.assignment_id).update(submitted_at=None)
    Assignment.objects.filter(pk=review.assignment_id).update(leased_until=timezone.now())
    review_by_again(review.assignment, revision)
    response = desk.post(url, form)
    assert response.status_code == 409
    assert "The reviews changed since you read them" in text_of(response)
    assert "My long note." in text_of(response)
    assert not Adjudication.objects.exists()


def review_by_again(turn, revision):
    """Send a review that was taken back once more: the item is in dispute again."""
    fields = {
        name: getattr(turn.reviews.get(), name)
        for name in ("well_specified", "gold_quality", "reject_reason", "is_counted")
    }
    Review.objects.create(
        assignment=turn,
        form_key="00000000-0000-0000-0000-000000000001",
        decision="reject",
        active_seconds=1,
        **fields,
    )
    revision.candidate.state = CandidateState.DISPUTED
    revision.candidate.save()


def test_findings_of_the_present_text_are_not_called_new(desk, lead):
    revision = dispute(options=("Fix it.", "Wait.", "Go.", "bad \ufffd"), findings=[Severity.NOTE])
    url = reverse("dispute-edit", args=[revision.pk])
    page = text_of(desk.get(url))
    box = re.findall(r'<textarea id="(option_\w)"[^>]*>\nFix it', page)[0]
    part = text_of(desk.post(url, sent_of(page, action="check", **{box: "Mend it."})))
    assert "Nothing new." in part
    assert "1 finding stays as before." in part
