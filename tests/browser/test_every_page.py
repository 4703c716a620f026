"""Every page of the site, its database full of hostile text: nothing for axe, nothing runs.

The addresses are those of the table in ``tests/roles``: a new page is walked unasked, in both
themes, wide and narrow. ``MORE`` has what the table's objects don't show.
"""

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Error

from tests.browser.pages import faults_everywhere
from tests.hostile import (
    RUNS,
    WORDS_OF_THE_CODE,
    fill_every_text,
    mark_of,
    name_of,
    text_fields,
)
from tests.live import session_of
from tests.roles.row import PEOPLE
from tests.roles.whole_world import make_whole_world
from tests.test_roles import all_rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Of Django's own, and of programs.
_NO_PAGES = ("admin:", "api:")
NOT_WALKED = {"home": "leads to the queue", "feedback": "in MORE: an item of a qualification round"}
WALKERS = ("anonymous", "owner", "lead", "admin")
MORE = {
    "owner": (
        "/review/{judged}/",
        "/review/{written}/",
        "/review/{patches}/",
        "/review/{reports}/",
        "/review/{citation}/",
        "/review/{asked}/",
        "/review/{reviewed}/",
        "/review/{learnt}/feedback",
        "/review/{judged}/step/1/piece/1",
        "/review/{patches}/edit",
    ),
    "lead": (
        "/queue/",
        "/items/{judged item}/",
        "/items/{decided item}/",
        "/items/?state=in_review",
        "/agreement/chart",
    ),
}
# What pages are known to show, as text.
SHOWN = {
    "Control.why",
    "GuidelineVersion.note",
    "Note.text",
    "Question.text",
    "Review.comment",
}
_RAN = """
() => [
  ...[...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))),
  ...document.querySelectorAll("img:not([alt]), a[href^=javascript i], script:not([src]):not([type='application/json']), iframe, object, embed"),
].map((element) => element.outerHTML.slice(0, 200))
"""


@dataclass
class Walk:
    """What a walk over pages found: faults by address, and the fields whose text was seen."""

    faults: list[tuple[str, str, object]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def look(self, page, who: str, address: str, marks: dict[str, str]) -> None:
        """Go to an address and keep what is wrong there."""
        try:
            response = page.goto(address)
        except Error as error:
            if "Download is starting" not in str(error):
                raise
            return
        if response.status != 200:
            self.faults.append((who, address, response.status))
            return
        if "html" not in response.headers["content-type"]:
            return
        page.wait_for_load_state("load")
        self.faults += [(who, address, fault) for fault in faults_everywhere(page)]
        self.faults += [(who, address, element) for element in page.evaluate(_RAN)]
        text = page.inner_text("body")
        self.seen |= {name for name, mark in marks.items() if mark + RUNS in text}


def pages_of(world):
    """Yield who goes where: each address of the table as the first person who may read it.

    What answers 404 in the small world of the table has something to show in the hostile one.
    """
    for row in all_rows():
        statuses = dict(zip(PEOPLE, row.expected().get("GET", ()), strict=False))
        if not statuses or row.name.startswith(_NO_PAGES) or row.name in NOT_WALKED:
            continue
        may = [who for who in WALKERS if statuses[who] in (200, 404)]
        yield next((who for who in may if statuses[who] == 200), may[0]), row.path
    for who, paths in MORE.items():
        yield from ((who, path) for path in paths)


def test_every_page_holds_nothing_for_axe_and_hostile_text_is_only_text(open_page, live_server):
    world = make_whole_world()
    filled = fill_every_text()
    assert {name for name, rows in filled.items() if not rows} == set()
    marks = {name: mark_of(name) for name in filled}
    walk = Walk()
    for who in WALKERS:
        page = open_page()
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        if user := world.people[who]:
            cookie = {"name": "sessionid", "value": session_of(user), "url": live_server.url}
            page.context.add_cookies([cookie])
        paths = [path.format(**world.names) for person, path in pages_of(world) if person == who]
        for address in dict.fromkeys(paths):
            walk.look(page, who, address, marks)
    assert not walk.faults, "\n".join(map(str, walk.faults))
    assert SHOWN - walk.seen == set()


def test_words_of_the_code_are_columns():
    """What is left out of the hostile world exists; what was renamed is filled."""
    columns = {name_of(model, column) for model, column in text_fields()}
    assert set(WORDS_OF_THE_CODE) - columns == set()
