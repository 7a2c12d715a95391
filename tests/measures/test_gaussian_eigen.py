"""The growing eigensystem against a full decomposition."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.measures.gaussian_eigen import EigenSystem


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
    np.testing.assert_allclose(U.T @ U, np.eye(len(sigma)), atol=1e-10)
    np.testing.assert_allclose(U * system.values @ U.T, sigma, atol=1e-10 * values[-1])
