"""What docs/found.md says of printed tables, checked on the printed numbers themselves."""

from __future__ import annotations

from itertools import combinations

import pytest

from reproduction.jitkrittum import PRINTED_SUBSETS
from reproduction.lefakis_printed import PRINTED
from reproduction.vinh import DATASETS

# the slides' table "SVMLin", CIFAR, 10, 50 and 100 features
SLIDES = {
    "Fisher": (25.19, 39.47, 48.12), "FCBF": (33.65, 47.77, 54.97), "MRMR": (27.94, 37.78, 43.63),
    "SBMLR": (30.43, 51.41, 56.81), "tTest": (25.69, 40.17, 45.12), "InfoGain": (24.79, 37.98, 47.37),
    "Spec. Clus.": (17.19, 32.78, 42.62), "RelieFF": (24.56, 38.17, 46.51), "CFS": (31.49, 42.17, 51.70),
    "CMTF": (21.10, 40.39, 47.71), "GC.E": (32.45, 50.15, 55.06), "GC.MI": (36.47, 51.44, 55.39),
    "GKL.E": (37.51, 52.11, 56.41), "GKL.MI": (33.71, 47.17, 51.12),
}  # fmt: skip
OWN = {"GC.E", "GC.MI", "GKL.E", "GKL.MI"}
ADABOOST, LINEAR = 0, 4  # where the classifier's four numbers begin


@pytest.mark.parametrize("method", SLIDES)
def test_the_slides_lay_adaboost_beside_linear_machines(method):
    """Of the authors' four methods the slides have AdaBoost's numbers, of all others the linear SVM's."""
    row, begin = PRINTED["CIFAR"][method], ADABOOST if method in OWN else LINEAR
    assert SLIDES[method] == tuple(row[begin + i] for i in (0, 2, 3))
    other = LINEAR + ADABOOST - begin
    assert SLIDES[method] != tuple(row[other + i] for i in (0, 2, 3))


def test_one_row_is_printed_for_two_classifiers():
    """GC.E on INRIA: no other method has the same four numbers for two of its classifiers."""
    same = {
        (data, method)
        for data, rows in PRINTED.items()
        for method, row in rows.items()
        if any(row[4 * a : 4 * a + 4] == row[4 * b : 4 * b + 4] for a, b in combinations(range(4), 2))
    }
    assert same == {("INRIA", "GC.E")}


def test_all_subsets_are_all_but_one():
    every = set(combinations((1, 2, 3, 4, 8, 9, 10), 4))
    assert every - set(PRINTED_SUBSETS) == {(1, 4, 8, 10)}


def test_gisette_with_all_features_is_guessing():
    """Two balanced classes: 50 %, where ten to a hundred features have 6 to 9 %."""
    entry = DATASETS["Gisette"]
    assert entry.all_features == 50.0
    assert max(entry.errors) < 10
