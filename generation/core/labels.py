"""Option labels: A for the first option, B for the second, up to Z."""

from string import ascii_uppercase


def label_of(index: int) -> str:
    """Return the letter of the 0-based option ``index``.

    Raises:
        ValueError: ``index`` is not in 0..25.
    """
    if not 0 <= index < len(ascii_uppercase):
        msg = f"no label for option {index}: labels go from A to Z"
        raise ValueError(msg)
    return ascii_uppercase[index]


def index_of(label: str) -> int:
    """Return the 0-based option index of a letter.

    Raises:
        ValueError: ``label`` is not one letter from A to Z.
    """
    if len(label) != 1 or label not in ascii_uppercase:
        msg = f"{label!r} is no option label: one letter from A to Z is"
        raise ValueError(msg)
    return ascii_uppercase.index(label)
