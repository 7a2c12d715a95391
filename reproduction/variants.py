"""Methods as the papers have them: entries of the registry with other defaults, registered when they are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import entropick as ep
from entropick.methods import get_method

FAMILY = "reproduction"


def variant(name: str, of: str, **defaults: Any) -> str:
    """The name of a method that is as another but for the defaults of some options; registered with the first call.

    >>> variant("gc.mi:2014", "gc.mi", fill="random")
    'gc.mi:2014'
    >>> ep.methods().at["gc.mi:2014", "summary"]
    "joint Gaussian information, compromise bound (fill='random')"
    >>> ep.unregister("gc.mi:2014")
    """
    if name not in ep.methods().index:
        base = get_method(of)
        base.resolve(defaults)  # an error where the method has no such option
        changed = {option: replace(base.options[option], default=value) for option, value in defaults.items()}
        told = ", ".join(f"{option}={value!r}" for option, value in defaults.items())
        ep.register(
            replace(
                base,
                name=name,
                measure=base.measure_class(),
                family=FAMILY,
                summary=f"{base.summary} ({told})",
                options={**base.options, **changed},
            )
        )
    return name


def serves(method: str, task: str) -> bool:
    """Whether a method is for the task."""
    return task in str(ep.methods().at[method, "tasks"]).split(", ")
