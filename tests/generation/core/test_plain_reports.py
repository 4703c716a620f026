"""Reports as questions show them: nothing of what they cite is left."""

from generation.core.plain_reports import plain_report, without_addresses
from tests.generation.core.documents import report

CITED = """\
# Mills

The mill **floated** on two barges. [1] It burnt in 1934 [1][2].

Its wheel lies in [the garden](https://x.example/inn) of the inn. Grain came by boat [[2]](https://x.example/b).

## References
[1] https://x.example/a - Mill
[2] https://x.example/b - Boats
"""
PLAIN = """\
# Mills

The mill floated on two barges. It burnt in 1934.

Its wheel lies in the garden of the inn. Grain came by boat."""


def test_marks_references_addresses_and_bold_type_go_and_the_words_of_links_stay():
    assert plain_report(report(CITED)) == PLAIN


def test_no_blank_is_left_between_chinese_sentences_where_a_mark_stood():
    text = "# 磨\n\n水磨建于1749年。[1] 它在1934年烧毁。[1]\n\n参考资料\n[1] https://x.example/a\n"
    assert plain_report(report(text)) == "# 磨\n\n水磨建于1749年。它在1934年烧毁。"


def test_a_first_try_at_the_report_is_left_out_and_late_titles_are_parts():
    body = "# Mills\n\n" + "They ground rye. " * 40
    assert plain_report(report(f"# Mills of old\n\nI'll go on.\n\n{body}")) == body.strip()
    late = f"{body}\n\n# Ships\n\nThey sailed."
    assert plain_report(report(late)).startswith("# Mills")


def test_a_query_has_no_report():
    document = report("# A\n\nB.")
    only_query = type(document)(
        document.provenance, document.language, document.title, document.sections[:1]
    )
    assert plain_report(only_query) == ""


def test_an_address_between_brackets_goes_with_the_picture_s_name_left():
    assert without_addresses(
        "See ![plan](https://x.example/p_(1).png) at https://x.example/q."
    ) == ("See plan at")
