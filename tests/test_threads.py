"""One pool of threads a process: results in order, errors passed on, and a forked process makes its own."""

import os
import signal
import time

import pytest

from entropick.threads import library_threads, parallel


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n_items", [0, 1, 2, 3, 20])
def test_results_are_in_order(n_threads, n_items):
    assert parallel(lambda item: item * item, range(n_items), n_threads) == [i * i for i in range(n_items)]


@pytest.mark.parametrize("bad", [0, 1, 9])
@pytest.mark.parametrize("n_items", [2, 10])
def test_errors_are_passed_on(bad, n_items):
    def divide(item):
        return 1 / (item - min(bad, n_items - 1))

    with pytest.raises(ZeroDivisionError):
        parallel(divide, range(n_items), 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    parallel(abs, range(4), 2)
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends the child where it waits for threads that were not inherited
        os._exit(0 if parallel(abs, range(-4, 0), 2) == [4, 3, 2, 1] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_error_of_the_first_item_is_raised():
    def fail(item):
        if item == 1:
            time.sleep(0.05)  # the third is there before the second
        if item:
            raise ValueError(item)

    for _ in range(5):
        with pytest.raises(ValueError, match="1"):
            parallel(fail, range(3), 3)


@pytest.mark.parametrize("n_threads", [2, 3])
def test_calls_within_calls_end(n_threads):
    def row(i):
        return parallel(lambda j: i * j, range(7), n_threads)

    assert parallel(row, range(9), n_threads) == [[i * j for j in range(7)] for i in range(9)]


def test_libraries_take_so_many_threads_within_and_as_before_after():
    """Also one that is loaded after another was limited."""
    from threadpoolctl import threadpool_info

    def taken():
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    import numpy as np

    np.ones((2, 2)) @ np.ones((2, 2))
    before = taken()
    with library_threads(1):
        assert taken() == {1}
    assert taken() == before
    import scipy.linalg  # noqa: F401  brings its own BLAS

    with library_threads(1, None):
        assert taken() == {1}


@pytest.mark.parametrize("method", ["wilks", "jmi"])
def test_two_threads_cost_no_more_than_their_work(method):
    """Threads that wait for each other, ours and those of BLAS, would show in processor time."""
    import numpy as np

    import entropick as ep

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 300)), rng.integers(0, 2, 4000)

    def cost(n_jobs):
        start = time.process_time()
        ep.select(X, y, method=method, k=5, n_jobs=n_jobs)
        return time.process_time() - start

    cost(2)
    taken = [(cost(1), cost(2)) for _ in range(5)]
    one, two = (min(column) for column in zip(*taken, strict=True))
    assert two < 1.6 * one
