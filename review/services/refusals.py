"""What services refuse, in sentences for people: by field, or as a whole."""

from collections.abc import Mapping


class FieldsRefused(Exception):
    """What was sent breaks rules; ``problems`` has a sentence by field."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {why}" for name, why in problems.items()))
        self.problems = dict(problems)


class Refused(Exception):
    """What was asked for can't be done; ``why`` is a sentence for the person."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
