"""Tested: Wilks' statistic of every candidate given picks, and given all picks but one, with a ridge of some strength.

    x(j | S) = (n − 1 − |S| − (m_j + q + 1)/2) (log |T_jj·S| − log |W_jj·S|)

T, W and ·S as in `joint`, the factor Bartlett's with |S| the lifted columns of the picks. The target is in the form
that is tested: a number by its ranks, so that heavy tails cannot make false picks; classes of fewer than five rows
together, since a mean of two rows has no normal law.

Without one pick j at a time, for all candidates i at once: with P = T_SS⁻¹ and B = P T_S·,

    T_ii·S∖j = T_ii·S + B_jiᵀ P_jj⁻¹ B_ji

so that all k sets of k − 1 picks cost about as much as the picks themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from ...statistics.lifted.forms import FINE
from ...statistics.lifted.lifted import LiftedStatistics
from .factor import SMALLEST, Blocks, Factor, Side, log_determinants, whitened
from .law import RARE, excess
from .terms import GIVEN_RIDGE, ridges

Floats = NDArray[np.float64]
ENOUGH = 5  # rows from which a class is told apart from other rare ones


@dataclass(frozen=True, eq=False)
class Problem:
    """What is tested: the candidates as blocks of columns, covariates, and the target in the form of the tests.

    After the candidates come pairs of them, as blocks of their products: block ``n_candidates + e`` is that of the two
    candidates ``pairs[e]``.
    """

    statistics: LiftedStatistics
    columns: Sequence[tuple[int, ...]]
    given: tuple[int, ...]
    blocks: Blocks
    own: dict[int, Floats]
    cross: Floats
    first: Floats
    second: Floats
    pairs: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls,
        statistics: LiftedStatistics,
        columns: Sequence[tuple[int, ...]],
        given: Sequence[int] = (),
        products: Mapping[int, tuple[int, int]] | None = None,
    ) -> Problem:
        """first, second (n_blocks,): moments of the law of noise without a ridge, see `law`.

        ``products``: columns of `PairedStatistics`, and the two candidates that each is of.
        """
        products = products or {}
        columns = [*columns, *((column,) for column in products)]
        lifted = statistics.lifted_of(columns)
        blocks = Blocks([at[statistics.smooth[at]] for at in lifted])
        own = {size: _own(statistics, [columns[int(b)] for b in numbers]) for size, numbers in blocks.numbers.items()}
        cross, squares = tested_target(statistics)
        n, q, sizes = statistics.n, len(cross), blocks.sizes.astype(np.float64)
        heavy = np.array([np.sqrt(statistics.leverages[list(some)]).sum() ** 2 for some in columns])
        variance = RARE * n * excess(heavy, sizes, n) * excess(np.array(squares), np.array(float(q)), n)
        first = sizes * q
        second = first + 0.5 * variance
        return cls(statistics, columns, tuple(given), blocks, own, cross, first, second, tuple(products.values()))

    @property
    def n_candidates(self) -> int:
        return self.blocks.n - len(self.pairs)

    @property
    def n(self) -> float:
        return self.statistics.n

    @property
    def q(self) -> int:
        return len(self.cross)

    @property
    def taken(self) -> int:
        """Lifted columns of the covariates."""
        return int(self.statistics.sizes[list(self.given)].sum())

    def ridge(self, strength: float) -> Floats:
        """(M,) strength · d √(log D / n)."""
        return ridges(self.statistics.degrees, self.n_candidates, self.n, strength)

    def rows(self, candidate: int) -> Floats:
        """(m, M) covariances of a candidate's tested columns with all."""
        statistics, columns = self.statistics, self.columns[candidate]
        return statistics.rows(columns)[statistics.smooth[statistics.lifted(columns)]]


def _own(statistics: LiftedStatistics, columns: Sequence[tuple[int, ...]]) -> Floats:
    """(blocks, m, m) covariances within blocks that have m tested columns each."""
    if statistics.smooth.all():
        return statistics.owns(columns)
    kept = [statistics.smooth[statistics.lifted(some)] for some in columns]
    return np.stack([statistics.own(some)[np.ix_(one, one)] for some, one in zip(columns, kept, strict=True)])


def tested_target(statistics: LiftedStatistics) -> tuple[Floats, float]:
    """(q, M) covariances with orthonormal combinations of the tested forms, and Σ g² of the target's leverages g."""
    cross, target, n = statistics.cross, statistics.target, statistics.n
    if statistics.has_classes:
        together = pooled(statistics.masses)
        counts = together.T @ statistics.masses
        squares = float((counts * (1.0 / counts - 1.0 / n) ** 2).sum())
        return whitened(cross @ together, together.T @ target @ together), squares
    if statistics.n_order < cross.shape[1]:
        forms = slice(statistics.n_order, None)
        found = whitened(cross[:, forms], target[forms, forms])
        return found, len(found) * (len(found) + 2.0) / n
    found = whitened(cross, target)  # labels: 0 and 1, far apart by 2 `FINE`
    spread = np.maximum(np.diag(target) / (2.0 * FINE) ** 2, 1e-12)
    return found, float(np.sqrt((1.0 / spread - 3.0) / n).sum() ** 2)


def pooled(masses: Floats) -> Floats:
    """(C, C′) of 0 and 1: classes of fewer than five rows together, with the largest where they are fewer even so.

    >>> pooled(np.array([9.0, 1.0, 6.0, 2.0])).argmax(axis=1).tolist()
    [0, 0, 1, 0]
    """
    number = np.arange(len(masses))
    rare = (masses < ENOUGH) & (number != np.argmax(masses))
    if rare.any():
        number[rare] = np.flatnonzero(rare)[0] if masses[rare].sum() >= ENOUGH else np.argmax(masses)
    kept = np.unique(number)
    return np.asarray(number[:, None] == kept, dtype=np.float64)


class Tested:
    """The statistics under one ridge, given picks that can be added to and made anew."""

    def __init__(self, problem: Problem, strength: float) -> None:
        self.problem, self.strength = problem, strength
        self._ridge = problem.ridge(strength)
        self.set(())

    def set(self, picks: Sequence[int]) -> None:
        """Make these the picks."""
        problem = self.problem
        self.picks: list[int] = []
        self._factor = Factor(problem.blocks, problem.own, problem.cross, self._ridge)
        self._at: list[NDArray[np.intp]] = []
        for column in problem.given:
            at = problem.statistics.lifted((column,))
            if len(at):
                self._factor.add(at, problem.statistics.rows((column,)), np.full(len(at), GIVEN_RIDGE))
                self._at.append(at)
        for pick in picks:
            self.add(pick)

    def add(self, pick: int) -> None:
        at = self.problem.blocks.lifted[pick]
        if len(at):
            self._factor.add(at, self.problem.rows(pick))
            self._at.append(at)
        self.picks.append(pick)

    def _bartlett(self, taken: int | np.int64) -> Floats:
        problem = self.problem
        return np.maximum(problem.n - 1 - taken - (problem.blocks.sizes + problem.q + 1) / 2, 0.0)

    @property
    def taken(self) -> int:
        """Lifted columns of picks and covariates."""
        return self.problem.taken + int(self.problem.blocks.sizes[self.picks].sum())

    def statistics(self) -> Floats:
        """(n_candidates,) x of every candidate given the picks; −∞ for these."""
        out = self._bartlett(self.taken) * self._factor.differences()
        out[self.picks] = -np.inf
        return out

    def without(self) -> Floats:
        """(picks, n_candidates) the same given all picks but one; −∞ for the others."""
        sizes = self.problem.blocks.sizes
        out = np.empty((len(self.picks), self.problem.blocks.n))
        whole = np.concatenate([np.empty(0, np.intp), *self._at])
        both = [(side, *_shares(side, whole)) for side in (self._factor.total, self._factor.within)]
        start = self.problem.taken
        for place, pick in enumerate(self.picks):
            rows = slice(start, start + int(sizes[pick]))
            start = rows.stop
            total, within = (_released(side, inverse[rows], shares[rows]) for side, inverse, shares in both)
            out[place] = self._bartlett(self.taken - sizes[pick]) * (total - within)
            out[place, [other for other in self.picks if other != pick]] = -np.inf
        return out


class Together:
    """Covariances of some picks and the covariates among themselves, T (r, r), and with the target, B (q, r).

    ``own`` are the places of each pick's lifted columns among the r.
    """

    def __init__(self, problem: Problem, picks: Sequence[int]) -> None:
        self.problem, self.picks = problem, list(picks)
        statistics, sizes = problem.statistics, problem.blocks.sizes
        at = [statistics.lifted((column,)) for column in problem.given] + [problem.blocks.lifted[j] for j in picks]
        self.at = np.concatenate([np.empty(0, np.intp), *at])
        rows = [statistics.rows((column,)) for column in problem.given] + [problem.rows(j) for j in picks]
        self.T = np.concatenate([row[:, self.at] for row in rows]) if rows else np.empty((0, 0))
        self.B = problem.cross[:, self.at]
        starts = problem.taken + np.append(0, np.cumsum(sizes[self.picks]))
        self.own = [np.arange(a, b) for a, b in pairwise(starts)]

    def ridge(self, strength: float) -> Floats:
        """(r,) the ridge, hardly any for covariates."""
        found: Floats = self.problem.ridge(strength)[self.at]
        found[: self.problem.taken] = GIVEN_RIDGE
        return found

    def inverses(self, ridge: Floats) -> tuple[Floats, Floats]:
        """Of T and of W = T − BᵀB, with the ridge."""
        total, within = self.T + np.diag(ridge), self.T - self.B.T @ self.B + np.diag(ridge)
        return np.asarray(np.linalg.inv(total), dtype=np.float64), np.asarray(np.linalg.inv(within), dtype=np.float64)

    def statistics(self, strength: float, with_products: Mapping[int, Sequence[int]] | None = None) -> Floats:
        """(picks,) x of each, with its products where it has some, given all the others: `Tested.without` for picks."""
        problem = self.problem
        inverses = self.inverses(self.ridge(strength) + SMALLEST)
        out = np.zeros(len(self.picks))
        for place, (_, _, own) in enumerate(self.parts(with_products)):
            if len(own):
                rest = problem.n - 1 - (len(self.at) - len(own)) - (len(own) + problem.q + 1) / 2
                out[place] = max(rest, 0.0) * difference(inverses, own)
        return out

    def parts(
        self, with_products: Mapping[int, Sequence[int]] | None = None
    ) -> Iterator[tuple[int, list[int], NDArray[np.intp]]]:
        """Each pick, the blocks that are its own (itself and some products), and the places of these among the r."""
        at = dict(zip(self.picks, self.own, strict=True))
        for pick in self.picks:
            blocks = [pick, *(with_products or {}).get(pick, ())]
            yield pick, blocks, np.concatenate([at[block] for block in blocks])


def difference(inverses: tuple[Floats, Floats], own: NDArray[np.intp]) -> float:
    """log |T_jj·R| − log |W_jj·R| for R all but j, from the inverses of both matrices."""
    total, within = (np.linalg.slogdet(inverse[np.ix_(own, own)])[1] for inverse in inverses)
    return float(within - total)


def _shares(side: Side, whole: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Root of P, (r, r) with P = root rootᵀ, and B = P A_S· (r, M), for the factor A_S· = Uᵀ rows, U = rows at S."""
    upper = side.rows[:, whole]
    empty = not len(whole)  # which LAPACK refuses before SciPy 1.14
    inverse = upper if empty else solve_triangular(upper, np.eye(len(whole)), check_finite=False)
    return inverse, inverse @ side.rows


def _released(side: Side, root: Floats, share: Floats) -> Floats:
    """(n_blocks,) log |V_ii·S∖j| from B_j (m, M) and the rows of P's root that belong to j."""
    out = np.zeros(side.blocks.n)
    if not len(root):
        return side.log_determinants()
    lower = np.linalg.cholesky(root @ root.T)  # of P_jj
    back = solve_triangular(lower, share, lower=True, check_finite=False)  # backᵀ back = Bᵀ P_jj⁻¹ B
    for size, numbers in side.blocks.numbers.items():
        part = back[:, side.blocks.places[size]]
        out[numbers] = log_determinants(side.left[size] + np.einsum("rja,rjb->jab", part, part))
    return out
