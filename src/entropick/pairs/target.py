"""The target of a scan: classes, or columns of numbers that a few extreme values cannot carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import code_target
from ..coding.binning import quantile_edges
from ..coding.target import Target

Floats = NDArray[np.float64]
BINS = 5  # of a number, where pairs and triples are counted
FENCE = 3.0  # interquartile ranges beyond the quartiles; farther values are drawn in to there


@dataclass(frozen=True, eq=False)
class PairTarget:
    """``codes`` (n,) and ``n_classes`` of a coded target; ``columns`` (n, q), centred and whitened, of numbers.

    ``classes`` are the codes where the target has classes, else None; ``labels`` their names; ``values`` (n, q) the
    numbers as they were given; ``entropy`` H(Y) of classes in nats, None for numbers.
    """

    codes: NDArray[np.int32]
    n_classes: int
    task: str
    labels: tuple[str, ...] = ()
    columns: Floats | None = None
    values: Floats | None = None
    entropy: float | None = None

    @property
    def several(self) -> bool:
        """Whether there are several targets, which have no classes together."""
        return self.n_classes < 2

    @property
    def classes(self) -> NDArray[np.int32] | None:
        return self.codes if self.columns is None else None


def pair_target(y: NDArray[Any], task: str) -> PairTarget:
    """From what the user gave; several columns of numbers are judged together."""
    target: Target = code_target(y, task, several=True)
    if target.task == "classification":
        shares = np.bincount(target.codes) / len(target.codes)
        entropy = float(-(shares * np.log(shares)).sum())
        labels = tuple(str(label) for label in target.classes)
        return PairTarget(target.codes, target.n_classes, target.task, labels, entropy=entropy)
    assert target.values is not None
    values = target.values.reshape(len(target.codes), -1)
    codes, n_classes = target.codes, target.n_classes
    if target.values.ndim == 1:  # of equal count: a triple's cells need rows
        edges = quantile_edges(target.values, BINS)
        codes, n_classes = np.searchsorted(edges, target.values).astype(np.int32), len(edges) + 1
    return PairTarget(codes, n_classes, target.task, columns=whitened(fenced(values)), values=values)


def fenced(values: Floats) -> Floats:
    """Numbers (n, q) with the farthest drawn in to three interquartile ranges beyond the quartiles.

    A target keeps its scale, on which effects may add up, where ranks would bend it and so make products of effects
    that have none; and no few rows can make a statistic. Where half of a column is one value, ranks are taken.
    """
    from scipy.stats import rankdata

    low, high = np.quantile(values, (0.25, 0.75), axis=0)
    out = np.clip(values, low - FENCE * (high - low), high + FENCE * (high - low))
    flat = high <= low
    out[:, flat] = rankdata(values[:, flat], axis=0)
    return out


def whitened(values: Floats) -> Floats:
    """(n, r) centred columns of unit variance and no correlation that span those of (n, q)."""
    centred = values - values.mean(axis=0)
    scale = centred.std(axis=0)
    centred = centred[:, scale > 0] / scale[scale > 0]
    spread, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    kept = spread > 1e-9
    return np.asarray(centred @ (vectors[:, kept] / np.sqrt(spread[kept])))
