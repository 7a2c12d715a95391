"""The coded target: classes, bins, and what is refused."""

import numpy as np
import pytest

from entropick.coding import code_target
from entropick.coding.target import find_task
from entropick.errors import InvalidInput, InvalidParameter
from reference import binning as reference


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (np.array([2, 0, 2, 5]), [0, 2, 5], [1, 0, 1, 2]),
        (np.array([1.0, 0.0, 1.0]), [0.0, 1.0], [1, 0, 1]),
        (np.array([True, False, True]), [False, True], [1, 0, 1]),
        (np.array(["b", "a", "b"]), ["a", "b"], [1, 0, 1]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"], [1, 0, 1]),
        (np.array([1, "a", 1], dtype=object), ["1", "a"], [0, 1, 0]),
        (np.array([-1, 1, 1], dtype=np.int8), [-1, 1], [0, 1, 1]),
    ],
)
def test_classes_are_sorted_labels(y, classes, codes):
    target = code_target(y)
    assert target.task == "classification"
    assert target.classes.tolist() == classes
    assert target.codes.tolist() == codes
    assert target.codes.dtype == np.int32
    assert target.n_classes == len(classes)
    assert target.values is None


def test_fractions_are_a_regression():
    y = np.random.default_rng(0).normal(size=101)
    target = code_target(y)
    edges = reference.even_edges(y.tolist(), 5)
    assert target.task == "regression"
    assert target.classes.tolist() == edges
    assert target.codes.tolist() == reference.levels(y.tolist(), edges)
    assert target.n_classes == 5
    assert target.values is not None
    assert (target.values == y).all()


def test_few_far_rows_are_told_apart_and_no_bin_is_empty():
    random = np.random.default_rng(1)
    y = np.concatenate([random.normal(90, 3, 950), random.normal(5, 1, 50)])
    assert code_target(y).codes[950:].tolist() == [0] * 50
    assert (code_target(y).codes[:950] > 0).all()
    for values in (np.exp(3 * random.normal(size=700)), np.round(random.normal(size=300), 1), np.arange(5) / 2):
        target = code_target(values, "regression")
        assert (np.bincount(target.codes, minlength=target.n_classes) > 0).all()


def test_the_task_can_be_said():
    y = np.arange(20) % 10
    assert code_target(y).n_classes == 10
    assert code_target(y, "regression").n_classes == 5
    assert code_target(y, "regression", bins=3).n_classes == 3
    assert code_target(np.array([0.5, 1.5, 0.5, 2.5]), "classification").classes.tolist() == [0.5, 1.5, 2.5]
    assert code_target(np.array(["1.5", "2", "2"], dtype=object), "regression").values.tolist() == [1.5, 2, 2]


def test_weights_move_the_bins():
    y, weights = np.array([0.5, 1.5, 2.5, 3.5]), np.array([3.0, 1.0, 2.0, 1.0])
    whole = code_target(np.repeat(y, weights.astype(int)), bins=3)
    assert code_target(y, bins=3, weights=weights).classes.tolist() == whole.classes.tolist()


@pytest.mark.parametrize(
    ("y", "task", "words"),
    [
        (np.zeros(5, dtype=int), "auto", "at least two classes, got 1 class"),
        (np.array(["a", "a"]), "auto", "got 1 class"),
        (np.arange(50), "auto", "class of its own.*task='regression'"),
        (np.array([f"n{i}" for i in range(9)]), "auto", "class of its own"),
        (np.full(5, 0.5), "auto", r"must not be constant, got 0\.5"),
        (np.ones(5), "regression", "constant"),
        (np.array(["a", "b", "b"]), "regression", "must be numbers.*task='classification'"),
        (np.array([0.5, np.nan]), "regression", "NaN"),
        (np.array([0.0, np.nan]), "classification", "NaN"),
        (np.array(["a", None, "b"], dtype=object), "classification", "NaN"),
        (np.array([0.5, np.inf]), "regression", "infinity"),
        (np.zeros((4, 2)), "auto", "1d array here, got 4×2; pass one column"),
        (np.array([]), "auto", "at least one value"),
    ],
)
def test_what_is_no_target(y, task, words):
    with pytest.raises(InvalidInput, match=words):
        code_target(y, task)


@pytest.mark.parametrize(
    ("y", "task", "words"),
    [
        (np.arange(8).reshape(4, 2), "auto", "2 columns of integers or labels; pass task='regression'"),
        (np.random.default_rng(0).random((4, 2)), "classification", "one column of classes"),
        (np.full((4, 2), 0.5), "auto", "must not be constant, got 2 constant columns"),
        (np.array([[0.5, np.nan], [1.5, 2.5]]), "regression", "NaN"),
    ],
)
def test_what_are_no_several_targets(y, task, words):
    with pytest.raises(InvalidInput, match=words):
        code_target(y, task, several=True)


def test_several_targets_are_quantities():
    y = np.array([[0, 1], [2, 3], [4, 3]])
    target = code_target(y, "regression", several=True)
    assert target.task == "regression"
    assert np.array_equal(target.values, y.astype(float))
    assert target.codes.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("argument", "value"), [("task", "clustering"), ("task", None), ("bins", 1), ("bins", 2.5)])
def test_bad_parameters(argument, value):
    with pytest.raises(InvalidParameter, match=argument):
        code_target(np.array([0.5, 1.5]), **{argument: value})


def test_many_classes_are_classes_where_they_are_called_so():
    y = np.repeat(np.arange(3000), 2)
    assert code_target(y, "classification").n_classes == 3000
    assert "3000 integers, is treated as a quantity" in code_target(y).note
    assert code_target(np.repeat(np.arange(3000), 10)).n_classes == 3000


@pytest.mark.parametrize(
    "y",
    [
        np.array([True, False, True]),
        np.array([0, 1, 2]),
        np.array([-1.0, 1.0, 2.0]),
        np.array([0.5, 1.0, 2.0]),
        np.array([1e300, -1e300, 5.0]),
        np.array(["a", "b", "c"]),
        np.array(["a", 1, True], dtype=object),
        np.arange(20) % 3.0,
    ],
)
def test_the_task_is_scikit_learns(y):
    from sklearn.utils.multiclass import type_of_target

    asked = y.astype(str) if y.dtype == object else y
    assert find_task(y) == ("regression" if type_of_target(asked) == "continuous" else "classification")
