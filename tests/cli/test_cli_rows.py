"""Where ``entropick select`` takes its rows from, and what it says about their columns before it starts."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import entropick as ep
from entropick.cli.app import app
from entropick.cli.rows import Rows
from entropick.selection import Selection


def invoke(*words, code=0, **extra):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["select", *map(str, words)], **extra)
    assert result.exit_code == code, result.output
    return result


def chosen(*words, **extra):
    return Selection.from_json(invoke(*words, "-t", "label", "-k", "3", "-o", "json", "-q", **extra).stdout)


def test_several_files_folders_and_patterns(tmp_path, frame):
    folder = tmp_path / "parts"
    folder.mkdir()
    frame[:100].to_csv(folder / "1.csv", index=False)
    frame[100:200].to_parquet(folder / "2.parquet", index=False)
    frame[200:].to_csv(folder / "3.csv", index=False, sep=";")
    expected = ep.select(frame, "label", k=3)
    for inputs in ([folder], [folder / "*"], sorted(folder.iterdir())):
        selection = chosen(*inputs)
        assert selection.names == expected.names
        assert selection.scores.tolist() == expected.scores.tolist()
        assert selection.n_samples == 300


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_standard_input(environment, frame, tmp_path, form):
    path = tmp_path / f"data.{form}"
    frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path)
    words = [sys.executable, "-m", "entropick.cli", "select", "-", "-t", "label", "-k", "3", "-o", "json"]
    with open(path, "rb") as file:
        done = subprocess.run(words, stdin=file, capture_output=True, env={**environment, "TMPDIR": str(tmp_path)})
    assert json.loads(done.stdout)["n_samples"] == 300
    assert done.stderr.decode().startswith("-: 300 rows, 6 columns\n")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_sql(table, frame):
    sql = 'SELECT *, "left" + "right" AS both FROM data WHERE colour <> \'red\''
    some = frame[frame.colour != "red"].assign(both=frame.left + frame.right)
    expected = ep.select(some, "label", k=3)
    selection = chosen(table, "--sql", sql)
    assert selection.names == expected.names
    assert "both" in selection.feature_names


def test_roles_are_shown_first(tmp_path, frame):
    path = tmp_path / "data.csv"
    frame.assign(who=[f"p{i}" for i in range(300)], case=range(300), none="").to_csv(path, index=False)
    words = [path, "-t", "label", "-k", "2", "-o", "json", "--id", "case", "--drop", "noise", "--categorical", "left"]
    assert invoke(*words).stderr.splitlines() == [
        f"{path}: 300 rows, 9 columns",
        "target: label (classes)",
        "numbers: right, hint",
        "categories: left, colour, who",
        "empty: none",
        "left out: noise",
        "ids: case",
        "probably ids: who (ignored unless named with --include)",
    ]
    assert invoke(*words, "--quiet").stderr == ""


def test_many_columns_are_counted(tmp_path):
    path = tmp_path / "wide.csv"
    frame = pd.DataFrame({f"c{j}": [0.5, 1.5] * 10 for j in range(7)}).assign(label=[1.5, 2] * 10)
    frame.to_csv(path, index=False)
    roles = invoke(path, "-t", "label", "-k", "2").stderr.splitlines()
    assert roles[1:3] == ["target: label (numbers)", "numbers: c0, c1, c2, c3, … (7)"]


@pytest.mark.parametrize(
    ("values", "task", "told"),
    [
        ([0, 1] * 15, "auto", "integers, treated as classes"),
        ([*range(29), 0], "auto", "integers, 29 values, treated as classes; for a quantity use --task regression"),
        ([*range(29), 0], "regression", "integers, treated as a quantity"),
        ([float(v) for v in [*range(29), 0]], "auto", "numbers, 29 values, treated as classes; for a quantity use"),
        ([0.5, 1.0] * 15, "auto", "numbers)"),
        ([0.5, 0.5, 1.5] * 10, "regression", "numbers, treated as a quantity"),
        ([float(v) for v in range(40)], "auto", "numbers, 40 values, treated as a quantity; for classes use"),
    ],
)
def test_what_a_target_of_numbers_is_taken_for(tmp_path, values, task, told):
    path = tmp_path / "data.csv"
    pd.DataFrame({"a": np.resize([0.5, 1.5, 2.5], len(values)), "label": values}).to_csv(path, index=False)
    said = invoke(path, "-t", "label", "-k", "1", "--task", task).stderr.splitlines()[1]
    assert said.startswith(f"target: label ({told}")


def test_rows_without_a_target_are_left_out_or_refused(tmp_path):
    """The answer is that of the file without them, in memory and in blocks: the rows take more than a megabyte."""
    path, whole = tmp_path / "data.csv", tmp_path / "whole.csv"
    whole.write_text("a,label\n" + "1,x\n2,y\n" * 50_000)
    path.write_text("a,label\n3,\n" + "1,x\n2,y\n" * 50_000 + "3,\n")
    expected = Selection.from_json(invoke(whole, "-t", "label", "-k", "1", "-m", "jmi", "-o", "json").stdout)
    for memory in ([], ["--memory", "1MB"]):
        words = [path, "-t", "label", "-k", "1", "-m", "jmi", *memory]
        found = Selection.from_json(invoke(*words, "-o", "json").stdout)
        assert found.scores.tolist() == expected.scores.tolist()
        assert found.n_samples == 100_000
        assert "2 of 100002 rows left out: no value of 'label'" in found.notes
        refused = invoke(*words, "--missing-target", "error", code=1).stderr.splitlines()[-1]
        assert "--target: 2 rows without 'label'; fill them in, or use --missing-target drop" in refused
    assert "must be 'drop' or 'error'" in invoke(path, "-t", "label", "--missing-target", "no", code=1).stderr


def test_labels_stay_as_they_are(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,label\n" + "1,yes\n" * 10)
    assert "got 1 class ('yes')" in invoke(path, "-t", "label", code=1).stderr


def test_kinds(tmp_path):
    """A code of two values in three digits: `007` and `7` differ as texts, and not as numbers."""
    path = tmp_path / "data.csv"
    path.write_text("code,label\n" + "007,a\n7,b\n" * 20)
    words = [path, "-t", "label", "-m", "jmi", "-k", "1", "-o", "json", "-q"]
    as_text = Selection.from_json(invoke(*words).stdout)
    as_number = Selection.from_json(invoke(*words, "--numeric", "code").stdout)
    assert as_text.scores[0] == pytest.approx(0.6931471805599453)  # log 2
    assert as_number.scores[0] == 0


def test_words_for_missing_and_encoding(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes("größe,label\nkeine,a\n2,b\n".encode("latin-1") + b"keine,a\n3,b\n" * 20)
    result = invoke(path, "-t", "label", "-k", "1", "--encoding", "latin-1", "--na", "keine")
    assert "numbers: größe" in result.stderr
    assert "categories: größe" in invoke(path, "-t", "label", "-k", "1", "--encoding", "latin-1").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--categorical", "nobody"], "--categorical: no column 'nobody' in the file"),
        (["--numeric", "colour"], "numeric: column 'colour' must hold numbers, got '"),
        (["--numeric", "hint", "--categorical", "hint"], "numeric: 'hint' is also in categorical"),
        (["--id", "label"], "--id: must not be the target"),
        (["--sql", "SELEC"], "sql: Parser Error"),
        (["--sql", "DROP VIEW data"], "sql: must be a single query that returns rows"),
        (["--sql", "SELECT 1 AS a FROM data"], "--target: no column 'label'"),
        (["--memory", "lots"], "memory: "),
        (["--encoding", "klingon"], "encoding: must be a text encoding"),
        (["nowhere.csv"], "no file 'nowhere.csv'"),
        (["*.nothing"], "no file matches '*.nothing'"),
        (["-"], "standard input (-) cannot be combined with other files"),
    ],
)
def test_mistakes_are_one_line(table, words, said):
    result = invoke(table, "-t", "label", *words, code=1)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_limit_of_memory_changes_nothing(tmp_path, frame):
    """12 000 rows take more than a megabyte, so that they are gone through in blocks."""
    path = tmp_path / "data.csv"
    large = pd.concat([frame] * 40)
    large.to_csv(path, index=False)
    expected = ep.select(large, "label", k=3)
    selection = chosen(path, "--memory", "1MB")
    assert selection.names == expected.names
    assert selection.scores.tolist() == expected.scores.tolist()


@pytest.mark.parametrize("method", ["jmi", "joint"])
def test_statistics_are_saved_merged_and_selected_from(tmp_path, frame, method):
    """Two halves, coded alike, give what the whole gives; no rows are needed for the last step.

    Pairs that say something only together are found on rows alone.
    """
    whole, parts = tmp_path / "whole.csv", [tmp_path / "1.csv", tmp_path / "2.csv"]
    for part, path in zip((frame, frame[:170], frame[170:]), (whole, *parts), strict=True):
        part.to_csv(path, index=False)
    how = ["-m", method, *(["--option", "interactions=false"] if method == "joint" else [])]
    words = [*how, "-t", "label", "-k", "3", "-q", "-o", "json"]
    invoke(whole, *words, "--save-statistics", tmp_path / "rules.stats")
    for part in parts:
        invoke(part, *words, "--coding", tmp_path / "rules.stats", "--save-statistics", part.with_suffix(".stats"))
    halves = [part.with_suffix(".stats") for part in parts]
    result = CliRunner().invoke(app, ["merge", *map(str, halves), "-o", str(tmp_path / "all.stats"), "-q"])
    assert result.exit_code == 0, result.output
    from_statistics = Selection.from_json(invoke(tmp_path / "all.stats", *how, "-k", "3", "-o", "json", "-q").stdout)
    expected = ep.select(frame, "label", method=method, k=3, **({"interactions": False} if method == "joint" else {}))
    assert from_statistics.names == expected.names
    assert from_statistics.scores.tolist() == expected.scores.tolist()
    assert "saved for 'label', got 'hint'" in invoke(tmp_path / "all.stats", "-t", "hint", code=1).stderr
    assert "merge them first" in invoke(*halves, code=1).stderr


def test_a_target_is_needed(table):
    told = invoke(table, code=1).stderr
    assert told.startswith(f"error: --target: must name the column to predict. {table} has: ")
    assert "label" in told


@pytest.mark.parametrize(("quiet", "terminal"), [(False, True), (True, True), (False, False)])
def test_a_sign_of_life_while_a_file_is_looked_at(table, monkeypatch, quiet, terminal):
    """On a terminal only, and gone before anything else is said."""
    stream = io.StringIO()
    stream.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with Rows([str(table)], "label").opened(quiet):
        pass
    before, _, after = stream.getvalue().partition("rows, 6 columns\n")
    assert ("reading " in before) == (terminal and not quiet)
    assert "reading " not in after
    assert bool(after) != quiet


@pytest.mark.parametrize("words", [["-t", "@", "-k", "1"], ["-t", "@x", "-k", "1"], ["-t", "b", "--include", "@q"]])
def test_a_name_of_any_length_is_told_by_its_beginning(tmp_path, words):
    """Once 100 kB of a name were printed, three times where it was misspelt."""
    name = "T" * 100_000
    rows = "".join(f"{i % 3},{i % 5},{i % 2}\n" for i in range(60))
    (tmp_path / "a.csv").write_text(f"a,b,{name}\n{rows}")
    words = [word.replace("@", name) for word in words]
    told = CliRunner().invoke(app, ["select", str(tmp_path / "a.csv"), *words])
    assert "T" * 400 in told.stderr
    assert len(told.stderr) < 3000
    assert "T" * 501 not in told.stderr + told.stdout
