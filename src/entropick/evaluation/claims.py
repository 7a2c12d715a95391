"""What a method claims, put to the test: every fact of its entry in the registry, on small tables.

weights      weight 2 is the row twice ("rows"); which rows weigh more changes the answer ("importance"); refused
threads      any number of them gives the same answer; so does the same ``random_state``
row order    does not matter, unless rows are drawn
columns      in another order are chosen in that order; kinds that are not claimed are refused
affine       x -> ax + b of every column, a ≠ 0, changes nothing; ``monotone``: nor does an increasing function
blocks       of rows give the answer of the whole table; or they are refused
nested       the k chosen are the first k of a longer run
several      continuous targets are judged at once; or refused
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import EntropickError
from ..methods import Method, get_method
from ..selection import Selection
from ..selectors.functions import select

Floats = NDArray[np.float64]
K = 4  # features chosen
TESTED = ("classification", "regression")
LONG = 6000  # rows that do not fit in the smallest memory limit, and so come in blocks


class BrokenClaim(EntropickError, AssertionError):
    """A method does not do what its entry in the registry says."""


@dataclass(frozen=True)
class Probe:
    """A method under test, with the options it is run with, on one task."""

    method: Method
    task: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def select(self, X: Any, y: Any, k: int = K, **keywords: Any) -> Selection:
        """What the method chooses; remarks on few rows are not of interest."""
        keywords = {"n_jobs": 1, "random_state": 0, **self.options, **keywords}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return select(X, y, method=self.method.name, k=k, task=self.task, **keywords)

    def table(self, n: int = 80, seed: int = 0) -> tuple[Floats, NDArray[Any]]:
        """(n, 6) numbers of different relevance, some of them redundant, and a target."""
        rng = np.random.default_rng(seed)
        classes = rng.integers(0, 3, n)
        X = rng.standard_normal((n, 6)) + np.outer(classes, [0.9, 0.4, 0.3, 0.0, 0.1, 0.2])
        X[:, 3] = 0.6 * X[:, 0] + 0.8 * X[:, 3]
        if self.task == "classification":
            return X, classes
        return X, X @ [1.0, 0.7, 0.4, 0.2, 0.0, 0.1] + 0.3 * X[:, 1] ** 2 + 0.5 * rng.standard_normal(n)

    def halves(self) -> tuple[Floats, NDArray[Any], NDArray[np.bool_]]:
        """A table whose halves disagree on which columns matter, and which rows are of the first half."""
        rng = np.random.default_rng(5)
        X, y = rng.standard_normal((80, 6)) * [1.0, 1.2, 0.9, 1.1, 1.0, 1.3], rng.integers(0, 3, 80)
        first = np.arange(80) % 2 == 0
        X[first] += np.outer(y[first], [2.0, 0.0, 0.5, 0.0, 0.0, 0.0])
        X[~first] += np.outer(y[~first], [0.0, 1.5, 0.0, 0.0, 0.7, 0.0])
        if self.task == "regression":
            return X, y + 0.3 * rng.standard_normal(80), first
        return X, y, first

    def broken(self, claim: str, what: str) -> BrokenClaim:
        """The error that says so."""
        return BrokenClaim(f"{self.method.name} claims that {claim}, but {what} ({self.task})")


def check_method(name: str, **options: Any) -> tuple[str, ...]:
    """Put everything that a method's entry claims to the test; the claims that hold, or a `BrokenClaim`.

    For tests of one's own criteria. ``options`` are handed to the method, to make a slow one quicker.

    >>> check_method("mim")[:3]
    ('weights', 'threads', 'row order')
    """
    for claim in CLAIMS:
        check_claim(name, claim, **options)
    return tuple(CLAIMS)


def check_claim(name: str, claim: str, **options: Any) -> None:
    """One of them, on every task that the method is for."""
    method = get_method(name)
    for task in (task for task in method.tasks if task in TESTED):
        CLAIMS[claim](Probe(method, task, options))


# -- the claims ----------------------------------------------------------------------------------------------


def _weights(probe: Probe) -> None:
    X, y, first = probe.halves()
    if probe.method.weights == "none":
        _must_refuse(probe, "weights are refused", X, y, sample_weight=np.ones(len(y)))
        return
    if probe.method.weights == "rows":
        weights = np.where(first, 1, np.arange(80) % 6)
        found = probe.select(X, y, sample_weight=weights)
        expected = probe.select(np.repeat(X, weights, axis=0), np.repeat(y, weights, axis=0))
        if difference := _difference(found, expected):
            raise probe.broken("a row of weight 2 is the row twice", difference)
    if not _blind(probe):
        one, other = (probe.select(X, y, sample_weight=np.where(rows, 40, 1)) for rows in (first, ~first))
        if not _difference(one, other):
            raise probe.broken("sample_weight is taken into account", "which rows weigh more changes nothing")


def _threads(probe: Probe) -> None:
    X, y = probe.table()
    expected = probe.select(X, y)
    for n_jobs in (1, 2):
        if difference := _difference(probe.select(X, y, n_jobs=n_jobs), expected):
            raise probe.broken("threads change nothing", f"with n_jobs={n_jobs} {difference}")


def _row_order(probe: Probe) -> None:
    if probe.method.draws:
        return
    X, y = probe.table()
    order = np.random.default_rng(1).permutation(len(y))
    if difference := _difference(probe.select(X[order], y[order]), probe.select(X, y)):
        raise probe.broken("the order of rows does not matter", difference)


def _column_order(probe: Probe) -> None:
    if _blind(probe):
        return
    X, y = probe.table()
    order = np.array([3, 5, 0, 4, 1, 2])
    expected = probe.select(X, y)
    include: list[int] = []
    if expected.steps[0].margin == 0:  # ties go to the lowest number: all alone are worth the same to an entropy
        include, expected = [0], probe.select(X, y, include=[0])
    found = probe.select(X[:, order], y, include=np.argsort(order)[include].tolist())
    if difference := _difference(found, expected, order):
        raise probe.broken("columns in another order are chosen in that order", difference)


def _affine(probe: Probe) -> None:
    if "affine" in (probe.method.invariant or ()):
        X, y = probe.table()
        other = X * [2.0, -3.0, 0.5, 10.0, -0.1, 7.0] + [-4.0, -1.0, 2.0, 5.0, 8.0, 11.0]
        if difference := _difference(probe.select(other, y), probe.select(X, y)):
            raise probe.broken("ax + b of a column changes nothing", difference)


def _monotone(probe: Probe) -> None:
    if "monotone" in (probe.method.invariant or ()):
        X, y = probe.table()
        if difference := _difference(probe.select(np.exp(X) + X**3, y), probe.select(X, y)):
            raise probe.broken("an increasing function of a column changes nothing", difference)


def _blocks(probe: Probe) -> None:
    import pandas as pd

    X, y = probe.table(LONG)
    frame = pd.DataFrame(np.column_stack([X, X[:, :2] * X[:, 2:4]]), columns=list("abcdefgh")).assign(target=y)
    blocks = (frame[start : start + 1000] for start in range(0, LONG, 1000))
    if not probe.method.blocks:
        _must_refuse(probe, "rows beyond the memory are refused", blocks, "target", memory="1MB")
        return
    if difference := _difference(probe.select(blocks, "target", memory="1MB"), probe.select(frame, "target")):
        raise probe.broken("rows in blocks give the answer of the whole table", difference)


def _nested(probe: Probe) -> None:
    if not probe.method.nested_with(None, probe.options):
        return
    X, y = probe.table()
    longest = probe.select(X, y, k=5)
    for k in range(1, 5):
        found = probe.select(X, y, k=k)
        if found.indices.tolist() != longest.indices[: len(found.indices)].tolist():
            raise probe.broken(f"the {k} chosen are the first {k} of 5", f"they are {found.names}, not {longest.names}")


def _several(probe: Probe) -> None:
    if probe.task != "regression":
        return
    X, y = probe.table()
    both = np.column_stack([y, X[:, 4] ** 2 + 0.2 * y])
    if not probe.method.several:
        _must_refuse(probe, "several targets are refused", X, both)
        return
    if difference := _difference(probe.select(X, both[:, ::-1]), probe.select(X, both)):
        raise probe.broken("targets are judged together, in any order", difference)


def _columns(probe: Probe) -> None:
    import pandas as pd

    X, y = probe.table()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    tables = {
        "number": frame,
        "category": frame.assign(b=pd.Categorical(np.where(X[:, 1] > 0, "yes", "no"))),
        "missing": frame.assign(b=np.where(X[:, 4] > 1, np.nan, X[:, 1])),
    }
    for kind, table in tables.items():
        if kind not in (probe.method.columns or ()):
            _must_refuse(probe, f"{kind} is refused", table, y)
        elif len(probe.select(table, y, k=1).indices) != 1:
            raise probe.broken(f"{kind} is taken", "nothing is chosen")


CLAIMS: dict[str, Callable[[Probe], None]] = {
    "weights": _weights,
    "threads": _threads,
    "row order": _row_order,
    "column order": _column_order,
    "columns": _columns,
    "affine": _affine,
    "monotone": _monotone,
    "blocks": _blocks,
    "nested": _nested,
    "several": _several,
}


# -- how answers are compared --------------------------------------------------------------------------------


def _difference(found: Selection, expected: Selection, order: NDArray[np.intp] | None = None) -> str:
    """In what the answers differ, or nothing; ``order``: which columns those of the first were."""
    numbers = found.indices.tolist() if order is None else order[found.indices].tolist()
    if numbers != expected.indices.tolist():
        return f"columns {numbers} are chosen instead of {expected.indices.tolist()}"
    apart = np.abs(found.scores - expected.scores)
    tolerance = get_method(expected.method).tolerance
    if (apart > tolerance * np.maximum(1.0, np.abs(expected.scores))).any():
        return f"scores are apart by {apart.max():.2g}"
    return ""


def _blind(probe: Probe) -> bool:
    """Whether the answer does not depend on the data at all (`random`)."""
    X, y, first = probe.halves()
    return not _difference(probe.select(X[first], y[first]), probe.select(X[~first], y[~first]))


def _must_refuse(probe: Probe, claim: str, X: Any, y: Any, **keywords: Any) -> None:
    try:
        found = probe.select(X, y, **keywords)
    except EntropickError:
        return
    raise probe.broken(claim, f"{found.names} are chosen")
