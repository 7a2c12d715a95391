"""What is left of each candidate given the chosen: ½ log of its variance under Σ* and under each law.

Σ_W is followed first, and Σ* from it by `Between`; `collinear` is asked of Σ* itself, which shrinkage hides.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...kernels.variances import half_log_ratios, half_logs
from ...statistics.moments.views import AnyView
from .factor import Between, Factors, ImplicitFactors, blend, factorise
from .pooling import Laws

Floats = NDArray[np.float64]
View: TypeAlias = AnyView


class Conditional:
    """The log-determinants of the chosen, and the conditional variances of every candidate.

    total: ½ log|Σ*_S|; classes (L,): ½ log|Σ^y_S|. Both grow by `count`, which a feature that the others determine
    is not put through.
    """

    def __init__(self, view: View, laws: Laws, shrinkage: Floats, floor: float) -> None:
        self.view, self.floor = view, floor
        self.total = 0.0
        self.classes: Floats = np.zeros(len(laws.weights))
        self._asked: tuple[int, Floats] | None = None  # the latest answer of `half_logs_of`, until the set changes
        self._start(laws, shrinkage)

    def _start(self, laws: Laws, shrinkage: Floats) -> None:
        view, own = self.view, laws.mixtures
        within = np.vstack([view.priors, own]) if laws.clipped else own
        self._own = slice(len(within) - len(own), len(within))  # which of them are the laws
        g = len(view.between)
        what = blend(view, within, np.zeros((len(within), g, g)), shrinkage, self.floor)
        self.factors: Factors = factorise(view, what, self.floor)
        self._between = Between(view.between, self.floor)

    def half_logs(self) -> Floats:
        """(1 + L, D) ½ log of the conditional variances: total, then each law."""
        v = self.factors.v
        half = np.empty((1 + len(self.classes), v.shape[1]))
        half_logs(v[0] + self._between.spread(), self.floor, half[0])
        for own, out in zip(v[self._own], half[1:], strict=True):
            half_logs(own, self.floor, out)
        return half

    def half_logs_of(self, candidate: int) -> Floats:
        """(1 + L,) the same of one candidate."""
        if self._asked is None or self._asked[0] != candidate:
            v = self._variances_of(candidate)
            self._asked = candidate, 0.5 * np.log(np.maximum(v, self.floor))
        return self._asked[1]

    def _variances_of(self, candidate: int) -> Floats:
        v = self.factors.remaining(candidate)
        return np.concatenate([[v[0] + self._between.spread_of(candidate)], v[self._own]])

    def count(self, candidate: int) -> None:
        """Put the candidate's variances into the log-determinants, before `append`."""
        half = self.half_logs_of(candidate)
        self.total += half[0]
        self.classes += half[1:]

    def append(self, candidate: int, pooled: Floats | None = None) -> None:
        """Condition on the candidate; pooled (D,): filled with `pooled_gains` in the same pass over the columns."""
        move = self._between.append(candidate, float(self.factors.roots(candidate)[0]))

        def follow(part: slice, rows: Floats) -> None:
            move(part, rows)
            if pooled is not None:
                self._pooled(part, pooled)

        self.factors.append(candidate, then=follow)
        self._asked = None

    def pooled_gains(self) -> Floats:
        """(D,) ½ log σ*²_{j|S} − ½ log σ_W²_{j|S}."""
        out = np.empty(self.view.n_features)
        self._pooled(slice(None), out)
        return out

    def _pooled(self, part: slice, out: Floats) -> None:
        half_log_ratios(self.factors.v[0, part], self._between.spread(part), self.floor, out[part])

    def follow_pooled(self) -> None:
        """From here on only `pooled_gains` are asked of all candidates; the laws of one at a time."""
        if isinstance(self.factors, ImplicitFactors):
            self.factors.track(np.arange(self.factors.what.size) < 1)

    def collinear(self) -> NDArray[np.bool_]:
        """(D,) what the chosen determine, where nothing is shrunk."""
        v = self.factors.v[0]
        near: NDArray[np.bool_] = v <= self.floor
        if near.any():
            near &= v + self._between.spread() <= self.floor
        return near


class Span:
    """The span of the chosen under Σ* itself, for shrunk covariances, which cannot tell what is collinear.

    With rows on demand every column followed costs a second pass a step. So a column is looked at when it is about to
    be chosen (`everywhere` False); once one is found collinear others may be too, and all are followed.
    """

    def __init__(self, view: View, floor: float, *, everywhere: bool) -> None:
        self.everywhere = everywhere
        self.floor = floor
        total = blend(view, view.priors[None], np.eye(len(view.between))[None])
        self._factors = factorise(view, total, floor)
        if not everywhere and isinstance(self._factors, ImplicitFactors):
            self._factors.track(np.zeros(1, dtype=bool))

    def append(self, candidate: int) -> None:
        """The candidate enters."""
        self._factors.append(candidate)

    def holds(self, candidate: int) -> bool:
        """Whether the chosen determine the candidate."""
        return bool(self._factors.remaining(candidate)[0] <= self.floor)

    def collinear(self) -> NDArray[np.bool_] | None:
        """(D,) what the chosen determine; None where candidates are looked at one by one."""
        return np.asarray(self._factors.v[0] <= self.floor) if self.everywhere else None
