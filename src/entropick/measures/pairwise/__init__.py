"""Criteria on tables of pairs; what one's own is made of."""

from .fold import Fold, Max, Min, Sum
from .pairwise import Pair, PairwiseMeasure

__all__ = ["Fold", "Max", "Min", "Pair", "PairwiseMeasure", "Sum"]
