"""Which set to try next, one strategy a file. All are called alike and leave an `Outcome`."""

from .backward import backward
from .choice import Choice, Outcome
from .forward import forward
from .lazy import lazy
from .pruned import pruned
from .ranking import ranking

SEARCHES = {"ranking": ranking, "forward": forward, "lazy": lazy, "pruned": pruned, "backward": backward}

__all__ = ["SEARCHES", "Choice", "Outcome"]
