"""What can be promised of picks: a p-value for each, and the set of columns that it cannot be told from.

p-value of a pick given the others: the larger of two, since each holds where the other may not.

    without a ridge   Wilks' statistic, χ² of m q degrees (Bartlett): right where picks are few for the rows
    with a ridge      a weighted sum of χ² (`law`): weights a_e b_i, b the eigenvalues of V⁻¹R of the candidate, a
                      those of F⁻¹F′ of the target: what the ridge leaves of the residual's covariance, and what it
                      should be

A credible set is the smallest that has 95 % (``level``) of the likelihood of "which column is it", the other picks
given:

    weight_i ∝ exp(½ (x(i | S ∖ j) − m_i q log n)),   with the ridge d √(log D / n)

Errors of a fit of r functions are (n + r)/(n − r) times as large on other rows as on its own, and a column's lead over
those that resemble it counts for less by that (`beyond_the_rows`): with many picks for the rows, sets were too small.

Columns that nobody can tell apart at this number of rows share the weight, so copies stand together. It is what SuSiE
(Wang et al. 2020) does for linear effects, here for every kind of column and target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .factor import SMALLEST
from .judge import FEW, TEST, TIE, Judge
from .law import tail
from .tested import Problem, Tested, Together, difference

Floats = NDArray[np.float64]
SET = 1.0  # ridge of the weights, in units of d √(log D / n)
NEAR = 50.0  # of two statistics, beyond which the lesser has no weight


@dataclass(frozen=True)
class Verdict:
    """Of one pick: its p-value given the other picks, whether the judge takes it for real, and its credible set.

    members (candidates) and weights, the most likely first; empty where the pick is not distinguishable from noise.
    pairs and pair_weights: the same of the pairs that it may stand for, where it is real as one of a pair only.
    """

    p_value: float
    real: bool
    members: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    purity: float | None = None
    pairs: tuple[tuple[int, int], ...] = ()
    pair_weights: tuple[float, ...] = ()


def verdicts(judge: Judge, picks: Sequence[int], allowed: NDArray[np.bool_], level: float = 0.95) -> list[Verdict]:
    """One a pick. allowed: the candidates that may stand in sets; picks themselves always may.

    Picks that the others explain (`Judge.kept`) are tested given the others, and these as if they were not there: else
    two that stand for the same would take each other's evidence away. A pick of a real pair speaks with its products.
    """
    problem = judge.problem
    real, pairs = judge.kept(picks)
    everything = [*real, *pairs]
    own = {pick: judge.pairs_of(pick, pairs) for pick in real}
    p = dict(zip(everything, p_values(Together(problem, everything), own), strict=True))
    weighing = Tested(problem, SET)
    weighing.set(everything)
    rows = dict(zip(everything, weighing.without(), strict=True))
    out = []
    for pick in picks:
        if pick not in real:
            alone = p_values(Together(problem, [*everything, pick]), only=pick)
            out.append(Verdict(float(alone[-1]), False))
            continue
        likelihood = rows[pick]
        if own[pick]:
            rest = [block for block in everything if block not in own[pick]]
            if not judge.stands(pick, rest):
                out.append(_by_pairs(judge, pick, own, everything, float(p[pick]), allowed, level))
                continue
            likelihood = _in_company(judge, pick, [block for block in rest if block != pick], own[pick])
        able = np.append(allowed, np.zeros(len(problem.pairs), bool)) & (problem.first > 0)
        able[real] = False
        able[pick] = True
        likelihood = np.where(able, likelihood - judge.dues, -np.inf)
        members, weights = smallest_set(beyond_the_rows(problem, likelihood, everything, pick), level)
        out.append(Verdict(float(p[pick]), True, members, weights, purity(problem, members)))
    return out


def _in_company(judge: Judge, pick: int, rest: Sequence[int], own: Sequence[int]) -> Floats:
    """(n_blocks,) statistics of columns in the place of a pick that says something alone and in pairs: of each alone,
    or with its products with the same partners, where the scan has these. Products owe nothing: that they are real is
    known."""
    problem = judge.problem
    given = Tested(problem, SET)
    given.set(rest)
    out = given.statistics()
    partners = {j for block in own for j in problem.pairs[block - problem.n_candidates]} - {pick}
    company: dict[int, list[int]] = {pick: list(own)}
    for e, columns in enumerate(problem.pairs):
        for other, partner in (columns, columns[::-1]):
            if partner in partners and other not in rest and other != pick:
                company.setdefault(other, []).append(problem.n_candidates + e)
    for other, blocks in company.items():
        together = Together(problem, [*rest, other, *blocks])
        out[other] = max(out[other], together.statistics(SET, {other: blocks})[len(rest)])
    return out


def _by_pairs(
    judge: Judge,
    pick: int,
    own: Mapping[int, Sequence[int]],
    everything: Sequence[int],
    p_value: float,
    allowed: NDArray[np.bool_],
    level: float,
) -> Verdict:
    """Of a pick that is real as one of a pair only: which two it may be, of all pairs that the scan found.

    In a pair with the same partner the other column stands for the pick; in any other pair both do, by halves.
    """
    problem = judge.problem
    columns = [problem.pairs[block - problem.n_candidates] for block in own[pick]]
    partners = {j for pair in columns for j in pair} - {pick}
    rest = [block for block in everything if block != pick and block not in own[pick]]
    rest = [b for b in rest if b not in partners or set(own[b]) - set(own[pick]) or judge.stands(b, rest)]
    likelihood = np.full(len(problem.pairs), -np.inf)
    for e, pair in enumerate(problem.pairs):
        block = problem.n_candidates + e
        new = [j for j in pair if j not in rest]
        if block in rest or not all(allowed[j] or j in everything for j in pair):
            continue
        blocks = [*new, block]
        together = Together(problem, [*rest, *blocks])
        said = together.statistics(SET, {blocks[0]: blocks[1:]})[len(rest)]
        likelihood[e] = said - judge.dues[new].sum()  # products owe nothing: some of them are known to be real
    found, pair_weights = smallest_set(likelihood, level)
    weight: dict[int, float] = {}
    for e, share in zip(found, pair_weights, strict=True):
        pair = problem.pairs[e]
        new = [pick] if pick in pair else [j for j in pair if j not in partners and j not in rest] or [pick]
        for j in new:
            weight[j] = weight.get(j, 0.0) + share / len(new)
    members = sorted(weight, key=lambda j: (-weight[j], j))
    pairs = tuple(problem.pairs[e] for e in found)
    weights = tuple(weight[j] for j in members)
    return Verdict(p_value, True, tuple(members), weights, purity(problem, members), pairs, pair_weights)


def beyond_the_rows(problem: Problem, likelihood: Floats, picks: Sequence[int], pick: int) -> Floats:
    """(n_blocks,) the likelihood with the most likely column's lead over columns like it cut to what other rows give.

    lead_i (1 − (1 − s) c_i²), s = (n − r)/(n + r), c_i the canonical correlation with the most likely column
    """
    best = int(np.argmax(likelihood))
    taken = problem.taken + int(problem.blocks.sizes[[other for other in picks if other != pick]].sum())
    lost = 2.0 * taken / (problem.n + taken)
    if not taken:
        return likelihood
    near = np.flatnonzero(likelihood > likelihood[best] - NEAR)
    out = likelihood.copy()
    out[near] = likelihood[best] - (likelihood[best] - likelihood[near]) * (1.0 - lost * alike(problem, best, near))
    return out


def smallest_set(likelihood: Floats, level: float) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Numbers and weights of the fewest with that share of exp(½ likelihood); those equal to the last are in, too.

    >>> smallest_set(np.array([0.0, 40.0, 39.0, 39.0]), 0.9)[0]
    (1, 2, 3)
    """
    top = float(likelihood.max())
    order = np.argsort(-likelihood, kind="stable")
    weight = np.exp(0.5 * (likelihood[order] - top))
    weight /= weight.sum()
    last = min(int(np.searchsorted(np.cumsum(weight), level)), len(weight) - 1)
    near = TIE * max(1.0, abs(top))
    size = int(np.count_nonzero(likelihood[order] >= likelihood[order[last]] - near))
    return tuple(int(j) for j in order[:size]), tuple(float(w) for w in weight[:size])


def purity(problem: Problem, members: Sequence[int]) -> float:
    """How alike the columns of a set are, 0 … 1: the largest canonical correlation of the most likely one with each
    other, of the one that is least alike. 1 for a set of one column, and for copies."""
    return float(np.sqrt(alike(problem, members[0], members).min()))


def alike(problem: Problem, candidate: int, others: Sequence[int] | NDArray[np.intp]) -> Floats:
    """(others,) the square of the largest canonical correlation of a candidate with each."""
    rows, numbers = problem.rows(candidate), np.array(others, dtype=np.intp)
    inverse = np.linalg.inv(_own(problem, candidate))
    out = np.zeros(len(numbers))
    for size in np.unique(problem.blocks.sizes[numbers]):
        some = np.flatnonzero(problem.blocks.sizes[numbers] == size)
        places = np.searchsorted(problem.blocks.numbers[int(size)], numbers[some])
        shared = np.moveaxis(rows[:, problem.blocks.places[int(size)][places]], 0, 1)  # (others, m, size)
        own = problem.own[int(size)][places] + SMALLEST * np.eye(size)
        explained = inverse @ shared @ np.linalg.solve(own, np.swapaxes(shared, 1, 2))
        out[some] = np.linalg.eigvals(explained).real.max(axis=1)
    return np.clip(out, 0.0, 1.0)


def _own(problem: Problem, candidate: int) -> Floats:
    """(m, m) covariances within a block."""
    size = int(problem.blocks.sizes[candidate])
    place = int(np.searchsorted(problem.blocks.numbers[size], candidate))
    return np.asarray(problem.own[size][place] + SMALLEST * np.eye(size))


# -- p-values ------------------------------------------------------------------------------------------------


def p_values(
    together: Together, with_products: Mapping[int, Sequence[int]] | None = None, only: int | None = None
) -> Floats:
    """(picks,) of each, with its products where it has some, given all the others; 1 for others than ``only``."""
    problem, T, B = together.problem, together.T, together.B
    n, q, r = problem.n, problem.q, len(T)
    out = np.ones(len(together.picks))
    if not r or not q:
        return out
    plain = together.inverses(np.full(r, SMALLEST)) if FEW * r <= n else None
    ridged = together.inverses(together.ridge(TEST) + SMALLEST)
    for place, (pick, blocks, own) in enumerate(together.parts(with_products)):
        if not len(own) or only not in (None, pick):
            continue
        bartlett = n - 1 - (len(own) + q + 1) / 2
        mean, spread = problem.first[blocks].sum(), problem.second[blocks].sum()
        first, second, freedom = weighted_law(T, B, ridged[0], own)
        x = max(bartlett - freedom, 0.0) * difference(ridged, own)
        out[place] = float(tail(np.array(x), np.array(first), np.array(second * spread / mean)))  # rare levels: above 1
        if plain is not None:
            x = max(bartlett - (r - len(own)), 0.0) * difference(plain, own)
            out[place] = max(out[place], float(tail(np.array(x), mean, spread)))
    return out


def weighted_law(T: Floats, B: Floats, P: Floats, own: NDArray[np.intp]) -> tuple[float, float, float]:
    """Moments (see `law`) of the ridged statistic of ``own`` given all others, and the degrees that these take.

    T (r, r) and B (q, r) covariances without ridge, P the inverse of T with it.
    """
    others = np.setdiff1d(np.arange(len(T)), own)
    V = P[np.ix_(own, own)]  # inverse of what is left of own
    across = P[np.ix_(others, own)]
    Q = P[np.ix_(others, others)] - across @ np.linalg.solve(V, across.T)  # inverse of the others' T + Λ
    T_others, T_across, B_others = T[np.ix_(others, others)], T[np.ix_(others, own)], B[:, others]
    G, K = Q @ T_across, Q @ B_others.T
    residual = T[np.ix_(own, own)] - G.T @ T_across - T_across.T @ G + G.T @ T_others @ G
    seen, one = B_others @ K, np.eye(len(B))
    target = one - 2 * seen + K.T @ T_others @ K
    b = np.linalg.eigvals(V @ residual).real
    a = np.linalg.eigvals(np.linalg.solve((1 + SMALLEST) * one - seen, target)).real
    return float(a.sum() * b.sum()), float((a**2).sum() * (b**2).sum()), float(np.einsum("ij,ji->", Q, T_others))
