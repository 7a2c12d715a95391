"""Dask and Spark objects, recognised without importing either library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import InvalidInput
from ..blocks import Blocks
from ..table import library

ENGINES = ("dask", "pyspark")


def as_blocks(X: Any, y: Any, memory: int | None = None) -> tuple[Blocks, str] | None:
    """The blocks of a Dask or Spark object and the name of the target among their columns; None for anything else.

    ``memory`` limits the bytes that this process may use; what its workers may use is said when those are started.
    """
    where = library(X[0] if isinstance(X, (list, tuple)) and X else X)
    if where == "dask":
        from .dask_blocks import dask_blocks

        return dask_blocks(X, y, memory)
    if where == "pyspark":
        from .spark_blocks import spark_blocks

        return spark_blocks(X, y, memory)
    if library(y) in ENGINES:
        raise InvalidInput(
            f"y: is of {library(y)}, so X must be as well, got a {type(X).__name__};"
            " give the target as values in memory, or X as a distributed table"
        )
    return None


def take_columns(X: Any, positions: Sequence[int], names: Sequence[str]) -> Any:
    """The chosen columns of a Dask or Spark object, as the same kind of object; ``names`` of the chosen ones."""
    if library(X) == "pyspark" and not hasattr(X, "to_spark"):
        from .spark_blocks import quoted

        return X.select([quoted(name) for name in names])
    if hasattr(X, "columns"):
        labels = {str(label): label for label in X.columns}
        return X[[labels[name] for name in names]]
    if hasattr(X, "rechunk"):
        return X[:, list(positions)]
    raise InvalidInput(
        f"X: columns can be taken of a Dask array or a Dask or Spark frame, got a {type(X).__name__};"
        " take them of each block"
    )
