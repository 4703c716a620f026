"""Edits make new revisions: what is refused, what is kept, who may review what comes of them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from generation.core.items import Severity
from generation.core.records import Step
from generation.core.wording import LONGEST
from generation.models import (
    AuditEvent,
    CandidateState,
    Finding,
    Option,
    Revision,
    Source,
    SourceForm,
)
from generation.services.checks import run_checks
from generation.services.revisions import read_for_editing
from review.core.review_answers import ReviewAnswers
from review.models import Adjudication, Assignment, FindingVerdict, OptionVerdict, Review, Role
from review.services.dispute_edits import edit_dispute
from review.services.disputes import AlreadyDecided, Ruling, adjudicate
from review.services.edit_looks import look_at
from review.services.edit_reviews import Judged, edit_turn, undone_wording
from review.services.editing import (
    Edit,
    EditConflict,
    EditRefused,
    LookFirst,
    NotEditable,
    edit_item,
    note_seen,
)
from review.services.item_access import OwnTurnOpen
from review.services.queue import claim_next
from review.services.release_contents import approved_revisions, imported_revisions
from review.services.undo import UndoRefused, undo_review
from tests.make import (
    NOW,
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
    submit,
)

pytestmark = pytest.mark.django_db
WHY = "The option named two kilns, now it names one."


def editing_of(revision):
    return read_for_editing(Revision.objects.with_content().get(pk=revision.pk))


def changed(editing, **fields):
    return replace(editing.before, **fields)


def reworded(editing, text="Mend the kiln."):
    """The wording with another text of the first option."""
    return changed(editing, options=(text, *editing.before.options[1:]))


def sure(editing, wording, note=WHY):
    """An edit by somebody who has seen all that is newly found, and saves all the same."""
    digest = look_at(editing, wording).digest
    return Edit(wording, note, seen=digest, confirmed=digest)


def open_turn(revision=None, reviewer=None):
    turn = make_assignment(revision=revision, reviewer=reviewer)
    blind(turn)
    return turn


def edited(turn, wording=None, **judged):
    """The review of an edit by the turn's reviewer."""
    editing = editing_of(Revision.objects.current().get(candidate=turn.revision.candidate))
    return edit_turn(
        assignment=turn,
        editing=editing,
        edit=sure(editing, wording or reworded(editing)),
        judged=Judged(**{"well_specified": 1, "gold_quality": 0} | judged),
        form_key=uuid4(),
        now=NOW,
    )


def state_of(revision):
    revision.candidate.refresh_from_db()
    return revision.candidate.state


def test_edit_makes_the_next_revision_and_puts_it_in_review():
    turn = open_turn()
    old = turn.revision
    review = edited(turn, active_seconds=41.5)
    new = Revision.objects.current().get(candidate=old.candidate)
    old.refresh_from_db()
    assert (new.number, new.author, new.note) == (2, turn.reviewer, WHY)
    assert new.options.get(position=0).text == "Mend the kiln."
    assert old.superseded_at == NOW
    assert new.checked_at
    assert state_of(old) == CandidateState.IN_REVIEW
    assert (review.decision, review.edited_revision, review.comment) == ("edit", new, WHY)
    assert (review.well_specified, review.gold_quality, review.active_seconds) == (1, 0, 41.5)
    turn.refresh_from_db()
    assert turn.submitted_at == NOW


def test_trail_names_each_step_of_an_edit():
    turn = open_turn()
    edited(turn)
    trail = AuditEvent.objects.filter(subject="candidate").order_by("pk")
    assert [event.action for event in trail] == ["candidate.edited", "candidate.checked"]
    assert trail[0].actor == turn.reviewer
    assert AuditEvent.objects.filter(action="review.submitted", detail="edit: revision 2").exists()


def test_old_revision_and_its_reviews_stay_as_they_are():
    revision = make_revision()
    review_by(make_user(), revision)
    before = list(revision.options.values_list("text", "operator"))
    edited(open_turn(revision))
    assert list(revision.options.values_list("text", "operator")) == before
    assert Review.objects.filter(assignment__revision=revision).count() == 2


def test_unchanged_options_keep_where_they_came_from_and_changed_ones_are_edits():
    revision = make_revision()
    Option.objects.filter(revision=revision, position=2).update(model="a-model", seed=7)
    edited(open_turn(revision))
    new = Revision.objects.current().get(candidate=revision.candidate)
    rows = list(new.options.values_list("operator", "reason", "model", "seed"))
    assert rows == [
        ("edit", "", "", None),
        ("later_step", "because", "", None),
        ("later_step", "because", "a-model", 7),
        ("later_step", "because", "", None),
    ]


def test_gold_can_become_another_option():
    turn = open_turn()
    editing = editing_of(turn.revision)
    edited(turn, changed(editing, gold=("C",)))
    assert Revision.objects.current().get().gold == ["C"]


def test_accepted_texts_of_a_completion_can_be_changed_and_added():
    turn = open_turn(make_completion())
    editing = editing_of(turn.revision)
    edited(turn, changed(editing, gold=("cat part3.py | head", "head part3.py")))
    assert Revision.objects.current().get().gold == ["cat part3.py | head", "head part3.py"]


def test_built_question_stores_only_the_texts_that_differ_from_its_run():
    turn = open_turn(make_completion())
    editing = editing_of(turn.revision)
    assert set(editing.before.slots) == {"task", "thought"}
    edited(turn, changed(editing, slots={**editing.before.slots, "thought": "Now read part 3."}))
    assert Revision.objects.current().get().slots == {"thought": "Now read part 3."}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, ""),
        ({"options": ("Mend it.", "Sell it.", "Paint it.")}, "options"),
        ({"options": tuple("abcde")}, "options"),
        ({"gold": ()}, "gold"),
        ({"gold": ("A", "B")}, "gold"),
        ({"gold": ("E",)}, "gold"),
        ({"slots": {"task": " "}}, "slot_task"),
        ({"slots": {"task": "x" * (LONGEST + 1)}}, "slot_task"),
        ({"options": ("x" * (LONGEST + 1), "b", "c", "d")}, "option_0"),
    ],
)
def test_wording_that_breaks_a_rule_is_refused_with_its_field(change, field):
    turn = open_turn()
    editing = editing_of(turn.revision)
    with pytest.raises(EditRefused) as refused:
        edited(turn, changed(editing, **change))
    assert list(refused.value.problems) == [field]
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    ("gold", "field"),
    [
        ((), "gold"),
        (("ls\n```",), "gold_0"),
        (("ls -la", "ls  -la"), "gold_1"),
    ],
)
def test_accepted_texts_that_nobody_could_give_are_refused(gold, field):
    turn = open_turn(make_completion())
    editing = editing_of(turn.revision)
    with pytest.raises(EditRefused) as refused:
        edited(turn, changed(editing, gold=gold))
    assert list(refused.value.problems) == [field]


def test_edit_says_why_and_rates_what_was_there():
    turn = open_turn()
    editing = editing_of(turn.revision)
    edit = sure(editing, reworded(editing), note=" ")
    with pytest.raises(EditRefused) as refused:
        edit_turn(
            assignment=turn,
            editing=editing,
            edit=edit,
            judged=Judged(-1, 4),
            form_key=uuid4(),
            now=NOW,
        )
    assert set(refused.value.problems) == {"note", "well_specified", "gold_quality"}


def test_bad_rating_is_explained_by_the_note():
    turn = open_turn()
    editing = editing_of(turn.revision)
    with pytest.raises(EditRefused):
        edit_turn(
            assignment=turn,
            editing=editing,
            edit=sure(editing, reworded(editing), note="too short"),
            judged=Judged(3, 0),
            form_key=uuid4(),
            now=NOW,
        )
    review = edited(turn, well_specified=3)
    assert review.well_specified_why == WHY


def test_verdicts_of_the_review_page_are_stored_with_the_edit():
    turn = open_turn(make_revision(findings=[Severity.NEEDS_PERSON]))
    finding = turn.revision.findings.get()
    answers = ReviewAnswers(
        "edit",
        0,
        0,
        option_verdicts={1: "malformed"},
        finding_verdicts={finding.pk: ("confirmed", "it says so")},
    )
    edited(turn, answers=answers)
    assert OptionVerdict.objects.get().verdict == "malformed"
    assert FindingVerdict.objects.get().word == "it says so"


SEEN = "temperature is now 1234 degrees in every one of the seven chambers"


def leaky_turn():
    steps = (*make_trajectory(steps=3).steps, Step("Look.", "bash", {}, "cat log", SEEN))
    return open_turn(make_revision(steps=steps))


def test_new_leak_is_shown_before_it_is_saved():
    turn = leaky_turn()
    editing = editing_of(turn.revision)
    wording = reworded(editing, f"Mend the kiln: {SEEN}.")
    edit = Edit(wording, WHY)
    with pytest.raises(LookFirst) as first:
        edit_turn(
            assignment=turn,
            editing=editing,
            edit=edit,
            judged=Judged(0, 0),
            form_key=uuid4(),
            now=NOW,
        )
    assert {finding.kind for finding in first.value.look.new} == {"future_observation"}
    seen = replace(edit, seen=first.value.look.digest)
    edit_turn(
        assignment=turn,
        editing=editing,
        edit=seen,
        judged=Judged(0, 0),
        form_key=uuid4(),
        now=NOW,
    )
    new = Revision.objects.current().get(candidate=turn.revision.candidate)
    assert Finding.objects.get(revision=new).kind == "future_observation"


def test_new_finding_that_blocks_a_release_needs_a_second_yes():
    turn = open_turn()
    editing = editing_of(turn.revision)
    wording = reworded(editing, "Sell the kiln.")
    digest = look_at(editing, wording).digest
    assert look_at(editing, wording).blocks
    with pytest.raises(LookFirst):
        edit_turn(
            assignment=turn,
            editing=editing,
            edit=Edit(wording, WHY, seen=digest),
            judged=Judged(0, 0),
            form_key=uuid4(),
            now=NOW,
        )
    edited(turn, wording)
    new = Revision.objects.current().get()
    assert new.findings.get().kind == "duplicate_choice"


def test_finding_that_the_edit_mends_is_gone_and_one_that_stays_is_not_new():
    revision = make_revision(options=("Fix it.", "Wait.", "Wait.", "\ufffd"))
    run_checks()
    editing = editing_of(revision)
    look = look_at(editing, changed(editing, options=("Fix it.", "Wait.", "Sit.", "\ufffd")))
    assert [finding.kind for finding in look.gone] == ["duplicate_choice"]
    assert look.new == ()
    assert look.stays == 1


def test_finding_of_an_option_that_moves_up_is_not_new():
    options = ("Fix it.", "Sell it.", "Wait.", "Paint it.", "broken \ufffd")
    editing = editing_of(make_revision(options=options))
    wording = changed(editing, options=(options[0], *options[2:]))
    assert look_at(editing, wording).new == ()
    places = [f.field for f in editing.findings(wording) if f.kind == "mojibake"]
    assert places == ["option:3"]


def test_stored_findings_have_their_place_in_the_whole_prompt():
    turn = open_turn(make_completion(steps=6, cut=5))
    editing = editing_of(turn.revision)
    slots = {**editing.before.slots, "thought": "Now I run cat part3.py --all \ufffd"}
    edited(turn, changed(editing, slots=slots))
    stored = Revision.objects.current().get().findings.get(kind="mojibake")
    found = [f for f in editing.findings(changed(editing, slots=slots)) if f.kind == "mojibake"]
    assert [(f.start, f.end) for f in found] == [(stored.start, stored.end)]


def test_edit_of_an_older_revision_is_a_conflict_that_names_the_newer_one():
    revision = make_revision()
    first, second = open_turn(revision), open_turn(revision)
    stale = editing_of(revision)
    edited(first)
    with pytest.raises(EditConflict) as conflict:
        edit_turn(
            assignment=second,
            editing=stale,
            edit=sure(stale, reworded(stale, "Cool the kiln.")),
            judged=Judged(0, 0),
            form_key=uuid4(),
            now=NOW,
        )
    assert conflict.value.current == Revision.objects.current().get()
    assert Revision.objects.count() == 2


def test_edit_can_go_on_from_the_newer_text():
    revision = make_revision()
    first, second = open_turn(revision), open_turn(revision)
    edited(first)
    editing = editing_of(Revision.objects.current().get())
    review = edited(second, reworded(editing, "Cool the kiln."))
    assert review.edited_revision.number == 3
    assert Revision.objects.filter(superseded_at=None).count() == 1


def test_same_form_stores_one_edit():
    turn = open_turn()
    editing, key = editing_of(turn.revision), uuid4()
    sent = {
        "assignment": turn,
        "editing": editing,
        "edit": sure(editing, reworded(editing)),
        "judged": Judged(0, 0),
        "form_key": key,
        "now": NOW,
    }
    assert edit_turn(**sent) == edit_turn(**sent)
    assert Revision.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_same_form_sent_twice_at_once_stores_one_edit_and_both_are_told_of_it():
    turn = open_turn()
    editing, key, start = editing_of(turn.revision), uuid4(), Barrier(2)
    edit = sure(editing, reworded(editing))

    def send(_number):
        start.wait()
        try:
            return edit_turn(
                assignment=turn,
                editing=editing,
                edit=edit,
                judged=Judged(0, 0),
                form_key=key,
                now=NOW,
            ).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(send, range(2))
    assert first == second
    assert Revision.objects.count() == 2


def test_form_of_an_edit_that_was_taken_back_is_not_called_stored():
    turn = open_turn()
    editing, key = editing_of(turn.revision), uuid4()
    edit = sure(editing, reworded(editing))

    def send():
        return edit_turn(
            assignment=turn, editing=editing, edit=edit, judged=Judged(0, 0), form_key=key, now=NOW
        )

    undo_review(review=send(), reviewer=turn.reviewer, now=later(1))
    with pytest.raises(NotEditable, match="taken back"):
        send()


def test_blind_turn_and_one_that_is_over_edit_nothing():
    turn = make_assignment()
    with pytest.raises(NotEditable):
        edited(turn)
    blind(turn)
    submit(turn)
    with pytest.raises(NotEditable):
        edited(turn)
    assert Revision.objects.count() == 1


def test_settled_item_is_not_edited_by_a_late_reviewer():
    revision = make_revision()
    late = open_turn(revision)
    Assignment.objects.filter(pk=late.pk).update(leased_until=later(-1))
    for _ in range(2):
        review_by(make_user(), revision)
    with pytest.raises(NotEditable):
        edited(late)


def test_control_item_keeps_its_text_and_its_reviewer_is_not_told():
    turn = open_turn(make_revision(is_control=True))
    review = edited(turn)
    assert (review.decision, review.edited_revision) == ("edit", None)
    assert Revision.objects.count() == 1
    turn.refresh_from_db()
    assert turn.draft["wording"]["options"][0] == "Mend the kiln."


def test_author_gets_no_turn_at_the_new_text_and_others_do():
    turn = open_turn()
    edited(turn)
    assert claim_next(reviewer=turn.reviewer, now=NOW) is None
    given = claim_next(reviewer=make_user(), now=NOW)
    assert given is not None
    assert given.revision.number == 2


def test_running_turn_of_another_keeps_its_draft_and_is_given_the_new_text():
    revision = make_revision()
    first, other = open_turn(revision), open_turn(revision)
    Assignment.objects.filter(pk=other.pk).update(
        draft={"phase": "open", "fields": {"comment": ["x"]}}
    )
    edited(first)
    other.refresh_from_db()
    assert other.draft["fields"] == {"comment": ["x"]}
    assert submit(other).is_counted is False
    given = claim_next(reviewer=other.reviewer, now=NOW)
    assert given is not None
    assert given.revision.number == 2


def test_who_saw_the_newer_text_beside_an_own_edit_is_not_given_it():
    revision = make_revision()
    first, other = open_turn(revision), open_turn(revision)
    edited(first)
    new = Revision.objects.current().get()
    note_seen(reviewer=other.reviewer, revision=new, now=NOW)
    note_seen(reviewer=other.reviewer, revision=new, now=NOW)
    assert claim_next(reviewer=other.reviewer, now=NOW) is None


def test_who_has_a_blind_turn_at_a_text_is_not_shown_it():
    turn = make_assignment()
    with pytest.raises(NotEditable, match="You have a turn"):
        note_seen(reviewer=turn.reviewer, revision=turn.revision, now=NOW)
    blind(turn)
    note_seen(reviewer=turn.reviewer, revision=turn.revision, now=NOW)
    turn.refresh_from_db()
    assert turn.skipped_at is None


@pytest.mark.django_db(transaction=True)
def test_edits_at_once_make_one_revision_and_the_others_are_conflicts():
    turns = []
    for round_number in range(5):
        revision = make_revision()
        turns = [open_turn(revision) for _ in range(4)]
        editings = [editing_of(revision) for _ in turns]
        edits = [
            sure(editing, reworded(editing, f"Mend kiln {round_number}-{index}."))
            for index, editing in enumerate(editings)
        ]
        start = Barrier(len(turns))

        def edit_at_once(index, turns=turns, editings=editings, edits=edits, start=start):
            start.wait()
            try:
                review = edit_turn(
                    assignment=turns[index],
                    editing=editings[index],
                    edit=edits[index],
                    judged=Judged(0, 0),
                    form_key=uuid4(),
                    now=NOW,
                )
                return review.edited_revision.number if review.edited_revision else 0
            except EditConflict as conflict:
                return -conflict.current.number
            finally:
                connection.close()

        with ThreadPoolExecutor(len(turns)) as pool:
            found = sorted(pool.map(edit_at_once, range(len(turns))))
        assert found == [-2, -2, -2, 2]
        assert Revision.objects.filter(candidate=revision.candidate).count() == 2


# Undo


def test_undo_brings_the_text_before_back_and_opens_the_turn():
    turn = open_turn()
    review = edited(turn)
    again = undo_review(review=review, reviewer=turn.reviewer, now=later(3))
    assert Revision.objects.current().get() == turn.revision
    assert again.submitted_at is None
    assert again.leased_until > later(3)
    assert again.draft["fields"]["well_specified"] == ["1"]
    wording = undone_wording(again)
    assert wording is not None
    assert wording.options[0] == "Mend the kiln."
    assert AuditEvent.objects.filter(action="candidate.edit_undone").count() == 1


def test_undone_edit_can_be_made_again_and_undone_again():
    turn = open_turn()
    undo_review(review=edited(turn), reviewer=turn.reviewer, now=later(1))
    review = edited(turn)
    assert review.edited_revision.number == 3
    undo_review(review=review, reviewer=turn.reviewer, now=later(2))
    assert Revision.objects.current().get() == turn.revision


def test_undo_is_refused_once_somebody_is_at_the_new_text():
    turn = open_turn()
    review = edited(turn)
    claim_next(reviewer=make_user(), now=NOW)
    with pytest.raises(UndoRefused, match="Others are at the text that you wrote"):
        undo_review(review=review, reviewer=turn.reviewer, now=later(1))


def test_undo_is_refused_after_ten_minutes_and_after_a_newer_edit():
    turn = open_turn()
    review = edited(turn)
    with pytest.raises(UndoRefused, match="for 10 minutes"):
        undo_review(review=review, reviewer=turn.reviewer, now=later(10))
    lead = make_user(Role.LEAD)
    editing = editing_of(Revision.objects.current().get())
    edit_item(lead=lead, editing=editing, edit=sure(editing, reworded(editing, "Cool.")), now=NOW)
    with pytest.raises(UndoRefused, match="edited since"):
        undo_review(review=review, reviewer=turn.reviewer, now=later(1))


# Leads


def dispute(**fields):
    revision = make_revision(**fields)
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    return revision


def edit_by(lead, revision, seen=None):
    editing = editing_of(revision)
    return edit_dispute(
        lead=lead,
        editing=editing,
        edit=sure(editing, reworded(editing)),
        seen=seen or reviews_seen(revision),
        now=NOW,
    )


def test_lead_settles_a_dispute_by_an_edit():
    revision, lead = dispute(), make_user(Role.LEAD)
    decided = edit_by(lead, revision)
    assert (decided.outcome, decided.note) == ("edit", WHY)
    new = Revision.objects.current().get()
    assert (new.author, new.number) == (lead, 2)
    assert state_of(revision) == CandidateState.IN_REVIEW
    actions = AuditEvent.objects.filter(actor=lead).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["dispute.decided", "candidate.edited"]


def test_dispute_is_edited_or_decided_once():
    revision, seen = dispute(), None
    seen = reviews_seen(revision)
    edit_by(make_user(Role.LEAD), revision)
    with pytest.raises(AlreadyDecided):
        adjudicate(
            revision=revision,
            lead=make_user(Role.LEAD),
            ruling=Ruling("approve", "Gold is right."),
            seen=seen,
        )
    with pytest.raises(AlreadyDecided):
        edit_by(make_user(Role.LEAD), revision, seen=seen)
    assert Adjudication.objects.count() == 1


def test_lead_with_a_lapsed_turn_decides_nothing():
    revision, lead = make_revision(), make_user(Role.LEAD)
    turn = make_assignment(revision=revision, reviewer=lead, now=later(-60))
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    with pytest.raises(OwnTurnOpen) as own:
        edit_by(lead, revision)
    assert own.value.assignment == turn


@pytest.mark.parametrize("state", [CandidateState.APPROVED, CandidateState.REJECTED])
def test_lead_edits_a_settled_item_which_is_in_review_again(state):
    revision, lead = make_revision(state=state), make_user(Role.LEAD)
    editing = editing_of(revision)
    new = edit_item(lead=lead, editing=editing, edit=sure(editing, reworded(editing)), now=NOW)
    assert (new.author, new.number) == (lead, 2)
    assert state_of(revision) == CandidateState.IN_REVIEW


@pytest.mark.parametrize(
    "fields",
    [
        {"state": CandidateState.DRAFT},
        {"state": CandidateState.DISPUTED},
        {"state": CandidateState.APPROVED, "is_control": True},
    ],
)
def test_lead_edits_no_draft_no_dispute_and_no_control_item(fields):
    editing = editing_of(make_revision(**fields))
    with pytest.raises(NotEditable):
        edit_item(
            lead=make_user(Role.LEAD),
            editing=editing,
            edit=sure(editing, reworded(editing)),
            now=NOW,
        )
    assert Revision.objects.count() == 1


# Releases


def test_imported_set_is_frozen_as_it_came_whoever_edits_it():
    revision = make_revision(state=CandidateState.CHECKED, cut=0)
    Source.objects.update(form=SourceForm.QUESTION)
    Revision.objects.update(slots={"task": "Mend it.", "history": "none"})
    editing, lead = editing_of(revision), make_user(Role.LEAD)
    assert set(editing.before.slots) == {"task", "history"}
    edit_item(lead=lead, editing=editing, edit=sure(editing, reworded(editing)), now=NOW)
    assert list(imported_revisions([])) == [revision]
    assert list(approved_revisions([])) == []


def test_edit_of_an_approved_item_waits_for_the_next_release():
    revision = make_revision(state=CandidateState.APPROVED)
    assert list(approved_revisions([])) == [revision]
    editing = editing_of(revision)
    edit_item(
        lead=make_user(Role.LEAD),
        editing=editing,
        edit=sure(editing, reworded(editing)),
        now=NOW,
    )
    assert list(approved_revisions([])) == []
    new = Revision.objects.current().get()
    for _ in range(2):
        review_by(make_user(), new)
    assert list(approved_revisions([])) == [new]
