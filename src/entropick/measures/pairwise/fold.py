"""How the links of a candidate with all picks become one number: their sum, the least, the greatest, or your own.

A criterion names one, ``fold = Min()``. One of your own needs what no link at all amounts to, and how one more pick's
links enter:

    class Squares(Fold):
        start = 0.0

        def into(self, folded, links):
            folded += np.nan_to_num(links) ** 2
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Fold(ABC):
    """The order of picks must not matter, nor that links come one by one."""

    start: float = 0.0  # of no pick at all

    @abstractmethod
    def into(self, folded: Floats, links: Floats) -> None:
        """Fold one pick's links (n_links, n_candidates) into ``folded``, in place; NaN is not counted: no change."""

    def over(self, links: Floats) -> Floats:
        """(n_links, n_columns) the links (n_links, n_picks, n_columns) of several picks folded."""
        folded = np.full((links.shape[0], links.shape[2]), self.start)
        for pick in range(links.shape[1]):
            self.into(folded, links[:, pick])
        return folded

    def out_of(self, folded: Floats, links: Floats) -> NDArray[np.intp]:
        """Take one pick's links out, in place; the columns where that cannot be done, which are folded again.

        All of them, unless a fold knows better.
        """
        return np.arange(folded.shape[1])


class Sum(Fold):
    """Every pick counts."""

    def into(self, folded: Floats, links: Floats) -> None:
        folded += np.nan_to_num(links, nan=0.0)

    def over(self, links: Floats) -> Floats:
        folded: Floats = np.sum(links, axis=1)
        return folded

    def out_of(self, folded: Floats, links: Floats) -> NDArray[np.intp]:
        folded -= links
        return np.empty(0, np.intp)


class Extreme(Fold):
    """One pick counts: ``keep`` takes the better of two links, and ``reached`` says which links that pick had."""

    keep: ClassVar[np.ufunc]
    reached: ClassVar[np.ufunc]

    def into(self, folded: Floats, links: Floats) -> None:
        self.keep(folded, links, out=folded)

    def over(self, links: Floats) -> Floats:
        folded: Floats = self.keep.reduce(links, axis=1)
        return folded

    def out_of(self, folded: Floats, links: Floats) -> NDArray[np.intp]:
        return np.flatnonzero(self.reached(links, folded).any(axis=0))


class Min(Extreme):
    """The pick that serves the candidate worst counts."""

    start, keep, reached = np.inf, np.fmin, np.less_equal


class Max(Extreme):
    """The pick with the strongest link counts."""

    start, keep, reached = -np.inf, np.fmax, np.greater_equal
