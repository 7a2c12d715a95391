"""Plots in scikit-learn's manner: the constructor stores computed data, ``from_…`` computes, ``plot`` draws.

Every display has ``frame()``, the numbers behind the picture, and after ``plot(ax=…)`` the attributes ``ax_`` and
``figure_``. Matplotlib (the extra ``plot``) is imported when something is drawn, not before.
"""

from __future__ import annotations

from .accuracy import AccuracyDisplay
from .criterion_space import CriterionSpaceDisplay
from .display import Display
from .method_map import MethodMapDisplay
from .pareto import ParetoDisplay
from .path import SelectionPathDisplay
from .redundancy import RedundancyDisplay
from .stability import StabilityDisplay

__all__ = [
    "AccuracyDisplay",
    "CriterionSpaceDisplay",
    "Display",
    "MethodMapDisplay",
    "ParetoDisplay",
    "RedundancyDisplay",
    "SelectionPathDisplay",
    "StabilityDisplay",
]
