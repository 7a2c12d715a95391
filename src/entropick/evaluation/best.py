"""The one-standard-error rule: as few features as possible without a notable loss.

Among all whose mean error is at most the lowest one plus its standard error: the fewest features; of those the most
stable; then the lowest error, then the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import InvalidInput


@dataclass(frozen=True)
class Point:
    """One point of an accuracy curve: the mean error over resamples and its standard error."""

    method: str
    k: int
    estimator: str
    error: float
    se: float


@dataclass(frozen=True)
class Best:
    """What to take, and what it was taken from.

    ``lowest`` has the lowest mean error; ``candidates`` are all within one standard error of it, as (method, k,
    estimator), the one taken first. ``stability`` is Nogueira's measure; NaN where all features are taken.
    ``at_edge`` says that the lowest error is at the largest number tried though there are more features: more may do
    better, so ``k`` is a lower bound.
    """

    method: str
    k: int
    estimator: str
    error: float
    se: float
    stability: float
    lowest: tuple[str, int, str]
    candidates: tuple[tuple[str, int, str], ...]
    words: str
    at_edge: bool = False


def one_standard_error(points: Sequence[Point], stability: Callable[[str, int], float]) -> tuple[Point, list[Point]]:
    """The point of the lowest error, and those within a standard error of it in the order of preference."""
    able = [point for point in points if point.error == point.error]
    if not able:
        raise InvalidInput("scores: no estimator could be fitted on every resample, so none is best; see notes")
    lowest = min(able, key=lambda point: (point.error, point.k))  # of equals the fewest: more gained nothing
    near = [point for point in able if point.error <= lowest.error + lowest.se]

    def preference(point: Point) -> tuple[float, ...]:
        steady = stability(point.method, point.k)
        return point.k, -(steady if steady == steady else 1.0), point.error  # undefined for all features: one set

    return lowest, sorted(near, key=preference)


def in_words(taken: Point, lowest: Point, n_features: int, task: str, blind: float, ks: Sequence[int]) -> str:
    """The answer as a sentence or two; ``blind`` is the error without any feature, ``ks`` the numbers tried."""
    if task == "classification":
        told = f"{taken.estimator} misclassifies {taken.error:.1%} ± {taken.se:.1%} of unseen rows"
        least, guess = f"{lowest.error:.1%}", f"always predicting the largest class ({blind:.1%} misclassified)"
    else:
        told = f"{taken.estimator} has an RMSE of {taken.error:.3f} ± {taken.se:.3f} standard deviations of the target"
        least, guess = f"{lowest.error:.3f}", "always predicting the mean"
    if lowest.error + lowest.se >= blind:
        return f"No method beats {guess}. The nearest, {taken.method} with {taken.k} of {n_features} features: {told}."
    edge = lowest.k == ks[-1] < n_features
    many = f"at least {taken.k}" if edge else str(taken.k)
    text = f"{taken.method} with {many} of {n_features} features: {told}."
    if lowest != taken:
        text += (
            f" The lowest error, {least} ({lowest.method}, {lowest.k} features, {lowest.estimator}), is less than one"
            " standard error better."
        )
    if edge:
        text += f" More than {ks[-1]} features were not tried and may do better."
    return text
