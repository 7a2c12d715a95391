"""RankSketch: where values rank in every column, within stated bounds, from blocks of rows in any order.

    level l holds WIDTH sorted values a column, each standing for 2^l rows; two such arrays of a level are sorted
    together and every other value moves one level up

What an array loses when it is thinned is known: of s · WIDTH sorted values take those at o, o + s, o + 2s, … and let
each stand for s; the number of values ≤ v is then estimated by at most o too low and s − 1 − o too high. The bounds
add up, whatever is merged with what. NaN sort last and take part as the largest values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WIDTH = 2048


class RankSketch:
    """Values of ``n_columns`` columns that stand for all rows seen.

    Attributes
    ----------
    low, high : rows by which an estimated rank may be too low and too high, in any column.
    """

    def __init__(self, n_columns: int, width: int = WIDTH) -> None:
        self.n_columns = n_columns
        self.width = width
        self.low = 0
        self.high = 0
        self._waiting: Floats = np.empty((n_columns, 0))
        self._levels: list[Floats | None] = []
        self._turns: list[int] = []  # odd and even in turn, so that one thinning undoes the last

    def add(self, values: Floats) -> None:
        """Take in (n_columns, n) values, ascending in every column.

        Any part of the rows may be thinned by itself, so a sorted block is cut into runs of a power of two.
        """
        at, n = 0, values.shape[1]
        while n - at >= self.width:
            level = ((n - at) // self.width).bit_length() - 1
            step = 1 << level
            run = values[:, at : at + self.width * step]
            self._push(np.ascontiguousarray(run[:, step // 2 :: step]), level)
            self.low += step // 2
            self.high += step - 1 - step // 2
            at += self.width * step
        if at < n:
            waiting = np.concatenate([self._waiting, values[:, at:]], axis=1)
            if waiting.shape[1] >= self.width:
                waiting.sort(axis=1)
                self._push(np.ascontiguousarray(waiting[:, : self.width]), 0)
                waiting = np.ascontiguousarray(waiting[:, self.width :])
            self._waiting = waiting

    def merged(self, other: RankSketch) -> RankSketch:
        """What both have seen, of the same columns; both stay as they are."""
        both = RankSketch(self.n_columns, self.width)
        both.low, both.high = self.low + other.low, self.high + other.high
        both._waiting, both._levels, both._turns = self._waiting, list(self._levels), list(self._turns)
        for level, values in enumerate(other._levels):
            if values is not None:
                both._push(values, level)
        if other._waiting.shape[1]:
            both.add(np.sort(other._waiting, axis=1))
        return both

    def _push(self, values: Floats, level: int) -> None:
        while True:
            while len(self._levels) <= level:
                self._levels.append(None)
                self._turns.append(0)
            resident = self._levels[level]
            if resident is None:
                self._levels[level] = values
                return
            both = np.concatenate([resident, values], axis=1)
            both.sort(axis=1)
            turn = self._turns[level]
            self._levels[level], self._turns[level] = None, 1 - turn
            self.low += turn << level
            self.high += (1 - turn) << level
            values = np.ascontiguousarray(both[:, turn::2])
            level += 1

    def ranks(self, column: int) -> tuple[Floats, NDArray[np.int64]]:
        """Ascending values of a column without NaN, and about how many rows are at most each of them."""
        parts = [(self._waiting[column], 1)]
        parts += [(values[column], 1 << level) for level, values in enumerate(self._levels) if values is not None]
        values = np.concatenate([part for part, _ in parts])
        stands_for = np.concatenate([np.full(len(part), size) for part, size in parts])
        order = np.argsort(values, kind="stable")[: len(values) - np.count_nonzero(np.isnan(values))]
        values, ranks = values[order], np.cumsum(stands_for[order])
        last = np.append(np.flatnonzero(values[1:] != values[:-1]), len(values) - 1)  # of equal values
        return (values[last], ranks[last]) if len(values) else (values, ranks)
