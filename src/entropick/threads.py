"""One thread pool a process, for kernels that release the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@lru_cache(maxsize=4)
def _pool(n_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(n_threads, thread_name_prefix="entropick")


def thread_count(n_jobs: int | None) -> int:
    """Threads for scikit-learn's ``n_jobs``: None is 1, −1 all cores."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def parallel(function: Callable[[T], R], items: Iterable[T], n_threads: int) -> list[R]:
    """``[function(item) for item in items]`` on up to ``n_threads`` threads, results in order."""
    items = list(items)
    if n_threads <= 1 or len(items) <= 1:
        return [function(item) for item in items]
    return list(_pool(n_threads).map(function, items))
