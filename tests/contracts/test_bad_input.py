"""Bad input of every kind: an error that names the argument and what was received, or the right answer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import entropick as ep
from entropick.errors import EntropickError, InvalidInput, InvalidParameter, UnknownMethod
from reference import discrete as reference

ARGUMENTS = ("estimator", "beta", "gamma", "betta", "shrinkage")


def by_function(X, y, **keywords):
    return ep.select(X, y, **keywords)


def by_estimator(X, y, **keywords):
    weight = keywords.pop("sample_weight", None)
    options = {name: keywords.pop(name) for name in ARGUMENTS if name in keywords}
    fitted = ep.Selector(**keywords, options=options or None)
    return fitted.fit(X, y, **({} if weight is None else {"sample_weight": weight}))


both = pytest.mark.parametrize("call", [by_function, by_estimator], ids=["select", "Selector"])


def table(n=40, D=4, seed=0):
    """Coded columns; y is a noisy copy of the first two."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, D))
    return X, (X[:, 0] + (X[:, 1] > 1) + (rng.random(n) < 0.1)) % 3


def refused(call, X, y, kind, *words, **keywords):
    """The call is refused with one clear sentence in which every word appears."""
    with pytest.raises(kind) as caught:
        call(X, y, **{"method": "jmi", "k": 2, **keywords})
    message = str(caught.value)
    assert isinstance(caught.value, EntropickError)
    for word in words:
        assert word in message, f"{word!r} is not in the message {message!r}"
    assert "\n" not in message
    assert "Traceback" not in message


# -- arguments --------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("k", [0, -1, -20, 1.5, -0.5, 0.0, float("nan"), float("inf"), "many", "", (2,), [1], {}, True])
def test_k(call, k):
    X, y = table()
    refused(call, X, y, InvalidParameter, "k", str(k), k=k)


@both
def test_k_in_kind(call):
    """Numbers of NumPy are numbers; a fraction gives at least one feature."""
    X, y = table()
    for k, size in [(np.int64(2), 2), (np.float64(0.5), 2), (0.5, 2), (0.01, 1), (4, 4), (None, 4)]:
        found = call(X, y, method="jmi", k=k, discretizer=None)
        picked = found.indices if isinstance(found, ep.Selection) else found.get_support(indices=True)
        assert len(picked) == size, k


@both
@pytest.mark.parametrize(("method", "near"), [("jmmi", "jmi"), ("mRMR", "mrmr"), ("cmimm", "cmim"), ("qqq", "")])
def test_unknown_method(call, method, near):
    X, y = table()
    refused(
        call,
        X,
        y,
        UnknownMethod,
        "method",
        repr(method),
        f"Did you mean {near!r}" if near else "jmim",
        method=method,
    )


@both
@pytest.mark.parametrize("method", [None, 3, ["jmi"], {"jmi"}])
def test_method_of_another_type(call, method):
    X, y = table()
    refused(call, X, y, UnknownMethod, "method", repr(method), method=method)


@both
@pytest.mark.parametrize(
    ("method", "option", "value", "words"),
    [
        ("mifs", "betta", 1.0, ["betta", "mifs", "beta", "estimator"]),
        ("jmi", "beta", 1.0, ["beta", "jmi", "estimator"]),
        ("jmi", "shrinkage", 0.1, ["shrinkage", "jmi"]),
        ("mifs", "beta", "big", ["beta", "number", "'big'"]),
        ("mifs", "beta", None, ["beta", "None"]),
        ("mifs", "beta", float("nan"), ["beta", "nan"]),
        ("linear", "gamma", True, ["gamma", "True"]),
        ("jmi", "estimator", "miller", ["estimator", "'miller'", "miller-madow"]),
        ("jmi", "estimator", 3, ["estimator", "3"]),
        ("jmi", "estimator", ["plugin"], ["estimator", "plugin"]),
    ],
)
def test_options(call, method, option, value, words):
    X, y = table()
    refused(call, X, y, InvalidParameter, *words, method=method, **{option: value})


@both
@pytest.mark.parametrize("beta", [float("inf"), float("-inf")])
def test_infinite_weight(call, beta):
    """∞ × 0 has no value: no score could be trusted."""
    X, y = table()
    refused(call, X, y, InvalidParameter, "beta", "inf", method="mifs", beta=beta)


@both
@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "x"])
def test_weight_function_that_gives_no_number(call, value):
    X, y = table()
    refused(call, X, y, InvalidParameter, "beta", str(value), method="mifs", k=3, beta=lambda size: value)


@both
@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("discretizer", "mdlp"), ("discretizer", 0), ("discretizer", 1), ("discretizer", -3),
        ("discretizer", 2.5), ("discretizer", len), ("discretizer", True),
        ("discretizer", ["mdl"]),
        ("missing", "drop"), ("missing", None), ("missing", 0),
        ("task", "clustering"), ("task", None),
        ("search", "sideways"), ("search", 3),
        ("test", "t"), ("test", None),
        ("alpha", 0), ("alpha", 1.5), ("alpha", -0.1), ("alpha", "5%"), ("alpha", float("nan")),
        ("n_jobs", 0), ("n_jobs", 1.5), ("n_jobs", "two"),
    ],
    ids=str,
)  # fmt: skip
def test_keywords(call, argument, value):
    X, y = table()
    received = type(value).__name__ if type(value) is object else str(value)
    refused(call, X, y, InvalidParameter, argument, received, **{argument: value})


@both
@pytest.mark.parametrize("seed", ["seed", -1, 1.5])
def test_random_state(call, seed):
    X, y = table()
    refused(
        call,
        X,
        y,
        InvalidParameter,
        "random_state",
        str(seed),
        random_state=seed,
        k="auto",
        test="permutation",
    )


@both
@pytest.mark.parametrize(("method", "search"), [("mim", "backward"), ("jmi", "lazy"), ("cmi", "backward")])
def test_search_that_the_method_cannot_run(call, method, search):
    X, y = table()
    refused(call, X, y, InvalidParameter, "search", search, method, method=method, search=search)


def test_keyword_that_does_not_exist():
    X, y = table()
    refused(by_function, X, y, InvalidParameter, "methods", "jmi", methods="jmi", method="jmi")


# -- include, exclude, groups ------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("argument", ["include", "exclude"])
@pytest.mark.parametrize("names", [["x9"], ["x1", "nowhere"], [17], [-1], [4], [1.5], [None], [True], 3.5])
def test_unknown_features(call, argument, names):
    X, y = table()
    bad = names if isinstance(names, float) else names[-1]
    refused(call, X, y, InvalidParameter, argument, str(bad), **{argument: names})


@both
def test_unknown_feature_has_a_near_miss(call):
    X, y = table()
    frame = pd.DataFrame(X, columns=["age", "income", "height", "weight"])
    refused(call, frame, y, InvalidParameter, "include", "incme", "'income'", include=["incme"])


@both
def test_include_and_exclude_overlap(call):
    X, y = table()
    refused(call, X, y, InvalidParameter, "include", "exclude", "x1", include=["x1", "x2"], exclude=["x1"])


@both
def test_more_included_than_wanted(call):
    X, y = table()
    refused(call, X, y, InvalidParameter, "include", "3", "k", include=["x0", "x1", "x2"], k=2)


@both
def test_everything_excluded(call):
    X, y = table()
    refused(call, X, y, InvalidParameter, "exclude", exclude=["x0", "x1", "x2", "x3"], k=1)


@both
@pytest.mark.parametrize(("k", "excluded", "left"), [(5, [], 4), (10**9, [], 4), (3, ["x0", "x1"], 2)])
def test_fewer_left_than_wanted(call, k, excluded, left):
    """All are taken, and a note says so."""
    X, y = table()
    found = call(X, y, method="jmi", k=k, exclude=excluded, discretizer=None)
    selection = found if isinstance(found, ep.Selection) else found.selection_
    assert len(selection.indices) == left
    assert any(f"k = {k}" in note for note in selection.notes)


@both
@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ({"a": ["x0", "x1"], "b": ["x1", "x2"]}, ["x1"]),
        ({"a": ["x0", "x9"]}, ["x9"]),
        ({"a": [0, 7]}, ["7"]),
        ({"a": ["x0", "x0"]}, ["'a'", "twice"]),
        ({"a": []}, ["a"]),
        ("x0", ["x0"]),
        (3, ["3"]),
    ],
    ids=["overlap", "unknown", "out of range", "repeated", "empty", "text", "number"],
)
def test_groups(call, groups, words):
    X, y = table()
    refused(call, X, y, InvalidParameter, "groups", *words, groups=groups)


# -- X ----------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("discretizer", ["auto", None, "mdl", "quantile", "uniform", 4])
def test_missing_values_as_an_error(call, discretizer):
    X, y = table()
    X = X.astype(float)
    X[3, 2] = np.nan
    refused(call, X, y, InvalidInput, "X", "x2", "missing", missing="error", discretizer=discretizer)


@both
@pytest.mark.parametrize("kind", ["none", "nan", "NA"])
def test_missing_categories_as_an_error(call, kind):
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcd")).astype({"b": str})
    if kind == "NA":
        frame = frame.convert_dtypes()
    frame.loc[3, "b"] = {"none": None, "nan": np.nan, "NA": pd.NA}[kind]
    refused(call, frame, y, InvalidInput, "X", "b", "missing", missing="error")


@both
@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("discretizer", ["auto", None, "mdl", "quantile", "uniform", 4])
def test_infinity(call, value, discretizer):
    X, y = table()
    X = X.astype(float)
    X[5, 1] = value
    refused(call, X, y, InvalidInput, "X", "x1", "inf", discretizer=discretizer)


@both
@pytest.mark.parametrize(
    ("X", "words"),
    [
        (np.zeros((0, 4)), ["0"]),
        (np.zeros((40, 0)), ["0"]),
        (np.zeros(40), ["X"]),
        (np.zeros((40, 2, 2)), ["X"]),
        (np.float64(3), ["X"]),
        (None, ["None"]),
        ({"a": 1}, ["X"]),
        (object(), ["object"]),
        (np.ones((40, 2)) + 1j, ["omplex"]),
    ],
    ids=["no rows", "no columns", "1-D", "3-D", "scalar", "None", "dict", "object", "complex"],
)
def test_not_a_table(call, X, words):
    y = np.arange(len(X) if isinstance(X, np.ndarray) and X.ndim else 40) % 2
    refused(call, X, y, InvalidInput, "X", *words, k=1)


@both
def test_a_text_is_a_file(call):
    refused(call, "a file.csv", "label", InvalidInput, "no file", "a file.csv", k=1)


@both
def test_one_row(call):
    refused(call, np.array([[1, 2, 3]]), np.array([1]), InvalidInput, "1", k=1)


def test_duplicate_column_names():
    """They get suffixes, and a note says so; an estimator is told the names again, so it refuses them."""
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "b", "a", "c"])
    selection = ep.select(frame, y, method="jmi", k=4)
    assert set(selection.names) == {"a", "b", "a_2", "c"}
    assert any("a_2" in note for note in selection.notes)


@pytest.mark.parametrize("method", reference.METHODS)
def test_constant_column_is_never_preferred(method):
    rng = np.random.default_rng(1)
    y = np.arange(300) % 3
    parts = [np.where(rng.random(300) < 0.4, y, rng.integers(0, 3, 300)) for _ in range(3)]
    X = np.column_stack([np.full(300, 7), *parts])
    for discretizer in (None, "auto"):
        found = ep.select(X, y, method=method, k=2, discretizer=discretizer)
        assert 0 not in found.indices
        assert any("x0" in note and "constant" in note for note in found.notes)


@pytest.mark.parametrize("method", reference.METHODS)
def test_nothing_but_constant_columns(method):
    X, y = np.ones((20, 3)), np.arange(20) % 2
    found = ep.select(X, y, method=method, k=2)
    assert found.indices.tolist() == [0, 1]
    assert found.scores.tolist() == [0, 0]
    assert len(ep.select(X, y, method=method, k="auto")) == 0


@pytest.mark.parametrize("discretizer", ["auto", "mdl", "quantile", "uniform", 3])
def test_all_missing_column(discretizer):
    X, y = table()
    X = X.astype(float)
    X[:, 2] = np.nan
    found = ep.select(X, y, method="jmi", k=2, discretizer=discretizer)
    assert 2 not in found.indices


# -- y and weights ----------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("n", [0, 1, 39, 41])
def test_wrong_length(call, n):
    X, y = table()
    refused(call, X, np.resize(y, n), InvalidInput, "y", "40", str(n))


@both
@pytest.mark.parametrize("y", [np.zeros(40), np.array(["a"] * 40), np.ones(40, bool)])
def test_one_class(call, y):
    X, _ = table()
    refused(call, X, y, InvalidInput, "y", "class", task="classification")


@both
def test_one_class_after_weights(call):
    X, y = table()
    refused(call, X, y, InvalidInput, "y", "class", sample_weight=(y == 0).astype(float))


@both
def test_constant_target_of_a_regression(call):
    X, _ = table()
    refused(call, X, np.full(40, 2.5), InvalidInput, "y", task="regression")


@both
@pytest.mark.parametrize(
    ("y", "words"),
    [
        (np.zeros((40, 2)), ["40", "2"]),
        (None, ["None"]),
        (np.where(np.arange(40) == 7, np.nan, np.arange(40) % 2), ["missing"]),
        (np.where(np.arange(40) == 7, np.inf, np.arange(40) / 3), ["inf"]),
        (np.array([None if i == 7 else "ab"[i % 2] for i in range(40)], dtype=object), ["missing"]),
    ],
    ids=["2-D", "None", "NaN", "inf", "None in strings"],
)
def test_bad_target(call, y, words):
    X, _ = table()
    refused(call, X, y, InvalidInput, "y", *words)


def test_target_named_in_a_table():
    X, y = table()
    frame = pd.DataFrame(X, columns=["age", "income", "height", "weight"]).assign(label=y)
    refused(by_function, frame, "lable", InvalidInput, "y", "'lable'", "'label'")
    refused(by_function, X, "label", InvalidInput, "y", "label")
    assert "label" not in ep.select(frame, "label", method="jmi", k=2).feature_names


@both
@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.r_[-1.0, np.ones(39)], ["-1"]),
        (np.r_[np.nan, np.ones(39)], ["nan"]),
        (np.r_[np.inf, np.ones(39)], ["inf"]),
        (np.zeros(40), ["0"]),
        (np.ones(39), ["39", "40"]),
        (np.ones((40, 2)), ["2"]),
        (np.array(["a"] * 40), []),
    ],
    ids=["negative", "NaN", "inf", "all zero", "short", "2-D", "text"],
)
def test_weights(call, weights, words):
    X, y = table()
    refused(call, X, y, InvalidInput, "sample_weight", *words, sample_weight=weights)


# -- odd but right ----------------------------------------------------------------------------------------


def same_as_reference(X, y, codes, labels, **keywords):
    picks, scores = reference.forward(codes.tolist(), labels.tolist(), "jmi", 3)
    found = ep.select(X, y, method="jmi", k=3, **{"discretizer": None, **keywords})
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)
    return found


def test_layouts():
    """Read-only, Fortran, strided, reversed, byte-swapped and list inputs are the same table."""
    X, y = table()
    frozen = X.copy()
    frozen.flags.writeable = False
    big = np.zeros((80, 12), X.dtype)
    big[::2, ::3] = X
    for view in (
        frozen, np.asfortranarray(X), big[::2, ::3], X[:, ::-1][:, ::-1], X[::-1].copy()[::-1],
        X.astype(">i4"), X.astype(np.uint8), X.astype(np.int8), X.astype(np.float32), X.astype(np.float16),
        X.tolist(), X.astype(object),
    ):  # fmt: skip
        same_as_reference(view, y, X, y)
    same_as_reference(X, np.broadcast_to(y[:, None], (40, 3))[:, 1], X, y)
    same_as_reference(X, y.tolist(), X, y)
    same_as_reference(X, y.astype(object), X, y)
    before = frozen.copy()
    ep.select(frozen, y, method="jmi", k=2)
    assert (frozen == before).all()


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse(kind):
    X, y = table()
    same_as_reference(kind(X), y, X, y)


@pytest.mark.parametrize("discretizer", [None, "auto"])
def test_strings(discretizer):
    X, y = table()
    words = np.array(["red", "green", "a rather long name"])[X]
    for view in (words, words.astype(object), pd.DataFrame(words), pd.DataFrame(words).astype("category")):
        same_as_reference(view, np.array(["u", "v", "w"])[y], X, y, discretizer=discretizer)


def test_booleans():
    X, y = table()
    same_as_reference(X > 0, y > 0, (X > 0).astype(int), (y > 0).astype(int))


def test_huge_integers():
    X, y = table()
    for offset in (2**53, 2**62, -(2**62)):
        same_as_reference(X + offset, y + offset, X, y)  # 2⁵³ + 1 is not a float
    same_as_reference(X.astype(np.uint64) + np.uint64(2**64 - 10), y, X, y)


def test_classes_of_one_member():
    X, y = table()
    labels = y.copy()
    labels[:5] = np.arange(100, 105)
    same_as_reference(X, labels, X, labels)


@both
def test_every_row_its_own_class(call):
    """Row numbers are no classes: every feature would say all that it can."""
    X, _ = table()
    refused(call, X, np.arange(40), InvalidInput, "y", "40", "regression", task="classification")


def test_two_rows():
    found = ep.select(np.array([[0, 1], [0, 0]]), np.array([0, 1]), method="mim", k=1, discretizer=None)
    assert found.indices.tolist() == [1]
    assert found.scores == pytest.approx([np.log(2)])


def test_one_column():
    X, y = table()
    assert ep.select(X[:, :1], y, method="jmi", k=1).names == ["x0"]


def test_over_fine_column_is_reported():
    """A row number says everything about these rows and nothing about others."""
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcd")).assign(row=[f"id {i}" for i in range(40)])
    found = ep.select(frame, y, method="jmi", k=2)
    assert any("row" in note for note in found.notes)


# -- numbers too large to compute with: found by fuzzing ----------------------------------------------------


@both
@pytest.mark.parametrize("method", ["anova", "gc.mi", "hsic.forward", "relieff"])
def test_numbers_whose_squares_overflow_are_named(call, method):
    X, y = table()
    X = X.astype(float)
    X[::2, 2] = 1.5e308
    X[1::2, 2] = -1.5e308
    refused(call, X, y, InvalidInput, "x2", "1.5e+308", "rescale", method=method)


@both
def test_weights_that_overflow_are_named(call):
    X, y = table()
    refused(
        call, 1e9 * X, y, InvalidInput, "sample_weight", "1e+300", method="anova", sample_weight=np.full(len(y), 1e300)
    )


@both
@pytest.mark.parametrize("y", [np.array([1e200, 2e200] * 20) * 1.5, np.array([1.5e-200, 2.5e-200] * 20)])
def test_a_target_out_of_range(call, y):
    refused(call, table()[0], y, InvalidInput, "y", "rescale", method="pearson", task="regression")


@both
def test_a_class_with_a_line_break_is_told_in_one_line(call):
    refused(call, table()[0], np.full(40, "x\ny"), InvalidInput, "1 class")
