"""What each method sees: every method on problems that are hard in one stated way, with a known answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

import entropick as ep
from entropick.datasets import Problem, and_or, quad, redundant_interaction, three_way, xor
from entropick.errors import InvalidParameter
from entropick.methods import get_method

from .variants import serves

if TYPE_CHECKING:
    import pandas as pd

FOUND = 0.9  # mean share of the true features from which a method is said to see


def linear(n: int = 400, random_state: Any = None) -> Problem:
    """Two features with shifted class means among ten: what everything should find."""
    random = np.random.RandomState(random_state)
    y = random.randint(0, 2, n)
    X = random.normal(size=(n, 10))
    X[:, :2] += 1.2 * y[:, None]
    return Problem(X, y, (0, 1), _names(10), "linear: shifted means")


def scaled(n: int = 400, random_state: Any = None) -> Problem:
    """`linear` with columns in units from 1e-4 to 1e5, the true ones smallest."""
    plain = linear(n, random_state)
    return Problem(plain.X * np.logspace(-4, 5, 10), plain.y, (0, 1), plain.names, "scale: units differ by 10⁹")


def several_classes(n: int = 400, random_state: Any = None) -> Problem:
    """Six classes; each of the three true features tells a different pair from the rest."""
    random = np.random.RandomState(random_state)
    y = random.randint(0, 6, n)
    X = random.normal(size=(n, 10))
    for j in range(3):
        X[:, j] += np.where(y == 2 * j, 2.0, np.where(y == 2 * j + 1, -2.0, 0.0))
    return Problem(X, y, (0, 1, 2), _names(10), "multi-class: each feature tells two of six classes")


def copies(n: int = 400, random_state: Any = None) -> Problem:
    """X1 is strong, X2 weak and independent of it; X3 … X6 are near copies of X1."""
    random = np.random.RandomState(random_state)
    y = random.randint(0, 2, n)
    X = random.normal(size=(n, 10))
    X[:, 0] += 2.0 * y
    X[:, 1] += 1.2 * y
    X[:, 2:6] = X[:, :1] + 0.1 * random.normal(size=(n, 4))
    return Problem(X, y, (0, 1), _names(10), "redundancy: copies of the best feature")


def spread(n: int = 400, random_state: Any = None) -> Problem:
    """Classes that differ in the spread of two features, not in any mean."""
    random = np.random.RandomState(random_state)
    y = random.randint(0, 2, n)
    X = random.normal(size=(n, 10))
    X[:, :2] *= np.where(y == 1, 3.0, 1.0)[:, None]
    return Problem(X, y, (0, 1), _names(10), "non-linear: spreads differ, means do not")


PROBES: dict[str, Callable[..., Problem]] = {
    "linear": linear,
    "scale": scaled,
    "multi-class": several_classes,
    "redundancy": copies,
    "and-or": and_or,
    "non-linear": spread,
    "quad": quad,
    "xor": xor,
    "xor copies": redundant_interaction,
    "three-way": three_way,
}


def what_each_sees(
    methods: Iterable[str] | None = None,
    *,
    repeats: int = 5,
    n: int = 400,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """The share of the true features among as many chosen, a row a method, a column a problem.

    methods: names, all registered by default. Means over ``repeats`` draws of ``n`` rows; NaN where the method is
    not for the problem's task. 1 is every true feature every time. In ``redundancy`` a near copy of X1 counts as X1.
    """
    import pandas as pd

    if not isinstance(repeats, int) or isinstance(repeats, bool) or repeats < 1:
        raise InvalidParameter(f"repeats: must be a whole number of at least 1, got {repeats!r}")
    names = list(ep.methods().index) if methods is None else [get_method(name).name for name in methods]
    frame = pd.DataFrame(np.nan, index=pd.Index(names, name="method"), columns=list(PROBES))
    for probe in PROBES:
        for name in names:
            frame.loc[name, probe] = share_found(probe, name, repeats, n, random_state, n_jobs)
    return frame


def share_found(
    probe: str, method: str, repeats: int, n: int = 400, random_state: int = 0, n_jobs: int | None = None
) -> float:
    """The mean share of one problem's true features that one method finds; NaN where it is not for the task."""
    shares = []
    for seed in range(random_state, random_state + repeats):
        problem = PROBES[probe](n, random_state=seed)
        if not serves(method, problem.task):
            return float("nan")
        k = len(problem.informative)
        chosen = ep.select(problem.X, problem.y, method=method, k=k, random_state=seed, n_jobs=n_jobs).indices
        if probe == "redundancy":
            chosen = np.where((chosen >= 2) & (chosen < 6), 0, chosen)
        shares.append(len({int(j) for j in chosen} & set(problem.informative)) / k)
    return float(np.mean(shares))


def as_markdown(frame: pd.DataFrame) -> str:
    """The table for a page: shares in two digits, in bold where the method sees (at least 0.9), – where not for it."""

    def cell(value: float) -> str:
        if np.isnan(value):
            return "–"
        return f"**{value:.2f}**" if value >= FOUND else f"{value:.2f}"

    lines = ["| method | " + " | ".join(frame.columns) + " |", "|---" + "|:-:" * len(frame.columns) + "|"]
    for name, row in zip(frame.index, frame.to_numpy(), strict=True):
        lines.append(f"| `{name}` | " + " | ".join(cell(float(value)) for value in row) + " |")
    return "\n".join(lines) + "\n"


def _names(n_features: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(1, n_features + 1))
