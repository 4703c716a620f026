"""Two options side by side: the reader's own labels, nothing of gold while blind."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.make import blind, make_assignment, make_completion, make_revision, make_user
from tests.review.orders import labels_of

HTMX = {"HX-Request": "true"}


@pytest.fixture
def address(turn):
    return reverse("compare", args=[turn.pk])


def shown(response):
    return [(row.left, row.right) for row in response.context["rows"]]


def test_page_shows_the_two_options_asked_for_under_the_readers_labels(member, turn, address):
    texts = {o.position: o.text for o in turn.revision.options.all()}
    labels = labels_of(turn)
    response = member.get(address, {"a": "C", "b": "B"})
    content = response.content.decode()
    assert texts[labels.position_of("C")] in content.replace("<mark>", "").replace("</mark>", "")
    assert (response.context["left"], response.context["right"]) == ("C", "B")
    assert "<html" in content
    assert "<html" not in member.get(address, headers=HTMX).content.decode()


def test_blind_reader_gets_the_first_two_and_an_open_one_gold(member, turn, address):
    context = member.get(address).context
    assert (context["left"], context["right"]) == ("A", "B")
    blind(turn, now=timezone.now())
    gold = labels_of(turn).label_at(0)
    context = member.get(address).context
    assert context["right"] == gold
    assert context["left"] != gold


@pytest.mark.parametrize("query", [{"a": "E"}, {"b": "?"}, {"a": "AA"}])
def test_label_of_no_option_is_not_found(member, address, query):
    assert member.get(address, query).status_code == 404


def test_completion_and_anothers_item_are_not_found(member, reviewer):
    written = make_assignment(revision=make_completion(), reviewer=reviewer, now=timezone.now())
    assert member.get(reverse("compare", args=[written.pk])).status_code == 404
    other = make_assignment(revision=make_revision(), reviewer=make_user(), now=timezone.now())
    assert member.get(reverse("compare", args=[other.pk])).status_code == 404


def test_hostile_text_stays_text(member, reviewer):
    options = ("<b>a</b> one", "<script>b</script> one", "c", "d")
    turn = make_assignment(
        revision=make_revision(options=options), reviewer=reviewer, now=timezone.now()
    )
    labels = labels_of(turn)
    query = {"a": labels.label_at(0), "b": labels.label_at(1)}
    content = member.get(reverse("compare", args=[turn.pk]), query, headers=HTMX).content.decode()
    assert "<script" not in content
    assert "&lt;" in content
