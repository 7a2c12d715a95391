"""pandas, polars and Arrow tables. Each library is recognised without being imported."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidInput, MissingExtra
from .arrays import MatrixTable, check_matrix, from_sparse
from .table import (
    Array,
    Column,
    ColumnTable,
    Table,
    UnreadableValue,
    as_table,
    check_finite,
    check_shape,
    distinct_names,
    library,
)
from .values import column_of, date_notes, seconds

SMALL = 1 << 25  # bytes of floats in a frame that are copied into one matrix, which costs less than column by column


def is_pandas(X: Any) -> bool:
    """Whether X is a pandas DataFrame."""
    return library(X) == "pandas" and hasattr(X, "columns") and X.ndim == 2


def aligned(X: Any, y: Any) -> tuple[Any, tuple[str, ...]]:
    """y in the order of X's rows, where both are pandas' and have the same labels in another order, and a note on it.

    Labels that are not the same are an error, unless one side only counts its rows and so has no labels to compare.
    """
    if not is_pandas(X) or library(y) != "pandas" or not hasattr(y, "index"):
        return y, ()
    import pandas as pd

    if not isinstance(y, (pd.Series, pd.DataFrame)) or len(X) != len(y) or X.index.equals(y.index):
        return y, ()
    if X.index.is_unique and y.index.is_unique and X.index.isin(y.index).all():
        return y.loc[X.index], ("y has the index of X in a different order; rows are matched by label",)
    if any(isinstance(index, pd.RangeIndex) for index in (X.index, y.index)):
        return y, ()
    odd = next((label for label in X.index if label not in y.index), None)
    what = "repeated labels in a different order" if odd is None else f"no row {odd!r}, which X has"
    raise InvalidInput(
        f"y: must have the index of X, got {what}; align them, or pass y.to_numpy() to match by position"
    )


def read_target(series: Any) -> Any:
    """A pandas column that is the target, its texts as numbers where they would be read so as a feature."""
    import pandas as pd

    some = series.dropna()
    if (series.dtype != object and not pd.api.types.is_string_dtype(series.dtype)) or not isinstance(
        next(iter(some), None), str
    ):
        return series
    with suppress(InvalidInput):  # what cannot be read is told of the target
        table = as_table(series.to_frame())
        if table.kind(0) == "numeric":
            return pd.Series(table.column(0), index=series.index, name=series.name)
    return series


def from_frame(X: Any) -> Table | None:
    """The table of a frame, or None where X is none."""
    where = library(X)
    if is_pandas(X):
        return from_pandas(X)
    if where == "polars":
        X = X.collect() if hasattr(X, "collect") else X
        if hasattr(X, "get_columns"):
            return from_polars(X)
    elif where == "pyarrow":
        X = X.read_all() if hasattr(X, "read_all") else X
        if hasattr(X, "schema") and hasattr(X, "column_names"):
            return from_arrow(X)
    elif where != "pandas" and hasattr(X, "__arrow_c_stream__"):  # another library's frame that speaks Arrow
        return from_arrow(_arrow_table(X))
    if where in ("pandas", "polars", "pyarrow"):
        raise InvalidInput(
            f"X: Expected 2D array, got a {type(X).__name__} instead. Reshape your data: a single column"
            " must be given as a frame of one column"
        )
    return None


def _arrow_table(X: Any) -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtra("pyarrow", "cli", f"reading a {type(X).__name__}") from error
    try:
        return pa.table(X)
    except (pa.ArrowException, TypeError) as error:
        raise InvalidInput(f"X: must be a table, got a {type(X).__name__}. Reshape your data") from error


# -- pandas --------------------------------------------------------------------------------------------


def from_pandas(frame: Any) -> Table:
    """A table of a DataFrame; one that holds a single real block is used as a matrix, without a copy."""
    names, twice = distinct_names([str(name) for name in frame.columns])
    check_shape(*frame.shape)
    named = all(isinstance(name, str) for name in frame.columns)
    matrix = _block(frame)
    if matrix is not None:
        check_matrix(matrix, names)
        table = MatrixTable(matrix, names, notes=twice)
        table.named = named
        return table
    entries = _entries(frame)
    if entries is not None:
        held = from_sparse(entries)
        held.names, held.named, held.notes = tuple(names), named, (*held.notes, *twice)
        return held
    read = [_pandas_column(frame.iloc[:, j], names[j]) for j in range(len(names))]
    notes = (*twice, *date_notes(names, [dates for _, dates in read]))
    return ColumnTable(
        names, [replace(column, dated=dates) for column, dates in read], len(frame), named=named, notes=notes
    )


def _block(frame: Any) -> Array | None:
    """The one array behind the frame, where all columns are views of it."""
    dtype = frame.dtypes.iloc[0]
    plain = isinstance(dtype, np.dtype) and dtype.kind in "biuf" and dtype.itemsize <= 8
    if not plain or not (frame.dtypes == dtype).all():
        return None
    ends = frame.iloc[:, 0].to_numpy(), frame.iloc[:, -1].to_numpy()
    first, last = (_owner(end) for end in ends)
    if frame.shape[1] > 1 and first is not last:
        return None  # columns held apart: to_numpy would copy them all
    out: Array | None = frame.to_numpy()
    return out


def _entries(frame: Any) -> Any:
    """The SciPy matrix of a frame all of whose columns are sparse around 0 and of one type, or None."""
    import pandas as pd

    dtype = frame.dtypes.iloc[0]
    if not isinstance(dtype, pd.SparseDtype) or dtype.subtype.kind not in "biuf" or dtype.fill_value != 0:
        return None
    return frame.sparse.to_coo() if (frame.dtypes == dtype).all() else None


def _owner(array: Array) -> Any:
    """The object that owns the array's memory."""
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def _pandas_column(series: Any, name: str) -> tuple[Column, bool]:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return column_of(series.to_numpy(), name)
    if isinstance(dtype, pd.CategoricalDtype):
        return Column("category", lambda: _labels(series.cat.categories, series.cat.codes.to_numpy())), False
    if isinstance(dtype, pd.SparseDtype):
        return column_of(series.sparse.to_dense().to_numpy(), name)
    types = pd.api.types
    if types.is_bool_dtype(dtype):
        return Column("boolean", lambda: _masked(series, np.bool_)), False
    if types.is_integer_dtype(dtype):
        return Column("integer", lambda: _masked(series, dtype.numpy_dtype)), False
    if types.is_float_dtype(dtype):
        check_finite(_masked(series, np.float64), name)
        return Column("numeric", lambda: _masked(series, np.float64)), False
    if types.is_string_dtype(dtype):
        return Column("category", lambda: _pandas_texts(series), lambda: _first(series.dropna())), False
    if types.is_datetime64_any_dtype(dtype):
        aware = getattr(dtype, "tz", None) is not None
        return Column("numeric", lambda: seconds(_naive(series, aware))), True
    if isinstance(dtype, pd.PeriodDtype):
        return Column("numeric", lambda: seconds(series.dt.to_timestamp().to_numpy())), True
    if isinstance(dtype, pd.IntervalDtype):
        return Column("category", lambda: _pandas_texts(series.astype(str).where(series.notna()))), False
    return column_of(series.to_numpy(dtype=object), name)


def _masked(series: Any, dtype: Any) -> Array:
    """Values of a nullable column: as dtype, or float64 with NaN where any is missing."""
    if dtype is np.float64 or series.isna().any():
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(series.to_numpy(dtype=dtype))


def _naive(series: Any, aware: bool) -> Array:
    if aware:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    return np.asarray(series.to_numpy(), dtype="M8[ns]") if series.dtype == object else series.to_numpy()


def _label(category: Any) -> str:
    """The text of a category: of bytes, as where they are no category."""
    return category.decode("utf-8", "backslashreplace") if isinstance(category, bytes) else str(category)


def _labels(categories: Any, codes: Array) -> Array:
    """Texts of the categories by code; None for code -1."""
    texts = np.array([*map(_label, categories), None], dtype=object)
    return texts[codes]


def _pandas_texts(series: Any) -> Array:
    out: Array = series.to_numpy(dtype=object, copy=True)
    out[series.isna().to_numpy()] = None
    return out


# -- polars --------------------------------------------------------------------------------------------


def from_polars(frame: Any) -> Table:
    """A table of a polars DataFrame; columns without nulls are used as they are, a small one of floats is copied."""
    import polars as pl

    names = list(frame.columns)
    check_shape(*frame.shape)
    if len(kinds := set(frame.dtypes)) == 1 and kinds <= {pl.Float32, pl.Float64} and frame.estimated_size() <= SMALL:
        matrix = frame.to_numpy(order="fortran")
        check_matrix(matrix, names)
        return MatrixTable(matrix, names)
    read = [_polars_column(frame.to_series(j), names[j]) for j in range(len(names))]
    notes = date_notes(names, [dates for _, dates in read])
    return ColumnTable(names, [replace(column, dated=dates) for column, dates in read], frame.height, notes=notes)


def _polars_column(series: Any, name: str) -> tuple[Column, bool]:
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Boolean:
        return Column("boolean", lambda: _polars_numbers(series)), False
    if str(dtype) in ("Int128", "UInt128"):  # NumPy has none: 64-bit integers where they fit, else floats
        narrow = series.cast(pl.Int64, strict=False)
        series = narrow if narrow.null_count() == series.null_count() else series.cast(pl.Float64)
        dtype = series.dtype
    if dtype.is_integer():
        return Column("integer", lambda: _polars_numbers(series)), False
    if dtype.is_float() or dtype.is_decimal() or dtype == pl.Null:
        if dtype not in (pl.Float32, pl.Float64):
            series = series.cast(pl.Float64)
        check_finite(_polars_numbers(series), name)
        return Column("numeric", lambda: _polars_numbers(series)), False
    if dtype == pl.String:
        return Column("category", lambda: _texts(series.to_list()), lambda: _first(series.drop_nulls())), False
    if dtype in (pl.Categorical, pl.Enum):
        return Column("category", lambda: _texts(series.cast(pl.String).to_list())), False
    if dtype == pl.Binary:
        return column_of(_texts(series.to_list()), name)
    if dtype.is_temporal():
        if dtype == pl.Time:
            return Column("numeric", lambda: _polars_numbers(series.cast(pl.Int64)) / 1e9), True
        return Column("numeric", lambda: seconds(series.to_numpy())), True
    raise _nested(name, dtype)


def _polars_numbers(series: Any) -> Array:
    """Without a copy where nothing is null, else float64 with NaN."""
    import polars as pl

    if series.null_count():
        series = series.cast(pl.Float64)
    out: Array = series.to_numpy()
    return out


# -- Arrow ---------------------------------------------------------------------------------------------


def from_arrow(table: Any, first_row: int = 0) -> Table:
    """A table of an Arrow table or record batch; whole columns without nulls are used as they are.

    ``first_row`` is the number of its first row in messages.
    """
    names, twice = distinct_names(table.column_names)
    check_shape(table.num_rows, table.num_columns)
    read = [_arrow_column(table.column(j), names[j], first_row) for j in range(len(names))]
    notes = (*twice, *date_notes(names, [dates for _, dates in read]))
    return ColumnTable(names, [replace(column, dated=dates) for column, dates in read], table.num_rows, notes=notes)


def arrow_kind(dtype: Any, name: str) -> tuple[str, bool]:
    """(kind of a column of this Arrow type, whether it holds dates or times); a nested one is an error."""
    from pyarrow import types

    if types.is_boolean(dtype):
        return "boolean", False
    if types.is_integer(dtype):
        return "integer", False
    if types.is_floating(dtype) or types.is_decimal(dtype) or types.is_null(dtype):
        return "numeric", False
    if types.is_date(dtype) or types.is_timestamp(dtype) or types.is_duration(dtype) or types.is_time(dtype):
        return "numeric", True
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return "category", False
    if types.is_binary(dtype) or types.is_large_binary(dtype) or types.is_fixed_size_binary(dtype):
        return "category", False
    if types.is_dictionary(dtype):
        return "category", False
    raise _nested(name, dtype)


def _arrow_column(column: Any, name: str, first_row: int) -> tuple[Column, bool]:
    """The column, and whether it holds dates or times."""
    import pyarrow as pa

    dtype, types = column.type, pa.types
    kind, dates = arrow_kind(dtype, name)
    if types.is_time(dtype):
        scale = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[dtype.unit]
        width = pa.int32() if types.is_time32(dtype) else pa.int64()
        return Column(kind, lambda: _arrow_numbers(column.cast(width)) * scale), dates
    if dates:
        return Column(kind, lambda: seconds(np.asarray(_to_numpy(column)))), dates
    if kind == "category":
        free = None if types.is_dictionary(dtype) else lambda: _first_text(column)
        return Column(kind, lambda: _arrow_texts(column), free), dates
    if types.is_decimal(dtype) or types.is_null(dtype):
        column = column.cast(pa.float64())
    if kind == "numeric":
        check_finite(_arrow_numbers(column), name, first_row)
    return Column(kind, lambda: _arrow_numbers(column)), dates


def _first_text(column: Any) -> str | None:
    at = column.is_valid().index(True).as_py()
    return None if at < 0 else _text(column[at].as_py())


def _arrow_texts(column: Any) -> Array:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        return np.concatenate([_dictionary_texts(chunk) for chunk in chunks] or [_texts([])])
    return _texts([_text(value) for value in column.to_pylist()])


def _dictionary_texts(array: Any) -> Array:
    """Texts by code: one object for every text, however often it comes."""
    texts = _texts([*map(_text, array.dictionary.to_pylist()), None])
    return np.asarray(texts[array.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False)])


def _text(value: Any) -> str | None:
    if value is None or type(value) is str:
        return value
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _to_numpy(column: Any) -> Array:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        return np.asarray(column.to_numpy())
    return np.asarray(column.to_numpy(zero_copy_only=False))


def _arrow_numbers(column: Any) -> Array:
    """Without a copy for one chunk where nothing is null, else float64 with NaN."""
    import pyarrow as pa

    if column.null_count:
        if pa.types.is_boolean(column.type):
            column = column.cast(pa.int8())
        column = column.cast(pa.float64(), safe=False)
    return _to_numpy(column)


def _first(values: Any) -> Any:
    return next(iter(values), None)


def _texts(values: Sequence[Any]) -> Array:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _nested(name: str, dtype: Any) -> UnreadableValue:
    return UnreadableValue(
        f"X: every argument must be a string or a number, got {dtype} in column {name!r};"
        " convert it to numbers or strings"
    )
