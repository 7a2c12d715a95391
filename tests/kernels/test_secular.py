"""Roots of the secular equation against LAPACK, bisection and 60 digits."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from entropick.kernels.secular import bordered
from reference import secular as reference

EPSILON = np.finfo(float).eps


def solve(poles, couplings, corner):
    m = len(poles)
    roots, vectors = np.empty(m + 1), np.empty((m + 1, m + 1))
    evaluations = bordered(poles, couplings, corner, *np.empty((3, m)), roots, vectors)
    return roots, vectors, evaluations


def arrowhead(poles, couplings, corner):
    matrix = np.diag(np.append(poles, corner))
    matrix[-1, :-1] = matrix[:-1, -1] = couplings
    return matrix


def check(poles, couplings, corner):
    m = len(poles)
    roots, vectors, evaluations = solve(poles, couplings, corner)
    matrix = arrowhead(poles, couplings, corner)
    exact = np.linalg.eigvalsh(matrix)
    size = np.abs(exact).max()
    np.testing.assert_allclose(roots, exact, rtol=0, atol=8 * EPSILON * np.sqrt(m + 1) * size)
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(m + 1), atol=16 * EPSILON * np.sqrt(m + 1))
    np.testing.assert_allclose((vectors.T * roots) @ vectors, matrix, atol=16 * EPSILON * np.sqrt(m + 1) * size)
    assert (roots[:-1] <= poles).all()
    assert (poles <= roots[1:]).all()
    assert (np.sign(vectors[:, -1]) == 1).all()
    assert evaluations <= 12 * (m + 1)
    return roots, vectors


@st.composite
def arrowheads(draw):
    """Poles in clusters, down to the gaps and couplings that deflation leaves; the largest entry is about 1."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    m = draw(st.integers(1, 40))
    clusters = draw(st.sampled_from([1, 2, 5, 1000]))
    smallest = draw(st.sampled_from([-14.0, -8.0, -1.0]))
    centres = rng.uniform(-1, 1, clusters)[rng.integers(0, clusters, m)]
    poles = np.sort(np.clip(centres + rng.choice([-1, 1], m) * 10.0 ** rng.uniform(smallest, -1, m), -1, 1))
    poles = poles[np.append(True, np.diff(poles) > 1e-14)]
    weakest = draw(st.sampled_from([-14.0, -7.0, -0.5]))
    couplings = rng.choice([-1, 1], len(poles)) * 10.0 ** rng.uniform(weakest, 0, len(poles))
    corner = draw(st.sampled_from([0.0, 1.0, -1.0, float(poles[0]), float(poles[-1]), rng.uniform(-1, 1)]))
    return poles, couplings, corner


@given(arrowheads())
@example((np.array([0.71, 1.14]), np.array([6e-13, 2e-12]), 0.71))  # the first guess is far too near to a pole
def test_against_lapack(case):
    check(*case)


@given(arrowheads())
def test_against_bisection(case):
    roots, _, _ = solve(*case)
    np.testing.assert_allclose(roots, reference.bordered(*case)[0], rtol=0, atol=16 * EPSILON * np.abs(roots).max())


@pytest.mark.parametrize("m", [1, 2, 3, 7, 64, 257])
def test_vectors_of_separate_roots_against_bisection(m):
    rng = np.random.default_rng(m)
    poles = np.linspace(-1, 1, m) + 0.1 / m * rng.random(m)
    couplings = rng.choice([-1, 1], m) * rng.uniform(0.5, 1, m) / m
    _, vectors = check(poles, couplings, 0.3)
    np.testing.assert_allclose(vectors.T, reference.bordered(poles, couplings, 0.3)[1], atol=1e-12)


@pytest.mark.parametrize("q", [1e-14, 1e-7, 0.5, -1.0])
@pytest.mark.parametrize("d", [-1.0, 0.0, 0.25, 0.25 + 1e-13, 1.0])
def test_one_pole(q, d):
    """2 × 2: λ = mean ± √(half difference² + q²)."""
    roots, vectors = check(np.array([0.25]), np.array([q]), d)
    radius = np.hypot(0.5 * (d - 0.25), q)
    np.testing.assert_allclose(roots, 0.5 * (d + 0.25) + np.array([-radius, radius]), atol=4e-16)
    angle = 0.5 * np.arctan2(2 * q, d - 0.25)
    np.testing.assert_allclose(vectors[1], [np.sin(angle), np.cos(angle)], atol=1e-15)


def exact_distance(poles, couplings, corner, near, low, high):
    """λ − near to 60 digits, the root of the secular equation between low and high; and how far rounding moves it."""
    with localcontext() as context:
        context.prec = 90
        corner = Decimal(corner) - Decimal(near)
        terms = [(Decimal(q) ** 2, Decimal(p) - Decimal(near)) for q, p in zip(couplings, poles, strict=True)]
        low, high = Decimal(low), Decimal(high)
        for _ in range(330):
            mu = (low + high) / 2
            g = mu - corner + sum(s / (x - mu) for s, x in terms)
            low, high = (low, mu) if g > 0 else (mu, high)
        size = abs(mu) + abs(corner) + sum(s / abs(x - mu) for s, x in terms)
        slope = 1 + sum(s / (x - mu) ** 2 for s, x in terms)
        return mu, float(size / (slope * abs(mu)))


@pytest.mark.parametrize(
    ("poles", "couplings", "corner"),
    [
        ([0.1, 0.3, 0.3 + 1e-13, 0.9], [1e-10, 1e-7, 0.2, 1e-13], 0.5),
        ([0.1, 0.3, 0.3 + 2e-14, 0.3 + 4e-14], [1e-14, 1e-14, 1.0, 1e-14], 1.0),
        ([-1e-12, 0.0, 1e-12, 1.0], [1e-14, 0.5, -1e-14, 1e-3], 1e-13),
        ([1e-13, 1e-9, 1e-5, 1e-1], [1e-14, 1e-10, 1e-6, 1e-2], 1.0),
    ],
)
def test_distances_to_poles_keep_their_digits(poles, couplings, corner):
    """λ − λ_i, read off the eigenvectors, is as exact as the sum g allows, however small beside λ."""
    _, vectors = check(np.array(poles), np.array(couplings), corner)
    for j in range(len(poles) + 1):
        width = poles[j] - poles[j - 1] if 0 < j < len(poles) else 4.0
        near = [(poles[j - 1], 0.0, width)] if j else []
        near += [(poles[j], -width, 0.0)] if j < len(poles) else []
        for pole, low, high in near:
            mu, condition = exact_distance(poles, couplings, corner, pole, low, high)
            i = poles.index(pole)
            found = couplings[i] * vectors[j, -1] / vectors[j, i]
            assert found == pytest.approx(float(mu), rel=EPSILON * (16 + 16 * condition))


def test_few_evaluations_a_root():
    """Of a covariance of correlated columns: halfway, at the first guess, and after one step or two."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((900, 300)) + rng.standard_normal((900, 3)) @ rng.standard_normal((3, 300))
    sigma = np.corrcoef(rows, rowvar=False)
    values, vectors = np.linalg.eigh(sigma[:-1, :-1])
    _, _, evaluations = solve(values / 256, vectors.T @ sigma[:-1, -1] / 256, 1 / 256)
    assert evaluations <= 4 * 300
