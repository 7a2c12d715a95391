"""How well a set of features tells every pair of classes apart, and which of them speak for which class.

A panel of genes must know all cell types, rare ones too; an accuracy over all cells does not show which it misses. For
every pair of classes and the first k features: linear discriminant analysis on ranks (one pooled covariance with a
ridge), fitted on four fifths of the rows and asked for the others; AUC is the chance that it ranks a row of the first
class above one of the second, ½ for a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import code_target
from ..errors import InvalidInput, InvalidParameter, closest
from ..selection import Selection
from ..sources import Table, split_target

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
FOLDS = 5
MOST = 500  # rows of a class that are looked at, spread evenly
RIDGE = 0.05  # of a variance, on the diagonal of the pooled covariance
SIZES = (1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 130, 200)
SPOKEN = 3  # features that are named for a class
SPEAKS = 0.6  # AUC, or 1 − AUC, from which a feature speaks for a class


@dataclass(frozen=True, eq=False)
class Panel:
    """What a set of features tells about classes.

    Attributes
    ----------
    features
        names, in the order in which they are taken.
    pairs
        one row a pair of classes: ``first``, ``second``, ``auc`` with all features, ``best``, the feature that tells
        them apart best by itself, and ``best_auc``.
    classes
        one row a class: ``rows``, ``least_auc`` and from which other class that is (``nearest``), and ``speaks``, the
        features that tell it from the rest, with + where it has more of them and − where it has less.
    curve
        one row a number of features: ``k``, mean and least AUC over pairs, and how many are uncovered.
    least
        the AUC from which a pair counts as told apart.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.panel(*ep.datasets.load_demo(), ["worst area"]).pairs.shape
    (1, 5)
    """

    features: tuple[str, ...]
    pairs: pd.DataFrame
    classes: pd.DataFrame
    curve: pd.DataFrame
    least: float

    @property
    def uncovered(self) -> list[tuple[str, str]]:
        """The pairs of classes that the features do not tell apart, the worst first."""
        missed = self.pairs[~(self.pairs["auc"] >= self.least)].sort_values("auc", kind="stable")
        return list(zip(missed["first"], missed["second"], strict=True))

    def explain(self) -> str:
        """For people: every class with what speaks for it, then the pairs that are not told apart."""
        lines = [f"{len(self.features)} features, {len(self.classes)} classes, {len(self.pairs)} pairs"]
        for name, spoken in zip(self.classes["class"], self.classes["speaks"], strict=True):
            lines.append(f"  {name}: {spoken or 'nothing speaks for it alone'}")
        missed = self.uncovered
        if not missed:
            return "\n".join([*lines, f"all pairs are told apart (AUC of at least {self.least:g})"])
        auc = self.pairs.set_index(["first", "second"])["auc"]
        lines.append(f"not told apart (AUC below {self.least:g}):")
        return "\n".join([*lines, *(f"  {a} – {b}: {auc[(a, b)]:.2f}" for a, b in missed)])


def panel(X: Any, y: Any, features: Any = None, *, least: float = 0.9) -> Panel:
    """Which classes a set of features tells apart, and which of the features speak for each.

    Parameters
    ----------
    X, y
        as in `entropick.select`, in memory; y are classes.
    features
        a `Selection`, or names or numbers of columns in the order in which they are to be taken; None for all.
    least
        the AUC from which a pair counts as told apart.

    Examples
    --------
    >>> import entropick as ep
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ep.panel(X, y, ["petal length (cm)"]).uncovered
    []
    """
    import pandas as pd

    if not isinstance(least, (int, float)) or not 0.5 <= least <= 1:
        raise InvalidParameter(f"least: must be a number between 0.5 and 1, got {least!r}")
    table, values, _ = split_target(X, y)
    target = code_target(values, "classification")
    at = _columns(features, table)
    labels = [str(one) for one in target.classes]
    rows = _spread(target.codes, target.n_classes)
    ranks, codes = _ranks(table.select(at).take(rows)), target.codes[rows]
    names = tuple(table.names[j] for j in at)
    sizes = [k for k in SIZES if k < len(at)] + [len(at)]
    pairs = list(combinations(range(target.n_classes), 2))
    told = np.array([_told_apart(ranks[:, :k], codes, target.n_classes, pairs) for k in sizes])
    best, best_auc = _best_alone(ranks, codes, pairs)
    frame = pd.DataFrame({
        "first": [labels[a] for a, _ in pairs],
        "second": [labels[b] for _, b in pairs],
        "auc": told[-1],
        "best": [names[j] for j in best],
        "best_auc": best_auc,
    })  # fmt: skip
    counts = np.bincount(target.codes, minlength=target.n_classes)
    curve = pd.DataFrame({
        "k": sizes,
        "mean_auc": np.nanmean(told, axis=1) if told.size else np.nan,
        "least_auc": np.nanmin(told, axis=1) if told.size else np.nan,
        "uncovered": (~(told >= least)).sum(axis=1),
    })  # fmt: skip
    return Panel(names, frame, _classes(labels, counts, pairs, told[-1], ranks, codes, names), curve, float(least))


def _columns(features: Any, table: Table) -> list[int]:
    if features is None:
        return list(range(table.n_columns))
    wanted = features.names if isinstance(features, Selection) else features
    if isinstance(wanted, (str, Integral)) or not isinstance(wanted, Iterable):
        wanted = [wanted]
    place = {name: j for j, name in enumerate(table.names)}
    found = []
    for one in wanted:
        if isinstance(one, Integral) and not isinstance(one, bool) and 0 <= int(one) < table.n_columns:
            found.append(int(one))
        elif isinstance(one, str) and one in place:
            found.append(place[one])
        else:
            raise InvalidParameter(f"features: no column {one!r}.{closest(str(one), place)}")
    if not found:
        raise InvalidInput("features: needs at least one, got none")
    return list(dict.fromkeys(found))


def _spread(codes: NDArray[np.int32], n_classes: int) -> NDArray[np.intp]:
    """At most `MOST` rows of every class, spread evenly, in the order of the table."""
    own = [np.flatnonzero(codes == c) for c in range(n_classes)]
    kept = [rows if len(rows) <= MOST else rows[np.linspace(0, len(rows) - 1, MOST).astype(np.intp)] for rows in own]
    return np.sort(np.concatenate(kept))


def _ranks(table: Table) -> Floats:
    """(n, k) mid-ranks, each column with mean 0 and variance 1; missing values in the middle, categories in order."""
    from scipy.stats import rankdata

    from .foreign import as_given

    values = np.asarray(as_given(table), dtype=np.float64)
    ranks = np.asarray(rankdata(values, axis=0), dtype=np.float64)
    ranks -= ranks.mean(axis=0)
    spread = ranks.std(axis=0)
    return ranks / np.where(spread > 0, spread, 1.0)


def _told_apart(X: Floats, codes: NDArray[np.int32], n_classes: int, pairs: Sequence[tuple[int, int]]) -> Floats:
    """(pairs,) AUC of held-out rows; NaN where a class has fewer than two rows."""
    place = np.zeros(len(codes), np.intp)  # number of a row within its class
    for c in range(n_classes):
        own = np.flatnonzero(codes == c)
        place[own] = np.arange(len(own))
    said = np.full((len(pairs), len(codes)), np.nan)
    for fold in range(FOLDS):
        held = place % FOLDS == fold
        means = np.full((n_classes, X.shape[1]), np.nan)
        left = X[~held].copy()
        for c in range(n_classes):
            own = codes[~held] == c
            if own.any():
                means[c] = left[own].mean(axis=0)
                left[own] -= means[c]
        within = left.T @ left / max(len(left), 1)
        inverse = np.linalg.inv(within + RIDGE * np.eye(X.shape[1]))
        for p, (a, b) in enumerate(pairs):
            rows = np.flatnonzero(held & ((codes == a) | (codes == b)))
            direction = inverse @ (means[a] - means[b])
            said[p, rows] = (X[rows] - (means[a] + means[b]) / 2) @ direction
    return np.array([_auc(said[p], codes == a, codes == b) for p, (a, b) in enumerate(pairs)])


def _auc(scores: Floats, first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """The chance that a row of the first scores above one of the second."""
    from scipy.stats import rankdata

    known = np.isfinite(scores)
    one, other = scores[first & known], scores[second & known]
    if not len(one) or not len(other):
        return float("nan")
    ranks = rankdata(np.concatenate([one, other]))[: len(one)]
    return float((ranks.sum() - len(one) * (len(one) + 1) / 2) / (len(one) * len(other)))


def _best_alone(X: Floats, codes: NDArray[np.int32], pairs: Sequence[tuple[int, int]]) -> tuple[list[int], list[float]]:
    """Of every pair the feature that tells it apart best alone, and its AUC, from ½ on."""
    best, found = [], []
    for a, b in pairs:
        alone = np.abs(_each(X, codes == a, codes == b) - 0.5)
        best.append(int(np.argmax(alone)))
        found.append(float(0.5 + alone.max()))
    return best, found


def _each(X: Floats, first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Floats:
    """(k,) AUC of every column by itself."""
    from scipy.stats import rankdata

    n, m = int(first.sum()), int(second.sum())
    ranks = rankdata(np.concatenate([X[first], X[second]]), axis=0)[:n]
    return np.asarray((ranks.sum(axis=0) - n * (n + 1) / 2) / (n * m))


def _classes(
    labels: Sequence[str],
    counts: NDArray[np.int64],
    pairs: Sequence[tuple[int, int]],
    told: Floats,
    X: Floats,
    codes: NDArray[np.int32],
    names: Sequence[str],
) -> pd.DataFrame:
    import pandas as pd

    records = []
    for c, label in enumerate(labels):
        own = [(auc, b if a == c else a) for (a, b), auc in zip(pairs, told, strict=True) if c in (a, b)]
        auc, nearest = min(own, key=lambda one: (not np.isnan(one[0]), one[0]))
        alone = _each(X, codes == c, codes != c)
        order = np.argsort(-np.abs(alone - 0.5), kind="stable")[:SPOKEN]
        spoken = [f"{names[j]} {'+' if alone[j] > 0.5 else '−'}" for j in order if abs(alone[j] - 0.5) > SPEAKS - 0.5]
        records.append({
            "class": label, "rows": int(counts[c]), "least_auc": auc, "nearest": labels[nearest],
            "speaks": ", ".join(spoken),
        })  # fmt: skip
    return pd.DataFrame(records)
