"""gc.auto: gc.mi with pooling and marginals chosen from the data.

Rivals are λ ∈ {1, ½, 0} (Wilks' criterion, half way, the paper's gc.mi) on raw features and on normal scores.
Each selects k features on one half of the rows, and they are judged on the other half, in both directions
(`statistics.moment_rivals`); where k is not fixed beforehand the first 5, 10, 20, 40 and 80 are judged. The
judge is linear, unless the quadratic one, on its favourite, leaves less than three quarters of the linear
one's errors: then the classes live in their covariances. Rivals within one standard error of the best mean
mark are the finalists. If there are several, each selects on all rows, its set is judged by the same
classifiers learnt on one half and tested on the other, and again all within one standard error of the best
remain; the first of them in the list wins, raw before copula, the larger λ before the smaller. As the contest
is about k features, the choice of ten need not be the start of the choice of a hundred.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import EntropickWarning, InvalidParameter
from ...statistics.moments.rivals import Rivals
from .base import FLOOR, GaussianMeasure
from .compromise import GCMI

SIZES = (5, 10, 20, 40, 80)
POOLINGS = (1.0, 0.5, 0.0)
QUADRATIC = 0.75  # share of the linear judge's errors that the quadratic one must undercut


def first(measure: GaussianMeasure, k: int) -> NDArray[np.intp]:
    """The first k features of a forward search."""
    open_ = np.ones(measure.n_candidates, dtype=bool)
    while len(measure.chosen) < k:
        gains = np.where(open_, measure.gains(), -np.inf)
        best = int(np.argmax(gains >= gains.max() - 1e-12 * max(1.0, abs(float(gains.max())))))
        if measure.settle(best):
            measure.add(best)
            open_[best] = False
    return np.array(measure.chosen, dtype=np.intp)


def leaders(marks: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(r,) which rows of marks (r, n) have a mean within one standard error of the best's, paired by row."""
    total = weights.sum()
    means = marks @ weights / total
    behind = marks[int(np.argmax(means))] - marks
    spread = np.sqrt((behind - (behind @ weights / total)[:, None]) ** 2 @ weights / total)
    return np.asarray(means >= means.max() - spread / np.sqrt(max(total, 1.0)))


def contest(rivals: Rivals, poolings: tuple[float, ...], **options: Any) -> tuple[tuple[float, str], dict[str, float]]:
    """The winning (pooling, marginals), and the mean mark of every rival on the rows it did not select from."""
    names = [(float(p), m) for m in rivals.marginals for p in poolings]
    sizes = sorted({min(s, rivals.n_features) for s in (SIZES if rivals.k is None else (rivals.k,))})

    def picks(memory: Any, pooling: float) -> NDArray[np.intp]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EntropickWarning)
            return first(GCMI(memory, pooling=pooling, **options), sizes[-1])

    def marks(of: list[NDArray[np.intp]]) -> NDArray[np.float64]:
        """(2, rows) by both judges, the mean over sizes; `of` has the choice for each half."""
        sides = [np.mean([rivals.judge(of[h][:size], h) for size in sizes], axis=0) for h in (0, 1)]
        return np.concatenate(sides, axis=1)

    weights = rivals.weights()
    table = np.array([marks([picks(rivals.part(m, h), p) for h in (0, 1)]) for p, m in names])
    means = table @ weights / weights.sum()  # (rivals, judges)
    errors = 1.0 - means.max(axis=0)
    judge = int(not rivals.n_targets and errors[1] < QUADRATIC * errors[0])
    told = {f"{m}, pooling {p:g}": float(mark) for (p, m), mark in zip(names, means[:, judge], strict=True)}
    finalists = np.flatnonzero(leaders(table[:, judge], weights))
    if len(finalists) > 1:
        final = np.array([marks([picks(rivals.whole(names[r][1]), names[r][0])] * 2)[judge] for r in finalists])
        finalists = finalists[leaders(final, weights)]
    return names[int(finalists[0])], told | {"quadratic judge": float(judge)}


class GCAuto(GCMI):
    """gc.auto, or gc.mi with ``pooling="auto"``: `contest` first, then GCMI as the winner would.

    ``contest`` in the details has every rival's mean mark: the share of held-out rows classified correctly.
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
                statistics,
                grid,
                shrinkage=options.get("shrinkage", "auto"),
                floor=options.get("floor", FLOOR),
            )
            rivals, pooling = statistics, chosen
            statistics = rivals.whole(marginals)
            rivals.release()
        if isinstance(pooling, str):
            raise InvalidParameter(
                f"pooling: must be a number in [0, 1] for statistics without rows, got {pooling!r};"
                " 'auto' needs the rows (collect_moments with pooling='auto')"
            )
        super().__init__(statistics, pooling=float(pooling), marginals=marginals, **options)

    def details(self) -> dict[str, Any]:
        return super().details() | {"contest": self.contest}
