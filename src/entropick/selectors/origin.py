"""Where the rows of a call are: in memory, or in blocks that need not be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any

from ..errors import InvalidInput, InvalidParameter
from ..methods import get_method
from ..sources import Source, as_blocks, open_source
from ..sources.blocks import Blocks, LocalBlocks, parse_memory

HELD = 3  # times the size of the rows that a selection in memory may take


@dataclass(frozen=True)
class InBlocks:
    """Rows in blocks, and the name of the target column."""

    blocks: Blocks
    target: str


@contextmanager
def located(X: Any, y: Any, method: str, memory: Any = None) -> Iterator[Any]:
    """`InBlocks` for what Dask or Spark holds and for sources beyond ``memory``; else X, or the table read from it.

    What is opened here (files, generators, readers) is closed afterwards.
    """
    limit = parse_memory(memory)
    found = as_blocks(X, y, limit)
    if found is not None:
        yield InBlocks(*found)
    elif isinstance(X, Source):
        yield _placed(X, y, method, limit)
    elif _gives_rows(X):
        with open_source(X, memory=limit) as source:
            yield _placed(source, y, method, limit)
    else:
        yield X


def _gives_rows(X: Any) -> bool:
    """Whether X is no table but something to read one from: a file, a generator, an Arrow reader or dataset."""
    if isinstance(X, (str, PathLike, Iterator)):
        return True
    reader = hasattr(X, "read_next_batch") or hasattr(X, "sink_ipc")
    return reader or (hasattr(X, "to_batches") and not hasattr(X, "num_columns"))


def _placed(source: Source, y: Any, method: str, limit: int | None) -> Any:
    if not isinstance(y, str):
        raise InvalidInput(f"y: must be the name of a column where rows are read from a source, got {y!r:.60}")
    limit = half_of_memory() if limit is None else limit
    size = source.memory()
    if size is not None and HELD * size <= limit:
        return source.table()
    if get_method(method).statistics == "rows":
        needed = "an unknown number of" if size is None else f"about {HELD * size}"
        raise InvalidParameter(
            f"memory: {method!r} works on the rows themselves and needs {needed} bytes, got a limit of {limit};"
            " raise it, or take a method on counts or moments, see entropick.methods()"
        )
    return InBlocks(LocalBlocks(source, limit), y)


def half_of_memory() -> int:
    """Bytes: the limit where none is given."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
