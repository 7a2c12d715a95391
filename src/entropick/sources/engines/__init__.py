"""Tables that other libraries hold in parts, recognised without importing any.

A module of an engine has ``blocks_of(X, y, memory)``, the `Blocks` and the name of the target, and
``columns_of(X, positions, names)``, the chosen columns as the same kind of object.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ...errors import InvalidInput
from ..blocks import Blocks
from ..table import library

ENGINES = {"dask": "dask_blocks", "pyspark": "spark_blocks"}  # library of the object -> module here


def as_blocks(X: Any, y: Any, memory: int | None = None) -> tuple[Blocks, str] | None:
    """The blocks of a Dask or Spark object and the name of the target among their columns; None for anything else.

    ``memory`` limits the bytes that this process may use; what its workers may use is said when those are started.
    """
    where = library(X[0] if isinstance(X, (list, tuple)) and X else X)
    if where in ENGINES:
        found: tuple[Blocks, str] = _engine(where).blocks_of(X, y, memory)
        return found
    if library(y) in ENGINES:
        raise InvalidInput(
            f"y: is of {library(y)}, so X must be as well, got a {type(X).__name__};"
            " pass the target as values in memory, or X as a distributed table"
        )
    return None


def take_columns(X: Any, positions: Sequence[int], names: Sequence[str]) -> Any:
    """The chosen columns of a Dask or Spark object, as the same kind of object; ``names`` of the chosen ones."""
    return _engine(library(X)).columns_of(X, positions, names)


def _engine(name: str) -> Any:
    return import_module(f"{__name__}.{ENGINES[name]}")
