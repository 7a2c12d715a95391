"""Every public door of entropick under random, ordinary and hostile calls; a call is made from its seed alone."""

from . import attacking, commands, engines, evaluating, indices, keeping, selecting
from .surface import ANSWERED, REFUSED, SURFACES, outcome

__all__ = [
    "ANSWERED", "REFUSED", "SURFACES", "attacking", "commands", "engines", "evaluating", "indices", "keeping",
    "outcome", "selecting",
]  # fmt: skip
