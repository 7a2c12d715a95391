"""Quadratic forms: what the global methods maximise over weights w ≥ 0, one for each candidate.

    value(w) = linearᵀw + curvature · wᵀMw

M is symmetric and given whole, or by p of its rows (Nyström):

    M ≈ F Fᵀ + D,   F = [A; Bᵀ] A^(−½),   [A B] the sampled rows with λ added to A's diagonal.

λ makes A positive definite; it is reported. FᵀF is the matrix S = A + A^(−½)BBᵀA^(−½) of Vinh et al. (2014), who have
no D: λ then stays on the sampled features alone and puts them ahead, and features that were not sampled seem to share
less with themselves than they do. D gives every feature its own diagonal entry, which is known without a pair counted.
A search asks for products, rows and values, and never for what they were computed from.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...statistics.levels.pair_matrices import LevelPairs
from ...statistics.levels.questions import Levels
from ...statistics.pair_correlations import CorrelationPairs
from ...statistics.rows import RowStatistics
from ..measure import Account, Scores

Floats = NDArray[np.float64]
BLOCK = 500  # members of a set up to which its part of M is taken out


class Pairs(Protocol):
    """Relevance and pair matrices, as `statistics.pair_matrices` has them."""

    n_features: int
    relevance: Floats
    self_redundancy: Floats

    def diagonal(self, kind: str) -> Floats: ...

    def rows(self, kind: str, features: NDArray[np.intp], *, beta: float = ..., verbose: int = ...) -> Floats: ...

    def matrix(self, kind: str, *, beta: float = ..., memory: float = ..., verbose: int = ...) -> Floats: ...


def pairs_of(statistics: Levels | RowStatistics | Pairs) -> Pairs:
    """Informations from coded columns, correlations from rows; pairs as they are."""
    if isinstance(statistics, Levels):
        return LevelPairs(statistics)
    return CorrelationPairs(statistics) if isinstance(statistics, RowStatistics) else statistics


class QuadraticForm:
    """The form itself, and what searches ask of it.

    Parameters
    ----------
    matrix : (n, n) symmetric; or None where ``factor`` is given.
    relevance : (n,) what each candidate is worth alone; for accounts.
    linear : (n,) or None for zeros.
    curvature : the sign and weight of the quadratic term.
    per_size : equal weights on a set of k are 1/k each (weights on a simplex), else 1 each.
    factor : (n, p) with M = factor factorᵀ, and the diagonal replaced by ``diagonal`` (n,) where that is given.
    improve : None, or ``"swap"``: exchange members of the chosen set as long as its value rises.
    random : generator of what is random (sampled rows, roundings).
    projections, solver, tight : of the semidefinite search, see there.
    """

    units: ClassVar[str] = ""

    def __init__(
        self,
        matrix: ArrayLike | None,
        relevance: ArrayLike,
        *,
        linear: ArrayLike | None = None,
        curvature: float = 1.0,
        per_size: bool = False,
        factor: ArrayLike | None = None,
        diagonal: ArrayLike | None = None,
        improve: str | None = None,
        random: np.random.Generator | None = None,
        projections: int = 100,
        solver: str = "auto",
        tight: bool = True,
    ) -> None:
        # a memmap stays one: np.asarray would hide that it is on disk, but not copy it
        self.matrix = None if matrix is None else np.asanyarray(matrix, dtype=np.float64)
        self.factor = None if factor is None else np.ascontiguousarray(factor, dtype=np.float64)
        self._apart: Floats | None = None  # D
        if self.factor is not None and diagonal is not None:
            self._apart = np.asarray(diagonal, dtype=np.float64) - np.einsum("ij,ij->i", self.factor, self.factor)
        self.relevance = np.asarray(relevance, dtype=np.float64)
        self.n_candidates = self.relevance.size
        self.linear = np.zeros(self.n_candidates) if linear is None else np.asarray(linear, dtype=np.float64)
        self.curvature = float(curvature)
        self.per_size = per_size
        self.improve = improve
        self.random = np.random.default_rng() if random is None else random
        self.projections = projections
        self.solver = solver
        self.tight = tight
        self._details: dict[str, Any] = {}

    # -- products --------------------------------------------------------------------------------------

    def times(self, vectors: Floats) -> Floats:
        """M v, for one vector (n,) or several (n, r)."""
        if self.factor is None:
            return np.asarray(self._whole @ vectors)
        image = self.factor @ (self.factor.T @ vectors)
        if self._apart is not None:
            image += (self._apart if vectors.ndim == 1 else self._apart[:, None]) * vectors
        return image

    def rows(self, index: NDArray[np.intp]) -> Floats:
        """(len(index), n) rows of M."""
        if self.factor is None:
            return np.asarray(self._whole[index])
        out = self.factor[index] @ self.factor.T
        if self._apart is not None:
            out[np.arange(index.size), index] += self._apart[index]
        return out

    def block(self, index: NDArray[np.intp]) -> Floats:
        """(len(index), len(index)) M among these."""
        if self.factor is None:
            return np.asarray(self._whole[np.ix_(index, index)])
        out = self.factor[index] @ self.factor[index].T
        if self._apart is not None:
            out[np.diag_indices(index.size)] += self._apart[index]
        return out

    def diagonal(self) -> Floats:
        """(n,) the diagonal of M."""
        if self.factor is None:
            return np.asarray(np.diagonal(self._whole)).copy()
        own = np.einsum("ij,ij->i", self.factor, self.factor)
        out: Floats = own if self._apart is None else own + self._apart
        return out

    @property
    def low_rank(self) -> bool:
        """Whether M is the factor's and nothing else, so that its eigenvectors are those of a small matrix."""
        return self.factor is not None and self._apart is None

    @property
    def _whole(self) -> Floats:
        assert self.matrix is not None
        return self.matrix

    # -- worth -----------------------------------------------------------------------------------------

    def scale(self, size: int) -> float:
        """The weight of each member of a set of this size."""
        return 1.0 / size if self.per_size else 1.0

    def value(self, members: ArrayLike) -> float:
        """The form at equal weights on a set: the objective of the quadratic integer program."""
        index = np.asarray(members, dtype=np.intp)
        s = self.scale(index.size)
        if index.size <= BLOCK:
            total = float(self.block(index).sum())
        else:  # a block of most of M would be a copy of it
            inside = np.zeros(self.n_candidates)
            inside[index] = 1.0
            total = float(inside @ self.times(inside))
        return float(s * self.linear[index].sum() + self.curvature * s * s * total)

    value_of = value

    def account(self, candidate: int) -> Account:
        return Account(relevance=float(self.relevance[candidate]))

    def gains(self) -> Scores:
        """Relevance: what a candidate is worth before anything is chosen."""
        return self.relevance

    def add(self, candidate: int) -> None:
        """Nothing is remembered: a relaxation weighs all candidates at once."""

    def details(self) -> dict[str, Any]:
        """What the Selection should report."""
        return dict(self._details)


class PairForm(QuadraticForm):
    """A form on a matrix of all pairs, ``kind`` of them; with ``nystrom``, on what that share of its rows tells.

    ``restore_diagonal``: a feature's own entry is then the true one. ``memory`` in GiB, beyond which the matrix is on
    disk.
    """

    kind: ClassVar[str]

    def __init__(
        self,
        statistics: Levels | RowStatistics | Pairs,
        *,
        nystrom: float | None = None,
        restore_diagonal: bool = True,
        beta: float = 0.0,
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
            matrix = pairs.matrix(self.kind, beta=beta, memory=memory, verbose=verbose)
        else:
            rows_of = partial(pairs.rows, self.kind, beta=beta, verbose=verbose)
            factor, report = sampled_factor(rows_of, pairs.n_features, nystrom, random)
        diagonal = self._own(pairs) if restore_diagonal else None
        form: dict[str, Any] = {"matrix": matrix, "factor": factor, "diagonal": diagonal}
        form, details = self._weighed(pairs, form)
        super().__init__(relevance=pairs.relevance, random=random, **form, **search)
        self._details = {**details, **report}

    def _own(self, pairs: Pairs) -> Floats:
        """(n,) what each feature shares with itself."""
        return pairs.self_redundancy

    def _weighed(self, pairs: Pairs, form: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The arguments of `QuadraticForm`, weights of the terms too; and what is to be told of them."""
        return form, {}


def sampled_factor(
    rows_of: Callable[[NDArray[np.intp]], Floats],
    n: int,
    share: float,
    random: np.random.Generator,
) -> tuple[Floats, dict[str, Any]]:
    """The Nyström factor F (n, p) of a matrix of which p = ⌈share · n⌉ sampled rows are computed, and its report.

    λ lifts the least eigenvalue of A as far above zero as it was below. Less leaves A^(−½) to blow up what the other
    rows do not share with the sample; more blurs it.
    """
    p = min(n, max(1, int(np.ceil(share * n))))
    sample = np.sort(random.choice(n, size=p, replace=False))
    rows = np.array(rows_of(sample), dtype=np.float64)
    own = rows[:, sample]
    values, vectors = np.linalg.eigh((own + own.T) / 2)
    top = max(float(values[-1]), 1e-300)
    lift = 2.0 * max(0.0, -float(values[0])) + 1e-8 * top
    if values[0] > 1e-8 * top:
        lift = 0.0
    rows[np.arange(p), sample] += lift
    factor = rows.T @ (vectors / np.sqrt(values + lift)) @ vectors.T
    return factor, {"nystrom_rows": int(p), "nystrom_shift": lift}
