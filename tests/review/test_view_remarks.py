"""Notes, questions and returned edits on the pages: who sees what, and what is kept."""

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.models import CandidateState
from review.models import Assignment, Note, Question, ReturnedEdit, Role
from review.services.remarks import add_note, answer_question, ask_lead
from review.services.returns import return_to_author
from tests.make import (
    approving,
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
)
from tests.review.services.test_editing import edited

pytestmark = pytest.mark.django_db
LONG = "Is B as right as gold <b>here</b>?"


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lea")


@pytest.fixture
def desk(client, lead):
    """A client logged in as the lead."""
    client.force_login(lead, backend="review.authentication.MemberBackend")
    return client


def text_of(response):
    return response.content.decode()


def address(name, row):
    return reverse(name, args=[row.pk])


@pytest.mark.parametrize("phase", ["blind", "open"])
def test_note_is_kept_and_shown_to_its_writer_in_both_phases(member, turn, url, phase):
    if phase == "open":
        blind(turn, now=timezone.now())
    response = member.post(address("note", turn), {"note": "odd <b>wording</b>"})
    assert response.url == url
    assert "odd &lt;b&gt;wording&lt;/b&gt;" in text_of(member.get(url))


def test_note_by_htmx_brings_the_notes_alone(member, turn):
    response = member.post(address("note", turn), {"note": "odd"}, headers={"HX-Request": "true"})
    page = text_of(response)
    assert "odd" in page
    assert "<!doctype" not in page
    refused = member.post(address("note", turn), {"note": " "}, headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "Write some words first." in text_of(refused)


def test_other_reviewers_never_see_a_note_nor_its_count(member, turn, url):
    before = text_of(member.get(url))
    add_note(revision=turn.revision, author=make_user(), text="Secret so far.")
    after = text_of(member.get(url))
    assert "Secret so far." not in after
    assert len(after) == len(before)
    assert "Secret so far." not in text_of(member.get(reverse("queue")))


def test_lead_who_reviews_sees_no_notes_and_on_the_dispute_sees_them_without_names(desk, lead):
    revision = make_revision()
    turn = make_assignment(revision=revision, reviewer=lead, now=timezone.now())
    add_note(revision=revision, author=make_user(username="zoe"), text="Odd wording.")
    assert "Odd wording." not in text_of(desk.get(address("review", turn)))
    Assignment.objects.filter(pk=turn.pk).update(skipped_at=timezone.now(), skip_reason="as a lead")
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    page = text_of(desk.get(address("dispute", revision)))
    assert "Odd wording." in page
    assert "zoe" not in page


@pytest.mark.parametrize(
    ("name", "field"), [("note", "note"), ("ask", "question"), ("give-back", "comment")]
)
def test_refused_remark_keeps_what_was_typed(member, turn, name, field):
    response = member.post(address(name, turn), {field: "x" * 5_001})
    assert response.status_code == 422
    assert "x" * 5_001 in text_of(response)


@pytest.mark.parametrize("name", ["note", "ask", "go-on", "give-back"])
def test_others_turns_are_not_found(member, name):
    theirs = make_assignment(now=timezone.now())
    assert member.post(address(name, theirs), {"note": "x", "question": "x"}).status_code == 404
    assert not Note.objects.exists()
    assert not Question.objects.exists()


def test_question_parks_the_item_and_offers_the_next(member, turn, url, reviewer):
    following = make_revision()
    response = member.post(address("ask", turn), {"question": LONG})
    given = Assignment.objects.get(revision=following)
    assert response.url == address("review", given)
    page = text_of(member.get(url))
    assert "waits for a lead" in page
    assert "as gold &lt;b&gt;here&lt;/b&gt;?" in page
    assert member.post(url, {"phase": "blind"}).url == url
    assert "waits for an answer" in text_of(member.get(reverse("queue")))


def test_answer_is_in_the_list_until_it_is_read_on_the_item(member, turn, url, lead):
    question = ask_lead(assignment=turn, text=LONG, now=timezone.now())
    answer_question(
        question=question, lead=lead, answer="No.", is_example=False, now=timezone.now()
    )
    home = text_of(member.get(reverse("queue")))
    assert "answered:" in home
    assert "lea" not in home.replace("release", "").replace("lead", "").replace("leaves", "")
    page = text_of(member.get(url))
    assert "A lead answers" in page
    assert "No." in page
    question.refresh_from_db()
    assert question.seen_at
    assert "answered:" not in text_of(member.get(reverse("queue")))
    assert "No." in text_of(member.get(url))


def test_parked_item_can_be_gone_on_with(member, turn, url):
    ask_lead(assignment=turn, text=LONG, now=timezone.now())
    assert member.post(address("go-on", turn)).url == url
    assert "No lead has answered yet." in text_of(member.get(url))
    assert member.post(address("go-on", turn)).url == url


def test_leads_pages_of_questions_are_not_for_annotators(member):
    question = ask_lead(assignment=make_assignment(), text=LONG, now=timezone.now())
    assert member.get(reverse("lead-questions")).status_code == 403
    assert member.get(address("lead-question", question)).status_code == 403
    assert member.get(f"/questions/{question.pk}/step/1/raw").status_code == 403


def test_list_of_questions_is_filtered_and_costs_four_queries(desk, django_assert_num_queries):
    assert "No question waits" in text_of(desk.get(reverse("lead-questions")))
    plan = ask_lead(assignment=make_assignment(), text="Which plan?", now=timezone.now())
    ask_lead(
        assignment=make_assignment(revision=make_completion()),
        text="Which command?",
        now=timezone.now(),
    )
    with django_assert_num_queries(6):  # session, user, counts by subtask, own turns, count, page
        page = text_of(desk.get(reverse("lead-questions")))
    assert "2 questions wait" in page
    page = text_of(desk.get(reverse("lead-questions"), {"subtask": "issue_fix_plan"}))
    assert "Which plan?" in page
    assert "Which command?" not in page
    answer_question(
        question=plan,
        lead=make_user(Role.LEAD, username="tom"),
        answer="The first.",
        is_example=True,
        now=timezone.now(),
    )
    page = text_of(desk.get(reverse("lead-questions"), {"state": "answered"}))
    assert "The first." in page
    assert "tom" in page
    assert "Which command?" not in page


def test_lead_answers_with_the_item_in_view_and_names_nobody(desk):
    turn = make_assignment(reviewer=make_user(username="zoe"), now=timezone.now())
    review_by(make_user(), turn.revision, answers=approving(turn.revision, comment="Secret."))
    blind(turn, now=timezone.now())
    question = ask_lead(assignment=turn, text=LONG, now=timezone.now())
    page = text_of(desk.get(address("lead-question", question)))
    for words in ("as gold &lt;b&gt;here", "Fix the kiln.", "Look at part 2"):
        assert words in page
    # Until the lead leaves the item to others, gold would bias a review of theirs.
    assert "✓ gold" not in page
    assert "Gold is shown once you leave the review" in page
    assert desk.post(reverse("item", args=[turn.revision.candidate_id])).status_code == 303
    page = text_of(desk.get(address("lead-question", question)))
    assert "✓ gold" in page
    assert "zoe" not in page
    assert "Secret." not in page
    assert desk.get(f"/questions/{question.pk}/step/1/raw").status_code == 200
    form = {"answer": "No: B comes later.", "is_example": "on"}
    assert desk.post(address("lead-question", question), form).url == reverse("lead-questions")
    question.refresh_from_db()
    assert (question.answer, question.is_example) == ("No: B comes later.", True)
    assert desk.post(address("lead-question", question), {}).status_code == 303
    question.refresh_from_db()
    assert question.is_example is False


@pytest.mark.parametrize("make", [make_revision, make_completion])
def test_gold_is_not_shown_where_the_reviewer_had_not_seen_it(desk, make):
    turn = make_assignment(revision=make(), now=timezone.now())
    question = ask_lead(assignment=turn, text=LONG, now=timezone.now())
    page = text_of(desk.get(address("lead-question", question)))
    assert "✓ gold" not in page
    assert "is-gold" not in page
    assert "<h3>Gold</h3>" not in page
    assert "cat part3.py" not in page


def test_second_answer_is_told_of_the_first_and_keeps_its_words(desk):
    question = ask_lead(assignment=make_assignment(), text=LONG, now=timezone.now())
    answer_question(
        question=question,
        lead=make_user(Role.LEAD),
        answer="The first.",
        is_example=False,
        now=timezone.now(),
    )
    response = desk.post(address("lead-question", question), {"answer": "Mine."})
    assert response.status_code == 409
    assert "Mine." in text_of(response)
    assert "The first." in text_of(response)


def test_lead_with_an_own_turn_reads_nothing_of_a_question(desk, lead):
    revision = make_revision()
    make_assignment(revision=revision, reviewer=lead, now=timezone.now())
    turn = make_assignment(revision=revision, now=timezone.now())
    blind(turn, now=timezone.now())
    question = ask_lead(assignment=turn, text=LONG, now=timezone.now())
    page = text_of(desk.get(address("lead-question", question)))
    assert "submit your review or skip it first" in page
    assert "Fix the kiln." not in page
    assert "as right as gold" not in page
    listed = text_of(desk.get(reverse("lead-questions")))
    assert "submit your review or skip it first" in listed
    assert "as right as gold" not in listed
    assert desk.get(f"/questions/{question.pk}/step/1/raw").status_code == 403
    assert desk.post(address("lead-question", question), {"answer": "No."}).status_code == 409
    answer_question(
        question=question,
        lead=make_user(Role.LEAD),
        answer="B is wrong.",
        is_example=False,
        now=timezone.now(),
    )
    pages = [address("lead-question", question), reverse("lead-questions") + "?state=answered"]
    for page in map(text_of, map(desk.get, pages)):
        for words in ("as right as gold", "B is wrong.", "Fix the kiln.", "is-gold"):
            assert words not in page
    assert desk.get(f"/questions/{question.pk}/step/1/raw").status_code == 403


# Edits that come back


@pytest.fixture
def edit_of_mine(reviewer):
    """An edit of the logged-in person that a reviewer gave back."""
    turn = make_assignment(reviewer=reviewer, now=timezone.now())
    blind(turn, now=timezone.now())
    new = edited(turn).edited_revision
    judge = make_assignment(revision=new, reviewer=make_user(username="zoe"), now=timezone.now())
    blind(judge, now=timezone.now())
    return return_to_author(assignment=judge, comment="Which kiln?", now=timezone.now())


def test_reviewer_gives_an_edit_back_without_being_told_whose_it_is(member, reviewer):
    revision = make_revision(author=make_user(username="zoe"))
    turn = make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())
    assert "give-back" not in text_of(member.get(address("review", turn)))
    blind(turn, now=timezone.now())
    page = text_of(member.get(address("review", turn)))
    assert 'id="give-back"' in page
    assert "zoe" not in page
    response = member.post(address("give-back", turn), {"comment": "Which kiln?"})
    assert response.status_code == 303
    assert ReturnedEdit.objects.get().comment == "Which kiln?"
    assert "zoe" not in text_of(member.get(address("review", turn)))


def test_text_that_nobody_edited_is_given_back_to_nobody(member, turn):
    blind(turn, now=timezone.now())
    assert 'id="give-back"' not in text_of(member.get(address("review", turn)))


def test_author_sees_the_comment_and_what_they_had_changed_and_no_name(member, edit_of_mine):
    home = text_of(member.get(reverse("queue")))
    assert "Returned to you" in home
    assert "Which kiln?" in home
    page = text_of(member.get(address("returned", edit_of_mine)))
    assert "Which kiln?" in page
    assert "<del>Fix</del><ins>Mend</ins>" in page
    assert "zoe" not in page + home


def test_author_lets_the_edit_stand(member, edit_of_mine):
    assert member.post(address("returned", edit_of_mine)).url == reverse("queue")
    candidate = edit_of_mine.revision.candidate
    candidate.refresh_from_db()
    assert candidate.state == CandidateState.IN_REVIEW
    assert member.get(address("returned", edit_of_mine)).status_code == 404
    assert member.get(address("returned-edit", edit_of_mine)).url == reverse("queue")
    assert "Returned to you" not in text_of(member.get(reverse("queue")))


def test_author_edits_again_from_the_page(member, edit_of_mine):
    page = text_of(member.get(address("returned-edit", edit_of_mine)))
    assert ">\nMend the kiln.</textarea>" in page
    assert "Before your edit" not in page


def test_pages_of_anothers_return_are_not_found(desk, edit_of_mine):
    assert desk.get(address("returned", edit_of_mine)).status_code == 404
    assert desk.post(address("returned", edit_of_mine)).status_code == 404
    assert desk.get(address("returned-edit", edit_of_mine)).status_code == 404


def test_turn_on_a_text_that_was_edited_meanwhile_says_so_and_keeps_its_work(member, turn, url):
    blind(turn, now=timezone.now())
    member.post(reverse("draft", args=[turn.pk]), {"phase": "open", "comment": "My long comment."})
    other = make_assignment(revision=turn.revision, now=timezone.now())
    blind(other, now=timezone.now())
    edited(other)
    page = text_of(member.get(url))
    assert "Somebody edited this question meanwhile" in page
    assert "My long comment." in page
    assert "Edited while you were at it" in text_of(member.get(reverse("queue")))
