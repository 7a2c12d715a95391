"""The searches by name: where each is, what it asks of a measure, and whether a run of k begins a longer one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class SearchEntry:
    """A search as the registry knows it.

    strategy: ``"module:function"`` below ``entropick.search``. asks: the methods of a measure that it calls.
    nested: whether the k chosen are the first k of a longer run; False where it looks for the best set of one size.
    sized: whether it must be told a number: with k="auto" the number comes from elsewhere, and it sees no evidence.
    """

    strategy: str
    asks: tuple[str, ...]
    nested: bool = True
    sized: bool = False

    def function(self) -> Callable[..., Any]:
        """The search itself; its module is imported now."""
        module, _, name = self.strategy.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"entropick.search.{module}"), name)
        return found


GROWING = ("gains", "add", "account")
FORM = ("rows", "block", "times", "diagonal", "value", "scale", "account")

SEARCH_ENTRIES = {
    "ranking": SearchEntry("ranking:ranking", GROWING),
    "forward": SearchEntry("forward:forward", GROWING),
    "pairs": SearchEntry("pairs:pairs", ("best_pair", "information", "price", *GROWING), nested=False),
    "lazy": SearchEntry("lazy:lazy", ("note", "bounds", "up_to_date", "tighten", "account")),
    "pruned": SearchEntry("pruned:pruned", (*GROWING, "follow_by", "terms", "gains_of", "saturates")),
    "backward": SearchEntry("backward:backward", ("fill", "contributions", "remove"), sized=True),
    "best_first": SearchEntry("best_first:best_first", ("merits", *GROWING)),
    "given": SearchEntry("given:given", ("order", "account")),
    "l1": SearchEntry(
        "l1_path:l1_path",
        ("session", "select_model", "value", "gradient", "value_of", "values_changed"),
        nested=False,
        sized=True,
    ),
    "spectral": SearchEntry("relaxations.spectral:spectral", FORM),
    "program": SearchEntry("relaxations.simplex_program:simplex_program", FORM),
    "semidefinite": SearchEntry("relaxations.semidefinite:semidefinite", FORM, nested=False),
    "exhaustive": SearchEntry("exhaustive:exhaustive", GROWING, nested=False, sized=True),
}
