"""A name is a name: files with ``[ ] * ?`` in theirs are the files of that name, for every reader."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("pyarrow", reason="files need pyarrow")

import entropick as ep
from entropick.errors import InvalidInput
from entropick.sources import open_source

STEMS = ("a[1]", "a*", "a?", "[ab]", "a{1}", "a\\[1]", "year=1", "md:a", "http:a", "-a", " a ", "a'b", "a%20b", "~")
TRAPS = ("a1", "ab", "aa", "b", "a")


def frame(value):
    return pd.DataFrame({"v": [value, value, value, value], "y": [0, 1, 0, 1]})


def write(value, path):
    data = frame(value)
    kind = "".join(path.suffixes[-1:])
    if kind == ".jsonl":
        data.to_json(path, orient="records", lines=True)
    elif kind == ".csv":
        data.to_csv(path, index=False)
    elif kind == ".parquet":
        data.to_parquet(path)
    elif kind == ".feather":
        data.to_feather(path)
    elif kind == ".sqlite":
        connection = sqlite3.connect(path)
        data.to_sql("t", connection, index=False)
        connection.close()
    elif kind == ".duckdb":
        import duckdb

        with duckdb.connect(str(path.absolute())) as connection:
            connection.execute(f"CREATE TABLE t AS SELECT {value} AS v, i AS y FROM range(4) r(i)")
    elif kind == ".arff":
        path.write_text(f"@relation a\n@attribute v numeric\n@attribute y numeric\n@data\n{value},0\n{value},1\n")
    elif kind == ".svmlight":
        path.write_text(f"0 1:{value}\n1 1:{value}\n")
    elif kind == ".dta":
        with open(path, "wb") as file:  # pandas takes http:a.dta for an address
            data.to_stata(file, write_index=False)
    elif kind == ".xlsx":
        pytest.importorskip("openpyxl")
        data.to_excel(path, index=False)


KINDS = [
    ".jsonl", ".csv", ".parquet", ".feather", ".sqlite", ".duckdb", ".arff", ".svmlight", ".dta", ".xlsx",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_names_with_signs(tmp_path, monkeypatch, kind):
    if kind in (".jsonl", ".duckdb"):
        pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    for trap in TRAPS:
        write(1, tmp_path / f"{trap}{kind}")
    for stem in STEMS:
        if kind == ".duckdb" and "\\" in stem:  # which DuckDB takes for a folder's end, also when it writes
            continue
        path = tmp_path / f"{stem}{kind}"
        write(7, path)
        for name in (path, path.name):
            with open_source(name) as source:
                table = source.table()
                column = table.column(table.names.index("x0" if kind == ".svmlight" else "v"))
                assert set(np.asarray(column, dtype=float)) == {7.0}, name


def test_patterns_where_asked_for(tmp_path):
    pytest.importorskip("duckdb")
    for number in range(3):
        write(number, tmp_path / f"b{number}.jsonl")
    assert open_source(tmp_path / "b*.jsonl").n_rows == 12
    assert open_source(tmp_path / "b[01].jsonl").n_rows == 8
    with pytest.raises(InvalidInput, match="no file matches"):
        open_source(tmp_path / "c*.jsonl")
    write(9, tmp_path / "b*.jsonl")
    assert ep.select(str(tmp_path / "b*.jsonl"), "y", k=1, method="mim", missing="level").n_samples == 4


@pytest.mark.parametrize("value", ["9223372036854775808", "9" * 5000, "٣", "007"])
def test_folders_of_large_numbers_are_names(tmp_path, value):
    folder = tmp_path / f"year={value[:200]}"
    folder.mkdir()
    write(1, folder / "a.csv")
    source = open_source(tmp_path)
    assert source.kinds[source.names.index("year")] == "category"


@pytest.mark.parametrize("kind", [".csv", ".feather", ".parquet"])
def test_a_folder_that_is_called_as_home_is_written(tmp_path, monkeypatch, kind):
    """Arrow read ~/a.csv in the home of the user."""
    monkeypatch.chdir(tmp_path)
    for name, value in (("~", 2), ("home", 1)):
        (tmp_path / name).mkdir()
        write(value, tmp_path / name / f"a{kind}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for asked in (f"~/a{kind}", "~"):
        with open_source(asked) as source:
            assert {float(value) for block in source.blocks() for value in block.column(0)} == {2.0}
