"""Whether methods differ: over folds of one table, or over tables.

Over tables: Friedman's test on ranks (with Iman and Davenport's F), Nemenyi's critical difference, Wilcoxon's signed
ranks with Holm's correction (Demšar 2006), and the Bayesian sign test with a region of practical equivalence (Benavoli
et al. 2017). Over folds, which share training rows: Nadeau and Bengio's (2003) corrected t.

Everywhere ``errors`` is (n_blocks, n_methods), small is good; a block is a table, or a fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidInput, InvalidParameter
from ..pairs.chance import holm

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
PRIOR = 1.0  # weight of the prior of the Bayesian sign test, placed on equivalence


@dataclass(frozen=True, eq=False)
class Friedman:
    """χ² of Friedman's test, Iman and Davenport's F, their p-values, and the mean rank of each method (1 is best)."""

    chi2: float
    p_value: float
    f: float
    f_p_value: float
    ranks: Floats


@dataclass(frozen=True)
class Sign:
    """Probabilities that the first is better by more than the region, that they are equivalent, that the second is."""

    first: float
    equivalent: float
    second: float


def ranks(errors: ArrayLike) -> Floats:
    """(n_blocks, n_methods) ranks within each block; equal errors share their mean rank."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(_checked(errors), axis=1), dtype=np.float64)


def friedman(errors: ArrayLike) -> Friedman:
    """Whether any method differs: χ² = 12n/(k(k+1)) Σ_j (R_j − (k+1)/2)², corrected for ties; F = (n−1)χ²/(n(k−1)−χ²).

    The F of Iman and Davenport is less timid. k ≥ 2 methods, n ≥ 2 blocks.
    """
    from scipy.stats import chi2 as chi2_law
    from scipy.stats import f as f_law

    given = _checked(errors)
    n, k = given.shape
    placed = ranks(given)
    spread = ((placed - (k + 1) / 2) ** 2).sum() / (n * (k - 1))  # k(k+1)/12 without ties
    means = placed.mean(axis=0)
    if spread == 0:  # all methods alike in all blocks
        return Friedman(0.0, 1.0, 0.0, 1.0, means)
    chi2 = float(n * ((means - (k + 1) / 2) ** 2).sum() / spread)
    rest = n * (k - 1) - chi2
    f = (n - 1) * chi2 / rest if rest > 1e-12 else float("inf")
    return Friedman(chi2, float(chi2_law.sf(chi2, k - 1)), f, float(f_law.sf(f, k - 1, (k - 1) * (n - 1))), means)


def critical_difference(n_methods: int, n_blocks: int, alpha: float = 0.05) -> float:
    """Nemenyi's q_α √(k(k+1)/6n), q of the Studentised range / √2: mean ranks further apart are of methods that differ.

    >>> round(critical_difference(4, 14), 2)  # Demšar (2006), §3.2.2, with his table's rounding 1.25
    1.25
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1.0 - _level(alpha), n_methods, np.inf)) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_blocks)))


def nemenyi(errors: ArrayLike) -> Floats:
    """(n_methods, n_methods) p-values of all pairs by Nemenyi's test; 1 on the diagonal."""
    from scipy.stats import studentized_range

    given = _checked(errors)
    n, k = given.shape
    means = ranks(given).mean(axis=0)
    apart = np.abs(means[:, None] - means[None, :]) / np.sqrt(k * (k + 1) / (6.0 * n))
    found = np.asarray(studentized_range.sf(apart * np.sqrt(2.0), k, np.inf), dtype=np.float64)
    np.fill_diagonal(found, 1.0)
    return np.minimum(found, 1.0)


def _corrected(p_values: ArrayLike) -> Floats:
    p = np.asarray(p_values, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return holm(np.log(p), p.size)


def wilcoxon(errors: ArrayLike) -> Floats:
    """(n_methods, n_methods) p-values of Wilcoxon's signed ranks, two-sided, with Holm's correction over all pairs."""
    from scipy.stats import wilcoxon as signed_rank

    given = _checked(errors)
    k = given.shape[1]
    pairs = list(combinations(range(k), 2))
    single = []
    for a, b in pairs:
        difference = given[:, a] - given[:, b]
        single.append(float(signed_rank(difference).pvalue) if difference.any() else 1.0)
    return _square(k, pairs, _corrected(single))


def corrected_t(errors: ArrayLike, test_share: float) -> Floats:
    """(n_methods, n_methods) p-values of Nadeau and Bengio's corrected resampled t, two-sided, with Holm's correction.

    t = mean / (std √(1/R + n_test/n_train)) of the differences over R resamples, R − 1 degrees of freedom.
    ``test_share`` is n_test / n_train.
    """
    from scipy.stats import t as t_law

    given = _checked(errors)
    r, k = given.shape
    pairs = list(combinations(range(k), 2))
    single = []
    for a, b in pairs:
        difference = given[:, a] - given[:, b]
        spread = difference.std(ddof=1) * np.sqrt(1.0 / r + test_share)
        mean = difference.mean()
        single.append(float(2 * t_law.sf(abs(mean) / spread, r - 1)) if spread > 0 else float(mean == 0))
    return _square(k, pairs, _corrected(single))


def bayesian_sign(first: ArrayLike, second: ArrayLike, rope: float = 0.01, draws: int = 50_000, seed: int = 0) -> Sign:
    """The Bayesian sign test: Dirichlet of the counts of blocks (first better, within ``rope``, second better).

    The prior is one block of equivalence (Benavoli et al. 2017, §4.2). Probabilities are shares of draws in which each
    of the three has the most. ``rope`` in the unit of the errors: 0.01 is one point of accuracy.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1 or not np.isfinite(a - b).all():
        raise InvalidInput(f"errors: must be two rows of numbers of one length, got shapes {a.shape} and {b.shape}")
    if not rope >= 0:
        raise InvalidParameter(f"rope: must be a non-negative number, got {rope!r}")
    difference = b - a  # positive: the first errs less
    counts = np.array(
        [(difference > rope).sum(), (np.abs(difference) <= rope).sum(), (difference < -rope).sum()], float
    )
    counts[1] += PRIOR
    drawn = np.random.default_rng(seed).dirichlet(np.maximum(counts, 1e-6), draws)
    most = np.bincount(drawn.argmax(axis=1), minlength=3) / draws
    return Sign(*(float(share) for share in most))


def cliques(mean_ranks: ArrayLike, difference: float) -> list[tuple[int, ...]]:
    """The largest groups of methods, best first, whose mean ranks lie within the critical difference of each other."""
    means = np.asarray(mean_ranks, dtype=np.float64)
    order = np.argsort(means, kind="stable")
    found: list[tuple[int, ...]] = []
    for start in range(order.size):
        group = tuple(int(j) for j in order[start:] if means[j] - means[order[start]] <= difference)
        if len(group) > 1 and not (found and set(group) <= set(found[-1])):
            found.append(group)
    return found


def table_of_pairs(labels: Sequence[str], errors: ArrayLike, test_share: float | None, rope: float) -> pd.DataFrame:
    """One row a pair: difference of mean errors, p by Nemenyi, Wilcoxon, (over folds) corrected t; the sign test."""
    import pandas as pd

    given = _checked(errors)
    by_rank, by_sign = nemenyi(given), wilcoxon(given)
    by_t = None if test_share is None else corrected_t(given, test_share)
    rows: list[dict[str, Any]] = []
    for a, b in combinations(range(len(labels)), 2):
        sign = bayesian_sign(given[:, a], given[:, b], rope)
        row = {
            "method": labels[a],
            "other": labels[b],
            "difference": float(given[:, a].mean() - given[:, b].mean()),
            "nemenyi": by_rank[a, b],
            "wilcoxon": by_sign[a, b],
        }
        row |= {} if by_t is None else {"corrected_t": by_t[a, b]}
        rows.append(row | {"better": sign.first, "equivalent": sign.equivalent, "worse": sign.second})
    return pd.DataFrame(rows)


def _square(k: int, pairs: Sequence[tuple[int, int]], values: Floats) -> Floats:
    found = np.ones((k, k))
    for (a, b), value in zip(pairs, values, strict=True):
        found[a, b] = found[b, a] = value
    return found


def _checked(errors: ArrayLike) -> Floats:
    given = np.asarray(errors, dtype=np.float64)
    if given.ndim != 2 or given.shape[0] < 2 or given.shape[1] < 2:
        raise InvalidInput(
            f"errors: must have one row per table or fold and one column per method, got shape {given.shape}"
        )
    if not np.isfinite(given).all():
        raise InvalidInput("errors: must be finite; drop tables on which a method failed")
    return given


def _level(alpha: float) -> float:
    if not 0 < alpha < 1:
        raise InvalidParameter(f"alpha: must be a number between 0 and 1, got {alpha!r}")
    return float(alpha)
