"""What single columns leave behind: class counts, means and centred squares; no products of columns.

All that rankings by one column at a time need (`fisher`, `ttest`, `anova`, `pearson`), in O(n_classes · D) memory
and one pass, where full `Moments` would build D × D matrices.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..coding.block_rows import RowReader
from ..errors import InvalidInput
from ..sources import Table
from .archive import write_arrays

Floats = NDArray[np.float64]
BUFFER = 8 << 20  # bytes of rows that are centred at a time
PARTS = ("counts", "origin", "shifts", "squares", "target_origin", "target_shifts", "target_squares", "cross")


class Marginals:
    """Counts, means and centred squares of each column in each class; one pass, mergeable.

    Attributes
    ----------
    counts : (n_classes,) total weight of each class.
    origin : (n_features,) a row; shifts : (n_classes, n_features) class means less it, so that a column near 1e6
        with a spread of 1e-3 loses nothing.
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
    ) -> Marginals:
        """Take in rows: block (n, n_features) of any real dtype, codes (n,), weights (n,), target (n,)."""
        block, codes = np.asarray(block), np.asarray(codes)
        if block.ndim != 2 or block.shape[1] != self.n_features or codes.shape != block.shape[:1]:
            raise InvalidInput(
                f"block: must be (n, {self.n_features}) with one code a row, got {block.shape} and {codes.shape} codes"
            )
        w = np.ones(len(codes)) if weights is None else np.asarray(weights, dtype=np.float64)
        y = np.zeros(len(codes)) if target is None else np.asarray(target, dtype=np.float64)
        step = max(64, BUFFER // (8 * max(self.n_features, 1)))
        for start in range(0, len(codes), step):
            some = slice(start, start + step)
            self._take(block[some], codes[some], w[some], y[some])
        return self

    def _take(self, block: NDArray[Any], codes: NDArray[Any], w: Floats, y: Floats) -> None:
        order = np.argsort(codes, kind="stable")
        order = order[w[order] > 0]
        if not order.size:
            return
        x, w, y, codes = block[order].astype(np.float64), w[order], y[order], codes[order]
        if not self.counts.any():
            self.origin, self.target_origin = x[0].copy(), y[:1].copy()
        x -= self.origin
        y = y - self.target_origin
        starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
        sizes = np.diff(np.r_[starts, codes.size])
        seen = codes[starts]
        total = np.add.reduceat(w, starts)
        means = np.add.reduceat(x * w[:, None], starts) / total[:, None]
        target_means = np.add.reduceat(y * w, starts) / total
        x -= np.repeat(means, sizes, axis=0)
        y = y - np.repeat(target_means, sizes)
        part = Marginals(self.n_features, self.n_classes)
        part.origin, part.target_origin = self.origin, self.target_origin
        part.counts[seen], part.shifts[seen], part.target_shifts[seen] = total, means, target_means
        part.cross[seen] = np.add.reduceat(x * (w * y)[:, None], starts)
        part.target_squares[seen] = np.add.reduceat(w * y * y, starts)
        np.multiply(x, x, out=x)
        part.squares[seen] = np.add.reduceat(x * w[:, None], starts)
        self.merge(part)

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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file; `load` reads it. Nothing half-written is left behind."""
        write_arrays(path, {name: getattr(self, name) for name in PARTS})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Marginals:
        """Read what `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as file:
                return cls.from_arrays(file)
        except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
            raise InvalidInput(f"path: {path} is not a file of marginals ({error})") from error

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
        return self.squares.sum(axis=0)

    @property
    def between(self) -> Floats:
        """(n_features,) Σ_c n_c (class mean − mean)²."""
        mean = self.counts @ self.shifts / self.total
        return self.counts @ (self.shifts - mean) ** 2


def collect_marginals(table: Any, target: Any, weights: NDArray[np.float64] | None = None) -> Marginals:
    """The marginals of a table's numeric columns; a regression's target is kept beside them. Refuses NaN."""
    matrix = table.matrix
    X = table.dense(0, table.n_columns) if matrix is None else matrix
    if target.task == "regression":
        own = Marginals(X.shape[1], 1).update(X, np.zeros(len(X), np.intp), weights, target.values)
    else:
        own = Marginals(X.shape[1], target.n_classes).update(X, target.codes, weights)
    bad = np.flatnonzero(~np.isfinite(own.shifts).all(axis=0))
    if bad.size:
        raise InvalidInput(
            f"X: contains NaN in column {table.names[int(bad[0])]!r}; this method needs every value: impute, drop the"
            " column, or take one of the discrete family, where missing is a level"
        )
    return own


def merge_marginals(one: Marginals, other: Marginals) -> Marginals:
    """What both have seen; both stay as they are."""
    return Marginals(one.n_features, one.n_classes).merge(one).merge(other)


@dataclass(frozen=True)
class TakeMarginals:
    """Makes the marginals of a block."""

    reader: RowReader

    def __call__(self, table: Table) -> Marginals:
        return collect_marginals(*self.reader(table))
