"""What is remembered where nothing less than the rows will do: distances, kernels, neighbours."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..coding import Target
from ..errors import InvalidInput
from ..sources import Table
from .kind import Asked, Collected, Kind, Way

Floats = NDArray[np.float64]


class RowStatistics:
    """Rows as numbers, with their target and weights.

    Attributes
    ----------
    values : (n_rows, n_features) float64, as they came; NaN where missing. A category is a number that stands for
        nothing but itself (its place among the sorted labels).
    categorical : (n_features,) which features are categories or booleans.
    codes : (n_rows,) int32 class of each row (bins, for a regression).
    target : (n_rows,) float64 of a regression, else None.
    weights : (n_rows,) frequencies, or None for ones.
    """

    def __init__(
        self,
        values: ArrayLike,
        codes: ArrayLike,
        n_classes: int,
        *,
        target: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        categorical: ArrayLike | None = None,
    ) -> None:
        self.values = np.ascontiguousarray(values, dtype=np.float64)
        self.codes = np.ascontiguousarray(codes, dtype=np.int32)
        self.n_classes = int(n_classes)
        self.target = None if target is None else np.ascontiguousarray(target, dtype=np.float64)
        self.weights = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        n_features = self.values.shape[1]
        self.categorical = np.zeros(n_features, bool) if categorical is None else np.asarray(categorical, dtype=bool)

    @classmethod
    def collect(cls, table: Table, target: Target, weights: Floats | None = None) -> RowStatistics:
        """The rows of a table."""
        categorical = np.array([table.kind(j) in ("category", "boolean") for j in range(table.n_columns)])
        if table.matrix is not None:
            values = np.asarray(table.matrix, dtype=np.float64)
        else:
            values = np.empty((table.n_rows, table.n_columns))
            for j in range(table.n_columns):
                values[:, j] = _numbers(table.column(j)) if table.kind(j) == "category" else table.column(j)
        return cls(
            values, target.codes, target.n_classes, target=target.values, weights=weights, categorical=categorical
        )

    @property
    def n_rows(self) -> int:
        return int(self.values.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.values.shape[1])

    @property
    def regression(self) -> bool:
        return self.target is not None

    @cached_property
    def standardised(self) -> Floats:
        """(n_rows, n_features) mean 0 and standard deviation 1 a feature; a constant one is 0. Refuses NaN."""
        missing = np.isnan(self.values).any(axis=0)
        if missing.any():
            raise InvalidInput(
                f"X: contains NaN in column number {int(np.argmax(missing))}; this method does not accept"
                " missing values: impute them, drop the column, or use a discrete method"
            )
        mean = np.average(self.values, axis=0, weights=self.weights)
        spread = np.sqrt(np.average((self.values - mean) ** 2, axis=0, weights=self.weights))
        constant = spread <= 1e-12 * np.maximum(np.abs(mean), 1.0)
        return np.where(constant, 0.0, (self.values - mean) / np.where(constant, 1.0, spread))


def _numbers(labels: NDArray[Any]) -> Floats:
    """Labels by their place among the sorted ones; NaN where missing."""
    import pandas as pd

    codes, _ = pd.factorize(labels, sort=True)
    return np.where(codes < 0, np.nan, codes.astype(np.float64))


class RowsKind(Kind):
    """The rows themselves, which only memory holds."""

    def why_not(self, asked: Asked, way: Way) -> str | None:
        name = asked.method
        if asked.grouped:
            return f"groups: {name!r} cannot evaluate groups; use a discrete method"
        return {
            "table": None,
            "blocks": f"method: {name!r} needs all rows in memory, but they come in blocks; load them first"
            " (entropick.sources), or use a method that streams, see entropick.methods()",
            "increments": f"method: {name!r} needs all rows at once; use fit, or another method",
            "saved": f"method: {name!r} needs the rows, which saved statistics do not contain; use another method",
        }[way]

    def of_table(self, table: Table, target: Target, weights: Floats | None, asked: Asked) -> Collected:
        statistics = asked.shared(("rows",), lambda: RowStatistics.collect(table, target, weights))
        return Collected(statistics, constant=(statistics.values == statistics.values[0]).all(axis=0))
