"""Full conditional mutual information: the picks taken jointly, for small sets."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...statistics.levels.questions import LevelRows
from ..measure import Account, Scores


class CMI:
    """J = I(X_k;Y|X_S): what the candidate adds to all selected features as one variable (Brown et al. 2012, eq. 9).

    The criterion that all pairwise ones approximate; no assumption of theirs is made. Its table grows with every
    pick, so the sample runs out and the plug-in estimate saturates: when the occupied cells of (X_S, Y) hold fewer than
    ``rows_per_cell`` rows on average, the search stops there and says so (0: never).
    """

    units: ClassVar[str] = "nats"
    row_by_row: ClassVar[bool] = True  # the picks are one variable, which counts of pairs do not give

    def __init__(self, statistics: LevelRows, rows_per_cell: float = 5.0) -> None:
        self.rows_per_cell = rows_per_cell
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        self.chosen: list[int] = []
        self._codes = np.zeros(statistics.n_rows, np.int32)
        self._levels = 1
        self._cells = 1
        self._scores = self._conditional()
        self.relevance = self._scores

    def _conditional(self) -> Scores:
        """I(X_k;Y|S) = H(S,X_k) + H(S,Y) − H(S,X_k,Y) − H(S) for every candidate."""
        terms = self.statistics.pairs_with(self._codes, self._levels)
        own, own_class, self._cells = self.statistics.variable(self._codes, self._levels)
        return np.maximum(terms.feature + own_class - terms.feature_class - own, 0.0)

    def gains(self) -> Scores:
        return self._scores

    def add(self, candidate: int) -> None:
        joint = self._codes.astype(np.int64) * int(self.statistics.levels[candidate])
        joint += self.statistics.codes(candidate)
        kept, codes = np.unique(joint, return_inverse=True)
        self._codes, self._levels = codes.astype(np.int32), int(kept.size)
        self.chosen.append(candidate)
        self._scores = self._conditional()

    def account(self, candidate: int) -> Account:
        return Account(relevance=float(self.relevance[candidate]))

    def stop_reason(self) -> str | None:
        rows = self.statistics.total / self._cells
        if self.chosen and rows < self.rows_per_cell:
            return (
                f"{rows:.1f} rows in a cell of the chosen features and the target: too few to evaluate another feature"
            )
        return None
