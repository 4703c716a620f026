"""CB21: eight people at work at once, beside a writer that never rests, on one database.

Each unit is the next free task, the claim, the blind answer and the review, through the
product's services. Nobody is told that the database is locked, and no task is taken twice.
How long it takes is measured elsewhere: a time asserted here would test the machine.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import connection

from generation.services import audit
from review.models import Assignment, Review
from review.services.queue import claim_next
from tests.cases.read import case
from tests.make import NOW, blind, make_revision, make_source, make_user, submit
from tests.shared_data import needs_shared

THREADS, EACH = 8, 25
PAUSE_SECONDS = 0.05


@needs_shared
@pytest.mark.shared
def test_load_is_that_of_the_case():
    found = case("CB21")
    assert (found["input"]["threads"], found["input"]["each"]) == (THREADS, EACH)
    assert f"every {PAUSE_SECONDS * 1000:.0f} ms" in found["input"]["also"]
    assert found["expected"]["reviews"] == THREADS * EACH


@pytest.fixture
def people(transactional_db, settings):
    """The reviewers; there are exactly as many tasks as they have units to do."""
    settings.REVIEWS_WANTED = 1
    source = make_source()
    for cut in range(1, THREADS * EACH + 1):
        make_revision(source=source, cut=cut)
    return [make_user() for _ in range(THREADS)]


@pytest.fixture
def progress(people):
    """What a writer stores every 50 ms while the test runs; an error of its fails the test."""
    source, ended = make_source(), Event()
    written: list[int] = []

    def write():
        try:
            while not ended.wait(PAUSE_SECONDS):
                audit.record("source.progress", source, after=len(written))
                written.append(len(written))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(write)
        yield written
        ended.set()
        writer.result()


def test_every_task_is_claimed_once_and_two_hundred_reviews_are_stored(people, progress):
    start = Barrier(THREADS)

    def work(person):
        start.wait()
        try:
            return [unit(person) for _ in range(EACH)]
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        done = list(pool.map(work, people))
    tasks = [task for each in done for task in each]
    assert len(tasks) == len(set(tasks)) == THREADS * EACH
    assert Assignment.objects.count() == Review.objects.count() == THREADS * EACH
    assert Review.objects.filter(is_counted=True).count() == THREADS * EACH
    assert len(progress) > 1


def unit(person):
    turn = claim_next(reviewer=person, now=NOW)
    assert turn is not None
    blind(turn)
    return submit(turn).assignment.revision_id


@pytest.mark.skipif(connection.vendor != "sqlite", reason="settings of SQLite")
def test_sqlite_waits_for_writers_instead_of_failing(db):
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA busy_timeout").fetchone()[0] >= 5_000
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
