"""Figure 1 and table 2 of Lefakis & Fleuret, and the eigensystem of the slides, on small input."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reproduction import lefakis, lefakis_eigen
from reproduction.cells import Cells
from reproduction.paper_table import Means, make


def test_mixture_between_its_limits():
    """One normal law at gap 0, log 2 more when the two are far apart."""
    assert lefakis.mixture_entropy(0.0) == pytest.approx(lefakis.HALF_LOG_2PIE)
    assert lefakis.mixture_entropy(30.0) == pytest.approx(lefakis.HALF_LOG_2PIE + math.log(2))


def test_the_compromise_is_the_lesser_of_two(tmp_path):
    result = make(lefakis.FIGURE1, quick=True, cells=Cells(tmp_path))
    assert len(result.compared()) == 9
    assert all(abs(figure.difference) < 1e-6 for figure in result.compared())
    by = {(f.labels["difference of the means"], f.labels["curve"]): f.ours for f in result.figures}
    assert by[2.0, "mixture, by quadrature"] < by[2.0, "Gaussian compromise"] < by[2.0, "limit, components far apart"]


def test_ratios_are_to_mrmr():
    settings = {"data": "CIFAR", "method": "GC.MI", "rows": 5, "features": 6, "classes": 10}
    (figure,) = lefakis.TABLE2.figures([(settings, {"seconds": 3.0, "mrmr": 1.5})])
    assert figure.ours == 2.0
    assert figure.paper == pytest.approx(20 / 901)
    assert figure.labels == {"shape of": "CIFAR", "rows × features": "5 × 6", "method": "GC.MI"}


def test_times_are_taken(tmp_path):
    settings = {"data": "CIFAR", "method": "FCBF", "rows": 200, "features": 30, "classes": 3}
    numbers = lefakis.TABLE2.compute(settings, Means(n_jobs=1))
    assert numbers["seconds"] > 0
    assert numbers["mrmr"] > 0


def test_shapes_of_table_2():
    full, quick = lefakis.TABLE2.cells(False), lefakis.TABLE2.cells(True)
    assert len(full) == len(quick) == 33
    assert (full[0]["rows"], full[0]["features"]) == (50_000, 2_048)
    assert (quick[0]["rows"], quick[0]["features"]) == (5_000, 256)
    assert all(len(row) == len(lefakis.METHODS) for row in lefakis.SECONDS.values())


def test_generated_rows_differ_by_class():
    X, y = lefakis.generated(3000, 50, 2)
    gaps = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))
    assert gaps.max() > 0.3  # noise of a mean is about 0.05
    assert X.shape == (3000, 50)


def test_updated_eigensystem_against_scratch():
    numbers = lefakis_eigen.UPDATE.compute({"size": 12}, Means())
    assert numbers["error of eigenvalues ÷ largest"] < 1e-13
    assert numbers["‖UᵀU − I‖"] < 1e-12
    assert numbers["‖UΛUᵀ − Σ‖"] < 1e-12
    assert numbers["update, ms"] > 0


def test_conditioning_falls_with_rows():
    found = [lefakis_eigen.SAMPLES.compute({"size": 30, "rows": rows}, Means()) for rows in (33, 300, 30_000)]
    kappas = [numbers["κ of the estimate"] for numbers in found]
    assert kappas[0] > 10 * kappas[2]
    assert kappas[2] == pytest.approx(100.0, rel=0.1)
    assert found[2]["‖Σ̂ − Σ‖ ÷ ‖Σ‖"] < found[0]["‖Σ̂ − Σ‖ ÷ ‖Σ‖"]
