"""entropick: pick the features that are informative together.

>>> import entropick as ep
>>> from sklearn.datasets import load_iris
>>> X, y = load_iris(return_X_y=True, as_frame=True)
>>> ep.select(X, y, method="jmi", k=2).names
['petal width (cm)', 'petal length (cm)']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .methods import Method, Option, methods, register, unregister  # at once: `methods` would else be the module
from .version import __version__

if TYPE_CHECKING:
    from . import datasets, displays
    from .errors import (
        EntropickError,
        EntropickWarning,
        InvalidInput,
        InvalidParameter,
        MissingExtra,
        UnknownMethod,
    )
    from .evaluation import stability
    from .evaluation.benchmark import Benchmark, benchmark
    from .evaluation.cite import cite
    from .evaluation.claims import check_method
    from .evaluation.compare import compare
    from .evaluation.comparison import Comparison
    from .evaluation.criterion_space import criterion_space
    from .evaluation.describe import Description, describe
    from .evaluation.drift import drift
    from .evaluation.export import export
    from .evaluation.panel import Panel, panel
    from .evaluation.small_samples import small_samples
    from .evaluation.stable import StableSelector
    from .pairs.answer import Interaction, Interactions
    from .pairs.interactions import interactions
    from .selection import Selection, Step
    from .selectors.functions import (
        conditional_information_distance,
        conditional_information_matrix,
        conditional_mutual_information_matrix,
        mutual_information,
        mutual_information_matrix,
        select,
    )
    from .selectors.information import information
    from .selectors.selector import Selector
    from .sources.open import open_source
    from .statistics.saved import Statistics

# public name -> the module that has it; loaded when first asked for, so that importing stays light
_HOME = {
    "select": "selectors.functions",
    "mutual_information": "selectors.functions",
    "mutual_information_matrix": "selectors.functions",
    "conditional_mutual_information_matrix": "selectors.functions",
    "conditional_information_matrix": "selectors.functions",
    "conditional_information_distance": "selectors.functions",
    "information": "selectors.information",
    "Selector": "selectors.selector",
    "Statistics": "statistics.saved",
    "open_source": "sources.open",
    "Selection": "selection",
    "Step": "selection",
    "EntropickError": "errors",
    "EntropickWarning": "errors",
    "InvalidInput": "errors",
    "InvalidParameter": "errors",
    "MissingExtra": "errors",
    "UnknownMethod": "errors",
    "check_method": "evaluation.claims",
    "compare": "evaluation.compare",
    "StableSelector": "evaluation.stable",
    "Benchmark": "evaluation.benchmark",
    "benchmark": "evaluation.benchmark",
    "cite": "evaluation.cite",
    "Description": "evaluation.describe",
    "describe": "evaluation.describe",
    "drift": "evaluation.drift",
    "export": "evaluation.export",
    "Comparison": "evaluation.comparison",
    "Interaction": "pairs.answer",
    "Interactions": "pairs.answer",
    "interactions": "pairs.interactions",
    "criterion_space": "evaluation.criterion_space",
    "panel": "evaluation.panel",
    "Panel": "evaluation.panel",
    "small_samples": "evaluation.small_samples",
}

# public name of a module -> the module
_MODULES = {"datasets": "datasets", "displays": "displays", "stability": "evaluation.stability"}

__all__ = [
    "Benchmark",
    "Comparison",
    "Description",
    "EntropickError",
    "EntropickWarning",
    "Interaction",
    "Interactions",
    "InvalidInput",
    "InvalidParameter",
    "Method",
    "MissingExtra",
    "Option",
    "Panel",
    "Selection",
    "Selector",
    "StableSelector",
    "Statistics",
    "Step",
    "UnknownMethod",
    "__version__",
    "benchmark",
    "check_method",
    "cite",
    "compare",
    "conditional_information_distance",
    "conditional_information_matrix",
    "conditional_mutual_information_matrix",
    "criterion_space",
    "datasets",
    "describe",
    "displays",
    "drift",
    "export",
    "information",
    "interactions",
    "methods",
    "mutual_information",
    "mutual_information_matrix",
    "open_source",
    "panel",
    "register",
    "select",
    "small_samples",
    "stability",
    "unregister",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = import_module(f"{__name__}.{_MODULES[name]}")
    elif name in _HOME:
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'entropick' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
