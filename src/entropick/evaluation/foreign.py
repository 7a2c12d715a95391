"""Selectors of other make: anything with scikit-learn's interface, a function, a list of columns.

They choose from what a scikit-learn pipeline would be given: numbers as they are, missing ones filled with the mean of
the training rows, categories as numbers 0, 1, … in sorted order. What they choose is judged as every other choice is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, closest
from ..selection import Selection, Step
from ..sources import Table
from .estimators import seeded

SIZES = ("k", "n_features_to_select", "n_features", "max_features")  # parameters that say how many
UNSCORED = "scores are those of the external selector, 0 where it reports none"


@dataclass(frozen=True, eq=False)
class Foreign:
    """A contender that is not a method of this library.

    ``thing`` is an unfitted selector, a function ``(X, y, k) -> columns``, or a tuple of column numbers. ``size`` is
    the parameter of a selector that says how many to take; where there is none it takes a number of its own, and its
    choice is judged as it is beside every k. ``nested``: one run of the largest k has those of all smaller ones.
    ``of_numbers``: of events and times it is told the residuals.
    """

    thing: Any
    size: str | None = None
    nested: bool = False
    told: str = ""
    of_numbers: bool = False

    @property
    def own_number(self) -> bool:
        """Whether it takes as many as it likes, whatever k is."""
        return isinstance(self.thing, tuple) or (self.size is None and hasattr(self.thing, "fit"))

    def sizes(self, ks: Sequence[int]) -> tuple[int, ...]:
        """The numbers it must be run for to serve every k."""
        return tuple(ks[-1:]) if self.nested or self.own_number else tuple(ks)

    def chosen(
        self, X: Any, names: Sequence[str], y: NDArray[Any], k: int, seed: int, weights: Any = None
    ) -> tuple[int, ...]:
        """Column numbers of X (see `as_given`), the best first where that is known."""
        return self._chosen(X, names, y, k, seed, weights)[0]

    def selection(self, table: Table, y: NDArray[Any], k: int, seed: int, label: str, task: str) -> Selection:
        """The choice on all these rows as an answer of this library has it."""
        columns, scores = self._chosen(as_given(table), table.names, y, k, seed, None)
        steps = tuple(
            Step(rank, table.names[j], (j,), 0.0 if scores is None else float(scores[j]))
            for rank, j in enumerate(columns, start=1)
        )
        options = {"k": len(columns), "selector": self.told}
        return Selection(label, steps, table.names, "", table.n_rows, task, options, (UNSCORED,), "as its maker stops")

    def _chosen(
        self, X: Any, names: Sequence[str], y: NDArray[Any], k: int, seed: int, weights: Any
    ) -> tuple[tuple[int, ...], NDArray[Any] | None]:
        if isinstance(self.thing, tuple):
            return self.thing, None
        if not hasattr(self.thing, "fit"):
            return _columns(called(self.thing, X, y, k), names), None
        selector = seeded(self.thing, seed)
        if self.size is not None:
            selector.set_params(**{self.size: k})
        selector.fit(X, y, **_weights(selector, weights))
        return _supported(selector, names)


def foreign(entry: Any, names: Sequence[str]) -> Foreign | None:
    """The contender that an entry of ``methods`` stands for, or None where it is no foreign selector."""
    if isinstance(entry, (str, Mapping, type)):
        return None
    if hasattr(entry, "fit"):
        last = _last(entry)
        if not (hasattr(last, "get_support") or hasattr(last, "transform") or hasattr(last, "support_")):
            raise InvalidParameter(f"methods: must be selectors with fit and get_support, got {entry!r:.80}")
        return Foreign(entry, _size(entry), told=repr(entry))
    if callable(entry):
        return Foreign(
            entry, nested=bool(getattr(entry, "nested", False)), told=getattr(entry, "__name__", repr(entry))
        )
    if isinstance(entry, Iterable):
        columns = _columns(entry, names)
        return Foreign(columns, told=f"{len(columns)} columns")
    return None


def called(function: Callable[..., Any], X: Any, y: NDArray[Any], k: int) -> Any:
    """What a user's function says; what it raises is the user's to see, but for one that does not take (X, y, k)."""
    try:
        inspect.signature(function).bind(X, y, k)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise InvalidParameter(f"methods: a function is called with (X, y, k); {name} does not take these") from None
    except ValueError:  # has no signature
        pass
    return function(X, y, k)


def as_given(table: Table) -> Any:
    """The table as scikit-learn takes it: a DataFrame where columns have names, else an array."""
    columns = [_numbers(table, j) for j in range(table.n_columns)]
    if not table.named:
        return np.column_stack(columns)
    import pandas as pd

    return pd.DataFrame(dict(zip(table.names, columns, strict=True)))


def _numbers(table: Table, j: int) -> NDArray[Any]:
    values = table.column(j)
    if table.kind(j) == "category":
        return np.unique(values.astype(str), return_inverse=True)[1].astype(np.float64)
    if values.dtype.kind in "biu":
        return values
    gone = np.isnan(values)
    if not gone.any():
        return values
    return np.where(gone, 0.0 if gone.all() else values[~gone].mean(), values)


def _last(selector: Any) -> Any:
    """The selector itself, or the last step of a pipeline."""
    return selector.steps[-1][1] if hasattr(selector, "steps") else selector


def _size(selector: Any) -> str | None:
    """The parameter that says how many are taken, by its name from the outside."""
    prefix = f"{selector.steps[-1][0]}__" if hasattr(selector, "steps") else ""
    known = _last(selector).get_params(deep=False) if hasattr(_last(selector), "get_params") else {}
    for name in SIZES:
        if name in known and not (name == "max_features" and known[name] is None):
            return prefix + name
    return None


def _weights(selector: Any, weights: Any) -> dict[str, Any]:
    from sklearn.utils.validation import has_fit_parameter

    return {"sample_weight": weights} if weights is not None and has_fit_parameter(selector, "sample_weight") else {}


def _supported(selector: Any, names: Sequence[str]) -> tuple[tuple[int, ...], NDArray[Any] | None]:
    """(column numbers, a score of every column or None) of a fitted selector."""
    last = _last(selector)
    scores = next((found for a in ("scores_", "feature_importances_") if (found := _vector(last, a)) is not None), None)
    if hasattr(last, "get_support"):
        taken = np.asarray(last.get_support(indices=True))
    elif hasattr(last, "support_"):
        taken = np.flatnonzero(last.support_)
    else:
        raise InvalidInput(f"methods: {type(last).__name__} has neither get_support nor support_; pass a function")
    width = int(getattr(last, "n_features_in_", len(getattr(last, "support_", names))))
    if last is not selector and width != len(names):  # an earlier step took some away: they go by their names
        out = list(selector.get_feature_names_out(np.asarray(names, dtype=object)))
        return _columns(out, names), None
    if width != len(names):
        raise InvalidInput(f"methods: {type(last).__name__} chose from {width} columns, got {len(names)}")
    if taken.size == 0:
        raise InvalidInput(f"{type(last).__name__} chose no column")
    if scores is not None and scores.shape == (len(names),):
        taken = taken[np.argsort(-np.nan_to_num(scores[taken], nan=-np.inf), kind="stable")]
        return tuple(taken.tolist()), np.nan_to_num(scores)
    return tuple(int(j) for j in taken), None


def _vector(thing: Any, name: str) -> NDArray[Any] | None:
    value = getattr(thing, name, None)
    return None if value is None else np.asarray(value, dtype=np.float64)


def _columns(given: Any, names: Sequence[str]) -> tuple[int, ...]:
    """Column numbers from numbers, names or a mask, each once."""
    listed = np.asarray(given) if not isinstance(given, (str, set)) else np.asarray(sorted(given))
    if listed.dtype == bool and listed.shape == (len(names),):
        listed = np.flatnonzero(listed)
    place = {name: j for j, name in enumerate(names)}
    found = []
    for one in listed.tolist() if listed.ndim == 1 else [given]:
        if isinstance(one, Integral) and not isinstance(one, bool) and 0 <= int(one) < len(names):
            found.append(int(one))
        elif isinstance(one, str) and one in place:
            found.append(place[one])
        else:
            near = closest(one, place) if isinstance(one, str) else f" Columns are 0 … {len(names) - 1}"
            raise InvalidParameter(
                f"methods: a list or function must give columns by name or number, got {one!r}.{near}"
            )
    if not found:
        raise InvalidInput("methods: a list or function must give at least one column, got none")
    return tuple(dict.fromkeys(found))


Ranker = Callable[[Any, Any, int], Any]
