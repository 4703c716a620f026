"""The agreement page shows the numbers of the command, as they were computed, to leads alone."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from review.models import Measurement, Project, Review, Role
from review.services.measurements import ask_for, compute, is_stale, measurement, part_of, waiting
from tests.commands import run_json
from tests.make import later, make_revision, make_user, rejecting, review_by

pytestmark = pytest.mark.django_db
PAGE = "/agreement/"


@pytest.fixture
def desk(client):
    client.force_login(
        make_user(Role.LEAD, username="lea"), backend="review.authentication.MemberBackend"
    )
    return client


@pytest.fixture
def reviewed():
    """Eight items reviewed by two people, who differ on two."""
    ines, tomas = make_user(username="ines"), make_user(username="tomas")
    revisions = [make_revision() for _ in range(8)]
    for number, revision in enumerate(revisions):
        review_by(ines, revision)
        answers = rejecting(revision) if number < 2 else None
        review_by(tomas, revision, answers=answers, right=number != 3)
    return revisions


def test_annotators_are_refused(client):
    client.force_login(make_user(), backend="review.authentication.MemberBackend")
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE).status_code == 403
    assert client.get(reverse("raw-table", args=["csv"])).status_code == 403


def test_page_says_when_there_is_nothing_to_measure(desk):
    assert "No labels yet" in desk.get(PAGE).content.decode()


def test_numbers_on_the_page_are_those_of_the_command(desk, reviewed):
    assert desk.post(PAGE).status_code == 303
    told = run_json("agreement")
    stored = Measurement.objects.get(name="agreement").data["whole"]
    for measure, numbers in told.items():
        shown = {key: stored[measure][key] for key in numbers if key not in {"pairs", "warnings"}}
        assert shown == {key: numbers[key] for key in shown}
    page = desk.get(PAGE, {"measure": "decision"}).content.decode()
    assert f"{told['decision']['alpha']['value']:.2f}" in page
    assert f"{told['decision']['raw']:.2f}" in page


def test_page_costs_a_fixed_number_of_queries(desk, reviewed, django_assert_num_queries):
    desk.post(PAGE)
    # session, user, the row, the groups, its source (2), the people's pages, what may be opened
    with django_assert_num_queries(8):
        desk.get(PAGE, {"measure": "decision", "by": "reviewer"})
    with django_assert_num_queries(9):  # and the group that is opened
        desk.get(PAGE, {"measure": "decision", "by": "reviewer", "group": "ines"})


def test_pairs_of_a_group_come_with_the_group_alone(desk, reviewed):
    desk.post(PAGE)
    row = Measurement.objects.get(name="agreement")
    assert "by" not in row.data
    groups = part_of(row, "reviewer")
    assert groups["ines"]["decision"]["pairs"] == []
    place = list(groups).index("ines")
    assert len(part_of(row, f"reviewer/{place}")["decision"]["pairs"]) == 1


def test_new_result_replaces_all_parts_of_the_one_before(desk, reviewed):
    desk.post(PAGE)
    old = Measurement.objects.get(name="agreement")
    names = set(Measurement.objects.values_list("name", flat=True))
    desk.post(PAGE)
    assert set(Measurement.objects.values_list("name", flat=True)) == names
    assert part_of(old, "reviewer") == {}
    assert part_of(Measurement.objects.get(name="agreement"), "reviewer")


def test_result_is_old_once_a_review_is_taken_back(desk, reviewed):
    desk.post(PAGE)
    row = Measurement.objects.get(name="agreement")
    assert not is_stale(row)
    Review.objects.filter(pk=Review.objects.latest("pk").pk).update(undone_at=timezone.now())
    assert is_stale(row)


def test_worst_items_lead_to_their_pages(desk, reviewed):
    desk.post(PAGE)
    page = desk.get(PAGE, {"measure": "decision", "group": "issue_fix_plan"}).content.decode()
    for revision in reviewed[:2]:
        assert reverse("item", args=[revision.candidate_id]) in page
    assert reverse("item", args=[reviewed[5].candidate_id]) not in page


def test_numbers_lead_to_the_items_behind_them(desk, reviewed):
    """The address that a number has finds as many items as the number says."""
    desk.post(PAGE)
    page = desk.get(PAGE, {"measure": "decision", "by": "reviewer"}).content.decode()
    ines = User.objects.get(username="ines").profile
    assert reverse("reviewer", args=[ines.pk]) in page
    for address, n in (
        ("?reviewed=yes&control=no", 8),
        ("?reviewed=yes&control=no&reviewer=tomas", 8),
        ("?reviewed=yes&control=no&decision=reject", 2),
        ("?reviewed=yes&control=no&reviewer=ines&also=tomas", 8),
        ("?control=no&reviewer=tomas&confidence=4", 8),
    ):
        assert f'"/items/{escape(address)}"' in page, address
        assert desk.get(f"/items/{address}").context["n"] == n
    week = f"{timezone.now():%G-W%V}"
    page = desk.get(PAGE, {"measure": "decision", "by": "week"}).content.decode()
    assert f"control=no&amp;week={week}" in page
    assert desk.get(f"/items/?reviewed=yes&control=no&week={week}").context["n"] == 8


def test_lead_reads_no_row_of_an_item_that_they_may_still_review(desk):
    """Three are wanted of the plan: two differ, the third may be the lead."""
    Project.objects.create(pk=1, overlap={"issue_fix_plan": 3})
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    desk.post(PAGE)

    def shown():
        page = desk.get(PAGE, {"measure": "decision"}).content.decode()
        rows = b"".join(desk.get(reverse("raw-table", args=["jsonl"])).streaming_content)
        table = b"".join(desk.get(reverse("raw-table", args=["csv"])).streaming_content)
        return reverse("item", args=[revision.candidate_id]) in page, bool(rows), table.count(b"\n")

    assert shown() == (False, False, 1)
    desk.post(reverse("item", args=[revision.candidate_id]))
    on_page, has_rows, lines = shown()
    assert (on_page, has_rows) == (True, True)
    assert lines > 10


def test_unknown_choices_fall_back_and_an_unknown_group_is_not_found(desk, reviewed):
    desk.post(PAGE)
    assert desk.get(PAGE, {"measure": "nonsense", "by": "nothing"}).status_code == 200
    assert desk.get(PAGE, {"group": "nonsense"}).status_code == 404


def test_page_says_that_reviews_came_since(desk, reviewed):
    desk.post(PAGE)
    assert "has changed since" not in desk.get(PAGE).content.decode()
    review_by(make_user(), make_revision())
    assert "has changed since" in desk.get(PAGE).content.decode()


def test_many_reviews_are_left_to_the_worker_and_the_page_shows_how_far_it_is(
    desk, reviewed, monkeypatch
):
    monkeypatch.setattr("review.views.measured.AT_ONCE", 3)
    desk.post(PAGE)
    Measurement.objects.update(done=3, total=12)
    page = desk.get(PAGE).content.decode()
    assert "3 of 12 parts" in page
    assert 'hx-trigger="every 2s"' in page
    assert waiting() == ["agreement"]
    assert compute("agreement")
    assert not compute("agreement"), "it is asked for once"
    assert "every 2s" not in desk.get(PAGE).content.decode()


def test_a_run_that_died_is_taken_up_when_its_lease_ends(reviewed):
    now = timezone.now()
    ask_for(name="agreement", actor=None, now=now)
    Measurement.objects.update(leased_until=now + (later(5) - later(0)))
    assert not compute("agreement")
    assert waiting() == []
    Measurement.objects.update(leased_until=now)
    assert waiting() == ["agreement"]
    assert compute("agreement")
    assert not is_stale(measurement("agreement"))


def test_raw_table_comes_as_csv_and_json_lines(desk, reviewed):
    lines = b"".join(desk.get(reverse("raw-table", args=["jsonl"])).streaming_content)
    rows = [json.loads(line) for line in lines.splitlines()]
    assert {row["reviewer"].split("-")[0] for row in rows} == {"reviewer"}
    table = b"".join(desk.get(reverse("raw-table", args=["csv"])).streaming_content).decode()
    assert len(table.splitlines()) == len(rows) + 1
    assert desk.get("/agreement/reviews.xlsx").status_code == 404
