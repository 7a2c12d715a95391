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


def one_standard_error(points: Sequence[Point], stability: Callable[[str, int], float]) -> tuple[Point, list[Point]]:
    """The point of the lowest error, and those within a standard error of it in the order of preference."""
    able = [point for point in points if point.error == point.error]
    if not able:
        raise InvalidInput("scores: no estimator could be fitted on every resample, so none is best; see notes")
    lowest = min(able, key=lambda point: point.error)
    near = [point for point in able if point.error <= lowest.error + lowest.se]

    def preference(point: Point) -> tuple[float, ...]:
        steady = stability(point.method, point.k)
        return point.k, -(steady if steady == steady else 1.0), point.error  # undefined for all features: one set

    return lowest, sorted(near, key=preference)


def in_words(taken: Point, lowest: Point, n_features: int, task: str, blind: float) -> str:
    """The answer as a sentence or two; ``blind`` is the error without any feature."""
    if task == "classification":
        told = f"{taken.estimator} is wrong on {taken.error:.1%} ± {taken.se:.1%} of rows it has not seen"
        least = f"{lowest.error:.1%}"
    else:
        told = f"{taken.estimator} is off by {taken.error:.3f} ± {taken.se:.3f} standard deviations of the target"
        least = f"{lowest.error:.3f}"
    text = f"{taken.method} with {taken.k} of {n_features} features: {told}."
    if lowest != taken:
        text += (
            f" The lowest error, {least}, is of {lowest.method} with {lowest.k} and {lowest.estimator}, which is"
            " within a standard error."
        )
    if lowest.error + lowest.se >= blind:
        text += (
            f" No method can be told from always naming the largest class, which is wrong on {blind:.1%}:"
            if task == "classification"
            else " No method can be told from always naming the mean of the target, which is off by 1:"
        )
        text += " these features may say nothing."
    return text
