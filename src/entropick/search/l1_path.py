"""ℓ1 search: climb in the weights of all features at once, on a ball whose radius decides how many survive.

    maximise f(diag(w) X; Y)   subject to   1ᵀw ≤ r,  w ≥ 0

Projected gradient ascent with a backtracking line search (a fixed step mostly fails), from several random starts, and
bisection on the radius until k weights are positive (Jitkrittum, Hachiya & Sugiyama, IEICE 2013, Algorithm 1). The
paper doubles a small radius to find the upper bound; here it is known, the radius from which the kernels follow the
weights and nothing changes any more, so the search begins there and goes down, each radius started from the peaks of
the one before and from some new points. Every set of k features met on the way is kept, and the best by the measure
itself is the answer, improved by single exchanges. Where no radius gives k, the nearest set by the paper's rule (size
nearest to k, the smaller first, then the more valuable) is completed or cut down one by one.

The work is bounded by counts, so that the answer does not depend on how fast the machine is; ``time_limit`` is for who
would rather have it sooner.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Account, Scores
from ..progress import track
from ..threads import parallel
from .choice import TIE, Choice, Outcome
from .simplex import project_within
from .task import Task

Floats = NDArray[np.float64]

WIDEST = 4.0  # × √(number of features): the radius at which even equal weights leave the kernels free
RADII = 10  # radii tried at most
FRESH = 4  # one start in so many is new at a further radius
SELECT_EVERY = 5  # steps for which a model is held
STEPS = 40  # of one ascent at most
HALVINGS = 12  # of one line search at most
ENOUGH = 1e-4  # an ascent ends when five steps raise the value by less than this share
ROUNDS = 2  # times that each feature, on average, is offered for exchange at most


class Weighted(Protocol):
    """What the ℓ1 search asks of a measure."""

    n_candidates: int
    threads: int
    random: np.random.Generator
    ascent: Any  # restarts, time_limit (seconds or None), improve

    def session(self) -> AbstractContextManager[Any]: ...
    def select_model(self, w: Floats) -> Any: ...
    def value(self, w: Floats, model: Any) -> float: ...
    def gradient(self, w: Floats, model: Any) -> tuple[float, Floats]: ...
    def value_of(self, features: Sequence[int]) -> float: ...
    def values_changed(self, features: Sequence[int], candidates: Sequence[int], sign: float = ...) -> Scores: ...


@dataclass(frozen=True)
class Peak:
    """Where one ascent ended."""

    weights: Floats
    value: float

    def features(self) -> tuple[int, ...]:
        return tuple(int(j) for j in np.flatnonzero(self.weights > 1e-6 * self.weights.sum()))


def ascend(measure: Weighted, start: Floats, radius: float, free: NDArray[np.bool_], stop: float) -> Peak:
    """Projected gradient ascent from a feasible start; weights that are not free stay as they are."""
    w = start.copy()
    value, step, before = -math.inf, 0.0, -math.inf
    model: Any = None
    for number in range(STEPS):
        selecting = number % SELECT_EVERY == 0
        if selecting:
            model = measure.select_model(w)
        value, slope = measure.gradient(w, model)
        if selecting:
            if value - before <= ENOUGH * max(abs(value), 1e-12) or time.monotonic() > stop:
                break
            before = value
        steepest = float(np.abs(slope[free]).max(initial=0.0))
        if steepest <= 0:
            break
        step = min(max(step, 0.01 * radius / steepest), 10.0 * radius / steepest) if step else 0.5 * radius / steepest
        for _ in range(HALVINGS):
            trial = w.copy()
            trial[free] = project_within(w[free] + step * slope[free], radius)
            rise = float(slope @ (trial - w))
            reached = measure.value(trial, model) if trial.any() else -math.inf
            if reached >= value + 1e-4 * rise and rise > 0:
                break
            step *= 0.5
        else:
            if selecting:
                break
            before = -math.inf  # the model may be what holds it: select again, once
            continue
        w, value = trial, reached
        step *= 2.0
    return Peak(w, value)


def l1_path(measure: Weighted, task: Task) -> Outcome:
    """The k features of the best set found, by falling contribution f(S) − f(S ∖ j), which is their score.

    ``first`` are in every set. Where all features are asked for there is nothing to search: they are ranked by their
    contribution to the whole.
    """
    begin = time.monotonic()
    limit = measure.ascent.time_limit
    path = _Path(measure, task, math.inf if limit is None else begin + limit)
    details: dict[str, object] = {}
    with measure.session():
        if not task.complete:
            path.descend(task.verbose)
            chosen = path.nearest()
            details = {"sets_of_k": path.hits(), "radii": path.radii, "completed": len(chosen) != task.k}
            chosen = path.complete(chosen)
            if measure.ascent.improve:
                chosen, details["exchanges"] = path.improve(chosen)
        else:
            chosen = tuple(int(j) for j in path.able)
        choices = _ordered(measure, chosen, path.worth(chosen), task.first)
    details |= {"value": path.worth(chosen), "timed_out": time.monotonic() > path.stop}
    return Outcome(choices, task.stopped, details)


class _Path:
    """The sets met so far on the way down the radii."""

    def __init__(self, measure: Weighted, task: Task, stop: float) -> None:
        self.measure, self.k, self.first, self.stop = measure, task.k, task.first, stop
        self.able = task.taking_part
        self.free = task.able()
        self.free[list(task.first)] = False
        self.sets: dict[tuple[int, ...], float] = {}
        self.radii: list[list[float]] = []

    def worth(self, features: tuple[int, ...]) -> float:
        """f of a set, computed once."""
        if features not in self.sets:
            self.sets[features] = self.measure.value_of(features)
        return self.sets[features]

    def hits(self) -> int:
        """How many sets of k were met."""
        return sum(len(features) == self.k for features in self.sets)

    def descend(self, verbose: int) -> None:
        """Solve at the widest radius, then bisect until the best peak has k features."""
        radius = WIDEST * math.sqrt(self.free.sum())
        low, high = 0.0, radius
        peaks: list[Peak] = []
        for number in track(RADII, "radii", verbose):
            peaks = self._peaks(radius, peaks)
            best = max(peaks, key=lambda peak: peak.value)
            size = len(best.features())
            self.radii.append([radius, float(size)])
            if size == self.k or (number == 0 and size < self.k) or time.monotonic() > self.stop:
                break
            low, high = (radius, high) if size < self.k else (low, radius)
            radius = 0.5 * (low + high)

    def _peaks(self, radius: float, before: list[Peak]) -> list[Peak]:
        restarts, size = self.measure.ascent.restarts, self.free.size
        starts = []
        warm = {peak.features(): peak for peak in sorted(before, key=lambda peak: peak.value)}
        for peak in sorted(warm.values(), key=lambda peak: -peak.value):
            share = peak.weights[self.free]
            if share.any():
                starts.append(share * (radius / share.sum()))
        fresh = restarts if not before else max(1, restarts // FRESH)
        starts = starts[: max(1, restarts - fresh)]
        starts += list(self.measure.random.dirichlet(np.ones(int(self.free.sum())), fresh) * radius)

        def climb(item: tuple[int, Floats]) -> Peak | None:
            number, share = item
            if number and time.monotonic() > self.stop:
                return None
            w = np.zeros(size)
            w[list(self.first)] = radius / self.k
            w[self.free] = share
            return ascend(self.measure, w, radius, self.free, self.stop)

        found = parallel(climb, list(enumerate(starts)), self.measure.threads)
        peaks = [peak for peak in found if peak is not None]
        for features in dict.fromkeys(peak.features() for peak in peaks):
            if not self.sets or time.monotonic() < self.stop:
                self.worth(features)
        return peaks

    def nearest(self) -> tuple[int, ...]:
        """The first by ||S| − k|, |S| − k, −f(S)."""
        return min(self.sets, key=lambda s: (abs(len(s) - self.k), len(s) - self.k, -self.sets[s], s))

    def complete(self, features: tuple[int, ...]) -> tuple[int, ...]:
        """Exactly k features: greedily added or given up."""
        chosen = list(dict.fromkeys([*self.first, *features]))
        while len(chosen) < self.k:
            rest = [int(j) for j in self.able if j not in chosen]
            chosen.append(rest[int(np.argmax(self.measure.values_changed(chosen, rest)))])
        while len(chosen) > self.k:
            loose = [j for j in chosen if j not in self.first]
            chosen.remove(loose[int(np.argmax(self.measure.values_changed(chosen, loose, -1.0)))])
        return tuple(sorted(chosen))

    def improve(self, features: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """Exchange one feature for another as long as the set gains by it; the best exchange of each feature's."""
        chosen, value, exchanges = list(features), self.worth(features), 0
        pending = [j for j in chosen if j not in self.first]
        for _ in range(ROUNDS * len(pending)):
            if not pending or time.monotonic() > self.stop:
                break
            out = pending.pop(0)
            kept = [j for j in chosen if j != out]
            rest = [int(j) for j in self.able if j not in chosen]
            values = self.measure.values_changed(kept, rest)
            at = int(np.argmax(values))
            if values[at] > value + TIE * max(1.0, abs(value)):
                chosen, value, exchanges = sorted([*kept, rest[at]]), float(values[at]), exchanges + 1
                self.sets[tuple(chosen)] = value
                pending = [j for j in chosen if j not in self.first and j != rest[at]]
        return tuple(chosen), exchanges


def _ordered(measure: Weighted, chosen: tuple[int, ...], value: float, first: tuple[int, ...]) -> list[Choice]:
    if len(chosen) == 1:
        scores = {chosen[0]: value}
    else:
        without = measure.values_changed(chosen, chosen, -1.0)
        scores = {j: value - float(v) for j, v in zip(chosen, without, strict=True)}
    rest = sorted((j for j in chosen if j not in first), key=lambda j: (-scores[j], j))
    return [Choice(j, scores[j], account=Account()) for j in (*first, *rest)]
