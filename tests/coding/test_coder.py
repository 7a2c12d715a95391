"""Coder: which level every value gets, whatever the table and the block."""

import pickle
from string import ascii_lowercase

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, OneHotEncoder, StandardScaler

from entropick.coding import Coder
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import as_table
from reference import binning as reference
from reference import mdl as reference_mdl

NAN = np.nan


def fitted(X, discretizer="auto", target=None, weights=None, **settings):
    table = as_table(X)
    target = np.arange(table.n_rows) % 2 if target is None else target
    return Coder(discretizer, **settings).fit(table, target, int(max(target)) + 1, weights), table


def codes(X, discretizer="auto", **settings):
    coder, table = fitted(X, discretizer, **settings)
    return coder.codes(table, 0, table.n_columns)


def column(values):
    return np.asarray(values).reshape(-1, 1)


def mixed(n=200, seed=0):
    """Columns of every kind, some with missing values."""
    rng = np.random.default_rng(seed)
    gone = rng.random(n) < 0.1
    few = pd.array(rng.integers(0, 4, n), dtype="Int64")
    few[gone] = pd.NA
    return pd.DataFrame(
        {
            "real": rng.normal(size=n),
            "real_gone": np.where(gone, NAN, rng.normal(size=n)),
            "single": rng.normal(size=n).astype(np.float32),
            "small": rng.integers(3, 8, n),
            "wide": rng.integers(0, 1000, n),
            "few": few,
            "yes": rng.random(n) < 0.5,
            "text": rng.choice(list("abc"), n),
            "text_gone": pd.Series(rng.choice(["u", "v"], n)).where(~gone, None),
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**6, n), unit="s"),
        }
    )


# -- levels as they are --------------------------------------------------------------------------------

DTYPES = [np.uint8, np.int8, np.int16, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.__name__)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("discretizer", ["auto", "mdl", "uniform", 7, None])
def test_small_integers_are_levels_as_they_are(dtype, order, discretizer):
    rng = np.random.default_rng(0)
    X = np.asarray(rng.integers(0, 32, (100, 35)), dtype=dtype, order=order)
    X[:, 1] += 3
    X[:, 2] *= 3  # gaps
    got = codes(X, discretizer)
    assert got.dtype == np.uint8
    assert got.flags.c_contiguous
    assert got.tolist() == [reference.as_is(X[:, j].tolist()) for j in range(35)]


@pytest.mark.parametrize("low", [-100, -3, 1, 200, 70_000, -(2**62)])
@pytest.mark.parametrize("discretizer", ["auto", None])
def test_levels_may_begin_anywhere(low, discretizer):
    X = low + np.arange(60).reshape(20, 3) % 7
    assert codes(X, discretizer).tolist() == [reference.as_is(X[:, j].tolist()) for j in range(3)]


def test_integers_far_apart():
    X = np.array([[0, 5], [2**62, 5], [-(2**62), 6], [0, 6]])
    assert codes(X, None).tolist() == [[1, 2, 0, 1], [0, 0, 1, 1]]
    assert codes(X).tolist() == [[1, 2, 0, 1], [0, 0, 1, 1]]


def test_unsigned_beyond_int64():
    X = column(np.array([2**64 - 1, 0, 2**63, 0], dtype=np.uint64))
    got = codes(X, None)[0].tolist()
    assert len(set(got)) == 3
    assert got[1] == got[3]


def test_booleans_texts_and_categories_are_levels():
    X = pd.DataFrame({"b": [True, False, True], "t": ["x", "a", "x"], "c": pd.Categorical([3, 1, 1])})
    for discretizer in ("auto", "mdl", None, 3):
        assert codes(X, discretizer).tolist() == [[1, 0, 1], [1, 0, 1], [1, 0, 0]]
    assert codes(np.array([[True, False], [False, True]])).tolist() == [[1, 0], [0, 1]]


def test_negative_bytes():
    X = np.array([[-128, 0], [127, -1], [-128, 1]], dtype=np.int8)
    assert codes(X, None).tolist() == [[0, 1, 0], [1, 0, 2]]


def test_more_than_256_levels_take_two_bytes():
    X = np.arange(3000).reshape(1000, 3)
    X[:, 1] = 1
    X[500:, 1] = 0
    got = codes(X, None)
    assert got.dtype == np.uint16
    assert got.tolist() == [reference.as_is(X[:, j].tolist()) for j in range(3)]
    coder, table = fitted(X, None)
    assert coder.levels.tolist() == [1000, 2, 1000]
    assert coder.codes(table, 1, 2).dtype == np.uint8


@pytest.mark.parametrize("levels", [255, 256, 257])
def test_around_a_byte(levels):
    X = np.column_stack([np.arange(1000) % levels, np.arange(1000) % 3, np.arange(1000) // 3 % levels])
    for dtype in (np.int64, np.float64):
        got = codes(X.astype(dtype), None)
        assert got.dtype == (np.uint8 if levels <= 256 else np.uint16)
        assert (got == X.T).all()


def test_whole_floats_are_levels_without_a_discretizer():
    X = np.array([[0.0, 7.0], [2.0, NAN], [1.0, 7.0], [2.0, -1.0]])
    assert codes(X, None).tolist() == [[0, 2, 1, 2], [1, 2, 1, 0]]


def test_fractions_without_a_discretizer():
    with pytest.raises(InvalidInput, match=r"discretizer=None expects integer codes.*0\.5 in column 'x1'.*quantile"):
        codes(np.array([[1.0, 0.5], [2.0, 1.0]]), None)


def test_too_many_levels():
    X = column(np.arange(65_537))
    with pytest.raises(InvalidInput, match="at most 65536 levels, got 65537 in 'x0'"):
        codes(X, None)
    assert codes(X[:-1], None).max() == 65_535


# -- cutting -------------------------------------------------------------------------------------------


numbers = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6), st.just(NAN))


@given(
    st.lists(numbers, min_size=1, max_size=50),
    st.sampled_from(["auto", "quantile", 2, 7, 40]),
)
def test_numbers_are_cut_as_in_the_reference(values, discretizer):
    known = [v for v in values if v == v]
    got = codes(np.column_stack([values, values]), discretizer)
    bins = discretizer if isinstance(discretizer, int) else 5
    edges = reference.quantile_edges(known, bins) if known else []
    expected = reference.levels(values, edges, len(edges) + 1) if known else [0] * len(values)
    assert got.tolist() == [expected, expected]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble, ">f8", ">i8", np.int64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_dtypes_and_layouts_are_cut_alike(dtype, order):
    rng = np.random.default_rng(0)
    X = np.asarray((rng.normal(size=(130, 40)) * 1000).astype(dtype), order=order)
    X.flags.writeable = False
    expected = [reference.levels(X[:, j].tolist(), reference.quantile_edges(X[:, j].tolist(), 5)) for j in range(40)]
    for view in (X, X.copy(order="K")):
        assert codes(view).tolist() == expected
    assert codes(X[::-1]).tolist() == [row[::-1] for row in expected]
    assert codes(X[:, ::-1]).tolist() == expected[::-1]
    assert codes(np.repeat(X, 2, axis=1)[:, ::2]).tolist() == expected


def test_bytes_with_many_values_are_cut():
    X = np.random.default_rng(0).integers(0, 256, (500, 3)).astype(np.uint8)
    for view in (X, X.view(np.int8)):
        expected = [
            reference.levels(view[:, j].tolist(), reference.quantile_edges(view[:, j].tolist(), 5)) for j in range(3)
        ]
        assert codes(view).tolist() == expected


def test_mdl_follows_the_target():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = np.column_stack([y + rng.normal(size=300) * 0.3, rng.normal(size=300)])
    coder, table = fitted(X, "mdl", y)
    edges = reference_mdl.cuts(X[:, 0].tolist(), y.tolist())
    assert coder.codes(table, 0, 1)[0].tolist() == reference.levels(X[:, 0].tolist(), edges)
    assert coder.levels.tolist() == [len(edges) + 1, 1]
    assert coder.notes == ("1 column has no informative cut point (MDL): x1",)


def test_mdl_needs_a_target():
    with pytest.raises(InvalidParameter, match="'mdl' needs a target"):
        Coder("mdl").fit(as_table(np.arange(10.0).reshape(5, 2)), None, 0)


def test_many_edges():
    X = np.random.default_rng(0).normal(size=(2000, 3))
    for bins in (32, 33, 34, 300):
        got = codes(X, bins)
        for j in range(3):
            assert got[j].tolist() == np.searchsorted(np.sort(X[:, j])[_ranks(2000, bins)], X[:, j]).tolist()


def _ranks(n, bins):
    return [-(-k * n // bins) - 1 for k in range(1, bins)]


@pytest.mark.parametrize("discretizer", ["auto", "mdl", "uniform", "kmeans", 3])
def test_weight_two_is_the_row_twice(discretizer):
    frame = mixed(120)
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 4, 120)
    y = (frame["real"] > 0).astype(int).to_numpy()
    coder, table = fitted(frame, discretizer, y, weights.astype(float))
    again, _ = fitted(frame.iloc[np.repeat(np.arange(120), weights)], discretizer, np.repeat(y, weights))
    used = np.flatnonzero(weights)
    assert coder.levels.tolist() == again.levels.tolist()
    assert (coder.codes(table, 0, 10, used) == again.codes(table, 0, 10, used)).all()


# -- blocks, rows, threads -----------------------------------------------------------------------------


def tables(frame):
    """The same table, as every library holds it."""
    yield as_table(frame)
    yield as_table(pl.from_pandas(frame))
    yield as_table(pa.Table.from_pandas(frame, preserve_index=False))
    yield as_table(pa.concat_tables([pa.Table.from_pandas(frame[:70]), pa.Table.from_pandas(frame[70:])]))


@pytest.mark.parametrize("discretizer", ["auto", "mdl", "kmeans"])
def test_every_library_gives_the_same_codes(discretizer):
    frame = mixed()
    y = (frame["real"] > 0).astype(int).to_numpy()
    expected = None
    for table in tables(frame):
        coder = Coder(discretizer).fit(table, y, 2)
        got = coder.codes(table, 0, 10)
        expected = got if expected is None else expected
        assert (got == expected).all()
        assert coder.levels.tolist() == [int(row.max()) + 1 for row in got]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_any_block_any_threads(threads):
    frame = mixed()
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 6, (300, 90)).astype(np.uint8)
    for X in (frame, matrix, matrix + 1, matrix * 40, rng.normal(size=(300, 90)), matrix.astype(np.int64)):
        table = as_table(X)
        y = np.arange(table.n_rows) % 2
        coder = Coder("auto", n_jobs=threads).fit(table, y, 2)
        whole = Coder("auto").fit(table, y, 2).codes(table, 0, table.n_columns)
        assert (coder.codes(table, 0, table.n_columns) == whole).all()
        order = rng.permutation(table.n_rows)
        assert (coder.codes(table, 0, table.n_columns, order) == whole[:, order]).all()
        some = rng.integers(0, table.n_rows, 37)
        assert (coder.codes(table, 3, 9, some) == whole[3:9][:, some]).all()
        mask = rng.random(table.n_rows) < 0.5
        assert (coder.codes(table, 0, 5, mask) == whole[:5][:, mask]).all()
        assert coder.codes(table, 4, 4).shape == (0, table.n_rows)
        assert coder.codes(table, 0, 3, np.array([], dtype=int)).shape == (3, 0)
        by_row = coder.by_row(table, 0, table.n_columns)
        assert by_row.shape == whole.T.shape
        assert by_row.strides[1] == by_row.itemsize
        assert (by_row == whole.T).all()
        assert (coder.by_row(table, 2, 7) == whole[2:7].T).all()
        assert coder.by_row(table, 3, 3).shape == (table.n_rows, 0)
        blocks = [coder.codes(table.take(part), 0, table.n_columns) for part in np.array_split(order, 3)]
        assert (np.hstack(blocks) == whole[:, order]).all()


@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 5))
def test_transposition_of_any_shape(n, columns, extra):
    rng = np.random.default_rng(n * 100 + columns)
    X = rng.integers(0, 4, (n + 1, columns + extra)).astype(np.uint8)[:, :columns]
    X[0], X[-1] = 0, 3
    rows = rng.integers(0, n + 1, n)
    coder, table = fitted(X, None)
    known = [reference.as_is(X[:, j].tolist()) for j in range(columns)]
    assert (coder.codes(table, 0, columns, rows) == np.array(known)[:, rows]).all()


def test_rows_of_plain_levels_are_not_copied():
    X = np.random.default_rng(0).integers(0, 4, (50, 20)).astype(np.uint8)
    coder, table = fitted(X)
    assert np.shares_memory(coder.by_row(table, 2, 9), X)
    X[5, 3] = 200
    with pytest.raises(InvalidInput, match="column 'x3' has 200 in row 5"):
        coder.by_row(table, 0, 20)


def test_rows_of_mixed_columns():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (70, 12))
    X[:, 2], X[:, 5], X[:, 6], X[:, 9] = 1, rng.integers(0, 60, 70), rng.integers(0, 60, 70) * 1000, X[:, 9] * 5 - 7
    for dtype in (np.int64, np.int8, np.float64):
        Y = np.asarray(X, dtype=dtype, order="C")
        for view in (Y, np.asfortranarray(Y)):
            coder, table = fitted(view)
            assert (coder.by_row(table, 0, 12) == coder.codes(table, 0, 12).T).all()
    wide, table = fitted(np.arange(1200).reshape(400, 3), None)
    assert (wide.by_row(table, 0, 3) == wide.codes(table, 0, 3).T).all()


def test_a_panel_and_more():
    X = np.random.default_rng(0).integers(0, 4, (90, 1100))
    for dtype in (np.uint8, np.int64):
        assert (codes(X.astype(dtype)) == X.T).all()
        coder, table = fitted(X.astype(dtype))
        assert (coder.by_row(table, 0, 1100) == X).all()
    real = np.random.default_rng(0).normal(size=(90, 1100))
    coder, table = fitted(real)
    assert (codes(real) == coder.by_row(table, 0, 1100).T).all()
    assert (codes(real) == codes(np.asfortranarray(real))).all()


def test_sparse_is_dense():
    rng = np.random.default_rng(0)
    dense = rng.integers(0, 5, (60, 12)) * (rng.random((60, 12)) < 0.3)
    for held in (dense, dense * 0.37):
        expected = codes(held)
        for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_matrix):
            coder, table = fitted(form(held))
            assert (coder.codes(table, 0, 12) == expected).all()
            rows = rng.permutation(60)
            assert (coder.codes(table, 2, 9, rows) == expected[2:9][:, rows]).all()


def test_pickle_is_small_and_codes_the_same():
    X = np.random.default_rng(0).integers(0, 5, (1000, 200)).astype(np.uint8)
    for Y in (X, mixed()):
        coder, table = fitted(Y)
        stored = pickle.dumps(coder)
        assert len(stored) < 30_000
        again = pickle.loads(stored)
        assert (again.codes(table, 0, 10) == coder.codes(table, 0, 10)).all()
        assert again.notes == coder.notes


def test_fit_leaves_the_settings_and_the_input_alone():
    X = np.random.default_rng(0).normal(size=(50, 3))
    before = X.copy()
    coder, _ = fitted(X, "quantile")
    assert (coder.discretizer, coder.missing, coder.n_jobs) == ("quantile", "level", None)
    assert (before == X).all()


# -- other rows ----------------------------------------------------------------------------------------


def test_values_beyond_the_fitted_range_go_to_the_end_bins():
    coder, _ = fitted(np.random.default_rng(0).normal(size=(100, 2)))
    assert coder.codes(as_table(np.array([[-9.0, 9.0], [9.0, -9.0]])), 0, 2).tolist() == [[0, 4], [4, 0]]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_unseen_level_is_named(dtype, order):
    X = np.asarray(np.arange(20).reshape(10, 2) % 3, dtype=dtype, order=order)
    coder, _ = fitted(X, None)
    other = X.copy()
    other[4, 1] = 7
    with pytest.raises(InvalidInput, match=r"column 'x1' has 7(\.0)? in row 4, a level that was not there"):
        coder.codes(as_table(other), 0, 2)
    other[4, 1] = 255 if dtype is np.uint8 else -1
    with pytest.raises(InvalidInput, match=r"column 'x1' has (-1|-1.0|255) in row 4"):
        coder.codes(as_table(other), 0, 2)


def test_a_multiple_of_256_is_not_taken_for_0():
    coder, _ = fitted(np.arange(20).reshape(10, 2) % 3, None)
    with pytest.raises(InvalidInput, match="has 256 in row 0"):
        coder.codes(as_table(np.array([[0, 256]])), 0, 2)


def test_an_unseen_category_is_named_or_missing():
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": ["x", None, "y"]})
    coder, _ = fitted(frame)
    other = as_table(pd.DataFrame({"a": ["x", "y"], "b": ["z", None]}))
    assert coder.codes(other, 0, 2).tolist() == [[0, 1], [2, 2]]
    with pytest.raises(InvalidInput, match="column 'a' has 'z' in row 1"):
        coder.codes(as_table(pd.DataFrame({"a": ["x", "z"], "b": ["x", "x"]})), 0, 2)


def test_an_unseen_integer_is_missing_where_there_is_such_a_level():
    frame = pd.DataFrame({"a": pd.array([1, 2, None], dtype="Int64"), "b": [0, 1, 2]})
    coder, _ = fitted(frame)
    for dtype in (np.int64, np.uint8):
        other = pd.DataFrame({"a": np.array([2, 9], dtype=dtype), "b": np.array([0, 0], dtype=dtype)})
        assert coder.codes(as_table(other), 0, 1).tolist() == [[1, 2]]


def test_missing_where_there_was_none():
    coder, _ = fitted(np.arange(20.0).reshape(10, 2))
    for other in (np.array([[1.0, NAN]]), np.asfortranarray([[1.0, NAN], [2.0, 3.0]])):
        with pytest.raises(InvalidInput, match=r"column 'x1' contains NaN .* in row 0, but had none"):
            coder.codes(as_table(other), 0, 2)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (pd.DataFrame({"a": [1.0]}), "the 2 columns of the fitted table, got 1"),
        (pd.DataFrame({"a": [1.0], "c": ["x"]}), "got 'c' in place of 'b'"),
        (pd.DataFrame({"b": ["x"], "a": [1.0]}), "got 'b' in place of 'a'"),
        (pd.DataFrame({"a": ["q"], "b": ["x"]}), "'a' must be numeric"),
        (pd.DataFrame({"a": [1.0], "b": [2]}), "'b' must be categorical"),
        (np.zeros((1, 2)), "'x0' in place of 'a'"),
    ],
)
def test_another_schema(other, words):
    coder, _ = fitted(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]}))
    with pytest.raises(InvalidInput, match=words):
        coder.codes(as_table(other), 0, 2)


@pytest.mark.parametrize("rows", [[-1], [10], [0.5], [[1]]])
def test_rows_outside_the_table(rows):
    coder, table = fitted(np.arange(20).reshape(10, 2))
    with pytest.raises(InvalidParameter, match="rows"):
        coder.codes(table, 0, 2, np.array(rows))


def test_columns_outside_the_table():
    coder, table = fitted(np.arange(20).reshape(10, 2))
    with pytest.raises(InvalidParameter, match="start, stop"):
        coder.codes(table, 0, 3)
    with pytest.raises(InvalidParameter, match="not fitted"):
        Coder().codes(table, 0, 1)


# -- missing, constant, too fine -----------------------------------------------------------------------


def test_missing_values_are_the_last_level():
    frame = pd.DataFrame(
        {
            "real": [1.0, NAN, 2.0],
            "text": ["b", None, "a"],
            "whole": pd.array([7, None, 3], dtype="Int64"),
            "yes": pd.array([True, None, False], dtype="boolean"),
            "when": pd.to_datetime(["2021-01-01", None, "2020-01-01"]),
            "cat": pd.Categorical(["v", None, "u"]),
        }
    )
    assert codes(frame).tolist() == [[0, 2, 1]] + [[1, 2, 0]] * 5
    assert codes(frame, "uniform")[[0, 4]].tolist() == [[0, 5, 4], [4, 5, 0]]
    coder, _ = fitted(frame)
    assert coder.describe()["missing"].tolist() == [1] * 6


def test_masked_arrays():
    X = np.ma.masked_array([[1, 2], [3, 4], [1, 2]], mask=[[0, 0], [0, 1], [0, 0]])
    assert codes(X).tolist() == [[0, 1, 0], [0, 1, 0]]


def test_missing_can_be_refused():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", None, None], "c": [NAN, 1.0, 2.0]})
    with pytest.raises(InvalidInput, match="contains NaN: column 'b' has 2 missing"):
        codes(frame, missing="error")
    assert codes(frame[["a"]], missing="error").tolist() == [[0, 1, 2]]


def test_constant_columns_are_noted_together():
    X = np.ones((10, 40))
    X[:, 3] = np.arange(10)
    coder, table = fitted(X)
    assert coder.notes == ("39 constant columns are ignored: x0, x1, x2, x4, x5, …",)
    assert coder.levels.tolist() == [1] * 3 + [5] + [1] * 36
    assert coder.codes(table, 0, 40)[:3].max() == 0
    coder, _ = fitted(np.array([[1, 2, NAN], [1, 3, NAN]]))
    assert coder.notes == ("2 constant columns are ignored: x0, x2",)
    assert fitted(np.array([[1, 2], [1, 3]]))[0].notes == ("the constant column is ignored: x0",)


def test_constant_beside_missing_is_two_levels():
    coder, table = fitted(np.array([[1.0], [NAN], [1.0]]))
    assert coder.codes(table, 0, 1).tolist() == [[0, 1, 0]]
    assert coder.notes == ()


def test_too_fine_categories_are_ignored_and_noted():
    names = [a + b for a in ascii_lowercase for b in ascii_lowercase][:100]
    frame = pd.DataFrame({"id": names, "ok": np.arange(100) % 3})
    coder, table = fitted(frame)
    assert coder.notes == ("'id' has 100 levels for 100 rows: almost every value is unique; ignored",)
    assert coder.codes(table, 0, 2).max(axis=1).tolist() == [0, 2]
    kept, _ = fitted(frame, None)
    assert kept.levels[0] == 100
    assert kept.notes == ("'id' has 100 levels for 100 rows: almost every value is unique",)
    half = pd.DataFrame({"id": np.repeat(names[:50], 2)})
    assert fitted(half)[0].levels[0] == 50
    assert fitted(half)[0].notes == ("'id' has 50 levels for 100 rows: information probably overestimated",)
    assert fitted(pd.DataFrame({"id": np.repeat(names[:25], 5)}))[0].notes == ()
    thin = pd.DataFrame({f"id{i}": np.repeat(names[:50], 2) for i in range(4)})
    assert fitted(thin)[0].notes == (
        "4 columns have fewer than five rows per level: information probably overestimated: id0, id1, id2, id3",
    )
    several = pd.DataFrame({f"id{i}": names for i in range(5)})
    assert fitted(several)[0].notes == (
        "5 columns have fewer than two rows per level: almost every value is unique; ignored: id0, id1, id2, id3, id4",
    )


def test_dates_are_noted():
    coder, _ = fitted(mixed())
    assert coder.notes == ("dates and durations are read as seconds: 'when'",)


def test_describe():
    frame = mixed().assign(same=1)
    coder, _ = fitted(frame)
    told = coder.describe().set_index("column")
    assert list(told.columns) == ["kind", "rule", "levels", "missing", "note"]
    assert told.loc["real"].tolist() == ["numeric", "5 equal-frequency bins", 5, 0, ""]
    assert told.loc["text"].tolist() == ["category", "as it is", 3, 0, ""]
    assert told.loc["same"].tolist() == ["integer", "constant", 1, 0, "only one value"]
    assert told.loc["real_gone", "levels"] == 6
    assert told.loc["real_gone", "missing"] == frame["real_gone"].isna().sum()


# -- transformers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "kmeans"])
def test_kbins_is_applied_exactly(strategy):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(200, 3)), rng.integers(0, 9, 200)])
    given = KBinsDiscretizer([3, 4, 5, 6], encode="ordinal", strategy=strategy)
    expected = given.fit(X).transform(X).T
    coder, table = fitted(X, KBinsDiscretizer([3, 4, 5, 6], encode="ordinal", strategy=strategy))
    assert (coder.codes(table, 0, 4) == expected).all()
    assert (coder.by_row(table, 0, 4) == expected.T).all()
    on_edge = np.array([edges[1:2] for edges in given.bin_edges_]).T
    assert (coder.codes(as_table(on_edge), 0, 4) == given.transform(on_edge).T).all()


def test_any_transformer_with_ordinal_codes():
    X = pd.DataFrame({"a": [-1.5, 0.5, 2.5, -0.5], "t": ["u", "v", "u", "v"], "b": [3, 4, 5, 6]})
    given = FunctionTransformer(np.floor)
    coder, table = fitted(X, given)
    assert coder.codes(table, 0, 3).tolist() == [[0, 2, 3, 1], [0, 1, 0, 1], [0, 1, 2, 3]]
    assert coder.codes(table, 1, 3, [3, 0]).tolist() == [[1, 0], [3, 0]]
    assert not hasattr(given, "n_features_in_")
    assert coder.by_row(table, 0, 3).tolist() == coder.codes(table, 0, 3).T.tolist()
    assert pickle.loads(pickle.dumps(coder)).codes(table, 0, 1).tolist() == [[0, 2, 3, 1]]


@pytest.mark.parametrize(
    ("discretizer", "words"),
    [
        (OneHotEncoder(), "one column per column"),
        (StandardScaler(), "must return integers"),
        (KBinsDiscretizer(encode="onehot", strategy="uniform"), "encode='ordinal'"),
        ("mdlp", "must be 'auto', 'mdl'"),
        (1, "number of bins from 2"),
        (0, "got 0"),
        (-3, "got -3"),
        (True, "got True"),
        (2.5, "got 2.5"),
        (object(), "object"),
        (KBinsDiscretizer, "KBinsDiscretizer"),
        (["mdl"], "mdl"),
    ],
)
def test_bad_discretizers(discretizer, words):
    with pytest.raises(InvalidParameter, match=words):
        codes(np.random.default_rng(0).normal(size=(30, 2)), discretizer)


def test_a_transformer_that_refuses_the_data():
    with pytest.raises(InvalidInput, match=r"KBinsDiscretizer rejected X: .*NaN"):
        codes(np.array([[1.0], [NAN], [2.0]]), KBinsDiscretizer(2, encode="ordinal"))


def test_a_transformer_that_knows_no_weights():
    with pytest.raises(InvalidParameter, match="does not support sample_weight"):
        fitted(np.arange(10.0).reshape(5, 2), FunctionTransformer(np.floor), weights=np.arange(1.0, 6.0))


@pytest.mark.parametrize("missing", ["drop", None, 0])
def test_bad_missing(missing):
    with pytest.raises(InvalidParameter, match="missing: must be 'level' or 'error'"):
        codes(np.ones((3, 1)), missing=missing)
