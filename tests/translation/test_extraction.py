"""Texts are found in Python and templates, with their contexts and plurals."""

from tests.translation.extraction import Message, python_uses, template_uses
from tests.translation.latin import english_in
from tests.translation.sentences import sentences_in


def python(source):
    return [use.message for use in python_uses(source, "a.py")]


def template(source):
    return [use.message for use in template_uses(source, "a.html")]


def test_functions_are_found_by_name_wherever_they_come_from():
    source = """
gettext("one"); translation.gettext_lazy("two"); _("three"); gettext_noop("four")
ngettext("%(n)s item", "%(n)s items", n)
pgettext("phase", "open"); npgettext("c", "a", "b", 2)
other("five")
"""
    assert python(source) == [
        Message("one"),
        Message("two"),
        Message("three"),
        Message("four"),
        Message("%(n)s item", "%(n)s items"),
        Message("open", context="phase"),
        Message("a", "b", "c"),
    ]


def test_what_is_no_literal_is_found_as_such():
    assert python("gettext(why); gettext(f'{n} left'); gettext('a' + b)") == [None, None, None]


def test_a_literal_over_two_lines_is_one_text():
    assert python('gettext("one "\n        "two")') == [Message("one two")]


def test_tags_of_templates_are_found():
    source = """
  {% translate "One" %} <b title="{% translate 'Two' %}"></b>
      {% translate "open" context "phase" %}
    {% blocktranslate with n=count %}{{ n }} of 5 %{% endblocktranslate %}
  {% blocktranslate count n=n %}{{ n }} item{% plural %}{{ n }} items{% endblocktranslate %}
{% include "x.html" with word=_("Three") %} it's "quoted"
"""
    assert template(source) == [
        Message("One"),
        Message("Two"),
        Message("open", context="phase"),
        Message("%(n)s of 5 %%"),
        Message("%(n)s item", "%(n)s items"),
        Message("Three"),
    ]


def test_sentences_are_whole_ones_and_no_docstrings():
    source = '''
"""A module that says things."""
LIMIT = 5
"""How many there may be."""
def f(n):
    """Say it."""
    msg = "This can't be done."
    raise E(f"Say it in {LIMIT} words.", "no sentence", f"{n} of them", "name")
'''
    assert sorted(sentences_in(source)) == ["Say it in * words.", "This can't be done."]


def test_english_is_found_in_text_and_attributes_but_not_in_content():
    page = """<html lang="zh-hans"><title>题目 · APT Annotate</title>
<p title="Not yet">好 ok</p><img alt="a picture"><code>git log</code><pre>cat a.py</pre>
<span lang="en">The kiln.</span><b translate="no">swe</b><p class="said big">fine</p>
<p>issue_fix_plan 3</p><div data-ended="It is over" data-needs=".a, .b"></div>
<ul><li>UTC<li>left over</ul><p lang="en">no <i lang="zh-hans">yes</i></p></html>"""
    assert english_in(page) == [
        "p title: Not yet",
        "p: 好 ok",
        "img alt: a picture",
        "div data-ended: It is over",
        "li: left over",
    ]
