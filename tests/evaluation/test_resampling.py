"""Resamples: who learns from which rows, and who is tested on which."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit, TimeSeriesSplit

from entropick.coding import code_target
from entropick.errors import InvalidInput, InvalidParameter
from entropick.evaluation.resampling import resample

CLASSES = code_target(np.repeat(["a", "b", "c"], [30, 20, 10]))
NUMBERS = code_target(np.linspace(0.0, 1.0, 31) ** 2)


def test_folds_test_every_row_once_a_repeat_and_keep_the_shares():
    found = resample(CLASSES, 5, 3)
    assert found.words == "stratified 5-fold cross-validation, repeated 3 times"
    assert len(found.resamples) == 15
    tested = np.concatenate([one.test for one in found.resamples])
    assert (np.bincount(tested) == 3).all()
    for one in found.resamples:
        assert np.bincount(CLASSES.codes[one.test]).tolist() == [6, 4, 2]
        assert sorted([*one.train, *one.test]) == list(range(60))
    assert found.test_share == pytest.approx(12 / 48)
    assert not np.array_equal(found.resamples[0].test, found.resamples[5].test)


def test_folds_of_a_regression():
    found = resample(NUMBERS, 4, 1)
    assert found.words == "4-fold cross-validation"
    assert sorted(np.concatenate([one.test for one in found.resamples])) == list(range(31))


def test_bootstraps_draw_with_replacement_and_test_what_was_left():
    found = resample(CLASSES, bootstraps=200)
    assert found.words == "200 bootstraps, tested on the rows left out"
    shares = []
    for one in found.resamples:
        assert one.train.size == 60
        assert sorted({*one.train, *one.test}) == list(range(60))
        assert not {*one.train} & {*one.test}
        shares.append(one.test.size / 60)
    assert np.mean(shares) == pytest.approx((1 - 1 / 60) ** 60, abs=0.01)


@pytest.mark.parametrize("settings", [{"cv": 3}, {"bootstraps": 10}, {"cv": KFold(3)}])
def test_the_same_seed_gives_the_same(settings):
    one, same = (resample(CLASSES, **settings, seed=1).resamples for _ in range(2))
    assert all(
        np.array_equal(a.train, b.train) and np.array_equal(a.test, b.test) for a, b in zip(one, same, strict=True)
    )
    if "bootstraps" in settings:
        other = resample(CLASSES, **settings, seed=2).resamples
        assert not np.array_equal(one[0].train, other[0].train)


@pytest.mark.parametrize("target", [CLASSES, NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("settings", [{"cv": 3}, {"bootstraps": 10}])
def test_groups_stay_together(target, settings):
    groups = np.array(list("vwxyz"))[np.arange(target.codes.size) % 5]
    for one in resample(target, **settings, sample_groups=groups).resamples:
        assert not {*groups[one.train]} & {*groups[one.test]}


@pytest.mark.parametrize(("splitter", "number"), [(LeaveOneOut(), 60), (TimeSeriesSplit(3), None)])
def test_any_splitter(splitter, number):
    target = code_target(np.tile(["a", "b", "c"], 20))
    found = resample(target, splitter)
    assert found.words == type(splitter).__name__
    assert len(found.resamples) == (number or 3)


def test_rows_of_ones_own():
    found = resample(
        CLASSES, [(np.arange(0, 60, 2), np.arange(1, 60, 2)), (np.arange(60) % 3 > 0, np.arange(60) % 3 == 0)]
    )
    assert found.words == "given rows"
    assert found.resamples[1].test.tolist() == list(range(0, 60, 3))


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"cv": 1}, InvalidParameter, "cv: must be an integer of at least 2, got 1"),
        ({"cv": "five"}, InvalidParameter, "cv: must be a number of folds, a scikit-learn splitter"),
        ({"cv": 11}, InvalidInput, "got 10 of class c for 11 folds; use fewer folds"),
        ({"repeats": 0}, InvalidParameter, "repeats"),
        ({"bootstraps": 1}, InvalidParameter, "bootstraps: must be an integer of at least 2"),
        ({"bootstraps": 5, "cv": KFold(3)}, InvalidParameter, "bootstraps: replaces cv"),
        (
            {"cv": ShuffleSplit(3)},
            InvalidParameter,
            "ShuffleSplit draws different folds each time; set its",
        ),
        ({"cv": KFold(61)}, InvalidInput, "cv: cannot split these rows"),
        ({"cv": [([0, 40], [1])]}, InvalidInput, "at least two resamples"),
        ({"cv": [([0, 40], [0])] * 2}, InvalidInput, "must not overlap"),
        ({"cv": [([0, 1], [40])] * 2}, InvalidInput, "leaves only one class to train on"),
        ({"cv": [([0, 40], [])] * 2}, InvalidInput, "got 2 and 0"),
        ({"cv": [([0, 40], [60])] * 2}, InvalidInput, r"rows are 0 … 59, got 60 … 60"),
        ({"cv": [([0.5], [1])] * 2}, InvalidInput, "row numbers"),
        ({"sample_groups": [1, 2]}, InvalidInput, "one label per row"),
        ({"sample_groups": np.arange(60) % 3}, InvalidInput, "got 3 groups for 5 folds"),
    ],
)
def test_what_is_refused(settings, error, said):
    with pytest.raises(error, match=said):
        resample(CLASSES, **settings)


def test_too_few_rows_to_bootstrap():
    with pytest.raises(InvalidInput, match="too few rows"):
        resample(code_target(np.array([0, 1])), bootstraps=20)


def test_a_quantity_taken_for_classes_is_told():
    prices, towns = np.arange(60) // 2, np.array([f"t{i // 2}" for i in range(60)], dtype=object)
    with pytest.raises(InvalidInput, match="if the target is a quantity, pass task='regression'"):
        resample(code_target(prices), cv=5)
    with pytest.raises(InvalidInput, match=r"or drop the class$"):
        resample(code_target(towns), cv=5)
