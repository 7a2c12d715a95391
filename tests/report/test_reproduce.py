"""The code and the command of a report, run: they must give the same answer again."""

from __future__ import annotations

import shlex

import pytest

import entropick as ep
from comparisons import comparison, selection
from entropick.report.reproduce import comparison_settings, selection_settings


@pytest.fixture(scope="module")
def table():
    X, y = ep.datasets.load_demo()
    return X.iloc[:200, :8], y.iloc[:200]


def run(code, X, y, folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {"X": X, "y": y}
    exec(code.replace("X, y = ...", "pass"), names)
    return names


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "jmi", "k": 3},
        {"method": "mifs", "k": 2, "beta": 0.5, "discretizer": "mdl", "exclude": ["mean area"]},
        {"method": "gc.mi", "k": 4, "random_state": 3},
        {"method": "jmi", "k": "auto", "alpha": 0.01},
        {"method": "mim", "k": None, "include": ["mean area"]},
    ],
    ids=lambda asked: asked["method"] + str(asked["k"]),
)
def test_code_of_a_selection_runs(asked, table, tmp_path, monkeypatch):
    X, y = table
    chosen = ep.select(X, y, **asked)
    told = selection_settings(chosen)
    assert run(told["python"], X, y, tmp_path, monkeypatch)["selection"].to_json() == chosen.to_json()
    assert (tmp_path / "report.html").is_file()


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "jmi", "k": 3},
        {"method": "mifs", "k": 2, "beta": 0.5, "discretizer": "mdl", "exclude": ["mean area", "mean texture"]},
        {"method": "mim", "k": None},
        {"method": "gc.mi", "k": 4, "random_state": 3},
    ],
    ids=lambda asked: asked["method"],
)
def test_command_of_a_selection_runs(asked, table, tmp_path, monkeypatch):
    pytest.importorskip("typer")
    from typer.testing import CliRunner

    from entropick.cli.app import app

    X, y = table
    monkeypatch.chdir(tmp_path)
    X.assign(label=y).to_csv("FILE.csv", index=False)
    chosen = ep.select(X, y, **asked)
    words = shlex.split(selection_settings(chosen)["command"])[1:]
    words = ["FILE.csv" if word == "FILE" else "label" if word == "COLUMN" else word for word in words]
    result = CliRunner().invoke(app, [*words, "--output", "json", "--quiet"])
    assert result.exit_code == 0, result.output
    assert ep.Selection.from_json(result.stdout).names == chosen.names
    assert '"classes":[{"label":"malignant"' in (tmp_path / "report.html").read_text("utf-8")  # the rows were at hand


def test_whole_numbers_that_are_a_quantity_stay_one(table, tmp_path, monkeypatch):
    X, _ = table
    y = X["mean area"].round().astype(int)
    chosen = ep.select(X, y, method="jmi", k=2, task="regression")
    again = run(selection_settings(chosen)["python"], X, y, tmp_path, monkeypatch)["selection"]
    assert again.to_json() == chosen.to_json()


def test_defaults_are_not_repeated():
    told = selection_settings(
        selection(options={"k": 4, "search": "forward", "discretizer": "auto", "missing": "level"})
    )
    assert "ep.select(X, y, method='jmi', k=4, task='classification')" in told["python"]
    assert told["command"].endswith("--method jmi -k 4 --task classification --save report.html")


def test_code_of_a_comparison_runs(table, tmp_path, monkeypatch):
    from entropick.evaluation.compare import compare

    monkeypatch.setattr(ep, "compare", compare, raising=False)
    X, y = table
    methods = {"half": {"method": "mifs", "beta": 0.5}, "jmi": "jmi"}
    found = compare(X, y, methods, k=[2, 3], estimators="3-NN", cv=3, repeats=1, random_state=5)
    names = run(comparison_settings(found, found.best())["python"], X, y, tmp_path, monkeypatch)
    again = names["comparison"]
    assert again.settings == found.settings
    assert again.scores.equals(found.scores)
    assert again.chosen.equals(found.chosen)
    best = found.best()
    assert list(names["selector"].fit(X, y).get_feature_names_out()) == sorted(found.features, key=list(X).index)
    assert names["selector"].k == best.k


def test_command_of_a_comparison():
    told = comparison_settings(made := comparison(), made.best())
    assert told["command"] == (
        "entropick compare FILE --target sick --methods mim,jmi,mrmr -k 1,2,4 --estimators '3-NN,linear SVM'"
        " --resamples 4x1 --task classification --seed 7 --output report.html"
    )


def test_what_the_command_line_cannot_say_has_no_command():
    own = {"half": {"method": "mifs", "options": {"beta": 0.5}, "discretizer": "auto", "missing": "level"}}
    made = comparison(methods={"half": 0})
    made.settings["methods"] = own
    best = made.best()
    told = comparison_settings(made, best)
    assert told["command"] == ""
    assert "methods={'half': {'method': 'mifs', 'beta': 0.5}}" in told["python"]
    assert f"ep.Selector(method='mifs', k={best.k}, options={{'beta': 0.5}})" in told["python"]


def test_every_setting_is_listed():
    told = comparison_settings(made := comparison(), made.best())
    settings = {row["name"]: row["value"] for row in told["settings"]}
    assert settings["random_state"] == "7"
    assert settings["k"] == "1, 2, 4"
    assert settings["methods: jmi"] == "method jmi, discretizer auto, missing level"
    assert settings["entropick"] == ep.__version__
