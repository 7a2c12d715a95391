"""Pooling: which covariances stand for the classes, Σ_y -> (1 − λ) Σ_y + λ Σ_W.

λ = 0 is the paper's, a covariance a class; λ = 1 is one for all of them, Wilks' criterion, which needs no cap: once
its information passes H(Y) it still orders the candidates. With a continuous target there is one anyway.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...statistics.moments.views import AnyView

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Laws:
    """The L laws that stand for the classes: each a mixture of their covariances.

    mixtures (L, C), rows sum to 1; weights (L,), their shares; caps (L,), what a law can at most tell, nats.
    """

    mixtures: Floats
    weights: Floats
    caps: Floats

    @property
    def clipped(self) -> bool:
        """Whether a law says no more than its cap."""
        return bool(np.isfinite(self.caps).all())


def pooled_laws(view: AnyView, pooling: float) -> Laws:
    """The laws for λ = pooling."""
    c, priors = view.n_classes, view.priors
    if view.n_targets or pooling >= 1.0 or c == 1:
        return Laws(priors[None], np.ones(1), np.full(1, np.inf))
    return Laws((1 - pooling) * np.eye(c) + pooling * priors, priors, -np.log(priors))
