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

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from ...statistics.levels.questions import Levels
from ...statistics.rows import RowStatistics
from .form import Pairs, QuadraticForm, pairs_of, sampled_factor

Floats = NDArray[np.float64]
STRIPE = 1024  # rows of a matrix, perhaps on disk, that are averaged together


class QPFS(QuadraticForm):
    """½(1 − α) wᵀHw − α fᵀw, of informations, or of correlations where the statistics are rows.

    ``balance`` is α: 1 ranks by relevance alone, 0 looks at redundancy alone. ``rank`` is the second approximation of
    Rodriguez-Lujan et al. (2010): H by its so many largest eigenvalues, which makes the program convex.
    """

    def __init__(
        self,
        statistics: Levels | RowStatistics | Pairs,
        *,
        balance: float | str = "auto",
        rank: int | None = None,
        nystrom: float | None = None,
        restore_diagonal: bool = True,
        improve: str | None = None,
        memory: float = 4.0,
        random: np.random.Generator | None = None,
        verbose: int = 0,
    ) -> None:
        pairs = pairs_of(statistics)
        matrix, factor, report, random = _redundancy(pairs, "redundancy", 0.0, nystrom, memory, random, verbose)
        f = pairs.relevance
        diagonal = pairs.self_redundancy if restore_diagonal else None
        if isinstance(balance, str):
            n = _varying(pairs)
            q, mean = _size(matrix, factor, diagonal) / n**2, float(f.sum()) / n
            alpha = q / (q + mean) if q + mean > 0 else 0.5
        else:
            alpha = float(balance)
        if rank is not None and rank < f.size:
            matrix, factor, diagonal = None, largest_part(matrix, factor, rank), None
            report = {**report, "rank": factor.shape[1]}
        super().__init__(
            matrix, f, linear=alpha * f, curvature=-0.5 * (1.0 - alpha), per_size=True, factor=factor,
            diagonal=diagonal, improve=improve, random=random,
        )  # fmt: skip
        similarity = "correlation" if isinstance(statistics, RowStatistics) else "information"
        self._details = {"alpha": alpha, "similarity": similarity, **report}


class EQPFS(QuadraticForm):
    """α wᵀ(H1 − βH2 + λI)w − fᵀw.

    ``balance`` is α ≥ 0, ``beta`` β; ``lambda_`` λ, or ``"auto"`` for the least that makes the program convex
    (the search finds it, as the shift of an indefinite matrix).
    """

    def __init__(
        self,
        statistics: Levels | Pairs,
        *,
        balance: float | str = "auto",
        beta: float = 1.0,
        lambda_: float | str = "auto",
        nystrom: float | None = None,
        restore_diagonal: bool = True,
        improve: str | None = None,
        memory: float = 4.0,
        random: np.random.Generator | None = None,
        verbose: int = 0,
    ) -> None:
        pairs = pairs_of(statistics)
        matrix, factor, report, random = _redundancy(pairs, "total", beta, nystrom, memory, random, verbose)
        f = pairs.relevance
        own = 0.0 if isinstance(lambda_, str) else float(lambda_)
        diagonal = np.full(f.size, own) if restore_diagonal else None
        if matrix is not None:
            np.fill_diagonal(matrix, own)
        if not isinstance(lambda_, str):
            report["lambda"] = own
        if isinstance(balance, str):
            n = _varying(pairs)
            q = _size(matrix, factor, diagonal) / n**2
            alpha = float(f.sum()) / n / (2.0 * q) if q > 0 else 1.0
        else:
            alpha = float(balance)
        super().__init__(
            matrix, f, linear=f, curvature=-alpha, per_size=True, factor=factor, diagonal=diagonal,
            improve=improve, random=random,
        )  # fmt: skip
        self._details = {"alpha": alpha, "beta": float(beta), **report}


def _redundancy(
    pairs: Pairs,
    kind: str,
    beta: float,
    nystrom: float | None,
    memory: float,
    random: np.random.Generator | None,
    verbose: int,
) -> tuple[Floats | None, Floats | None, dict[str, Any], np.random.Generator]:
    random = np.random.default_rng() if random is None else random
    if nystrom is None:
        return pairs.matrix(kind, beta=beta, memory=memory, verbose=verbose), None, {}, random
    factor, report = sampled_factor(
        lambda index: pairs.rows(kind, index, beta=beta, verbose=verbose), pairs.n_features, nystrom, random
    )
    return None, factor, report, random


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
