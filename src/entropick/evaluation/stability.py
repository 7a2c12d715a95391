"""How alike are the sets that one method chooses from resampled data?

    kuncheva                  (r·D − k²) / (k (D − k)), r features in common, mean over pairs of sets
    information_consistency   maximum-weight matching of two sets by symmetric uncertainty, mean over pairs of sets
    nogueira                  1 − mean variance of a feature's presence / that of sets drawn at random

All are 1 for equal sets. The first and the last are 0 in expectation for sets drawn at random; the second gives
credit for a feature that was replaced by one that says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter

Floats = NDArray[np.float64]
Set = NDArray[np.intp]
MOST_FEATURES = 10**9


@dataclass(frozen=True)
class Stability:
    """An index over several sets.

    ``low`` and ``high`` bound it with the confidence asked for, ``p_value`` is of the test against chance (or another
    value), ``variance`` is that of the estimate; None for indices that have no such theory. NaN where the index is
    undefined: sets that hold no or all features.
    """

    index: str
    value: float
    n_sets: int
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    variance: float | None = None

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Difference:
    """The stability of one method less that of another, its interval, and the test that they are equal."""

    value: float
    low: float
    high: float
    p_value: float


# -- pairs of sets -------------------------------------------------------------------------------------------


def overlap(a: Set, b: Set, n_features: int) -> float:
    """(r·D − k_a k_b) / √(k_a (D − k_a) k_b (D − k_b)) of two sets out of D features, r in common.

    For equal sizes Kuncheva's (r·D − k²) / (k (D − k)); for others the correlation of membership (Nogueira & Brown
    2016), 0 by chance too. NaN where a set holds no or all features.

    >>> overlap(np.array([0, 1]), np.array([1, 2]), 4)  # one in common, as chance has it
    0.0
    """
    spread = float(len(a) * (n_features - len(a)) * len(b) * (n_features - len(b)))
    if spread == 0.0:
        return float("nan")
    common = np.intersect1d(a, b).size
    return float((common * n_features - len(a) * len(b)) / np.sqrt(spread))


def matching(a: Set, b: Set, similarity: Floats) -> float:
    """Σ over the best one-to-one matching of similarity[i, j], i in a, j in b, divided by the larger size.

    From 0 to 1 where similarities are; 1 only where every feature has a partner that says the same. The papers have
    sets of one size; for others the larger is ours: the smaller would call a part of a set equal to the whole.
    """
    from scipy.optimize import linear_sum_assignment

    if not (len(a) and len(b)):
        return float("nan")
    weights = similarity[np.ix_(a, b)]
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return float(weights[rows, columns].sum() / max(len(a), len(b)))


def mean_of_pairs(sets: Sequence[Set], alike: Callable[[Set, Set], float]) -> float:
    """The mean of a pairwise index over all pairs of sets."""
    return float(np.mean([alike(a, b) for a, b in combinations(sets, 2)]))


# -- indices -------------------------------------------------------------------------------------------------


def kuncheva(sets: Iterable[Iterable[int]], n_features: int) -> Stability:
    """Kuncheva's consistency index (2007): the mean over pairs of sets, from −1 to 1, 0 in expectation by chance.

    Parameters
    ----------
    sets
        column numbers chosen in each run, all of one size k.
    n_features
        D, how many there were to choose from.

    Examples
    --------
    >>> round(kuncheva([[0, 1], [0, 1], [0, 2]], n_features=4).value, 6)  # pairs 1, 0, 0
    0.333333
    """
    checked = check_sets(sets, n_features)
    counts = sorted({one.size for one in checked})
    if len(counts) > 1:
        raise InvalidInput(f"sets: Kuncheva's index needs sets of equal size, got {counts}; use nogueira")
    value = mean_of_pairs(checked, lambda a, b: overlap(a, b, n_features))
    return Stability("kuncheva", value, len(checked))


def information_consistency(sets: Iterable[Iterable[int]], similarity: Any) -> Stability:
    """Yu, Ding & Loscalzo's index (2008): sets are alike where their features can be paired to say the same.

    Parameters
    ----------
    sets
        column numbers chosen in each run.
    similarity
        (D, D) from 0 to 1, such as `symmetric_uncertainty` of the table.

    Examples
    --------
    >>> same = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.0], [0.9, 0.0, 1.0]])
    >>> information_consistency([[0, 1], [1, 2]], same).value  # 1 with 1, 0 with 2: (1 + 0.9) / 2
    0.95
    """
    try:
        weights = np.asarray(similarity, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"similarity: must be a square matrix of finite numbers, got {similarity!r:.60}") from error
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1] or not np.isfinite(weights).all():
        raise InvalidInput(f"similarity: must be a square matrix of finite numbers, got shape {weights.shape}")
    checked = check_sets(sets, len(weights))
    value = mean_of_pairs(checked, lambda a, b: matching(a, b, weights))
    return Stability("information consistency", value, len(checked))


def nogueira(
    sets: Iterable[Iterable[int]], n_features: int, confidence: float = 0.95, against: float = 0.0
) -> Stability:
    """Nogueira, Sechidis & Brown's measure (2018), with an asymptotic interval and a test.

        Φ = 1 − mean_f s_f² / (k̄/D · (1 − k̄/D)),      s_f² = M/(M−1) p_f (1 − p_f)

    p_f is the share of the M sets that hold feature f, k̄ their mean size, which may differ from set to set. With
    equal sizes Φ is Kuncheva's index. ``p_value`` is of the two-sided test Φ = ``against``, careful where Φ is 0. The
    interval is that of the normal law with M large, cut at 1: with fewer than about 10 sets it is too narrow, and so
    it is where the sets come from folds, which share rows; bootstraps are what it is for.

    Examples
    --------
    >>> round(nogueira([[0, 1], [0, 1], [0, 2]], n_features=4).value, 6)
    0.333333
    """
    _check_confidence(confidence)
    if not isinstance(against, Real) or not np.isfinite(float(against)):
        raise InvalidParameter(f"against: must be a finite number, got {against!r}")
    held = presence(check_sets(sets, n_features), n_features)
    value, variance = _phi(held)
    low, high, p_value = _normal(value - against, variance, confidence)
    return Stability("nogueira", value, len(held), low + against, min(high + against, 1.0), p_value, variance)


def nogueira_difference(
    first: Iterable[Iterable[int]], second: Iterable[Iterable[int]], n_features: int, confidence: float = 0.95
) -> Difference:
    """Φ of the first sets less Φ of the second, and the test that the two are equal (Nogueira et al. 2018, §4.3).

    The two collections are taken as independent: from resamples of their own, not from the same ones.
    """
    _check_confidence(confidence)
    (a, spread_a), (b, spread_b) = (_phi(presence(check_sets(s, n_features), n_features)) for s in (first, second))
    return Difference(a - b, *_normal(a - b, spread_a + spread_b, confidence))


def _phi(held: Floats) -> tuple[float, float]:
    """Φ and the variance of its estimate, of the (M, D) presence of features in sets."""
    n_sets, n_features = held.shape
    share = held.mean(axis=0)
    sizes = held.sum(axis=1)
    mean_size = sizes.mean() / n_features
    chance = mean_size * (1.0 - mean_size)
    if chance == 0.0:
        return float("nan"), float("nan")
    value = 1.0 - n_sets / (n_sets - 1) * np.mean(share * (1.0 - share)) / chance
    own = sizes / n_features
    influence = held @ share / n_features - own * mean_size
    influence += value / 2.0 * (2.0 * mean_size * own - own - mean_size + 1.0)
    influence /= chance
    return float(value), float(4.0 * influence.var() / n_sets)


def _normal(value: float, variance: float, confidence: float) -> tuple[float, float, float]:
    """Interval of a normal estimate and the two-sided p-value that its mean is 0; without spread there is no doubt."""
    from scipy.stats import norm

    spread = np.sqrt(variance)
    half = float(norm.ppf(0.5 + confidence / 2.0) * spread)
    certain = 1.0 if value == 0.0 else 0.0
    p_value = float(2.0 * norm.sf(abs(value) / spread)) if spread > 0.0 else certain
    return value - half, value + half, p_value


# -- what goes in --------------------------------------------------------------------------------------------


def presence(sets: Sequence[Set], n_features: int) -> Floats:
    """(n_sets, n_features) 1 where the set holds the feature."""
    held = np.zeros((len(sets), n_features))
    for row, members in zip(held, sets, strict=True):
        row[members] = 1.0
    return held


def check_sets(sets: Iterable[Iterable[int]], n_features: int) -> list[Set]:
    """The sets as arrays: at least two, of distinct column numbers below n_features."""
    if not isinstance(n_features, Integral) or isinstance(n_features, bool) or not 1 <= n_features <= MOST_FEATURES:
        raise InvalidParameter(f"n_features: must be an integer from 1 to {MOST_FEATURES}, got {n_features!r}")
    try:
        given = [list(one) for one in sets]
    except TypeError as error:
        raise InvalidInput(f"sets: must be several sets of column numbers, got {sets!r:.60}") from error
    checked: list[Set] = []
    for number, one in enumerate(given):
        if wrong := [member for member in one if not isinstance(member, Integral) or isinstance(member, bool)]:
            raise InvalidInput(f"sets: must be column numbers, got {wrong[0]!r} in set {number}")
        if wrong := [member for member in one if not 0 <= member < n_features]:
            raise InvalidInput(f"sets: columns are 0 … {n_features - 1}, got {wrong[0]} in set {number}")
        members = np.array(one, dtype=np.intp)
        if np.unique(members).size < members.size:
            raise InvalidInput(f"sets: features must be unique within a set, got a repeat in set {number}")
        checked.append(members)
    if len(checked) < 2:
        raise InvalidInput(f"sets: stability needs at least two sets, got {len(checked)}")
    return checked


def _check_confidence(confidence: float) -> None:
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise InvalidParameter(f"confidence: must be a number between 0 and 1, got {confidence!r}")


def symmetric_uncertainty(X: Any, *, discretizer: Any = "auto", missing: str = "level") -> Floats:
    """SU_ij = 2 I(X_i;X_j) / (H(X_i) + H(X_j)) of all pairs of columns, (D, D), from 0 to 1.

    Columns are coded as in `entropick.select`. A constant column is like itself and like nothing else.
    """
    from ..selectors.functions import mutual_information_matrix

    shared = mutual_information_matrix(X, discretizer=discretizer, missing=missing)
    entropy = np.diag(shared)
    both = entropy[:, None] + entropy[None, :]
    out = np.divide(2.0 * shared, both, out=np.zeros_like(shared), where=both > 0)
    np.fill_diagonal(out, 1.0)
    return np.minimum(out, 1.0)
