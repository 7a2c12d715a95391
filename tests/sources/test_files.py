"""Files: what is read, and one clear line where it cannot be."""

import builtins
import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest

from entropick.errors import InvalidInput, MissingExtra
from entropick.sources import read_file, split_target


def write(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def kinds(table):
    return [table.kind(j) for j in range(table.n_columns)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "n,t,r\n1,a,0.5\n2,b,1.5\n"),
        ("a.CSV", "n,t,r\n1,a,0.5\n2,b,1.5\n"),
        ("a.csv", "n;t;r\n1;a;0.5\n2;b;1.5\n"),
        ("a.csv", "n\tt\tr\n1\ta\t0.5\n2\tb\t1.5\n"),
        ("a.tsv", "n\tt\tr\n1\ta\t0.5\n2\tb\t1.5\n"),
        ("a.txt", "n\tt\tr\n1\ta\t0.5\n2\tb\t1.5\n"),
        ("a.csv", "n,t,r\r\n1,a,0.5\r\n2,b,1.5\r\n"),
        ("a.csv", '"n","t","r"\n1,"a",0.5\n2,"b",1.5\n'),
        ("a.csv", "n, t, r\n1, a, 0.5\n2, b, 1.5\n"),
        ("a.csv", b"\xef\xbb\xbfn,t,r\n1,a,0.5\n2,b,1.5\n"),
        ("a.csv", "\n\nn,t,r\n1,a,0.5\n2,b,1.5\n\n"),
        ("a.csv.gz", gzip.compress(b"n,t,r\n1,a,0.5\n2,b,1.5\n", mtime=0)),
    ],
)
def test_text_files(tmp_path, name, text):
    table = read_file(write(tmp_path, name, text))
    assert table.names == ("n", "t", "r")
    assert table.named
    assert kinds(table) == ["integer", "category", "numeric"]
    assert [table.column(j).tolist() for j in range(3)] == [[1, 2], ["a", "b"], [0.5, 1.5]]


def test_quotes_hold_separators(tmp_path):
    table = read_file(write(tmp_path, "a.csv", 'n,t\n1,"a, b; c"\n2,"say ""x"""\n'))
    assert table.column(1).tolist() == ["a, b; c", 'say "x"']


def test_one_column(tmp_path):
    table = read_file(write(tmp_path, "a.csv", "n\n1\n2\n"))
    assert table.names == ("n",)
    assert table.column(0).tolist() == [1, 2]


def test_integers_with_gaps_stay_integers(tmp_path):
    table = read_file(write(tmp_path, "a.csv", "n,t,b,r\n1,a,True,1.0\n,,,\n3,b,False,2.0\n"))
    assert kinds(table) == ["integer", "category", "boolean", "numeric"]
    np.testing.assert_array_equal(table.column(0), [1, np.nan, 3])
    assert table.column(1).tolist() == ["a", None, "b"]


def test_counted_names_are_names(tmp_path):
    table = read_file(write(tmp_path, "a.csv", "0,1,2\n5,6,7\n8,9,1\n"))
    assert table.names == ("0", "1", "2")


def test_many_columns(tmp_path):
    names = [f"c{j}" for j in range(5000)]
    text = ",".join(names) + "\n" + "\n".join(",".join(map(str, range(i, i + 5000))) for i in range(3))
    table = read_file(write(tmp_path, "wide.csv", text))
    assert table.names == tuple(names)
    assert table.column(4999).tolist() == [4999, 5000, 5001]


def test_a_target_in_a_file(tmp_path):
    path = write(tmp_path, "a.csv", "a,label,b\n1,u,0.5\n2,v,1.5\n")
    table, y, name = split_target(read_file(path), "label")
    assert (table.names, y.tolist(), name) == (("a", "b"), ["u", "v"], "label")
    with pytest.raises(InvalidInput, match="Did you mean 'label'"):
        split_target(read_file(str(path)), "lable")


def test_parquet(tmp_path):
    frame = pd.DataFrame({"n": [1, 2], "t": ["a", None], "d": pd.to_datetime(["2020-01-01", None])})
    frame.to_parquet(tmp_path / "a.parquet")
    table = read_file(tmp_path / "a.parquet")
    assert table.names == ("n", "t", "d")
    assert kinds(table) == ["integer", "category", "numeric"]
    assert table.column(1).tolist() == ["a", None]
    pl.from_pandas(frame).write_parquet(tmp_path / "b.pq")
    assert read_file(tmp_path / "b.pq").column(0).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "'a.csv' is empty"),
        ("a.csv", "\n  \n", "'a.csv' is empty"),
        ("a.parquet", "", "'a.parquet' is empty"),
        ("a.csv", "a,b\n", "column names but no rows"),
        ("a.csv", "1.5,2\n3.5,4\n", r"must begin with column names, got numbers \(1.5"),
        ("a.csv", "a,,c\n1,2,3\n", "no name for column 2"),
        ("a.csv", "a,b\n1,2\n1,2,3\n", "cannot be read as a table"),
        ("a.csv", 'a,b\n1,"2\n', "cannot be read as a table"),
        ("a.csv", b"a,b\n1,\xff\xfe\n", "not UTF-8"),
        ("a.csv.gz", b"not packed", "cannot be read"),
        ("a.csv.gz", gzip.compress(b"a,b\n1,2\n" * 1000, mtime=0)[:-30], "cannot be read"),
        ("a.parquet", b"PAR1 but no more", "not a readable Parquet file"),
        ("a.xlsx", "x", "'a.xlsx' is not a readable workbook file"),
        ("noname", "x", "cannot read 'noname'"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, text, words):
    with pytest.raises(InvalidInput, match=words) as caught:
        read_file(write(tmp_path, name, text))
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path):
    with pytest.raises(InvalidInput, match=r"no file '.*nowhere.csv'"):
        read_file(tmp_path / "nowhere.csv")
    with pytest.raises(InvalidInput, match="is a folder"):
        read_file(tmp_path)


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    path = write(tmp_path, "a.parquet", "x")
    original = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return original(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"reading Parquet needs pyarrow: .*entropick\[cli\]"):
        read_file(path)


def test_a_name_that_comes_again_gets_a_number(tmp_path):
    table = read_file(write(tmp_path, "a.csv", "a,b, a \n1,2,3\n"))
    assert table.names == ("a", "b", "a_2")
    assert table.column(2).tolist() == [3]
    assert "several columns have the same name: 'a' is repeated; renamed 'a_2'" in table.notes
