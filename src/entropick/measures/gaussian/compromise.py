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
information −½ log(1 − R²). Scores are increments, in nats. Siblings: `divergence`, `auto`.

One idea a file: `pooling` says which covariances stand for the classes, `conditional` follows them, `bound` cuts what
they tell, `fill` orders what is left once nothing more can be told.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidParameter
from ...statistics.moments.views import RowsView
from .base import FLOOR, TIE, GaussianMeasure, own_entropies
from .bound import EntropyBound, InformationBound
from .chance import class_p_values, pooled_p_values
from .conditional import Conditional, Span
from .fill import FILLS
from .pooling import pooled_laws

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

    fills: ClassVar[tuple[str, ...]] = ("pooled", "random")
    bounded_by: ClassVar[type[InformationBound]] = InformationBound

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
        self.fill = FILLS[fill](random_state)
        self._followed_by: type[Conditional] = Conditional
        self._everywhere = False  # whether it is known of every column whether it is collinear
        super().__init__(statistics, shrinkage=shrinkage, floor=floor, labels=labels)

    # -- the covariances given the chosen --------------------------------------------------------------

    def _build(self) -> None:
        laws = pooled_laws(self.view, self.pooling)
        self.compromise = self.bounded_by(laws)
        self.given = self._followed_by(self.view, laws, self._rho, self.floor)
        self._span = self._spanned() if self._rho.any() else None
        if self.saturated_at is not None and self.fill.pooled:
            self.given.follow_pooled()

    def _spanned(self) -> Span:
        return Span(self.view, self.floor, everywhere=self._everywhere or not self.view.in_rows)

    def _advance(self, candidate: int) -> None:
        if candidate not in self._spent:
            self.given.count(candidate)
        self.given.append(candidate, None if self.saturated_at is None else self.fill.room(self.n_candidates))
        if self._span is not None:
            self._span.append(candidate)

    def follow_by(self, conditional: type[Conditional]) -> None:
        """Follow the covariances another way from here on: `search.pruned` bounds the candidates first."""
        self._look_everywhere()
        self._followed_by = conditional
        self._rebuild()

    def _estimated_from(self) -> Floats:
        own = self.pooling < 1.0 and not self.view.n_targets
        return self.view.counts if own else np.array([self.view.n_samples])

    # -- collinearity ----------------------------------------------------------------------------------

    def _collinear(self) -> NDArray[np.bool_] | None:
        return self.given.collinear() if self._span is None else self._span.collinear()

    def _doubtful(self, candidate: int) -> bool:
        """Where columns are looked at one by one; when the chosen span all rows none is worth setting apart."""
        if self._span is None or self._span.everywhere or not isinstance(self.view, RowsView):
            return False
        if len(self.chosen) - len(self._spent) >= self.view.n_rows - 1:
            return False
        return self._span.holds(candidate)

    def _look_everywhere(self) -> None:
        if self._everywhere:
            return
        self._everywhere = True
        if self._span is not None and not self._span.everywhere:
            self._span = self._spanned()
            self._dependent = self.view.constant.copy()
            for i in self.chosen:  # which came first decides who stays behind once all are collinear
                self._span.append(i)
                self._dependent[i] = True
                self._mark_dependent()
            self._cache = None

    def spoken_for(self) -> NDArray[np.bool_]:
        """(D,) chosen, constant, or known to be collinear with the chosen."""
        return self._dependent

    def remember(self, bounds: Floats) -> None:
        """Take bounds of the gains for the gains, for `account`; what is spoken for is put below all, in place."""
        self._mark_dependent()
        bounds[self._dependent] = -np.inf
        self._cache = bounds

    # -- the bound -------------------------------------------------------------------------------------

    @property
    def clipped(self) -> bool:
        """Whether the bound can be reached."""
        return self.compromise.laws.clipped

    def terms(self, half: Floats) -> Floats:
        """(L, D) what each law tells of the set with each candidate; half (1 + L, D) as `Conditional.half_logs`."""
        return self.compromise.terms(self.given.total + half[0], self.given.classes[:, None] + half[1:])

    def gains_of(self, terms: Floats) -> Floats:
        """(D,) the gains; terms as `terms` has them."""
        return self.compromise.value(terms) - self._criterion()

    def saturates(self, terms: Floats) -> bool:
        """Whether no candidate can be told from another, or the set tells all there is."""
        if not self.clipped:
            return False
        short = np.flatnonzero((terms < self.compromise.laws.caps[:, None]).any(axis=0) & ~self._dependent)
        if len(short) and self._doubtful(int(short[0])):
            self._look_everywhere()
            return self.saturates(terms)
        everywhere = not len(short) and not self._dependent.all()
        return everywhere or self._set_saturates()

    def _set_saturates(self) -> bool:
        return bool(self.compromise.full(self.given.total, self.given.classes).all())

    def _exhausted(self) -> bool:
        if self.saturated_at is None:
            return False
        return len(self.chosen) > self.saturated_at or self._set_saturates()

    def _criterion(self) -> float:
        return float(self.compromise.value(self.compromise.terms(self.given.total, self.given.classes)))

    def _gains(self) -> Floats:
        if self.saturated_at is not None:
            return self._fill_gains()
        terms = self.terms(self.given.half_logs())
        gains = self.gains_of(terms)
        if not self.saturates(terms):
            return gains
        self.saturated_at = len(self.chosen)
        if self.fill.pooled:
            self.given.follow_pooled()
        if self._set_saturates():
            return self._fill_gains()
        # this step still gains, as much by one as by another
        order = np.where(self._dependent, 0.0, self._fill_gains())
        return gains + TIE * order / max(float(np.abs(order).max()), TIE)

    def _fill_gains(self) -> Floats:
        gains = self.fill.gains(self.given)
        return self.gains_of(self.terms(self.given.half_logs())) if gains is None else gains

    # -- reports ---------------------------------------------------------------------------------------

    def bound(self) -> float:
        return self._true_bound(self.given.total, self.given.classes)

    def _true_bound(self, total: float, classes: Floats) -> float:
        value = total - float(self.compromise.laws.weights @ classes)
        return value if self.view.n_targets else min(value, self.class_entropy)

    def _after(self, candidate: int) -> dict[str, Any]:
        given = self.given
        half = np.zeros(1 + len(given.classes)) if self._dependent[candidate] else given.half_logs_of(candidate)
        total, classes = given.total + float(half[0]), given.classes + half[1:]
        bound = self._true_bound(total, classes)
        told: dict[str, Any] = {
            "criterion": float(self.compromise.value(self.compromise.terms(total, classes))),
            "bound": bound,
        }
        floor = self._fano(bound)
        if floor is not None:
            told["fano_floor"] = floor
        if self.saturated_at is not None:
            told["fill"] = self.fill.name
        return told

    def _p_values(self) -> Floats:
        half = self.given.half_logs()
        ratio = 2.0 * (half[0] - self.compromise.laws.weights @ half[1:])
        view, size = self.view, len(self.chosen)
        if self.clipped:
            # pooling only makes the ratio smaller: the law of λ = 0 is then on the safe side
            return class_p_values(ratio, view.counts, size)
        groups = len(view.between) if view.n_targets else view.n_classes - 1
        return pooled_p_values(ratio, view.n_samples, groups, size)

    def details(self) -> dict[str, Any]:
        return super().details() | {"pooling": self.pooling, "marginals": self.marginals, "fill": self.fill.name}


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
    bounded_by = EntropyBound

    def __init__(self, statistics: Any, *, fill: str = "criterion", scale: str = "unit", **options: Any) -> None:
        self.scale = scale
        super().__init__(statistics, fill=fill, **options)

    def _build(self) -> None:
        self._own_entropies = own_entropies(self.view, self.scale)
        super()._build()

    def _criterion(self) -> float:
        return super()._criterion() + float(self._own_entropies[self.chosen].sum())

    def gains_of(self, terms: Floats) -> Floats:
        return self.compromise.value(terms) - super()._criterion() + self._own_entropies

    def _gains(self) -> Floats:
        given, half = self.given, self.given.half_logs()
        if self.saturated_at is None and self.clipped:
            live = ~self._dependent
            full = self.compromise.full(given.total + half[0], given.classes[:, None] + half[1:])
            if live.any() and full[:, live].all():
                self.saturated_at = len(self.chosen)
        gains = None if self.saturated_at is None else self.fill.gains(given)
        return self.gains_of(self.terms(half)) if gains is None else gains

    def _after(self, candidate: int) -> dict[str, Any]:
        told = super()._after(candidate)
        told["criterion"] += float(self._own_entropies[[*self.chosen, candidate]].sum())
        return told

    def details(self) -> dict[str, Any]:
        return super().details() | {"scale": self.scale}
