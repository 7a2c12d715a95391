"""The linear family: relevance − β · redundancy + γ · class-conditional redundancy.

    J(X_k) = I(X_k;Y) − β Σ_j I(X_k;X_j) + γ Σ_j I(X_k;X_j|Y),   j over the features already chosen

Every member is a belief about two independences (Brown et al. 2012): γ = 0 believes that features are independent
given the class (Assumption 2), β = 0 that they are independent (Assumption 3); weights that shrink as the set
grows believe it more and more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidParameter
from ...statistics.levels.questions import Levels
from ..measure import Scores
from .pairwise import Pair, PairwiseMeasure

Weight = float | Callable[[int], float]


def _mean(size: int) -> float:
    return 1.0 / size


def _weigh(name: str, weight: Weight, size: int) -> float:
    """The weight at this size of the set; what a function of the user's gives is checked here."""
    if not callable(weight):
        return float(weight)
    value = weight(size)
    if not isinstance(value, Real) or not math.isfinite(value):
        raise InvalidParameter(f"{name}: the function must give a finite number, got {value!r} for {size} features")
    return float(value)


class Linear(PairwiseMeasure):
    """J = I(X_k;Y) − β Σ I(X_k;X_j) + γ Σ I(X_k;X_j|Y) with free β and γ: numbers, or functions of |S|.

    Assumption 1 always; Assumption 2 as far as γ is small, Assumption 3 as far as β is small. β = γ = 1 is
    `CIFE`, β = γ = 1/|S| is `JMI`, β = 1/|S| and γ = 0 is `MRMR`, β = γ = 0 is `MIM`.
    """

    n_links: ClassVar[int] = 2
    compiled: ClassVar[str | None] = "redundancy, complementarity"

    def __init__(self, statistics: Levels, beta: Weight = 1.0, gamma: Weight = 1.0) -> None:
        self.beta, self.gamma = beta, gamma
        super().__init__(statistics)

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return pair.redundancy, pair.complementarity

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        if size == 0:
            return relevance.copy()
        beta, gamma = _weigh("beta", self.beta, size), _weigh("gamma", self.gamma, size)
        out: Scores = relevance - beta * folded[0] + gamma * folded[1]
        return out


class MIM(PairwiseMeasure):
    """J = I(X_k;Y): each feature alone (Lewis 1992).

    Makes Assumptions 1, 2 and 3: features neither overlap nor interact. Sees any dependence on the class but no
    redundancy. praznik: MIM (nats); FEAST: mim (bits); scikit-feature: MIM (bits). Sibling with redundancy: `MRMR`.
    """

    n_links: ClassVar[int] = 0


class _Penalised(PairwiseMeasure):
    """Relevance less weighted redundancy: γ = 0, so tables need no class."""

    by_class: ClassVar[bool] = False
    compiled: ClassVar[str | None] = "redundancy"

    def __init__(self, statistics: Levels, beta: Weight) -> None:
        self.beta = beta
        super().__init__(statistics)

    def link(self, pair: Pair) -> tuple[Scores, ...]:
        return (pair.redundancy,)

    def score(self, relevance: Scores, folded: NDArray[np.float64], size: int) -> Scores:
        return relevance - _weigh("beta", self.beta, size) * folded[0] if size else relevance.copy()


class MIFS(_Penalised):
    """J = I(X_k;Y) − β Σ_j I(X_k;X_j) (Battiti 1994); β = 1 by default.

    Makes Assumptions 1 and 2. The penalty grows with |S| while relevance does not, so late picks are chosen for
    being different, not for being informative; `MRMR` takes the mean instead. FEAST: mifs with beta (bits);
    scikit-feature: MIFS with beta 0.5 (bits).
    """

    def __init__(self, statistics: Levels, beta: Weight = 1.0) -> None:
        super().__init__(statistics, beta)


class MRMR(_Penalised):
    """J = I(X_k;Y) − (1/|S|) Σ_j I(X_k;X_j) (Peng, Long & Ding 2005): `MIFS` with the mean.

    Makes Assumptions 1 and 2, and Assumption 3 more and more as the set grows. Does not see interaction; `JMI`
    adds it. Same scores as praznik's MRMR (nats) and, times log 2 e, FEAST's and scikit-feature's (bits).
    """

    def __init__(self, statistics: Levels) -> None:
        super().__init__(statistics, _mean)


class JMI(Linear):
    """J = I(X_k;Y) − (1/|S|) Σ_j [I(X_k;X_j) − I(X_k;X_j|Y)] (Yang & Moody 1999).

    The mean over the picks of I(X_k X_j;Y) less what is common to all candidates: the same order as
    Σ_j I(X_k X_j;Y), which FEAST (bits) and praznik (nats) report. Makes Assumption 1, and 2 and 3 as the set
    grows. Brown et al.'s recommendation for accuracy, stability and small samples together.
    """

    def __init__(self, statistics: Levels) -> None:
        super().__init__(statistics, _mean, _mean)


class CIFE(Linear):
    """J = I(X_k;Y) − Σ_j I(X_k;X_j) + Σ_j I(X_k;X_j|Y) (Lin & Tang 2006): `Linear` at β = γ = 1.

    Makes Assumption 1 only, but its sums grow with |S| and swamp relevance; `JMI` is the same with means.
    FEAST: cife (bits); scikit-feature: CIFE (bits).
    """

    def __init__(self, statistics: Levels) -> None:
        super().__init__(statistics, 1.0, 1.0)


class CondRed(Linear):
    """J = I(X_k;Y) + Σ_j I(X_k;X_j|Y): `Linear` at β = 0, γ = 1 (Brown et al. 2012).

    Makes Assumptions 1 and 3. It rewards dependence within the classes and never penalises overlap: for study rather
    than for use. FEAST: condred (bits).
    """

    def __init__(self, statistics: Levels) -> None:
        super().__init__(statistics, 0.0, 1.0)
