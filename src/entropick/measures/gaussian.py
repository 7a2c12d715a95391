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

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..kernels.variances import half_log_ratios, half_logs
from ..statistics.moment_views import RowsView
from .gaussian_base import FLOOR, TIE, GaussianMeasure, own_entropies
from .gaussian_chance import class_p_values, pooled_p_values
from .gaussian_factor import Between, Blend, Factors, ImplicitFactors, Then, blend, factorise
from .gaussian_pruning import LazyFactors, Pruner

Floats = NDArray[np.float64]


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
        self._filler: Floats | None = None
        self._lazy = False
        self._spans_all = False  # whether every column is known to be collinear or not, see `_doubtful`
        super().__init__(statistics, shrinkage=shrinkage, floor=floor, labels=labels)

    def _build(self) -> None:
        view = self.view
        c, g = view.n_classes, len(view.between)
        self.clipped = not view.n_targets and self.pooling < 1.0 and c > 1
        own = (1 - self.pooling) * np.eye(c) + self.pooling * self.priors if self.clipped else self.priors[None]
        self.weights: Floats = self.priors if self.clipped else np.ones(1)
        self.caps: Floats = -np.log(self.priors) if self.clipped else np.full(1, np.inf)
        # Σ_W first, and the total from it by `Between`; pruning bounds the total itself
        within = np.vstack([self.priors, own]) if self.clipped or self._lazy else own
        between = np.zeros((len(within), g, g))
        if self._lazy:
            between[0] = np.eye(g)
        what = blend(view, within, between, self._rho, self.floor)
        self._own = slice(len(within) - len(own), len(within))  # which of them are the classes', or the pooled one
        shrunk = bool(self._rho.any())
        self._hasty = shrunk and view.in_rows and not (self._lazy or self._spans_all)
        if self._hasty:
            what = what.joined(self._unshrunk())
        self.factors: Factors = (LazyFactors if self._lazy else factorise)(view, what, self.floor)
        self._between = Between(view.between, self.floor)
        self._span: Factors | None = self._spanned() if shrunk and not self._hasty else None
        self._asked: tuple[int, Floats] | None = None  # the latest answer of `_half_logs_of`, until the set changes
        self._pooled: Floats | None = None  # gains of the pooled bound, until they are asked for
        self._total = 0.0  # ½ log|Σ*_S|
        self._classes: Floats = np.zeros(len(own))  # ½ log|Σ^y_S|
        self._follow_less()

    def _unshrunk(self) -> Blend:
        """Σ* itself: shrunk covariances cannot tell what is collinear."""
        return blend(self.view, self.priors[None], np.eye(len(self.view.between))[None])

    def _spanned(self) -> Factors:
        return factorise(self.view, self._unshrunk(), self.floor)

    def _follow_less(self) -> None:
        """After saturation the pooled covariance alone decides; Σ*, where it comes last, is asked one by one."""
        if isinstance(self.factors, ImplicitFactors):
            pooled = self.saturated_at is not None and self.fill == "pooled"
            self.factors.track(np.arange(self.factors.what.size) < (1 if pooled else self._own.stop))

    def _estimated_from(self) -> Floats:
        own = self.pooling < 1.0 and not self.view.n_targets
        return self.view.counts if own else np.array([self.view.n_samples])

    def _half_logs(self) -> Floats:
        """(1 + C, D) ½ log of the conditional variances: total, then each class (or the pooled)."""
        v = self.factors.v
        if self._lazy:
            return 0.5 * np.log(np.maximum(v, self.floor))
        half = np.empty((1 + len(self._classes), v.shape[1]))
        half_logs(v[0] + self._between.spread(), self.floor, half[0])
        for own, out in zip(v[self._own], half[1:], strict=True):
            half_logs(own, self.floor, out)
        return half

    def _half_logs_of(self, candidate: int) -> Floats:
        if self._asked is None or self._asked[0] != candidate:
            v = self.factors.remaining(candidate)
            if not self._lazy:
                total = v[0] + self._between.spread_of(candidate)
                v = np.concatenate([[total], v[self._own]])
            self._asked = candidate, 0.5 * np.log(np.maximum(v, self.floor))
        return self._asked[1]

    def _advance(self, candidate: int) -> None:
        if candidate not in self._spent:
            half = self._half_logs_of(candidate)
            self._total += half[0]
            self._classes += half[1:]
        self.factors.append(candidate, then=None if self._lazy else self._follow(candidate))
        if self._span is not None:
            self._span.append(candidate)
        self._asked = None

    def _follow(self, candidate: int) -> Then:
        """What is still to do for a range of columns: Z, and the pooled gains where those decide."""
        move = self._between.append(candidate, float(self.factors.roots(candidate)[0]))
        pooled = self.saturated_at is not None and self.fill == "pooled"
        self._pooled = np.empty(self.n_candidates) if pooled else None

        def follow(part: slice, rows: Floats) -> None:
            move(part, rows)
            if self._pooled is not None:
                self._pooled_half_ratios(part, self._pooled)

        return follow

    def _collinear(self) -> NDArray[np.bool_]:
        if self._hasty:
            return self._dependent
        if self._span is not None:
            return self._span.v[0] <= self.floor
        v = self.factors.v[0]
        near = v <= self.floor
        if not self._lazy and near.any():
            near &= v + self._between.spread() <= self.floor
        return near

    def _doubtful(self, candidate: int) -> bool:
        """With rows on demand and shrinkage a column is looked at when it is about to be chosen.

        Once one is found collinear others may be too, and all are followed, which costs a second pass a step.
        When the chosen span the space of the rows every column is collinear, and none is worth setting apart.
        """
        if not self._hasty or not isinstance(self.view, RowsView):
            return False
        if len(self.chosen) - len(self._spent) >= self.view.n_rows - 1:
            return False
        return bool(self.factors.remaining(candidate)[-1] <= self.floor)

    def _look_everywhere(self) -> None:
        if self._spans_all:
            return
        self._spans_all = True
        if self._hasty:
            self._hasty = False
            self._span = self._spanned()
            self._dependent = self.view.constant.copy()
            for i in self.chosen:  # which came first decides who stays behind once all are collinear
                self._span.append(i)
                self._dependent[i] = True
                self._mark_dependent()
            self._cache = None

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
            self._follow_less()
            if not self._set_saturates():  # this step still gains, as much by one as by another
                order = np.where(self._dependent, 0.0, self._fill_gains())
                return gains + TIE * order / max(float(np.abs(order).max()), TIE)
        return self._fill_gains()

    def _saturates(self, terms: Floats) -> bool:
        if not self.clipped:
            return False
        short = np.flatnonzero((terms < self.caps[:, None]).any(axis=0) & ~self._dependent)
        if len(short) and self._doubtful(int(short[0])):
            self._look_everywhere()
            return self._saturates(terms)
        everywhere = not len(short) and not self._dependent.all()
        return everywhere or self._set_saturates()

    def _exhausted(self) -> bool:
        if self.saturated_at is None:
            return False
        return len(self.chosen) > self.saturated_at or self._set_saturates()

    def _set_saturates(self) -> bool:
        return bool((self._terms(self._total, self._classes) >= self.caps).all())

    def _fill_gains(self) -> Floats:
        if self.fill == "random":
            if self._filler is None:
                from sklearn.utils import check_random_state

                order = check_random_state(self.random_state).permutation(self.n_candidates)
                self._filler = (1.0 + order) / self.n_candidates * 1e3 * TIE
            return np.array(self._filler)
        gains, self._pooled = self._pooled, None
        if gains is None:
            gains = np.empty(self.n_candidates)
            self._pooled_half_ratios(slice(None), gains)
        return gains

    def _pooled_half_ratios(self, part: slice, out: Floats) -> None:
        half_log_ratios(self.factors.v[0, part], self._between.spread(part), self.floor, out[part])

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
        low, high = (0.5 * np.log(np.maximum(v, self.floor)) for v in (low, high))
        terms = self._terms(self._total + high[0], self._classes[:, None] + low[1:])
        self._mark_dependent()
        return self.weights @ terms - self._criterion()

    def may_saturate(self, low: Floats, high: Floats) -> bool:
        """Whether, as far as these bounds tell, no candidate can be told from another; exact if they are."""
        low, high = (0.5 * np.log(np.maximum(v, self.floor)) for v in (low, high))
        return self._saturates(self._terms(self._total + high[0], self._classes[:, None] + low[1:]))

    # -- reports ---------------------------------------------------------------------------------------

    def bound(self) -> float:
        value = self._total - float(self.weights @ self._classes)
        return value if self.view.n_targets else min(value, self.class_entropy)

    def _after(self, candidate: int) -> dict[str, Any]:
        half = np.zeros(1 + len(self._classes)) if self._dependent[candidate] else self._half_logs_of(candidate)
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
    Entropy depends on units. ``scale="unit"`` takes standardised features, so that no unit decides; ``"own"`` the
    features as they are, which adds log of each deviation: for features of one unit, whose wide ones say more.
    """

    fills = ("criterion", "random")

    def __init__(self, statistics: Any, *, fill: str = "criterion", scale: str = "unit", **options: Any) -> None:
        self.scale = scale
        super().__init__(statistics, fill=fill, **options)

    def _build(self) -> None:
        self._own_entropies = own_entropies(self.view, self.scale)
        super()._build()

    def _terms(self, total: Floats | float, classes: Floats) -> Floats:
        caps = self.caps if classes.ndim == 1 else self.caps[:, None]
        return np.minimum(total, classes + caps)

    def _criterion(self) -> float:
        own = float(self._own_entropies[self.chosen].sum())
        return float(self.weights @ self._terms(self._total, self._classes)) + own

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
        return self.weights @ terms - now + self._own_entropies

    def _after(self, candidate: int) -> dict[str, Any]:
        told = super()._after(candidate)
        told["criterion"] += float(self._own_entropies[[*self.chosen, candidate]].sum())
        return told

    def details(self) -> dict[str, Any]:
        return super().details() | {"scale": self.scale}
