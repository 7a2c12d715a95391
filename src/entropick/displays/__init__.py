"""Plots in scikit-learn's manner: the constructor stores computed data, ``from_…`` computes, ``plot`` draws.

Every display has ``frame()``, the numbers behind the picture, and after ``plot(ax=…)`` the attributes ``ax_`` and
``figure_``. Matplotlib (the extra ``plot``) is imported when something is drawn, not before.
"""

from __future__ import annotations

from .accuracy import AccuracyDisplay
from .credible import CredibleSetDisplay
from .criterion_space import CriterionSpaceDisplay
from .critical_difference import CriticalDifferenceDisplay
from .display import Display
from .feature import FeatureDisplay
from .frequency import FrequencyDisplay
from .interactions import BestPairDisplay, InteractionNetworkDisplay
from .method_map import MethodMapDisplay
from .panel import PanelDisplay
from .pareto import ParetoDisplay
from .path import SelectionPathDisplay
from .redundancy import RedundancyDisplay
from .stability import StabilityDisplay

__all__ = [
    "AccuracyDisplay",
    "BestPairDisplay",
    "CredibleSetDisplay",
    "CriterionSpaceDisplay",
    "CriticalDifferenceDisplay",
    "Display",
    "FeatureDisplay",
    "FrequencyDisplay",
    "InteractionNetworkDisplay",
    "MethodMapDisplay",
    "PanelDisplay",
    "ParetoDisplay",
    "RedundancyDisplay",
    "SelectionPathDisplay",
    "StabilityDisplay",
]
