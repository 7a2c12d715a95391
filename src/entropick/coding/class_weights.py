"""Who counts how much: a weight for every class, on top of the weights of rows.

    None         rows count as they are: a frequent class decides
    "balanced"   total / (number of classes · total of the class), as in scikit-learn: every class counts the same
    {class: w}   these; a class that is not named weighs 1

Only the proportions of these count. All rows together are made to weigh what they are worth: (Σw)² / Σw², Kish's number
of equally weighted rows that know as much. A class of ten rows that weighs as much as one of a thousand is still known
from ten, and what is taken off for chance must follow from that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter, closest
from ..sources import Table
from ..sources.blocks import Blocks, Kept
from ..sources.side_by_side import added_column
from .block_rows import RowReader

Floats = NDArray[np.float64]
COLUMN = "class weight"
FINE = 2.0**20  # weights are whole parts of 1 / FINE, so that their sums are the same in any order


def check_class_weight(class_weight: Any) -> None:
    """None, "balanced", or a dict of positive numbers."""
    rule = "class_weight: must be None, 'balanced' or a dict of classes and positive numbers"
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return
    if not isinstance(class_weight, Mapping) or not class_weight:
        raise InvalidParameter(f"{rule}, got {class_weight!r:.60}")
    for label, weight in class_weight.items():
        if not isinstance(weight, Real) or isinstance(weight, bool) or not 0 < float(weight) < np.inf:
            raise InvalidParameter(f"{rule}, got {weight!r} for {label!r}")


def weights_of_classes(class_weight: Any, classes: Sequence[Any] | NDArray[Any], totals: Floats) -> Floats:
    """(n_classes,) the weight of every class; totals (n_classes,): what its rows weigh without."""
    if isinstance(class_weight, str):
        return _worth(1.0 / np.maximum(totals, 1e-300), totals)
    place = {str(label): c for c, label in enumerate(classes)}
    weights = np.ones(len(place))
    for label, weight in class_weight.items():
        if str(label) not in place:
            raise InvalidParameter(f"class_weight: no class {label!r}.{closest(str(label), place)}")
        weights[place[str(label)]] = weight
    return _worth(weights, totals)


def _worth(weights: Floats, totals: Floats) -> Floats:
    """The same proportions; Σ totals · weights becomes Kish's number of rows."""
    mean = (totals * weights).sum() / totals.sum()
    relative = weights / mean
    worth = relative * totals.sum() / (totals * relative**2).sum()
    return np.asarray(np.maximum(np.rint(worth * FINE), 1.0) / FINE)


def weighted_rows(class_weight: Any, classes: NDArray[Any], codes: NDArray[np.int32], weights: Floats | None) -> Floats:
    """(n,) weights of rows times those of their classes."""
    totals = np.bincount(codes, weights, len(classes)).astype(np.float64)
    by_class = weights_of_classes(class_weight, classes, totals)[codes]
    return by_class if weights is None else by_class * weights


# -- rows in blocks ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CountClasses:
    """What the rows of every class weigh in a block."""

    reader: RowReader

    def __call__(self, table: Table) -> Floats:
        _, target, weights = self.reader(table)
        return np.bincount(target.codes, weights, target.n_classes).astype(np.float64)


def summed(one: Floats, other: Floats) -> Floats:
    return one + other


@dataclass(frozen=True)
class Weigh:
    """A block with a last column of weights; rows that count for nothing weigh 0."""

    reader: RowReader
    by_class: tuple[float, ...]

    def __call__(self, table: Table) -> Table:
        own = np.ones(table.n_rows) if self.reader.weight is None else table.column(self.reader.weight)
        weights = np.array(own, dtype=np.float64)
        used = np.flatnonzero(weights)
        codes = self.reader.rule.code(table.column(self.reader.target)[used]).codes
        weights[used] *= np.asarray(self.by_class)[codes]
        return added_column(table, COLUMN, weights)


@dataclass(frozen=True)
class Then:
    """Some columns of a weighed block, and what is made of them."""

    first: Weigh
    columns: tuple[int, ...] | None
    make: Any

    def __call__(self, table: Table) -> Any:
        weighed = self.first(table)
        return self.make(weighed if self.columns is None else weighed.select(self.columns))


class WeighedBlocks(Blocks):
    """Blocks with one more column, which weighs every row by its class; it is made where the blocks are."""

    def __init__(self, blocks: Blocks, weigh: Weigh, columns: Sequence[int] | None = None) -> None:
        self._blocks, self._weigh = blocks, weigh
        self._columns = None if columns is None else tuple(columns)
        names, kinds = (*blocks.names, COLUMN), (*blocks.kinds, "numeric")
        shown = range(len(names)) if columns is None else columns
        self.names, self.kinds = tuple(names[j] for j in shown), tuple(kinds[j] for j in shown)
        self.notes, self.room, self.memory = blocks.notes, blocks.room, blocks.memory

    def reduce(self, make: Any, merge: Any) -> Any:
        return self._blocks.reduce(Then(self._weigh, self._columns, make), merge)

    def keep(self, make: Any) -> Kept[Any]:
        return self._blocks.keep(Then(self._weigh, self._columns, make))

    def select(self, columns: Sequence[int]) -> WeighedBlocks:
        shown = range(len(self._blocks.names) + 1) if self._columns is None else self._columns
        return self._narrowed([shown[j] for j in columns])

    def _narrowed(self, columns: Sequence[int]) -> WeighedBlocks:
        """Only the columns that are asked for, and those that the weights are made of, need be read."""
        reader, last = self._weigh.reader, len(self._blocks.names)
        needed = {j for j in columns if j != last} | {reader.target}
        needed |= set() if reader.weight is None else {reader.weight}
        read = sorted(needed)
        place = {j: at for at, j in enumerate(read)} | {last: len(read)}
        weight = None if reader.weight is None else place[reader.weight]
        weigh = Weigh(RowReader((), place[reader.target], reader.rule, weight), self._weigh.by_class)
        return WeighedBlocks(self._blocks.select(read), weigh, [place[j] for j in columns])
