"""Projections onto the simplex: no feasible point is nearer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.search.simplex import project, project_within


@settings(deadline=None, max_examples=160)
@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 10), st.booleans())
def test_projection_is_the_nearest_feasible_point(values, radius, within):
    """Onto the simplex, or onto all of what is below it."""
    w = np.array(values)
    p = (project_within if within else project)(w, radius)
    assert (p >= 0).all()
    assert p.sum() <= radius * (1 + 1e-9) if within else p.sum() == pytest.approx(radius)
    # nearest: (w − p)·(q − p) ≤ 0 for every feasible q; the corners suffice, and the origin where it is one of them
    corners = [np.zeros(w.size)] * within + [*(radius * np.eye(w.size))]
    assert all((w - p) @ (q - p) <= 1e-7 for q in corners)
