"""The compromise bounds: each law's part, cut where the law can tell no more (Lefakis & Fleuret 2014, eq. 8).

With H* the entropy of all rows, H_y that of law y, p_y its share and −log p_y its cap,

    information   Σ_y p_y min(H* − H_y, −log p_y)
    entropy       Σ_y p_y min(H*, H_y − log p_y)

Both are taken of half log-determinants: what a Gaussian adds beside them cancels or is the same for every law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .pooling import Laws

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class InformationBound:
    """Σ_y p_y min(H* − H_y, −log p_y), of one set or of D sets at once."""

    laws: Laws

    def terms(self, total: Floats | float, classes: Floats) -> Floats:
        """The cut part of each law: total () or (D,), classes (L,) or (L, D)."""
        return np.minimum(total - classes, self._caps(classes))

    def value(self, terms: Floats) -> Floats:
        """Σ_y p_y of the terms: () or (D,)."""
        return np.asarray(self.laws.weights @ terms)

    def full(self, total: Floats | float, classes: Floats) -> NDArray[np.bool_]:
        """Which laws have reached their caps."""
        return np.asarray(total - classes >= self._caps(classes))

    def _caps(self, classes: Floats) -> Floats:
        return self.laws.caps if classes.ndim == 1 else self.laws.caps[:, None]


class EntropyBound(InformationBound):
    """Σ_y p_y min(H*, H_y − log p_y)."""

    def terms(self, total: Floats | float, classes: Floats) -> Floats:
        return np.minimum(total, classes + self._caps(classes))
