"""The map of what columns share, and its rows where columns are many."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.report.clusters import clustered

NAMES = ["a", "b", "c", "d", "e"]
SHARED = np.array(
    [
        [1.0, 0.2, 0.9, 0.1, 0.3],
        [0.2, 1.0, 0.4, 0.8, 0.0],
        [0.9, 0.4, 1.0, 0.3, 0.1],
        [0.1, 0.8, 0.3, 1.0, 0.2],
        [0.3, 0.0, 0.1, 0.2, 1.0],
    ]
)
MERGES = [(0, 2, 0.9), (1, 3, 0.8), (5, 6, 0.25), (4, 7, 0.15)]  # average linkage by hand
KEPT = [False, False, True, True, False]


def test_few_columns_are_rows_of_their_own():
    made = clustered(NAMES, KEPT, SHARED, MERGES)
    assert made["names"] == NAMES
    assert made["kept"] == KEPT
    assert made["members"] is None
    assert made["matrix"] == (100 * SHARED).round().astype(int).tolist()
    assert made["merges"] == [list(merge) for merge in MERGES]


def test_the_most_alike_share_a_row():
    """a with c and b with d: a row is called after its kept column, and shares the mean of four pairs."""
    made = clustered(NAMES, KEPT, SHARED, MERGES, most=3)
    assert made["names"] == ["c", "d", "e"]
    assert made["kept"] == [True, True, False]
    assert made["members"] == [["a", "c"], ["b", "d"], ["e"]]
    assert made["matrix"] == [[100, 25, 20], [25, 100, 10], [20, 10, 100]]  # (20 + 10 + 40 + 30) / 4, …
    assert made["merges"] == [[0, 1, 0.25], [2, 3, 0.15]]


@pytest.mark.parametrize("most", [1, 2, 4])
def test_no_column_is_lost(most):
    made = clustered(NAMES, KEPT, SHARED, MERGES, most)
    assert len(made["names"]) == most
    assert sorted(name for own in made["members"] for name in own) == NAMES
    assert len(made["merges"]) == most - 1
