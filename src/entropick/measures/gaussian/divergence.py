"""GKL: information bounded by Kullback–Leibler divergences between Gaussian classes (Lefakis & Fleuret 2014).

For each class y against the rest ȳ (mean and covariance of all other rows), p = p_y, p̄ = 1 − p,

    gkl.mi  maximises  mean_y [ p KL(f_y ‖ f_ȳ) + p̄ KL(f_ȳ ‖ f_y) ]
    gkl.e   maximises  mean_y [ the same + p H(f_y) + p̄ H(f_ȳ) ]

With two classes the two problems are the same and one is kept. The paper (§4.2) finds O(k²) a candidate; it
is O(k). For an ordered pair (1, 2) let e_j be the residual of X_j regressed on X_S with the coefficients of
law 2. Adding j adds to 2 KL(f_1 ‖ f_2)

    var₁(e_j)/v²_j  +  δ_j²/v²_j  −  log v¹_j  +  log v²_j  −  1

with δ the gap of the means, residualised alike. When i enters, with c_j = cov₂(e_j, e_i)/v²_i,

    e_j −= c_j e_i          δ_j −= c_j δ_i

e_j is kept by its coordinates w_j on the Cholesky basis of law 1, so that var₁(e_j) = v¹_j + |w_j|² is a sum
of squares: one rank-one update a step, O(k) a candidate. (Updating var₁(e_j) itself by
−2 c_j cov₁(e_j, e_i) + c_j² var₁(e_i) costs as much and loses five digits more where features nearly
determine each other.) The true bound on I(X_S; Y) that is reported beside it is that of `compromise`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.variances import sweep
from .base import FLOOR, GaussianMeasure, own_entropies
from .chance import class_p_values
from .factor import StoredFactors, blend

Floats = NDArray[np.float64]


class ClassPair:
    """One ordered pair of laws (1, 2): what KL(f_1 ‖ f_2) needs of every candidate beside v¹ and v²."""

    def __init__(self, first: int, second: int, gap: Floats) -> None:
        self.first = first  # which covariance of the factors is Σ_1
        self.second = second
        self.gap: Floats = gap.copy()  # δ_j
        self.moved: Floats = np.zeros(len(gap))  # |w_j|²
        self._w: Floats = np.empty((8, len(gap)))
        self.length = 0

    def terms(self, v1: Floats, v2: Floats) -> Floats:
        """Increment of KL(f_1 ‖ f_2) for each candidate, nats."""
        return 0.5 * ((v1 + self.moved + self.gap**2) / v2 - np.log(v1 / v2) - 1.0)

    def add(self, i: int, row1: Floats, root1: float, row2: Floats, root2: float) -> None:
        """Feature i enters: row1, row2 the new rows of the Cholesky factors, root1 = sqrt(v¹_i) alike.

        A root is infinite where i has nothing left in that law: its row is zero, it is not conditioned on.
        """
        k = self.length
        if k == len(self._w):
            self._w = np.concatenate([self._w, np.empty_like(self._w)])
        c = row2 / root2
        sweep(self._w[:k], self._w[:k, i].copy(), c, self.moved)
        last = np.subtract(row1, c * (root1 if np.isfinite(root1) else 0.0), out=self._w[k])
        self.moved += last * last
        self.gap -= c * self.gap[i]
        self.length += 1


class GKLMI(GaussianMeasure):
    """gkl.mi: mean over classes of p KL(f_y ‖ f_ȳ) + p̄ KL(f_ȳ ‖ f_y), module's docstring."""

    entropy = False
    _own_entropies: Floats

    def __init__(
        self,
        statistics: Any,
        *,
        shrinkage: str | float | None = "auto",
        floor: float = FLOOR,
        marginals: str = "raw",
        labels: Any = None,
    ) -> None:
        self.marginals = marginals
        super().__init__(statistics, shrinkage=shrinkage, floor=floor, labels=labels)

    def _build(self) -> None:
        view, p = self.view, self.priors
        c, g = view.n_classes, len(view.between)
        # covariances: the C classes, then (for more than two) the C rests, then the total, unshrunk
        problems = range(1) if c == 2 else range(c if c > 1 else 0)
        rests = 0 if c == 2 else len(problems)
        within = np.zeros((c + rests, c))
        between = np.zeros((c + rests, g, g))
        within[:c] = np.eye(c)
        self._problems: list[tuple[Floats, ClassPair, ClassPair]] = []
        gaps = []
        for y in problems:
            gaps.append(view.means[y] / (1.0 - p[y]))  # m_y − m_ȳ, as the total mean is 0
            if c == 2:
                continue
            share = np.where(np.arange(c) == y, 0.0, p / (1.0 - p[y]))
            root = np.where(np.arange(c) == y, 0.0, np.sqrt(p))
            within[c + y] = share
            spread = np.diag((root > 0) / (1.0 - p[y])) - np.outer(root, root) / (1.0 - p[y]) ** 2
            between[c + y] = view.contrasts @ spread @ view.contrasts.T
        what = blend(view, within, between, self._rho, self.floor)
        total = blend(view, p[None, :], np.eye(g)[None], 0.0)
        self.factors = StoredFactors(view, what, self.floor)
        self.total = StoredFactors(view, total, self.floor)
        for y, gap in zip(problems, gaps, strict=True):
            rest = 1 if c == 2 else c + y
            self._problems.append(
                (
                    np.array([p[y], 1.0 - p[y]]),
                    ClassPair(y, rest, gap),
                    ClassPair(rest, y, gap),
                )
            )
        self._value = 0.0
        self._total = 0.0
        self._classes = np.zeros(c)

    def _floored(self) -> Floats:
        return np.maximum(self.factors.v, self.floor)

    def _gains(self) -> Floats:
        v = self._floored()
        gains = np.zeros(self.n_candidates)
        for shares, forth, back in self._problems:
            gains += shares[0] * forth.terms(v[forth.first], v[forth.second])
            gains += shares[1] * back.terms(v[back.first], v[back.second])
            if self.entropy:
                gains += shares @ (0.5 * np.log(v[[forth.first, back.first]])) + self._own_entropies
        return gains / max(len(self._problems), 1)

    def _advance(self, candidate: int) -> None:
        i = candidate
        if i not in self._spent:
            v = self._floored()
            self._value += float(self._gains()[i])
            self._total += 0.5 * float(np.log(max(self.total.v[0, i], self.floor)))
            self._classes += 0.5 * np.log(v[: self.view.n_classes, i])
        root = np.sqrt(np.where(self.factors.v[:, i] > self.floor, self.factors.v[:, i], np.inf))
        class_rows = self.view.class_rows(i)
        new = self.factors.append(i, self.factors.covariance_rows(i, class_rows))
        self.total.append(i, self.total.covariance_rows(i, class_rows))
        for _, *pairs in self._problems:
            for pair in pairs:
                one, two = pair.first, pair.second
                pair.add(i, new[one], float(root[one]), new[two], float(root[two]))

    def _collinear(self) -> NDArray[np.bool_]:
        return np.asarray(self.total.v[0] <= self.floor)

    def _criterion(self) -> float:
        return self._value

    def bound(self) -> float:
        return min(self._total - float(self.priors @ self._classes), self.class_entropy)

    def divergence_bound(self) -> float:
        """mean_y of the divergence bound on I(X_S; 1[Y = y]), nats, its constant included."""
        p = np.array([shares[0] for shares, *_ in self._problems])
        return self._value - float(np.mean(p * np.log1p(-p) + (1 - p) * np.log(p)))

    def _after(self, candidate: int) -> dict[str, Any]:
        half = 0.5 * np.log(self._floored()[: self.view.n_classes, candidate])
        total = 0.5 * float(np.log(max(self.total.v[0, candidate], self.floor)))
        gain = float(self._gains()[candidate])
        if self._dependent[candidate]:
            half[:], total, gain = 0.0, 0.0, 0.0
        value = self._total + total - float(self.priors @ (self._classes + half))
        bound = min(value, self.class_entropy)
        told: dict[str, Any] = {"criterion": self._value + gain, "bound": bound}
        floor = self._fano(bound)
        return told if floor is None else told | {"fano_floor": floor}

    def _p_values(self) -> Floats:
        v = np.log(self._floored()[: self.view.n_classes])
        ratio = np.log(np.maximum(self.total.v[0], self.floor)) - self.priors @ v
        return class_p_values(ratio, self.view.counts, len(self.chosen))

    def details(self) -> dict[str, Any]:
        told = super().details() | {"marginals": self.marginals}
        if self._problems and not self.entropy:
            told["divergence_bound"] = self.divergence_bound()
        return told


class GKLE(GKLMI):
    """gkl.e: gkl.mi plus p H(f_y) + p̄ H(f_ȳ), the divergence bound on the joint entropy; ``scale`` as in `GCE`."""

    entropy = True

    def __init__(self, statistics: Any, *, scale: str = "unit", **options: Any) -> None:
        self.scale = scale
        super().__init__(statistics, **options)

    def _build(self) -> None:
        self._own_entropies = own_entropies(self.view, self.scale)
        super()._build()

    def details(self) -> dict[str, Any]:
        return super().details() | {"scale": self.scale}
