"""`entropick compare`: the table, its other forms, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from entropick.evaluation.comparison import Comparison

SMALL = ("--methods", "jmi,mim", "-k", "1,2", "--resamples", "3", "--jobs", "1", "--estimators", "3-NN")


def test_the_answer_in_words(invoke, table):
    done = invoke("compare", table, "--target", "label", *SMALL)
    lines = done.stdout.splitlines()
    assert lines[0] == "error in %, 3-NN; stability at k = 2; selection time"
    assert lines[1].split() == ["method", "k", "=", "1", "k", "=", "2", "stability", "seconds"]
    assert [line.split()[0] for line in lines[2:4]] == ["jmi", "mim"]
    assert "jmi with at least 2 of 5 features: 3-NN misclassifies" in done.stdout
    assert "More than 2 features were not tried and may do better." in " ".join(done.stdout.split())
    assert "features: hint, " in done.stdout
    assert "300 rows, stratified 3-fold cross-validation; selection" in done.stdout
    assert all(len(line) <= 80 for line in lines)
    assert "target: label (classes)" in done.stderr


def test_interactions_are_for_a_page(invoke, table, tmp_path):
    page = tmp_path / "page.html"
    invoke("compare", table, "-t", "label", *SMALL, "--interactions", "-o", page)
    assert '"interactions":{"words":' in page.read_text("utf-8")
    refused = invoke("compare", table, "-t", "label", *SMALL, "--interactions", code=1)
    assert "--interactions: needs --output FILE.html" in refused.stderr


def test_defaults_leave_out_what_cannot_be(invoke, table):
    shown = invoke("compare", table, "-t", "label", "-k", "2", "--resamples", "3", "--jobs", "1").stdout
    assert "spec.cmi" in shown
    assert "note: gc.mi is left out: it needs numbers, got categories in 'colour'" in " ".join(shown.split())


def test_json_csv_and_files(invoke, table, tmp_path):
    found = Comparison.from_json(invoke("compare", table, "-t", "label", *SMALL, "-o", "json").stdout)
    assert found.methods == ("jmi", "mim")
    assert found.settings["target"] == "label"
    shown = invoke("compare", table, "-t", "label", *SMALL, "-o", "csv").stdout
    assert shown.splitlines()[0] == "method,estimator,k,mean,std,se"
    assert len(shown.splitlines()) == 1 + 4
    done = invoke("compare", table, "-t", "label", *SMALL, "-o", "out.json")
    assert "jmi with at least 2 of 5 features" in done.stdout
    assert done.stderr.endswith("saved: out.json\n")
    saved = Comparison.from_json((tmp_path / "out.json").read_text("utf-8"))
    pd.testing.assert_frame_equal(saved.scores, found.scores)
    assert invoke("compare", table, "-t", "label", *SMALL, "-o", "out.csv", "--quiet").stderr == ""
    assert (tmp_path / "out.csv").read_text("utf-8") == shown


def test_the_report(invoke, table, tmp_path):
    done = invoke("compare", table, "-t", "label", *SMALL, "--output", "report.html", "--quiet")
    assert "jmi with at least 2 of 5 features" in done.stdout
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "hint" in page


def test_resume_and_bootstraps(invoke, table, tmp_path):
    words = ("compare", table, "-t", "label", "-m", "mim", "-k", "2", "--bootstrap", "4", "--jobs", "1", "-o", "json")
    first = invoke(*words, "--resume", "kept").stdout
    assert len(list((tmp_path / "kept").iterdir())) == 4
    again = invoke(*words, "--resume", "kept").stdout
    assert json.loads(first)["times"] == json.loads(again)["times"]  # read, not run again
    assert "4 bootstraps" in first


def test_hostile_names(invoke, hostile, hostile_names):
    shown = invoke("compare", hostile, "-t", "y", "-m", "mim", "-k", "7", "--resamples", "3", "--jobs", "1").stdout
    assert "\x1b" not in shown
    assert "[red]bold[/red]" in shown
    assert "line break" in shown


def test_drop(invoke, table):
    shown = invoke("compare", table, "-t", "label", *SMALL, "--drop", "hint,left").stdout
    assert "of 3 features" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--methods", "jmin"), "no method 'jmin'. Did you mean 'jmi'?"),
        (("--methods", ","), "--methods: must be names or numbers separated by commas"),
        (("-k", "2,x"), "-k: must be whole numbers separated by commas, got 'x'"),
        (("-k", "6"), "k: must be from 1 to 5"),
        (("--resamples", "ten"), "--resamples: must be like 5x2"),
        (("--output", "report.pdf"), "--output: must be table, json, csv or a file that ends in .html, .json, .csv"),
        (("--output", "nowhere/out.json"), "--output: must be a file in an existing folder"),
        (("--estimators", "4-NN"), "no estimator '4-NN'. Did you mean '3-NN'?"),
        (("--drop", "label"), "--drop: must not be the target"),
        (("--target", "lable"), "--target: no column 'lable'"),
        (("--bootstrap", "1"), "bootstraps: must be an integer of at least 2"),
        (("--resume", "data.csv"), "resume: must be a folder"),
        (("--methods", "gc.mi"), "'gc.mi' needs numbers, got categories in 'colour'"),
    ],
)
def test_what_is_refused(invoke, table, words, said):
    done = invoke("compare", table, "--target", "label", *SMALL, *words, code=1)
    assert said in done.stderr.splitlines()[-1]
    assert done.stderr.count("error:") == 1
    assert done.stdout == ""


def test_a_file_is_read_as_by_select(invoke, tmp_path):
    """Ids left out, words for missing, an encoding, a query: rows 0, 4, 8, … have no target."""
    lines = [
        f"{i},{'?' if i % 7 == 0 else i % 2},été,{'' if i % 4 == 0 else 'no' if i % 2 else 'yes'}" for i in range(80)
    ]
    (tmp_path / "data.csv").write_bytes("\n".join(["number,hint,season,y", *lines, ""]).encode("latin-1"))
    words = ("compare", "data.csv", "-t", "y", "-m", "mim", "-k", "1", "--resamples", "3", "--jobs", "1")
    refused = invoke(*words, "--encoding", "latin-1", "--missing-target", "error", code=1).stderr
    assert "20 rows without 'y'" in refused
    done = invoke(
        *words,
        "--encoding",
        "latin-1",
        "--na",
        "?",
        "--id",
        "number",
        "--sql",
        "SELECT * FROM data WHERE y IS NOT NULL",
    )
    assert "ids: number" in done.stderr
    assert "60 rows, stratified 3-fold" in done.stdout
    assert "features: hint" in done.stdout


def test_a_warning_is_one_line_without_code(invoke, tmp_path):
    """Thirty features of two classes with 25 rows each, chosen jointly: covariances are shrunk, and that is said."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(50, 40)), columns=[f"v{j}" for j in range(40)])
    frame.assign(y=["u", "v"] * 25).to_csv(tmp_path / "noise.csv", index=False)
    words = ("compare", "noise.csv", "-t", "y", "-m", "gc.mi", "-k", "30", "--resamples", "2", "--jobs", "1")
    told = invoke(*words, "--estimators", "3-NN").stderr
    assert "warning: X: class" in told
    assert "run.py" not in told
    assert "Warning" not in told
    assert "warning" not in invoke(*words, "--estimators", "3-NN", "--quiet").stderr


def test_the_page_tells_how_the_file_was_read(invoke, table, tmp_path):
    read = ("--drop", "colour", "--sql", "SELECT * FROM data WHERE hint IS NOT NULL")
    invoke("compare", table, "--target", "label", *SMALL, *read, "--output", "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "--target label --drop colour --sql 'SELECT * FROM data WHERE hint IS NOT NULL' --methods" in page


def test_events_and_times(invoke, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 3))
    time = random.exponential(np.exp(-2 * X[:, 0]))
    limit = random.exponential(2.0, 120)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["died"], frame["days"] = np.where(time <= limit, "yes", "no"), np.minimum(time, limit)
    frame.loc[3, "days"] = None
    frame.loc[5, "died"] = None
    frame.to_csv(tmp_path / "patients.csv", index=False)
    words = ("compare", "patients.csv", "-t", "days", "--event", "died", "-m", "joint", "-k", "1", "--resamples", "3")
    done = invoke(*words, "--jobs", "1")
    assert "C-index, Cox model" in done.stdout
    assert "features: a" in done.stdout
    assert "118 rows" in done.stdout
    found = Comparison.from_json(invoke(*words, "--jobs", "1", "-o", "json").stdout)
    assert found.task == "survival"
    assert found.feature_names == ("a", "b", "c")
    invoke(*words, "--jobs", "1", "-o", "page.html")
    assert "--target days --event died" in (tmp_path / "page.html").read_text("utf-8")
    wrong = invoke("compare", "patients.csv", "-t", "days", "--event", "a", code=1)
    assert "--event: must be a column of 0 and 1, or of yes and no, got 'a'" in wrong.stderr
    refused = invoke(*words, "--interactions", "-o", "page.html", code=1)
    assert "--interactions: does not support events and times" in refused.stderr


def test_periods(invoke, tmp_path):
    random = np.random.default_rng(0)
    label, year = random.integers(0, 2, 400), np.repeat([2023, 2024], 200)
    frame = pd.DataFrame({"good": label + random.normal(size=400), "moves": label + random.normal(size=400)})
    frame["moves"] += 3 * (year == 2024)
    frame["year"], frame["label"] = year, label
    frame.to_csv(tmp_path / "years.csv", index=False)
    words = ("compare", "years.csv", "-t", "label", "--period", "year", *SMALL)
    shown = " ".join(invoke(*words).stdout.split())
    assert "lasts: good; drifts: moves" in shown
    assert "note: selected, but the distribution differs between periods (population stability index): moves (" in shown
    found = Comparison.from_json(invoke(*words, "-o", "json").stdout)
    assert found.feature_names == ("good", "moves")
    assert found.drift["status"].tolist() == ["lasts", "drifts"]
    assert "--site: no column 'plac'" in invoke("compare", "years.csv", "-t", "label", "--site", "plac", code=1).stderr
