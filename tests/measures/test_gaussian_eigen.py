"""The growing eigensystem against a full decomposition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from entropick.measures.gaussian.eigensystem import EigenSystem


def grow(sigma):
    system = EigenSystem()
    for k in range(len(sigma)):
        system.append(sigma[:k, k], float(sigma[k, k]))
    return system


def covariances():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((200, 30))
    near = rows.copy()
    near[:, 5] = near[:, 4] + 1e-6 * near[:, 5]
    near[:, 7] = near[:, 6]
    for name, X in {"random": rows, "near": near, "graded": rows * np.logspace(0, -6, 30)}.items():
        yield pytest.param(X.T @ X / 200, id=name)
    yield pytest.param(np.eye(30), id="identity")
    yield pytest.param(np.eye(30) + 0.5 * (np.ones((30, 30)) - np.eye(30)), id="equicorrelated")


@pytest.mark.parametrize("sigma", list(covariances()))
def test_eigensystem_follows_every_row(sigma):
    system = EigenSystem()
    for k in range(len(sigma)):
        system.append(sigma[:k, k], float(sigma[k, k]))
        now = sigma[: k + 1, : k + 1]
        values = np.linalg.eigvalsh(now)
        np.testing.assert_allclose(system.values, values, rtol=0, atol=1e-12 * values[-1])
        assert system.lowest <= values[0] + 1e-16
        assert system.highest >= values[-1]
    U = system.vectors
    np.testing.assert_allclose(U.T @ U, np.eye(len(sigma)), atol=1e-12)
    np.testing.assert_allclose(U * system.values @ U.T, sigma, atol=1e-12 * values[-1])


@st.composite
def hard_covariances(draw):
    """Blocks of equal or nearly equal columns, weak links between them, variances over many orders."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, 20))
    blocks = rng.integers(0, draw(st.integers(1, n)), n)
    rho = draw(st.sampled_from([0.0, 1e-13, 0.5, 1.0 - 1e-9, 1.0]))
    sigma = np.where(blocks[:, None] == blocks, rho, 0.0)
    link = draw(st.sampled_from([0.0, 1e-15, 1e-8, 0.1])) * rng.standard_normal((n, 3 * n))
    sigma += link @ link.T + np.diag(draw(st.sampled_from([0.0, 1e-14, 1e-3])) * rng.random(n))
    sigma[np.arange(n), np.arange(n)] += 1.0 - rho
    spread = draw(st.sampled_from([0.0, 1.0, 8.0, 100.0]))
    scale = 10.0 ** rng.uniform(-spread, 0, n)
    scale[rng.random(n) < draw(st.sampled_from([0.0, 0.2]))] = 0.0
    return sigma * scale * scale[:, None]


@given(hard_covariances())
@example(np.zeros((5, 5)))
@example(np.ones((9, 9)))
@example(np.kron(np.eye(4), np.ones((3, 3))))
@example(np.diag([3.0, 1.0, 1.0, 2.0, 1.0, 3.0]))
@example(np.array([[0.0, 1.0], [1.0, 0.0]]))
def test_equal_clustered_and_vanishing(sigma):
    system = grow(sigma)
    n = len(sigma)
    exact = np.linalg.eigvalsh(sigma)
    size = np.abs(exact).max()
    np.testing.assert_allclose(system.values, exact, rtol=0, atol=1e-14 * (n + 10) * size)
    assert (np.diff(system.values) >= 0).all()
    U = system.vectors
    np.testing.assert_allclose(U.T @ U, np.eye(n), atol=1e-14 * (n + 10))
    np.testing.assert_allclose(U * system.values @ U.T, sigma, rtol=0, atol=3e-14 * (n + 10) * size)


@pytest.mark.parametrize("power", [-480, -301, 7, 480])
def test_scale_changes_no_digit(power):
    """Squares of couplings would leave the range of floats; a power of two changes nothing but the exponents."""
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((40, 12)) * np.logspace(0, -5, 12)
    sigma = rows.T @ rows
    one, other = grow(sigma), grow(np.ldexp(sigma, 2 * power))
    np.testing.assert_array_equal(np.ldexp(one.values, 2 * power), other.values)
    np.testing.assert_array_equal(one.vectors, other.vectors)


def test_none_and_one():
    system = EigenSystem()
    assert system.values.shape == (0,)
    assert system.vectors.shape == (0, 0)
    system.append(np.zeros(0), 2.5)
    np.testing.assert_array_equal(system.values, [2.5])
    np.testing.assert_array_equal(system.vectors, [[1.0]])
    system.append(np.array([1.5]), 2.5)
    np.testing.assert_allclose(system.values, [1.0, 4.0], rtol=1e-15)
    np.testing.assert_allclose(np.abs(system.vectors), np.sqrt(0.5), rtol=1e-15)


def test_what_is_not_coupled_stays_to_the_last_bit():
    system = grow(np.diag([1.0, 4.0, 2.0]))
    np.testing.assert_array_equal(system.values, [1.0, 2.0, 4.0])
    np.testing.assert_array_equal(system.vectors, np.eye(3)[:, [0, 2, 1]])
    system.append(np.array([0.0, 1.0, 0.0]), 4.0)
    np.testing.assert_allclose(system.values, [1.0, 2.0, 3.0, 5.0], rtol=1e-15)
    np.testing.assert_array_equal(system.vectors[:, :2], np.eye(4)[:, [0, 2]])


def test_equal_eigenvalues_are_rotated_onto_the_new_column():
    """Σ = I and v: all but v's direction stay at 1, the rest is 2 × 2."""
    v = np.array([0.3, -0.2, 0.1, 0.4])
    system = grow(np.eye(4))
    before, values = system.vectors, system.values
    copies = before.copy(), values.copy()
    system.append(v, 1.0)
    radius = np.linalg.norm(v)
    np.testing.assert_allclose(system.values, [1 - radius, 1, 1, 1, 1 + radius], atol=1e-15)
    np.testing.assert_allclose(v @ system.vectors[:4, 1:4], 0.0, atol=1e-15)
    np.testing.assert_array_equal(system.vectors[4, 1:4], 0.0)
    np.testing.assert_allclose(np.abs(system.vectors[4, [0, 4]]), np.sqrt(0.5), rtol=1e-15)
    np.testing.assert_array_equal(before, copies[0])  # what was read before is left alone
    np.testing.assert_array_equal(values, copies[1])


def test_the_same_bits_again():
    rng = np.random.default_rng(5)
    sigma = np.corrcoef(rng.standard_normal((60, 25)), rowvar=False)
    one, other = grow(sigma), grow(sigma)
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.vectors, other.vectors)
