"""A list one can stand by: how often each feature is chosen, how sure that is, and what could stand in for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidParameter

if TYPE_CHECKING:
    import pandas as pd

    from .comparison import Comparison

HALF = 0.5
ALIKE = 0.5  # symmetric uncertainty from which two columns can stand in for each other
STATUSES = ("confirmed", "tentative", "rejected")


def wilson(share: ArrayLike, n: int, confidence: float = 0.95) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wilson's interval of a share of n draws.

    >>> low, high = wilson(0.9, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.596, 0.982)
    """
    from scipy.stats import norm

    if not 0 < confidence < 1:
        raise InvalidParameter(f"confidence: must be a number between 0 and 1, got {confidence!r}")
    p = np.asarray(share, dtype=np.float64)
    z2 = float(norm.ppf(0.5 + confidence / 2)) ** 2
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2) / (1 + z2 / n) * np.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def status(low: NDArray[np.float64], high: NDArray[np.float64], least: float = HALF) -> list[str]:
    """Confirmed where the whole interval is at or above ``least``, rejected where it is below, else tentative."""
    return [
        STATUSES[0] if a >= least else STATUSES[2] if b < least else STATUSES[1] for a, b in zip(low, high, strict=True)
    ]


def consensus(
    comparison: Comparison, k: int | None = None, methods: Iterable[str] | None = None, confidence: float = 0.95
) -> pd.DataFrame:
    """feature, name, frequency, low, high, status, substitutes: see `Comparison.consensus`."""
    import pandas as pd

    labels = tuple(comparison.methods if methods is None else [methods] if isinstance(methods, str) else methods)
    n = len(comparison.feature_names)
    votes = np.zeros(n)
    for label in labels:
        chosen = np.concatenate(comparison.sets(label, k))
        votes += np.bincount(chosen, minlength=n) / (len(labels) * comparison.n_resamples)
    votes = np.minimum(votes, 1.0)  # sums of thirds
    order = np.argsort(-votes, kind="stable")
    order = order[votes[order] > 0]
    low, high = wilson(votes[order], comparison.n_resamples, confidence)
    near = substitutes(comparison, [int(j) for j in order])
    return pd.DataFrame(
        {
            "feature": order,
            "name": [comparison.feature_names[j] for j in order],
            "frequency": votes[order],
            "low": low,
            "high": high,
            "status": status(low, high),
            "substitutes": [", ".join(comparison.feature_names[i] for i in near[int(j)]) for j in order],
        }
    )


def substitutes(comparison: Comparison, features: Sequence[int]) -> dict[int, list[int]]:
    """For each of these features the others that say nearly the same, the most alike first."""
    found: dict[int, list[tuple[float, int]]] = {j: [] for j in features}
    for a, b, value in comparison.alike.itertuples(index=False):
        for one, other in ((a, b), (b, a)):
            if one in found and value >= ALIKE:
                found[int(one)].append((-float(value), int(other)))
    return {j: [other for _, other in sorted(near)] for j, near in found.items()}


def rare_picks(comparison: Comparison) -> tuple[str, ...]:
    """A note on features of the final list that fewer than half of the resamples chose."""
    if comparison.final is None:
        return ()
    best = comparison.best()
    frame = comparison.frequency(best.method, best.k)
    share = dict(zip(frame["name"], frame["frequency"], strict=True))
    rare = [(name, share.get(name, 0.0)) for name in comparison.features if share.get(name, 0.0) < HALF]
    if not rare:
        return ()
    told = ", ".join(f"{name} ({part:.0%})" for name, part in rare)
    return (f"selected by {best.method} on all rows, but in fewer than half of the resamples: {told}",)
