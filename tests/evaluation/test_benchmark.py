"""Several tables: what is ranked is what each comparison says, and it goes on where it was."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import friedmanchisquare
from sklearn.feature_selection import SelectKBest, f_classif

from entropick import InvalidParameter, benchmark, compare
from entropick.displays import CriticalDifferenceDisplay


def table(seed, n=60, p=6):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, p))
    return X, (X[:, seed % p] + 0.5 * random.normal(size=n) > 0).astype(int)


TABLES = {f"<t{seed}>": table(seed) for seed in range(4)}
METHODS = {"jmi": "jmi", "anova": SelectKBest(f_classif), "last": lambda X, y, k: range(6 - k, 6)}
SETTINGS = {"cv": 3, "repeats": 1, "estimators": "nearest mean", "k": [1, 2]}


@pytest.fixture(scope="module")
def found():
    return benchmark(TABLES, METHODS, verbose=0, **SETTINGS)


def test_errors_are_those_of_each_comparison(found):
    one = compare(*TABLES["<t2>"], METHODS, **SETTINGS).curves()
    expected = [one.loc[one["method"] == method, "mean"].mean() for method in METHODS]
    np.testing.assert_allclose(found.errors.loc["<t2>"], expected)
    chi2, p = friedmanchisquare(*found.errors.to_numpy().T)
    assert (found.friedman.chi2, found.friedman.p_value) == pytest.approx((chi2, p))
    assert found.ranks()["method"].iloc[-1] == "last"
    assert len(found.differences()) == 3
    assert "4 tables" in repr(found)


def test_resumed_and_timed(found, tmp_path, capsys):
    named = ["jmi", "mim"]
    first = benchmark(TABLES, named, resume=tmp_path, verbose=1, **SETTINGS)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert "1/4" in lines[0]
    assert "s left" in lines[0]
    kept = sorted(tmp_path.rglob("*.json"))
    assert len(kept) == 4 * 2 * 3
    stamps = [path.stat().st_mtime_ns for path in kept]
    again = benchmark(TABLES, named, resume=tmp_path, verbose=0, **SETTINGS)
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*.json"))] == stamps
    assert again.errors.equals(first.errors)


def test_page_and_diagram(found, tmp_path):
    text = found.report(tmp_path / "page.html").read_text()
    assert "<svg" in text
    assert "&lt;t2&gt;" in text
    assert "<t2>" not in text
    assert "References" in text
    assert "Yang, Howard Hua" in text  # of jmi
    assert f"critical difference {found.critical_difference():.2f}" in text
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    display = CriticalDifferenceDisplay.from_benchmark(found).plot()
    drawn = " ".join(text.get_text() for text in display.ax_.texts)
    for method, rank in display.frame().itertuples(index=False):
        assert f"{method}  {rank:.2f}" in drawn


def test_a_table_that_cannot_be_compared_is_told():
    broken = {**TABLES, "constant": (np.zeros((30, 6)), np.zeros(30))}
    own = benchmark(broken, ["jmi", "mim"], verbose=0, **SETTINGS)
    assert len(own.comparisons) == 4
    assert any(note.startswith("constant is left out") for note in own.notes)


def test_what_is_refused():
    for tables in ({}, {"one": table(0)}, [table(0), table(1)]):
        with pytest.raises(InvalidParameter, match="at least two tables"):
            benchmark(tables)
