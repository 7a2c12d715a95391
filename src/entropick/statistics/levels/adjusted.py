"""Informations of columns with many levels, less what chance would give them.

By relative frequencies I(V;Y) is too high, the more so the more cells V has: a category of 500 levels that says nothing
of two classes seems to say 0.05 nats in 5 000 rows, and everything where each row is a level of its own. What shuffled
classes would give is known cell by cell,

    E = (Σ_v c(n_v) − c(n)) / n,   c(s) = Σ_y E[φ(B)] − φ(s p_y),  B of s rows with chance p_y,  φ(x) = x log x

near (cells − 1)(classes − 1)/2n where every cell has many rows, and since 2nI is about χ², its standard deviation
√(E/n). Three of these are added, or one of many such columns would still look good. Ten levels are ordinary, and what
they get by chance stays, so that columns of at most ten levels are estimated by plain frequencies. What is beyond, E′,
is taken off as in the adjusted mutual information of Vinh, Epps & Bailey (JMLR 2010):

    I′ = H (I − E′) / max(H − E′, H/2),   H = H(Y)

which leaves an information alone that is as large as it can be, and is 0 where chance explains all of it. The same is
done to I(X_i;X_j), with E ≈ (levels_i − 1)(levels_j − 1)/2n, at most half of H, the smaller of both entropies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .questions import JointEntropies

Floats = NDArray[np.float64]
ORDINARY = 10  # levels up to which a column is estimated by plain frequencies
DEVIATIONS = 3.0  # standard deviations of chance that are taken off with its mean
EXACT = 64  # rows of a cell up to which chance is summed over all that can happen
STEEPEST = 0.5  # of H: where chance alone explains more, what is left is not blown up further
FINE = float(1 << 30)  # chance is added up in whole multiples of 1/FINE, so that the order of cells does not matter


@dataclass(frozen=True)
class Cells:
    """Rows in each cell that has any, one table after another: those of ``features[k]`` begin at ``at[k]``."""

    features: NDArray[np.intp]
    rows: Floats
    at: NDArray[np.int64]

    @classmethod
    def of(cls, features: NDArray[np.intp], counts: NDArray[Any], ends: NDArray[np.int64], unit: float) -> Cells:
        """From all cells, ``ends`` (m,) where those of each table end."""
        there = counts > 0
        before = np.append(0, np.cumsum(there))[np.append(0, ends[:-1])]
        return cls(features, counts[there] / unit, before)

    def sums(self, chance: Chance) -> NDArray[np.int64]:
        """Σ c(rows) of each table, in multiples of 1/FINE."""
        return np.asarray(np.add.reduceat(chance.fine(self.rows), self.at))


@dataclass(frozen=True)
class Summed:
    """`Cells` of features whose sums a kernel has made."""

    features: NDArray[np.intp]
    whole: NDArray[np.int64]

    def sums(self, chance: Chance) -> NDArray[np.int64]:
        return self.whole


class Chance:
    """c(s) for classes of the given weights: what a cell of s rows seems to say by chance, times s."""

    def __init__(self, class_counts: Floats) -> None:
        shares, repeated = np.unique(class_counts[class_counts > 0] / class_counts.sum(), return_counts=True)
        self.total = float(class_counts.sum())
        exact = sum((m * _small(p) for p, m in zip(shares, repeated, strict=True)), np.zeros(EXACT + 1))
        beyond = np.geomspace(EXACT, max(self.total, 2.0 * EXACT), 200)[1:]
        large = sum((m * _large(beyond, p) for p, m in zip(shares, repeated, strict=True)), np.zeros(len(beyond)))
        self._rows: Floats = np.append(np.arange(EXACT + 1.0), beyond)
        self._values: Floats = np.append(exact, large)

    def __call__(self, rows: Floats) -> Floats:
        return np.interp(rows, self._rows, self._values)

    def fine(self, rows: Floats) -> NDArray[np.int64]:
        """c(rows) in multiples of 1/FINE."""
        return np.rint(self(rows) * FINE).astype(np.int64)

    def expected(self, sums: NDArray[np.int64]) -> Floats:
        """E of tables, from the sum of c over the cells of each."""
        return np.asarray(np.maximum((sums / FINE - self(np.array([self.total]))[0]) / self.total, 0.0))


def _small(share: float) -> Floats:
    """E[φ(B)] − φ(s p) for s = 0 … EXACT, B binomial."""
    from scipy.stats import binom

    rows = np.arange(EXACT + 1)
    seen = binom.pmf(rows[None, :], rows[:, None], share)
    return np.asarray(seen @ phi(rows) - phi(rows * share))


def _large(rows: Floats, share: float) -> Floats:
    """The same for many rows: (1 − p) (E[φ(P)] − φ(λ)), P of Poisson's law with the mean λ = s p."""
    from scipy.stats import poisson

    mean = rows * share
    out = 0.5 + (1.0 + share) / (12.0 * np.maximum(mean, EXACT / 4))
    few = mean < EXACT / 4
    if few.any():
        counts = np.arange(4 * EXACT)
        out[few] = poisson.pmf(counts[None, :], mean[few][:, None]) @ phi(counts) - phi(mean[few])
    return np.asarray((1.0 - share) * out)


def phi(x: NDArray[np.generic]) -> Floats:
    """x log x, 0 at 0."""
    values = np.asarray(x, np.float64)
    return np.asarray(values * np.log(np.where(values > 0, values, 1.0)))


def adjusted(information: Floats, excess: Floats, most: Any) -> Floats:
    """H (I − E′) / max(H − E′, H/2), from 0 to H."""
    excess = np.clip(excess, 0.0, most)
    room = np.maximum(most - excess, STEEPEST * most)
    found = most * (information - excess) / np.where(room > 0, room, 1.0)
    return np.where(excess > 0, np.clip(found, 0.0, most), information)


def reach(expected: Any, n: float) -> Any:
    """What chance reaches: its mean and three standard deviations, nats."""
    return expected + DEVIATIONS * np.sqrt(expected / n)


class Adjustment:
    """What takes chance off the entropies of features, alone and in pairs.

    levels (n_features,); class_counts; target_entropy H(Y), nats; alone: plain H(X_j) and H(X_j, Y); cells: rows in
    each level of the features of many levels.
    """

    def __init__(
        self,
        levels: NDArray[np.int64],
        class_counts: Floats,
        target_entropy: float,
        alone: JointEntropies,
        cells: Iterable[Cells | Summed],
    ) -> None:
        self.levels, self.target = levels, target_entropy
        self.chance = Chance(class_counts)
        self._classes = int(np.count_nonzero(class_counts))
        self.entropy = alone.feature
        self.information = np.maximum(alone.feature + target_entropy - alone.feature_class, 0.0)
        for some in cells:
            excess = self._excess(some, np.minimum(levels[some.features], ORDINARY))
            self.information[some.features] = adjusted(self.information[some.features], excess, target_entropy)
        self.entropy_class = self.entropy + target_entropy - self.information

    def _excess(self, cells: Cells | Summed, ordinary: NDArray[np.int64]) -> Floats:
        """Chance beyond that of ordinary tables with so many cells."""
        n = self.chance.total
        usual = (ordinary - 1) * (self._classes - 1) / (2.0 * n)
        return np.asarray(reach(self.chance.expected(cells.sums(self.chance)), n) - reach(usual, n))

    def many(self, n_levels: int) -> NDArray[np.bool_]:
        """(n_features,) those whose tables with a variable of so many levels are adjusted."""
        return (self.levels > ORDINARY) | (n_levels > ORDINARY)

    def together(
        self,
        pick: int | None,
        n_levels: int,
        feature: Floats,
        feature_class: Floats | None,
        some: NDArray[np.intp],
        cells: Iterable[Cells | Summed],
    ) -> None:
        """Adjust, in place, the entropies H(V, X_j) and H(V, X_j, Y) of ``some`` features with one variable V.

        V is the feature ``pick``, or any variable of ``n_levels`` (None). cells: rows in each cell of (V, X_j).
        """
        plain = feature.copy()
        if pick is not None:
            most = np.minimum(self.entropy[some], self.entropy[pick])
            n = self.chance.total
            pairs = (self.levels[some] - 1.0) * (n_levels - 1.0)
            usual = (np.minimum(self.levels[some], ORDINARY) - 1.0) * (min(n_levels, ORDINARY) - 1.0)
            shared = np.maximum(self.entropy[some] + self.entropy[pick] - plain[some], 0.0)
            excess = reach(pairs / (2.0 * n), n) - reach(usual / (2.0 * n), n)
            shared = adjusted(shared, np.minimum(excess, STEEPEST * most), most)  # a copy is one at any size
            feature[some] = self.entropy[some] + self.entropy[pick] - shared
        if feature_class is None:
            return
        usual_levels = min(n_levels, ORDINARY) if pick is not None else n_levels
        for own in cells:
            j = own.features
            excess = self._excess(own, usual_levels * np.minimum(self.levels[j], ORDINARY))
            said = np.maximum(plain[j] + self.target - feature_class[j], 0.0)
            told = adjusted(said, excess, self.target)
            if pick is not None:  # two never say less than one of them
                told = np.maximum(np.maximum(told, self.information[j]), self.information[pick])
            feature_class[j] = feature[j] + self.target - told
