"""as_table and split_target: what is read, and what is refused."""

import datetime as dt
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from entropick.errors import EntropickError, InvalidInput
from entropick.sources import Table, as_table, split_target

NAN = np.nan


def columns(table):
    return [table.column(j).tolist() for j in range(table.n_columns)]


def kinds(table):
    return [table.kind(j) for j in range(table.n_columns)]


# -- arrays --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        (np.float16, "numeric"), (np.float32, "numeric"), (np.float64, "numeric"), (np.longdouble, "numeric"),
        (">f8", "numeric"), (np.uint8, "integer"), (np.int64, "integer"), (np.uint64, "integer"), (bool, "boolean"),
    ],
)  # fmt: skip
def test_arrays_are_not_copied(dtype, kind):
    X = np.arange(12).reshape(4, 3).astype(dtype)
    for view in (X, np.asfortranarray(X), X[::2], X[:, ::-1], X[:, 1:]):
        view.flags.writeable = False
        table = as_table(view)
        assert table.matrix is view
        assert np.shares_memory(table.column(0), view)
        assert set(kinds(table)) == {kind}
        assert table.names == tuple(f"x{j}" for j in range(view.shape[1]))
        assert not table.named
        assert (table.dense(0, view.shape[1]) == view).all()


def test_dense_is_a_range_as_floats():
    table = as_table(np.arange(12).reshape(4, 3))
    got = table.dense(1, 3, np.float32)
    assert got.dtype == np.float32
    assert got.tolist() == [[1, 2], [4, 5], [7, 8], [10, 11]]


def test_take_and_select():
    X = np.arange(12).reshape(4, 3)
    frame = pd.DataFrame(X, columns=list("abc")).assign(t=list("wxyz"))
    for table in (as_table(X), as_table(frame), as_table(sparse.csr_array(X)), as_table(pl.from_pandas(frame))):
        some = table.take(np.array([3, 0]))
        assert some.n_rows == 2
        assert columns(some)[:3] == [[9, 0], [10, 1], [11, 2]]
        assert some.names == table.names
        assert columns(table.take(np.array([True, False, False, True])))[0] == [0, 9]
        chosen = table.select([2, 0])
        assert chosen.names == (table.names[2], table.names[0])
        assert columns(chosen) == [X[:, 2].tolist(), X[:, 0].tolist()]
        assert columns(table.select([1, 2])) == [X[:, 1].tolist(), X[:, 2].tolist()]
        assert chosen.named == table.named
    assert np.shares_memory(as_table(X).select([1, 2]).matrix, X)


def test_a_table_stays_what_it_is():
    table = as_table(np.eye(2))
    assert as_table(table) is table
    assert isinstance(table, Table)
    assert repr(table) == "<MatrixTable 2 × 2>"


def test_lists_and_dicts():
    assert as_table([[1, 2], [3, 4]]).matrix.tolist() == [[1, 2], [3, 4]]
    table = as_table([[1, "a"], [2.5, None]])
    assert kinds(table) == ["numeric", "category"]
    assert columns(table) == [[1, 2.5], ["a", None]]
    table = as_table({"n": [1, 2], "t": ["a", "b"], "d": np.array([0.5, NAN])})
    assert table.names == ("n", "t", "d")
    assert table.named
    assert kinds(table) == ["integer", "category", "numeric"]


def test_records():
    X = np.array([(1, 0.5, "a"), (2, 1.5, "b")], dtype=[("n", "i4"), ("r", "f4"), ("t", "U1")])
    table = as_table(X)
    assert table.names == ("n", "r", "t")
    assert columns(table) == [[1, 2], [0.5, 1.5], ["a", "b"]]


def test_masked_entries_are_missing():
    X = np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    table = as_table(X)
    assert kinds(table) == ["integer", "integer"]
    np.testing.assert_array_equal(table.matrix, [[1, NAN], [3, 4]])
    assert as_table(np.ma.masked_array([[1, 2]])).matrix.dtype.kind == "i"
    texts = np.ma.masked_array([["a"], ["b"]], mask=[[1], [0]])
    assert columns(as_table(texts)) == [[None, "b"]]


class Arraylike:
    def __array__(self, dtype=None, copy=None):
        return np.arange(4.0).reshape(2, 2)


def test_whatever_gives_an_array():
    assert as_table(Arraylike()).matrix.tolist() == [[0, 1], [2, 3]]


# -- objects -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind", "read"),
    [
        ([1, 2, 3], "integer", [1, 2, 3]),
        ([1, None, 3], "integer", [1, NAN, 3]),
        ([1.5, 2, NAN], "numeric", [1.5, 2, NAN]),
        ([np.float32(1.5), 2, 3], "numeric", [1.5, 2, 3]),
        ([True, False, True], "boolean", [True, False, True]),
        ([True, None, False], "boolean", [1, NAN, 0]),
        ([True, 2, 3.5], "numeric", [1, 2, 3.5]),
        ([Decimal("1.5"), None, Decimal(2)], "numeric", [1.5, NAN, 2]),
        ([10**30, 1, -(10**30)], "numeric", [1e30, 1, -1e30]),
        ([10**30, None, 2], "numeric", [1e30, NAN, 2]),
        ([2**63, 1, 2], "numeric", [2.0**63, 1, 2]),
        (["a", "b", None], "category", ["a", "b", None]),
        (["a", NAN, pd.NA], "category", ["a", None, None]),
        ([b"a", "b", None], "category", ["a", "b", None]),
        ([b"a", b"\xff", b"b"], "category", ["a", "\\xff", "b"]),
        (["a", 1, 2.5], "category", ["a", "1", "2.5"]),
        ([None, None, None], "numeric", [NAN, NAN, NAN]),
        ([pd.NA, 1, 2], "integer", [NAN, 1, 2]),
        ([np.str_("a"), "b", "c"], "category", ["a", "b", "c"]),
    ],
)
def test_objects_are_sorted_out(values, kind, read):
    X = np.empty((3, 2), dtype=object)
    X[:, 0] = values
    X[:, 1] = 1
    for table in (as_table(X), as_table(pd.DataFrame(X)), as_table({"a": X[:, 0], "b": [1, 1, 1]})):
        assert table.kind(0) == kind
        got = table.column(0)
        assert got.dtype == object if kind == "category" else got.dtype != object
        if kind == "category":
            assert got.tolist() == read
        else:
            np.testing.assert_array_equal(got.astype(float), np.array(read, dtype=float))


@pytest.mark.parametrize("X", [np.array([["a", "b"], ["c", "d"]]), np.array([[b"a", b"b"], [b"c", b"d"]])])
def test_arrays_of_texts(X):
    assert columns(as_table(X)) == [["a", "c"], ["b", "d"]]
    assert kinds(as_table(X)) == ["category", "category"]


@pytest.mark.parametrize("value", [{"foo": "bar"}, [1, 2], (1,), {1}, object(), as_table, int])
def test_other_objects_are_refused(value):
    for others in (1.5, "text"):
        X = np.full((3, 2), others, dtype=object)
        X[1, 1] = value
        with pytest.raises(InvalidInput, match=r"argument must be a string or a number.*'x1', row 1") as caught:
            as_table(X)
        assert isinstance(caught.value, TypeError)


# -- dates ---------------------------------------------------------------------------------------------

DAYS = ["1970-01-02", None, "1970-01-01"]


def dated():
    yield np.array([["1970-01-02"], ["NaT"], ["1970-01-01"]], dtype="M8[D]")
    yield pd.DataFrame({"x0": pd.to_datetime(DAYS)})
    yield pd.DataFrame({"x0": pd.to_datetime(DAYS, utc=True).tz_convert("Europe/Madrid")})
    yield pd.DataFrame({"x0": [dt.date(1970, 1, 2), None, dt.date(1970, 1, 1)]})
    yield pd.DataFrame({"x0": [dt.datetime(1970, 1, 2), None, dt.datetime(1970, 1, 1)]}, dtype=object)
    yield pd.DataFrame({"x0": pd.to_timedelta([1, None, 0], unit="D")})
    yield pd.DataFrame({"x0": pd.PeriodIndex(DAYS, freq="D")})
    yield pl.DataFrame({"x0": [dt.date(1970, 1, 2), None, dt.date(1970, 1, 1)]})
    yield pl.DataFrame({"x0": [dt.datetime(1970, 1, 2), None, dt.datetime(1970, 1, 1)]})
    yield pl.DataFrame({"x0": [dt.timedelta(days=1), None, dt.timedelta(0)]})
    yield pa.table({"x0": pa.array([dt.date(1970, 1, 2), None, dt.date(1970, 1, 1)])})
    yield pa.table({"x0": pa.array([dt.datetime(1970, 1, 2), None, dt.datetime(1970, 1, 1)])})
    yield pa.table({"x0": pa.array([dt.timedelta(days=1), None, dt.timedelta(0)])})


@pytest.mark.parametrize("X", [*dated()])
def test_dates_are_seconds(X):
    table = as_table(X)
    assert kinds(table) == ["numeric"]
    np.testing.assert_array_equal(table.column(0), [86400.0, NAN, 0.0])
    assert table.notes == ("dates and durations are read as seconds: 'x0'",)


def test_years_and_times():
    np.testing.assert_array_equal(as_table(np.array([["1971"], ["1970"]], dtype="M8[Y]")).column(0), [365 * 86400.0, 0])
    times = [dt.time(0, 1), None, dt.time(0)]
    for X in (pl.DataFrame({"x0": times}), pa.table({"x0": pa.array(times)})):
        np.testing.assert_array_equal(as_table(X).column(0), [60.0, NAN, 0.0])


# -- frames --------------------------------------------------------------------------------------------


def test_a_pandas_block_is_used_as_it_is():
    X = np.arange(12, dtype=np.uint8).reshape(4, 3)
    table = as_table(pd.DataFrame(X, columns=list("abc"), copy=False))
    assert np.shares_memory(table.matrix, X)
    assert table.names == ("a", "b", "c")
    assert table.named
    frame = pd.DataFrame(X, columns=list("abc"), copy=False)
    frame["y"] = ["u", "v", "u", "v"]
    table, y, name = split_target(frame, "y")
    if pd.__version__ >= "3":  # before, pandas itself copies where a column is taken away
        assert np.shares_memory(table.matrix, X)
    assert (y.tolist(), name) == (["u", "v", "u", "v"], "y")


def test_columns_held_apart_are_not_gathered():
    frame = pd.DataFrame({"a": np.arange(5), "b": np.arange(5)})
    frame["c"] = np.arange(5)
    table = as_table(frame)
    assert columns(table) == [list(range(5))] * 3


def test_pandas_dtypes():
    frame = pd.DataFrame(
        {
            "Int64": pd.array([1, None, 3], dtype="Int64"),
            "UInt8": pd.array([1, 2, 3], dtype="UInt8"),
            "Float64": pd.array([1.5, None, 3], dtype="Float64"),
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "string": pd.array(["a", None, "b"], dtype="string"),
            "str": ["a", None, "b"],
            "category": pd.Categorical(["u", None, "v"], categories=["v", "u", "w"], ordered=True),
            "numbers": pd.Categorical([2, None, 1]),
            "sparse": pd.arrays.SparseArray([0.0, 1.0, 0.0]),
            "interval": pd.arrays.IntervalArray.from_tuples([(0, 1), (1, 2), (0, 1)]),
            "arrow": pd.array([1, None, 3], dtype="int64[pyarrow]"),
            "arrow_bool": pd.array([True, None, False], dtype="bool[pyarrow]"),
            "arrow_text": pd.array(["a", None, "b"], dtype="string[pyarrow]"),
        }
    )
    table = as_table(frame)
    assert kinds(table) == [
        "integer", "integer", "numeric", "boolean", "category", "category", "category", "category", "numeric",
        "category", "integer", "boolean", "category",
    ]  # fmt: skip
    numbers = {
        "Int64": [1, NAN, 3], "UInt8": [1, 2, 3], "Float64": [1.5, NAN, 3], "boolean": [1, NAN, 0],
        "sparse": [0, 1, 0], "arrow": [1, NAN, 3], "arrow_bool": [1, NAN, 0],
    }  # fmt: skip
    for name, expected in numbers.items():
        np.testing.assert_array_equal(table.column(table.names.index(name)), expected)
    assert table.column(1).dtype == np.uint8
    texts = {
        "string": ["a", None, "b"], "str": ["a", None, "b"], "category": ["u", None, "v"],
        "numbers": ["2", None, "1"], "interval": ["(0, 1]", "(1, 2]", "(0, 1]"], "arrow_text": ["a", None, "b"],
    }  # fmt: skip
    for name, expected in texts.items():
        assert table.column(table.names.index(name)).tolist() == expected


def test_polars_and_arrow_dtypes():
    data = {
        "n": [1, None, 3],
        "r": [1.5, None, 3.0],
        "b": [True, None, False],
        "t": ["a", None, "b"],
        "full": [1, 2, 3],
        "none": [None, None, None],
        "d": [Decimal("1.5"), None, Decimal("2.0")],
        "y": [b"a", None, b"b"],
    }
    polars = pl.DataFrame(data).with_columns(pl.col("t").cast(pl.Categorical).alias("c"))
    arrow = pa.table(data)
    arrow = arrow.append_column("c", arrow.column("t").dictionary_encode())
    for X in (polars, polars.lazy(), arrow, arrow.to_batches()[0], arrow.to_reader()):
        table = as_table(X)
        assert table.names == (*data, "c")
        assert kinds(table) == [
            "integer", "numeric", "boolean", "category", "integer", "numeric", "numeric", "category", "category",
        ]  # fmt: skip
        for j, expected in enumerate(
            [[1, NAN, 3], [1.5, NAN, 3], [1, NAN, 0], None, [1, 2, 3], [NAN] * 3, [1.5, NAN, 2]]
        ):
            if expected is not None:
                np.testing.assert_array_equal(table.column(j), expected)
        assert [table.column(j).tolist() for j in (3, 7, 8)] == [["a", None, "b"]] * 3


def test_columns_without_nulls_are_not_copied():
    values = np.arange(5.0)
    for X in (pl.DataFrame({"a": values}), pa.table({"a": values})):
        first, again = as_table(X).column(0), as_table(X).column(0)
        assert np.shares_memory(first, again)


def test_nested_columns_are_refused():
    for X in (pl.DataFrame({"a": [1, 2], "l": [[1], [2]]}), pa.table({"a": [1, 2], "l": [{"k": 1}, {"k": 2}]})):
        with pytest.raises(InvalidInput, match=r"a string or a number, got .* in column 'l'"):
            as_table(X)


def test_names_that_are_numbers():
    table = as_table(pd.DataFrame(np.eye(2)))
    assert table.names == ("0", "1")
    assert not table.named
    table, y, name = split_target(pd.DataFrame(np.arange(6).reshape(2, 3)), 1)
    assert (table.names, y.tolist(), name) == (("0", "2"), [1, 4], "1")


def test_categories_have_no_numbers():
    with pytest.raises(InvalidInput, match="needs numbers only, got category column 't'"):
        as_table({"a": [1, 2], "t": ["u", "v"]}).dense(0, 2)


# -- sparse --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "csr_matrix", "lil_matrix", "dok_array"])
def test_sparse_columns(form):
    dense = np.array([[0, 1.5, 0], [2, 0, NAN], [0, 0, 3]])
    held = getattr(sparse, form)(dense)
    table = as_table(held)
    assert table.matrix is None
    assert kinds(table) == ["numeric"] * 3
    for j in range(3):
        np.testing.assert_array_equal(table.column(j), dense[:, j])
    np.testing.assert_array_equal(table.dense(1, 3), dense[:, 1:])


def test_entries_given_twice_add_up():
    held = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    assert as_table(held).column(1).tolist() == [3, 0]
    csc = sparse.csc_array((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 0, 2])), shape=(2, 2))
    assert as_table(csc).column(1).tolist() == [3, 0]
    assert csc.nnz == 2


# -- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (np.arange(3.0), "Reshape your data"),
        (np.zeros((2, 2, 2)), "got 3D.*Reshape your data"),
        (np.float64(3), "Reshape your data"),
        ([1, 2, 3], "Reshape your data"),
        (None, "must be a table"),
        ("data.csv", "open_source"),
        (object(), "must be a table.*got object"),
        ([[1, 2], [3]], "same length"),
        ([[1, 2], [3, [4]]], "same length"),
        (pd.Series([1, 2]), "got a Series.*Reshape your data"),
        (pl.Series([1, 2]), "got a Series.*Reshape your data"),
        (pa.array([1, 2]), "Reshape your data"),
        (np.empty((0, 3)), r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."),
        (np.empty((12, 0)), r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\."),
        (pd.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pd.DataFrame(index=[0, 1]), r"0 feature\(s\)"),
        (pl.DataFrame({"a": []}), r"0 sample\(s\)"),
        (pa.table({"a": []}), r"0 sample\(s\)"),
        (sparse.csr_array((0, 3)), r"0 sample\(s\)"),
        (sparse.csr_array((3, 0)), r"0 feature\(s\)"),
        ({"a": 1}, "column 'a' must be a sequence of values, got 1"),
        ({"a": "text"}, "must be a sequence"),
        ({}, r"0 feature\(s\)"),
        ({"a": [1], "b": [1, 2]}, "same length"),
        (np.ones((2, 2)) * 1j, "Complex data not supported"),
        (np.array([[1j, "a"]], dtype=object), "Complex data not supported"),
        (pd.DataFrame({"a": [1j]}), "Complex data not supported"),
        (sparse.csr_array(np.ones((2, 2)) * 1j), "Complex data not supported"),
        (sparse.csr_array(np.array([[1.0, 0], [0, np.inf]])), "infinity in column 'x1', row 1"),
        (pd.DataFrame({"a": pd.to_datetime(["2020-01-01"]), "b": [{}]}), "column 'b'"),
    ],
)
def test_what_is_no_table(X, words):
    with pytest.raises(InvalidInput, match=words) as caught:
        as_table(X)
    assert isinstance(caught.value, EntropickError)
    assert "\n" not in str(caught.value)


def infinite():
    X = np.ones((50, 4))
    X[30, 2] = -np.inf
    X[10, 3] = np.inf
    X[:, 0] = NAN
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"])
    yield X
    yield np.asfortranarray(X)
    yield X.astype(np.float16)
    yield X.astype(object)
    yield frame
    yield frame.assign(t="a")
    yield frame.astype("Float64")
    yield pl.from_pandas(frame)
    yield pa.Table.from_pandas(frame)


@pytest.mark.parametrize("X", [*infinite()])
def test_the_first_infinity_is_named(X):
    with pytest.raises(InvalidInput, match=r"X: contains infinity in column 'x2', row 30"):
        as_table(X)


def test_large_values_are_not_infinite():
    X = np.full((100, 2), 1.7e308)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert as_table(X).n_rows == 100
        assert as_table(pd.DataFrame({"a": X[:, 0], "b": "t"})).n_rows == 100


# -- the target ----------------------------------------------------------------------------------------

X = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    ("y", "values"),
    [
        ([1, 0, 1], [1, 0, 1]),
        ((1.5, 2, 3), [1.5, 2, 3]),
        (["b", "a", "b"], ["b", "a", "b"]),
        ([True, False, True], [True, False, True]),
        (np.array([1, 0, 1], dtype=object), [1, 0, 1]),
        (np.array(["b", "a", "b"]), ["b", "a", "b"]),
        (np.array([b"b", b"a", b"b"]), ["b", "a", "b"]),
        (pd.Series([1, 0, 1]), [1, 0, 1]),
        (pd.Series(["b", "a", "b"]), ["b", "a", "b"]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["b", "a", "b"]),
        (pd.Series([2, 1, 2], dtype="category"), [2, 1, 2]),
        (pd.Series([1, 0, 1], dtype="Int64"), [1, 0, 1]),
        (pd.Series([True, False, True], dtype="boolean"), [True, False, True]),
        (pd.Categorical(["b", "a", "b"]), ["b", "a", "b"]),
        (pd.Index([1, 0, 1]), [1, 0, 1]),
        (pl.Series([1, 0, 1]), [1, 0, 1]),
        (pl.Series(["b", "a", "b"]), ["b", "a", "b"]),
        (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ["b", "a", "b"]),
        (pa.array([1, 0, 1]), [1, 0, 1]),
        (pa.chunked_array([["b"], ["a", "b"]]), ["b", "a", "b"]),
        (np.ma.masked_array([1, 0, 1]), [1, 0, 1]),
    ],
)
def test_targets_are_plain_arrays(y, values):
    table, got, name = split_target(X, y)
    assert isinstance(got, np.ndarray)
    assert got.tolist() == values
    assert table.n_rows == 3
    assert name is None


def test_a_series_has_a_name():
    assert split_target(X, pd.Series([1, 0, 1], name="label"))[2] == "label"
    assert split_target(X, pl.Series("label", [1, 0, 1]))[2] == "label"


def test_a_column_of_x():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "label": ["u", "v", "u"], "b": [1, 2, 3]})
    for data in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), as_table(frame), frame.to_dict("list")):
        table, y, name = split_target(data, "label")
        assert table.names == ("a", "b")
        assert y.tolist() == ["u", "v", "u"]
        assert name == "label"
        assert columns(table) == [[1, 2, 3], [1, 2, 3]]
    table, y, name = split_target(X, "x1")
    assert (table.names, y.tolist(), name) == (("x0",), [1, 3, 5], "x1")


def test_one_column_is_taken_with_a_warning():
    for y in (np.array([[1], [0], [1]]), pd.DataFrame({"y": [1, 0, 1]}), [[1], [0], [1]]):
        with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"):
            assert split_target(X, y)[1].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([1, 0], "got 2 for 3 rows.*inconsistent numbers of samples"),
        ([1, 0, 1, 0], "got 4 for 3 rows"),
        ([], "got 0 for 3 rows"),
        ([1, NAN, 0], r"y contains NaN: 1 missing value\(s\), the first in row 1"),
        ([NAN, NAN, NAN], "contains NaN: 3"),
        (["a", None, "b"], "contains NaN"),
        (pd.Series([1, None, 2], dtype="Int64"), "contains NaN"),
        (pd.Series(["a", None, "b"], dtype="category"), "contains NaN"),
        (pl.Series([1, None, 2]), "contains NaN"),
        (pa.array([1, None, 2]), "contains NaN"),
        (np.ma.masked_array([1, 0, 1], mask=[0, 1, 0]), "contains NaN: 1 missing"),
        (np.array(["2020", "NaT", "2021"], dtype="M8[D]"), "contains NaN"),
        ([1.0, np.inf, 0.0], "y contains infinity"),
        ([1j, 0, 1], "Complex data not supported"),
        (np.array([["a", "b"]] * 3), "several targets must be numeric, got text in column 0"),
        (
            pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}),
            "several targets must be numeric, got text in column 1",
        ),
        (pd.DataFrame({"a": [1, 2, 3], "b": [1, None, 3]}), "contains NaN: 1 missing"),
        (np.ones((3, 1, 1)), "1d array, or have one column per target, got 3×1×1"),
        (np.ones((3, 0)), "1d array, or have one column per target, got 3×0"),
        ([[1], [2, 3], [1]], "one value per row"),
        (3, "a column name"),
        (b"label", "a column name"),
        (sparse.csr_array(np.ones((3, 1))), "sparse"),
        ([{}, {}, {}], "Unknown label type"),
        ("nowhere", r"X has no column 'nowhere'\. Its columns: x0, x1"),
        ("x11", r"no column 'x11'\. Did you mean 'x1'"),
    ],
)
def test_what_is_no_target(y, words):
    with pytest.raises(InvalidInput, match=words) as caught:
        split_target(X, y)
    assert "\n" not in str(caught.value)


def test_a_misspelt_column_has_a_near_miss():
    frame = pd.DataFrame({"label": [1, 0], "age": [1, 2]})
    for data in (frame, pl.from_pandas(frame)):
        with pytest.raises(InvalidInput, match=r"no column 'lable'\. Did you mean 'label'"):
            split_target(data, "lable")
        with pytest.raises(InvalidInput, match="no column is left to select from besides the target 'label'"):
            split_target(data[["label"]], "label")


def test_a_target_column_twice():
    with pytest.raises(InvalidInput, match="'label' more than once"):
        split_target(pd.DataFrame([[1, 2]], columns=["label", "label"]), "label")


# -- other libraries' tables ---------------------------------------------------------------------------


class Framed(pd.DataFrame):
    """A frame of a library that builds on pandas."""


class Streamed:
    """A frame of a library that speaks Arrow."""

    def __init__(self, held):
        self._held = held

    def __arrow_c_stream__(self, requested_schema=None):
        return self._held.__arrow_c_stream__(requested_schema)


def test_frames_of_other_libraries():
    data = {"a": [1, 2], "t": ["u", "v"]}
    for X in (Framed(data), Streamed(pa.table(data))):
        table = as_table(X)
        assert table.names == ("a", "t")
        assert columns(table) == [[1, 2], ["u", "v"]]
    with pytest.raises(InvalidInput, match="must be a table, got a Streamed"):
        as_table(Streamed(pa.chunked_array([[1, 2]])))


def test_libraries_are_not_imported_to_be_recognised():
    import subprocess
    import sys

    code = (
        "import sys, numpy as np; from entropick.sources import split_target; from entropick.coding import code_target;"
        "split_target(np.eye(3), [0, 1, 0]);"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("X", "names"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ("a", "a_2")),
        (pd.DataFrame([[1, 2.5, "u"]], columns=["a", "a", "a_2"]), ("a", "a_3", "a_2")),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), ("1", "1_2")),
        (pa.table([[1], [2]], names=["a", "a"]), ("a", "a_2")),
    ],
)
def test_a_name_that_comes_again_gets_a_number(X, names):
    table = as_table(X)
    assert table.names == names
    assert table.column(1).tolist() == [2] or table.column(1).tolist() == [2.5]
    assert table.notes[0].startswith("several columns have the same name")
