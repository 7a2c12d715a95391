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

from .methods import methods  # at once: the module of that name would hide a function loaded later
from .version import __version__

if TYPE_CHECKING:
    from . import datasets
    from .errors import (
        EntropickError,
        EntropickWarning,
        InvalidInput,
        InvalidParameter,
        MissingExtra,
        UnknownMethod,
    )
    from .selection import Selection, Step
    from .selectors.functions import (
        conditional_mutual_information_matrix,
        mutual_information,
        mutual_information_matrix,
        select,
    )
    from .selectors.selector import Selector

# public name -> the module that has it; loaded when first asked for, so that importing stays light
_HOME = {
    "select": "selectors.functions",
    "mutual_information": "selectors.functions",
    "mutual_information_matrix": "selectors.functions",
    "conditional_mutual_information_matrix": "selectors.functions",
    "Selector": "selectors.selector",
    "Selection": "selection",
    "Step": "selection",
    "EntropickError": "errors",
    "EntropickWarning": "errors",
    "InvalidInput": "errors",
    "InvalidParameter": "errors",
    "MissingExtra": "errors",
    "UnknownMethod": "errors",
    "datasets": "",
}

__all__ = [
    "EntropickError",
    "EntropickWarning",
    "InvalidInput",
    "InvalidParameter",
    "MissingExtra",
    "Selection",
    "Selector",
    "Step",
    "UnknownMethod",
    "__version__",
    "conditional_mutual_information_matrix",
    "datasets",
    "methods",
    "mutual_information",
    "mutual_information_matrix",
    "select",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'entropick' has no attribute {name!r}")
    home = _HOME[name]
    value = getattr(import_module(f"{__name__}.{home}"), name) if home else import_module(f"{__name__}.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
