"""Why a step can't be a wrong option, and what a reviewer is told of one that can."""

from dataclasses import replace

from generation.core.records import Step
from generation.core.registry import SUBTASKS
from generation.core.selection.conflicts import reason, why_not
from generation.core.selection.nodes import kind_of, nodes_of
from generation.core.selection.texts import names, normalise, overlap, topics
from tests.generation.core.runs import pool_of, qa_run, swe_run

PLAN = SUBTASKS["issue_fix_plan"]


def nodes(*runs, subtask=PLAN):
    return nodes_of(pool_of(subtask, list(runs)))


def test_an_earlier_step_is_no_option():
    own = nodes(swe_run(1))
    assert "done already" in str(why_not(own[4], own[0]))


def test_a_later_step_is_an_option_and_its_reason_names_what_is_unknown():
    own = nodes(swe_run(1))
    assert why_not(own[0], own[4]) is None
    assert reason(own[0], own[4]).startswith("Step 5 of this run, asked at step 1: it names ")


def test_a_later_step_of_the_same_sort_may_do_as_well_if_all_it_names_is_known():
    run = swe_run(1)
    steps = (
        Step("Look at the parser", "bash", {"command": "cat a"}, "cat a", ""),
        Step("And at the writer", "bash", {"command": "cat b"}, "cat b", ""),
    )
    own = nodes(replace(run, steps=(*steps, *run.steps[2:])))
    assert "may do as well" in str(why_not(own[0], own[1]))


def test_the_same_call_in_other_words_is_no_option():
    run = swe_run(1)
    again = replace(run.steps[0], thought="Something else entirely is said here")
    own = nodes(replace(run, steps=(run.steps[0], again)))
    assert why_not(own[0], own[1]) == "both make the same call"


def test_a_later_thought_that_quotes_a_later_observation_is_no_option():
    run = swe_run(1)
    text = "one two three four five six seven eight"
    steps = list(run.steps)
    steps[2] = replace(steps[2], observation=f"It says: {text}.")
    steps[5] = replace(steps[5], thought=f"It said {text}, so test `edge_x`")
    own = nodes(replace(run, steps=tuple(steps)))
    assert why_not(own[2], own[5]) == "it quotes what the run saw only later"
    assert why_not(own[3], own[5]) is None


def test_another_run_of_the_same_task_lends_nothing():
    one, two = swe_run(1), swe_run(2)
    two = replace(two, provenance=replace(two.provenance, cluster=one.provenance.cluster))
    first, second = nodes(one), nodes(two)
    assert "another run of the same task" in str(why_not(first[0], second[4]))


def test_a_call_that_the_run_s_tools_do_not_know_is_no_option():
    own = nodes(qa_run(1), subtask=SUBTASKS["closed_plan_en"])
    other = nodes(swe_run(1))
    assert "not declared" in str(why_not(own[0], other[4]))


def test_to_stop_is_wrong_where_the_work_goes_on_and_right_only_once():
    calls = SUBTASKS["closed_plan_en"]
    one, two = nodes(qa_run(1), subtask=calls), nodes(qa_run(2), subtask=calls)
    assert why_not(one[0], two[-1]) is None
    assert "goes on" in reason(one[0], two[-1])
    assert why_not(one[-1], two[-1]) == "both make the same call"


def test_what_sort_of_thing_a_step_does():
    def kind(command):
        return kind_of(Step("", "bash", {"command": command}, command, ""))

    assert kind("cd /testbed && python show.py") == "run"
    assert kind("grep -rn x . | head") == "look"
    assert kind("cd /testbed") == "cd"
    assert kind("rm x; ls") == "rm"
    editor = {"command": "str_replace", "path": "x"}
    assert kind_of(Step("", "str_replace_editor", editor, "", "")) == "edit"
    assert kind_of(Step("", "submit", {}, "submit", "")) == "submit"


def test_texts_are_compared_by_their_words():
    assert normalise("  Run `x.py`,  THEN stop! ") == "run x py then stop"
    assert normalise("Ａ１") == "a1"
    assert overlap(frozenset("ab"), frozenset("bc")) == 1 / 3
    assert overlap(frozenset(), frozenset()) == 0.0


def test_names_are_code_paths_and_identifiers():
    found = names("Look at `_LocIndexer` in pandas/core/indexing.py, not at get_item or DataFrame")
    assert found == {"_locindexer", "pandas/core/indexing.py", "get_item", "dataframe"}
    assert topics("who led Fiji on 17.01.2025") == {"fiji", "17.01.2025"}


def test_a_search_of_another_task_on_the_same_topic_may_do_as_well():
    calls = SUBTASKS["closed_plan_en"]
    run, other = qa_run(1), qa_run(2)
    near = replace(run.steps[0], thought="Look up more of it", tool="browse_website")
    near = replace(near, arguments={"url": "http://x", "question": run.steps[0].arguments["text"]})
    other = replace(other, steps=(near, *other.steps[1:]))
    asked = nodes(run, subtask=calls)[0]
    strangers = nodes(other, subtask=calls)
    assert "topic is this run's" in str(why_not(asked, strangers[0]))
    assert why_not(asked, strangers[1]) is None
