"""`benchmark`: the same methods on several tables, and tests of whether they differ."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import EntropickError, InvalidInput, InvalidParameter
from .compare import compare
from .comparison import Comparison
from .significance import Friedman, cliques, critical_difference, friedman, table_of_pairs

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Benchmark:
    """Methods × tables.

    Attributes
    ----------
    comparisons
        name -> `Comparison` of each table.
    methods
        those that every table has.
    notes
        what should be known, such as methods and tables that are left out.

    Examples
    --------
    >>> import entropick as ep
    >>> from sklearn.datasets import load_iris, load_wine
    >>> tables = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    >>> found = ep.benchmark(tables, ["mim", "mrmr"], k=[2], estimators="nearest mean", cv=3, repeats=1, verbose=0)
    >>> sorted(found.comparisons)
    ['iris', 'wine']
    """

    comparisons: dict[str, Comparison]
    methods: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def errors(self) -> pd.DataFrame:
        """One row a table, one column a method: the mean error over numbers of features, estimators and resamples."""
        import pandas as pd

        rows = {}
        for name, one in self.comparisons.items():
            means = one.curves().groupby("method")["mean"].mean()
            rows[name] = [float(means[method]) for method in self.methods]
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(self.methods))

    @cached_property
    def friedman(self) -> Friedman:
        """Whether any method differs from another over the tables."""
        return friedman(self._judged)

    def ranks(self) -> pd.DataFrame:
        """method, rank: the mean rank over the tables, the best first."""
        import pandas as pd

        frame = pd.DataFrame({"method": list(self.methods), "rank": self.friedman.ranks})
        return frame.sort_values("rank", kind="stable", ignore_index=True)

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Nemenyi's: mean ranks further apart than this are of methods that differ."""
        return critical_difference(len(self.methods), len(self._judged), alpha)

    def groups(self, alpha: float = 0.05) -> list[tuple[str, ...]]:
        """Methods that cannot be told apart, as the bars of the diagram join them."""
        found = cliques(self.friedman.ranks, self.critical_difference(alpha))
        return [tuple(self.methods[j] for j in group) for group in found]

    def differences(self, rope: float = 0.01) -> pd.DataFrame:
        """One row a pair: difference, p-values by Nemenyi and by Wilcoxon with Holm, the Bayesian sign test."""
        return table_of_pairs(self.methods, self._judged, None, rope)

    @property
    def _judged(self) -> Any:
        errors = self.errors.to_numpy()
        return errors[np.isfinite(errors).all(axis=1)]

    def report(self, path: str | os.PathLike[str]) -> Any:
        """Write it as one self-contained HTML page, with the critical-difference diagram."""
        return import_module("entropick.report.benchmark").write_benchmark(self, path)

    def __repr__(self) -> str:
        best = self.ranks().iloc[0]
        return (
            f"<Benchmark of {len(self.methods)} methods on {len(self.comparisons)} tables: {best['method']} has the"
            f" best mean rank, {best['rank']:.2f}; Friedman p {self.friedman.f_p_value:.2g}>"
        )


def benchmark(
    tables: Mapping[str, Any],
    methods: Any = None,
    k: Any = None,
    *,
    resume: str | os.PathLike[str] | None = None,
    verbose: int = 1,
    **settings: Any,
) -> Benchmark:
    """Compare methods on several tables, and test whether they differ.

    Parameters
    ----------
    tables
        name -> (X, y), or -> a function without arguments that gives them, called when it is their turn.
    methods, k
        as in `compare`; k may be larger than a table has features, and is then left out for that table.
    resume
        a folder for finished trials: running again after an interrupt goes on from there.
    verbose
        1 writes a line a table on the standard error, with the time it took and an estimate of what is left.
    settings
        as in `compare`: estimators, cv, repeats, scoring, random_state, n_jobs, …

    Examples
    --------
    >>> import entropick as ep
    >>> from sklearn.datasets import load_iris, load_wine
    >>> tables = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    >>> found = ep.benchmark(tables, ["jmi", "mim"], k=[2, 3], cv=3, repeats=1, verbose=0)
    >>> found.errors.shape
    (2, 2)
    """
    if not isinstance(tables, Mapping) or len(tables) < 2:
        raise InvalidParameter(f"tables: must be a dict of at least two tables, name -> (X, y), got {tables!r:.80}")
    begin, found, notes = time.monotonic(), {}, []
    clock = _Clock(len(tables), verbose)
    for name, given in tables.items():
        X, y = given() if callable(given) else given
        folder = None if resume is None else Path(resume) / _folder(str(name))
        try:
            found[str(name)] = compare(X, y, methods, _fitting(k, X, y), resume=folder, **settings)
        except EntropickError as error:
            notes.append(f"{name} is left out: {error}")
        clock.done(str(name), time.monotonic() - begin)
    if len(found) < 2:
        raise InvalidInput(f"tables: fewer than two could be compared; {'; '.join(notes)}")
    shared = [m for m in next(iter(found.values())).methods if all(m in one.methods for one in found.values())]
    for label in dict.fromkeys(m for one in found.values() for m in one.methods):
        if label not in shared:
            missing = [name for name, one in found.items() if label not in one.methods]
            notes.append(f"{label} is excluded from the tests: it has no result on {', '.join(missing)}")
    if len(shared) < 2:
        raise InvalidInput(f"methods: fewer than two succeeded on every table; {'; '.join(notes)}")
    notes += [f"{name}: {note}" for name, one in found.items() for note in one.notes if "judged by" in note]
    return Benchmark(found, tuple(shared), tuple(notes))


def _fitting(k: Any, X: Any, y: Any) -> Any:
    """The numbers of features that the table has, or all but one of its features where it has fewer than any."""
    if k is None or not hasattr(X, "shape"):
        return k
    n = int(X.shape[1]) - (1 if isinstance(y, str) else 0)
    wanted = [k] if not isinstance(k, (list, tuple, range, np.ndarray)) else list(k)
    return [one for one in wanted if not isinstance(one, int) or one <= n] or [max(1, n - 1)]


def _folder(name: str) -> str:
    """A name as a folder's."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name) or "_"


class _Clock:
    """A line a table: how long it took, how long the others may."""

    def __init__(self, n: int, verbose: int) -> None:
        self.n, self.verbose, self.number = n, verbose, 0

    def done(self, name: str, spent: float) -> None:
        self.number += 1
        if self.verbose:
            left = spent / self.number * (self.n - self.number)
            text = f"benchmark: {self.number}/{self.n} {name}, {spent:.0f} s so far, about {left:.0f} s left"
            print(text, file=sys.stderr, flush=True)
