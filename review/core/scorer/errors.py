"""What can be wrong with the files that are scored."""


class BenchmarkError(ValueError):
    """The benchmark folder cannot be read; the message names file, line and field."""


class DigestMismatch(BenchmarkError):
    """A file of the benchmark is not the one its manifest describes."""


class PredictionError(ValueError):
    """The prediction file cannot be read; the message names file, line and field."""
