"""Files of learning tools, read as they are by SciPy and scikit-learn: ARFF (Weka) and svmlight."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from ..errors import InvalidInput
from .arrays import from_columns, from_sparse
from .table import Column, ColumnTable, Table, held_column
from .text.stream import open_packed

TARGET = "target"  # what the first value of an svmlight line is called


def read_arff(path: Path) -> Table:
    """A dense ARFF file of numeric, nominal and date attributes."""
    from scipy.io import arff

    try:
        with open_packed(path) as file:
            text = file.read().decode("utf-8")
        records, about = arff.loadarff(io.StringIO(text))
    except (ValueError, LookupError, RuntimeError, StopIteration, OSError, EOFError) as error:  # all of which it raises
        line = str(error).partition("\n")[0] or "no header"
        raise InvalidInput(f"file: {path.name!r} is no ARFF file that can be read ({line})") from error
    if not len(records):
        raise InvalidInput(f"file: {path.name!r} has column names but no rows")
    columns = []
    for name, kind in zip(about.names(), about.types(), strict=True):
        values = records[name]
        if kind == "nominal":
            values = np.array([None if v == b"?" else v.decode("utf-8") for v in values], dtype=object)
        columns.append(values)
    return from_columns(about.names(), columns, named=True)


def read_svmlight(path: Path) -> Table:
    """A sparse file of lines ``label id:value …``: the columns ``target, x0, x1, …``, one of them dense at a time."""
    from sklearn.datasets import load_svmlight_file

    try:
        matrix, labels = load_svmlight_file(str(path))
    except (ValueError, OSError, EOFError) as error:
        line = str(error).partition("\n")[0]
        raise InvalidInput(f"file: {path.name!r} is no svmlight file that can be read ({line})") from error
    features = from_sparse(matrix)
    whole = labels.astype(np.int64)
    target = held_column("integer", whole) if (whole == labels).all() else held_column("numeric", labels)

    def feature(j: int) -> Column:
        return Column(features.kind(j), lambda: features.column(j))

    columns = [target, *(feature(j) for j in range(features.n_columns))]
    return ColumnTable((TARGET, *features.names), columns, features.n_rows)
