"""The toy tables of Jitkrittum et al.: the machinery of table 4, and table 5, which is quick enough to be made."""

from __future__ import annotations

import pytest

from reproduction import jitkrittum
from reproduction.cells import Cells
from reproduction.paper_table import Means, make


def test_table_4_averages_over_trials():
    found = [({"data": "xor", "method": "relieff", "trial": t}, {"f": f}) for t, f in enumerate((1.0, 0.5))]
    (figure,) = jitkrittum.TABLE4.figures(found)
    assert figure.labels == {"data": "xor", "method": "Relief"}
    assert (figure.ours, figure.spread, figure.paper) == (0.75, 0.25, 1.0)


def test_one_cell_of_table_4():
    compute = jitkrittum.TABLE4.compute
    assert compute({"data": "xor", "method": "relieff", "trial": 0, "n": 200}, Means()) == {"f": 1.0}
    assert compute({"data": "quad", "method": "hsic.forward", "trial": 0, "n": 100}, Means())["f"] > 0


def test_the_true_subset_is_first_in_table_5(tmp_path):
    result = make(jitkrittum.TABLE5, cells=Cells(tmp_path))
    assert len(result.figures) == 35
    assert len(result.compared()) == 34  # the paper leaves one out
    best, second = result.figures[:2]
    assert best.labels["features"] == "1 2 3 4"
    assert best.ours == pytest.approx(0.496, abs=0.02)
    assert second.ours < 0.42
