"""Independent tasks on several processes, with the same results on any number of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

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

    with parallel_config("loky", inner_max_num_threads=1):
        work = Parallel(n_jobs=n_processes, return_as="generator_unordered")
        yield from work(delayed(_numbered)(number, function, task) for number, task in enumerate(tasks))


def _numbered(number: int, function: Callable[..., R], task: tuple[Any, ...]) -> tuple[int, R]:
    return number, function(*task)
