"""Loads the demo: samples imported, items built, checked, reviewed, frozen, exported, scored."""

import json
from collections import Counter
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command

from generation.management.reporting import ReportingCommand, progress_bar
from generation.models import Candidate, Finding, Source
from review.core.baseline import predict
from review.core.scorer import score
from review.models import Release, Review
from review.services.demo import demo_people, play_reviews

VERSION = "demo-1"
# A fixed time, so that every machine freezes the same bytes.
_FROZEN_AT = datetime(2026, 1, 1, tzinfo=UTC)
_SAMPLES = (
    ("swe_smith", "swe_smith"),
    ("infodeepseek", "infodeepseek"),
    ("readme", "readme"),
    ("github_issues", "github_issues"),
    ("predictions", "predictions"),
    ("swe_bench", "swe_bench"),
    ("deepresearch_bench", "deepresearch_bench"),
    ("researchy_questions", "researchy_questions"),
    ("aptbench", "aptbench"),
)
_BESIDE = (("--pages", "pages.jsonl"), ("--repos", "repositories"))


class Command(ReportingCommand):
    """Loads the demo: samples imported, items built, checked, reviewed, frozen, exported, scored."""

    help = __doc__

    def handle(self, *_args: Any, verbosity: int, **_options: Any) -> None:
        """Go the whole way; what an earlier run did is not done again."""
        fixtures = settings.PROJECT_DIR / "fixtures"
        for kind, folder in _SAMPLES:
            self.note(f"importing {kind}", verbosity=verbosity)
            samples = fixtures / folder
            there = [(option, samples / name) for option, name in _BESIDE]
            beside = [word for pair in there if pair[1].exists() for word in map(str, pair)]
            _run("import_sources", kind, str(samples), *beside)
        for name, arguments in (
            ("build_candidates", ()),
            ("generate_distractors", ("--rules-only",)),
            ("run_checks", ()),
        ):
            self.note(name.replace("_", " "), verbosity=verbosity)
            _run(name, *arguments)
        if not Release.objects.filter(version=VERSION).exists():
            with progress_bar("reviews of the demo's played reviewers", verbosity=verbosity) as bar:
                play_reviews(demo_people(), done=bar)
            self.note("freezing", verbosity=verbosity)
            _freeze()
        export_dir = settings.VAR_DIR / "exports" / VERSION
        if not export_dir.exists():
            _run("export_benchmark", VERSION, "--out", str(export_dir))
        predictions = _predict(export_dir)
        self.note("scoring a baseline", verbosity=verbosity)
        scores = score(export_dir, predictions)
        self.stdout.write(json.dumps(_summary(export_dir, scores), ensure_ascii=False))


def _freeze() -> None:
    """Freeze the demo's release; the sample issues are this project's own, whatever kind they are."""
    own = ("--allow-licence", "LicenseRef-issue-authors")
    _run("freeze_release", VERSION, "--name", "apt-demo", "--at", _FROZEN_AT.isoformat(), *own)


def _run(name: str, *arguments: str) -> Any:
    out = StringIO()
    call_command(name, *arguments, "--json", "--verbosity", "0", stdout=out)
    return json.loads(out.getvalue())


def _predict(export_dir: Path) -> Path:
    """Write the baseline's answers beside the export and return the file."""
    predictions = export_dir.with_name(f"{export_dir.name}-baseline.jsonl")
    with predictions.open("w", encoding="utf-8", newline="\n") as file:
        for path in sorted((export_dir / "items").glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                item = json.loads(line)
                answer = {"id": item["id"], "output": predict(item), "model": "baseline"}
                file.write(json.dumps(answer) + "\n")
    return predictions


def _summary(export_dir: Path, scores: dict[str, Any]) -> dict[str, Any]:
    candidates = Counter(Candidate.objects.values_list("subtask", flat=True))
    findings = Counter(
        Finding.objects.filter(revision__superseded_at=None).values_list("kind", flat=True)
    )
    return {
        "sources": Source.objects.count(),
        "candidates": dict(sorted(candidates.items())),
        "findings": dict(sorted(findings.items())),
        "reviews": Review.objects.count(),
        "release": VERSION,
        "export_dir": str(export_dir),
        "score": {"signature": scores["signature"], "averages": scores["averages"]},
    }
