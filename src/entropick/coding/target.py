"""The target as codes: classes in sorted order, or equal-frequency bins of a continuous target."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, check_choice
from .binning import check_weights, quantile_edges

TASKS = ("auto", "classification", "regression")
LARGEST = 1e140  # squares of larger numbers, added up, overflow; those of differences below its inverse vanish


@dataclass(frozen=True)
class Target:
    """A coded target.

    ``codes`` (n,) int32 in 0 … n_classes − 1; ``classes`` the label of each code, or for a regression the
    inner edges of the bins; ``values`` (n,) float64 for a regression, else None. Several targets of a regression
    are (n, q) values without bins: every row has the code 0.
    """

    codes: NDArray[np.int32]
    classes: NDArray[Any]
    n_classes: int
    task: str
    values: NDArray[np.float64] | None = None


def code_target(
    y: NDArray[Any], task: str = "auto", bins: int = 5, weights: NDArray[Any] | None = None, several: bool = False
) -> Target:
    """Code the target ``y`` (n,), which has no missing values; where ``several`` are welcome also (n, q).

    ``task="auto"``: fractions and texts tell, as in scikit-learn's ``type_of_target``. A continuous target is
    cut into ``bins`` equal-frequency bins (by weight, where there are weights).
    """
    check_choice("task", task, TASKS)
    if not isinstance(bins, (int, np.integer)) or isinstance(bins, bool) or bins < 2:
        raise InvalidParameter(f"bins: must be an integer of at least 2, got {bins!r}")
    y = np.asarray(y)
    if y.ndim not in (1, 2) or y.size == 0:
        raise InvalidInput(f"y: y should be a 1d array with at least one value, got shape {y.shape}")
    if y.ndim == 2:
        if not several:
            raise InvalidInput(
                f"y: y should be a 1d array here, got {y.shape[0]}×{y.shape[1]}; several targets at once are for gc.mi,"
                " wilks, gc.auto, hsic.* and lsmi.*"
            )
        return _several(y, task)
    if task == "auto":
        task = find_task(y)
    return _regression(y, int(bins), weights) if task == "regression" else _classification(y)


def find_task(y: NDArray[Any]) -> str:
    """``"regression"`` for fractions, ``"classification"`` for labels."""
    from sklearn.utils.multiclass import type_of_target

    if y.dtype.kind == "O":
        y = y.astype(str)  # mixtures of labels, which scikit-learn calls unknown
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore")  # remarks on numbers beyond int64 and on many classes, which run.py makes too
        found = type_of_target(y, input_name="y")
    if found in ("binary", "multiclass"):
        return "classification"
    if found == "continuous":
        return "regression"
    raise InvalidInput(f"y: must be classes or numbers, one a row, got a {found} target")


def _classification(y: NDArray[Any]) -> Target:
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise InvalidInput("y: Input y contains NaN; drop those rows")
    if y.dtype.kind == "O":
        import pandas as pd

        if pd.isna(y).any():
            raise InvalidInput("y: Input y contains NaN; drop those rows")
        if len({type(value) for value in y}) > 1:
            y = np.array([str(value) for value in y], dtype=object)  # labels of several types have no order
    classes, codes = np.unique(y, return_inverse=True)
    n_classes = len(classes)
    if n_classes < 2:
        raise InvalidInput(f"y: needs at least two classes, got 1 class ({str(classes[0])!r})")
    if n_classes == len(y) and n_classes > 2:
        raise InvalidInput(
            f"y: every one of the {len(y)} rows is a class of its own, so classes say nothing;"
            " pass task='regression' if y is a quantity"
        )
    return Target(codes.reshape(-1).astype(np.int32), classes, n_classes, "classification")


def _several(y: NDArray[Any], task: str) -> Target:
    from sklearn.utils.multiclass import type_of_target

    if task == "classification" or (task == "auto" and type_of_target(y, input_name="y") != "continuous-multioutput"):
        raise InvalidInput(
            f"y: several targets are judged together as quantities, got {y.shape[1]} columns of whole numbers or"
            " labels; pass task='regression' if they are quantities, else give one column of classes"
        )
    values = _quantities(y)
    if (values == values[0]).all():
        raise InvalidInput(f"y: a regression target must vary, got {y.shape[1]} constant columns")
    return Target(np.zeros(len(y), np.int32), np.empty(0), 1, "regression", values)


def _regression(y: NDArray[Any], bins: int, weights: NDArray[Any] | None) -> Target:
    values = _quantities(y)
    edges = quantile_edges(values, bins, check_weights(weights, len(values)))
    if edges.size == 0:
        raise InvalidInput(f"y: a regression target must vary, got {values[0]:g} in every row (1 class)")
    codes = np.searchsorted(edges, values, side="left").astype(np.int32)
    return Target(codes, edges, len(edges) + 1, "regression", values)


def _quantities(y: NDArray[Any]) -> NDArray[np.float64]:
    """y as finite numbers."""
    if y.dtype.kind not in "biuf":
        try:
            values = y.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidInput(
                f"y: a regression target must be numbers, got {y.flat[0]!r}; pass task='classification' for labels"
            ) from error
    else:
        values = y.astype(np.float64)
    if np.isnan(values).any():
        raise InvalidInput("y: Input y contains NaN; drop those rows")
    if np.isinf(values).any():
        raise InvalidInput("y: Input y contains infinity; drop those rows")
    check_range(float(values.min()), float(values.max()))
    return values


def check_range(low: float, high: float) -> None:
    """Numbers from low to high can be squared and added up."""
    if max(-low, high) > LARGEST or 0 < high - low < 1 / LARGEST:
        raise InvalidInput(
            f"y: numbers are too large or too close for their squares, got {low:g} … {high:g}; rescale y"
        )
