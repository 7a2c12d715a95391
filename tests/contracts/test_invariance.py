"""What must not change the answer does not change one bit of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropick as ep
from entropick.errors import EntropickError
from entropick.statistics.levels.levels import LevelStatistics
from reference import discrete as reference

METHODS = reference.METHODS
SIZES = (2, 3, 5, 9, 12, 17, 33, 60, 300)


def table(n=400, sizes=SIZES, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = [np.where(rng.random(n) < 0.3, y * (j + 2) % size, rng.integers(0, size, n)) for j, size in enumerate(sizes)]
    return np.column_stack(X), y


def select(X, y, method="jmi", **keywords):
    k = min(2 if method == "cmi" else 5, X.shape[1])
    return ep.select(X, y, **{"method": method, "k": k, "discretizer": None, **keywords})


def relabelled(column, rng):
    labels, codes = np.unique(column, return_inverse=True)
    return (rng.permutation(len(labels)) * 5 - 3)[codes]


def weights_of(kind, n):
    rng = np.random.default_rng(n)
    return {"none": None, "integer": rng.integers(1, 5, n), "real": rng.uniform(0.01, 3, n)}[kind]


def same(after, before):
    assert after.indices.tolist() == before.indices.tolist()
    assert after.scores.tolist() == before.scores.tolist()


kinds = pytest.mark.parametrize("kind", ["none", "integer", "real"])


# -- codes ------------------------------------------------------------------------------------------------


@kinds
@pytest.mark.parametrize("method", METHODS)
def test_relabelled_table_scores_exactly_the_same(method, kind):
    X, y = table()
    w = weights_of(kind, len(y))
    rng = np.random.default_rng(1)
    other = np.column_stack([relabelled(column, rng) for column in X.T])
    before, after = select(X, y, method, sample_weight=w), select(other, y, method, sample_weight=w)
    same(after, before)


@kinds
@pytest.mark.parametrize("method", METHODS)
def test_relabelled_classes_score_exactly_the_same(method, kind):
    X, y = table(classes=5)
    w = weights_of(kind, len(y))
    other = np.array([30, -7, 100, 2, 11])[y]
    before, after = select(X, y, method, sample_weight=w), select(X, other, method, sample_weight=w)
    same(after, before)


@kinds
@pytest.mark.parametrize("size", SIZES)
def test_copy_ties_and_the_lowest_index_wins(size, kind):
    X, y = table(sizes=(size,) * 2)
    w = weights_of(kind, len(y))
    rng = np.random.default_rng(size)
    twins = np.column_stack([X[:, 0], *(relabelled(X[:, 0], rng) for _ in range(3)), X[:, 1]])
    information = ep.mutual_information(twins, y, discretizer=None, sample_weight=w)
    assert len(set(information[:4].tolist())) == 1
    redundancy = ep.mutual_information_matrix(twins, discretizer=None, sample_weight=w)
    assert len(set(redundancy[4, :4].tolist())) == 1
    assert len(set(np.diag(redundancy)[:4].tolist())) == 1
    conditional = ep.conditional_mutual_information_matrix(twins, y, discretizer=None, sample_weight=w)
    assert len(set(conditional[4, :4].tolist())) == 1
    order = select(twins, y, "mim", k=None, sample_weight=w)
    assert [i for i in order.indices if i < 4] == [0, 1, 2, 3]
    for method in (
        "mrmr",
        "jmi",
        "cmim",
        "disr",
        *(["cmi"] if size < 20 else []),
    ):  # cmi wants rows for each cell
        first = select(twins, y, method, k=2, include=[4], sample_weight=w)
        assert first.indices.tolist() == [4, 0], method
        assert first.steps[1].margin == 0, method


def test_unused_levels_and_classes_change_nothing():
    """Level 9 of 10 with 3 seen is still a column of 3 levels."""
    X, y = table()
    before = select(X, y)
    after = select(X * 7, y * 40)
    same(after, before)
    # classes that only rows of weight 0 have
    extra = np.vstack([X, X[:20]])
    labels = np.r_[y, np.arange(100, 120)]
    gone = select(extra, labels, sample_weight=np.r_[np.ones(len(y)), np.zeros(20)])
    assert gone.indices.tolist() == before.indices.tolist()
    assert gone.scores.tolist() == before.scores.tolist()
    assert gone.n_samples == len(y)


# -- threads, rows, columns, weights ------------------------------------------------------------------------


@kinds
@pytest.mark.parametrize("method", METHODS)
def test_threads(method, kind):
    X, y = table(n=700, sizes=SIZES * 4)
    w = weights_of(kind, len(y))
    one, *others = (select(X, y, method, n_jobs=n_jobs, sample_weight=w) for n_jobs in (1, 2, 8, None, -1))
    for other in others:
        assert other.steps == one.steps


@kinds
@pytest.mark.parametrize("method", METHODS)
def test_row_order(method, kind):
    X, y = table()
    w = weights_of(kind, len(y))
    before = select(X, y, method, sample_weight=w)
    orders = [
        np.arange(len(y))[::-1],
        np.argsort(y),
        *(np.random.default_rng(s).permutation(len(y)) for s in (1, 2)),
    ]
    for order in orders:
        after = select(X[order], y[order], method, sample_weight=None if w is None else w[order])
        assert after.indices.tolist() == before.indices.tolist()
        assert after.scores.tolist() == before.scores.tolist()


@pytest.mark.parametrize("discretizer", ["auto", "mdl", "quantile", "uniform", 4])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_row_order_and_threads_with_real_columns(discretizer, task):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((300, 12)).round(1)  # with many equal values
    y = X[:, 2] + X[:, 7] + rng.normal(0, 0.5, 300)
    y = y if task == "regression" else (y > 0).astype(int)
    keywords = {"k": 5, "discretizer": discretizer, "task": task}
    before = select(X, y, n_jobs=1, **keywords)
    order = rng.permutation(300)
    assert select(X[order], y[order], n_jobs=1, **keywords).steps == before.steps
    assert select(X, y, n_jobs=2, **keywords).steps == before.steps
    assert select(X, y, n_jobs=8, **keywords).steps == before.steps


@pytest.mark.parametrize("method", METHODS)
def test_column_order(method):
    """Columns of a table without ties, in another order: the same columns, the same scores."""
    X, y = table(sizes=(2, 3, 5, 9, 17, 33))
    before = select(X, y, method)
    for seed in (0, 1):
        order = np.random.default_rng(seed).permutation(X.shape[1])
        after = select(X[:, order], y, method)
        assert order[after.indices].tolist() == before.indices.tolist()
        np.testing.assert_allclose(after.scores, before.scores, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("estimator", ["plugin", "miller-madow"])
def test_weight_two_is_the_row_twice(method, estimator):
    X, y = table()
    w = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = select(X, y, method, sample_weight=w, estimator=estimator)
    repeated = select(np.repeat(X, w, axis=0), np.repeat(y, w), method, estimator=estimator)
    assert weighted.indices.tolist() == repeated.indices.tolist()
    assert weighted.scores.tolist() == repeated.scores.tolist()
    assert weighted.n_samples == repeated.n_samples == w.sum()


def test_weight_two_is_the_row_twice_for_discretisers():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((200, 6)).round(2)
    y = (X[:, 1] + rng.normal(0, 0.5, 200) > 0).astype(int)
    w = rng.integers(0, 4, 200)
    for discretizer in ("auto", "mdl", "quantile", "uniform", 4):
        weighted = select(X, y, k=4, sample_weight=w, discretizer=discretizer)
        repeated = select(np.repeat(X, w, axis=0), np.repeat(y, w), k=4, discretizer=discretizer)
        assert weighted.steps == repeated.steps, discretizer


def test_unit_weights_are_no_weights():
    X, y = table()
    assert select(X, y, sample_weight=np.ones(len(y))).steps == select(X, y).steps
    assert select(X, y, sample_weight=np.ones(len(y), int)).steps == select(X, y).steps


def test_calls_do_not_disturb_each_other():
    X, y = table()
    first = select(X, y)
    select(X[::2], y[::2], "cmim")
    assert select(X, y).steps == first.steps


@settings(max_examples=15)
@given(power=st.integers(-900, 900))
def test_scale_of_weights(power):
    """Plug-in information knows shares only; scaling by a power of two rounds nothing."""
    X, y = table(n=100)
    w = np.random.default_rng(0).uniform(0.5, 2, 100)
    before, after = (select(X, y, estimator="plugin", sample_weight=weights) for weights in (w, np.ldexp(w, power)))
    assert after.indices.tolist() == before.indices.tolist()
    np.testing.assert_allclose(after.scores, before.scores, rtol=1e-9, atol=1e-12)


# -- statistics: any split, any order of merging ------------------------------------------------------------


def answers(statistics):
    """Everything that statistics can be asked, as one list of arrays."""
    found = [statistics.total, statistics.target_entropy, statistics.class_counts.tolist()]
    for asked in (statistics.singles(), *(statistics.pairs(i) for i in range(statistics.n_features))):
        found += [asked.feature.tolist(), asked.feature_class.tolist()]
    return found


def statistics_of(X, y, w=None, levels=None, classes=None, **keywords):
    levels = X.max(axis=0) + 1 if levels is None else levels
    own = LevelStatistics(levels, classes or y.max() + 1, **keywords)
    return own if len(y) == 0 else own.update(X.T, y, w)


@kinds
@pytest.mark.parametrize("estimator", ["plugin", "miller-madow"])
def test_statistics_against_the_reference(kind, estimator):
    X, y = table(n=150)
    w = weights_of(kind, 150)
    own = statistics_of(X, y, w, estimator=estimator)
    terms = reference.Terms(X.tolist(), y.tolist(), w, estimator)
    D = range(X.shape[1])
    close = {"rtol": 1e-11, "atol": 1e-11}
    np.testing.assert_allclose(own.target_entropy, terms.entropy(("y",)), **close)
    np.testing.assert_allclose(own.total, 150 if w is None else w.sum(), **close)
    np.testing.assert_allclose(own.singles().feature, [terms.entropy((i,)) for i in D], **close)
    np.testing.assert_allclose(own.singles().feature_class, [terms.entropy((i, "y")) for i in D], **close)
    for i in D:
        asked = own.pairs(i)
        np.testing.assert_allclose(asked.feature, [terms.entropy((i, j)) for j in D], **close)
        np.testing.assert_allclose(asked.feature_class, [terms.entropy((i, j, "y")) for j in D], **close)
        assert own.codes(i).tolist() == X[np.argsort(y, kind="stable"), i].tolist()  # rows are kept by class


@kinds
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), parts=st.integers(2, 6))
def test_any_split_and_any_merge_order(kind, seed, parts):
    rng = np.random.default_rng(seed)
    X, y = table(n=int(rng.integers(10, 260)), seed=seed)
    n = len(y)
    w = weights_of(kind, n)
    levels, classes = X.max(axis=0) + 1, y.max() + 1
    whole = answers(statistics_of(X, y, w))
    pieces = np.split(rng.permutation(n), np.sort(rng.integers(0, n, parts - 1)))

    def block(rows):
        return X[rows].T, y[rows], None if w is None else w[rows]

    # one object, block after block
    updated = LevelStatistics(levels, classes)
    for rows in pieces:
        updated.update(*block(rows))
    assert answers(updated) == whole
    # one object a block, merged in some order, by pairs at random
    objects = [LevelStatistics(levels, classes).update(*block(rows)) for rows in pieces]
    while len(objects) > 1:
        a, b = rng.choice(len(objects), 2, replace=False)
        objects[a].merge(objects[b])
        del objects[b]
    assert answers(objects[0]) == whole


def test_asking_between_updates():
    """Questions in between neither freeze nor disturb what is remembered."""
    X, y = table(n=200)
    own = LevelStatistics(X.max(axis=0) + 1, y.max() + 1)
    for start in range(0, 200, 50):
        own.update(X[start : start + 50].T, y[start : start + 50])
        seen = answers(own)
    assert seen == answers(statistics_of(X, y))


def test_merging_leaves_the_other_alone():
    X, y = table(n=200)
    levels = X.max(axis=0) + 1
    first, second = (statistics_of(X[half], y[half], levels=levels, classes=3) for half in (np.s_[:90], np.s_[90:]))
    before = answers(second)
    first.merge(second)
    first.update(X[:10].T, y[:10])
    answers(first)
    assert answers(second) == before


def test_weighted_and_unweighted_blocks_together():
    """A block without weights is a block of weights 1."""
    X, y = table(n=200)
    levels = X.max(axis=0) + 1
    w = np.r_[np.ones(120), np.random.default_rng(0).integers(0, 4, 80)]
    whole = answers(statistics_of(X, y, w))
    for order in ((0, 1), (1, 0)):
        own = LevelStatistics(levels, 3)
        for part in order:
            rows = np.s_[:120] if part == 0 else np.s_[120:]
            own.update(X[rows].T, y[rows], None if part == 0 else w[rows])
        assert answers(own) == whole


def test_statistics_of_other_levels_do_not_merge():
    X, y = table(n=50, sizes=(2, 3))
    own = statistics_of(X, y)
    with pytest.raises(EntropickError, match="levels"):
        own.merge(statistics_of(X, y, levels=[2, 4]))
    with pytest.raises(EntropickError, match="classes"):
        own.merge(statistics_of(X, y, classes=9))
    with pytest.raises(EntropickError, match="no rows"):
        _ = LevelStatistics([2, 3], 2).total


@kinds
def test_empty_levels_and_classes_change_nothing(kind):
    """Levels and classes that no row has: 7 levels declared or 1000, the numbers are the same."""
    X, y = table(n=120, sizes=(2, 3, 5, 7, 12))
    w = weights_of(kind, 120)
    tight = statistics_of(X, y, w)
    loose = statistics_of(X, y, w, levels=[9, 3, 40, 1000, 65536], classes=50)
    assert loose.class_counts.tolist()[:3] == tight.class_counts.tolist()
    assert not loose.class_counts[3:].any()
    assert loose.target_entropy == tight.target_entropy
    assert loose.singles().feature.tolist() == tight.singles().feature.tolist()
    assert loose.singles().feature_class.tolist() == tight.singles().feature_class.tolist()
    for i in range(5):
        assert loose.pairs(i).feature.tolist() == tight.pairs(i).feature.tolist()
        assert loose.pairs(i).feature_class.tolist() == tight.pairs(i).feature_class.tolist()


def test_candidates_are_a_part_of_all():
    X, y = table(n=120)
    own = statistics_of(X, y)
    some = own.pairs(2, [0, 5, 8])
    every = own.pairs(2)
    assert some.feature[[0, 5, 8]].tolist() == every.feature[[0, 5, 8]].tolist()
    assert np.isnan(some.feature[[1, 2, 3, 4, 6, 7]]).all()
    without = own.pairs(2, by_class=False)
    assert without.feature.tolist() == every.feature.tolist()
    assert np.isnan(without.feature_class).all()


@pytest.mark.parametrize("n_features", [1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 700])
def test_many_columns(n_features):
    """Columns around the sizes of a word, a block and a chunk: each is where it was put."""
    rng = np.random.default_rng(n_features)
    sizes = rng.choice([2, 3, 4, 5, 8, 9, 16, 20, 40], n_features)
    n = 60
    X = rng.integers(0, sizes, (n, n_features))
    X[0] = sizes - 1
    y = rng.integers(0, 2, n)
    own = statistics_of(X, y, levels=sizes, classes=2)
    singles = own.singles()
    for j in range(n_features):
        assert own.codes(j).tolist() == X[np.argsort(y, kind="stable"), j].tolist()
        assert singles.feature[j] == pytest.approx(reference.entropy(X[:, j].tolist()), abs=1e-12)
