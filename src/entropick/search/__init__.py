"""Which set to try next, one strategy a file. All are called alike and leave an `Outcome`."""

from .backward import backward
from .best_first import best_first
from .choice import Choice, Outcome
from .exhaustive import exhaustive
from .forward import forward
from .given import given
from .l1_path import l1_path
from .lazy import lazy
from .pruned import pruned
from .ranking import ranking
from .semidefinite import semidefinite
from .simplex_program import simplex_program
from .spectral import spectral

SEARCHES = {
    "ranking": ranking,
    "forward": forward,
    "lazy": lazy,
    "pruned": pruned,
    "backward": backward,
    "best_first": best_first,
    "given": given,
    "l1": l1_path,
    "spectral": spectral,
    "program": simplex_program,
    "semidefinite": semidefinite,
    "exhaustive": exhaustive,
}

__all__ = ["SEARCHES", "Choice", "Outcome"]
