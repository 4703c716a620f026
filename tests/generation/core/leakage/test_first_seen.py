"""Which texts of a run are past and where an n-gram stands first."""

from generation.core.leakage.first_seen import NEVER, FirstSeenMap, Origin
from generation.core.leakage.normalise import normalise
from generation.core.leakage.tokens import ngram_hashes, tokenise
from tests.generation.core.leakage.runs import step

STEPS = (
    step("look at the file now", "cat one two three", "alpha beta gamma delta"),
    step("change the file a bit", "sed four five six", "alpha beta gamma omega"),
)


def seen() -> FirstSeenMap:
    return FirstSeenMap.build(
        task="the task text here", steps=STEPS, outcomes=("the final word is",)
    )


def hashes(text: str, n: int = 3):
    return ngram_hashes(tokenise(normalise(text).codes).hashes, n)


def test_a_cut_shows_task_and_earlier_steps_and_the_thought_if_told():
    index = seen()
    assert index.visible_texts(1, thought_shown=False) == 1
    assert index.visible_texts(1, thought_shown=True) == 2
    assert index.visible_texts(2, thought_shown=False) == 4
    assert index.visible_texts(3, thought_shown=False) == 7
    assert index.token_end(1) == 4
    assert index.token_end(8) == index.tokens.count


def test_an_ngram_that_occurs_twice_counts_where_it_was_seen_first():
    index = seen()
    places = index.grams[3].look_up(hashes("Alpha, beta; GAMMA"))
    text = index.text_of_token(int(places.first[0]))
    assert (index.origin(text), index.step(text)) == (Origin.OBSERVATION, 1)


def test_an_ngram_never_crosses_two_texts():
    assert seen().grams[3].look_up(hashes("gamma delta change")).first.tolist() == [NEVER]


def test_spoken_tells_thoughts_and_actions_from_observations():
    places = seen().grams[3].look_up(hashes("cat one two"))
    assert places.spoken.tolist() == [True]
    assert places.shown.tolist() == [NEVER]
    assert seen().grams[3].look_up(hashes("beta gamma omega")).spoken.tolist() == [False]


def test_a_run_without_words_answers_never():
    empty = FirstSeenMap.build(task="", steps=())
    assert empty.grams[5].look_up(hashes("a b c d e", 5)).first.tolist() == [NEVER]
