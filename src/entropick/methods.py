"""The registry: method name -> measure x search, with what it can see. The entries are in `catalogue`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .catalogue import baselines, discrete, gaussian, kernel, relaxations
from .catalogue.method import Method, Option
from .errors import UnknownMethod, closest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["REGISTRY", "Method", "Option", "get_method", "methods"]

FAMILIES = (discrete, gaussian, relaxations, kernel, baselines)
REGISTRY: dict[str, Method] = {method.name: method for family in FAMILIES for method in family.METHODS}


def get_method(name: str) -> Method:
    """The method of that name, or an error that names the nearest one."""
    if not isinstance(name, str) or name not in REGISTRY:
        near = closest(name, REGISTRY) or f" Known: {', '.join(REGISTRY)}"
        raise UnknownMethod(f"method: no method {name!r}.{near}")
    return REGISTRY[name]


def methods() -> pd.DataFrame:
    """Every method: its family, what it does, what it can see, its options, its paper."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "method": m.name,
                "family": m.family,
                "summary": m.summary,
                "redundancy": "redundancy" in m.sees,
                "interaction": "interaction" in m.sees,
                "nonlinear": "nonlinear" in m.sees,
                "tasks": ", ".join(m.tasks),
                "searches": ", ".join(m.searches),
                "options": ", ".join(m.options),
                "paper": m.paper,
            }
            for m in REGISTRY.values()
        ]
    ).set_index("method")
