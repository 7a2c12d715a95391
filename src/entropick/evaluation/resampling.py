"""Which rows a method learns from and which it is tested on: folds, bootstraps, or any scikit-learn splitter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Target
from ..errors import InvalidInput, InvalidParameter
from .checks import MOST, whole
from .survival import Censored

Rows = NDArray[np.intp]
DRAWS = 100  # of one bootstrap, before the data are called too few
MANY = 20  # more classes than this, if they are numbers, may well be a quantity
QUANTITY = "; if the target is a quantity, pass task='regression' (--task regression)"


@dataclass(frozen=True, eq=False)
class Resample:
    """Row numbers to learn from, with repetitions in a bootstrap, and others to be tested on."""

    train: Rows
    test: Rows


@dataclass(frozen=True)
class Resampling:
    """The resamples and what they are, in words."""

    resamples: tuple[Resample, ...]
    words: str

    @property
    def test_share(self) -> float:
        """n_test / n_train, the mean over resamples."""
        return float(np.mean([r.test.size / r.train.size for r in self.resamples]))


def resample(
    target: Target,
    cv: Any = 5,
    repeats: int = 2,
    bootstraps: int | None = None,
    sample_groups: Any = None,
    seed: int = 0,
) -> Resampling:
    """The resamples of a target's rows.

    Parameters
    ----------
    cv : a number of folds, stratified by class, drawn anew for each of ``repeats``; or a scikit-learn splitter, or an
        iterable of (train, test) row numbers, which is taken as it is.
    bootstraps : instead of folds, so many draws with replacement of as many rows as there are, tested on the rows
        that were not drawn (Brown et al. 2012 use 50).
    sample_groups : (n,) rows of one group are never on both sides.
    """
    n = target.codes.size
    groups = _groups(sample_groups, n)
    if bootstraps is not None:
        if not isinstance(cv, Integral):
            raise InvalidParameter("bootstraps: replaces cv; pass cv or bootstraps, not both")
        number = whole("bootstraps", bootstraps, 2, MOST)
        drawn = _bootstraps(target, number, groups, np.random.default_rng([seed, 0]))
        return Resampling(drawn, f"{bootstraps} bootstraps, tested on the rows left out")
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        drawn = _folds(target, whole("cv", cv, 2), whole("repeats", repeats, 1, MOST), groups, seed)
        times = "" if repeats == 1 else f", repeated {repeats} times"
        kind = "" if _strata(target) is None else "stratified "
        return Resampling(drawn, f"{kind}{cv}-fold cross-validation{times}")
    return Resampling(_given(target, cv, groups), type(cv).__name__ if _splits(cv) else "given rows")


def _folds(target: Target, folds: int, repeats: int, groups: Rows | None, seed: int) -> tuple[Resample, ...]:
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    n = target.codes.size
    strata = _strata(target)
    if groups is not None and np.unique(groups).size < folds:
        raise InvalidInput(f"cv: needs as many groups as folds, got {np.unique(groups).size} groups for {folds} folds")
    if strata is not None:
        counts = np.bincount(strata)
        rare = int(np.argmin(counts))
        if isinstance(target, Censored):
            if (events := int(strata.sum())) < folds:
                raise InvalidInput(f"cv: every fold needs an event, got {events} events for {folds} folds; use fewer")
            strata = strata if counts[rare] >= folds else np.ones_like(strata)
        elif counts[rare] < folds:
            raise InvalidInput(
                f"cv: every class needs a row in each fold, got {counts[rare]} of class {target.classes[rare]!s} for"
                f" {folds} folds; use fewer folds, bootstraps=50, or drop the class"
                + (QUANTITY if counts.size > MANY and target.classes.dtype.kind in "iuf" else "")
            )
        kind: Any = StratifiedKFold if groups is None else StratifiedGroupKFold
    else:
        if n < folds:
            raise InvalidInput(f"cv: needs as many rows as folds, got {n} rows for {folds} folds")
        kind = KFold if groups is None else GroupKFold
    drawn = []
    for repeat in range(repeats):
        state = int(np.random.default_rng([seed, 1, repeat]).integers(2**31))
        splitter = kind(folds, shuffle=True, random_state=state)
        drawn += [_checked(target, *pair) for pair in splitter.split(np.zeros((n, 1)), strata, groups)]
    return tuple(drawn)


def _strata(target: Target) -> NDArray[Any] | None:
    """(n,) what every fold has its share of: classes, or events; None for a number."""
    if isinstance(target, Censored):
        event: NDArray[Any] = target.outcome["event"].astype(np.int32)
        return event
    return target.codes if target.task == "classification" else None


def _bootstraps(target: Target, number: int, groups: Rows | None, random: np.random.Generator) -> tuple[Resample, ...]:
    members = [np.flatnonzero(groups == g) for g in np.unique(groups)] if groups is not None else None
    drawn: list[Resample] = []
    for _ in range(number):
        for _ in range(DRAWS):
            rows = _drawn(target.codes.size, members, random)
            rest = np.setdiff1d(np.arange(target.codes.size), rows)
            if rest.size and np.unique(target.codes[rows]).size > 1:
                break
        else:
            raise InvalidInput(
                f"bootstraps: {DRAWS} draws in a row had a single class or left no row out; there are too few rows"
            )
        drawn.append(Resample(rows, rest))
    return tuple(drawn)


def _drawn(n: int, members: list[Rows] | None, random: np.random.Generator) -> Rows:
    """Rows, or whole groups of rows, drawn with replacement; sorted, as their order says nothing."""
    if members is None:
        return np.sort(random.integers(n, size=n)).astype(np.intp)
    return np.sort(np.concatenate([members[g] for g in random.integers(len(members), size=len(members))]))


def drawn_rows(codes: NDArray[np.int32], n_classes: int, size: int, random: np.random.Generator) -> Rows:
    """(size,) rows without replacement, each class by its share but at least two where it has them; ascending."""
    order = random.permutation(codes.size)
    by_class = codes[order]
    # the first rows of each class come first of all, so that no class is lost; then by share: row r of a class of
    # c rows is due at (r + u) / c, u its class's own random start
    due = np.empty(codes.size)
    for c in range(n_classes):
        at = np.flatnonzero(by_class == c)
        due[at] = (np.arange(at.size) + random.random()) / max(at.size, 1)
        due[at[:2]] -= 1.0
    return np.sort(order[np.argsort(due, kind="stable")[:size]]).astype(np.intp)


def _given(target: Target, cv: Any, groups: Rows | None) -> tuple[Resample, ...]:
    n = target.codes.size
    labels = target.codes if target.values is None else target.values
    if _splits(cv):
        if getattr(cv, "random_state", 0) is None and getattr(cv, "shuffle", True):
            raise InvalidParameter(f"cv: {type(cv).__name__} draws different folds each time; set its random_state")
        pairs = cv.split(np.zeros((n, 1)), labels, groups)
    elif isinstance(cv, Iterable) and not isinstance(cv, (str, bytes)):
        pairs = iter(cv)
    else:
        raise InvalidParameter(
            f"cv: must be a number of folds, a scikit-learn splitter or pairs of row numbers, got {cv!r}"
        )
    try:
        found = tuple(_checked(target, _row_numbers(train, n), _row_numbers(test, n)) for train, test in pairs)
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"cv: cannot split these rows ({error})") from error
    if len(found) < 2:
        raise InvalidInput(f"cv: must yield at least two resamples, got {len(found)}")
    return found


def _splits(cv: Any) -> bool:
    return hasattr(cv, "split") and not isinstance(cv, (str, bytes))


def _row_numbers(rows: Any, n: int) -> Rows:
    """Row numbers from numbers or a mask, all of them in the table."""
    numbers = np.asarray(rows)
    numbers = np.flatnonzero(numbers) if numbers.dtype == bool else numbers
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise InvalidInput(f"cv: must yield row numbers, got {numbers.dtype} of shape {numbers.shape}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < n:
        raise InvalidInput(f"cv: rows are 0 … {n - 1}, got {numbers.min()} … {numbers.max()}")
    return numbers.astype(np.intp)


def _checked(target: Target, train: Rows, test: Rows) -> Resample:
    if train.size == 0 or test.size == 0:
        raise InvalidInput(f"cv: needs rows to learn from and to test on, got {train.size} and {test.size}")
    if np.intersect1d(train, test).size:
        raise InvalidInput("cv: training and test rows must not overlap")
    if np.unique(target.codes[train]).size < 2:
        raise InvalidInput("cv: leaves only one class to train on; use another splitter or fewer folds")
    return Resample(np.asarray(train, dtype=np.intp), np.asarray(test, dtype=np.intp))


def _groups(sample_groups: Any, n: int) -> Rows | None:
    """Groups as numbers 0, 1, …"""
    if sample_groups is None:
        return None
    labels = np.asarray(sample_groups)
    if labels.shape != (n,):
        raise InvalidInput(f"sample_groups: must have one label per row, got shape {labels.shape} for {n} rows")
    return np.unique(labels.astype(str) if labels.dtype == object else labels, return_inverse=True)[1].astype(np.intp)
