"""TargetRule: how a target becomes codes, where its rows come in blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from .target import Target

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class TargetRule:
    """Classes in sorted order, or the inner edges of the bins of a continuous target.

    ``counts`` (n_classes,) rows of each class; empty for a regression, where nobody asks.
    """

    task: str
    classes: Array
    counts: NDArray[np.int64]
    note: str = ""  # what the target was taken for, where that is not obvious

    @property
    def n_classes(self) -> int:
        return len(self.classes) + (self.task == "regression")

    def code(self, y: Array) -> Target:
        """The coded target of a block: ``y`` (n,) without missing values."""
        if self.task == "regression":
            values = y.astype(np.float64)
            codes = np.searchsorted(self.classes, values, side="left").astype(np.int32)
            return Target(codes, self.classes, self.n_classes, self.task, values)
        if "O" in (self.classes.dtype.kind, y.dtype.kind):
            import pandas as pd

            codes = pd.Index(self.classes).get_indexer(pd.Index(y)).astype(np.int32)
            known = codes >= 0
        else:
            codes = np.minimum(np.searchsorted(self.classes, y), len(self.classes) - 1).astype(np.int32)
            known = self.classes[codes] == y
        if not known.all():
            value = y[int(np.argmin(known))]
            raise InvalidInput(
                f"y: has class {str(value)!r:.40}, which was not seen before; list all classes at the start"
            )
        return Target(codes, self.classes, self.n_classes, self.task)
