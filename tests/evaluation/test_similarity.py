"""Similarity of methods, its map, and the front of accuracy and stability."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropick.evaluation.pareto import fronts
from entropick.evaluation.similarity import agreement, classical_scaling
from entropick.evaluation.stability import overlap
from reference import stability as reference


def distances(points):
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def test_agreement_by_hand():
    """Two methods, two resamples, four features: alike in one resample, as by chance in the other."""
    runs = [[np.array([0, 1]), np.array([0, 1])], [np.array([1, 0]), np.array([1, 2])]]
    found = agreement(runs, lambda a, b: overlap(a, b, 4))
    np.testing.assert_allclose(found, [[1.0, 0.5], [0.5, 1.0]])


def test_scaling_gives_back_a_plane():
    points = np.random.default_rng(0).normal(size=(7, 2))
    np.testing.assert_allclose(distances(classical_scaling(distances(points))), distances(points), atol=1e-9)


def test_scaling_is_principal_components():
    """Of Euclidean distances in five dimensions, the best plane is that of the first two components."""
    points = np.random.default_rng(1).normal(size=(9, 5))
    centred = points - points.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    found = classical_scaling(distances(points))
    np.testing.assert_allclose(np.abs(found), np.abs(u[:, :2] * s[:2]), atol=1e-9)
    assert (found.max(axis=0) >= -found.min(axis=0)).all()  # the sign is fixed


def test_distances_that_no_space_has():
    """A four-point star in the tree metric has a negative eigenvalue; one point alone lies at 0."""
    star = np.array([[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0.0]])
    assert np.isfinite(classical_scaling(star)).all()
    np.testing.assert_array_equal(classical_scaling(np.zeros((1, 1))), [[0.0, 0.0]])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_fronts_by_taking_away(costs):
    assert fronts(costs).tolist() == reference.fronts(costs)


def test_fronts_by_hand():
    #         best error     both        dominated   tie of the first   unknown
    costs = [[0.1, -0.2], [0.2, -0.9], [0.2, -0.5], [0.1, -0.2], [np.nan, -1.0]]
    assert fronts(costs).tolist() == [1, 1, 2, 1, 3]


@pytest.mark.parametrize("n", [1, 5])
def test_equal_points_share_a_front(n):
    assert fronts(np.ones((n, 2))).tolist() == [1] * n
