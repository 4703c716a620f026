"""Every rule of reviewing has a file of browser tests that is named by its number."""

import re
from pathlib import Path

import tests.browser

HERE = Path(tests.browser.__file__).parent


def numbers_of(name: str) -> set[int]:
    """Return the rules that a file's name says it holds."""
    if found := re.match(r"test_rules_(\d+)_to_(\d+)\.py$", name):
        return set(range(int(found[1]), int(found[2]) + 1))
    if found := re.match(r"test_rules_(\d+)_and_(\d+)\.py$", name):
        return {int(found[1]), int(found[2])}
    found = re.match(r"test_rule_(\d+)_\w+\.py$", name)
    return {int(found[1])} if found else set()


def test_every_rule_has_a_file_that_is_named_by_its_number():
    named = {number for path in HERE.glob("test_rule*.py") for number in numbers_of(path.name)}
    assert named == set(range(1, 11))


def test_files_of_the_table_are_there():
    told = re.findall(r"``((?:tests/)?[\w/]+\.py)``", tests.browser.__doc__ or "")
    assert len(told) > 15
    root = HERE.parents[1]
    missing = [name for name in told if not ((HERE / name).exists() or (root / name).exists())]
    assert missing == []
