"""NumPy arrays, lists of rows, dicts of columns and SciPy sparse matrices as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..errors import InvalidInput
from .table import (
    Array,
    ColumnTable,
    Table,
    check_finite,
    check_names,
    check_shape,
    infinity,
    row_numbers,
)
from .values import column_of, date_notes, masked_objects

CHECK_BYTES = 1 << 22  # rows looked at together for infinities: fits in cache


@lru_cache(maxsize=4)  # 50 000 names take 10 ms, and are asked for twice
def made_up(n_columns: int) -> tuple[str, ...]:
    """``x0, x1, ...``"""
    return tuple(f"x{j}" for j in range(n_columns))


class MatrixTable(Table):
    """A table over one real 2-D array, which is not copied."""

    def __init__(
        self,
        matrix: Array,
        names: Sequence[str] | None = None,
        *,
        kind: str | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(
            made_up(matrix.shape[1]) if names is None else names,
            matrix.shape[0],
            named=names is not None,
            notes=notes,
        )
        self._matrix = matrix
        self._kind = kind or kind_of(matrix.dtype)

    @property
    def matrix(self) -> Array:
        return self._matrix

    def kind(self, j: int) -> str:
        return self._kind

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self._kind,) * self.n_columns

    def column(self, j: int) -> Array:
        return self._matrix[:, j]

    def take(self, rows: Array) -> MatrixTable:
        return self._like(self._matrix[row_numbers(rows, self.n_rows)], self.names)

    def select(self, columns: Sequence[int]) -> MatrixTable:
        columns = list(columns)
        names = [self.names[j] for j in columns]
        if columns and columns == list(range(columns[0], columns[0] + len(columns))):
            return self._like(self._matrix[:, columns[0] : columns[-1] + 1], names)  # a view
        return self._like(self._matrix[:, columns], names)

    def dense(self, start: int, stop: int, dtype: DTypeLike = np.float64) -> Array:
        return self._matrix[:, start:stop].astype(dtype)

    def _like(self, matrix: Array, names: Sequence[str]) -> MatrixTable:
        table = MatrixTable(matrix, names, kind=self._kind, notes=self.notes)
        table.named = self.named
        return table


class SparseTable(Table):
    """A table over a sparse matrix, held by columns; one column at a time is made dense."""

    def __init__(self, csc: Any, names: Sequence[str] | None = None, csr: Any = None) -> None:
        names_ = made_up(csc.shape[1]) if names is None else names
        super().__init__(names_, csc.shape[0], named=names is not None)
        self._csc, self._csr = csc, csr
        self._kind = kind_of(csc.dtype)

    @property
    def csc(self) -> Any:
        return None if self._csc.dtype == np.uint64 else self._csc  # beyond int64: column by column

    @property
    def csr(self) -> Any:
        return self._csr

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self._kind,) * self.n_columns

    def kind(self, j: int) -> str:
        return self._kind

    def column(self, j: int) -> Array:
        out = np.zeros(self.n_rows, dtype=self._csc.dtype)
        held = slice(self._csc.indptr[j], self._csc.indptr[j + 1])
        out[self._csc.indices[held]] = self._csc.data[held]
        return out

    def take(self, rows: Array) -> SparseTable:
        return self._like(self._csc[row_numbers(rows, self.n_rows)], self.names)

    def select(self, columns: Sequence[int]) -> SparseTable:
        return self._like(self._csc[:, list(columns)], [self.names[j] for j in columns])

    def dense(self, start: int, stop: int, dtype: DTypeLike = np.float64) -> Array:
        out: Array = self._csc[:, start:stop].toarray().astype(dtype, copy=False)
        return out

    def _like(self, csc: Any, names: Sequence[str]) -> SparseTable:
        table = SparseTable(csc, names)
        table.named = self.named
        return table


def kind_of(dtype: np.dtype[Any]) -> str:
    """The kind of a column of real numbers of this dtype."""
    return {"b": "boolean", "f": "numeric"}.get(dtype.kind, "integer")


def from_array(X: Any) -> Table:
    """A table of an array, a list of rows, a dict of columns, or whatever NumPy can read as an array."""
    if isinstance(X, Mapping):
        return from_columns([str(name) for name in X], list(X.values()), named=True)
    if isinstance(X, np.ma.MaskedArray):
        return _from_masked(X)
    array = _read(X)
    if array.dtype.names is not None:
        if array.ndim != 1:
            raise InvalidInput(f"X: an array of records must be 1-D, got {array.ndim}-D. Reshape your data")
        return from_columns(array.dtype.names, [array[name] for name in array.dtype.names], named=True)
    if array.ndim != 2:
        raise InvalidInput(
            f"X: Expected 2D array, got {array.ndim}D array instead. Reshape your data: X.reshape(-1, 1)"
            " if it is one column, X.reshape(1, -1) if it is one row"
        )
    check_shape(*array.shape)
    if array.dtype.kind == "c":
        raise InvalidInput("X: Complex data not supported; give real and imaginary parts as columns")
    if array.dtype.kind in "biuf":
        if array.dtype.kind == "f":
            check_matrix(array, made_up(array.shape[1]))
        return MatrixTable(array)
    return from_columns(made_up(array.shape[1]), list(array.T), named=False)


def _read(X: Any) -> Array:
    """X as an array; texts among numbers in lists stay what they were."""
    try:
        array = np.asarray(X)
        if array.dtype.kind in "USV" and array.dtype.names is None and not isinstance(X, np.ndarray):
            array = np.asarray(X, dtype=object)  # [[1, "a"]] must not become [["1", "a"]]
    except ValueError as error:
        raise InvalidInput(f"X: rows must all have the same length ({error})") from error
    if array.ndim == 0:
        raise InvalidInput(
            f"X: must be a table (array, frame, sparse matrix, list of rows), got {type(X).__name__}. Reshape your data"
        )
    return array


def _from_masked(X: Any) -> Table:
    """Masked entries are missing: NaN among numbers, None among others."""
    if not np.ma.is_masked(X):
        return from_array(np.asarray(X.data))
    if X.ndim == 2 and X.dtype.kind in "biuf":
        kind = kind_of(X.dtype)
        dtype = X.dtype if kind == "numeric" else np.float64
        array = np.ma.filled(X.astype(dtype), np.nan)
        check_shape(*array.shape)
        check_matrix(array, made_up(array.shape[1]))
        return MatrixTable(array, kind=kind)
    return from_array(masked_objects(X))


def from_columns(names: Iterable[str], columns: Sequence[Any], *, named: bool) -> Table:
    """A table of 1-D columns of any content."""
    names = [str(name) for name in names]
    check_names(names)
    for name, column in zip(names, columns, strict=True):
        if not hasattr(column, "__len__") or isinstance(column, (str, bytes)):
            raise InvalidInput(f"X: column {name!r} must be a sequence of values, got {column!r:.60}")
    lengths = {len(column) for column in columns}
    check_shape(lengths.pop() if lengths else 0, len(columns))
    if lengths:
        raise InvalidInput("X: all columns must have the same length; some differ")
    read = [column_of(column, name) for column, name in zip(columns, names, strict=True)]
    return ColumnTable(
        names,
        [replace(c, dated=dates) for c, dates in read],
        len(columns[0]),
        named=named,
        notes=date_notes(names, [d for _, d in read]),
    )


def from_sparse(X: Any) -> Table:
    """A table of a sparse matrix in any format: held by columns, never made dense as a whole."""
    if X.ndim != 2:
        raise InvalidInput(f"X: Expected 2D array, got {X.ndim}D sparse array instead. Reshape your data")
    check_shape(*X.shape)
    if X.dtype.kind == "c":
        raise InvalidInput("X: Complex data not supported; give real and imaginary parts as columns")
    if X.dtype.kind not in "biuf":
        raise InvalidInput(f"X: a sparse matrix must hold numbers, got dtype {X.dtype}")
    by_rows = X if X.format == "csr" and X.has_canonical_format else None
    csc = X.tocsc()
    if not csc.has_canonical_format:
        csc = csc.copy()  # entries given twice add up; the caller's matrix stays as it is
        csc.sum_duplicates()
    if csc.dtype.kind == "f":
        at = np.flatnonzero(np.isinf(csc.data))
        if at.size:
            column = int(np.searchsorted(csc.indptr, at[0], side="right")) - 1
            raise infinity(f"x{column}", int(csc.indices[at[0]]))
    return SparseTable(csc, csr=by_rows)


def check_matrix(matrix: Array, names: Sequence[str]) -> None:
    """No infinity; the first column that has one is named, with its first such row."""
    by_rows = abs(matrix.strides[0]) >= abs(matrix.strides[1])
    lines = matrix if by_rows else matrix.T
    step = max(1, CHECK_BYTES // max(1, lines.shape[1] * lines.itemsize))
    with np.errstate(all="ignore"):
        for start in range(0, len(lines), step):
            block = lines[start : start + step]
            if not np.isfinite(block.sum(dtype=np.float64)) and np.isinf(block).any():
                break
        else:
            return
    for j, name in enumerate(names):
        check_finite(matrix[:, j], name)
