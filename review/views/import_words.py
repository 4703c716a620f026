"""The words of imports and builds: what each kind takes, states, and why something is refused."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from generation.models import JobKind, JobState, Left, SourceForm

# What each kind takes, and how its files are named: names are the same in every language.
KINDS = {
    "aptbench": (
        _("Questions in the official layout: an archive of the whole folder, prompts included."),
        "data/*/*/input_data.jsonl, code/prompts",
    ),
    "deepresearch_bench": (
        _("Queries, raw and cleaned reports, and criteria."),
        "query.jsonl, raw_data, cleaned_data, criteria.jsonl",
    ),
    "github_issues": (_("Issues and their comments, as the service answers."), ".json, .jsonl"),
    "infodeepseek": (_("Search runs, one a line, or the agent's own output."), ".json, .jsonl"),
    "label_studio": (_("Exported tasks and annotations."), ".json"),
    "mini_swe_agent": (_("Runs, with their evaluation reports beside them."), ".traj.json"),
    "openhands": (_("Output of evaluations, or lists of events."), "output.jsonl, .json"),
    "predictions": (
        _("Patches by models, with their evaluation reports beside them."),
        "preds.json, .jsonl, run_evaluation",
    ),
    "readme": (
        _("Guides to set a repository up: single files, or an archive of the repository."),
        "README.md, owner__name.zip",
    ),
    "researchy_questions": (
        _("Research questions and plans for them."),
        ".jsonl, .json, .parquet",
    ),
    "swe_agent": (
        _("Runs of any version, with their evaluation reports beside them."),
        ".traj, run_evaluation",
    ),
    "swe_bench": (_("Bugs and their fixes."), ".json, .jsonl, .csv, .parquet"),
    "swe_smith": (
        _("Runs with their evaluation reports beside them, or rows that say it."),
        ".traj, .jsonl, .parquet",
    ),
}
JOB_KINDS = {
    JobKind.IMPORT: pgettext_lazy("job", "import"),
    JobKind.BUILD: pgettext_lazy("job", "build of candidates"),
}
STATES = {
    JobState.QUEUED: pgettext_lazy("job", "waits for the worker"),
    JobState.RUNNING: pgettext_lazy("job", "running"),
    JobState.STOPPED: pgettext_lazy("job", "stopped"),
    JobState.DONE: pgettext_lazy("job", "done"),
    JobState.FAILED: pgettext_lazy("job", "failed"),
}
FORMS = {
    SourceForm.TRAJECTORY: _("runs"),
    SourceForm.DOCUMENT: _("documents"),
    SourceForm.QUESTION: _("ready-made questions"),
}
OUTCOMES = {
    Left.REFUSED: pgettext_lazy("record", "refused"),
    Left.PASSED_OVER: pgettext_lazy("record", "passed over"),
    Left.UNREAD: pgettext_lazy("file", "not read"),
}
REFUSALS = {
    "no_kind": _("Choose what the files hold."),
    "no_file": _("Choose at least one file."),
    "empty": _("A file is empty."),
    "unsafe_name": _(
        "A name can't be a file's: it is too long, leads out of its folder, or holds characters "
        "that can't be seen. Nothing was imported."
    ),
    "twice": _("Two files have one name. Put them into folders of an archive."),
    "too_many_files": _("There are too many files. Send them as an archive, or in parts."),
    "too_large": _("The files are larger than is taken. Send them in parts."),
    "disk_full": _("The server's disk has no room for them. Nothing was kept."),
    "broken": _("An archive is damaged, or none. Nothing was imported."),
    "encrypted": _("An archive is encrypted. Nothing was imported."),
    "unreadable": _("The files can't be read as what they are said to be. Nothing was imported."),
    "worker_ended": _(
        "The worker ended at this job again and again. What is stored is whole: let the job go on, "
        "and if it ends again, look at the worker's log."
    ),
}
BUILD_REFUSALS = {
    "subtasks": _("Choose subtasks that can be built."),
    "seed": _("Give a whole number as seed, 0 or more."),
    "limit": _("Give a whole number of candidates, 1 or more, or none."),
}
