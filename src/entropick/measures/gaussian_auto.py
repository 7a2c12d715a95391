"""gc.auto: gc.mi with pooling and marginals chosen from the data.

Rivals are λ ∈ {1, ½, 0} (Wilks' criterion, half way, the paper's gc.mi) on raw features and on normal scores.
Each selects on one half of the rows; its first 5, 10, 20, 40, 80 features are judged on the other half
(`statistics.moment_rivals`), in both directions. The rival with the highest mean mark wins, unless one that
stands earlier in the list is within one standard error of it. The winner then selects on all rows.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import EntropickWarning, InvalidParameter
from ..statistics.moment_rivals import Rivals
from .gaussian import FLOOR, GCMI, GaussianMeasure

SIZES = (5, 10, 20, 40, 80)
POOLINGS = (1.0, 0.5, 0.0)


def first(measure: GaussianMeasure, k: int) -> NDArray[np.intp]:
    """The first k features of a forward search."""
    open_ = np.ones(measure.n_candidates, dtype=bool)
    for _ in range(k):
        gains = np.where(open_, measure.gains(), -np.inf)
        best = int(np.argmax(gains >= gains.max() - 1e-12 * max(1.0, abs(float(gains.max())))))
        measure.add(best)
        open_[best] = False
    return np.array(measure.chosen, dtype=np.intp)


def contest(
    rivals: Rivals, poolings: tuple[float, ...], **options: Any
) -> tuple[tuple[float, str], dict[str, float]]:
    """The winning (pooling, marginals), and the mean mark of every rival."""
    names = [(float(p), m) for m in rivals.marginals for p in poolings]
    sizes = sorted({min(s, rivals.n_features) for s in SIZES})
    marks, weights = [], np.zeros(0)
    for pooling, marginal in names:
        collected = []
        for h in (0, 1):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", EntropickWarning)
                picks = first(GCMI(rivals.part(marginal, h), pooling=pooling, **options), sizes[-1])
            judged = [rivals.judge(picks[:size], h) for size in sizes]
            collected.append((np.mean([m for m, _ in judged], axis=0), judged[0][1]))
        marks.append(np.concatenate([m for m, _ in collected]))
        weights = np.concatenate([w for _, w in collected])
    table = np.array(marks)
    means = table @ weights / weights.sum()
    best = int(np.argmax(means))
    behind = table[best] - table
    error = np.sqrt((behind - behind.mean(axis=1, keepdims=True)) ** 2 @ weights / weights.sum())
    error /= np.sqrt(max(weights.sum(), 1.0))
    winner = int(np.argmax(means >= means[best] - error))
    told = {f"{marginal}, pooling {pooling:g}": float(m) for (pooling, marginal), m in zip(names, means, strict=True)}
    return names[winner], told


class GCAuto(GCMI):
    """gc.auto, or gc.mi with ``pooling="auto"``: `contest` first, then GCMI as the winner would.

    ``contest`` in the details has every rival's mean mark: the share of held-out rows told rightly.
    """

    def __init__(
        self, statistics: Any, *, pooling: str | float = "auto", marginals: str = "auto", **options: Any
    ) -> None:
        self.contest: dict[str, float] = {}
        if isinstance(statistics, Rivals):
            grid = POOLINGS if pooling == "auto" else (float(pooling),)
            if statistics.n_targets:
                grid = grid[:1]
            (chosen, marginals), self.contest = contest(
                statistics, grid, shrinkage=options.get("shrinkage", "auto"), floor=options.get("floor", FLOOR)
            )
            statistics, pooling = statistics.whole(marginals), chosen
        if isinstance(pooling, str):
            raise InvalidParameter(
                f"pooling: must be a number in [0, 1] for statistics without rows, got {pooling!r};"
                " 'auto' needs the rows (collect_moments with pooling='auto')"
            )
        super().__init__(statistics, pooling=float(pooling), marginals=marginals, **options)

    def details(self) -> dict[str, Any]:
        return super().details() | {"contest": self.contest}
