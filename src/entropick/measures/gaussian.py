"""GC: joint information under a Gaussian model, the "Gaussian compromise" (Lefakis & Fleuret 2014).

Class-conditional laws are Gaussian; f* is the Gaussian with the mean and covariance of their mixture. With
H* = H(f*), H_y = H(f_y), p_y the share of class y and features standardised,

    gc.mi  maximises  Σ_y p_y min(H*, H_y − log p_y) − Σ_y p_y H_y              eq. 8, min inside the sum
    gc.e   maximises  Σ_y p_y min(H*, H_y − log p_y)
    wilks  maximises  ½ log|Σ*| − ½ log|Σ_W|                                     one covariance for all classes

With the min inside, gc.mi is an approximation of I(X_S; Y) and not a bound. The true bound has it outside:

    I(X_S; Y) ≤ min(H* − Σ_y p_y H_y, H(Y))

Both are reported, under ``criterion`` and ``bound``; Fano's floor on the error uses the true bound. With a
continuous y the second matrix is the covariance of X given y, and gc.mi and wilks are the Gaussian joint
information −½ log(1 − R²). Scores are increments, in nats. Siblings: `gaussian_kl`, `gaussian_auto`.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import EntropickWarning, InvalidParameter
from ..statistics.moment_views import view_of
from .gaussian_chance import class_p_values, pooled_p_values, shrinkage_intensity, supported
from .gaussian_factor import Blend, Factors, blend, factorise
from .gaussian_pruning import LazyFactors, Pruner
from .measure import Account

Floats = NDArray[np.float64]

HALF_LOG_2PIE = 0.5 * np.log(2 * np.pi * np.e)
FLOOR = 1e-10  # conditional variance, as a share of the variance, below which a feature is a combination
SAMPLED = 256  # features whose correlations set the shrinkage
TIE = 1e-9  # nats; above what a search takes for a tie, below what anyone would call information


class GaussianMeasure:
    """What all Gaussian measures share: the chosen set, shrinkage, collinearity, the true bound.

    Parameters
    ----------
    statistics : `Moments`, `CentredRows` or a view of one.
    shrinkage : ``"auto"``, a number in [0, 1] or None. Σ_y -> (1 − ρ_y) Σ_y + ρ_y diag(Σ_W). ``"auto"``
        leaves the covariances alone while every class has five samples for each feature chosen, then takes
        the analytic ρ_y of `shrinkage_intensity`.
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
            live = ~self._dependent
            lowest = min(0.0, float(gains[live].min())) if live.any() else 0.0
            gains[~live] = lowest - TIE
            self._cache = gains
        return self._cache

    def add(self, candidate: int) -> None:
        """Put the candidate into the set."""
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

    def account(self, candidate: int) -> Account:
        """How much of the candidate's gain it has alone and how much only together with the chosen."""
        gain, alone = float(self.gains()[candidate]), float(self._alone[candidate])
        extra: dict[str, Any] = {"joint": gain - alone} if self.chosen else {}
        extra |= self._after(candidate)
        return Account(relevance=alone, extra=extra)

    def p_values(self) -> Floats:
        """(D,) probability of as large a likelihood ratio if the candidate told nothing new."""
        self.gains()  # finds out about saturation
        if self.saturated_at is not None:
            return np.ones(self.n_candidates)
        p = self._p_values()
        p[self._dependent] = 1.0
        return p

    def why_stopped(self) -> str | None:
        """Why no candidate passes the test, where it is not chance; for ``k="auto"``."""
        if self.saturated_at is not None:
            return f"the bound H(Y) = {self.class_entropy:.4g} nats is reached, no candidate can add to it"
        if self._dependent.all():
            return "every candidate left is a linear combination of the chosen"
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
            "shrinkage": [float(r) for r in self._rho],
            "memory": "rows" if self.view.in_rows else "matrices",
        }

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
        marked = self._dependent | (self._total_variances() <= self.floor)
        if not marked.all() or self._dependent.all():
            self._dependent = marked

    def _rebuild(self) -> None:
        self._build()
        for i in self.chosen:
            self._advance(i)
        self._cache = None

    # -- bounds ----------------------------------------------------------------------------------------

    def _fano(self, bound: float) -> float | None:
        """P(error) ≥ (H(Y) − bound − log 2)/log C, never below 0; none for a continuous target."""
        if self.view.n_targets or self.view.n_classes < 2:
            return None
        return max(0.0, (self.class_entropy - bound - np.log(2)) / np.log(self.view.n_classes))

    def bound(self) -> float:
        """The true bound on I(X_S; Y) of the chosen set, nats: min outside the sum."""
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _criterion(self) -> float:
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _build(self) -> None:
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _advance(self, candidate: int) -> None:
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _gains(self) -> Floats:
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _after(self, candidate: int) -> dict[str, Any]:
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _p_values(self) -> Floats:
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")

    def _total_variances(self) -> Floats:
        """(D,) conditional variances under the total covariance, never shrunk."""
        raise TypeError("use one of GCMI, GCE, Wilks, GKLMI, GKLE")


class GCMI(GaussianMeasure):
    """gc.mi: eq. 8 of Lefakis & Fleuret (2014); formula in the module's docstring.

    Parameters
    ----------
    pooling : λ in [0, 1]; Σ_y -> (1 − λ) Σ_y + λ Σ_W. 0 is the paper, 1 is Wilks' criterion, which needs
        no min: once the information of one pooled covariance passes H(Y) it still orders the candidates.
    fill : what to do once every candidate reaches H(Y), or the set itself has: ``"pooled"`` goes on with
        ½ log|Σ*| − ½ log|Σ_W| given the chosen; ``"random"`` is the paper's, drawn from ``random_state``.
    """

    fills = ("pooled", "random")

    def __init__(
        self,
        statistics: Any,
        *,
        pooling: float = 0.0,
        shrinkage: str | float | None = "auto",
        floor: float = FLOOR,
        fill: str = "pooled",
        random_state: Any = None,
        marginals: str = "raw",
        labels: Any = None,
    ) -> None:
        if fill not in self.fills:
            raise InvalidParameter(f"fill: must be one of {', '.join(self.fills)}, got {fill!r}")
        self.pooling = float(pooling)
        self.marginals = marginals
        self.fill = fill
        self.random_state = random_state
        self._filler: Floats | Factors | None = None
        self._lazy = False
        super().__init__(statistics, shrinkage=shrinkage, floor=floor, labels=labels)

    def _build(self) -> None:
        view = self.view
        c, g = view.n_classes, len(view.between)
        self.clipped = not view.n_targets and self.pooling < 1.0 and c > 1
        if self.clipped:
            within = np.vstack([self.priors, (1 - self.pooling) * np.eye(c) + self.pooling * self.priors])
            self.weights: Floats = self.priors
            self.caps: Floats = -np.log(self.priors)
        else:
            within = np.vstack([self.priors, self.priors])
            self.weights = np.ones(1)
            self.caps = np.full(1, np.inf)
        between = np.zeros((len(within), g, g))
        between[0] = np.eye(g)
        what = blend(view, within, between, self._rho, self.floor)
        if self._rho.any():  # the unshrunk total covariance rides along to tell what is collinear
            what = Blend(
                np.vstack([what.within, self.priors]),
                np.concatenate([what.between, between[:1]]),
                np.vstack([what.ridge, np.zeros(view.n_features)]),
            )
        self.factors: Factors = (LazyFactors if self._lazy else factorise)(view, what, self.floor)
        self._last = len(within)
        self._total = 0.0  # ½ log|Σ*_S|
        self._classes: Floats = np.zeros(len(within) - 1)  # ½ log|Σ^y_S|

    def _estimated_from(self) -> Floats:
        own = self.pooling < 1.0 and not self.view.n_targets
        return self.view.counts if own else np.array([self.view.n_samples])

    def _half_logs(self) -> Floats:
        return 0.5 * np.log(np.maximum(self.factors.v[: self._last], self.floor))

    def _advance(self, candidate: int) -> None:
        if candidate not in self._spent:
            half = 0.5 * np.log(np.maximum(self.factors.v[: self._last, candidate], self.floor))
            self._total += half[0]
            self._classes += half[1:]
        self.factors.append(candidate)
        if isinstance(self._filler, Factors):
            self._filler.append(candidate)

    def _total_variances(self) -> Floats:
        return self.factors.v[self._last if self._rho.any() else 0]

    def _terms(self, total: Floats | float, classes: Floats) -> Floats:
        """min(H* − H_y, −log p_y) for each class."""
        caps = self.caps if classes.ndim == 1 else self.caps[:, None]
        return np.minimum(total - classes, caps)

    def _criterion(self) -> float:
        return float(self.weights @ self._terms(self._total, self._classes))

    def _gains(self) -> Floats:
        if self.saturated_at is None:
            half = self._half_logs()
            terms = self._terms(self._total + half[0], self._classes[:, None] + half[1:])
            gains = self.weights @ terms - self._criterion()
            if not self._saturates(terms):
                return gains
            self.saturated_at = len(self.chosen)
        return self._fill_gains()

    def _saturates(self, terms: Floats) -> bool:
        if not self.clipped:
            return False
        live = ~self._dependent
        everywhere = live.any() and bool((terms[:, live] >= self.caps[:, None]).all())
        return everywhere or bool((self._terms(self._total, self._classes) >= self.caps).all())

    def _fill_gains(self) -> Floats:
        if self.fill == "random":
            if self._filler is None:
                from sklearn.utils import check_random_state

                order = check_random_state(self.random_state).permutation(self.n_candidates)
                self._filler = (1.0 + order) / self.n_candidates * 1e3 * TIE
            return np.array(self._filler)
        return self._pooled_half_ratio()

    def _pooled_half_ratio(self) -> Floats:
        if self._filler is None:
            within = self.priors[None, :]
            g = len(self.view.between)
            pooled = factorise(self.view, blend(self.view, within, np.zeros((1, g, g)), self._rho), self.floor)
            for i in self.chosen:
                pooled.append(i)
            self._filler = pooled
        assert isinstance(self._filler, Factors)
        half = 0.5 * np.log(np.maximum(self._filler.v[0], self.floor))
        return 0.5 * np.log(np.maximum(self.factors.v[0], self.floor)) - half

    def _rebuild(self) -> None:
        if isinstance(self._filler, Factors):
            self._filler = None
        super()._rebuild()

    # -- pruning ---------------------------------------------------------------------------------------

    def prune(self) -> Pruner:
        """From here on bound the candidates and compute only what is asked for."""
        self._lazy = True
        self._rebuild()
        return Pruner(self)

    def give_up_pruning(self) -> None:
        """Compute every candidate again."""
        self._lazy = False
        self._rebuild()

    def spoken_for(self) -> NDArray[np.bool_]:
        """(D,) chosen, constant, or known to be collinear with the chosen."""
        return self._dependent

    def remember_gains(self, gains: Floats) -> None:
        """Gains computed elsewhere, for `account`."""
        self._cache = gains

    def bound_gains(self, low: Floats, high: Floats) -> Floats:
        """(D,) upper bounds of the gains from bounds of the conditional variances."""
        low, high = (0.5 * np.log(np.maximum(v[: self._last], self.floor)) for v in (low, high))
        terms = self._terms(self._total + high[0], self._classes[:, None] + low[1:])
        self._mark_dependent()
        return self.weights @ terms - self._criterion()

    def may_saturate(self, low: Floats, high: Floats) -> bool:
        """Whether, as far as these bounds tell, no candidate can be told from another; exact if they are."""
        low, high = (0.5 * np.log(np.maximum(v[: self._last], self.floor)) for v in (low, high))
        return self._saturates(self._terms(self._total + high[0], self._classes[:, None] + low[1:]))

    # -- reports ---------------------------------------------------------------------------------------

    def bound(self) -> float:
        value = self._total - float(self.weights @ self._classes)
        return value if self.view.n_targets else min(value, self.class_entropy)

    def _after(self, candidate: int) -> dict[str, Any]:
        half = 0.5 * np.log(np.maximum(self.factors.v[: self._last, candidate], self.floor))
        if self._dependent[candidate]:
            half[:] = 0.0
        total, classes = self._total + half[0], self._classes + half[1:]
        value = total - float(self.weights @ classes)
        bound = value if self.view.n_targets else min(value, self.class_entropy)
        told: dict[str, Any] = {
            "criterion": float(self.weights @ self._terms(total, classes)),
            "bound": float(bound),
        }
        floor = self._fano(bound)
        if floor is not None:
            told["fano_floor"] = floor
        if self.saturated_at is not None:
            told["fill"] = self.fill
        return told

    def _p_values(self) -> Floats:
        half = self._half_logs()
        ratio = 2.0 * (half[0] - self.weights @ half[1:])
        view, size = self.view, len(self.chosen)
        if self.clipped:
            # pooling only makes the ratio smaller: the law of λ = 0 is then on the safe side
            return class_p_values(ratio, view.counts, size)
        groups = len(view.between) if view.n_targets else view.n_classes - 1
        return pooled_p_values(ratio, view.n_samples, groups, size)

    def details(self) -> dict[str, Any]:
        return super().details() | {"pooling": self.pooling, "marginals": self.marginals, "fill": self.fill}


class Wilks(GCMI):
    """wilks: ½ log|Σ*| − ½ log|Σ_W|, one covariance pooled over the classes; gc.mi with pooling = 1."""

    def __init__(self, statistics: Any, *, pooling: float = 1.0, **options: Any) -> None:
        super().__init__(statistics, pooling=pooling, **options)


class GCE(GCMI):
    """gc.e: Σ_y p_y min(H*, H_y − log p_y), the bound on the joint entropy of the chosen features.

    Once H_y − log p_y is the smaller for every class and candidate the criterion still orders the candidates
    by their entropy within the classes: ``fill="criterion"`` goes on with it, ``"random"`` is the paper's.
    """

    fills = ("criterion", "random")

    def __init__(self, statistics: Any, *, fill: str = "criterion", **options: Any) -> None:
        super().__init__(statistics, fill=fill, **options)

    def _terms(self, total: Floats | float, classes: Floats) -> Floats:
        caps = self.caps if classes.ndim == 1 else self.caps[:, None]
        return np.minimum(total, classes + caps)

    def _criterion(self) -> float:
        dimensions = len(self.chosen) * HALF_LOG_2PIE
        return float(self.weights @ self._terms(self._total, self._classes)) + dimensions

    def _gains(self) -> Floats:
        half = self._half_logs()
        total, classes = self._total + half[0], self._classes[:, None] + half[1:]
        terms = self._terms(total, classes)
        if self.saturated_at is None and self.clipped:
            live = ~self._dependent
            if live.any() and (total - classes >= self.caps[:, None])[:, live].all():
                self.saturated_at = len(self.chosen)
        if self.saturated_at is not None and self.fill == "random":
            return self._fill_gains()
        now = float(self.weights @ self._terms(self._total, self._classes))
        return self.weights @ terms - now + HALF_LOG_2PIE

    def _after(self, candidate: int) -> dict[str, Any]:
        told = super()._after(candidate)
        told["criterion"] += (len(self.chosen) + 1) * HALF_LOG_2PIE
        return told
