import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.scorer.answers import normalise, read_answer, same_answer
from review.core.scorer.dates import iso_date


def test_the_answer_ends_at_the_bracket_the_stop_or_the_end():
    assert read_answer(" Paris] and more").text == "Paris"
    assert read_answer("Paris\nmore", stop=["\n"]).text == "Paris"
    assert read_answer("Paris").text == "Paris"
    assert [read_answer(text).ended for text in ("Paris]", "Paris")] == [True, False]


@pytest.mark.parametrize(
    ("prediction", "gold"),
    [
        ("paris", "Paris"),
        ("“Paris”。", "Paris"),
        ("Paris.", "Paris"),
        ("  Howard   Atwood Kelly ", "Howard Atwood Kelly"),
        ("１９９４", "1994"),
        ("和井内贞行。", "和井内贞行"),
        ("《红楼梦》", "红楼梦"),
        ("May 5, 2020", "2020-05-05"),
        ("the 5th of May 2020", "2020年5月5日"),
        ("二〇二〇年五月五日", "5 May 2020"),
        ("1900.2.10", "February 10, 1900"),
        ("Tuesday, May 5, 2020", "2020/05/05"),
        ("1994年", "1994"),
        ("May 2020", "2020年5月"),
    ],
)
def test_forms_of_one_answer_are_equal(prediction, gold):
    assert same_answer(prediction, gold)
    assert same_answer(gold, prediction)


@pytest.mark.parametrize(
    ("prediction", "gold"),
    [
        ("50%", "50"),
        ("-5", "5"),
        ("C++", "C"),
        (".NET", "NET"),
        ("1994", "1995"),
        ("05/06/2020", "6 May 2020"),
        ("2020-05-05", "2020-05"),
        ("", "Paris"),
        ("", ""),
        ("...", "!"),
        ("Paris, France", "Paris"),
    ],
)
def test_other_answers_are_not(prediction, gold):
    assert not same_answer(prediction, gold)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("25/12/2020", "2020-12-25"),
        ("12/25/2020", "2020-12-25"),
        ("5/5/2020", "2020-05-05"),
        ("05/06/2020", None),
        ("2020-02-30", None),
        ("2020-13-01", None),
        ("dec. 31, 1999", "1999-12-31"),
        ("一九九九年十二月三十一日", "1999-12-31"),
        ("二零零八年八月二十号", "2008-08-20"),
        ("between 1994 and 1995", None),
        ("0000-01-01", None),
    ],
)
def test_only_one_whole_possible_date_becomes_iso(text, iso):
    assert iso_date(text) == iso


@given(st.text())
def test_normalising_never_raises_and_an_answer_equals_itself(text):
    assert same_answer(text, text) == bool(normalise(text))


@given(st.dates())
def test_english_chinese_and_figures_agree_on_every_day(day):
    english = f"{day:%B} {day.day}, {day.year:04d}"
    assert iso_date(english.casefold()) == day.isoformat()
    assert iso_date(f"{day.year:04d}年{day.month}月{day.day}日") == day.isoformat()
    assert iso_date(f"{day.year:04d}/{day.month}/{day.day}") == day.isoformat()
