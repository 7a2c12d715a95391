"""Where compiled kernels are kept, and what happens where nothing can be kept.

Numba refuses to compile a function that is to be cached where no folder can be written to (a container with a
read-only root), and fails where the folder is full or holds something damaged. Here the cache is a convenience: without
it kernels are compiled anew in every process, which takes seconds, and a note says so once.
"""

from __future__ import annotations

import warnings
from pickle import UnpicklingError
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

NOTE = "entropick: kernels are compiled anew in every process, as {}; set NUMBA_CACHE_DIR to a writable folder"
DAMAGED = (  # what reading a damaged cache raises
    UnpicklingError, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, MemoryError,
    ImportError, AssertionError,
)  # fmt: skip
PACKAGE = __name__.partition(".")[0] + "."
told: list[str] = []


class OptionalCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function; what cannot be read is compiled, what cannot be written is done without."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except DAMAGED:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            note(f"their folder cannot be written to ({error.strerror or error})")
        except DAMAGED:  # the index
            self.flush()


def note(reason: str) -> None:
    """Once a process."""
    if not told:
        told.append(reason)
        warnings.warn(NOTE.format(reason), UserWarning, stacklevel=2)


def enable_caching(function: Dispatcher) -> None:
    """What Numba's decorator calls for ``cache=True``: for kernels of ours an `OptionalCache`, for others as ever."""
    if not function.py_func.__module__.startswith(PACKAGE):
        numbas_own(function)
        return
    try:
        function._cache = OptionalCache(function.py_func)  # type: ignore[attr-defined]
    except RuntimeError:  # "cannot cache function …: no locator available"
        note("no folder for them can be written to")


numbas_own = Dispatcher.enable_caching
Dispatcher.enable_caching = enable_caching  # type: ignore[method-assign, assignment] # the decorator has no argument for it
