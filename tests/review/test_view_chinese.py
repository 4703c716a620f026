"""Every page in Chinese: no English word of the interface is left, and the switch works."""

from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone, translation

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import Candidate, CandidateState
from review.models import BulkAction, BulkKind, Release, Role, Scope
from review.services.bulk_actions import ask_for_undo, begin, run
from review.services.controls import make_control
from review.services.editing import note_seen
from review.services.guidelines import save_version
from review.services.invitations import invite
from review.services.measurements import COMPUTATIONS, ask_for, compute
from review.services.remarks import add_note, answer_question, ask_lead
from review.services.returns import return_to_author
from review.services.tokens import make_token
from tests.commands import run_json
from tests.make import (
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_source,
    make_user,
    rejecting,
    review_by,
    submit,
)
from tests.roles.world import make_jobs, make_runs
from tests.translation.latin import english_in

pytestmark = pytest.mark.django_db

CHINESE = {"accept-language": "zh-CN,zh;q=0.9,en;q=0.5"}
EVERY_FINDING = [
    Severity.BLOCKS_RELEASE,
    Severity.NEEDS_PERSON,
    Severity.NOTE,
    Severity.INFORMATION,
]


@pytest.fixture(autouse=True)
def _english_again():
    """The client's requests run in this thread, which would go on in their language."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


class World:
    """Rows for every page: items in all states, people, remarks, results."""

    def __init__(self):
        now = timezone.now()
        self.lead = make_user(Role.LEAD, username="李负责")
        self.admin = make_user(Role.ADMIN, username="管理员甲")
        self.ann = make_user(username="安然")
        ben, eve = make_user(username="贝宁"), make_user(username="艾芙")
        self.disputed = make_revision(findings=EVERY_FINDING, success=Success.UNCONFIRMED)
        review_by(ben, self.disputed, right=False)
        review_by(
            eve,
            self.disputed,
            answers=rejecting(
                self.disputed,
                gold_quality=2,
                gold_quality_why="有两个选项都是正确的，不能算是只有唯一答案的题目",
                comment="不行",
            ),
        )
        self.settled = make_revision()
        review_by(ben, self.settled)
        review_by(eve, self.settled)
        note_seen(reviewer=self.lead, revision=self.settled, now=now)
        submitted = make_assignment(revision=make_revision(), reviewer=self.ann, now=now)
        blind(submitted, now=now)
        submit(submitted, now=now)
        self.submitted = submitted
        self.run, _stopped = make_runs()
        self.jobs = make_jobs(self.lead)
        self.turn = make_assignment(
            revision=make_revision(findings=EVERY_FINDING), reviewer=self.ann, now=now
        )
        self.open = make_assignment(
            revision=make_revision(findings=EVERY_FINDING, success=Success.UNCONFIRMED),
            reviewer=self.ann,
            now=now,
        )
        blind(self.open, right=False, now=now)
        self.written = make_assignment(
            revision=make_completion(findings=EVERY_FINDING), reviewer=self.ann, now=now
        )
        self.judged = make_assignment(
            revision=make_completion(subtask="closed_answer_en", gold="Telm"),
            reviewer=self.ann,
            now=now,
        )
        blind(self.judged, right=False, now=now)
        self.parked = make_assignment(reviewer=self.ann, now=now)
        self.question = ask_lead(assignment=self.parked, text="这样对吗？", now=now)
        asked = ask_lead(
            assignment=make_assignment(reviewer=self.ann, now=now), text="那这个呢？", now=now
        )
        answer_question(question=asked, lead=self.lead, answer="对", is_example=True, now=now)
        add_note(revision=self.open.revision, author=self.ann, text="一条备注")
        edited = make_revision(author=self.ann)
        given = make_assignment(revision=edited, reviewer=ben, now=now)
        blind(given, now=now)
        self.returned = return_to_author(assignment=given, comment="请再看看", now=now)
        control = make_revision(state=CandidateState.APPROVED)
        make_control(
            lead=self.lead,
            candidate=control.candidate,
            use="queue",
            decision="approve",
            why="指南就是这么说的",
            now=now,
        )
        self.secret = invite(actor=self.admin, role=Role.ANNOTATOR, note="给小艾", now=now)[1]
        make_token(user=self.ann, name="我的", scopes=[Scope.READ], days=9, now=now)
        save_version(language="en", body="# Guidelines", note="开头", based_on=0, actor=self.lead)
        Release.objects.create(
            name="评测",
            version="1.0",
            frozen_at=now,
            validation="reviewed",
            shots=3,
            code_version="0.1",
            digest="0" * 64,
            canary="canary",
        )
        for kind in (BulkKind.WITHDRAW, BulkKind.REJECT, BulkKind.GIVE):
            bulk = begin(
                lead=self.lead,
                kind=kind,
                rows=Candidate.objects.all(),
                expected=Candidate.objects.count(),
                asked={"note": "不再需要", "reason": "leak", "to": "all"},
                form_key=uuid4(),
            )
            run(bulk.pk)
            ask_for_undo(bulk=bulk, lead=self.lead, now=now)
            run(bulk.pk)
        for name in COMPUTATIONS:
            ask_for(name=name, actor=self.lead, now=now)
            compute(name)


@pytest.fixture
def world():
    return World()


def addresses(world):
    """Return, by the name of its address, who looks at which pages."""
    ann, lead, admin = world.ann, world.lead, world.admin
    item = world.disputed.candidate_id
    turns = [world.turn, world.open, world.written, world.judged, world.submitted, world.parked]
    return {
        "login": [(None, reverse("login"))],
        "kept-text": [(ann, reverse("kept-text"))],
        "invitation": [
            (None, reverse("invitation", args=[world.secret])),
            (ann, reverse("invitation", args=[world.secret])),
            (None, reverse("invitation", args=["nothing"])),
        ],
        "queue": [(ann, reverse("queue")), (lead, reverse("queue")), (admin, reverse("queue"))],
        "review": [
            *((ann, reverse("review", args=[turn.pk])) for turn in turns),
            (ann, reverse("review", args=[world.open.pk]) + "?q=kiln"),
            (ann, reverse("review", args=[world.open.pk]) + "?q=" + "x" * 2000),
        ],
        "feedback": [],
        "edit": [(ann, reverse("edit", args=[world.open.pk]))],
        "note": [],
        "ask": [],
        "give-back": [],
        "compare": [(ann, reverse("compare", args=[world.open.pk]))],
        "agreement": [
            (lead, reverse("agreement")),
            (lead, reverse("agreement") + "?measure=decision&by=subtask"),
        ],
        "progress": [(lead, reverse("progress"))],
        "learning": [(lead, reverse("learning"))],
        "reviewers": [(lead, reverse("reviewers"))],
        "reviewer": [
            (ann, reverse("reviewer", args=[ann.profile.pk])),
            (lead, reverse("reviewer", args=[ann.profile.pk])),
        ],
        "items": [
            (lead, reverse("items")),
            (lead, reverse("items") + "?state=disputed&severity=3"),
            (lead, reverse("items") + "?nothing=1"),
        ],
        "bulk-actions": [(lead, reverse("bulk-actions"))],
        "bulk-new": [
            (lead, reverse("bulk-new") + f"?do={kind}&all=1&bulk-to=all") for kind in BulkKind
        ],
        "bulk-action": [
            (lead, reverse("bulk-action", args=[bulk.pk])) for bulk in BulkAction.objects.all()
        ],
        "item": [
            (lead, reverse("item", args=[pk]))
            for pk in (item, world.settled.candidate_id, world.turn.revision.candidate_id)
        ],
        "item-edit": [(lead, reverse("item-edit", args=[world.settled.candidate_id]))],
        "disputes": [(lead, reverse("disputes"))],
        "dispute": [(lead, reverse("dispute", args=[world.disputed.pk]))],
        "dispute-edit": [(lead, reverse("dispute-edit", args=[world.disputed.pk]))],
        "lead-questions": [
            (lead, reverse("lead-questions")),
            (lead, reverse("lead-questions") + "?answered=1"),
        ],
        "lead-question": [(lead, reverse("lead-question", args=[world.question.pk]))],
        "returned": [(ann, reverse("returned", args=[world.returned.pk]))],
        "returned-edit": [(ann, reverse("returned-edit", args=[world.returned.pk]))],
        "tokens": [(ann, reverse("tokens"))],
        "guidelines": [(ann, reverse("guidelines")), (lead, reverse("guidelines"))],
        "guidelines-edit": [(lead, reverse("guidelines-edit"))],
        "guidelines-history": [(lead, reverse("guidelines-history") + "?language=en")],
        "generation": [(lead, reverse("generation"))],
        "generation-run": [(lead, reverse("generation-run", args=[world.run.pk]))],
        "generation-call": [(lead, reverse("generation-call", args=[world.run.calls.get().pk]))],
        "imports": [(lead, reverse("imports"))],
        "import": [(lead, reverse("import", args=[job.pk])) for job in world.jobs],
        "build": [],
        "people": [(admin, reverse("people"))],
        "person": [(admin, reverse("person", args=[ann.pk]))],
        "invitations": [(admin, reverse("invitations"))],
        "account": [(ann, reverse("account"))],
        "project": [(admin, reverse("project"))],
        "controls": [(admin, reverse("controls"))],
    }


# Addresses that give no page of words: files, pieces of a source, what only takes a form.
NO_PAGES = frozenset(
    [
        "home",
        "logout",
        "language",
        "health",
        "ready",
        "next-item",
        "draft",
        "lease",
        "skip",
        "undo",
        "go-on",
        "what-follows",
        "step-piece",
        "step-raw",
        "section-piece",
        "section-raw",
        "colours",
        "agreement-chart",
        "raw-table",
        "items-file",
        "item-step-piece",
        "item-step-raw",
        "item-section-piece",
        "item-section-raw",
        "dispute-return",
        "dispute-step-piece",
        "dispute-step-raw",
        "dispute-section-piece",
        "dispute-section-raw",
        "lead-question-step-piece",
        "lead-question-step-raw",
        "lead-question-section-piece",
        "lead-question-section-raw",
        "import-stop",
        "import-resume",
        "import-left-out",
        "generation-stop",
        "generation-resume",
        "token-revoke",
        "guidelines-restore",
        "person-further",
        "item-give",
        "bulk-undo",
        "person-skills",
        "person-vouch",
        "person-role",
        "person-deactivate",
        "person-reactivate",
        "person-withdraw",
        "invitation-revoke",
        "account-password",
        "account-languages",
        "account-sign-out",
        "control-retire",
    ]
)


def names_of_addresses():
    found = set()
    for entry in get_resolver().url_patterns:
        if isinstance(entry, URLResolver) and not entry.namespace and not str(entry.pattern):
            found |= {each.name for each in entry.url_patterns if isinstance(each, URLPattern)}
    return found


def test_no_page_has_an_english_word_left_in_chinese(client, world):
    by_name = addresses(world)
    assert names_of_addresses() == set(by_name) | NO_PAGES
    left: dict[str, list[str]] = {}
    for person, address in (each for some in by_name.values() for each in some):
        client.logout()
        if person:
            client.force_login(person)
        response = client.get(address, headers=CHINESE)
        page = response.content.decode()
        assert response.status_code in {200, 404, 410}, (address, response.status_code)
        assert '<html lang="zh-hans">' in page, address
        if found := english_in(page):
            left[f"{person} {address}"] = found
    assert left == {}, "\n".join(f"{at}\n   " + "\n   ".join(of) for at, of in left.items())


class Forms(HTMLParser):
    """The forms of a page that send something: address, and what stands in their fields."""

    def __init__(self):
        super().__init__()
        self.found = []
        self._open = None

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form" and given.get("method") == "post":
            self._open = (given.get("action", ""), {})
            self.found.append(self._open)
        elif self._open and given.get("name") and tag in {"input", "button", "textarea", "select"}:
            is_off = given.get("type") in {"radio", "checkbox"} and "checked" not in given
            if not is_off:
                self._open[1][given["name"]] = given.get("value") or ""

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None


def test_no_answer_to_a_form_that_is_sent_as_it_stands_is_in_english(client, world):
    left: dict[str, list[str]] = {}
    sent = 0
    for person, address in (each for some in addresses(world).values() for each in some):
        client.logout()
        if person:
            client.force_login(person)
        forms = Forms()
        forms.feed(client.get(address, headers=CHINESE).content.decode())
        for action, fields in forms.found:
            if action in {reverse("language"), reverse("logout")}:
                continue
            sent += 1
            with transaction.atomic():
                response = client.post(
                    action or address,
                    fields,
                    headers=CHINESE | {"referer": f"http://testserver{address}"},
                )
                if response.status_code in {302, 303}:
                    response = client.get(response["Location"], headers=CHINESE)
                transaction.set_rollback(True)
            page = response.content.decode()
            if "<html" in page and (found := english_in(page)):
                left[f"{person} {address} {action} {response.status_code}"] = found
    assert sent > 40
    assert left == {}, "\n".join(f"{at}\n   " + "\n   ".join(of) for at, of in left.items())


def test_pages_that_say_what_went_wrong_are_in_chinese(client, world):
    client.force_login(world.ann)
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(world.ann)
    for status, response in (
        (404, client.get("/nothing/here/", headers=CHINESE)),
        (403, client.get(reverse("disputes"), headers=CHINESE)),
        (403, careful.post(reverse("next-item"), {"typed": "文字" * 20}, headers=CHINESE)),
    ):
        assert response.status_code == status
        assert english_in(response.content.decode()) == []
    with translation.override("zh-hans"):
        for name in ("500.html", "registration/locked.html"):
            page = render_to_string(name)
            assert "<html" in page
            assert english_in(page) == []


def test_the_switch_keeps_the_page_and_needs_no_login(client):
    page = client.get(reverse("login"), {"next": "/disputes/?kind=run"}).content.decode()
    assert '<html lang="en">' in page
    assert (
        '<button type="submit" name="language" value="zh-hans" class="quiet" lang="zh-Hans">'
        in page
    )
    sent = {"language": "zh-hans", "next": "/login/?next=/disputes/"}
    response = client.post(reverse("language"), sent)
    assert (response.status_code, response["Location"]) == (302, "/login/?next=/disputes/")
    cookie = response.cookies["django_language"]
    assert cookie.value == "zh-hans"
    assert cookie["max-age"] == 365 * 24 * 3600
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    page = client.get(reverse("login")).content.decode()
    assert '<html lang="zh-hans">' in page
    assert '<button type="submit" name="language" value="en" class="quiet" lang="en">' in page


def test_a_chosen_language_outweighs_the_browser_s(client):
    client.post(reverse("language"), {"language": "en"})
    assert '<html lang="en">' in client.get(reverse("login"), headers=CHINESE).content.decode()


def test_a_refused_form_goes_back_to_the_page_that_it_was_on(client, member, url):
    response = member.post(url, {"phase": "blind"}, headers={"referer": f"http://testserver{url}"})
    assert f'name="next" value="http://testserver{url}"' in response.content.decode()


@pytest.mark.parametrize(
    "asked", ["zh-CN", "zh", "zh-Hans-CN,en;q=0.3", "zh-TW;q=0.9,fr", "fr;q=0.9,zh-SG;q=0.8"]
)
def test_who_asks_for_chinese_gets_it(client, asked):
    page = client.get(reverse("login"), headers={"accept-language": asked}).content.decode()
    assert '<html lang="zh-hans">' in page


@pytest.mark.parametrize("asked", ["fr,de;q=0.5", "", "en-GB,zh;q=0.3", "x" * 5000])
def test_others_get_english(client, asked):
    page = client.get(reverse("login"), headers={"accept-language": asked}).content.decode()
    assert '<html lang="en">' in page


def test_a_language_that_there_is_not_is_refused_by_name(client):
    response = client.post(reverse("language"), {"language": "tlh"})
    assert response.status_code == 400
    assert "tlh" in response.content.decode()
    assert client.get(reverse("language")).status_code == 405


def test_the_switch_leads_to_no_other_site(client):
    sent = {"language": "en", "next": "https://example.org/"}
    assert client.post(reverse("language"), sent)["Location"] == "/"


def test_caches_keep_the_languages_apart(client, member, url):
    for response in (client.get(reverse("login")), member.get(url), member.get(reverse("queue"))):
        vary = {word.strip() for word in response["Vary"].split(",")}
        assert {"Accept-Language", "Cookie"} <= vary
        assert response["Content-Language"] == "en"


def test_english_items_say_so_on_chinese_pages_and_chinese_ones_on_english_pages(client, reviewer):
    client.force_login(reviewer)
    for language, other in (("en", CHINESE), ("zh", {})):
        source = make_source(language=language)
        turn = make_assignment(
            revision=make_revision(
                source=source, subtask="issue_fix_plan" if language == "en" else "closed_plan_zh"
            ),
            reviewer=reviewer,
            now=timezone.now(),
        )
        page = client.get(reverse("review", args=[turn.pk]), headers=other).content.decode()
        assert f'<div class="text thought" data-part="thought" lang="{language}">' in page
        assert f'<span class="option-text" lang="{language}">' in page
        assert f'<p class="instruction" lang="{language}">' in page


def test_commands_speak_english_whatever_the_machine_speaks(world, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    result = run_json("agreement", "--resamples", "10")
    assert result["decision"]["warnings"][0].isascii()


def test_the_api_speaks_english_to_everybody(client):
    for address in ("/api/v1/sources/", "/api/v1/nothing/"):
        response = client.get(address, headers=CHINESE)
        assert response.status_code in {401, 404}
        assert response.content.decode().isascii()
        assert response["Content-Language"] == "en"
