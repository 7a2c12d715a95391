"""``entropick select`` and ``demo`` in this process: options, forms of output, files that are written."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import entropick as ep
from entropick.cli.app import app
from entropick.selection import Selection


def invoke(*words, code=0):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def chosen(*words):
    return Selection.from_json(invoke(*words, "-o", "json").stdout)


def test_same_answer_as_in_python(table, frame):
    from_file = chosen("select", table, "--target", "label", "--method", "jmi", "-k", "3")
    in_python = ep.select(frame, "label", method="jmi", k=3)
    assert from_file.names == in_python.names
    assert from_file.scores.tolist() == in_python.scores.tolist()


@pytest.mark.parametrize("ending", [".csv", "semicolon.csv", ".tsv", ".parquet", ".csv.gz"])
def test_same_answer_from_every_kind_of_file(tmp_path, frame, ending):
    path = tmp_path / f"data{ending}"
    if ending == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep={".tsv": "\t", "semicolon.csv": ";"}.get(ending, ","))
    expected = ep.select(frame, "label", method="cmim", k=4)
    assert chosen("select", path, "-t", "label", "-m", "cmim", "-k", "4").names == expected.names


@pytest.mark.parametrize(("k", "number"), [("1", 1), ("0.4", 2), ("all", 5)])
def test_k(table, k, number):
    assert len(chosen("select", table, "-t", "label", "-k", k)) == number


def test_k_above_the_columns_takes_all(table):
    selection = chosen("select", table, "-t", "label", "-k", "99")
    assert len(selection) == 5
    assert "k = 99 is above the 5 features available, so all are selected" in selection.notes


def test_auto_is_the_default(table):
    assert chosen("select", table, "-t", "label").names == chosen("select", table, "-t", "label", "-k", "auto").names


def test_table(table):
    text = invoke("select", table, "-t", "label", "-k", "2").stdout
    assert text.splitlines()[0].split()[1:3] == ["feature", "score"]
    assert "joint chose 2 of 5 features from 300 rows, scores in nats" in text
    assert max(map(len, text.splitlines())) <= 80


def test_explain(table):
    text = invoke("select", table, "-t", "label", "-k", "2", "--explain").stdout
    assert "  1. left   score" in text
    assert "selected as a pair with right" in " ".join(text.split())
    assert text.count("joint chose") == 1


def test_csv(table):
    rows = list(csv.DictReader(io.StringIO(invoke("select", table, "-t", "label", "-k", "3", "-o", "csv").stdout)))
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert [row["feature"] for row in rows] == ["left", "right", "hint"]
    assert float(rows[0]["score"]) == ep.select(pd.read_csv(table), "label", k=3).scores[0]


def test_include_exclude_drop(table):
    names = chosen("select", table, "-t", "label", "-k", "3", "--include", "noise", "--exclude", "hint,colour").names
    assert names[0] == "noise"
    assert set(names) == {"noise", "left", "right"}
    selection = chosen("select", table, "-t", "label", "-k", "all", "--drop", "hint", "--drop", "colour,noise")
    assert selection.feature_names == ("left", "right")


def test_options_reach_the_method(table):
    selection = chosen("select", table, "-t", "label", "-m", "mifs", "-k", "2", "--option", "beta=0.25")
    assert selection.options["beta"] == 0.25


def test_discretizer_jobs_seed_task(table):
    words = ["select", table, "-t", "label", "-k", "3", "--discretizer", "3", "--jobs", "1", "--seed", "1"]
    assert chosen(*words, "--task", "classification").names == chosen(*words, "--quiet").names


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_hostile_names(hostile, hostile_names, form):
    text = invoke("select", hostile, "-t", "y", "-k", "all", "-o", form).stdout
    if form == "table":
        assert "\x1b" not in text
        assert len(text.split("\n\n")[0].splitlines()) >= len(hostile_names) + 1
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {row["feature"] for row in rows} == set(hostile_names)
    else:
        assert set(Selection.from_json(text).names) == set(hostile_names)


def test_hostile_names_can_be_named(hostile):
    names = chosen("select", hostile, "-t", "y", "-k", "2", "--exclude", 'a,"b"', "--include", "line\nbreak").names
    assert names[0] == "line\nbreak"
    assert 'a,"b"' not in names


@pytest.mark.parametrize("ending", ["json", "csv", "txt", "html", "JSON"])
def test_save(table, tmp_path, ending):
    path = tmp_path / f"result.{ending}"
    path.write_text("old")
    result = invoke("select", table, "-t", "label", "-k", "2", "-o", "json", "--save", path)
    text = path.read_text("utf-8")
    assert "hint" in text
    if ending.lower() == "json":
        assert json.loads(text) == json.loads(result.stdout)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv", path.name]
    assert str(path) in result.stderr


def test_saved_file_has_ordinary_rights(table, tmp_path):
    path = tmp_path / "result.json"
    invoke("select", table, "-t", "label", "-k", "2", "--save", path)
    assert path.stat().st_mode == table.stat().st_mode


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_half_written(table, tmp_path, monkeypatch, error):
    path = tmp_path / "result.json"
    path.write_text("old")

    def fail(*_):
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    result = invoke(
        "select", table, "-t", "label", "-k", "2", "--quiet", "--save", path,
        code=130 if isinstance(error, KeyboardInterrupt) else 1,
    )  # fmt: skip
    assert path.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv", "result.json"]
    assert result.stdout == ""
    said = "" if isinstance(error, KeyboardInterrupt) else f"error: {path}: No space left on device\n"
    assert result.stderr == said


def test_interrupt_is_quiet(table, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(ep, "select", interrupted)
    result = invoke("select", table, "-t", "label", "--quiet", code=130)
    assert result.output == ""


def test_memory_error_is_told(table, monkeypatch):
    def greedy(*_, **__):
        raise MemoryError

    monkeypatch.setattr(ep, "select", greedy)
    assert invoke("select", table, "-t", "label", "-q", code=1).stderr.startswith("error: not enough memory")


def test_warnings_are_lines(table, monkeypatch):
    from entropick.errors import EntropickWarning

    original = ep.select

    def warned(*args, **kwargs):
        import warnings

        warnings.warn("something\nto know", EntropickWarning, stacklevel=1)
        return original(*args, **kwargs)

    monkeypatch.setattr(ep, "select", warned)
    words = ["select", table, "-t", "label", "-k", "2", "-o", "json"]
    assert invoke(*words).stderr.endswith("\nwarning: something to know\n")
    assert invoke(*words, "--quiet").stderr == ""


def mistakes(folder: Path):
    data = ["select", folder / "data.csv", "-t", "label"]
    return {
        "no such file": ["select", folder / "nowhere.csv", "-t", "label"],
        "folder": ["select", folder, "-t", "label"],
        "empty file": ["select", folder / "empty.csv", "-t", "label"],
        "header only": ["select", folder / "header.csv", "-t", "label"],
        "not text": ["select", folder / "binary.csv", "-t", "label"],
        "not parquet": ["select", folder / "binary.parquet", "-t", "label"],
        "unknown ending": ["select", folder / "data.xyz", "-t", "label"],
        "one class": ["select", folder / "constant.csv", "-t", "label"],
        "missing target": ["select", folder / "data.csv"],
        "target not there": ["select", folder / "data.csv", "-t", "lable"],
        "only a target": ["select", folder / "only.csv", "-t", "label"],
        "target dropped": [*data, "--drop", "label"],
        "all dropped": [*data, "--drop", "left,right,hint,noise,colour"],
        "method": [*data, "-m", "jmii"],
        "k word": [*data, "-k", "many"],
        "k zero": [*data, "-k", "0"],
        "k fraction": [*data, "-k", "1.5"],
        "option form": [*data, "--option", "beta"],
        "option name": [*data, "--option", "beta=1"],
        "option value": [*data, "-m", "mifs", "--option", "beta=much"],
        "discretizer": [*data, "--discretizer", "magic"],
        "bins": [*data, "--discretizer", "0"],
        "missing": [*data, "--missing", "magic"],
        "task": [*data, "--task", "magic"],
        "search": [*data, "--search", "magic"],
        "alpha": [*data, "--alpha", "2"],
        "test": [*data, "--test", "magic"],
        "jobs": [*data, "--jobs", "0"],
        "seed": [*data, "--seed", "soon"],
        "include": [*data, "--include", "nobody"],
        "include and exclude": [*data, "--include", "left", "--exclude", "left"],
        "output": [*data, "-o", "yaml"],
        "explain json": [*data, "-o", "json", "--explain"],
        "save ending": [*data, "--save", folder / "x.docx"],
        "save folder": [*data, "--save", folder / "nowhere" / "x.json"],
        "unknown flag": [*data, "--frobnicate"],
        "unknown command": ["slect"],
        "methods name": ["methods", "jmii"],
        "demo folder": ["demo", "--folder", folder / "data.csv"],
    }


@pytest.mark.parametrize("mistake", mistakes(Path()))
def test_a_mistake_is_one_line_and_code_one(table, tmp_path, mistake):
    (tmp_path / "empty.csv").touch()
    (tmp_path / "header.csv").write_text("a,label\n")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "binary.parquet").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "data.xyz").write_text("a,label\n1,2\n")
    (tmp_path / "constant.csv").write_text("a,label\n1,x\n2,x\n3,x\n")
    (tmp_path / "only.csv").write_text("label\n1\n2\n")
    before = sorted(tmp_path.rglob("*"))
    words = mistakes(tmp_path)[mistake]
    quiet = ["--quiet"] if words[0] == "select" else []  # else the roles of the columns come first
    result = invoke(*words, *quiet, code=1)
    assert result.stdout == ""
    (error,) = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert len(error) > 20
    assert "Traceback" not in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_debug_shows_the_traceback(table):
    result = invoke("select", table, "-t", "lable", "--debug", code=1)
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("error: --target: no column 'lable'")
    assert "Did you mean 'label'?" in result.stderr


def test_demo(tmp_path):
    folder = tmp_path / "made" / "here"
    text = invoke("demo", "--folder", folder).stdout
    selection = Selection.from_json((folder / "selection.json").read_text("utf-8"))
    assert len(selection) == 6
    assert all(name in text for name in selection.names)
    assert str(folder / "report.html") in text
    assert (folder / "report.html").read_text("utf-8").startswith("<!doctype html>")
    assert sorted(p.name for p in folder.iterdir()) == ["report.html", "selection.json"]


def test_methods():
    frame = ep.methods()
    listed = json.loads(invoke("methods", "-o", "json").stdout)
    assert [record["method"] for record in listed] == list(frame.index)
    one = json.loads(invoke("methods", "mifs", "-o", "json").stdout)
    assert one["options"]["beta"]["default"] == 1.0
    rows = list(csv.DictReader(io.StringIO(invoke("methods", "-o", "csv").stdout)))
    assert [row["method"] for row in rows] == list(frame.index)
    assert "option beta" in invoke("methods", "mifs").stdout


def test_help_and_version():
    assert "select" in invoke().stdout
    assert "select" in invoke("--help").stdout
    assert "--target" in invoke("select", "-h").stdout
    assert invoke("--version").stdout == f"entropick {ep.__version__}\n"
