"""Relevance against redundancy as a quadratic program on the simplex (Vinh et al. 2014, eq. 2 and 13).

    qpfs     min ½(1 − α) wᵀHw − α fᵀw          H = H1,               w ≥ 0, Σ w = 1
    eqpfs    min α wᵀ(H1 − βH2 + λI)w − fᵀw     H1, H2 without their diagonals

f_i = I(X_i;C), H1_ij = I(X_i;X_j), H2_ij = I(X_i;X_j|C). In `qpfs` H_ii = H(X_i), which favours features of low
entropy; in `eqpfs` every feature has the same λ there. The greedy siblings are mRMR and JMI. α of `qpfs` is
q̄/(q̄ + f̄), the means of H and f over the features that vary, so that both terms weigh alike; the α of eq. 13 that says
the same is f̄/(2q̄), with q̄ the mean size of the entries since H1 − βH2 has both signs. The value of a set is that of
the program at equal weights on its members.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from ...statistics.rows import RowStatistics
from .form import PairForm, Pairs

Floats = NDArray[np.float64]
STRIPE = 1024  # rows of a matrix, perhaps on disk, that are averaged together


class QPFS(PairForm):
    """½(1 − α) wᵀHw − α fᵀw, of informations, or of correlations where the statistics are rows.

    ``balance`` is α: 1 ranks by relevance alone, 0 looks at redundancy alone. ``rank`` is the second approximation of
    Rodriguez-Lujan et al. (2010): H by its so many largest eigenvalues, which makes the program convex.
    """

    kind: ClassVar[str] = "redundancy"

    def __init__(self, statistics: Any, *, balance: float | str = "auto", rank: int | None = None, **how: Any) -> None:
        self._balance, self._rank = balance, rank
        super().__init__(statistics, **how)
        similarity = "correlation" if isinstance(statistics, RowStatistics) else "information"
        self._details = {"similarity": similarity, **self._details}

    def _weighed(self, pairs: Pairs, form: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        f, details = pairs.relevance, {}
        if isinstance(self._balance, str):
            n = _varying(pairs)
            q, mean = _size(**form) / n**2, float(f.sum()) / n
            alpha = q / (q + mean) if q + mean > 0 else 0.5
        else:
            alpha = float(self._balance)
        if self._rank is not None and self._rank < f.size:
            factor = largest_part(form["matrix"], form["factor"], self._rank)
            form, details = {"matrix": None, "factor": factor}, {"rank": factor.shape[1]}
        form |= {"linear": alpha * f, "curvature": -0.5 * (1.0 - alpha), "per_size": True}
        return form, {"alpha": alpha, **details}


class EQPFS(PairForm):
    """α wᵀ(H1 − βH2 + λI)w − fᵀw.

    ``balance`` is α ≥ 0, ``beta`` β; ``lambda_`` λ, or ``"auto"`` for the least that makes the program convex
    (the search finds it, as the shift of an indefinite matrix).
    """

    kind: ClassVar[str] = "total"

    def __init__(
        self, statistics: Any, *, balance: float | str = "auto", beta: float = 1.0, lambda_: float | str = "auto",
        **how: Any,
    ) -> None:  # fmt: skip
        self._balance, self._lambda = balance, lambda_
        super().__init__(statistics, beta=beta, **how)
        self._details = {"beta": float(beta), **self._details}

    def _own(self, pairs: Pairs) -> Floats:
        return np.full(pairs.n_features, 0.0 if isinstance(self._lambda, str) else float(self._lambda))

    def _weighed(self, pairs: Pairs, form: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        f, details = pairs.relevance, {}
        if form["matrix"] is not None:
            np.fill_diagonal(form["matrix"], self._own(pairs))
        if not isinstance(self._lambda, str):
            details["lambda"] = float(self._lambda)
        if isinstance(self._balance, str):
            n = _varying(pairs)
            q = _size(**form) / n**2
            alpha = float(f.sum()) / n / (2.0 * q) if q > 0 else 1.0
        else:
            alpha = float(self._balance)
        return {**form, "linear": f, "curvature": -alpha, "per_size": True}, {"alpha": alpha, **details}


def _varying(pairs: Pairs) -> int:
    """How many features vary. Constant ones would shrink q̄ by the square of what they shrink f̄ by, and α with them."""
    return max(1, int(np.count_nonzero(pairs.self_redundancy)))


def largest_part(matrix: Floats | None, factor: Floats | None, rank: int) -> Floats:
    """(n, r) G with GGᵀ the part of the matrix (or of factor · factorᵀ) of its largest eigenvalues, those above 0."""
    if factor is not None:
        small, inside = np.linalg.eigh(factor.T @ factor)
        return np.ascontiguousarray(factor @ inside[:, np.argsort(-small, kind="stable")[:rank]])
    assert matrix is not None
    n = matrix.shape[0]
    values, vectors = eigh(matrix, subset_by_index=[n - min(rank, n), n - 1])
    kept = values > 0
    return np.ascontiguousarray((vectors[:, kept] * np.sqrt(values[kept]))[:, ::-1])


def _size(matrix: Floats | None, factor: Floats | None, diagonal: Floats | None) -> float:
    """Σ |entries| of the matrix, a stripe at a time."""
    known = matrix if factor is None else factor
    assert known is not None
    total = 0.0
    for start in range(0, known.shape[0], STRIPE):
        part = known[start : start + STRIPE]
        if factor is not None:
            part = part @ factor.T
            if diagonal is not None:
                part[np.arange(part.shape[0]), start + np.arange(part.shape[0])] = diagonal[start : start + STRIPE]
        total += float(np.abs(part).sum())
    return total
