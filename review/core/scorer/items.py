"""An item of a benchmark as the scorer needs it: everything but the prompt."""

from dataclasses import dataclass

READERS_OF_FORMAT = {
    "choice": {"letter"},
    "choices": {"letters"},
    "completion": {"command", "answer"},
}
METRICS_OF_READER = {
    "letter": ("accuracy",),
    "letters": ("set_accuracy", "jaccard", "option_f1"),
    "command": ("em_norm", "em_strict", "tool_match", "arg_f1"),
    "answer": ("em_norm", "em_strict", "rouge1", "rouge2", "rougeL"),
}
LOG_PROBABILITY_METRICS = (
    "letter_accuracy",
    "cloze_accuracy",
    "cloze_accuracy_token",
    "cloze_accuracy_byte",
    "gold_probability",
    "margin",
    "brier",
    "bits_per_byte",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One question. ``options`` are (label, text) pairs, empty for completion.

    ``gold`` holds labels for choice formats and acceptable texts for completion.
    """

    id: str
    subtask: str
    scenario: str
    ability: str
    language: str
    format: str
    reader: str
    options: tuple[tuple[str, str], ...]
    gold: tuple[str, ...]
    stop: tuple[str, ...]
    cluster: str
    bucket: str
    long_context: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels offered, in order."""
        return tuple(label for label, _ in self.options)

    @property
    def headline(self) -> str:
        """The metric that stands for the item in averages."""
        return METRICS_OF_READER[self.reader][0]
