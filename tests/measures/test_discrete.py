"""Every discrete method against the brute-force reference: same features, same order, same scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import data
import entropick as ep
from entropick.statistics.levels.levels import LevelStatistics
from reference import discrete as reference

MISSING = -1  # stands for NaN while a table is being made


def options_of(method):
    """Options other than the defaults, so that a default cannot hide an option that is ignored."""
    return {
        "mifs": [{"beta": 1.0}, {"beta": 0.3}, {"beta": lambda size: 1 / (1 + size)}],
        "linear": [
            {"beta": 1.0, "gamma": 1.0},
            {"beta": 0.7, "gamma": 0.2},
            {"beta": lambda size: 1 / size, "gamma": 0},
            {"beta": 0.5, "gamma": lambda size: 1 / size},
        ],
    }.get(method, [{}])


def make_table(seed, n, sizes, n_classes, missing, twins, signal):
    """(X, y): columns of mixed level counts, some tied to y, some the relabelled copy of an earlier one."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    y[:3] = [0, 1, 0]  # neither one class alone nor every row its own
    columns = []
    for j, size in enumerate(sizes):
        column = rng.integers(0, size, n)
        if signal and j % 2 == 0:
            column = np.where(rng.random(n) < 0.5, (y * 7 + j) % size, column)
        if missing and j % 3 == 1:
            column = np.where(rng.random(n) < 0.2, MISSING, column)
        columns.append(column)
    for kind in twins:
        source = columns[rng.integers(len(sizes))]
        labels, inverse = np.unique(source, return_inverse=True)
        new = labels if kind == "copy" else rng.permutation(len(labels)) * 3
        columns.insert(rng.integers(len(columns) + 1), new[inverse])
    X = np.column_stack(columns)
    if (X == MISSING).any():
        X = np.where(X == MISSING, np.nan, X.astype(float))
    return X, y


@st.composite
def tables(draw):
    sizes = draw(st.lists(st.sampled_from([1, 2, 2, 3, 4, 5, 8, 9, 13, 16, 20, 31, 40]), min_size=2, max_size=6))
    twins = draw(st.lists(st.sampled_from(["copy", "relabel"]), max_size=2))
    n = draw(st.integers(8, 200))
    X, y = make_table(
        seed=draw(st.integers(0, 2**32 - 1)),
        n=n,
        sizes=sizes,
        n_classes=draw(st.sampled_from([2, 2, 3, 5, 10, 26, 50])),
        missing=draw(st.booleans()),
        twins=twins,
        signal=draw(st.booleans()),
    )
    kind = draw(st.sampled_from(["none", "integer", "real"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    weights = {"none": None, "integer": rng.integers(0, 4, n), "real": rng.uniform(0.05, 3, n)}[kind]
    if kind == "integer":
        weights[:3] = 1
    return X, y, weights


def check(X, y, method, k=None, weights=None, estimator="plugin", search=None, **options):
    asked, k = k, X.shape[1] if k is None else k  # constant columns are ranked only where all are asked for
    picks, scores = reference.forward(X.tolist(), y.tolist(), method, k, weights, estimator=estimator, **options)
    found = ep.select(
        X, y, method=method, k=asked, task="classification", discretizer=None, sample_weight=weights,
        search=search, estimator=estimator, **options,
    )  # fmt: skip
    if method == "cmi":
        room = filled(X.tolist(), y.tolist(), picks, weights)
        assert (len(found) < k) == (room < k)
        picks, scores = picks[:room], scores[:room]
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)
    return found


def filled(X, y, picks, weights):
    """Picks until an occupied cell of (S, Y) holds fewer than five rows on average: the guard of cmi."""
    terms = reference.Terms(X, y, weights)
    constant = reference.constants(terms)
    for size in range(1, len(picks)):
        if picks[size] in constant:  # ranked last without being judged
            continue
        cells = reference.count(terms.variable((*picks[:size], reference.Y)), terms.weights)
        if sum(cells.values()) < 5 * len(cells):
            return size
    return len(picks)


@pytest.mark.parametrize("method", reference.METHODS)
@settings(max_examples=25)
@given(table=tables(), pick=st.integers(0, 3), estimator=st.sampled_from(["plugin", "plugin", "miller-madow"]))
def test_random_tables(method, table, pick, estimator):
    X, y, weights = table
    known = options_of(method)
    check(X, y, method, None, weights, estimator, **known[pick % len(known)])


SIZES = (2, 3, 5, 9, 10, 16, 17, 30, 33)
WIDE = (2, 3, 256, 257, 40, 1000, 5)


@pytest.mark.parametrize("n", [63, 64, 65, 127, 128, 129])
@pytest.mark.parametrize("method", ["jmi", "cmim", "disr"])
def test_word_boundaries(method, n):
    """Classes end just before, at and just after a 64-bit word."""
    rng = np.random.default_rng(n)
    y = np.repeat([0, 1, 2], [n, 64, 1])
    X = np.column_stack([(y + rng.integers(0, size, len(y))) % size for size in SIZES])
    check(X, y, method, 5)


@pytest.mark.parametrize("n", [64, 129])
def test_one_class_fills_each_word(n):
    """Each class a single word or a single row more."""
    rng = np.random.default_rng(n)
    y = np.repeat(np.arange(4), n)
    X = np.column_stack([(y // 2 + rng.integers(0, size, len(y))) % size for size in (2, 2, 3, 4)])
    check(X, y, "cife")


@pytest.mark.parametrize("size", [2, 3, 5, 9, 10, 16, 17, 30, 33, 63, 64, 65, 256, 257, 1000])
@pytest.mark.parametrize("weighted", [False, True])
def test_level_counts(size, weighted):
    """All pairs of one level count, beside a binary column: every kernel and both code widths."""
    rng = np.random.default_rng(size)
    n = 1500
    y = rng.integers(0, 3, n)
    shift = np.column_stack([rng.integers(0, size, n) for _ in range(4)])
    X = np.column_stack([(shift + np.outer(y, [0, 1, 2, 1])) % size, rng.integers(0, 2, n)])
    X[0], X[1] = size - 1, 0  # the last level is used
    weights = rng.integers(1, 3, n) if weighted else None
    check(X, y, "jmi", 4, weights)


@pytest.mark.parametrize("n", [4079, 4080, 4081, 9000, 66000])
def test_long_groups(n):
    """Thousands of rows of one class and level, all with the highest code: no counter runs over."""
    sizes = np.array([2, 3, 4, 5, 8, 16, 33, 64, 65, 300])
    X = np.tile(sizes - 1, (n, 1))
    X[:3] = 0
    y = np.zeros(n, int)
    y[:2] = 1
    own = LevelStatistics(sizes, 2).update(X.T, y)
    few = -(3 / n) * np.log(3 / n) - (1 - 3 / n) * np.log1p(-3 / n)
    three = [2 / n, 1 / n, 1 - 3 / n]  # (0, class 1), (0, class 0), the rest
    with_class = -sum(p * np.log(p) for p in three)
    for asked in (own.singles(), *(own.pairs(i) for i in range(len(sizes)))):
        np.testing.assert_allclose(asked.feature, few, rtol=1e-10)
        np.testing.assert_allclose(asked.feature_class, with_class, rtol=1e-10)


def test_many_rows():
    rng = np.random.default_rng(0)
    n = 30000
    y = (rng.random(n) < 0.1).astype(int)
    X = np.column_stack([np.where(rng.random(n) < 0.2, y, rng.integers(0, size, n)) for size in (2, 5, 9, 40)])
    check(X, y, "jmi", 3)


@pytest.mark.parametrize("levels", [4, 40, 300])  # of the pick: cells at once, groups of rows
def test_rows_that_weigh_less_than_two_together_have_no_law(levels):
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, levels - 1, 200), rng.integers(0, 5, 200)])
    y, w = rng.integers(0, 3, 200), np.where(rng.random(200) < 0.5, 1.0, 1.5)
    light = np.column_stack([np.full(3, levels - 1), np.arange(3)])
    sizes = np.array([levels, 5])
    heavy = LevelStatistics(sizes, 3).update(X.T, y, w).pairs(0, detail=True).law
    both = LevelStatistics(sizes, 3).update(np.vstack([X, light]).T, np.append(y, [0, 1, 2]), np.append(w, [0.5] * 3))
    law = both.pairs(0, detail=True).law
    for part in ("square", "mean", "variance"):
        assert getattr(law, part)[1] == pytest.approx(getattr(heavy, part)[1], rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_law_of_the_square(weighted):
    """The detail that the stop rule needs, against the reference; sizes from bit slices to histograms of few rows."""
    rng = np.random.default_rng(2)
    n, sizes = 150, (2, 3, 5, 12, 40, 100)
    X = np.column_stack([rng.integers(0, size, n) for size in sizes])
    y = rng.integers(0, 3, n)
    w = rng.integers(1, 4, n) if weighted else None
    own = LevelStatistics(np.array(sizes), 3).update(X.T, y, w)

    def same(law, j, given):
        expected = reference.square_test(X[:, j].tolist(), y.tolist(), given, w)[:3]
        assert (law.square[j], law.mean[j], law.variance[j]) == pytest.approx(expected, rel=1e-9, abs=1e-9)

    singles = own.singles(detail=True)
    for j in range(len(sizes)):
        same(singles.law, j, None)
    for i in range(len(sizes)):
        asked = own.pairs(i, detail=True)
        for j in range(len(sizes)):
            if i != j:
                same(asked.law, j, X[:, i].tolist())


@pytest.mark.parametrize("method", reference.METHODS)
def test_mixed_levels_in_one_table(method):
    rng = np.random.default_rng(3)
    n = 1200
    y = rng.integers(0, 4, n)
    X = np.column_stack([(y * (j + 1) + rng.integers(0, size, n)) % size for j, size in enumerate(WIDE)])
    check(X, y, method, 5)


@pytest.mark.parametrize("method", ["jmi", "cmim", "mrmr", "disr", "jmim"])
@pytest.mark.parametrize("n_classes", [300, 2000])
def test_many_classes(method, n_classes):
    rng = np.random.default_rng(n_classes)
    n = 6000
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    X = np.column_stack([(y // (j + 1) + rng.integers(0, 2, n)) % size for j, size in enumerate((2, 7, 40, 300))])
    check(X, y, method, 3)


def test_cmi_takes_the_set_jointly():
    """A parity of three: no pair says anything, the third bit says everything."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 6))
    y = X[:, 1] ^ X[:, 3] ^ X[:, 4]
    check(X, y, "cmi", 3)


@pytest.mark.parametrize("method", ["jmi", "cmim", "mrmr", "cife"])
def test_labels_may_be_anything(method):
    """Strings, gaps, negative and huge numbers are levels like any other."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 5, (150, 4))
    y = (codes[:, 0] + codes[:, 1]) % 3
    picks, scores = reference.forward(codes.tolist(), y.tolist(), method, 4)
    wild = np.array([-(2**62), -7, 0, 12345, 2**62])
    found = ep.select(wild[codes], np.array(["no", "yes", "maybe"])[y], method=method, k=4, discretizer=None)
    assert found.indices.tolist() == picks
    np.testing.assert_allclose(found.scores, scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", ["jmi", "cmim", "mrmr"])
@pytest.mark.parametrize("name", ["dermatology", "congress", "colon_disc"])
def test_real_tables(name, method):
    X, y = data.load(name)
    check(X, y, method, 4)


@pytest.mark.parametrize("weighted", [False, True])
def test_information_functions(weighted):
    rng = np.random.default_rng(8)
    X = np.column_stack([rng.integers(0, size, 300) for size in (2, 3, 17, 40, 300)])
    y = rng.integers(0, 3, 300)
    weights = rng.uniform(0.1, 2, 300) if weighted else None
    terms = reference.Terms(X.tolist(), y.tolist(), weights)
    D = range(5)
    close = {"rtol": 1e-9, "atol": 1e-9}
    keywords = {"discretizer": None, "sample_weight": weights}
    np.testing.assert_allclose(ep.mutual_information(X, y, **keywords), [terms.relevance(i) for i in D], **close)
    expected = [[terms.entropy((i,)) if i == j else terms.redundancy(i, j) for j in D] for i in D]
    np.testing.assert_allclose(ep.mutual_information_matrix(X, **keywords), expected, **close)
    expected = [
        [terms.entropy((i, "y")) - terms.entropy(("y",)) if i == j else terms.conditional(i, j) for j in D] for i in D
    ]
    np.testing.assert_allclose(ep.conditional_mutual_information_matrix(X, y, **keywords), expected, **close)
