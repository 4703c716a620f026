"""Which records share a circle of distractors."""

import pytest

from generation.core.community import community_of


@pytest.mark.parametrize(
    ("cluster", "community"),
    [
        ("pandas-dev__pandas.95280573.pr_53652", "pandas-dev__pandas"),
        ("mewwts__addict.75284f95.combine_file__0abc", "mewwts__addict"),
        ("marshmallow-code__marshmallow-1867", "marshmallow-code__marshmallow"),
        ("socketio__socket.io-12", "socketio__socket.io"),
        ("SWE-agent__test-repo-i1", "swe-agent__test-repo"),
        ("swe-agent__test-repo-1", "swe-agent__test-repo"),
        ("6e44b9__sweagenttestrepo-1c2844", "sweagenttestrepo"),
        ("facade__x-1", "facade__x"),
        ("humanevalfix-python-0", "humanevalfix-python"),
        ("acme__len.1", "acme__len"),
        ("acme__len", "acme__len"),
    ],
)
def test_an_instance_id_names_its_repository(cluster, community):
    assert community_of("swe_smith", cluster, "en") == community
    assert community_of("openhands", cluster, "en") == community


@pytest.mark.parametrize("cluster", ["who won in 1996-2", "", "kiln", "谁赢了-2019"])
def test_a_task_without_a_repository_belongs_to_all_runs_of_its_kind_and_language(cluster):
    assert community_of("infodeepseek", cluster, "zh") == "infodeepseek:zh"
