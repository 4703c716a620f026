"""What a page's words tell of a statement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.page_support import PageWords, Support

PAGE = PageWords(
    "The floating mill of Aldersee was built in 1749 on two barges of oak. On a good day it "
    "ground 1,900 kilograms of rye."
)
CHINESE = PageWords("青石渡桥建成于1908年，全长146米，共有七孔。")


@pytest.mark.parametrize(
    ("statement", "support"),
    [
        ("The mill of Aldersee was built in 1749 on barges of oak.", Support.CONFIRMED),
        ("The mill ground 1900 kilograms of rye on a good day.", Support.CONFIRMED),
        ("The mill of Aldersee was built in 1794 on barges of oak.", Support.UNCLEAR),
        ("The mill of Brandt was built on barges of oak in 1749.", Support.UNCLEAR),
        ("Trams came back to the harbour after forty years.", Support.ABSENT),
        ("水磨建于1749年。", Support.UNCLEAR),
        ("", Support.ABSENT),
    ],
)
def test_numbers_names_and_most_words_must_be_on_the_page(statement, support):
    assert PAGE.support(statement) is support


@pytest.mark.parametrize(
    ("statement", "support"),
    [
        ("青石渡桥1908年建成，全长146米。", Support.CONFIRMED),
        ("青石渡桥建成于1933年，全长146米。", Support.UNCLEAR),
        ("鲜叶在竹席上摊放六小时。", Support.ABSENT),
    ],
)
def test_chinese_is_held_against_a_page_by_pairs_of_characters(statement, support):
    assert CHINESE.support(statement) is support


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_pair_of_texts_has_a_share_and_an_answer(page, statement):
    words = PageWords(page)
    assert 0 <= words.share(statement) <= 1
    assert words.support(statement) in Support
