"""The joint information of a path, against closed forms and tables made by hand."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from entropick.evaluation.path import path_evidence, recorded_evidence
from entropick.measures.fano import entropy
from entropick.selection import Selection, Step

LOG2 = np.log(2)


def chosen(*columns, names=("a", "b", "c"), **fields):
    steps = tuple(
        Step(rank, names[step] if isinstance(step, int) else "+".join(names[j] for j in step),
             (step,) if isinstance(step, int) else step, 0.1)
        for rank, step in enumerate(columns, start=1)
    )  # fmt: skip
    return Selection("mim", steps, names, **fields)


@pytest.fixture
def xor():
    """Eighty rows, ten of each (a, b, c) in {0, 1}³; y = a xor b."""
    rows = np.array([(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 10)
    return rows, rows[:, 0] ^ rows[:, 1]


def test_joint_information_of_xor(xor):
    evidence = path_evidence(chosen(0, 1), *xor)
    assert evidence.information == pytest.approx((0.0, LOG2), abs=1e-12)
    assert evidence.floor == pytest.approx((0.5, 0.0), abs=1e-12)
    assert evidence.class_entropy == pytest.approx(LOG2)
    assert evidence.redundancy[0][1] == pytest.approx(0.0, abs=1e-12)
    assert evidence.redundancy[0][0] is None


def test_a_group_is_one_step(xor):
    evidence = path_evidence(chosen((0, 1), 2), *xor)
    assert evidence.information == pytest.approx((LOG2, LOG2))
    assert len(evidence.redundancy) == 2


def test_a_copy_is_redundant_in_full(xor):
    X, y = xor
    X = np.column_stack([X, X[:, 0]])
    evidence = path_evidence(chosen(0, 3, names=("a", "b", "c", "copy")), X, y)
    assert evidence.redundancy[0][1] == evidence.redundancy[1][0] == pytest.approx(LOG2)


def test_nothing_is_said_where_rows_run_out():
    """Four rows of each of a's levels and class; b splits them to two rows a cell, fewer than five."""
    a, y = np.repeat([0, 1], 12), np.tile([0, 1], 12)
    b = np.tile([0, 0, 1, 1, 2, 2], 4)
    evidence = path_evidence(chosen(0, 1, names=("a", "b")), np.column_stack([a, b]), y)
    assert evidence.information[0] == pytest.approx(0.0, abs=1e-12)
    assert evidence.information[1] is None
    assert evidence.floor[1] is None


def test_a_continuous_target_has_no_floor():
    x = np.arange(200.0)
    evidence = path_evidence(chosen(0, names=("x",), task="regression"), x[:, None], x + 0.5)
    assert np.log(5) - 0.1 < evidence.information[0] < np.log(5)  # bins of equal count against bins of equal width
    assert evidence.floor == ()


def test_recorded_information_of_a_gaussian_method_is_its_bound():
    X, y = ep.datasets.load_demo()
    found = ep.select(X, y, method="wilks", k=3)
    evidence = recorded_evidence(found)
    assert evidence.information == tuple(step.extra["bound"] for step in found)
    assert evidence.class_entropy == pytest.approx(entropy(np.unique(y, return_counts=True)[1]))
    assert evidence.redundancy == ()


def test_scores_of_cmi_add_up_to_the_joint_information():
    X, y = ep.datasets.load_demo()
    found = ep.select(X, y, method="cmi", k=2)
    assert recorded_evidence(found).information == pytest.approx(path_evidence(found, X, y).information)


def test_scores_of_pairwise_methods_are_not_taken_for_information():
    X, y = ep.datasets.load_demo()
    found = ep.select(X, y, method="jmi", k=3)
    evidence = recorded_evidence(found)
    assert evidence.information == ()
    assert evidence.source == ""
    assert evidence.redundancy[2][:2] == found.steps[2].redundancy
    assert np.allclose(
        np.array(evidence.redundancy, float), np.array(path_evidence(found, X, y).redundancy, float), equal_nan=True
    )
