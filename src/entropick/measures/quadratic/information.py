"""The pairwise conditional information of a set (Vinh et al. 2014, eq. 17–18).

    value(S) = Σ_i I(X_i;C) + Σ_{i≠j} I(X_i;C|X_j) = xᵀQx,     x the indicator of S
    Q_ii = I(X_i;C),    Q_ij = ½ {I(X_i;C|X_j) + I(X_j;C|X_i)}

Relevance, redundancy and class-conditional redundancy in one matrix without a parameter:
Σ_j I(X_i;C|X_j) = |S| I(X_i;C) − Σ_j [I(X_i;X_j) − I(X_i;X_j|C)]. The greedy sibling is JMI. `spec.cmi` maximises the
form over the unit sphere, `sdp.cmi` over a semidefinite relaxation of the sets of k.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...statistics.levels.questions import Levels
from .form import Pairs, QuadraticForm, pairs_of, sampled_factor


class ConditionalInformation(QuadraticForm):
    """xᵀQx."""

    def __init__(
        self,
        statistics: Levels | Pairs,
        *,
        nystrom: float | None = None,
        restore_diagonal: bool = True,
        improve: str | None = None,
        memory: float = 4.0,
        random: np.random.Generator | None = None,
        verbose: int = 0,
        **search: Any,
    ) -> None:
        pairs = pairs_of(statistics)
        random = np.random.default_rng() if random is None else random
        matrix = factor = None
        report: dict[str, Any] = {}
        if nystrom is None:
            matrix = pairs.matrix("complement", memory=memory, verbose=verbose)
        else:
            factor, report = sampled_factor(
                lambda index: pairs.rows("complement", index, verbose=verbose), pairs.n_features, nystrom, random
            )
        super().__init__(
            matrix, pairs.relevance, factor=factor, diagonal=pairs.relevance if restore_diagonal else None,
            improve=improve, random=random, **search,
        )  # fmt: skip
        self._details = report
