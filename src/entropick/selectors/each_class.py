"""A minimum a class: features that tell one class from all others, so many for each, before anything else is chosen.

Features that tell all classes apart together may leave a rare one with none of its own: few rows gain by it. For every
class the same method selects, on the same columns, what tells this class from the rest; these features come first, in
turn, as if they had been named in ``include``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ..coding import code_target
from ..errors import InvalidParameter
from ..methods import get_method
from ..sources import split_target
from ..sources.origin import InBlocks
from ..statistics.saved import Statistics
from .request import Request, several

if TYPE_CHECKING:
    from .answer import Answer


def check_per_class(per_class: Any) -> None:
    if not isinstance(per_class, Integral) or isinstance(per_class, bool) or per_class < 0:
        raise InvalidParameter(f"per_class: must be an integer of at least 0, got {per_class!r}")


def with_each_class(
    run: Callable[[Any, Any, Request, Any], Answer], X: Any, y: Any, request: Request, sample_weight: Any
) -> Answer:
    """The answer of ``run`` where every class has its own features first; X as `Request.located` gives it."""
    check_per_class(request.per_class)
    if isinstance(X, (InBlocks, Statistics)):
        raise InvalidParameter("per_class: needs the rows in memory, got them in blocks; raise memory, or leave it out")
    beside = any(one is not None and not isinstance(one, str) for one in (sample_weight, request.given))
    table, values, _ = split_target(X, y, labelled=not beside)
    target = code_target(values, request.task, several=get_method(request.method).several)
    if target.task != "classification":
        raise InvalidParameter(f"per_class: is for classes, got a {target.task} target; leave it out")
    alone = replace(
        request, k=int(request.per_class), per_class=0, include=(), k_min=0, level=None, task="classification",
        class_weight="balanced" if request.class_weight is not None else None,
    )  # fmt: skip
    own: list[list[str]] = []
    for c in range(target.n_classes):
        own.append(run(table, (target.codes == c).astype(np.int64), alone, sample_weight).selection.names)
    first = list(dict.fromkeys(name for turn in zip_longest(*own) for name in turn if name is not None))
    named = [*several(request.include), *first]
    if isinstance(request.k, Integral) and len(dict.fromkeys(named)) > request.k:
        raise InvalidParameter(
            f"per_class: {request.per_class} for each of {target.n_classes} classes are {len(first)} features, more"
            f" than k = {request.k}; raise k or lower per_class"
        )
    answer = run(table, values, replace(request, include=named, per_class=0), sample_weight)
    notes = tuple(
        f"{label}: {', '.join(names)} {'tells' if len(names) == 1 else 'tell'} it from the rest (per_class)"
        for label, names in zip(target.classes, own, strict=True)
    )
    return replace(answer, selection=replace(answer.selection, notes=(*answer.selection.notes, *notes)))
