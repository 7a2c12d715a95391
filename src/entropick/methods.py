"""The registry: method name -> measure × search, with what it claims. Built-in entries are in `catalogue`.

Others come by `register`, or from installed packages that have the entry-point group ``entropick.methods``: each entry
point is a `Method`, or a list of them, and is loaded when a name is asked for that is not known, or all are listed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from .catalogue import baselines, discrete, gaussian, joint, kernel, relaxations
from .catalogue.method import SEES, Method, Option
from .errors import EntropickWarning, InvalidParameter, UnknownMethod, closest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["REGISTRY", "Method", "Option", "get_method", "known_methods", "methods", "register", "unregister"]

GROUP = "entropick.methods"
FAMILIES = (joint, discrete, gaussian, relaxations, kernel, baselines)
REGISTRY: dict[str, Method] = {method.name: method for family in FAMILIES for method in family.METHODS}
BUILT_IN = frozenset(REGISTRY)
_seen: set[str] = set()  # entry points that were looked at, "name = value" each


def register(method: Method) -> Method:
    """Make a method of your own known by its name: to `select`, `Selector`, `compare`, `methods` and the command line.

    >>> from entropick.measures.pairwise.linear import MRMR
    >>> register(Method("my.mrmr", MRMR)).name
    'my.mrmr'
    >>> unregister("my.mrmr")
    """
    if not isinstance(method, Method):
        raise InvalidParameter(f"method: must be an entropick.Method, got {method!r}")
    if not isinstance(method.measure, type):
        raise InvalidParameter(f"measure: must be a class, got {method.measure!r}")
    if method.name in REGISTRY and REGISTRY[method.name] is not method:
        whose = "built in" if method.name in BUILT_IN else "registered already"
        raise InvalidParameter(
            f"name: {method.name!r} is {whose}; choose another name, or unregister that method first"
        )
    REGISTRY[method.name] = method
    return method


def unregister(name: str) -> None:
    """Forget a method that was registered.

    >>> import entropick as ep
    >>> ep.unregister("jmi")
    Traceback (most recent call last):
        ...
    entropick.errors.InvalidParameter: name: 'jmi' is built in and stays
    """
    if name in BUILT_IN:
        raise InvalidParameter(f"name: {name!r} is built in and stays")
    if name not in REGISTRY:
        raise UnknownMethod(f"name: no method {name!r} is registered")
    del REGISTRY[name]


def get_method(name: str) -> Method:
    """The method of that name, or an error that names the nearest one."""
    if isinstance(name, str) and name in REGISTRY:
        return REGISTRY[name]
    known = known_methods()
    if not isinstance(name, str) or name not in known:
        near = closest(name, known) or f" Known: {', '.join(known)}"
        raise UnknownMethod(f"method: no method {name!r}.{near}")
    return known[name]


def known_methods() -> dict[str, Method]:
    """Every method by its name, those of installed packages too."""
    for point in entry_points(group=GROUP):
        key = f"{point.name} = {point.value}"
        if key not in _seen:
            _seen.add(key)
            _load(point)
    return REGISTRY


def _load(point: EntryPoint) -> None:
    """A package that does not work must not keep all others from working: it is told, once."""
    try:
        found = point.load()
        for method in found if isinstance(found, (list, tuple)) else [found]:
            register(method)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        warnings.warn(f"entry point {point.name!r} = {point.value!r}: {error}", EntropickWarning, stacklevel=4)


def own_methods() -> tuple[Method, ...]:
    """What was registered, to be sent to other processes."""
    return tuple(method for name, method in REGISTRY.items() if name not in BUILT_IN)


def adopt(methods: Iterable[Method]) -> None:
    """In another process: know exactly these besides the built-in ones."""
    for name in [name for name in REGISTRY if name not in BUILT_IN]:
        del REGISTRY[name]
    for method in methods:
        register(method)


def methods() -> pd.DataFrame:
    """Every method, one a row: what it does, what it can see, what it claims, its options, its paper.

    ``weights``: what ``sample_weight`` means to it, ``rows`` (weight 2 is the row twice), ``importance`` or ``none``.
    ``blocks``: rows in blocks give the same answer as in memory. ``nested``: the k chosen are the first k of a longer
    run. ``invariant``: what of a column's scale does not matter. `Method` says all of it more fully.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "method": m.name,
                "family": m.family,
                "summary": m.summary,
                **{what: what in m.sees for what in SEES},
                "tasks": ", ".join(m.tasks),
                "searches": ", ".join(m.searches),
                "options": ", ".join(m.options),
                **m.facts(),
                "paper": m.paper,
            }
            for m in known_methods().values()
        ]
    ).set_index("method")
