"""Sources: the same rows whatever they come in, whatever the size of the blocks, and no temporary file left behind."""

from __future__ import annotations

import builtins
import gc
import io
import lzma
import sqlite3
import sys
import tempfile

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from entropick.errors import InvalidInput, InvalidParameter, MissingExtra
from entropick.sources import Table, TableSource, as_table, open_source, split_target
from entropick.sources.recast import conformed, joined
from entropick.sources.table import Column, ColumnTable

NAN = float("nan")
FRAME = pd.DataFrame(
    {
        "n": [1, 2, 3, 4, 5],
        "r": [0.5, None, 1.5, -2.0, 1e-7],
        "t": ["a", "b", None, "a", "c, d"],
        "b": [True, False, True, True, False],
        "gap": pd.array([1, None, 3, 4, 5], dtype="Int64"),
    }
)
NAMES = ("n", "r", "t", "b", "gap")
KINDS = ("integer", "numeric", "category", "boolean", "integer")
VALUES = [
    [1, 2, 3, 4, 5],
    [0.5, NAN, 1.5, -2.0, 1e-7],
    ["a", "b", None, "a", "c, d"],
    [1, 0, 1, 1, 0],
    [1, NAN, 3, 4, 5],
]


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files, which every test must leave empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    gc.collect()
    assert list(folder.iterdir()) == []


@pytest.fixture
def arrow():
    return pa.Table.from_pandas(FRAME, preserve_index=False)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def columns(table: Table):
    return [table.column(j) for j in range(table.n_columns)]


def check(source, names=NAMES, kinds=KINDS, values=VALUES):
    """The source is what is expected, read whole, a row at a time, and again."""
    assert (source.names, source.kinds) == (names, kinds)
    assert source.n_rows == len(values[0])
    assert source.schema().kinds == kinds
    for rows in (1, 2, None, 2):
        blocks = list(source.blocks(rows))
        assert all(isinstance(block, Table) and block.names == names for block in blocks)
        assert all(tuple(block.kind(j) for j in range(block.n_columns)) == kinds for block in blocks)
        assert rows is None or all(0 < block.n_rows <= rows for block in blocks)
        for j, expected in enumerate(values):
            np.testing.assert_array_equal(np.concatenate([block.column(j) for block in blocks]), expected)
    for expected, got in zip(values, columns(source.table()), strict=True):
        np.testing.assert_array_equal(got, expected)
    turned = list(range(len(names)))[::-1]
    for block in source.blocks(2, turned):
        assert block.names == names[::-1]
    np.testing.assert_array_equal(
        np.concatenate([b.column(len(names) - 1) for b in source.blocks(2, turned)]), values[0]
    )


# -- in memory -------------------------------------------------------------------------------------------


def generated():
    yield FRAME.iloc[:2]
    yield FRAME.iloc[2:2]  # empty blocks are passed over
    yield pl.from_pandas(FRAME.iloc[2:])


@pytest.mark.parametrize(
    "given",
    [
        lambda arrow: FRAME,
        lambda arrow: pl.from_pandas(FRAME),
        lambda arrow: pl.from_pandas(FRAME).lazy(),
        lambda arrow: arrow,
        lambda arrow: arrow.to_reader(max_chunksize=2),
        lambda arrow: arrow.to_batches()[0],
        lambda arrow: pyarrow.dataset.dataset(arrow),
        lambda arrow: as_table(FRAME),
        lambda arrow: TableSource(as_table(FRAME)),
        lambda arrow: (FRAME.iloc[i : i + 2] for i in range(0, 5, 2)),
        lambda arrow: iter(arrow.to_batches(max_chunksize=2)),
    ],
)
def test_what_holds_rows(arrow, given):
    with open_source(given(arrow)) as source:
        check(source)


def test_a_source_is_a_table_where_one_is_needed():
    table, y, name = split_target(open_source(FRAME), "n")
    assert (table.names, y.tolist(), name) == (NAMES[1:], [1, 2, 3, 4, 5], "n")


def test_matrices():
    matrix = np.array([[0.0, 1.5], [2.0, 0.0], [0.0, NAN]])
    for X in (matrix, sparse.csr_array(matrix)):
        check(open_source(X), ("x0", "x1"), ("numeric", "numeric"), [[0, 2, 0], [1.5, 0, NAN]])


def test_blocks_of_a_table_load_each_column_once():
    loads = []

    def load():
        loads.append(1)
        return np.arange(100)

    source = TableSource(ColumnTable(["a"], [Column("integer", load)], 100))
    assert sum(block.n_rows for block in source.blocks(3)) == 100
    assert len(loads) == 1


# -- files -----------------------------------------------------------------------------------------------


def write_arrow_stream(frame, path):
    table = pa.Table.from_pandas(frame, preserve_index=False)
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


def write_database(frame, path):
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", pa.Table.from_pandas(frame, preserve_index=False))
        connection.execute("CREATE TABLE cells AS SELECT * FROM frame")


WRITERS = {
    "a.csv": lambda frame, path: frame.to_csv(path, index=False),
    "a.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "a.csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "a.csv.bz2": lambda frame, path: frame.to_csv(path, index=False),
    "a.csv.xz": lambda frame, path: path.write_bytes(lzma.compress(frame.to_csv(index=False).encode())),
    "a.csv.zst": lambda frame, path: path.write_bytes(
        pa.compress(frame.to_csv(index=False).encode(), "zstd", asbytes=True)
    ),
    "a.parquet": lambda frame, path: frame.to_parquet(path, index=False, row_group_size=2),
    "a.pq": lambda frame, path: pl.from_pandas(frame).write_parquet(path),
    "a.feather": lambda frame, path: pyarrow.feather.write_feather(
        pa.Table.from_pandas(frame, preserve_index=False), str(path), chunksize=2
    ),
    "a.arrow": lambda frame, path: pl.from_pandas(frame).write_ipc(path),
    "a.arrows": write_arrow_stream,
    "a.jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "a.ndjson": lambda frame, path: pl.from_pandas(frame).write_ndjson(path),
    "a.json": lambda frame, path: frame.to_json(path, orient="records"),
    "a.jsonl.gz": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "a.duckdb": write_database,
}


@pytest.mark.parametrize("name", WRITERS)
def test_files(folder, name):
    WRITERS[name](FRAME, folder / name)
    with open_source(folder / name) as source:
        check(source)


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_the_row_numbers_of_pandas_are_no_column(folder, name):
    frame = FRAME.set_index(pd.Index([7, 3, 5, 9, 1]))
    table = pa.Table.from_pandas(frame)
    assert "__index_level_0__" in table.column_names
    table = table.select(table.column_names[::-1])
    write = pq.write_table if name == "a.parquet" else pyarrow.feather.write_feather
    write(table, str(folder / name))
    check(open_source(folder / name), NAMES[::-1], KINDS[::-1], VALUES[::-1])


def test_sqlite(folder):
    """SQLite has no booleans."""
    with sqlite3.connect(folder / "a.sqlite") as connection:
        FRAME.to_sql("cells", connection, index=False)
    connection.close()
    with open_source(folder / "a.sqlite") as source:
        check(source, kinds=("integer", "numeric", "category", "integer", "integer"))


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arrows", "a.csv.gz", "a.jsonl", "a.arrow"])
def test_standard_input(folder, name, monkeypatch):
    WRITERS[name](FRAME, folder / name)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / name).read_bytes())))
    with open_source("-") as source:
        check(source)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_standard_input(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(InvalidInput, match="standard input is empty"):
        open_source("-")


def test_arff(folder):
    (folder / "a.arff").write_text(
        "% remark\n@relation r\n@attribute n numeric\n@attribute 'a b' {u, v}\n@attribute d date yyyy-MM-dd\n"
        "@data\n1.5,u,1970-01-02\n?,?,?\n2,v,1970-01-01\n"
    )
    source = open_source(folder / "a.arff")
    check(
        source, ("n", "a b", "d"), ("numeric", "category", "numeric"),
        [[1.5, NAN, 2], ["u", None, "v"], [86400, NAN, 0]],
    )  # fmt: skip
    assert source.notes == ("dates and durations are read as seconds: 'd'",)


def test_svmlight(folder):
    (folder / "a.svmlight").write_text("1 1:0.5 3:2\n-1 2:1\n")
    check(
        open_source(folder / "a.svmlight"), ("target", "x0", "x1", "x2"), ("integer",) + ("numeric",) * 3,
        [[1, -1], [0.5, 0], [0, 1], [2, 0]],
    )  # fmt: skip


# -- several files ---------------------------------------------------------------------------------------


def test_a_folder_and_a_pattern(folder):
    (folder / "deep").mkdir()
    FRAME.iloc[:2].to_csv(folder / "1.csv", index=False)
    FRAME.iloc[2:4].to_parquet(folder / "2.parquet", index=False)
    FRAME.iloc[4:].to_csv(folder / "deep" / "3.csv.gz", index=False)
    (folder / "_SUCCESS").touch()
    (folder / ".hidden.csv").touch()
    (folder / "readme.md").touch()
    for inputs in ([folder], [folder / "1.csv", folder / "2.parquet", folder / "deep" / "3.csv.gz"]):
        check(open_source(*inputs))
    check(open_source(str(folder / "[12].*"), folder / "deep"))
    assert open_source(f"{folder}/**/*.csv*").n_rows == 3


def test_columns_are_found_by_name(folder):
    (folder / "1.csv").write_text("a,b\n1,x\n")
    (folder / "2.csv").write_text("b;a\ny;2\n")
    check(open_source(folder), ("a", "b"), ("integer", "category"), [[1, 2], ["x", "y"]])


def test_parts_share_a_kind(folder):
    """Integers, fractions, gaps only and texts; `07` stays as it is written."""
    (folder / "1.csv").write_text("i,r,g,t,w\n1,1,,07,yes\n")
    (folder / "2.csv").write_text("i,r,g,t,w\n2,0.5,3,8,maybe\n")
    (folder / "3.csv").write_text("i,r,g,t,w\n3,2,4,,no\n")
    check(
        open_source(folder), ("i", "r", "g", "t", "w"), ("integer", "numeric", "integer", "category", "category"),
        [[1, 2, 3], [1, 0.5, 2], [NAN, 3, 4], ["07", "8", None], ["yes", "maybe", "no"]],
    )  # fmt: skip


def test_folders_with_values_in_their_names(folder):
    table = pa.table({"n": [1, 2, 3], "year": [2020, 2020, 2021], "land": ["NO", "a b/c", None]})
    pq.write_to_dataset(table, str(folder), partition_cols=["year", "land"])
    source = open_source(folder)
    assert source.names == ("n", "year", "land")
    assert source.kinds == ("integer", "integer", "category")
    rows = sorted(zip(*(column.tolist() for column in columns(source.table())), strict=True))
    assert rows == [(1, 2020, "NO"), (2, 2020, "a b/c"), (3, 2021, None)]
    years = [year for block in source.blocks(columns=[1]) for year in block.column(0)]
    assert sorted(years) == [2020, 2020, 2021]
    assert open_source(folder, sql="SELECT n FROM data WHERE year = 2021").table().column(0).tolist() == [3]
    assert open_source(f"{folder}/year=*/**/*.parquet").names == source.names
    assert open_source(f"{folder}/year=2020/**/*.parquet").names == ("n", "land")
    assert open_source(folder / "year=2020").names == ("n", "land")


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("a,c\n1,2\n", r"'.*2.csv' has no column 'b', but '.*1.csv' has"),
        ("a,b,c\n1,2,3\n", r"'.*1.csv' has no column 'c', but '.*2.csv' has"),
        ("", "'2.csv' is empty"),
        ("a,b\n1\n", "'2.csv' cannot be read as a table: data row 1 has 1 values"),
    ],
)
def test_parts_that_do_not_fit(folder, second, words):
    (folder / "1.csv").write_text("a,b\n1,2\n")
    (folder / "2.csv").write_text(second)
    with pytest.raises(InvalidInput, match=words):
        open_source(folder)


@pytest.mark.parametrize(
    ("name", "words"),
    [("nothing*.csv", "no file matches"), ("nothing.csv", "no file '"), ("", "is a folder with no readable file")],
)
def test_no_files(folder, name, words):
    with pytest.raises(InvalidInput, match=words):
        open_source(folder / name)


# -- SQL -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.feather", "a.jsonl"])
def test_queries_over_files(folder, name):
    WRITERS[name](FRAME, folder / name)
    sql = "SELECT x.t, count(*) AS pairs, sum(y.n) AS total FROM data x JOIN data y USING (t) GROUP BY 1 ORDER BY 1"
    with open_source(folder / name, sql=sql) as source:
        check(
            source, ("t", "pairs", "total"), ("category", "integer", "integer"),
            [["a", "b", "c, d"], [4, 1, 1], [10, 2, 5]],
        )  # fmt: skip


def test_queries_know_dates(folder):
    (folder / "a.csv").write_text("day,n\n1970-01-01,1\n1970-01-02,2\n1970-01-03,3\n")
    with open_source(folder / "a.csv", sql="SELECT day, n FROM data WHERE day > DATE '1970-01-01'") as source:
        check(source, ("day", "n"), ("numeric", "integer"), [[86400, 172800], [2, 3]])


def test_sums_beyond_64_bits():
    with open_source(pd.DataFrame({"n": [2**62] * 4}), sql="SELECT sum(n) AS n FROM data") as source:
        check(source, ("n",), ("numeric",), [[2.0**64]])


@pytest.mark.parametrize("name", ["a.duckdb", "a.sqlite"])
def test_queries_over_a_database(folder, name):
    if name == "a.duckdb":
        write_database(FRAME, folder / name)
    else:
        with sqlite3.connect(folder / name) as connection:
            FRAME.to_sql("cells", connection, index=False)
        connection.close()
    before = (folder / name).read_bytes()
    with open_source(folder / name, sql="SELECT t, n + 1 AS m FROM cells WHERE n > 3") as source:
        check(source, ("t", "m"), ("category", "integer"), [["a", "c, d"], [5, 6]])
    for sql in ("DROP TABLE cells", "SELEC 1", "SELECT nothing FROM cells"):
        with pytest.raises((InvalidInput, InvalidParameter)) as caught:
            open_source(folder / name, sql=sql)
        assert "\n" not in str(caught.value)
    assert (folder / name).read_bytes() == before
    assert [file.name for file in folder.iterdir()] == [name]


def test_several_tables_need_a_query(folder):
    with sqlite3.connect(folder / "a.db") as connection:
        connection.execute("CREATE TABLE one (a)")
        connection.execute("CREATE TABLE two (a)")
    connection.close()
    with pytest.raises(InvalidParameter, match=r"'a.db' has the tables 'one', 'two'"):
        open_source(folder / "a.db")


def test_no_database(folder):
    with pytest.raises(InvalidInput, match="no file '"):
        open_source(folder / "nowhere.db", sql="SELECT 1")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELEC 1", "sql: Parser Error"),
        ("SELECT nothing FROM data", 'sql: Binder Error.*"nothing"'),
        ("SELECT 1; SELECT 2", "must be a single query that returns rows"),
        ("COPY data TO 'out.csv'", "must be a single query that returns rows"),
        ("CREATE TABLE x AS SELECT 1", "must be a single query that returns rows"),
        ("", "must be a single query that returns rows"),
        ("SELECT * FROM data WHERE false", r"0 sample\(s\)"),
        ("SELECT [1, 2] AS l FROM data", "column 'l'"),
        ("SELECT 1 AS a, 2 AS a FROM data", "'a' more than once"),
    ],
)
def test_queries_that_fail(folder, monkeypatch, sql, words):
    monkeypatch.chdir(folder)
    with pytest.raises((InvalidInput, InvalidParameter), match=words) as caught:
        open_source(FRAME, sql=sql)
    assert "\n" not in str(caught.value)
    assert list(folder.iterdir()) == []


# -- kinds -----------------------------------------------------------------------------------------------


def test_kinds_can_be_asked_for(folder):
    (folder / "a.csv").write_text("zip,code,flag,n,rest\n0123,1,yes,5,x\n1230,2,no,6,y\n")
    source = open_source(folder / "a.csv", categorical=["code", "flag"], numeric=["zip", "n"], drop=["rest"])
    check(
        source, ("zip", "code", "flag", "n"), ("numeric", "category", "category", "numeric"),
        [[123, 1230], ["1", "2"], ["yes", "no"], [5, 6]],
    )  # fmt: skip


def test_kinds_of_typed_columns_can_be_asked_for(arrow):
    source = open_source(arrow, categorical=["n", "b", "gap", "r"])
    check(
        source, NAMES, ("category",) * 5,
        [list("12345"), ["0.5", None, "1.5", "-2.0", "1e-07"], VALUES[2], ["True", "False", "True", "True", "False"],
         ["1", None, "3", "4", "5"]],
    )  # fmt: skip
    texts = pa.table({"t": ["1", None, "2.5"]})
    check(open_source(texts, numeric=["t"]), ("t",), ("numeric",), [[1, NAN, 2.5]])


@pytest.mark.parametrize("source", ["file", "table"])
def test_a_text_that_is_no_number(folder, source):
    frame = pd.DataFrame({"a": ["1"] * 1000 + ["much"]})
    frame.to_csv(folder / "a.csv", index=False)
    with pytest.raises(InvalidInput, match=r"numeric: column 'a' must hold numbers, got 'much' in data row 1001"):
        list(open_source(folder / "a.csv" if source == "file" else frame, numeric=["a"]).blocks(10))[-1].column(0)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"drop": ["N"]}, "drop: no column 'N'. Did you mean 'n'"),
        ({"categorical": ["x"]}, "categorical: no column 'x'"),
        ({"numeric": "n"}, "numeric: must be a list of names, got 'n'"),
        ({"numeric": ["n"], "categorical": ["n"]}, "numeric: 'n' is also in categorical"),
        ({"drop": list(NAMES)}, "drop: must leave at least one column"),
        ({"encoding": "klingon"}, "encoding: must be a text encoding, got 'klingon'"),
    ],
)
def test_what_cannot_be_asked_for(folder, asked, words):
    FRAME.to_csv(folder / "a.csv", index=False)
    with pytest.raises(InvalidParameter, match=words):
        open_source(folder / "a.csv", **asked)


def test_more_words_for_missing(folder):
    (folder / "a.csv").write_text("a,b\n1,x\nkeine,keine\n3,y\n")
    check(
        open_source(folder / "a.csv", missing=["keine"]), ("a", "b"), ("integer", "category"),
        [[1, NAN, 3], ["x", None, "y"]],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([], "got nothing"),
        ([FRAME, FRAME], "several inputs must all be file names"),
        (["-", "a.csv"], r"standard input \(-\) cannot be combined with other files"),
    ],
)
def test_inputs_that_do_not_go_together(inputs, words):
    with pytest.raises(InvalidParameter, match=words):
        open_source(*inputs)


def test_a_block_of_other_kinds():
    block = as_table({"a": [None, None], "b": [True, False], "c": [1, 2]})
    turned = conformed(block, ["category", "integer", "numeric"])
    assert [column.tolist() for column in columns(turned)] == [[None, None], [1, 0], [1.0, 2.0]]
    assert joined(["boolean", "boolean"]) == "boolean"


# -- notes and what is left behind -------------------------------------------------------------------------


def test_notes(folder):
    (folder / "a.csv").write_text(
        "d;c;k;z;q;m\n2020-01-01;1,5;2;01;?;1\n2020-01-02;2,25;1.000.000;02;1;x\n2020-01-03;2,5;3;03;2;2\n"
    )
    source = open_source(folder / "a.csv")
    assert source.notes == (
        "decimal commas in 'c', 'k'",
        "words such as 'nan' read as missing in 'q'",
        "dates and durations are read as seconds: 'd'",
        "'z' has numbers with leading zeros: read as a category",
        "'m' turns from numbers or dates to text in data row 2 ('x'): read as a category; if that marks a missing"
        " value, name it with missing=",
    )
    assert source.table().notes == source.notes
    assert open_source(folder / "a.csv", drop=["m", "z"]).notes == source.notes[:3]


def test_what_many_columns_have_in_common_is_one_note(folder):
    names = [f"g{j}" for j in range(40)]
    lines = [";".join(["1,5", "0,7"] * 20), ";".join(["low", "2,5"] * 20), ";".join(["3,5", "none of it"] * 20)]
    (folder / "a.csv").write_text(";".join(names) + "\n" + "\n".join(lines) + "\n")
    assert open_source(folder / "a.csv").notes == (
        "40 columns turn from numbers or dates to text ('low', 'none of it'): read as categories; if that marks"
        " a missing value, name it with missing=: 'g0', 'g1', 'g2', 'g3', 'g4', …",
    )
    both = open_source(folder / "a.csv", missing=["low", "none of it"])
    assert set(both.kinds) == {"numeric"}


def test_signs_beside_numbers_are_told(folder):
    (folder / "a.csv").write_text("price,share,y\n$65.48,12%,u\n$3.10,7%,v\n")
    source = open_source(folder / "a.csv")
    assert source.kinds == ("numeric", "numeric", "category")
    assert source.notes == ("symbols and units next to numbers ignored in 'price', 'share'",)
    assert open_source(folder / "a.csv", categorical=["price"]).table().column(0).tolist() == ["$65.48", "$3.10"]


def test_different_signs_make_a_category(folder):
    (folder / "a.csv").write_text("price,y\n$65.48,u\n3.10 €,v\n")
    source = open_source(folder / "a.csv")
    assert source.kinds == ("category", "category")
    with pytest.raises(
        InvalidInput, match=r"got '\$65.48' in data row 1; remove the symbol with a query \(--sql, sql=\)"
    ):
        open_source(folder / "a.csv", numeric=["price"])


def test_not_determined_is_missing_among_numbers(folder):
    (folder / "a.csv").write_text("a,b\n1.5,nd\nn.d.,few\n2.5,ND\n")
    source = open_source(folder / "a.csv")
    assert source.kinds == ("numeric", "category")
    assert list(source.table().column(1)) == ["nd", "few", "ND"]


def test_how_much_memory(folder):
    WRITERS["a.csv"](FRAME, folder / "a.csv")
    assert open_source(folder / "a.csv").memory() == 5 * (8 + 8 + 64 + 1 + 8)


def test_temporary_files_go_with_the_last_reference(temporary):
    source = open_source(generated())
    assert len(list(temporary.iterdir())) == 1
    derived = source.select([0, 2]).recast(["category", "category"])
    blocks = derived.blocks(1)
    del source, derived
    gc.collect()
    assert [block.column(0).tolist() for block in blocks] == [["1"], ["2"], ["3"], ["4"], ["5"]]
    del blocks
    gc.collect()
    assert list(temporary.iterdir()) == []


def broken():
    yield FRAME
    raise OSError(28, "No space left on device")


def test_temporary_files_go_with_an_error(temporary):
    with pytest.raises(OSError, match="No space left"):  # the source's own error, not one of the temporary folder
        open_source(broken())
    assert list(temporary.iterdir()) == []
    with pytest.raises(InvalidInput, match="block 2 differs in 'a', 'n'"):
        open_source(iter([{"n": [1]}, {"a": [1]}]))
    with pytest.raises(InvalidInput, match=r"0 sample\(s\)"):
        open_source(iter([]))


def test_a_closed_source_is_gone(temporary):
    source = open_source(generated())
    source.close()
    assert list(temporary.iterdir()) == []
    with pytest.raises(InvalidInput):
        source.table()


def test_a_file_that_changes_in_between(folder):
    (folder / "a.csv").write_text("a,b\n?,1\n5,2\n")
    source = open_source(folder / "a.csv")
    (folder / "a.csv").write_text("a,b\nx,1\n5,2\n")
    with pytest.raises(InvalidInput, match="changed while the file was being read"):
        source.table()


@pytest.mark.parametrize(
    ("library", "name", "words"),
    [
        ("pyarrow", "a.csv", "reading text files needs pyarrow"),
        ("pyarrow", "a.feather", "reading Arrow needs pyarrow"),
        ("duckdb", "a.jsonl", "SQL and JSON needs duckdb"),
    ],
)
def test_a_missing_extra(folder, monkeypatch, library, name, words):
    WRITERS[name](FRAME, folder / name)
    original = builtins.__import__

    def without(module, *args, **kwargs):
        if module.partition(".")[0] == library:
            raise ImportError(module, name=library)
        return original(module, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=rf"{words}: install with  pip install 'entropick\[cli\]'"):
        open_source(folder / name)


def test_a_large_row_group_is_read_piece_by_piece(tmp_path):
    columns = {name: np.random.default_rng(0).normal(size=400_000) for name in "ab"}
    group = 400_000 * 2 * 8
    pq.write_table(pyarrow.table(columns), tmp_path / "a.parquet", 400_000, compression="none", use_dictionary=False)
    before = pyarrow.total_allocated_bytes()
    held = [pyarrow.total_allocated_bytes() for _ in open_source(tmp_path / "a.parquet").blocks(1000)]
    assert len(held) == 400
    assert max(held) - before < group / 4
