"""What lies around a file of DeepResearch-Bench: queries, criteria, scores, the other form of a report."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.importer import InputFile
from generation.core.importers.line_index import LineIndex
from generation.core.records import Language, Section

_SCORES = (
    "comprehensiveness",
    "insight",
    "instruction_following",
    "readability",
    "overall_score",
)
_LOGS = "_report_logs"
# Named one by one: a search through all folders could be one through a whole disk.
_QUERIES = ("query.jsonl", "prompt_data/query.jsonl")
_CRITERIA = ("criteria.jsonl", "criteria_data/criteria.jsonl")


def bench_of(file: InputFile) -> "Bench":
    """Return what is known around a file, read once in an import for each benchmark's folder."""
    folder = file.path.absolute().parent
    is_inside = folder.name in {"raw_data", "cleaned_data"} or folder.name.endswith("report_logs")
    root = folder.parent if is_inside else folder
    if not (root / "query.jsonl").is_file() and (root.parent / "prompt_data").is_dir():
        root = (
            root.parent
        )  # as the benchmark's own repository has it: data/prompt_data, data/test_data
    return file.remembered(root, Bench)


class Bench:
    """The files of one benchmark's folder, by id; what is absent is empty."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._indices: dict[tuple[str, ...], LineIndex] = {}

    def close(self) -> None:
        """Close the files."""
        for index in self._indices.values():
            index.close()

    def query(self, number: str) -> str:
        """Return the text of a query."""
        row = self._row(number, *_QUERIES)
        prompt = row.get("prompt")
        return prompt.strip() if isinstance(prompt, str) else ""

    def language(self, number: str) -> Language | None:
        """Return the language that the queries' file says."""
        code = self._row(number, *_QUERIES).get("language")
        return {"en": Language.EN, "zh": Language.ZH}.get(code) if isinstance(code, str) else None

    def criteria(self, number: str) -> tuple[tuple[Section, ...], dict[str, Any]]:
        """Return the criteria of a query as sections, and the weights of their dimensions."""
        row = self._row(number, *_CRITERIA)
        by_dimension = row.get("criterions")
        weights = row.get("dimension_weight")
        sections = tuple(
            Section(
                "criterion",
                f"{each.get('criterion')}\n{each.get('explanation') or ''}".strip(),
                f"{dimension} {place}",
                is_future=True,
                facts={"weight": each.get("weight")},
            )
            for dimension, held in (by_dimension.items() if isinstance(by_dimension, dict) else ())
            for place, each in enumerate(held if isinstance(held, list) else (), start=1)
            if isinstance(each, Mapping) and isinstance(each.get("criterion"), str)
        )
        return sections, {"dimension_weight": weights} if isinstance(weights, dict) else {}

    def scores(self, model: str, number: str) -> dict[str, float]:
        """Return the RACE scores of a report, 0 to 1."""
        row = self._row(
            number, f"race/{model}/raw_results.jsonl", f"{model}_race_*raw_results.jsonl"
        )
        return {
            name: float(row[name])
            for name in _SCORES
            if isinstance(row.get(name), int | float) and not isinstance(row[name], bool)
        }

    def cleaned(self, model: str, number: str) -> str:
        """Return the report without its citations."""
        article = self._row(number, *_both("cleaned_data", model)).get("article")
        return article if isinstance(article, str) else ""

    def is_read_elsewhere(self, path: Path, number: str) -> bool:
        """Say whether a cleaned report is read with its raw form, or with its log."""
        if not self.is_cleaned(path):
            return False
        model = path.stem
        log = self._root / f"{model}{_LOGS}" / f"{Path(number).name}.md"
        return log.is_file() or bool(self._row(number, *_both("raw_data", model)))

    @staticmethod
    def is_cleaned(path: Path) -> bool:
        """Say whether a file holds reports without their citations."""
        return path.absolute().parent.name == "cleaned_data"

    @staticmethod
    def model_of(path: Path) -> str:
        """Return the name of the agent that wrote the reports of a file."""
        if path.suffix == ".md":
            return path.absolute().parent.name.removesuffix("report_logs").rstrip("_-") or "unknown"
        return path.stem

    def _row(self, number: str, *patterns: str) -> Mapping[str, Any]:
        if patterns not in self._indices:
            paths = sorted(path for pattern in patterns for path in self._root.glob(_safe(pattern)))
            self._indices[patterns] = LineIndex(paths, _id_of)
        row = self._indices[patterns].row(number)
        return row if isinstance(row, dict) else {}


def _both(folder: str, model: str) -> tuple[str, str]:
    return f"{folder}/{model}.jsonl", f"test_data/{folder}/{model}.jsonl"


def _safe(pattern: str) -> str:
    """Return a pattern whose brackets are letters: names of models may hold them."""
    return pattern.replace("[", "[[]")


def _id_of(row: Any) -> Iterator[str]:
    number = row.get("id") if isinstance(row, dict) else None
    if isinstance(number, str | int) and not isinstance(number, bool):
        yield str(number)
