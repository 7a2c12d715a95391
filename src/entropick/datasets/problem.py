"""Problem: a table with its target, and the answer where the answer is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Problem:
    """A data set to select from.

    Attributes
    ----------
    X
        (n_samples, n_features)
    y
        (n_samples,)
    informative
        column numbers of the features that determine y, ascending; empty where nobody knows.
    names
        (n_features,) names of the columns.
    description
        where it comes from and what is hard about it.
    task
        ``"classification"`` or ``"regression"``.
    extra
        further arrays that came with the data, such as a published split.
    """

    X: NDArray[Any]
    y: NDArray[Any]
    informative: tuple[int, ...]
    names: tuple[str, ...]
    description: str
    task: str = "classification"
    extra: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def to_frame(self, target: str = "y") -> pd.DataFrame:
        """Features and target as one pandas DataFrame, the target last."""
        import pandas as pd

        frame = pd.DataFrame(self.X, columns=list(self.names))
        frame[target] = self.y
        return frame

    def f_measure(self, chosen: NDArray[Any] | tuple[int, ...] | list[int]) -> float:
        """F = 2pr/(p + r) of a set of columns against ``informative``; 1 = exactly the true features.

        Examples
        --------
        >>> from entropick.datasets import xor
        >>> xor(random_state=0).f_measure([0, 5])
        0.5
        """
        found = {int(i) for i in np.asarray(chosen).ravel()}
        right = len(found.intersection(self.informative))
        return 2.0 * right / (len(found) + len(self.informative)) if found or self.informative else 1.0
