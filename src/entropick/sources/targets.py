"""The target as a plain array, whatever it came as."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidInput
from .table import Array, UnreadableValue, library, warn_column_vector
from .values import read_values


def target_values(y: Any) -> Array:
    """(n,) booleans, integers, floats or an object array of texts; nothing missing, nothing infinite.

    Several targets are (n, q) numbers; a structured array of events and times stays as it is.
    """
    if getattr(getattr(y, "dtype", None), "names", None):  # events and times, as scikit-survival has them
        return np.asarray(y)
    y = _array(y)
    if y.ndim == 1:
        return _values(y)
    columns = [_values(column) for column in y.T]
    texts = [j for j, column in enumerate(columns) if column.dtype.kind not in "biuf"]
    if texts:
        raise InvalidInput(f"y: several targets must be numeric, got text in column {texts[0]}")
    return np.column_stack(columns)


class MissingTarget(InvalidInput):
    """``count`` rows have no target. The command line says with which query they are left out."""

    def __init__(self, count: int, where: str = "") -> None:
        super().__init__(
            f"y: Input y contains NaN: {count} missing value(s){where}; drop those rows,"
            " of a file with the sql SELECT * FROM data WHERE … IS NOT NULL"
        )
        self.count = count


def _values(y: Array) -> Array:
    """One target, checked."""
    missing = _missing(y)
    if missing.any():
        raise MissingTarget(int(missing.sum()), f", the first in row {int(np.argmax(missing))}")
    try:
        values, _, _ = read_values(y, "y")
    except InvalidInput as error:
        if "Complex" in str(error):
            raise InvalidInput("y: Complex data not supported") from None
        if isinstance(error, UnreadableValue):
            raise UnreadableValue("y: Unknown label type: every label must be a string or a number") from None
        raise InvalidInput("y: Input y contains infinity or a value too large; replace it or drop those rows") from None
    return values


def _array(y: Any) -> Array:
    """y as an array, 1-D or of several columns; a single column is taken with scikit-learn's warning."""
    if library(y) == "scipy" and hasattr(y, "tocsc"):
        raise InvalidInput("y: must be dense values, got a sparse matrix; use y.toarray().ravel()")
    if isinstance(y, (str, bytes)) or (np.isscalar(y) and np.ndim(y) == 0):
        raise InvalidInput(f"y: must be values (one per row) or a column name, got {y!r:.60}")
    if library(y) == "pandas" and hasattr(y, "cat") and y.ndim == 1:
        y = y.astype(object)  # labels of a categorical, as they are
    if library(y) in ("polars", "pyarrow") and hasattr(y, "to_pandas") and not hasattr(y, "columns"):
        y = np.array(y.to_pylist() if hasattr(y, "to_pylist") else y.to_list(), dtype=object)
    try:
        array = y if isinstance(y, np.ma.MaskedArray) else np.asarray(y)
        if array.dtype.kind in "US" and isinstance(y, (list, tuple)):
            array = np.asarray(y, dtype=object)
    except ValueError as error:
        raise InvalidInput(f"y: must be one value per row ({error})") from error
    if array.ndim == 2 and array.shape[1] == 1:
        warn_column_vector()
        array = array.reshape(-1)
    if array.ndim not in (1, 2) or 0 in array.shape[1:]:
        shape = "×".join(map(str, array.shape)) or "a single value"
        raise InvalidInput(f"y: y should be a 1d array, or have one column per target, got {shape}")
    return array


def _missing(array: Array) -> Array:
    """(n,) where a value is missing."""
    if isinstance(array, np.ma.MaskedArray):
        return np.ma.getmaskarray(array) | _missing(array.data)
    if array.dtype.kind in "fc":
        return np.isnan(array)
    if array.dtype.kind in "Mm":
        return np.isnat(array)
    if array.dtype.kind == "O":
        import pandas as pd

        return np.asarray(pd.isna(array), dtype=bool)
    return np.zeros(len(array), dtype=bool)
