"""Scores predictions against an exported benchmark, with the standard library alone.

The package travels inside every export: ``python -m scorer PREDICTIONS`` there gives the same
numbers as ``manage.py score``.
"""

from .answers import normalise
from .benchmark import Benchmark, item_from_row, read_benchmark
from .errors import BenchmarkError, DigestMismatch, PredictionError
from .grading import Grade, Status, em_norm, grade
from .items import Item
from .report import report
from .scoring import score
from .version import READER_VERSIONS, VERSION

__all__ = [
    "READER_VERSIONS",
    "VERSION",
    "Benchmark",
    "BenchmarkError",
    "DigestMismatch",
    "Grade",
    "Item",
    "PredictionError",
    "Status",
    "em_norm",
    "grade",
    "item_from_row",
    "normalise",
    "read_benchmark",
    "report",
    "score",
]
