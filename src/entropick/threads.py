"""One thread pool a process, for kernels that release the interpreter's lock."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from functools import lru_cache
from numbers import Integral
from typing import Any, TypeVar

from .errors import InvalidParameter

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

    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise InvalidParameter(f"n_jobs: must be a number of threads, −1 for all, or None, got {n_jobs!r}")
    return int(effective_n_jobs(n_jobs))


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> Any:
    """The libraries with threads of their own. To look for them takes 10 ms; new ones come with new modules."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def library_threads(n_threads: int, kind: str | None = "blas") -> AbstractContextManager[Any]:
    """Within it BLAS (or OpenMP, kind "openmp", or both, None) takes so many threads."""
    context: AbstractContextManager[Any] = _libraries(len(sys.modules)).limit(limits=n_threads, user_api=kind)
    return context


def blas_thread_count(n_jobs: int | None) -> int:
    """The same for what stands in for calls of BLAS: None is as many as BLAS takes."""
    if n_jobs is not None:
        return thread_count(n_jobs)
    libraries = _libraries(len(sys.modules)).select(user_api="blas").lib_controllers
    return max((library.num_threads for library in libraries), default=1)


def parallel(function: Callable[[T], R], items: Iterable[T], n_threads: int) -> list[R]:
    """``[function(item) for item in items]`` on up to ``n_threads`` threads, results in order.

    The caller is one of the threads, and each takes the next item when it is done with one: waking a thread costs as
    much as a small kernel. Of several errors that of the first item is raised. Calls may be nested.
    """
    items = list(items)
    helpers = min(n_threads, len(items)) - 1
    if helpers < 1:
        return [function(item) for item in items]
    todo = deque(enumerate(items))
    done: dict[int, R] = {}
    failed: dict[int, BaseException] = {}

    def work() -> None:
        while todo:
            try:
                place, item = todo.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                done[place] = function(item)
            except BaseException as error:  # raised below, by the caller
                failed[place] = error
                todo.clear()

    futures = [_pool(n_threads).submit(work) for _ in range(helpers)]
    work()
    wait([future for future in futures if not future.cancel()])  # one that has not begun finds nothing to do
    if failed:
        raise failed[min(failed)]
    return [done[place] for place in range(len(items))]
