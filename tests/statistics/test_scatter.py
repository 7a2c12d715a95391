"""Strips of a scatter matrix on several threads against NumPy's product, and what threads cost."""

import time

import numpy as np
import pytest

from entropick.statistics.moments import scatter
from entropick.threads import library_threads


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("m", "d"), [(50, 7), (300, 90), (1, 4)])
def test_the_lower_triangle_is_that_of_the_product(monkeypatch, threads, m, d):
    monkeypatch.setattr(scatter, "LEAST", 0.0)
    rng = np.random.default_rng(m)
    rows, before = rng.normal(size=(m, d)), np.tril(rng.normal(size=(d, d)))
    with library_threads(threads):
        found = scatter.add_scatter(rows, np.asfortranarray(before.copy()))
    np.testing.assert_allclose(np.tril(found), before + np.tril(rows.T @ rows), rtol=1e-12, atol=1e-12)


def test_two_threads_do_not_do_the_work_twice():
    rows = np.random.default_rng(0).normal(size=(4000, 400))

    def work(threads):
        best = np.inf
        with library_threads(threads):
            for _ in range(5):
                start = time.process_time()  # of all threads: a busy machine does not change it much
                scatter.add_scatter(rows, np.zeros((400, 400), order="F"))
                best = min(best, time.process_time() - start)
        return best

    assert work(2) < 2.0 * work(1)
