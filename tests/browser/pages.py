"""What the browser tests do with pages: give an item to a person, ask axe for faults."""

from itertools import product

from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from tests.make import make_assignment, make_revision

THEMES = ("light", "dark")
SIZES = ((1440, 900), (390, 844))
_AXE = """
async ([only]) => {
  const options = {resultTypes: ["violations"]};
  if (only) options.runOnly = only;
  else options.rules = {"target-size": {enabled: true}};
  const found = await axe.run(options);
  return found.violations.map((rule) => `${rule.id}: ${rule.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + [...node.any, ...node.all, ...node.none].map((c) => c.message).join("; ")).join(" | ")}`);
}
"""
_TOO_WIDE = """
(width) => document.documentElement.scrollWidth <= width ? "" :
  [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > width + 1 && ![...element.children].some((child) => child.getBoundingClientRect().right > width + 1) && !element.closest(".table-box"))
    .map((element) => `${element.parentElement.tagName}.${element.parentElement.className} > ${element.tagName}.${element.className}`).slice(0, 3).join(", ")
    || "something"
"""


def give(user, **fields):
    revision = fields.pop("revision", None) or make_revision(**fields)
    return make_assignment(revision=revision, reviewer=user, now=timezone.now())


def violations(page):
    return [rule["id"] for rule in Axe().run(page).response["violations"]]


def faults_everywhere(page):
    """Return what axe finds in both themes, wide and narrow, and what is wider than the window.

    A theme changes colours alone: in the dark only they are looked at, once every rule held.
    """
    faults = []
    before = page.viewport_size
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    for (width, height), theme in product(SIZES, THEMES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        only = None if theme == "light" else ["color-contrast"]
        faults += [f"{width} {theme} {rule}" for rule in page.evaluate(_AXE, [only])]
        if theme == "light" and (wide := page.evaluate(_TOO_WIDE, width)):
            faults.append(f"wider than {width} px: {wide}")
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="light")
    return faults


def wait_until(page, holds):
    """Let the browser go on until something holds, for ten seconds at most."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(50)
    msg = "it did not come to hold within ten seconds"
    raise AssertionError(msg)


def arrived(page, selector):
    """Wait for a part of the next page and for its scripts: a key pressed before them is lost."""
    page.wait_for_selector(selector)
    page.wait_for_load_state("load")
