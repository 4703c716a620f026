"""Uploads for tests: files as bytes, archives of them, and jobs that import them."""

import io
import json
import zipfile
from pathlib import Path

from generation.models import Job, JobKind
from generation.services import jobs, uploads

FIXTURES = Path(__file__).parents[3] / "fixtures"
RUNS = FIXTURES / "infodeepseek" / "trajectories_en.jsonl"


def questions(*names: str) -> bytes:
    """JSON lines of research questions, one a name; an empty name is a row without its question."""
    rows = ({"id": name, "question": f"how do {name} find their way in fog"} for name in names)
    lines = (json.dumps(row if row["id"] else {"id": "?"}) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()


def zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zip_of_folder(folder: Path) -> bytes:
    """The folder as people send it: itself the one thing in the archive."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return zip_of({path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in files})


def uploaded(kind: str, files: dict[str, bytes]) -> Job:
    """A job that waits to import these files."""
    folder, kept = uploads.keep((name, [content]) for name, content in files.items())
    return jobs.ask_for(
        kind=JobKind.IMPORT, order={"kind": kind, "files": kept}, folder=folder, actor=None
    )


def imported(kind: str, files: dict[str, bytes]) -> Job:
    """The job after a worker did it."""
    job = uploaded(kind, files)
    assert jobs.work(job.pk)
    job.refresh_from_db()
    return job
