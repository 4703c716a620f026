"""Runs to plant leaks in: real ones where the shared data is there, and ones written here."""

import json
from dataclasses import dataclass
from functools import cache

from generation.core.records import Step
from tests.shared_data import DATA


@dataclass(frozen=True)
class Run:
    """A task, its steps and its answer."""

    name: str
    task: str
    steps: tuple[Step, ...]
    final_answer: str = ""


def step(thought: str, action: str, observation: str) -> Step:
    return Step(thought=thought, tool="", arguments={}, action=action, observation=observation)


@cache
def real_repairs() -> tuple[Run, ...]:
    """The SWE-agent runs of the shared data, read without the importers."""
    runs = []
    for path in sorted((DATA / "swe_smith_traj" / "trajectories").glob("*/*.traj")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        task = raw["history"][1]["content"][0]["text"]
        steps = tuple(
            step(turn["thought"], turn["action"], turn["observation"]) for turn in raw["trajectory"]
        )
        runs.append(Run(path.stem, task, steps))
    return tuple(runs)


@cache
def real_searches(language: str) -> tuple[Run, ...]:
    """The search runs of the shared data that have at least two steps."""
    path = DATA / "infodeepseek" / f"trajectories_{language}.jsonl"
    runs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        steps = tuple(
            step(
                turn["planning"] or "",
                json.dumps(turn["execution"], ensure_ascii=False),
                turn.get("observation") or "",
            )
            for turn in raw["trajectory"]
        )
        if len(steps) > 1:
            runs.append(Run(str(raw["traj_id"]), raw["query"], steps, raw["agent_short_answer"]))
    return tuple(runs)


WRITTEN = (
    Run(
        "slow-report",
        "The nightly report takes an hour since the invoice table grew. Make it finish in a minute.",
        (
            step(
                "See which query the report runs.",
                "grep -rn execute report/nightly.py",
                "report/nightly.py:41: rows = db.execute(SUM_BY_CUSTOMER)\n"
                "report/nightly.py:77: db.execute(MARK_DONE, (today,))",
            ),
            step(
                "Time the slow query by itself.",
                "python -m report.time_query SUM_BY_CUSTOMER",
                "seq scan on invoice, 48213977 rows\nquery took 3541.27 seconds, peak memory 912.4 MB",
            ),
            step(
                "An index on the customer and the month would let the database skip the scan.",
                "psql -f migrations/0042_invoice_month.sql",
                "CREATE INDEX invoice_customer_month_idx\nTime: 88412.903 ms",
            ),
            step(
                "Time the query again with the index in place.",
                "python -m report.time_query SUM_BY_CUSTOMER",
                "index only scan using invoice_customer_month_idx\nquery took 17.88 seconds",
            ),
            step(
                "The window is cut by local time; the cut-off in the log should tell which day is read.",
                "tail -n 3 var/log/nightly/run_0719.log",
                "2031-07-19 02:00:11 started by cron as batch_reporter\n"
                "2031-07-19 02:00:31 wrote 5127 customers to s3 prefix monthly-rollup/2031/07\n"
                "see https://wiki.example.org/reports/nightly-rollup#cutoff for the rule",
            ),
            step(
                "Commit the migration together with the note on the cut-off.",
                "git commit -am 'Index invoices by customer and month'",
                "[main 7fe21c09ab] Index invoices by customer and month\n 2 files changed, 31 insertions(+)",
            ),
            step(
                "Run the checks of the report before handing over.",
                "pytest -q tests/report",
                "...........\n11 passed in 6.42s",
            ),
            step("All done, hand it in.", "submit", "accepted: report finished in 19.06 seconds"),
        ),
    ),
    Run(
        "桥梁",
        "这座石拱桥是哪一年建成的，设计者是谁？",
        (
            step(
                "先搜索这座石拱桥的基本资料",
                '{"name": "web_search", "args": {"text": "石拱桥 建成 年份"}}',
                "title: 清溪镇概况\nbody: 清溪镇位于山谷之中，古时商旅往来必经此地，镇上有茶馆、药铺和一座古桥。\n"
                "url: https://example.org/qingxi/overview",
            ),
            step(
                "打开镇志中关于桥梁的章节",
                '{"name": "browse_website", "args": {"url": "https://example.org/qingxi/overview"}}',
                "镇志第三卷记载，桥由匠人林守拙主持修建，历时四年，于一七八三年秋天合龙，"
                "桥身全长四十二丈，用石料一万八千余块。",
            ),
            step(
                "核对另一份县志的说法",
                '{"name": "web_search", "args": {"text": "县志 林守拙 石拱桥"}}',
                "县志所载与镇志相同，并补充说桥头石碑由知县题写，碑文至今仍可辨认，"
                "碑上日期为2029年4月17日重新描红。\nurl: https://example.org/xianzhi/vol7?page=318",
            ),
            step(
                "两份资料一致，可以回答",
                '{"name": "task_complete", "args": {}}',
                "答案已经记录，评审意见：设计者姓名与建成年份均与参考资料吻合，无需补充检索。",
            ),
        ),
        "一七八三年，林守拙",
    ),
)
