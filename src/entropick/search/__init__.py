"""Which set to try next, one strategy a file, all called ``search(measure, task)``. Each leaves an `Outcome`."""

from collections.abc import Callable
from typing import Any

from ..catalogue.search import SEARCH_ENTRIES
from .choice import Choice, Outcome
from .task import Task

Search = Callable[[Any, Task], Outcome]

SEARCHES: dict[str, Search] = {name: entry.function() for name, entry in SEARCH_ENTRIES.items()}

__all__ = ["SEARCHES", "Choice", "Outcome", "Search", "Task"]
