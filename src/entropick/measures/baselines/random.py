"""No measure at all: what any other method must beat."""

from __future__ import annotations

from typing import Any

import numpy as np

from .ranking import Ranked


class Random(Ranked):
    """A uniform draw from [0, 1) a feature; the target is not looked at. ``random_state`` decides."""

    def __init__(self, statistics: Any, random: np.random.Generator, n_jobs: int | None = None) -> None:
        super().__init__(random.random(statistics.n_features))
