"""Table: rows and named columns, whatever they came from.

``as_table`` reads anything that holds a table, ``split_target`` also finds the target in it. Both check once
what every later stage relies on: two dimensions, at least one row and one column, distinct names, real and
finite numbers (NaN means missing).
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..errors import InvalidInput, closest

Array = NDArray[Any]
LIBRARIES = ("pandas", "polars", "pyarrow", "scipy")


class UnreadableValue(InvalidInput, TypeError):
    """A cell holds neither a number, a text nor a date; scikit-learn expects a TypeError here."""


@dataclass(frozen=True)
class Column:
    """One column: its kind and how to get its values.

    ``load()`` gives ``(n_rows,)``: floats (NaN = missing), integers or booleans; for a category an object
    array of ``str``, None where missing. An integer or boolean column with missing values loads as floats.
    It is a function so that a frame's text columns are not all turned into objects at once. ``first`` is there for
    texts that no type of their own says to be categories: it gives the first that is not missing, or None.
    ``dated``: numbers that were dates.
    """

    kind: str
    load: Callable[[], Array]
    first: Callable[[], str | None] | None = None
    dated: bool = False


def held_column(kind: str, values: Array) -> Column:
    """A column of values that are in memory."""
    return Column(kind, lambda: values)


class Table(ABC):
    """Rows × named columns. A subclass says where the values are.

    ``named`` is False where the names ``x0, x1, ...`` were made up; ``notes`` says how columns were read
    where that is not obvious.
    """

    def __init__(self, names: Sequence[str], n_rows: int, *, named: bool, notes: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.n_rows = n_rows
        self.named = named
        self.notes = tuple(notes)

    @property
    def n_columns(self) -> int:
        return len(self.names)

    @property
    def matrix(self) -> Array | None:
        """The (n_rows, n_columns) real array behind the table, of any strides, maybe read-only; or None."""
        return None

    @property
    def csc(self) -> Any:
        """The canonical SciPy matrix by columns behind a sparse table; or None."""
        return None

    @property
    def csr(self) -> Any:
        """The same matrix by rows, canonical, where it was given so; or None."""
        return None

    @property
    def one_matrix(self) -> bool:
        """Whether all columns are numbers of one matrix: no text is among them, no date."""
        return self.matrix is not None or self.csc is not None

    @property
    def kinds(self) -> tuple[str, ...]:
        """`kind` of every column."""
        return tuple(self.kind(j) for j in range(self.n_columns))

    @abstractmethod
    def kind(self, j: int) -> str:
        """``"numeric"`` (floats), ``"integer"``, ``"boolean"`` or ``"category"``."""
        ...

    @abstractmethod
    def column(self, j: int) -> Array:
        """(n_rows,) values of column j: see `Column`."""
        ...

    def as_column(self, j: int) -> Column:
        """Column j by itself."""
        return Column(self.kind(j), lambda: self.column(j))

    @abstractmethod
    def take(self, rows: Array) -> Table:
        """The table of these rows (numbers or a mask)."""
        ...

    @abstractmethod
    def select(self, columns: Sequence[int]) -> Table:
        """The table of these columns."""
        ...

    def parts(self, rows: int) -> Iterator[Table]:
        """Consecutive tables of at most this many rows."""
        for start in range(0, self.n_rows, rows):
            yield self.take(np.arange(start, min(start + rows, self.n_rows)))

    def dense(self, start: int, stop: int, dtype: DTypeLike = np.float64) -> Array:
        """(n_rows, stop - start) columns start to stop as one new array, NaN where missing."""
        out = np.empty((self.n_rows, stop - start), dtype=dtype)
        for j in range(start, stop):
            if self.kind(j) == "category":
                raise InvalidInput(
                    f"X: needs numbers only, got category column {self.names[j]!r};"
                    " encode it, exclude it, or use a method that handles categories"
                )
            out[:, j - start] = self.column(j)
        return out

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.n_rows} × {self.n_columns}>"


class ColumnTable(Table):
    """A table of separate columns: frames, records, arrays of objects."""

    def __init__(
        self,
        names: Sequence[str],
        columns: Sequence[Column],
        n_rows: int,
        *,
        named: bool = True,
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(names, n_rows, named=named, notes=notes)
        self._columns = tuple(columns)

    def kind(self, j: int) -> str:
        return self._columns[j].kind

    def column(self, j: int) -> Array:
        return self._columns[j].load()

    def as_column(self, j: int) -> Column:
        return self._columns[j]

    def take(self, rows: Array) -> ColumnTable:
        rows = row_numbers(rows, self.n_rows)

        def taken(load: Callable[[], Array]) -> Callable[[], Array]:
            return lambda: load()[rows]

        columns = [replace(c, load=taken(c.load), first=None) for c in self._columns]
        return ColumnTable(self.names, columns, len(rows), named=self.named, notes=self.notes)

    def parts(self, rows: int) -> Iterator[Table]:
        loaded = self if rows >= self.n_rows else self._loaded()
        return super(ColumnTable, loaded).parts(rows)

    def _loaded(self) -> ColumnTable:
        """With columns that are loaded once, where ``take`` would load them whole for every part."""
        columns = [replace(held_column(c.kind, c.load()), dated=c.dated) for c in self._columns]
        return ColumnTable(self.names, columns, self.n_rows, named=self.named, notes=self.notes)

    def select(self, columns: Sequence[int]) -> ColumnTable:
        names = [self.names[j] for j in columns]
        chosen = [self._columns[j] for j in columns]
        return ColumnTable(names, chosen, self.n_rows, named=self.named, notes=self.notes)


def row_numbers(rows: Any, n_rows: int) -> NDArray[np.intp]:
    """Row numbers from row numbers or from a mask of n_rows."""
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp, copy=False)


def check_shape(n_rows: int, n_columns: int) -> None:
    """At least one row and one column; worded as scikit-learn's estimator checks expect."""
    shape = f"(shape=({n_rows}, {n_columns})) while a minimum of 1 is required."
    if n_columns == 0:
        raise InvalidInput(f"X: Found array with 0 feature(s) {shape}")
    if n_rows == 0:
        raise InvalidInput(f"X: Found array with 0 sample(s) {shape}")


def distinct_names(names: Sequence[str], taken: str = "") -> tuple[list[str], tuple[str, ...]]:
    """The names, those that come again with a number after them, and a note on them.

    >>> distinct_names(["a", "b", "a", "a_2", "a"])[0]
    ['a', 'b', 'a_3', 'a_2', 'a_4']
    """
    if len(set(names)) == len(names):
        return list(names), ()
    known = set(names)
    seen: set[str] = set()
    out: list[str] = []
    twice: dict[str, Any] = {}
    for name in names:
        new, number = name, 1
        while new in seen or (number > 1 and new in known):
            number += 1
            new = f"{name}_{number}"
        seen.add(new)
        out.append(new)
        if new != name:
            twice.setdefault(name, []).append(new)
    some = "; ".join(
        f"{name!r} is repeated; renamed {', '.join(map(repr, new))}" for name, new in list(twice.items())[:3]
    )
    more = f"; … ({len(twice)} names)" if len(twice) > 3 else ""
    return out, (f"several columns have the same name: {some}{more}",)


def check_names(names: Sequence[str]) -> None:
    """Every name once."""
    if len(set(names)) < len(names):
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidInput(f"X: column names must be distinct, got {twice!r} more than once; rename one")


def infinity(name: str, row: int) -> InvalidInput:
    return InvalidInput(f"X: contains infinity in column {name!r}, row {row}; replace it, or set it to NaN (missing)")


def check_finite(values: Array, name: str, first_row: int = 0) -> Array:
    """The values, if none is infinite. NaN passes: it means missing. ``first_row`` numbers the first of them."""
    with np.errstate(all="ignore"):
        # the sum of finite values is finite, except where it overflows: only then look closer
        if values.dtype.kind == "f" and not np.isfinite(values.sum(dtype=np.float64)):
            rows = np.flatnonzero(np.isinf(values))
            if rows.size:
                raise infinity(name, first_row + int(rows[0]))
    return values


def library(value: Any) -> str:
    """The package that the object's class, or a base of it, comes from: found without importing it."""
    packages = [base.__module__.partition(".")[0] for base in type(value).__mro__]
    return next((package for package in packages if package in LIBRARIES), packages[0])


def as_table(X: Any) -> Table:
    """A `Table` of X: array, list of rows, dict of columns, sparse matrix, pandas, polars or Arrow table.

    Texts that are numbers or dates are read as in a text file; see `sources.text.typed`.
    """
    from .text.typed import as_read

    return as_read(X)


def stored_table(X: Any) -> Table:
    """The same, texts left as they are: for one block of several, which must all be read alike."""
    from . import arrays, frames
    from .annotated import offered
    from .cells import is_anndata, open_anndata
    from .source import Source

    if isinstance(X, Table):
        return X
    if isinstance(X, Source) or is_anndata(X):
        return offered(open_anndata(X) if is_anndata(X) else X, ()).table()
    if X is None or isinstance(X, (str, bytes)) or np.isscalar(X):
        raise InvalidInput(
            f"X: must be a table (array, frame, sparse matrix, list of rows), got {X!r:.60}."
            " Reshape your data, or open a file with entropick.sources.open_source"
        )
    if library(X) == "scipy" and hasattr(X, "tocsc"):
        return arrays.from_sparse(X)
    frame = frames.from_frame(X)
    return arrays.from_array(X) if frame is None else frame


def split_target(X: Any, y: Any, *, labelled: bool = True, read: bool = True) -> tuple[Table, Array, str | None]:
    """The features, the target and its name.

    ``y`` is ``(n_rows,)`` values, or the name of a column of X, which is then no feature. Values must not be missing;
    where y is a column of X, rows without it are left out with a note (``labelled`` False: they are an error too).
    ``read`` False leaves texts as they are, see `stored_table`.
    The name is None where y has none.
    """
    from . import frames
    from .annotated import offered
    from .cells import is_anndata, open_anndata
    from .labelled import labelled_rows
    from .source import Source
    from .targets import target_values

    if is_anndata(X):
        X = open_anndata(X)
    if isinstance(X, Source):
        X = offered(X, [y] if isinstance(y, str) else []).table()
    if y is None:
        raise InvalidInput(
            "y: entropick requires y to be passed, but the target y is None; pass values or a column name"
        )
    name: str | None
    if isinstance(y, str) or (frames.is_pandas(X) and np.isscalar(y) and y in X.columns):
        X, y, name = _target_column(X, y)
        table = as_table(X)
        if labelled:
            table, y = labelled_rows(table, y, name)
    else:
        table = as_table(X) if read else stored_table(X)
        y, told = frames.aligned(X, y)
        if told:
            table.notes = (*table.notes, *told)
        name = getattr(y, "name", None)
        name = name if isinstance(name, str) and name else None
    values = target_values(y)
    if len(values) != table.n_rows:
        raise InvalidInput(
            f"y: must have one value per row of X, got {len(values)} for {table.n_rows} rows"
            " (inconsistent numbers of samples)"
        )
    return table, values, name


def _target_column(X: Any, name: Any) -> tuple[Any, Any, str]:
    """X without the named column, and that column as it was."""
    from . import frames

    if frames.is_pandas(X) and name in X.columns:
        # by pandas, so that features in one block stay one matrix, and labels keep their type
        column = X[name]
        if column.ndim > 1:
            check_names([str(c) for c in X.columns])
        column = frames.read_target(column) if hasattr(column, "dtype") else column
        rest = X.drop(columns=[name])
        if rest.shape[1] == 0:
            raise InvalidInput(f"X: no column is left to select from besides the target {str(name)!r}")
        return rest, column, str(name)
    table = as_table(X)
    if name not in table.names:
        some = ", ".join(table.names[:8]) + (", …" if table.n_columns > 8 else "")
        raise InvalidInput(f"y: X has no column {name!r}.{closest(name, table.names)} Its columns: {some}")
    if table.n_columns == 1:
        raise InvalidInput(f"X: no column is left to select from besides the target {name!r}")
    j = table.names.index(name)
    return table.select([i for i in range(table.n_columns) if i != j]), table.column(j), name


def warn_column_vector() -> None:
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y to"
        " (n_samples,), for example using ravel().",
        DataConversionWarning,
        stacklevel=4,
    )
