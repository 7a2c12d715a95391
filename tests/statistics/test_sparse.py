"""Sparse tables: coded and counted from their entries, the same as the dense table to the last bit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse

import entropick as ep
from entropick.coding import Coder, code_target
from entropick.coding.byte_coder import ByteCoder
from entropick.errors import InvalidInput
from entropick.methods import get_method
from entropick.sources import as_table
from entropick.statistics.levels import collect
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.mixed import MixedLevels
from entropick.statistics.levels.sparse import SparseLevels
from entropick.statistics.lifted import collect as lifted_collect
from entropick.statistics.lifted.collect import collect_lifted
from entropick.statistics.lifted.lifted import LiftedStatistics

FORMS = ("csr", "csc", "coo")
DTYPES = (np.float64, np.float32, np.int64, np.int8, bool)
VALUES = (
    lambda rng, m: rng.random(m),
    lambda rng, m: -rng.random(m),
    lambda rng, m: rng.normal(size=m),
    lambda rng, m: rng.integers(1, 4, m),
    lambda rng, m: rng.integers(-40, 90, m),
    lambda rng, m: rng.integers(0, 400, m),
)


def made(seed: int, dtype, n: int = 90, d: int = 24):
    """(dense, sparse): columns empty, nearly empty and full; explicit zeros, entries in no order, NaN in floats."""
    rng = np.random.default_rng(seed)
    dense = np.zeros((n, d))
    for j in range(d):
        rows = rng.choice(n, rng.choice([0, 0, 1, 2, 5, n // 4, n // 2, n]), replace=False)
        dense[rows, j] = VALUES[rng.integers(len(VALUES))](rng, rows.size)
        if np.dtype(dtype).kind == "f" and j % 5 == 0:
            dense[rows[: rows.size // 3], j] = np.nan
    dense[:: max(1, n // 7)] = 0  # empty rows
    if np.dtype(dtype).kind in "ib":
        dense = np.clip(np.rint(10 * dense), -120, 120)
    dense = dense.astype(dtype)
    rows, columns = np.nonzero(dense)
    empty = np.argwhere(dense == 0)[:: max(1, n // 4)].T
    rows, columns = np.append(rows, empty[0]), np.append(columns, empty[1])
    order = rng.permutation(rows.size)
    held = sparse.coo_array((dense[rows, columns][order], (rows[order], columns[order])), shape=dense.shape)
    return dense, getattr(held, f"to{FORMS[seed % 3]}")()


def same(one, other, detail: bool = False) -> None:
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.feature_class, other.feature_class)
    if detail:
        for part in ("square", "mean", "variance"):
            np.testing.assert_allclose(getattr(one.law, part), getattr(other.law, part), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("discretizer", ["auto", 2, 9, "uniform", "mdl"])
@pytest.mark.parametrize("weighted", [False, True])
def test_codes_are_those_of_the_dense_table(dtype, discretizer, weighted):
    for seed in range(3):
        dense, held = made(seed, dtype)
        rng = np.random.default_rng(seed)
        y, weights = rng.integers(0, 2, len(dense)), rng.integers(1, 4, len(dense)) * 1.0 if weighted else None
        one = Coder(discretizer).fit(as_table(dense), y, 2, weights)
        other = Coder(discretizer).fit(as_table(held), y, 2, weights)
        assert one.describe().equals(other.describe())
        assert one.notes == other.notes
        codes = one.codes(as_table(dense), 0, dense.shape[1])
        np.testing.assert_array_equal(codes, other.codes(as_table(held), 0, dense.shape[1]))
        np.testing.assert_array_equal(codes[3:9].T, other.by_row(as_table(held), 3, 9))
        entries = other.entries(as_table(held))
        np.testing.assert_array_equal([entries.column(j) for j in range(dense.shape[1])], codes)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("share", "form"), [(2.0, SparseLevels), (0.0, LevelStatistics), (0.2, MixedLevels)])
@pytest.mark.parametrize("weights", [None, "whole", "any"])
def test_counts_are_those_of_the_dense_table(dtype, share, form, weights, monkeypatch):
    monkeypatch.setattr(collect, "POSTINGS", share)
    for seed in range(3):
        dense, held = made(seed, dtype)
        if share == 0.0:
            dense, held = dense[:, dense.astype(bool).any(0)], held.tocsc()[:, dense.astype(bool).any(0)]
        rng = np.random.default_rng(seed)
        n, d = dense.shape
        y = rng.integers(0, 3, n)
        w = {None: None, "whole": rng.integers(1, 4, n) * 1.0, "any": rng.random(n) + 0.1}[weights]
        made_of = []
        for table in (as_table(dense), as_table(held)):
            coder = Coder().fit(table, y, 3, w)
            made_of.append(
                collect.collect_levels(coder, table, y, 3, w, estimator=["plugin", "miller-madow", "auto"][seed])
            )
        one, other = made_of
        assert isinstance(other, form) or seed == 2  # `auto` keeps features together
        assert (one.total, one.n_rows, one.target_entropy) == (other.total, other.n_rows, other.target_entropy)
        for detail in (False, True):
            same(one.singles(detail), other.singles(detail), detail)
            for j in range(0, d, 3):
                same(one.pairs(j, detail=detail), other.pairs(j, detail=detail), detail)
                same(one.pairs(j, [1, 4, 2], by_class=False), other.pairs(j, [1, 4, 2], by_class=False))
        np.testing.assert_array_equal(one.codes(5), other.codes(5))
        np.testing.assert_array_equal(one.class_table(5), other.class_table(5))
        codes, rows = rng.integers(0, 5, n).astype(np.int32), rng.permutation(n)
        assert one.variable(codes, 5) == other.variable(codes, 5)
        same(*(made.pairs_with(codes, 5, target_rows=rows, detail=True) for made in (one, other)), detail=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("task", ["classification", "regression", "multilabel"])
def test_lifted_columns_are_those_of_the_dense_table(dtype, task, monkeypatch):
    monkeypatch.setattr(lifted_collect, "POSTINGS", 2.0)
    for seed in range(3):
        dense, held = made(seed, dtype, 400, 12)
        rng = np.random.default_rng(seed)
        y = {"classification": rng.integers(0, 3, 400), "regression": rng.normal(size=400)}.get(task)
        target = code_target(rng.integers(0, 2, (400, 3)) if y is None else y, task, several=True)
        one_coder, other_coder = ByteCoder(), ByteCoder()
        codes, sums = one_coder.fit_codes(as_table(dense), None, 1, sums=True)
        entries, own_sums = other_coder.fit_entries(as_table(held), None, 1, sums=True)
        np.testing.assert_array_equal(codes, entries.by_column(0, 12))
        np.testing.assert_array_equal(sums, own_sums)
        given = as_table(rng.normal(size=(400, 2))) if seed else None
        one, other = (collect_lifted(as_table(table), target, given=given)[0] for table in (dense, held))
        assert isinstance(other, LiftedStatistics)
        assert other.at_once == 1
        for name in ("cross", "target", "information", "leverages", "row_sums"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        np.testing.assert_array_equal(one.whole().codes[:12], other.whole().codes[:12])
        for j in range(12):
            np.testing.assert_array_equal(one.rows((j,)), other.rows((j,)))


CALLS = (
    {"k": 5}, {}, {"k": 4, "level": 0.95}, {"method": "jmi", "k": 5}, {"method": "cmim", "k": 6}, {"method": "mim"},
    {"method": "mrmr", "k": "auto"}, {"method": "mrmr", "k": "auto", "test": "chi2"}, {"method": "cmi", "k": 3},
    {"method": "jmi", "k": "auto", "test": "permutation", "n_permutations": 19, "random_state": 0},
    {"method": "spec.cmi", "k": 4}, {"method": "disr", "k": 4, "estimator": "miller-madow"}, {"method": "fcbf", "k": 4},
    {"method": "jmi", "k": 3, "groups": {"g": [1, 2]}}, {"method": "jmi", "k": 4, "discretizer": "mdl"},
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_selections_are_those_of_the_dense_table(call):
    for seed in range(2):
        dense, held = made(seed, DTYPES[seed], 150, 30)
        sums = np.nan_to_num(dense.astype(float))[:, [3, 5, 9]].sum(axis=1)
        y = (sums + np.random.default_rng(seed).normal(size=150) > np.median(sums)).astype(int)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert ep.select(held, y, **call).to_json() == ep.select(dense, y, **call).to_json()


def test_entries_given_twice_add_up():
    rows, columns = [0, 0, 1, 2], [1, 1, 0, 1]
    held = sparse.coo_array(([1.0, 2.0, 5.0, -3.0], (rows, columns)), shape=(4, 2))
    y = [0, 1, 0, 1]
    assert ep.select(held, y, method="jmi", k=2).to_json() == ep.select(held.toarray(), y, method="jmi", k=2).to_json()
    assert held.nnz == 4  # the caller's matrix stays as it is


def test_a_value_that_was_not_there_is_told_of_zeros_too():
    coder = Coder().fit(as_table(sparse.csc_array(np.array([[3], [4], [5]]))), None, 0)
    with pytest.raises(InvalidInput, match="'x0' has 0 in row 1"):
        coder.entries(as_table(sparse.csc_array(np.array([[3], [0], [5]]))))


def test_a_million_columns_of_which_most_are_empty():
    rng = np.random.default_rng(0)
    n, d, entries = 300, 1_000_000, 3_000
    y = rng.integers(0, 2, n)
    columns = rng.choice(d, 500, replace=False)
    held = sparse.coo_array(
        (rng.random(entries), (rng.integers(0, n, entries), rng.choice(columns, entries))), shape=(n, d)
    ).tocsr()
    used = np.unique(held.indices)
    dense = held.tocsc()[:, used].toarray()
    for method in ("mim", "jmi"):
        found, expected = ep.select(held, y, method=method, k=5), ep.select(dense, y, method=method, k=5)
        np.testing.assert_array_equal(found.indices, used[expected.indices])
        np.testing.assert_array_equal(found.scores, expected.scores)
        assert found.notes[0].startswith(f"{d - used.size} constant columns are ignored")


@pytest.mark.parametrize("method", ["wilks", "gc.mi", "gkl.mi", "fisher", "ttest", "pearson"])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_those_of_the_dense_table_but_for_rounding(method, weighted):
    rng = np.random.default_rng(1)
    held = sparse.random_array((300, 40), density=0.1, format="lil", random_state=rng)
    held[:, [7]] = 1e6 + rng.normal(size=(300, 1))  # a column without zeros, far from them
    held = held.tocsr()
    dense = held.toarray()
    y = 3 * dense[:, 3] + 2 * dense[:, 4] + 0.3 * rng.normal(size=300)
    weights = rng.random(300) + 0.1 if weighted else None
    targets = {"classification": np.digitize(y, [0.1]), "regression": y}
    for target in (targets[task] for task in get_method(method).tasks if task in targets):
        one, other = (ep.select(X, target, method=method, k=8, sample_weight=weights) for X in (dense, held))
        np.testing.assert_array_equal(one.indices, other.indices)
        np.testing.assert_allclose(one.scores, other.scores, rtol=1e-7, atol=1e-10)
        assert other.details.get("memory", "entries") == "entries"


def test_nothing_is_made_dense_in_a_pipeline(monkeypatch):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(400)]
    y = rng.integers(0, 2, 200)
    texts = [" ".join([*rng.choice(words, 12), "good" if one else "bad"]) for one in y]
    dense = TfidfVectorizer().fit_transform(texts).toarray()

    def refuse(*_, **__):
        raise AssertionError("a sparse table was made dense")

    for method in ("mim", "jmi", "joint", "wilks", "fisher"):
        expected = ep.select(dense, y, method=method, k=5)
        with monkeypatch.context() as patched:
            for name in ("dense", "column"):
                patched.setattr(f"entropick.sources.arrays.SparseTable.{name}", refuse)
            pipeline = make_pipeline(TfidfVectorizer(), ep.Selector(method=method, k=5), LogisticRegression())
            pipeline.fit(texts, y)
            assert sparse.issparse(pipeline[:-1].transform(texts))
        found = pipeline[1].selection_
        np.testing.assert_array_equal(found.indices, expected.indices)
        assert pipeline.score(texts, y) == 1.0
