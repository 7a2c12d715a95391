"""Tables 4 and 5 of Jitkrittum, Hachiya & Sugiyama, IEICE 2013, computed beside the printed figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets import and_or, quad, xor
from ..methods import REGISTRY

if TYPE_CHECKING:
    import pandas as pd

DATA = {"and-or": and_or, "quad": quad, "xor": xor}

# method -> (name in the paper, (mean F, standard deviation) on and-or, quad, xor)
PRINTED: dict[str, tuple[str, tuple[tuple[float, float], ...]]] = {
    "pearson": ("PC", ((0.25, 0.00), (0.57, 0.20), (0.25, 0.31))),
    "hsic.forward": ("F-HSIC", ((0.25, 0.00), (0.95, 0.15), (0.52, 0.50))),
    "lsmi.forward": ("F-LSMI", ((0.57, 0.22), (1.00, 0.00), (0.53, 0.50))),
    "hsic.backward": ("B-HSIC", ((0.25, 0.00), (0.95, 0.15), (1.00, 0.00))),
    "lsmi.backward": ("B-LSMI", ((0.85, 0.22), (1.00, 0.00), (1.00, 0.00))),
    "hsic.l1": ("ℓ1-HSIC", ((0.25, 0.00), (0.64, 0.23), (1.00, 0.00))),
    "lsmi.l1": ("ℓ1-LSMI", ((1.00, 0.00), (1.00, 0.00), (1.00, 0.00))),
    "mrmr": ("mRMR", ((0.25, 0.00), (1.00, 0.00), (0.28, 0.31))),
    "qpfs": ("QPFS", ((0.41, 0.17), (0.64, 0.23), (0.25, 0.32))),
    "lasso": ("Lasso", ((0.21, 0.09), (0.66, 0.25), (0.26, 0.32))),
    "relieff": ("Relief", ((0.55, 0.15), (1.00, 0.00), (1.00, 0.00))),
}

# the four-feature subsets of X1 … X4, X8 … X10 as printed: 34 of the 35, {1, 4, 8, 10} is missing there
PRINTED_SUBSETS = {
    (1, 2, 3, 4): 0.496, (1, 2, 3, 8): 0.365, (1, 2, 3, 9): 0.381, (1, 2, 3, 10): 0.357, (1, 2, 4, 8): 0.376,
    (1, 2, 4, 9): 0.384, (1, 2, 4, 10): 0.372, (1, 2, 8, 9): 0.346, (1, 2, 8, 10): 0.330, (1, 2, 9, 10): 0.336,
    (1, 3, 4, 8): 0.382, (1, 3, 4, 9): 0.376, (1, 3, 4, 10): 0.392, (1, 3, 8, 9): 0.325, (1, 3, 8, 10): 0.330,
    (1, 3, 9, 10): 0.333, (1, 4, 8, 9): 0.342, (1, 4, 9, 10): 0.341, (2, 3, 4, 8): 0.367, (2, 3, 4, 9): 0.382,
    (2, 3, 4, 10): 0.390, (2, 3, 8, 9): 0.341, (2, 3, 8, 10): 0.312, (2, 3, 9, 10): 0.322, (2, 4, 8, 9): 0.340,
    (2, 4, 8, 10): 0.328, (2, 4, 9, 10): 0.328, (3, 4, 8, 9): 0.356, (3, 4, 8, 10): 0.349, (3, 4, 9, 10): 0.353,
    (1, 8, 9, 10): 0.330, (2, 8, 9, 10): 0.334, (3, 8, 9, 10): 0.303, (4, 8, 9, 10): 0.335,
}  # fmt: skip


def table4(
    trials: int | None = None,
    *,
    quick: bool = False,
    n: int = 400,
    methods: Sequence[str] | None = None,
    n_jobs: int | None = -1,
) -> pd.DataFrame:
    """Mean F-measure of each method on and-or, quad and xor over the trials (50; 2 where quick).

    Trial t draws its data with seed t and selects, with the same seed, as many features as are true. Trials run in
    ``n_jobs`` processes. One row a data set and method: ``f``, ``sd``, and the paper's ``printed``, ``printed_sd``.
    """
    import pandas as pd
    from joblib import Parallel, delayed

    trials = (2 if quick else 50) if trials is None else trials
    wanted = [name for name in PRINTED if name in REGISTRY] if methods is None else list(methods)
    cells = [(data, name) for data in DATA for name in wanted]
    work = [(data, name, trial) for trial in range(trials) for data, name in cells]
    found = Parallel(n_jobs=n_jobs)(delayed(_trial)(*item, n) for item in work)
    by_cell: dict[tuple[str, str], list[float]] = {}
    for (data, name, _), f in zip(work, found, strict=True):
        by_cell.setdefault((data, name), []).append(f)
    rows = []
    for (data, name), measures in by_cell.items():
        label, printed = PRINTED.get(name, (name, ((np.nan, np.nan),) * len(DATA)))
        mean, spread = printed[list(DATA).index(data)]
        rows.append(
            {
                "data": data,
                "method": name,
                "paper": label,
                "f": float(np.mean(measures)),
                "sd": float(np.std(measures)),
                "printed": mean,
                "printed_sd": spread,
                "trials": len(measures),
            }
        )
    return pd.DataFrame(rows)


def _trial(data: str, method: str, trial: int, n: int) -> float:
    """F-measure of one method on one draw; NaN where it cannot take the task."""
    from ..selectors.functions import select

    problem = DATA[data](n, random_state=trial)
    k = len(problem.informative)
    if problem.task not in REGISTRY[method].tasks:
        return float("nan")
    selection = select(problem.X, problem.y, method=method, k=k, task=problem.task, random_state=trial)
    return problem.f_measure(selection.indices)


def table5(n: int = 400, random_state: Any = 0, **options: Any) -> pd.DataFrame:
    """LSMI of the 35 four-feature subsets of X1 … X4, X8 … X10 in and-or, the highest first.

    ``printed`` is the paper's figure for a draw of its own (NaN for {1, 4, 8, 10}, which the paper leaves out).
    ``options`` are those of `LSMI`.
    """
    import pandas as pd

    from ..measures.kernel_lsmi import LSMI
    from ..statistics.rows import RowStatistics

    problem = and_or(n, random_state=random_state)
    measure = LSMI(RowStatistics(problem.X, problem.y, 2), random=np.random.default_rng(random_state), **options)
    rows = []
    for subset in combinations((1, 2, 3, 4, 8, 9, 10), 4):
        value = measure.value_of([number - 1 for number in subset])
        rows.append(
            {
                "features": " ".join(map(str, subset)),
                "lsmi": value,
                "printed": PRINTED_SUBSETS.get(subset, np.nan),
            }
        )
    return pd.DataFrame(rows).sort_values("lsmi", ascending=False, kind="stable", ignore_index=True)
