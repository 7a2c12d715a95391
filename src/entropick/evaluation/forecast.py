"""How long a comparison may take, by one resample of few of its rows; long tables only, as others are soon told."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..progress import duration
from .resampling import Resample, drawn_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from .trials import Design

FEWEST, MOST = 200, 2000  # rows that it is tried on
PART = 8  # of the rows, at least that many times fewer
WORTH = 10.0  # seconds from which it is said


def say_how_long(design: Design, share: float, n_processes: int, run: Callable[[Design], object]) -> None:
    """A line on the standard error, where it may take some time; ``share`` of the trials are to be run."""
    seconds = forecast(design, run)
    if seconds is None:
        return
    seconds *= share / min(n_processes, len(design.resamples) * len(design.requests))
    if seconds >= WORTH:
        methods, splits = len(design.requests), len(design.resamples)
        what = f"{methods} method{'s' * (methods != 1)}, up to {design.ks[-1]} features, {splits} resamples"
        print(f"comparing {what}: about {duration(seconds)}", file=sys.stderr, flush=True)


def forecast(design: Design, run: Callable[[Design], object]) -> float | None:
    """Seconds of work for all trials; None where the rows are too few to tell by some of them."""
    rows, target = design.resamples[0], design.given.target
    size = max(FEWEST, min(MOST, rows.train.size // PART))
    if rows.train.size < PART * size:
        return None
    random = np.random.default_rng(design.seed)
    train, test = (
        side[drawn_rows(target.codes[side], target.n_classes, size, random)] for side in (rows.train, rows.test)
    )
    small = replace(design, resamples=(Resample(train, test),))
    run(small)  # what is compiled or loaded at first would count for every row
    begin = time.perf_counter()
    run(small)
    spent = time.perf_counter() - begin
    return spent * rows.train.size / size * len(design.resamples)
