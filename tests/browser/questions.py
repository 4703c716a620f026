"""Ready-made questions for the browser: one of every kind of text that a page must show well."""

from generation.core.records import Language, Provenance, Question
from generation.models import Candidate, CandidateState, Revision
from generation.services.sources import store_records

PATCH = """\
--- a/kiln/heat.py
+++ b/kiln/heat.py
@@ -1,7 +1,7 @@ def fire(kiln):
     kiln.close()
     if kiln.cold:
-        kiln.heat(1)
+        kiln.heat({heat})
         kiln.wait()
     return kiln
"""
ISSUE = """\
<issue>
The kiln stays cold, whatever one does with `fire`.
</issue>
<code>
[start of README.md]
# Kiln
Fire it.
[end of README.md]
[start of kiln/heat.py]
def fire(kiln):
    # cold
    return "cold" + 7
[end of kiln/heat.py]
"""
REPORT = "# Kilns\n\n{lead}\n\n" + "".join(
    f"## Part {n}\n\n{'Clay is fired in a kiln. ' * 70}\n\n" for n in range(1, 5)
)
PAGE = "A page on kilns.\n" + "".join(
    f"# Chapter {n}\n\n{'The kiln of the town was built of brick. ' * 60}\n\n" for n in range(1, 7)
)
CHINESE = "# 窑\n\n{lead}\n\n" + "## 第一部分\n\n" + "黏土在窑中烧制。" * 200


def ready_made(
    subtask: str, slots: dict, options=(), gold=("A",), language=Language.EN
) -> Revision:
    """Store a ready-made question and return its revision, in review."""
    name = f"{subtask}-{Candidate.objects.count()}"
    question = Question(
        provenance=Provenance(
            kind="aptbench", external_id=name, cluster=name, where="rows.jsonl:1", licence="MIT"
        ),
        subtask=subtask,
        language=language,
        slots=slots,
        options=tuple(options),
        gold=tuple(gold),
        raw={"name": name},
    )
    store_records([question])
    revision = Revision.objects.get(candidate__source__external_id=name)
    Candidate.objects.filter(pk=revision.candidate_id).update(state=CandidateState.IN_REVIEW)
    return revision


def patches() -> Revision:
    """A bug report with files, and four patches."""
    options = [PATCH.format(heat=heat) for heat in (2, 3, "kiln.most", "0")]
    return ready_made("issue_fix_fix_patch", {"issue_statement": ISSUE}, options)


def reports() -> Revision:
    """A request and four long reports that differ in one sentence."""
    leads = ("Kilns are hot.", "Kilns are cold.", "Kilns are new.", "Kilns are round.")
    return ready_made(
        "open_report_en", {"query": "On kilns"}, [REPORT.format(lead=x) for x in leads]
    )


def citation() -> Revision:
    """A report, a page, and statements of which several hold."""
    slots = {"article": REPORT.format(lead="Kilns are hot."), "page": PAGE}
    statements = [f"The kiln has {n} doors." for n in range(1, 7)]
    return ready_made("open_citation_en", slots, statements, gold=("A", "C"))


def chinese() -> Revision:
    """Four long reports in Chinese."""
    leads = ("窑很热。", "窑很冷。", "窑很新。", "窑是圆的。")
    texts = [CHINESE.format(lead=lead) for lead in leads]
    return ready_made("open_report_zh", {"query": "关于窑"}, texts, language=Language.ZH)


def next_command() -> Revision:
    """A plan and commands, of which the next is to be written."""
    slots = {
        "execution_plan": "1. Get the kiln.\n2. Fire it.",
        "executed_commands": "git clone kiln",
        "command_prefix": "make",
    }
    return ready_made("env_setup_action", slots, gold=("make fire",))
