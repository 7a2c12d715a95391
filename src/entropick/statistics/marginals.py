"""What single columns leave behind: class counts, means and centred squares; no products of columns.

All that rankings by one column at a time need (`fisher`, `ttest`, `anova`, `pearson`), in O(n_classes · D) memory
and one pass, where full `Moments` would build D × D matrices.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import ArrayLike, NDArray

from ..coding import Target
from ..coding.block_rows import RowReader
from ..coding.coded_blocks import CodedBlocks
from ..errors import InvalidInput
from ..kernels.marginals import CHUNK, STRIP, add_groups, group_rows, weigh_groups
from ..sources import Table
from ..threads import parallel, thread_count
from .kind import Asked, Collected, Increment, Summed, Taking, Way
from .moments.sparse_rows import SparseRows, sparse_rows

Floats = NDArray[np.float64]
COPIED = 128  # columns of a chunk of rows that are copied together
REUSED: Final = ("C", "W")  # contiguous and writeable, or kernels would be compiled once more
PARTS = ("counts", "origin", "shifts", "squares", "target_origin", "target_shifts", "target_squares", "cross")


@dataclass(frozen=True)
class RowGroups:
    """Rows in the order in which `kernels.marginals` adds them; the arrays are those of its functions."""

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: NDArray[np.int64]
    chunks: NDArray[np.int64]
    weights: Floats
    merging: Floats
    pulls: Floats

    def of(self, start: int, stop: int) -> slice:
        """The groups of rows ``start`` to ``stop``, whole chunks of them."""
        return slice(self.chunks[start // CHUNK], self.chunks[min(-(-stop // CHUNK), len(self.chunks) - 1)])


def lies_in_rows(block: NDArray[Any]) -> bool:
    """Whether a kernel can read the rows where they are: floats side by side, rows one after the other."""
    row, step = block.strides
    floats = block.dtype in (np.float64, np.float32) and block.flags.aligned
    return floats and step == block.itemsize and row >= 0 and row % block.itemsize == 0


def middle(block: NDArray[Any], rows: NDArray[np.int64]) -> Floats:
    """(n_features,) the median of five of these rows: a value of each column that is no lone outlier."""
    some = rows[np.linspace(0, len(rows) - 1, 5).astype(np.intp)]
    out: Floats = np.sort(block[some].astype(np.float64), axis=0)[2]
    return out


class Marginals:
    """Counts, means and centred squares of each column in each class; one pass, mergeable.

    Attributes
    ----------
    counts : (n_classes,) total weight of each class.
    origin : (n_features,) a value of each column; shifts : (n_classes, n_features) class means less it, so that a
        column near 1e6 with a spread of 1e-3 loses nothing.
    squares : (n_classes, n_features) Σ w (x − class mean)².
    target_shifts, target_squares, cross : (n_classes,), (n_classes,), (n_classes, n_features) the same of a
        continuous target, and Σ w (x − mean)(y − mean); zeros where there is none. A regression is one class.
    """

    def __init__(self, n_features: int, n_classes: int = 1) -> None:
        self.n_features = n_features
        self.n_classes = n_classes
        self.counts: Floats = np.zeros(n_classes)
        self.origin: Floats = np.zeros(n_features)
        self.shifts: Floats = np.zeros((n_classes, n_features))
        self.squares: Floats = np.zeros((n_classes, n_features))
        self.target_origin: Floats = np.zeros(1)
        self.target_shifts: Floats = np.zeros(n_classes)
        self.target_squares: Floats = np.zeros(n_classes)
        self.cross: Floats = np.zeros((n_classes, n_features))

    # -- remembering -----------------------------------------------------------------------------------

    def update(
        self,
        block: NDArray[Any],
        codes: ArrayLike,
        weights: ArrayLike | None = None,
        target: ArrayLike | None = None,
        n_jobs: int | None = None,
    ) -> Marginals:
        """Take in rows: block (n, n_features) of any real dtype, codes (n,), weights (n,), target (n,).

        Threads share the columns and change nothing in the sums.
        """
        block, codes = np.asarray(block), np.asarray(codes)
        if block.ndim != 2 or block.shape[1] != self.n_features or codes.shape != block.shape[:1]:
            raise InvalidInput(
                f"block: must be (n, {self.n_features}) with one code a row, got {block.shape} and {codes.shape} codes"
            )
        if not len(codes):
            return self
        fine = self._finite()
        groups = self._group(block, codes, weights, target)
        threads = thread_count(n_jobs)
        share = -(-self.n_features // (16 * threads)) * 16  # of columns for each thread, in whole cache lines
        width = min(share, STRIP if lies_in_rows(block) else COPIED)
        parallel(lambda first: self._add(block, first, width, groups), range(0, self.n_features, width), threads)
        for j in np.flatnonzero(fine & ~self._finite()):
            if not np.isnan(block[groups.rows, j]).any():  # NaN stays in its column; of overflow `np.errstate` is told
                self.squares[:, j] = np.square(np.finfo(np.float64).max)
        return self

    def _group(
        self, block: NDArray[Any], codes: NDArray[Any], weights: ArrayLike | None, target: ArrayLike | None
    ) -> RowGroups:
        """The rows in the order in which they are added; counts and what is kept of the target take them in."""
        n = len(codes)
        w = np.ones(n) if weights is None else np.require(weights, np.float64, REUSED)
        y = np.empty(0) if target is None else np.require(target, np.float64, REUSED)
        rows, starts, classes = np.empty(n, np.int64), np.empty(n + 1, np.int64), np.empty(n, np.int64)
        chunks, where = np.zeros(-(-n // CHUNK) + 1, np.int64), np.empty(self.n_classes, np.int64)
        size = group_rows(np.require(codes, np.int64, REUSED), w, where, rows, starts, classes, chunks)
        groups = RowGroups(
            rows[: starts[size]], starts[: size + 1], classes[:size], chunks, w, np.empty((size, 4)), np.empty(y.shape)
        )
        if size and not self.counts.any():
            self.origin = middle(block, groups.rows)
            self.target_origin = middle(y[:, None], groups.rows) if y.size else np.zeros(1)
        weigh_groups(
            groups.rows, groups.starts, groups.classes, w, y, self.target_origin[0], self.counts, self.target_shifts,
            self.target_squares, groups.merging, groups.pulls,
        )  # fmt: skip
        return groups

    def _add(self, block: NDArray[Any], first: int, width: int, groups: RowGroups) -> None:
        """Add the rows to the columns from ``first`` on: in place, or copied a chunk at a time."""
        strip = block[:, first : first + width]
        n, length = strip.shape
        in_place = lies_in_rows(block)
        step = n if in_place else CHUNK
        rows = strip if in_place else np.empty((min(n, CHUNK), length))
        stride = rows.strides[0] // rows.itemsize
        values = as_strided(rows, (stride * (len(rows) - 1) + length,), (rows.itemsize,), writeable=False)
        work = np.empty(4 * STRIP)
        for start in range(0, n, step):
            some = groups.of(start, start + step)
            if not in_place:
                rows[: n - start] = strip[start : start + step]
            add_groups(
                values, stride, start, groups.rows, groups.starts[some.start : some.stop + 1], groups.classes[some],
                groups.weights, groups.pulls, groups.merging[some], first, length, self.origin, self.shifts,
                self.squares, self.cross, work,
            )  # fmt: skip

    def _finite(self) -> NDArray[np.bool_]:
        """(n_features,) whether all sums of a column, and those of the target, are numbers."""
        sums = (self.shifts, self.squares, self.cross, self.target_squares[:, None])
        finite = np.broadcast_arrays(*(np.isfinite(one).all(axis=0) for one in sums))
        out: NDArray[np.bool_] = np.logical_and.reduce(finite)
        return out

    def merge(self, other: Marginals) -> Marginals:
        """Take in another memory of the same columns and classes (Chan, Golub & LeVeque's update)."""
        if (self.n_features, self.n_classes) != (other.n_features, other.n_classes):
            raise InvalidInput(
                f"other: must remember {self.n_features} columns and {self.n_classes} classes,"
                f" got {other.n_features} and {other.n_classes}"
            )
        if not self.counts.any():
            self.origin, self.target_origin = other.origin.copy(), other.target_origin.copy()
        both = self.counts + other.counts
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(both > 0, other.counts / both, 0.0)
        pull = self.counts * share
        gap = np.where(other.counts[:, None] > 0, other.shifts + (other.origin - self.origin) - self.shifts, 0.0)
        moved = other.target_shifts + (other.target_origin - self.target_origin) - self.target_shifts
        target_gap = np.where(other.counts > 0, moved, 0.0)
        self.squares = self.squares + other.squares + pull[:, None] * gap**2
        self.cross = self.cross + other.cross + pull[:, None] * gap * target_gap[:, None]
        self.target_squares = self.target_squares + other.target_squares + pull * target_gap**2
        self.shifts = self.shifts + share[:, None] * gap
        self.target_shifts = self.target_shifts + share * target_gap
        self.counts = both
        return self

    # -- keeping ---------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Floats]:
        """Everything remembered, by name; `from_arrays` makes it again."""
        return {name: getattr(self, name) for name in PARTS}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Floats]) -> Marginals:
        """From the arrays `PARTS`, by name."""
        n_classes, n_features = arrays["shifts"].shape
        own = cls(n_features, n_classes)
        for name in PARTS:
            setattr(own, name, arrays[name])
        return own

    # -- asking ----------------------------------------------------------------------------------------

    @property
    def total(self) -> float:
        """Rows, or the sum of their weights."""
        return float(self.counts.sum())

    @property
    def spread(self) -> Floats:
        """(n_features,) Σ w (x − mean)² over all classes together."""
        return self.within + self.between

    @property
    def within(self) -> Floats:
        """(n_features,) Σ over classes of `squares`."""
        out: Floats = self.squares.sum(axis=0)
        return out

    @property
    def between(self) -> Floats:
        """(n_features,) Σ_c n_c (class mean − mean)²."""
        mean = self.counts @ self.shifts / self.total
        return self.counts @ (self.shifts - mean) ** 2


def collect_marginals(
    table: Any, target: Any, weights: NDArray[np.float64] | None = None, n_jobs: int | None = None
) -> Marginals:
    """The marginals of a table's numeric columns; a regression's target is kept beside them. Refuses NaN."""
    matrix = table.matrix
    sparse = None if matrix is not None else sparse_rows(table, target, _n_classes(target), weights, n_jobs)
    X = table.dense(0, table.n_columns) if matrix is None and sparse is None else matrix
    if sparse is not None:
        own = _of_entries(sparse)
    elif target.task == "regression":
        own = Marginals(X.shape[1], 1).update(X, np.zeros(len(X), np.int64), weights, target.values, n_jobs)
    else:
        own = Marginals(X.shape[1], target.n_classes).update(X, target.codes, weights, None, n_jobs)
    bad = np.flatnonzero(~np.isfinite(own.shifts).all(axis=0))
    if bad.size:
        raise InvalidInput(
            f"X: contains NaN in column {table.names[int(bad[0])]!r}; this method does not accept missing values:"
            " impute them, drop the column, or use a discrete method"
        )
    return own


def _n_classes(target: Any) -> int:
    return 1 if target.task == "regression" else int(target.n_classes)


def _of_entries(sparse: SparseRows) -> Marginals:
    """Of a sparse table, from its entries."""
    d, q = sparse.n_features - sparse.n_targets, sparse.n_targets
    own = Marginals(d, sparse.n_classes)
    own.counts, own.origin = sparse.counts, sparse.origin[:d]
    own.shifts, own.squares = sparse.shifts[:, :d], sparse.squares[:, :d]
    if q:
        own.target_origin, own.target_squares = sparse.origin[d : d + 1], sparse.squares[:, d]
        own.cross = sparse.target_scatter()[1]
    return own


def merge_marginals(one: Marginals, other: Marginals) -> Marginals:
    """What both have seen; both stay as they are."""
    return Marginals(one.n_features, one.n_classes).merge(one).merge(other)


@dataclass(frozen=True)
class TakeMarginals:
    """Makes the marginals of a block."""

    reader: RowReader
    n_jobs: int | None = None

    def __call__(self, table: Table) -> Marginals:
        return collect_marginals(*self.reader(table), self.n_jobs)


class MarginalsKind(Summed):
    """Sums of floats: every way gives the same scores but for rounding."""

    kept = Marginals

    def why_not(self, asked: Asked, way: Way) -> str | None:
        if asked.grouped:
            return f"groups: {asked.method!r} cannot evaluate groups; use a discrete method"
        return None

    def of_table(self, table: Table, target: Target, weights: Floats | None, asked: Asked) -> Collected:
        return Collected(asked.shared(("marginals",), lambda: collect_marginals(table, target, weights, asked.n_jobs)))

    def of_blocks(self, rows: CodedBlocks, asked: Asked, parts: ExitStack) -> Collected:
        return Collected(rows.blocks.reduce(TakeMarginals(rows.reader, asked.n_jobs), merge_marginals))

    def _block(self, rows: Increment, asked: Asked) -> Marginals:
        return collect_marginals(rows.table, rows.target, rows.weights, asked.n_jobs)

    # -- saved -----------------------------------------------------------------------------------------

    def to_save(self, rows: CodedBlocks, n_jobs: int | None) -> Taking | None:
        return Taking(TakeMarginals(rows.reader, n_jobs), merge_marginals) if rows.complete else None

    def merge(self, one: Marginals, other: Marginals) -> Marginals:
        return merge_marginals(one, other)
