"""Problems with known answers, and loaders for real tables."""

from .loaders import find, load_demo
from .problem import Problem
from .toys import and_or, quad, redundant_interaction, smoking, three_way, xor

__all__ = [
    "Problem",
    "and_or",
    "find",
    "load_demo",
    "quad",
    "redundant_interaction",
    "smoking",
    "three_way",
    "xor",
]
