"""What all Gaussian measures share: the chosen set, shrinkage, collinearity, the true bound.

The measures are in `compromise` (GC), `divergence` (GKL) and `auto`.
"""

from __future__ import annotations

import copy
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import EntropickWarning
from ...statistics.moments.views import view_of
from ..fano import fano_floor
from ..measure import Account
from .chance import shrinkage_intensity, supported

Floats = NDArray[np.float64]

HALF_LOG_2PIE = 0.5 * np.log(2 * np.pi * np.e)
FLOOR = 1e-10  # conditional variance, as a share of the variance, below which a feature is a combination
SAMPLED = 256  # features whose correlations set the shrinkage
TIE = 1e-9  # nats; above what a search takes for a tie, below what anyone would call information


def own_entropies(view: Any, scale: str) -> Floats:
    """(D,) what the log-determinants of standardised features leave out: ½ log 2πe; for "own" log of the deviation."""
    if scale == "unit":
        return np.full(view.n_features, HALF_LOG_2PIE)
    out: Floats = HALF_LOG_2PIE - np.log(np.where(view.constant, 1.0, view.unit))
    return out


class GaussianMeasure(ABC):
    """What all Gaussian measures share: the chosen set, shrinkage, collinearity, the true bound.

    Parameters
    ----------
    statistics : `Moments`, `CentredRows` or a view of one.
    shrinkage : ``"auto"``, a number in [0, 1] or None. Σ_y -> (1 − ρ_y) Σ_y + ρ_y diag(Σ_W). ``"auto"``
        leaves the covariances alone while every class has five samples for each feature chosen, then takes
        the analytic ρ_y of `shrinkage_intensity`; from the start where some class has fewer than five.
    floor : smallest conditional variance, as a share of a feature's variance, that is not rounding.
    """

    units = "nats"

    def __init__(
        self,
        statistics: Any,
        *,
        shrinkage: str | float | None = "auto",
        floor: float = FLOOR,
        labels: Any = None,
    ) -> None:
        self.view = view_of(statistics)
        self.n_candidates = self.view.n_features
        self.priors = self.view.priors
        self.class_entropy = float(-(self.priors * np.log(self.priors)).sum())
        self.shrinkage = shrinkage
        self.floor = floor
        self.labels = labels
        self.chosen: list[int] = []
        self.saturated_at: int | None = None
        self.support = supported(self._estimated_from())
        self._rho: Floats = np.zeros(self.view.n_classes)
        if isinstance(shrinkage, (int, float)):
            self._rho[:] = shrinkage
        elif shrinkage == "auto" and self.support == 0:  # not even the first feature has the rows it needs
            self._rho = self._intensities()
        self._dependent: NDArray[np.bool_] = self.view.constant.copy()
        self._spent: set[int] = set()  # chosen although the others determined them: they count for nothing
        self._warned = False
        self._cache: Floats | None = None
        self._build()
        self._alone: Floats = self.gains().copy()

    # -- for a search ----------------------------------------------------------------------------------

    def gains(self) -> Floats:
        """(D,) what each candidate adds, nats; constant, duplicate and collinear columns come below all."""
        if self._cache is None:
            gains = self._gains()
            behind = np.flatnonzero(self._dependent)
            gains[behind] = 0.0
            gains[behind] = min(0.0, float(gains.min())) - TIE
            self._cache = gains
        return self._cache

    def settle(self, candidate: int) -> bool:
        """Whether `gains` is right about the candidate; False where it turned out collinear: ask `gains` again."""
        if self._dependent[candidate] or not self._doubtful(candidate):
            return True
        self._look_everywhere()
        return not bool(self._dependent[candidate])

    def add(self, candidate: int) -> None:
        """Put the candidate into the set."""
        self.settle(candidate)
        self._cache = None
        if self._dependent[candidate]:
            self._spent.add(candidate)
        self._advance(candidate)
        self.chosen.append(candidate)
        self._dependent[candidate] = True
        self._mark_dependent()
        size = len(self.chosen)
        if size > self.support and size < self.n_candidates:
            self._beyond_support()

    def value_of(self, features: Sequence[int]) -> float:
        """The criterion of a set, nats; asked before anything is chosen."""
        other = copy.copy(self)
        other.chosen, other._spent, other._dependent = [], set(), self._dependent.copy()
        other._build()
        for feature in features:
            other.add(int(feature))
        return other._criterion()

    def account(self, candidate: int) -> Account:
        """How much of the candidate's gain it has alone and how much only together with the chosen."""
        gain, alone = float(self.gains()[candidate]), float(self._alone[candidate])
        extra: dict[str, Any] = {"joint": gain - alone} if self.chosen else {}
        extra |= self._after(candidate)
        return Account(relevance=alone, extra=extra)

    def p_values(self) -> Floats:
        """(D,) probability of as large a likelihood ratio if the candidate told nothing new."""
        self._look_everywhere()
        self.gains()  # finds out about saturation
        if self._exhausted():
            return np.ones(self.n_candidates)
        p = self._p_values()
        p[self._dependent] = 1.0
        return p

    def why_stopped(self) -> str | None:
        """Why no candidate passes the test, where it is not chance; for ``k="auto"``."""
        if self._exhausted():
            return f"the bound H(Y) = {self.class_entropy:.4g} nats is reached; no feature can add to it"
        if self._dependent.all():
            return "every remaining feature is a linear combination of those selected"
        return None

    def details(self) -> dict[str, Any]:
        """What this method alone reports."""
        return {
            "saturated_at": self.saturated_at,
            "criterion": self._criterion(),
            "bound": self.bound(),
            "class_entropy": None if self.view.n_targets else self.class_entropy,
            "fano_floor": self._fano(self.bound()),
            "supported_features": self.support,
            "shrinkage": [float(r) for r in self._rho] if self._rho.any() else 0.0,
            "memory": self.view.memory,
        }

    def _exhausted(self) -> bool:
        """Whether no candidate can add to the criterion."""
        return False

    # -- small samples ---------------------------------------------------------------------------------

    def _beyond_support(self) -> None:
        if self.shrinkage == "auto" and not self._rho.any():
            self._rho = self._intensities()
            self._rebuild()
        if not self._warned:
            self._warned = True
            counts = self._estimated_from()
            c = int(np.argmin(counts))
            block = self.view.class_block(c, np.array(self.chosen[: max(self.support, 1)]))
            whom = (
                f"{counts[c]:g} rows"
                if len(counts) == 1
                else f"class {c if self.labels is None else self.labels[self.view.present[c]]!s}"
                f" with {counts[c]:g} rows"
            )
            remedy = (
                "covariances are shrunk from here on"
                if self._rho.any()
                else "shrinkage='auto' steadies the covariances"
            )
            warnings.warn(
                f"X: {whom} support about {self.support} features jointly (five rows each; condition number"
                f" there {np.linalg.cond(block):.2g}); {remedy}",
                EntropickWarning,
                stacklevel=4,
            )

    def _estimated_from(self) -> Floats:
        """Rows behind each covariance that the measure estimates."""
        return self.view.counts

    def _intensities(self) -> Floats:
        live = np.flatnonzero(~self.view.constant)
        if not len(live):
            return np.zeros(self.view.n_classes)
        columns = live[np.unique(np.linspace(0, len(live) - 1, min(SAMPLED, len(live))).astype(np.intp))]
        rho = np.empty(self.view.n_classes)
        for c, n in enumerate(self.view.counts):
            block = self.view.class_block(c, columns)
            deviation = np.sqrt(np.maximum(block.diagonal(), 1e-300))
            rho[c] = shrinkage_intensity(block / np.outer(deviation, deviation), float(n))
        return rho

    # -- collinearity ----------------------------------------------------------------------------------

    def _mark_dependent(self) -> None:
        """Columns that the chosen determine; once all are, those marked before stay behind the others."""
        found = self._collinear()
        if found is None:
            return
        marked = self._dependent | found
        if not marked.all() or self._dependent.all():
            self._dependent = marked

    def _doubtful(self, candidate: int) -> bool:
        """Whether a column that was taken to be independent is collinear; never where every column is followed."""
        return False

    def _look_everywhere(self) -> None:
        """Know of every column whether it is collinear."""
        return

    def _rebuild(self) -> None:
        self._build()
        for i in self.chosen:
            self._advance(i)
        self._cache = None

    # -- bounds ----------------------------------------------------------------------------------------

    def _fano(self, bound: float) -> float | None:
        """The least error rate that the bound allows; none for a continuous target."""
        if self.view.n_targets or self.view.n_classes < 2:
            return None
        return fano_floor(self.class_entropy - bound, self.view.n_classes)

    @abstractmethod
    def bound(self) -> float:
        """The true bound on I(X_S; Y) of the chosen set, nats: min outside the sum."""

    @abstractmethod
    def _criterion(self) -> float:
        """The criterion of the chosen set."""

    @abstractmethod
    def _build(self) -> None:
        """Factors of the empty set."""

    @abstractmethod
    def _advance(self, candidate: int) -> None:
        """The factors given the candidate."""

    @abstractmethod
    def _gains(self) -> Floats:
        """(D,) gains, collinear columns not yet set apart."""

    @abstractmethod
    def _after(self, candidate: int) -> dict[str, Any]:
        """What is told of the set with the candidate."""

    @abstractmethod
    def _p_values(self) -> Floats:
        """(D,) p-values, collinear columns not yet set apart."""

    @abstractmethod
    def _collinear(self) -> NDArray[np.bool_] | None:
        """(D,) what the chosen determine under the total covariance, never shrunk; None where columns are doubted."""
