"""The one-standard-error rule on curves made by hand."""

from __future__ import annotations

import pytest

from entropick.errors import InvalidInput
from entropick.evaluation.best import Point, in_words, one_standard_error

NAN = float("nan")
STEADY = {("a", 5): 0.2, ("b", 5): 0.8, ("c", 5): 0.8, ("a", 10): 0.9, ("a", 20): NAN}


def chosen(*points):
    lowest, near = one_standard_error([Point(*point) for point in points], lambda *key: STEADY[key])
    return (lowest.method, lowest.k), [(point.method, point.k, point.estimator) for point in near]


def test_fewest_features_within_a_standard_error_of_the_lowest():
    lowest, near = chosen(("a", 20, "e", 0.10, 0.02), ("a", 10, "e", 0.12, 0.001), ("a", 5, "e", 0.1201, 0.5))
    assert lowest == ("a", 20)
    assert near == [("a", 10, "e"), ("a", 20, "e")]  # 0.1201 is beyond 0.10 + 0.02, whatever its own spread


def test_then_the_most_stable_then_the_lowest_error_then_the_first():
    points = [("a", 5, "e", 0.10, 0.05), ("b", 5, "e", 0.12, 0.0), ("c", 5, "e", 0.11, 0.0), ("c", 5, "f", 0.11, 0.0)]
    assert chosen(*points)[1] == [("c", 5, "e"), ("c", 5, "f"), ("b", 5, "e"), ("a", 5, "e")]


def test_what_could_not_be_scored_is_passed_over():
    assert chosen(("a", 5, "e", NAN, NAN), ("a", 20, "e", 0.3, 0.1)) == (("a", 20), [("a", 20, "e")])
    with pytest.raises(InvalidInput, match="no estimator could be fitted"):
        chosen(("a", 5, "e", NAN, NAN))


def test_words():
    low, taken = Point("a", 20, "3-NN", 0.1, 0.02), Point("b", 5, "QDA", 0.112, 0.01)
    assert in_words(low, low, 64, "classification", 0.5, (5, 20, 40)) == (
        "a with 20 of 64 features: 3-NN misclassifies 10.0% ± 2.0% of unseen rows."
    )
    assert in_words(taken, low, 64, "regression", 1.0, (5, 20, 40)) == (
        "b with 5 of 64 features: QDA has an RMSE of 0.112 ± 0.010 standard deviations of the target."
        " The lowest error, 0.100 (a, 20 features, 3-NN), is less than one standard error better."
    )


def test_words_where_more_were_not_tried():
    low = Point("a", 20, "3-NN", 0.1, 0.02)
    told = in_words(low, low, 64, "classification", 0.5, (5, 20))
    assert told.startswith("a with at least 20 of 64 features: ")
    assert told.endswith("More than 20 features were not tried and may do better.")
    assert "at least" not in in_words(low, low, 20, "classification", 0.5, (5, 20))  # there are no more


@pytest.mark.parametrize(("task", "error", "blind"), [("classification", 0.48, 0.49), ("regression", 0.97, 1.0)])
def test_words_where_nothing_is_found(task, error, blind):
    """The least error plus its standard error reaches that of a constant answer."""
    noise = Point("a", 5, "3-NN", error, 0.04)
    assert in_words(noise, noise, 64, task, blind, (5,)).startswith("No method beats always predicting")
    assert "No method beats" not in in_words(noise, noise, 64, task, blind + 0.1, (5,))
