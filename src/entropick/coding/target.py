"""The target as codes: classes in sorted order, or bins of a continuous target.

Bins of a target are of about equal width, not of equal count: where a few rows are far from all others they carry most
of the variance, and a feature that tells them apart should count. (With equal counts `jmi`, `mrmr` and `cmim` lost 30
to 60 points of R² on such tables.)
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, check_choice
from .binning import check_weights, even_edges, quantile_edges

TASKS = ("auto", "classification", "regression", "multilabel", "survival")
QUANTITY = 32  # whole floats of more values than this are a quantity
QUANTITY_INTEGERS, QUANTITY_ROWS = 100, 10  # integers: of more values than this, and fewer rows for each
HUNDREDTHS = 100  # groups of equal count, at whose edges a quantity is cut
LARGEST = 1e140  # squares of larger numbers, added up, overflow; those of differences below its inverse vanish


@dataclass(frozen=True)
class Target:
    """A coded target.

    ``codes`` (n,) int32 in 0 … n_classes − 1; ``classes`` the label of each code, or for a regression the
    inner edges of the bins; ``values`` (n,) float64 for a regression, else None. Several targets of a regression, and
    labels (0 or 1 each), are (n, q) values without bins: every row has the code 0. The values of a survival target are
    its residuals, see `coding.survival`. ``note`` says what y was taken for, where that is not obvious.
    """

    codes: NDArray[np.int32]
    classes: NDArray[Any]
    n_classes: int
    task: str
    values: NDArray[np.float64] | None = None
    note: str = ""


def code_target(
    y: NDArray[Any], task: str = "auto", bins: int = 5, weights: NDArray[Any] | None = None, several: bool = False
) -> Target:
    """Code the target ``y`` (n,), which has no missing values; where ``several`` are welcome also (n, q).

    ``task="auto"``: see `find_task`. A continuous target is cut into ``bins`` bins, see `binning.even_edges`.
    """
    check_choice("task", task, TASKS)
    if not isinstance(bins, (int, np.integer)) or isinstance(bins, bool) or bins < 2:
        raise InvalidParameter(f"bins: must be an integer of at least 2, got {bins!r}")
    y = np.asarray(y)
    if y.dtype.names is not None or task == "survival":
        from .survival import survival_target

        return survival_target(y, task, weights)
    if y.ndim not in (1, 2) or y.size == 0:
        raise InvalidInput(f"y: y should be a 1d array with at least one value, got shape {y.shape}")
    if y.ndim == 2:
        if not several:
            raise InvalidInput(
                f"y: y should be a 1d array here, got {y.shape[0]}×{y.shape[1]}; pass one column, or use a method"
                " that supports several targets"
            )
        return _several(y, task)
    if task == "multilabel":
        raise InvalidInput(f"y: task='multilabel' needs one column of 0 and 1 per label, got shape {y.shape}")
    if task == "regression" or (task == "auto" and find_task(y) == "regression"):
        return replace(_regression(y, int(bins), weights), note=taken_for(y) if task == "auto" else "")
    return _classification(y)


def find_task(y: NDArray[Any]) -> str:
    """``"regression"`` for fractions and for whole numbers of many values, ``"classification"`` for labels.

    Whole numbers are a quantity where floats have more than 32 values, and integers more than 100 with fewer than ten
    rows each; scikit-learn's ``type_of_target`` takes both for classes.
    """
    if y.ndim == 1 and (y.dtype.kind in "biuO" or (y.dtype.kind == "f" and np.isfinite(y).all())):
        with np.errstate(invalid="ignore"):  # numbers beyond int64 are no classes
            fractions = y.dtype.kind == "f" and bool((y != y.astype(np.int64)).any())
        found = "continuous" if fractions else "multiclass"
    else:
        from sklearn.utils.multiclass import type_of_target  # takes 100 MB to import

        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.simplefilter("ignore")
            found = type_of_target(y, input_name="y")
    if found in ("binary", "multiclass"):
        many = y.dtype.kind in "iuf" and is_quantity(len(np.unique(y)), len(y), y.dtype.kind == "f")
        return "regression" if many else "classification"
    if found == "continuous":
        return "regression"
    raise InvalidInput(f"y: must be classes or numbers, one per row, got a {found} target")


def is_quantity(distinct: int, n_rows: int, floats: bool) -> bool:
    """Whether whole numbers of so many values in so many rows are a quantity."""
    return distinct > QUANTITY if floats else distinct > QUANTITY_INTEGERS and n_rows < QUANTITY_ROWS * distinct


def taken_for(y: NDArray[Any]) -> str:
    """What is to be said of a target of whole numbers that is taken for a quantity."""
    if y.dtype.kind == "f" and (y != np.rint(y)).any():
        return ""
    return quantity_note(len(np.unique(y)))


def quantity_note(distinct: int) -> str:
    return f"the target, {distinct} integers, is treated as a quantity; for classes pass task='classification'"


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
            f"y: every one of the {len(y)} rows is a class of its own; pass task='regression' if y is a quantity"
        )
    return Target(codes.reshape(-1).astype(np.int32), classes, n_classes, "classification")


def _several(y: NDArray[Any], task: str) -> Target:
    """Several numbers, or several labels: columns of 0 and 1."""
    from sklearn.utils.multiclass import type_of_target

    labels = y.dtype.kind in "biuf" and bool(np.isin(y, (0, 1)).all())
    if task == "multilabel" and not labels:
        raise InvalidInput("y: task='multilabel' needs one column of 0 and 1 per label, got other values")
    if task == "classification" or (
        task == "auto" and not labels and type_of_target(y, input_name="y") != "continuous-multioutput"
    ):
        raise InvalidInput(
            f"y: several targets must be numeric, or 0/1 labels, got {y.shape[1]} columns of integers or"
            " labels; pass task='regression' if they are quantities, else give one column of classes"
        )
    values = _quantities(y)
    if (values == values[0]).all():
        raise InvalidInput(f"y: targets must not be constant, got {y.shape[1]} constant columns")
    found = "multilabel" if labels and task != "regression" else "regression"
    return Target(np.zeros(len(y), np.int32), np.empty(0), 1, found, values)


def _regression(y: NDArray[Any], bins: int, weights: NDArray[Any] | None) -> Target:
    values = _quantities(y)
    edges = quantile_edges(values, HUNDREDTHS, check_weights(weights, len(values)))
    if edges.size == 0:
        raise InvalidInput(f"y: a regression target must not be constant, got {values[0]:g} in every row (1 class)")
    edges = even_edges(edges, bins)
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
        raise InvalidInput(f"y: numbers are too large or too close together, got {low:g} … {high:g}; rescale y")
