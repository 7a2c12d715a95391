"""One thread pool a process, for kernels that release the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@lru_cache(maxsize=4)
def _pool(n_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(n_threads, thread_name_prefix="entropick")


if hasattr(os, "register_at_fork"):  # a forked process inherits the pool but none of its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def thread_count(n_jobs: int | None) -> int:
    """Threads for scikit-learn's ``n_jobs``: None is 1, −1 all cores."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


@lru_cache(maxsize=1)
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def blas_thread_count(n_jobs: int | None) -> int:
    """The same for what stands in for calls of BLAS: None is as many as BLAS takes."""
    if n_jobs is not None:
        return thread_count(n_jobs)
    return max((library.num_threads for library in _blas().lib_controllers), default=1)


def parallel(function: Callable[[T], R], items: Iterable[T], n_threads: int) -> list[R]:
    """``[function(item) for item in items]`` on up to ``n_threads`` threads, results in order."""
    items = list(items)
    if n_threads <= 1 or len(items) <= 1:
        return [function(item) for item in items]
    if len(items) <= n_threads:  # one here: it need not wait for a thread to wake
        others = [_pool(n_threads).submit(function, item) for item in items[1:]]
        return [function(items[0]), *(other.result() for other in others)]
    return list(_pool(n_threads).map(function, items))
