"""Folding links: one by one, all at once and taking out again must agree, for the built-in folds and for one's own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from entropick.measures.pairwise.fold import Fold, Max, Min, Sum
from entropick.measures.pairwise.pairwise import PairwiseMeasure


class Squares(Fold):
    """One's own, with no more than is asked for."""

    def into(self, folded, links):
        folded += np.nan_to_num(links) ** 2


TRUTH = {Sum: math.fsum, Min: min, Max: max, Squares: lambda values: math.fsum(value**2 for value in values)}


@pytest.mark.parametrize("kind", TRUTH)
def test_one_by_one_all_at_once_and_out_again(kind):
    fold, rng = kind(), np.random.default_rng(3)
    links = rng.integers(-9, 9, (2, 6, 30)).astype(float)  # whole numbers: sums are exact, and many tie
    folded = np.full((2, 30), fold.start)
    for pick in range(6):
        fold.into(folded, links[:, pick])

    def truth(picks):
        return [[TRUTH[kind](links[link, picks, column]) for column in range(30)] for link in range(2)]

    np.testing.assert_array_equal(folded, truth(list(range(6))))
    np.testing.assert_array_equal(fold.over(links), folded)
    again = fold.out_of(folded, links[:, 2])
    left = [0, 1, 3, 4, 5]
    if again.size:
        folded[:, again] = fold.over(links[:, left][:, :, again])
    np.testing.assert_array_equal(folded, truth(left))


@pytest.mark.parametrize("kind", TRUTH)
def test_what_was_not_counted_changes_nothing(kind):
    fold = kind()
    folded = np.full((1, 2), fold.start)
    fold.into(folded, np.array([[2.0, 3.0]]))
    before = folded.copy()
    fold.into(folded, np.array([[np.nan, np.nan]]))
    np.testing.assert_array_equal(folded, before)


@pytest.mark.parametrize("wrong", ["min", "mean", None, Min])
def test_a_fold_that_is_none_is_told_when_the_criterion_is_written(wrong):
    with pytest.raises(TypeError, match=r"Mine\.fold: must be Sum\(\), Min\(\), Max\(\) or another Fold, got"):
        type("Mine", (PairwiseMeasure,), {"fold": wrong})
