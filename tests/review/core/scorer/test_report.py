from review.core.scorer import report, score
from tests.review.core.scorer.make_export import make_row, write_export, write_predictions


def lines_of(tmp_path, **options) -> list[str]:
    folder = write_export(tmp_path / "e", [make_row("a"), make_row("b")])
    row = {"output": "B)", "model": "m\x1b[2J"}
    predictions = write_predictions(tmp_path / "p.jsonl", {"a": row, "b": {**row, "output": ""}})
    return report(score(folder, predictions, **options)).splitlines()


def test_the_table_opens_with_the_signature_and_shows_value_interval_and_chance(tmp_path):
    lines = lines_of(tmp_path)
    assert lines[0].startswith("apt-annotate ")
    row = next(line for line in lines if line.startswith("env_setup_plan"))
    assert row.split() == [
        "env_setup_plan",
        "accuracy",
        "0.5000",
        "[0.0945,",
        "0.9055]",
        "2",
        "0.2500",
    ]
    assert any("empty 1; without a label 1" in line for line in lines)
    assert any(line.startswith("average") and "null" in line for line in lines)


def test_every_line_says_compat(tmp_path):
    assert all("compat aptbench" in line for line in lines_of(tmp_path, compat="aptbench"))


def test_a_model_s_name_cannot_move_the_cursor(tmp_path):
    assert not any("\x1b" in line for line in lines_of(tmp_path))
