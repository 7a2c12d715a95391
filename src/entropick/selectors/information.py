"""`information`: what a set of features that is given says, by any measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..methods import REGISTRY, get_method
from ..search.worth import worth_of
from .answer import measure_of
from .gather import gather
from .request import Request, plan_for, several


def information(
    X: Any,
    y: Any,
    features: Any = None,
    *,
    measure: str = "joint",
    task: str = "auto",
    discretizer: Any = "auto",
    missing: str = "level",
    sample_weight: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = -1,
    **options: Any,
) -> float | NDArray[np.float64]:
    """What a given set of features says about the target, by any measure, without a search.

    Parameters
    ----------
    X, y, task, discretizer, missing, sample_weight, n_jobs
        as in `select`.
    features
        names or numbers of columns, all where None; or a list of such sets, which gives one value each.
    measure
        a method of `entropick.methods()`, or the first part of its name: ``"lsmi"`` is that of ``"lsmi.forward"``. Of a
        criterion that is defined step by step (``mrmr``, ``jmi``, ``cmim`` …), and of rankings, the value is the sum of
        the scores of the members in the order given; all others are worth the same in any order.
    random_state
        seed of centres and folds; the same for all sets.
    **options
        what only this measure understands.

    Returns
    -------
    float, or (n_sets,) floats
        in the units of the measure: nats where it is an information.

    Examples
    --------
    >>> import entropick as ep
    >>> problem = ep.datasets.xor(400, random_state=0)
    >>> both, one = ep.information(problem.X, problem.y, [problem.informative, [0]], measure="cmi")
    >>> bool(both > one + 0.3)
    True
    """
    name = measure if measure in REGISTRY else f"{measure}.forward"
    method = get_method(name if name in REGISTRY else measure)
    if "interactions" in method.options:
        options.setdefault("interactions", False)  # products of pairs are for searches
    k = min(len(some) for some in _sets(features, 1))
    request = Request(
        method.name, k, task, discretizer, missing, random_state=random_state, n_jobs=n_jobs, options=options
    )
    with gather(X, y, request, sample_weight) as gathered:
        names = gathered.plan.names
        if not callable(getattr(gathered.plan.asked.measure, "gains", None)):
            raise InvalidParameter(
                f"measure: {measure!r} ranks features only and has no value for a set; use another measure"
            )
        sets = _sets(features, len(names))
        each = [plan_for(replace(request, k=len(some), include=some), names).first for some in sets]
        found = measure_of(gathered)
        values = [worth_of(found, members, lambda: measure_of(gathered)) for members in each]
    return np.array(values) if _many(features) else values[0]


def _many(features: Any) -> bool:
    """Whether these are several sets."""
    return (
        features is not None
        and not isinstance(features, str)
        and any(not isinstance(one, str) and isinstance(one, (Sequence, np.ndarray, set)) for one in features)
    )


def _sets(features: Any, n: int) -> list[list[Any]]:
    if features is None:
        return [list(range(n))]
    given = [several(one) for one in features] if _many(features) else [several(features)]
    if not given or any(not some for some in given):
        raise InvalidParameter(f"features: needs at least one feature in every set, got {features!r:.80}")
    return given
