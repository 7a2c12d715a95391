"""Files of learning tools, read as they are by SciPy and scikit-learn: ARFF (Weka) and svmlight."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import EntropickError, InvalidInput
from .arrays import from_columns, from_sparse
from .limits import check_width, half_of_memory
from .side_by_side import side_by_side
from .table import ColumnTable, Table, held_column
from .text.stream import open_packed

# what SciPy's reader stumbles over in a damaged file
FOREIGN = (
    ValueError, LookupError, RuntimeError, StopIteration, OSError, EOFError, TypeError, AttributeError, ArithmeticError,
    AssertionError, csv.Error,
)  # fmt: skip
TIMES = 12  # of its text, that an ARFF file takes while it is read
TARGET = "target"  # what the first value of an svmlight line is called


def read_arff(path: Path, memory: int | None = None) -> Table:
    """A dense ARFF file of numeric, nominal and date attributes."""
    from scipy.io import arff

    text = ""
    try:
        with open_packed(path) as file:
            text = _within(path, file, memory).decode("utf-8")
        records, about = arff.loadarff(io.StringIO(text))
    except EntropickError:
        raise
    except FOREIGN as error:
        line = str(error).partition("\n")[0] or "no header"
        if "@data" in text.lower() and text.lower().partition("@data")[2].lstrip().startswith("{"):
            line = "sparse ARFF is not supported; save it as dense ARFF or svmlight"
        raise InvalidInput(f"file: {path.name!r} is not a readable ARFF file ({line})") from error
    if not len(records):
        raise InvalidInput(f"file: {path.name!r} has column names but no rows")
    columns = []
    for name, kind in zip(about.names(), about.types(), strict=True):
        values = records[name]
        if kind == "nominal":
            values = np.array([None if v == b"?" else v.decode("utf-8") for v in values], dtype=object)
        columns.append(values)
    return from_columns(about.names(), columns, named=True)


def _within(path: Path, file: Any, memory: int | None) -> bytes:
    """All of a file that must be read whole, where it fits: the reader takes several times its size."""
    limit = (half_of_memory() if memory is None else memory) // TIMES
    parts, size = [], 0
    while part := file.read(1 << 20):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise InvalidInput(
                f"file: {path.name!r} must fit in memory, where text takes {TIMES} times its size, and has over"
                f" {limit >> 20} MB; raise memory (--memory), or write it as CSV or Parquet"
            )
    return b"".join(parts)


def read_svmlight(path: Path, memory: int | None = None) -> Table:
    """A sparse file of lines ``label id:value …``: the columns ``target, x0, x1, …``, which stay sparse."""
    from sklearn.datasets import load_svmlight_file

    try:
        matrix, labels = load_svmlight_file(str(path))
    except (ValueError, OSError, EOFError, OverflowError, IndexError) as error:
        line = "an index is too large" if isinstance(error, OverflowError) else str(error).partition("\n")[0]
        raise InvalidInput(f"file: {path.name!r} is not a readable svmlight file ({line})") from error
    check_width(f"file: {path.name!r}", matrix.shape[1], memory)
    features = from_sparse(matrix)
    whole = labels.astype(np.int64)
    target = held_column("integer", whole) if (whole == labels).all() else held_column("numeric", labels)
    return side_by_side([ColumnTable([TARGET], [target], features.n_rows), features])
