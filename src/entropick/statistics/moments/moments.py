"""Moments: class counts, means and scatter matrices, the memory of every Gaussian measure.

For class c with total weight n_c,

    m_c = Σ w x / n_c        S_c = Σ w (x − m_c)(x − m_c)ᵀ        Σ_c = S_c / n_c

Two memories a and b of the same class become one by Chan's rule,

    S = S_a + S_b + (n_a n_b / (n_a + n_b)) (m_b − m_a)(m_b − m_a)ᵀ

A block of rows is such a memory too, and its rank-one term enters as one more row of the same `syrk` call:
the pass over the data costs what the bare BLAS calls cost. Sums are float64 whatever the rows are. The total
covariance is derived from the classes, never accumulated.

Splitting, order of rows and order of merging change the entries by rounding only: about 1e-12 relative to
sqrt(S_ii S_jj) for well-scaled data. The number of BLAS threads changes them by as much.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InvalidInput
from .scatter import add_scatter

Floats = NDArray[np.float64]

FORMAT = 1  # of the saved file
BUFFER = 32 << 20  # bytes of centred rows given to one syrk call: long enough for full speed


class ClassMeans:
    """Weights and means of the classes.

    Attributes
    ----------
    counts : (n_classes,) total weight of each class.
    origin : (n_features,) a point among the rows; shifts : (n_classes, n_features) class means less it. Means
        are kept as two numbers so that a column near 1e6 with a spread of 1e-3 loses nothing.
    """

    counts: Floats
    origin: Floats
    shifts: Floats

    @property
    def means(self) -> Floats:
        """(n_classes, n_features) class means."""
        return self.origin + self.shifts

    @property
    def n_samples(self) -> float:
        """Total weight of all rows."""
        return float(self.counts.sum())


class ClassMemory(ClassMeans, ABC):
    """What is kept of rows by class, block by block; mergeable.

    Parameters
    ----------
    n_features : columns of a block.
    n_classes : codes run from 0 to n_classes − 1. With one class and ``n_targets`` > 0 the last
        ``n_targets`` of the ``n_features`` columns are continuous targets (regression).
    """

    def __init__(self, n_features: int, n_classes: int, n_targets: int = 0) -> None:
        self.n_features = n_features
        self.n_classes = n_classes
        self.n_targets = n_targets
        self.counts = np.zeros(n_classes)
        self.origin = np.zeros(n_features)
        self.shifts = np.zeros((n_classes, n_features))

    def update(
        self,
        block: NDArray[Any],
        codes: NDArray[Any],
        weights: ArrayLike | None = None,
        rows: NDArray[np.intp] | None = None,
    ) -> Self:
        """Take in rows: block (n, n_features) of any real dtype, codes (n,), weights (n,) or None.

        rows: which of them, all by default; a half of a table needs no copy of it.
        """
        block, codes = np.asarray(block), np.asarray(codes, dtype=np.intp)
        if block.ndim != 2 or block.shape[1] != self.n_features or codes.shape != block.shape[:1]:
            raise InvalidInput(
                f"block: must be (n, {self.n_features}) with one code a row, got {block.shape} and {codes.shape} codes"
            )
        order = np.argsort(codes if rows is None else codes[rows], kind="stable")
        order = order if rows is None else rows[order]
        return self._add(block, codes, None if weights is None else np.asarray(weights, dtype=np.float64), order)

    @abstractmethod
    def _add(self, block: NDArray[Any], codes: NDArray[np.intp], weights: Floats | None, order: Any) -> Self:
        """Take in the rows of these numbers, which are by class."""

    def _check_same(self, other: ClassMemory) -> None:
        """An error where the other remembers other columns or classes."""
        if (self.n_features, self.n_classes, self.n_targets) != (other.n_features, other.n_classes, other.n_targets):
            raise InvalidInput(
                f"other: must remember {self.n_features} columns and {self.n_classes} classes,"
                f" got {other.n_features} and {other.n_classes}"
            )


class Moments(ClassMemory):
    """Counts, means and scatter matrices of each class; one pass, mergeable.

    Attributes
    ----------
    scatter : one (n_features, n_features) Fortran array a class; only the lower triangle is filled.
    """

    def __init__(self, n_features: int, n_classes: int, n_targets: int = 0) -> None:
        super().__init__(n_features, n_classes, n_targets)
        self.scatter: list[Floats] = [np.zeros((n_features, n_features), order="F") for _ in range(n_classes)]
        self._buffer: Floats | None = None

    # -- remembering -----------------------------------------------------------------------------------

    def _add(self, block: NDArray[Any], codes: NDArray[np.intp], weights: Floats | None, order: Any) -> Self:
        ends = np.searchsorted(codes[order], np.arange(self.n_classes + 1))
        step = self._buffer_rows()
        for c in range(self.n_classes):
            for start in range(ends[c], ends[c + 1], step):
                part = order[start : min(start + step, ends[c + 1])]
                self._take(c, block, part, None if weights is None else weights[part])
        return self

    def merge(self, other: Moments) -> Self:
        """Take in another memory of the same columns and classes."""
        self._check_same(other)
        from scipy.linalg.blas import dsyr

        if not self.n_samples:
            self.origin = other.origin.copy()
        moved = other.origin - self.origin
        for c in range(self.n_classes):
            a, b = self.counts[c], other.counts[c]
            if b == 0:
                continue
            gap = other.shifts[c] + moved - self.shifts[c]
            with np.errstate(invalid="ignore"):  # of infinities of either sign, which are on the diagonal too
                self.scatter[c] += other.scatter[c]
            if a > 0:
                self.scatter[c] = dsyr(a * b / (a + b), gap, a=self.scatter[c], lower=1, overwrite_a=1)
            self.shifts[c] += gap * (b / (a + b))
            self.counts[c] = a + b
        return self

    def copy(self) -> Moments:
        """An independent memory with the same content."""
        return Moments(self.n_features, self.n_classes, self.n_targets).merge(self)

    def release_buffer(self) -> None:
        """Let go of the rows at work, which only the next block would use: for memories that are sent or kept."""
        self._buffer = None

    def _buffer_rows(self) -> int:
        return int(np.clip(BUFFER // (8 * max(self.n_features, 1)), 64, 4096))

    def _take(self, c: int, block: NDArray[Any], rows: NDArray[np.intp], w: Floats | None) -> None:
        m = len(rows)
        buffer = self._buffer
        if buffer is None or len(buffer) <= m:
            self._buffer = buffer = np.empty((m + 1, self.n_features))
        part = block[rows]
        total = float(m) if w is None else float(w.sum())
        if total <= 0:
            return
        if not self.n_samples:
            self.origin = part.mean(axis=0, dtype=np.float64)
        np.subtract(part, self.origin, out=buffer[:m])
        shift = buffer[:m].mean(axis=0) if w is None else w @ buffer[:m] / total
        buffer[:m] -= shift
        if w is not None:
            buffer[:m] *= np.sqrt(w)[:, None]
        before = self.counts[c]
        gap = shift - self.shifts[c]
        if before > 0:
            np.multiply(gap, np.sqrt(before * total / (before + total)), out=buffer[m])
            m += 1
        self.scatter[c] = add_scatter(buffer[:m], self.scatter[c])
        self.counts[c] = before + total
        self.shifts[c] += gap * (total / (before + total))

    # -- keeping ---------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything remembered, by name; `from_arrays` makes it again."""
        scatter = {f"scatter_{c}": matrix for c, matrix in enumerate(self.scatter)}
        sizes = {"format": np.array(FORMAT), "n_targets": np.array(self.n_targets)}
        return {**sizes, "counts": self.counts, "origin": self.origin, "shifts": self.shifts, **scatter}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Moments:
        """What `arrays` gave; KeyError or ValueError where something is missing or does not fit."""
        if int(arrays["format"]) != FORMAT:
            raise InvalidInput(f"path: moments of format {FORMAT} are read, got {int(arrays['format'])}")
        counts, origin, shifts = (arrays[name].astype(np.float64) for name in ("counts", "origin", "shifts"))
        if shifts.shape != counts.shape + origin.shape:
            raise ValueError("counts and means do not fit together")
        self = cls(len(origin), len(counts), int(arrays["n_targets"]))
        self.counts, self.origin, self.shifts = counts, origin, shifts
        for c in range(self.n_classes):
            scatter = np.asfortranarray(arrays[f"scatter_{c}"], dtype=np.float64)
            if scatter.shape != (self.n_features, self.n_features):
                raise ValueError(f"scatter matrix {c} has the shape {scatter.shape}")
            self.scatter[c] = scatter
        return self

    # -- telling ---------------------------------------------------------------------------------------

    def class_row(self, c: int, i: int) -> Floats:
        """(n_features,) row i of the scatter matrix of class c; a copy."""
        scatter = self.scatter[c]
        row = np.empty(self.n_features)
        row[i:] = scatter[i:, i]
        row[:i] = scatter[i, :i]
        return row

    def class_matrix(self, c: int, columns: NDArray[np.intp]) -> Floats:
        """(m, m) scatter matrix of class c over these columns, both triangles filled."""
        low = np.maximum.outer(columns, columns)
        high = np.minimum.outer(columns, columns)
        return self.scatter[c][low, high]
