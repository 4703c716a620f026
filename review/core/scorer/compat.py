"""The official APTBench reading and averages, to reproduce published numbers and nothing else.

Its known faults are kept: an output that is empty leaves the denominator, a letter at the end of
the text is not seen, n-grams are compared as sets. One thing differs: the official scripts split
texts by a Llama 3 tokenizer before ROUGE, here the scorer's own tokens stand in its place.
"""

import re
from collections.abc import Sequence

from .items import Item
from .predictions import Prediction
from .rouge import Rouge, tokens

NAME = "aptbench"
METRICS_OF_READER = {
    "letter": ("accuracy",),
    "letters": ("set_accuracy",),
    "command": ("em_strict",),
    "answer": ("em_strict", "rouge1", "rouge2", "rougeL"),
}
_LETTER = re.compile(r"\b([A-Za-z])[)\n]")
_TINY = 1e-8


def official_values(item: Item, prediction: Prediction | None) -> dict[str, float] | None:
    """Return the official metrics of one output; None where the official scripts drop the item."""
    if prediction is None or prediction.error is not None or not prediction.output:
        return None
    output = prediction.output.strip()
    if item.reader == "letter":
        match = _LETTER.search(output.replace("*", ""))
        return {"accuracy": float(match is not None and match.group(1) in item.gold)}
    if item.reader == "letters":
        listed = output.partition(")")[0].strip() if ")" in output else ""
        given = set(listed.split(",")) if listed else set()
        return {"set_accuracy": float(given == set(item.gold))}
    if item.reader == "command":
        command = output.partition("\n")[0].partition(";")[0] if "\n" in output else output
        return {"em_strict": float(command.strip() == item.gold[0])}
    answer = output.partition("]")[0].strip() if "]" in output else None
    overlap = _official_rouge(str(answer), item.gold[0])
    return {
        "em_strict": float(answer == item.gold[0]),
        "rouge1": overlap.rouge1,
        "rouge2": overlap.rouge2,
        "rougeL": overlap.rouge_l,
    }


def _official_rouge(prediction: str, reference: str) -> Rouge:
    if not prediction.strip() or not reference.strip():
        return Rouge(0.0, 0.0, 0.0)
    return rouge101(" ".join(tokens(prediction)), " ".join(tokens(reference)))


def rouge101(prediction: str, reference: str) -> Rouge:
    """Return what the PyPI package rouge 1.0.1 gives as F values for two texts.

    Words are parted by blanks, sentences by full stops; n-grams and the words of each longest
    common subsequence are sets.

    Raises:
        ValueError: a text has no sentence, as the package does.
    """
    given, wanted = _sentences(prediction), _sentences(reference)
    if not given or not wanted:
        msg = "a text is empty"
        raise ValueError(msg)
    return Rouge(
        _ngram_f1(given, wanted, 1), _ngram_f1(given, wanted, 2), _summary_lcs_f1(given, wanted)
    )


def _sentences(text: str) -> list[list[str]]:
    return [" ".join(part.split()).split(" ") for part in text.split(".") if part]


def _f1(shared: int, given: int, wanted: int) -> float:
    precision = shared / given if given else 0.0
    recall = shared / wanted if wanted else 0.0
    return 2 * precision * recall / (precision + recall + _TINY)


def _ngram_f1(given: list[list[str]], wanted: list[list[str]], size: int) -> float:
    left, right = _ngrams(given, size), _ngrams(wanted, size)
    return _f1(len(left & right), len(left), len(right))


def _ngrams(sentences: list[list[str]], size: int) -> set[tuple[str, ...]]:
    words = [word for sentence in sentences for word in sentence]
    return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}


def _summary_lcs_f1(given: list[list[str]], wanted: list[list[str]]) -> float:
    union: set[str] = set()
    for reference in wanted:
        for sentence in given:
            union |= _common_words(reference, sentence)
    left = {word for sentence in given for word in sentence}
    right = {word for sentence in wanted for word in sentence}
    return _f1(len(union), len(left), len(right))


def _common_words(left: Sequence[str], right: Sequence[str]) -> set[str]:
    """Return the words of one longest common subsequence, the one that the package walks to."""
    table = [[0] * (len(right) + 1)]
    for word in left:
        above, row = table[-1], [0]
        for place, other in enumerate(right):
            row.append(above[place] + 1 if word == other else max(above[place + 1], row[place]))
        table.append(row)
    words: set[str] = set()
    i, j = len(left), len(right)
    while i and j:
        if left[i - 1] == right[j - 1]:
            words.add(left[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return words
