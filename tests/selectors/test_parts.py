"""What a pick says taken apart beside another: in `explain`, frames and JSON; against dit where it is installed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import entropick as ep
from entropick.measures.decomposition import decompose


def test_two_that_speak_only_together_and_two_that_say_the_same():
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (800, 6))
    found = ep.select(X, X[:, 1] ^ X[:, 4], k=2)
    for step in found:
        assert step.extra["synergistic"] == pytest.approx(np.log(2), abs=0.01)
        assert max(step.extra["unique"], step.extra["redundant"]) < 0.01
    assert f"beside {found.names[1]}: unique" in found.explain()
    assert {"beside", "unique", "redundant", "synergistic"} <= set(found.to_frame().columns)
    assert ep.Selection.from_json(found.to_json()) == found
    X[:, 2] = X[:, 1]
    same = ep.select(X, np.where(random.random(800) < 0.1, 1 - X[:, 1], X[:, 1]), k=2, include=[1, 2]).steps[0].extra
    assert same["redundant"] == pytest.approx(np.log(2) + 0.1 * np.log(0.1) + 0.9 * np.log(0.9), abs=0.04)
    assert max(same["unique"], same["synergistic"]) < 0.01


def test_noise_has_no_parts_on_average():
    said = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        steps = ep.select(random.normal(size=(300, 4)), np.arange(300) % 3, k=3).steps
        said += [[step.extra[part] for part in ("unique", "redundant", "synergistic")] for step in steps]
    assert np.mean(said, axis=0).max() < 0.015  # the five levels of two columns have 0.05 by chance


def test_a_number_as_target_and_where_there_are_none():
    random = np.random.default_rng(1)
    X = random.normal(size=(500, 5))
    number = ep.select(X, X[:, 0] + X[:, 3] + 0.5 * random.normal(size=500), k=2)
    assert number.steps[0].extra["unique"] > 0.02
    assert number.steps[0].extra["synergistic"] > 0.1
    y = (X[:, 0] > 0).astype(int)
    assert "beside" not in ep.select(X, y, k=1).steps[0].extra
    assert "beside" not in ep.select(X, y, k=2, sample_weight=np.full(500, 1.5)).steps[0].extra


def test_no_law_of_the_same_pairs_says_less_together():
    """Synergy is what the target's law says beyond the least that any law with both pairs (X1, Y), (X2, Y) says."""
    random = np.random.default_rng(2)

    def information(q):
        independent = q.sum(2, keepdims=True) * q.sum((0, 1), keepdims=True)
        held = q > 1e-15
        return float((q[held] * np.log(q[held] / independent[held])).sum())

    moves = []  # that keep both pairs
    for a in (0, 1):
        for c in (0, 1):
            move = np.zeros((3, 2, 2))
            move[a, :, c], move[a + 1, :, c] = (1, -1), (-1, 1)
            moves.append(move)
    for _ in range(3):
        p = random.dirichlet(np.ones(12)).reshape(3, 2, 2)

        def moved(w, p=p):
            return p + np.tensordot(w, moves, 1)

        within = {"type": "ineq", "fun": lambda w, moved=moved: moved(w).ravel()}
        starts = 0.002 * random.normal(size=(10, 4))
        found = [
            minimize(lambda w, moved=moved: information(np.maximum(moved(w), 0)), start, constraints=within, tol=1e-13)
            for start in starts
        ]
        least = min(one.fun for one in found if moved(one.x).min() > -1e-9)
        assert information(p) - decompose(p).synergistic == pytest.approx(least, abs=1e-4)


def test_parts_are_those_of_dit():
    dit = pytest.importorskip("dit")
    from dit.pid import PID_BROJA

    random = np.random.default_rng(2)
    for _ in range(3):
        p = random.dirichlet(np.ones(12)).reshape(3, 2, 2)
        outcomes = [f"{a}{b}{c}" for a in range(3) for b in range(2) for c in range(2)]
        law = dit.Distribution(outcomes, p.ravel())  # its search begins at random and may end too early
        theirs = max((PID_BROJA(law, [[0], [1]], [2]) for _ in range(5)), key=lambda one: one[((0, 1),)])
        ours = decompose(p)
        for node, value in (
            (((0,), (1,)), ours.redundant),
            (((0,),), ours.unique[0]),
            (((1,),), ours.unique[1]),
            (((0, 1),), ours.synergistic),
        ):
            assert value / np.log(2) == pytest.approx(theirs[node], abs=3e-3)
