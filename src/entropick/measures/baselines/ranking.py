"""The common part of methods that give every feature one number, whatever else is chosen."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..measure import Account, Scores

LEAST = 1e-15  # share of a spread that counts as none: keeps ratios finite where classes are separated exactly


class Ranked:
    """Fixed scores, (n_candidates,); nothing a feature says depends on the others."""

    units: ClassVar[str] = ""
    judged_alone: ClassVar[bool] = True  # so are p-values

    def __init__(self, scores: Scores) -> None:
        self.scores = np.ascontiguousarray(scores, dtype=np.float64)
        self.n_candidates = int(self.scores.size)

    def gains(self) -> Scores:
        return self.scores

    def add(self, candidate: int) -> None:
        """Nothing changes: features are judged one by one."""

    def account(self, candidate: int) -> Account:
        return Account(relevance=float(self.scores[candidate]))

    def details(self) -> dict[str, Any]:
        """What every feature scored."""
        return {"feature_scores": self.scores}


def ratio(above: Scores, below: Scores) -> Scores:
    """above / below, finite: where below is less than 1e-15 of both together it is taken as that; 0 / 0 is 0."""
    both = np.where(above > 0, above + below, 1.0)  # shares of it: LEAST times a tiny sum would be 0
    return np.where(above > 0, above / both, 0.0) / np.maximum(below / both, LEAST)
