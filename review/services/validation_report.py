"""Writes the validation report to a folder: Markdown, one HTML file, pictures as SVG."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from generation.core.appearing import appearing_folder, refuse_existing
from generation.services.audits import audit_sets
from review.core.charts.drawing import in_tokens
from review.core.report.markdown import as_markdown
from review.core.report.sections import Report, Section, Table
from review.models import Release
from review.services import report_sections
from review.services.agreement_pages import measure_agreement
from review.services.release_sets import release_orders


def composition(release: Release) -> Section:
    """Return what a release holds: items by subtask, and the licences of their sources."""
    manifest = release.manifest
    rows = [(name, str(n)) for name, n in manifest["counts"].items()]
    licences = [(name, str(n)) for name, n in manifest.get("licences", {}).items()]
    tables = [Table("Test items", ("subtask", "items"), rows)]
    if licences:
        tables.append(Table("Licences of sources", ("licence", "items"), licences))
    words = [
        f"{release.name} {release.version}, frozen {release.frozen_at:%Y-%m-%d}, sha256 "
        f"{manifest['sha256']}."
    ]
    commands = [f"python manage.py export_benchmark {release.version} --out {release.version}"]
    return Section("Composition", words, tables, commands=commands)


def gather(
    release: Release | None, *, report: Callable[[str], None] = lambda _name: None
) -> Report:
    """Return the report on all that was reviewed and, where given, on a release.

    ``report`` is told the name of each part before it is computed.
    """
    orders = release_orders(release.version) if release else None

    def audits() -> Section:
        return report_sections.audits(
            audit_sets(subtasks=(), revisions=orders, orders=orders, seed=0)
        )

    parts: Mapping[str, Callable[[], Section]] = {
        **({"composition": lambda: composition(release)} if release else {}),
        "protocol": report_sections.protocol,
        "people": report_sections.people,
        "items": report_sections.overlap,
        "agreement": lambda: report_sections.agreement(_measured(measure_agreement, named=False)),
        "rejections": report_sections.rejected,
        "adjudication": report_sections.adjudication,
        "checks": report_sections.checks,
        "audits": audits,
    }
    sections = []
    for name, part in parts.items():
        report(name)
        sections.append(part())
    about = "Of all reviews in the project" + (f"; release {release.version}" if release else "")
    return Report("Validation report", f"{about}.", tuple(sections))


def write_report(
    target: Path, release: Release | None, *, report: Callable[[str], None] = lambda _name: None
) -> list[str]:
    """Write ``report.md``, ``report.html`` and ``figures/`` to a new folder; return their names.

    The same database gives the same bytes.

    Raises:
        TargetExists: the folder is there; nothing is overwritten.
        OSError: it can't be written.
    """
    refuse_existing(target)
    found = gather(release, report=report)
    with appearing_folder(target) as folder:
        (folder / "figures").mkdir()
        for figure in (one for section in found.sections for one in section.figures):
            (folder / "figures" / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
        (folder / "report.md").write_text(as_markdown(found), encoding="utf-8")
        (folder / "report.html").write_text(_html(found), encoding="utf-8")
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _html(found: Report) -> str:
    """Return the report as a page; pictures stand in it and follow the reader's theme."""
    sections = [
        {
            "title": section.title,
            "words": section.words,
            "tables": section.tables,
            "commands": section.commands,
            "figures": [
                # Drawn by this project from numbers and names that the drawing escapes.
                {"caption": one.caption, "svg": mark_safe(in_tokens(one.svg))}  # noqa: S308
                for one in section.figures
            ],
        }
        for section in found.sections
    ]
    shown = {"title": found.title, "about": found.about, "sections": sections}
    return render_to_string("report/report.html", {"report": shown})


def _measured(measure: Callable[..., dict[str, Any]], **options: Any) -> dict[str, Any]:
    return measure(lambda _done, _total: None, **options)
