"""Independent tasks on several processes, with the same results on any number of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ..errors import WorkerDied
from ..methods import Method, adopt, own_methods
from ..threads import library_threads, thread_count

R = TypeVar("R")


@contextmanager
def undisturbed() -> Iterator[None]:
    """One thread for BLAS, as sums in another order are other sums; and no remarks, which would come once a task."""
    with library_threads(1, None), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def finished(
    function: Callable[..., R], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None
) -> Iterator[tuple[int, R]]:
    """(number, function(*task)) of every task, as they are done: in no order on several processes."""
    n_processes = min(thread_count(n_jobs), len(tasks))
    if n_processes <= 1:
        for number, task in enumerate(tasks):
            yield number, function(*task)
        return
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        with parallel_config("loky", inner_max_num_threads=1):
            work = Parallel(n_jobs=n_processes, return_as="generator_unordered")
            own = own_methods()
            yield from work(delayed(_numbered)(number, function, task, own) for number, task in enumerate(tasks))
    except BrokenProcessPool as error:
        raise WorkerDied(
            f"n_jobs: one of {n_processes} worker processes was killed, probably because memory ran out;"
            " use fewer (n_jobs=, --jobs), or fewer rows or columns. With resume= (--resume) finished work is kept,"
            " and the same call continues from there"
        ) from error


def _numbered(number: int, function: Callable[..., R], task: tuple[Any, ...], own: tuple[Method, ...]) -> tuple[int, R]:
    adopt(own)  # a process of its own knows the built-in methods only
    return number, function(*task)
