"""The pairwise conditional information of a set (Vinh et al. 2014, eq. 17–18).

    value(S) = Σ_i I(X_i;C) + Σ_{i≠j} I(X_i;C|X_j) = xᵀQx,     x the indicator of S
    Q_ii = I(X_i;C),    Q_ij = ½ {I(X_i;C|X_j) + I(X_j;C|X_i)}

Relevance, redundancy and class-conditional redundancy in one matrix without a parameter:
Σ_j I(X_i;C|X_j) = |S| I(X_i;C) − Σ_j [I(X_i;X_j) − I(X_i;X_j|C)]. The greedy sibling is JMI. `spec.cmi` maximises the
form over the unit sphere, `sdp.cmi` over a semidefinite relaxation of the sets of k.
"""

from __future__ import annotations

from typing import ClassVar

from .form import Floats, PairForm, Pairs


class ConditionalInformation(PairForm):
    """xᵀQx."""

    kind: ClassVar[str] = "complement"

    def _own(self, pairs: Pairs) -> Floats:
        return pairs.relevance
