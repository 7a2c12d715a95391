"""Rules × values -> codes, by the kernels. Every run of neighbouring columns that can share a kernel does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..threads import parallel
from .rules import MOST_LEVELS, Bins, Labels, Levels, Rule, Single
from .shared import Shared

Array = NDArray[Any]
ROUND = 64  # threads write whole cache lines
FEW = 32  # edges that are counted by rows; more are searched


def ranges(n: int, pieces: int, multiple: int = 1) -> list[tuple[int, int]]:
    """About ``pieces`` equal ranges that cover 0 … n, begun at multiples of ``multiple``."""
    step = max(1, -(-n // max(1, pieces)))
    step = -(-step // multiple) * multiple
    return [(start, min(start + step, n)) for start in range(0, n, step)]


def native(matrix: Array) -> Array:
    """The array in a dtype and with strides that the kernels know; copied only where it must be."""
    dtype = matrix.dtype.newbyteorder("=")
    if dtype.kind == "b" or dtype == np.int8:
        dtype = np.dtype(np.uint8)  # the same byte; a negative one is a level too high
    elif dtype == np.uint64:
        dtype = np.dtype(np.int64)  # the same bits: other labels, the same levels
    elif dtype.kind == "f" and dtype not in (np.float32, np.float64):
        dtype = np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)
    if matrix.dtype.isnative and dtype.itemsize == matrix.itemsize and dtype.kind in "iu":
        matrix = matrix.view(dtype)
    else:
        matrix = matrix.astype(dtype, copy=False)
    if any(step < 0 or step % matrix.itemsize for step in matrix.strides):
        matrix = matrix.copy()
    return matrix


def flat_view(matrix: Array) -> tuple[Array, int, int]:
    """(flat, row_step, column_step): matrix[i, j] = flat[i·row_step + j·column_step]; read-only, no copy."""
    n_rows, n_columns = matrix.shape
    row_step, column_step = (step // matrix.itemsize for step in matrix.strides)
    size = (n_rows - 1) * row_step + (n_columns - 1) * column_step + 1
    flat = np.lib.stride_tricks.as_strided(matrix, (size,), (matrix.itemsize,), writeable=False)
    return flat, row_step, column_step


def frozen(array: Array) -> Array:
    """A read-only view: one type for the compiler, whatever the caller gave."""
    view = array.view()
    view.flags.writeable = False
    return view


def turned(codes: Array) -> Array:
    """(k, n) codes as (n, k), C-contiguous."""
    from ..kernels.transpose import gather_transpose

    if codes.dtype != np.uint8 or 0 in codes.shape:
        return np.ascontiguousarray(codes.T)
    out = np.empty(codes.shape[::-1], dtype=np.uint8)
    order = frozen(np.arange(len(codes), dtype=np.int64))
    gather_transpose(frozen(codes.reshape(-1)), codes.shape[1], order, 0, len(codes), out)
    return out


def encode_numbers(
    matrix: Array, rules: Sequence[Rule], names: Sequence[str], rows: Array, out: Array, threads: int
) -> None:
    """out[j, i] = level of matrix[rows[i], j] by rules[j]; matrix (n, k) of real numbers."""
    original, matrix = matrix, native(matrix)
    by_rows = matrix.shape[1] > 1 and matrix.strides[1] == matrix.itemsize and out.dtype == np.uint8
    start = 0
    for path, run in groupby(rules, lambda rule: _path(rule, matrix, original.dtype, by_rows)):
        some = list(run)
        stop = start + len(some)
        unknown = path(matrix[:, start:stop], some, rows, out[start:stop], threads, original.dtype)
        if unknown >= 0:
            j = start + unknown
            raise unknown_value(original[:, j], rules[j], names[j])
        start = stop


def encode_rows(matrix: Array, rules: Sequence[Rule], names: Sequence[str], threads: int, known: bool = False) -> Array:
    """(n, k) uint8 levels row by row; the matrix itself where values are their own levels.

    ``known``: no value is unknown, as in the matrix that the rules were learned from.
    """
    from ..kernels.transpose import bin_rows, shift_rows

    original, matrix = matrix, native(matrix)
    n, columns = matrix.shape
    by_rows = matrix.strides[1] == matrix.itemsize
    shared = Shared.of(rules)
    found: dict[Any, Path] = {}  # of bins it depends on their number alone

    def path_of(rule: Rule) -> Path:
        key: Any = len(rule.edges) if type(rule) is Bins else rule
        if key not in found:
            found[key] = _path(rule, matrix, original.dtype, by_rows)
        return found[key]

    paths = shared.map(path_of)
    order = frozen(np.arange(n, dtype=np.int64))
    if all(path is _copy for path in paths.known):
        out = matrix
    else:
        out = np.empty((n, columns), dtype=np.uint8)
        for path, run in groupby(range(columns), list(paths).__getitem__):
            own = list(run)
            start, stop = own[0], own[-1] + 1
            block, some = matrix[:, start:stop], rules[start:stop]
            if path is _copy:
                out[:, start:stop] = block
            elif path in (_shift, _bins):
                kernel = shift_rows if path is _shift else bin_rows
                tables = _shift_tables(some) if path is _shift else _bin_tables(some)  # type: ignore[arg-type]
                _fill_rows(kernel, block, tables, order, out, start, threads)
            else:
                codes = np.empty((stop - start, n), dtype=np.uint8)
                encode_numbers(original[:, start:stop], some, names[start:stop], order, codes, threads)
                if stop - start == columns:
                    return turned(codes)
                out[:, start:stop] = turned(codes)
    if known:
        return out
    parts = parallel(lambda part: out[part[0] : part[1]].max(axis=0, initial=0), ranges(n, threads), threads)
    beyond = np.flatnonzero(np.maximum.reduce(parts) >= shared.array(lambda rule: rule.levels))
    if beyond.size:
        j = int(beyond[0])
        raise unknown_value(original[:, j], rules[j], names[j])
    return out


def _fill_rows(
    kernel: Any, matrix: Array, tables: tuple[Array, ...], order: Array, out: Array, start: int, threads: int
) -> None:
    """Run a kernel that writes levels where it reads values, on ranges of rows."""
    flat, row_step, _ = flat_view(matrix)
    target, step = out.reshape(-1), out.shape[1]
    parallel(
        lambda part: kernel(
            flat, row_step, 0, order, *part, matrix.shape[1], *tables, target, part[0] * step + start, step
        ),
        ranges(len(order), threads),
        threads,
    )


Path = Callable[[Array, list[Any], Array, Array, int, Any], int]


def _path(rule: Rule, matrix: Array, dtype: np.dtype[Any], by_rows: bool) -> Path:
    """The kernel for a column: the fast ones go by rows and write bytes."""
    integers = matrix.dtype.kind in "iu" and dtype != np.uint64
    byte = integers and matrix.itemsize == 1
    if isinstance(rule, (Bins, Single)):
        if byte:
            return _table
        few = isinstance(rule, Single) or len(rule.edges) <= FEW
        if few and matrix.dtype.kind == "f" and matrix.strides[0] == matrix.itemsize and matrix.shape[0] > 1:
            return _columns
        return _bins if by_rows and few else _digitise
    assert isinstance(rule, Levels)
    if integers and rule.missing < 0 and rule.values.dtype.kind == "i":
        if by_rows and rule.dense and rule.levels < 256 and dtype != np.int8:
            return _copy if byte and rule.values[0] == 0 else _shift
        if byte or int(rule.values[-1]) - int(rule.values[0]) < MOST_LEVELS - 1:  # UNSEEN is no level
            return _table
    return _match


def _copy(matrix: Array, rules: list[Levels], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    from ..kernels.transpose import gather_transpose

    return _by_bytes(gather_transpose, matrix, (), rules, rows, out, threads)


def _shift(matrix: Array, rules: list[Levels], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    from ..kernels.transpose import shift_transpose

    return _by_bytes(shift_transpose, matrix, _shift_tables(rules), rules, rows, out, threads)


def _shift_tables(rules: Sequence[Levels]) -> tuple[Array, ...]:
    """(low,) as the kernels want it."""
    return (np.array([rule.values[0] for rule in rules], dtype=np.int64),)


def _bins(matrix: Array, rules: list[Rule], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    from ..kernels.transpose import bin_transpose

    return _by_bytes(bin_transpose, matrix, _bin_tables(rules), rules, rows, out, threads)


def _bin_tables(rules: Sequence[Rule]) -> tuple[Array, ...]:
    """(edges, cuts, missing) as the kernels want them."""
    cut = [rule.edges if isinstance(rule, Bins) else np.empty(0) for rule in rules]
    sizes = np.fromiter(map(len, cut), np.int64, len(cut))
    if (sizes == sizes[0]).all():
        edges = np.ascontiguousarray(np.concatenate(cut).reshape(len(cut), -1).T)
    else:
        edges = np.full((int(sizes.max()), len(rules)), np.inf)
        for j, some in enumerate(cut):
            edges[: len(some), j] = some
    # 255 is no level here, so it is found afterwards; a Single takes everything, missing values too
    missing = [0 if isinstance(rule, Single) else rule.missing % 256 for rule in rules]
    return edges, sizes, np.array(missing, dtype=np.uint8)


def _by_bytes(
    kernel: Any,
    matrix: Array,
    tables: tuple[Array, ...],
    rules: Sequence[Rule],
    rows: Array,
    out: Array,
    threads: int,
) -> int:
    """Run a kernel that goes by rows; the first column with a code that is no level, or −1."""
    flat, row_step, _ = flat_view(matrix)
    columns, n = out.shape
    parallel(lambda part: kernel(flat, row_step, rows, *part, *tables, out), ranges(n, threads, ROUND), threads)
    levels = np.array([rule.levels for rule in rules])
    high = parallel(lambda part: out[part[0] : part[1]].max(axis=1, initial=0), ranges(columns, threads), threads)
    beyond = np.flatnonzero(np.concatenate(high) >= levels)
    return int(beyond[0]) if beyond.size else -1


def _table(matrix: Array, rules: list[Rule], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    from ..kernels.transpose import remap

    made: dict[int, Array] = {}  # rules are shared by columns with the same levels
    for rule in rules:
        if id(rule) not in made:
            made[id(rule)] = _byte_table(rule, dtype) if matrix.itemsize == 1 else _level_table(rule)
    tables = [made[id(rule)] for rule in rules]
    low = np.array([0 if matrix.itemsize == 1 else rule.values[0] for rule in rules], dtype=np.int64)  # type: ignore[union-attr]
    at = np.cumsum([0, *map(len, tables)], dtype=np.int64)
    table = np.concatenate(tables)
    return _by_rows(remap, matrix, (low, at, table), rows, out, threads)


def _byte_table(rule: Rule, dtype: np.dtype[Any]) -> Array:
    """(256,) level of every byte, read as dtype."""
    from ..kernels.transpose import UNSEEN

    values = np.arange(256, dtype=np.uint8).view(np.uint8 if dtype.kind == "b" else dtype)
    if isinstance(rule, Single):
        return np.zeros(256, dtype=np.uint16)
    if isinstance(rule, Bins):
        return np.searchsorted(rule.edges, values, side="left").astype(np.uint16)
    assert isinstance(rule, Levels)
    at = np.minimum(np.searchsorted(rule.values, values), len(rule.values) - 1)
    known = rule.values[at] == values
    return np.where(known, at, UNSEEN if rule.missing < 0 else rule.missing).astype(np.uint16)


def _level_table(rule: Rule) -> Array:
    """Level of every integer from the rule's least value to its largest."""
    from ..kernels.transpose import UNSEEN

    assert isinstance(rule, Levels)
    table = np.full(int(rule.values[-1] - rule.values[0]) + 1, UNSEEN, dtype=np.uint16)
    table[rule.values - rule.values[0]] = np.arange(len(rule.values), dtype=np.uint16)
    return table


def _columns(matrix: Array, rules: list[Rule], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    """Columns that lie in one piece each, as in a DataFrame."""
    from ..kernels.binning import bin_columns

    n = matrix.shape[0]
    if out.dtype != np.uint8 or len(rows) != n or not (rows == np.arange(n)).all():
        return _digitise(matrix, rules, rows, out, threads, dtype)
    edges = [rule.edges if isinstance(rule, Bins) else np.empty(0) for rule in rules]
    at = np.cumsum([0, *map(len, edges)], dtype=np.int64)
    missing = np.array([0 if isinstance(rule, Single) else rule.missing % 256 for rule in rules], dtype=np.uint8)
    flat, _, column_step = flat_view(matrix)
    joined = np.concatenate(edges)
    parallel(
        lambda part: bin_columns(flat, column_step, *part, at, joined, missing, n, out),
        ranges(len(rules), threads),
        threads,
    )
    beyond = np.flatnonzero(out.max(axis=1, initial=0) >= [rule.levels for rule in rules])
    return int(beyond[0]) if beyond.size else -1


def _digitise(matrix: Array, rules: list[Rule], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    from ..kernels.binning import digitise

    edges = [rule.edges if isinstance(rule, Bins) else np.empty(0) for rule in rules]
    # a Single takes everything, missing values too
    missing = np.array([0 if isinstance(rule, Single) else rule.missing for rule in rules], dtype=np.int64)
    at = np.cumsum([0, *map(len, edges)], dtype=np.int64)
    return _by_rows(digitise, matrix, (at, np.concatenate(edges), missing), rows, out, threads)


def _match(matrix: Array, rules: list[Levels], rows: Array, out: Array, threads: int, dtype: Any) -> int:
    from ..kernels.binning import match

    values = np.concatenate([rule.values for rule in rules])
    at = np.cumsum([0, *(len(rule.values) for rule in rules)], dtype=np.int64)
    missing = np.array([rule.missing for rule in rules], dtype=np.int64)
    return _by_rows(match, matrix, (at, values, missing), rows, out, threads)


def _by_rows(kernel: Any, matrix: Array, tables: tuple[Array, ...], rows: Array, out: Array, threads: int) -> int:
    """Run the kernel on ranges of rows; the first column with an unknown value, or −1."""
    flat, row_step, column_step = flat_view(matrix)
    n = out.shape[1]
    unknown = parallel(
        lambda part: kernel(flat, row_step, column_step, rows, *part, *tables, out),
        ranges(n, threads, ROUND),
        threads,
    )
    return min((c for c in unknown if c >= 0), default=-1)


def encode_labels(values: Array, rule: Rule, name: str, rows: Array | None, out: Array) -> None:
    """out[i] = level of the category values[rows[i]] (None = missing)."""
    import pandas as pd

    if isinstance(rule, Single):
        out[:] = 0
        return
    if not isinstance(rule, Labels):
        raise InvalidInput(f"X: column {name!r} must be numeric, as when the coding was fitted, got categories")
    found, labels = pd.factorize(values)
    levels = np.array([*(rule.position.get(label, rule.missing) for label in labels), rule.missing])
    codes = levels[found]
    if rule.missing < 0 and codes.min() < 0:
        raise unknown_value(values, rule, name)
    out[:] = codes if rows is None else codes[rows]


def unknown_value(values: Array, rule: Rule, name: str) -> InvalidInput:
    """The error for the first value that the rule does not know."""
    import pandas as pd

    gone = np.asarray(pd.isna(values), dtype=bool)
    if gone.any():
        return InvalidInput(
            f"X: column {name!r} contains NaN (a missing value) in row {int(np.argmax(gone))}, but had none"
            " when the coding was fitted; fill it, or fit on rows that have some"
        )
    known = rule.labels if isinstance(rule, Labels) else getattr(rule, "values", np.empty(0))
    row = int(np.argmin(pd.Series(values).isin(list(known)).to_numpy()))
    value = values[row].item() if isinstance(values[row], np.generic) else values[row]
    return InvalidInput(
        f"X: column {name!r} has {value!r} in row {row}, a level that was not there when the coding was"
        " fitted; fit on rows that have every level"
    )
