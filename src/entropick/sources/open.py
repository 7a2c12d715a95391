"""Open whatever holds rows as a `Source`."""

from __future__ import annotations

from os import PathLike
from typing import Any

from .source import Source, TableSource
from .table import as_table


def open_source(X: Any) -> Source:
    """A `Source` of a table in memory or of a file."""
    if isinstance(X, Source):
        return X
    if isinstance(X, (str, PathLike)):
        from .arrow_files import ParquetSource
        from .files import PARQUET, read_file

        return ParquetSource(X) if str(X).lower().endswith(PARQUET) else TableSource(read_file(X))
    return TableSource(as_table(X))
