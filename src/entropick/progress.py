"""A progress bar for long loops: silent unless asked, and never in the way of the loop.

``verbose`` 0 shows nothing; 1 shows a bar where Rich is installed and the standard error is a terminal; 2 and
more writes plain lines where a bar cannot be shown. A loop that may take minutes has ``lines``: where a bar cannot
be shown, 1 writes one every ten seconds.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Iterable, Iterator, Sized
from numbers import Real
from typing import Any, TypeVar, overload

from .errors import InvalidParameter

T = TypeVar("T")

PATIENCE = 0.5  # seconds before a bar appears: a loop that is over by then needs none
EVERY = 10.0  # seconds between lines that tell the time
_shown = False  # a terminal has room for one bar, so a loop inside a tracked loop stays silent


@overload
def track(items: int, description: str, verbose: int = ..., lines: bool = ...) -> Iterable[int]: ...
@overload
def track(items: Iterable[T], description: str, verbose: int = ..., lines: bool = ...) -> Iterable[T]: ...
def track(
    items: Iterable[T] | int, description: str, verbose: int = 0, lines: bool = False
) -> Iterable[T] | Iterable[int]:
    """The items (or ``range(items)`` for a number), one by one, with a progress display.

    Leaving the loop early (``break``, an error, an interrupt) takes the display away.

    >>> list(track(3, "counting"))
    [0, 1, 2]
    >>> [letter.upper() for letter in track("ab", "shouting")]
    ['A', 'B']
    """
    if not isinstance(verbose, Real):
        raise InvalidParameter(f"verbose: must be 0, 1 or 2, got {verbose!r}")
    sequence: Iterable[Any] = items if isinstance(items, Iterable) else range(items)
    if verbose < 1 or _shown:
        return sequence
    total = len(sequence) if isinstance(sequence, Sized) else None
    if sys.stderr.isatty() and importlib.util.find_spec("rich") is not None:
        return _with_bar(sequence, description, total)
    if lines and verbose < 2 and total is not None:
        return _with_clock(sequence, description, total)
    return _with_lines(sequence, description, total) if verbose >= 2 else sequence


def _with_bar(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    global _shown
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(description, total=total)
    appears = time.monotonic() + PATIENCE
    _shown = True
    try:
        for done, item in enumerate(items):
            if not bar.live.is_started and time.monotonic() >= appears:
                bar.start()
            bar.update(task, completed=done)
            yield item
    finally:
        _shown = False
        if bar.live.is_started:
            bar.stop()


def _with_lines(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    """About twenty lines, whatever the number of items; every hundredth item where it is not known."""
    each = max(1, -(-total // 20)) if total else 100
    of = f"/{total}" if total is not None else ""
    for done, item in enumerate(items, start=1):
        yield item
        if done % each == 0 or done == total:
            print(f"{description}: {done}{of}", file=sys.stderr, flush=True)


def _with_clock(items: Iterable[T], description: str, total: int) -> Iterator[T]:
    """Lines with the time so far and an estimate of the rest."""
    begin = said = time.monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - said >= EVERY and done < total:
            spent, said = now - begin, now
            left = duration(spent / done * (total - done))
            print(
                f"{description}: {done}/{total}, {duration(spent)} so far, about {left} left",
                file=sys.stderr,
                flush=True,
            )


def duration(seconds: float) -> str:
    """As people say it.

    >>> duration(8.4), duration(200), duration(9000)
    ('8 s', '3 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
