"""Normal scores: each feature mapped to the quantiles of a normal law, z = Φ⁻¹((rank − ½)/n).

A Gaussian measure of the scores is that of the data's Gaussian copula: unmoved by any increasing map of a
feature, by its skew or its tails. Ties share the middle of their ranks. `exact_scores` ranks columns that are
in memory. `NormalScores` remembers blocks of rows in a mergeable sketch and maps rows afterwards:

    level l holds arrays of M sorted values, each standing for 2^l rows; two arrays of a level are sorted
    together and every other value moves one level up

The rank of any value is then known to within n log2(n/M)/(2M), 0.4 % of n for a million rows and M = 1 024 at
the very worst. The target is not used: scores may be taken before any split of the rows.
"""

from __future__ import annotations

import os
import zipfile

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ..errors import InvalidInput
from ..threads import parallel, thread_count
from .archive import write_arrays

Floats = NDArray[np.float64]

WIDTH = 1024
FORMAT = 1
COLUMNS = 64  # ranked together


def exact_scores(X: NDArray, weights: ArrayLike | None = None, n_jobs: int | None = None) -> NDArray:
    """(n, D) float32 normal scores of the columns of X; weights are frequencies."""
    n, d = X.shape
    out = np.empty((n, d), dtype=np.float32)
    table = ndtri(np.arange(1, 2 * n) / (2 * n))  # score of the half-integer rank m/2 at m − 1
    w = None if weights is None else np.asarray(weights, dtype=np.float64)

    def rank(block: int) -> None:
        columns = slice(block * COLUMNS, (block + 1) * COLUMNS)
        values = np.ascontiguousarray(X[:, columns].T)  # sorting strides through rows is twice as slow
        scores = np.empty(values.shape, dtype=np.float32)
        for column, score in zip(values, scores, strict=True):
            order = np.argsort(column)  # need not be stable: tied rows get the same score
            ranked = column[order]
            starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
            ends = np.append(starts[1:], n)
            if w is None:
                each = table[starts + ends - 1]
            else:
                mass = np.concatenate([[0.0], np.cumsum(w[order])])
                each = ndtri((mass[starts] + mass[ends]) / (2 * mass[-1]))
            score[order] = each if len(starts) == n else np.repeat(each, ends - starts)
        out[:, columns] = scores.T

    parallel(rank, range(-(-d // COLUMNS)), thread_count(n_jobs))
    return out


class NormalScores:
    """A mergeable sketch of the ranks of every column.

    Parameters
    ----------
    n_features : columns of a block; width : M, values kept a level.
    """

    def __init__(self, n_features: int, width: int = WIDTH) -> None:
        self.n_features = n_features
        self.width = width
        self.n_samples = 0
        self._waiting: Floats = np.empty((0, n_features))
        self._levels: list[Floats | None] = []
        self._knots: tuple[Floats, Floats] | None = None

    def update(self, block: NDArray) -> NormalScores:
        """Take in rows (n, n_features); the sum of what was seen decides the sketch, in order of arrival."""
        block = np.asarray(block, dtype=np.float64)
        if block.ndim != 2 or block.shape[1] != self.n_features:
            raise InvalidInput(f"block: must be (n, {self.n_features}), got {block.shape}")
        self._knots = None
        self.n_samples += len(block)
        rows = np.concatenate([self._waiting, block])
        whole = len(rows) // self.width * self.width
        for start in range(0, whole, self.width):
            self._push(np.sort(rows[start : start + self.width], axis=0), 0)
        self._waiting = rows[whole:]
        return self

    def merge(self, other: NormalScores) -> NormalScores:
        """Take in another sketch of the same columns and width."""
        if (self.n_features, self.width) != (other.n_features, other.width):
            raise InvalidInput(
                f"other: must have {self.n_features} columns and width {self.width},"
                f" got {other.n_features} and {other.width}"
            )
        for level, values in enumerate(other._levels):
            if values is not None:
                self.n_samples += self.width << level
                self._push(values, level)
        return self.update(other._waiting)

    def _push(self, values: Floats, level: int) -> None:
        while True:
            while len(self._levels) <= level:
                self._levels.append(None)
            resident = self._levels[level]
            if resident is None:
                self._levels[level] = values
                return
            both = np.sort(np.concatenate([resident, values]), axis=0)
            self._levels[level] = None
            values = both[level % 2 :: 2]  # odd and even in turn: the error of one level undoes the last
            level += 1

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an npz file; a reader sees the old file or the whole new one."""
        levels = {f"level_{i}": values for i, values in enumerate(self._levels) if values is not None}
        sizes = {"format": FORMAT, "width": self.width, "n_samples": self.n_samples}
        numbers = {name: np.int64(size) for name, size in sizes.items()}
        write_arrays(path, {**numbers, "waiting": self._waiting, **levels})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> NormalScores:
        """Read what `save` wrote; nothing in the file is executed."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if int(file["format"]) != FORMAT:
                    raise ValueError(f"format {int(file['format'])}, this version reads {FORMAT}")
                self = cls(file["waiting"].shape[1], int(file["width"]))
                self.n_samples, self._waiting = int(file["n_samples"]), file["waiting"]
                for name in file.files:
                    if name.startswith("level_"):
                        level = int(name[6:])
                        self._levels += [None] * (level + 1 - len(self._levels))
                        self._levels[level] = file[name]
                return self
        except (zipfile.BadZipFile, KeyError, ValueError, IndexError, EOFError) as error:
            raise InvalidInput(f"path: not normal scores as save writes them ({error})") from error

    def transform(self, block: NDArray, dtype: type = np.float32) -> NDArray:
        """(n, n_features) scores of these rows by the ranks remembered."""
        if not self.n_samples:
            raise InvalidInput("block: nothing was remembered yet, call update first")
        values, mass = self._sorted()
        edge = 0.5 / self.n_samples
        out: NDArray = np.empty(block.shape, dtype=dtype)
        for j in range(self.n_features):
            low = np.searchsorted(values[:, j], block[:, j], side="left")
            high = np.searchsorted(values[:, j], block[:, j], side="right")
            rank = (mass[low, j] + mass[high, j]) / (2 * self.n_samples)
            out[:, j] = ndtri(np.clip(rank, edge, 1 - edge))
        return out

    def _sorted(self) -> tuple[Floats, Floats]:
        if self._knots is None:
            parts = [(self._waiting, 1)]
            parts += [(v, 1 << level) for level, v in enumerate(self._levels) if v is not None]
            values = np.concatenate([v for v, _ in parts])
            weight = np.concatenate([np.full(len(v), w) for v, w in parts])
            order = np.argsort(values, axis=0, kind="stable")
            mass = np.zeros((len(values) + 1, self.n_features))
            np.cumsum(weight[order], axis=0, out=mass[1:])
            self._knots = np.take_along_axis(values, order, axis=0), mass
        return self._knots
