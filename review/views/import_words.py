"""The words of imports and builds: what each kind takes, states, and why something is refused."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from generation.models import JobKind, JobState, Left, SourceForm

KINDS = {
    "aptbench": _(
        "Questions in the official layout: an archive of the folder with data/ and code/prompts."
    ),
    "deepresearch_bench": _(
        "Queries, raw and cleaned reports, criteria: an archive, or query.jsonl and reports."
    ),
    "github_issues": _("Answers of GitHub's REST API: issues and their comments, as JSON."),
    "infodeepseek": _("Search runs, one a line (.jsonl), or the agent's own output."),
    "label_studio": _("Tasks and annotations exported by Label Studio (.json)."),
    "mini_swe_agent": _("Runs of mini-SWE-agent (.traj.json), with run_evaluation beside them."),
    "openhands": _("Evaluation output of OpenHands (output.jsonl), or lists of its events."),
    "predictions": _("Patches of models (preds.json or .jsonl), with their evaluation reports."),
    "readme": _("READMEs: single files, or an archive of a repository (owner__name) around one."),
    "researchy_questions": _("Research questions and their plans (.jsonl, .json, .parquet)."),
    "swe_agent": _("Runs of SWE-agent of any version (.traj), with run_evaluation beside them."),
    "swe_bench": _("Bug-fix instances of SWE-bench (.json, .jsonl, .csv, .parquet)."),
    "swe_smith": _("Runs of SWE-smith: .traj files with reports, or rows (.jsonl, .parquet)."),
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
