"""Drift, export and references."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

import entropick as ep
from entropick.evaluation.cite import references
from entropick.evaluation.drift import informations, stability_index

RANDOM = np.random.default_rng(0)
N = 2000
WHEN = np.repeat(["2021", "2022", "2023"], [N // 2, N // 4, N // 4])
Y = RANDOM.integers(0, 2, N)
GOOD = Y + 0.7 * RANDOM.normal(size=N)
TABLE = pd.DataFrame(
    {
        "drifting copy": GOOD + 0.8 * (WHEN == "2023"),
        "good": GOOD,
        "noise": RANDOM.normal(size=N),
        "place": np.where(RANDOM.random(N) < 0.5 + 0.45 * (WHEN == "2022"), "a", "b"),
    }
)


def test_informations_beside_scikit_learn():
    x, y, t = RANDOM.integers(0, 4, N), RANDOM.integers(0, 3, N), RANDOM.integers(0, 2, N)
    x = np.where(RANDOM.random(N) < 0.4, y, x)
    found = informations(x, y, t)
    assert found[0] == pytest.approx(mutual_info_score(x, y) - 6 / (2 * N))
    within = sum((t == c).mean() * (mutual_info_score(x[t == c], y[t == c]) - 6 / (2 * (t == c).sum())) for c in (0, 1))
    assert found[1] == pytest.approx(within)
    assert found[2] == pytest.approx(max(0, mutual_info_score(x, t) - 3 / (2 * N)))


@pytest.mark.parametrize("shift", [0.0, 0.2, 1.0, 9.0])
def test_the_index_is_feature_engines(shift):
    selection = pytest.importorskip("feature_engine.selection")
    values = np.concatenate([RANDOM.normal(size=500), RANDOM.normal(size=300) + shift])
    frame = pd.DataFrame({"x": values, "when": np.repeat([0, 1], [500, 300])})
    theirs = selection.DropHighPSIFeatures(
        split_col="when", cut_off=0, bins=10, strategy="equal_frequency", variables=["x"], threshold=1e9,
        min_pct_empty_bins=1e-4,
    ).fit(frame)  # fmt: skip
    assert stability_index(values[:500], values[500:]) == pytest.approx(theirs.psi_values_["x"], rel=1e-9)


@pytest.mark.parametrize(
    ("shift", "index"),
    [(0.0, 0.06263854365268745), (0.2, 0.10736824698224859), (1.0, 1.0455304349798251), (9.0, 8.283089355027482)],
)
def test_the_index_as_feature_engine_said(shift, index):
    """Version 1.9.4, for machines without it."""
    first, later = np.random.default_rng(1).normal(size=500), np.random.default_rng(2).normal(size=300) + shift
    assert stability_index(first, later) == pytest.approx(index, rel=1e-9)


def test_what_lasts_comes_first():
    found = ep.drift(TABLE, Y, period=WHEN)
    assert found["name"].tolist()[:2] == ["good", "noise"]
    status = found.set_index("name")["status"]
    assert status.to_dict() == {"good": "lasts", "noise": "lasts", "drifting copy": "drifts", "place": "drifts"}
    row = found.set_index("name").loc["drifting copy"]
    assert row["within"] > 0.1  # it still says much within a year: it is demoted for its drift alone
    assert row["drift"] > 10 * found.set_index("name").loc["good", "drift"]


def test_what_is_refused():
    with pytest.raises(ep.InvalidParameter, match="period"):
        ep.drift(TABLE, Y)
    with pytest.raises(ep.InvalidInput, match="one per row"):
        ep.drift(TABLE, Y, site=[1, 2])
    with pytest.raises(ep.InvalidInput, match="two different"):
        ep.drift(TABLE, Y, site=np.ones(N))


def test_export(tmp_path):
    table = pd.DataFrame({"method": ["a_b & c", "d|e"], "error": [0.12345, np.nan], "k": [3, 5]})
    latex = ep.export(table, "latex")
    assert latex.splitlines() == [
        r"\begin{tabular}{lrr}", r"\toprule", r"method & error & k \\", r"\midrule", r"a\_b \& c & 0.123 & 3 \\",
        r"d|e & – & 5 \\", r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip
    assert r"| d\|e | – | 5 |" in ep.export(table)
    ep.export(table, tmp_path / "t.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "t.csv"), table)
    assert ep.export(table.set_index("method"), "markdown").startswith("| method | error")
    with pytest.raises(ep.InvalidParameter, match="form"):
        ep.export(table, "docx")


def test_references():
    text = ep.cite(["jmi", "cmim", "jmi", "mim"])
    assert text.count("@") == 4
    assert "yang1999" in text
    assert "fleuret2004" in text
    assert "Lewis 1992" in text
    assert all(text.count(a) == text.count(b) for a, b in [("{", "}")])
    for name in ep.methods().index:
        ep.cite(name)
    with pytest.raises(ep.UnknownMethod):
        ep.cite("jmj")


def test_references_for_people():
    lines = references(["jmi", "mim", "jmi", "gc.mi", "lsmi.l1", "random"])
    assert len(lines) == 4
    assert lines[0].startswith("Yang, Howard Hua; Moody, John (1999). Data visualization")
    assert "Fleuret, François" in lines[2]
    assert "via ℓ1-penalized" in lines[3]
    assert not any(sign in line for line in lines for sign in "{}\\$")


# -- inside a comparison -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared():
    frame = TABLE.assign(year=WHEN, label=Y)
    return ep.compare(
        frame, "label", ["jmi", "mim"], k=[2, 3], period="year", cv=3, repeats=1, estimators="nearest mean"
    )


def test_a_comparison_tells_what_lasts(compared):
    assert "year" not in compared.feature_names
    pd.testing.assert_frame_equal(compared.drift, ep.drift(TABLE, Y, period=WHEN))
    by_name = compared.drift.set_index("name")["status"]
    assert by_name["good"] == "lasts"
    assert by_name["drifting copy"] == "drifts"
    assert compared.drift["name"].tolist().index("good") < compared.drift["name"].tolist().index("drifting copy")
    wanted = [note for note in compared.notes if "differs between periods" in note]
    assert bool(wanted) == ("drifting copy" in compared.features or "place" in compared.features)


def test_figures_are_those_without_periods(compared):
    plain = ep.compare(TABLE, Y, ["jmi", "mim"], k=[2, 3], cv=3, repeats=1, estimators="nearest mean")
    assert plain.scores.equals(compared.scores)
    assert plain.drift.empty
    same = ep.compare(TABLE, Y, ["jmi", "mim"], k=[2, 3], site=WHEN, cv=3, repeats=1, estimators="nearest mean")
    pd.testing.assert_frame_equal(same.drift, compared.drift)
    assert same.settings["drift"] == "site"


def test_it_goes_into_files_and_pages(compared, tmp_path):
    again = ep.Comparison.from_json(compared.to_json())
    assert again == compared
    pd.testing.assert_frame_equal(again.drift, compared.drift)
    without = compared.to_json().replace('"drift": {', '"was": {')
    with pytest.raises(ep.EntropickError):
        ep.Comparison.from_json(without)  # an unknown field
    compared.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    psi = compared.drift.set_index("name")["psi"]
    told = f"drifts between periods (population stability index {psi['drifting copy']:.2f})"
    assert (told in page) == ("drifting copy" in compared.features)
    assert '"lasts":"drifts"' in page
    assert "stability index" in page


def test_a_drifting_pick_is_told():
    frame = TABLE[["drifting copy", "noise"]]
    found = ep.compare(frame, Y, ["mim"], k=[1], period=WHEN, cv=3, repeats=1, estimators="nearest mean")
    assert found.features == ["drifting copy"]
    assert any("differs between periods" in note and "drifting copy (" in note for note in found.notes)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"period": WHEN, "site": WHEN}, "period: pass either period= or site=, not both"),
        ({"site": WHEN[:10]}, "site: must be 2000 labels, one per row"),
        ({"site": ["here"] * N}, "site: must have at least two different labels"),
        ({"period": "goof"}, "period: no column 'goof'. Did you mean 'good'"),
    ],
)
def test_what_is_no_period(given, message):
    with pytest.raises(ep.EntropickError, match=message):
        ep.compare(TABLE, Y, ["mim"], k=[1], **given)
