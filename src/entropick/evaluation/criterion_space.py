"""The plane of linear criteria, and where in it a table's own best criterion lies (Brown et al. 2012, figure 2).

    J(X_k) = I(X_k;Y) − β Σ_j I(X_k;X_j) + γ Σ_j I(X_k;X_j|Y)

γ is the belief that features depend on each other within the classes (Assumption 2 doubted), β that they depend on
each other at all (Assumption 3 doubted). At each point features are chosen within each training fold and judged on the
test fold. Tables of pairs do not depend on (β, γ): a fold counts each pick's once and reuses it over the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, Target
from ..errors import InvalidParameter
from ..measures.pairwise.linear import Linear, Weight
from ..progress import track
from ..search import SEARCHES, Task
from ..sources import Table
from ..statistics.levels.levels import LevelStatistics
from ..statistics.levels.questions import JointEntropies
from . import checks
from .estimators import Numbers, resolve, seeded
from .fold import judge, trial_seed
from .frames import Schema, from_records
from .learning_task import learning_task
from .resampling import Resample, resample
from .scoring import standard_scoring
from .workers import finished, undisturbed

if TYPE_CHECKING:
    import pandas as pd

GRID: Schema = {"beta": "float64", "gamma": "float64", "error": "float64", "se": "float64"}
NAMED: Schema = {"method": "str", **GRID}
STEPS = tuple(np.linspace(0.0, 1.0, 11).round(10).tolist())


def _mean(size: int) -> float:
    return 1.0 / size


CRITERIA: dict[str, tuple[Weight, Weight]] = {
    "mim": (0.0, 0.0),
    "mifs": (1.0, 0.0),
    "mrmr": (_mean, 0.0),
    "jmi": (_mean, _mean),
    "cife": (1.0, 1.0),
    "condred": (0.0, 1.0),
}


@dataclass(frozen=True, eq=False)
class CriterionSpace:
    """Cross-validated error over the plane.

    ``grid``: beta, gamma, error, se. ``criteria``: method and the same, for those of the plane that have a name; mrmr
    and jmi, whose weights are 1/s for s features already chosen, are judged as they are and marked where they stand
    at the last choice, s = k − 1.
    """

    grid: pd.DataFrame
    criteria: pd.DataFrame
    k: int
    estimator: str
    n_resamples: int
    resampling: str

    @property
    def known(self) -> dict[str, tuple[float, float]]:
        """Where the named criteria are: method -> (β, γ)."""
        own = self.criteria
        return dict(zip(own["method"], zip(own["beta"], own["gamma"], strict=True), strict=True))

    def matrix(self) -> pd.DataFrame:
        """Errors as a map: β down the rows, γ along the columns."""
        return self.grid.pivot(index="beta", columns="gamma", values="error")

    def best(self) -> tuple[float, float]:
        """(β, γ) of the lowest error; of equal ones the least β + γ."""
        order = self.grid.assign(sum=self.grid["beta"] + self.grid["gamma"])
        first = order.sort_values(["error", "sum", "beta"], kind="stable").iloc[0]
        return float(first["beta"]), float(first["gamma"])


def criterion_space(
    X: Any,
    y: Any,
    k: int = 10,
    *,
    beta: Iterable[float] = STEPS,
    gamma: Iterable[float] = STEPS,
    estimator: Any = "3-NN",
    cv: Any = 5,
    repeats: int = 1,
    bootstraps: int | None = None,
    sample_groups: Any = None,
    task: str = "auto",
    discretizer: Any = "auto",
    missing: str = "level",
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> CriterionSpace:
    """Which belief in Assumptions 2 and 3 suits these data: the error of method ``linear`` over a grid of (β, γ).

    beta, gamma: the weights to try, 0, 0.1, …, 1 by default. Others as in `entropick.compare`.

    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> space = ep.criterion_space(X, y, k=3, beta=[0, 1], gamma=[0, 1], estimator="nearest mean", cv=3)
    >>> space.matrix().shape
    (2, 2)
    """
    given = learning_task(X, y, task)
    table, target = given.table, given.target
    size = checks.size(k, table.n_columns)
    seed = checks.whole("random_state", random_state, 0)
    axes = {"beta": _axis("beta", beta), "gamma": _axis("gamma", gamma)}
    judges = resolve(estimator, target.task)
    if len(judges) > 1:
        raise InvalidParameter(f"estimator: must be one, got {', '.join(judges)}")
    ((name, own),) = judges.items()
    resampling = resample(target, cv, repeats, bootstraps, sample_groups, seed)
    points: list[tuple[Weight, Weight]] = [(b, g) for b in axes["beta"] for g in axes["gamma"]]
    points += CRITERIA.values()
    plane = Plane(table, target, tuple(points), size, own, Coder(discretizer, missing), seed)
    errors = np.empty((len(resampling.resamples), len(points)))
    tasks = [(plane, rows, number) for number, rows in enumerate(resampling.resamples)]
    results = finished(fold_errors, tasks, n_jobs)
    for _ in track(len(tasks), "folds", verbose):
        number, fold = next(results)
        errors[number] = fold
    mean = errors.mean(axis=0)
    se = errors.std(axis=0, ddof=1) * np.sqrt(1.0 / len(errors) + resampling.test_share)
    told = [(*(_at(w, size) for w in point), *both) for point, *both in zip(points, mean, se, strict=True)]
    split = len(points) - len(CRITERIA)
    named = [(method, *row) for method, row in zip(CRITERIA, told[split:], strict=True)]
    return CriterionSpace(
        from_records(GRID, told[:split]),
        from_records(NAMED, named),
        size,
        name,
        len(resampling.resamples),
        resampling.words,
    )


@dataclass(frozen=True, eq=False)
class Plane:
    """What a fold needs to know."""

    table: Table
    target: Target
    points: tuple[tuple[Weight, Weight], ...]
    k: int
    estimator: Any
    coder: Coder
    seed: int

    def choices(self, rows: Resample) -> Iterator[list[int]]:
        """The columns chosen at every point, from the training rows."""
        table, codes = self.table.take(rows.train), self.target.codes[rows.train]
        coder = self.coder.fit(table, codes, self.target.n_classes)
        counted = LevelStatistics(coder.levels, self.target.n_classes)
        counted.update(lambda start, stop: coder.by_row(table, start, stop), codes)
        statistics: Any = Remembered(counted)
        useful = np.asarray(coder.levels) > 1
        for beta, gamma in self.points:
            n = min(self.k, int(useful.sum()))
            outcome = SEARCHES["forward"](Linear(statistics, beta, gamma), Task(n, useful))
            yield [choice.candidate for choice in outcome.choices]


class Remembered:
    """Level statistics that count each feature's tables once, whoever asks."""

    def __init__(self, statistics: LevelStatistics) -> None:
        self._statistics = statistics
        self._singles = statistics.singles()
        self._pairs: dict[int, JointEntropies] = {}
        self.n_features = statistics.n_features
        self.target_entropy = statistics.target_entropy

    def singles(self) -> Any:
        return self._singles

    def pairs(self, pick: int, candidates: NDArray[np.intp] | None = None, by_class: bool = True) -> JointEntropies:
        if pick not in self._pairs:
            self._pairs[pick] = self._statistics.pairs(pick, None, by_class=True)
        return self._pairs[pick]


def fold_errors(plane: Plane, rows: Resample, number: int) -> list[float]:
    """The error at every point; points that choose the same set share one fit."""
    numbers, standard = Numbers(plane.table, rows), standard_scoring(plane.target)
    found: dict[frozenset[int], float] = {}
    errors = []
    with undisturbed():
        for columns in plane.choices(rows):
            key = frozenset(columns)
            if key not in found:
                own = seeded(plane.estimator, trial_seed(plane.seed, number, "criterion space"))
                found[key] = judge(own, *numbers.matrices(sorted(key)), plane.target, rows, standard)[1]
            errors.append(found[key])
    return errors


def _at(weight: Weight, k: int) -> float:
    """The weight when the last of k features is chosen."""
    return float(weight(max(k - 1, 1))) if callable(weight) else float(weight)


def _axis(name: str, values: Iterable[float]) -> list[float]:
    found = checks.several(name, values)
    for value in found:
        if not isinstance(value, Real) or not np.isfinite(float(value)):
            raise InvalidParameter(f"{name}: must be finite numbers, got {value!r}")
    return sorted({float(value) for value in found})
