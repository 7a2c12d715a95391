"""Projections onto the simplex: no feasible point is nearer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.search.simplex import project, project_within


@settings(deadline=None, max_examples=80)
@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 10))
def test_projection_is_the_nearest_feasible_point(values, radius):
    w = np.array(values)
    p = project_within(w, radius)
    assert (p >= 0).all()
    assert p.sum() <= radius * (1 + 1e-9)
    # nearest: (w − p)·(q − p) ≤ 0 for every feasible q; the corners and the origin suffice
    corners = [np.zeros(w.size), *(radius * np.eye(w.size))]
    assert all((w - p) @ (q - p) <= 1e-7 for q in corners)


@settings(deadline=None, max_examples=80)
@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 10))
def test_projection_onto_the_simplex_itself(values, total):
    w = np.array(values)
    p = project(w, total)
    assert (p >= 0).all()
    assert p.sum() == pytest.approx(total)
    assert all((w - p) @ (q - p) <= 1e-7 for q in total * np.eye(w.size))
