"""Files with bytes changed, cut out or put in: read, or one line; never a crash, never a file left behind."""

from __future__ import annotations

import random
import sqlite3
import tempfile

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

from entropick.errors import EntropickError
from entropick.sources import open_source

FRAME = pd.DataFrame(
    {
        "n": range(50),
        "r": [i / 3 for i in range(50)],
        "t": ['a"b', "c,d"] * 25,
        "d": [f"2020-01-{1 + i % 28:02d}" for i in range(50)],
        "y": ["u", "v"] * 25,
    }
)


def write_sqlite(path):
    with sqlite3.connect(path) as connection:
        FRAME.to_sql("cells", connection, index=False)
    connection.close()


def write_duckdb(path):
    with duckdb.connect(str(path)) as connection:
        connection.register("frame", pa.Table.from_pandas(FRAME))
        connection.execute("CREATE TABLE cells AS SELECT * FROM frame")


WRITERS = {
    "csv": lambda path: FRAME.to_csv(path, index=False),
    "csv.gz": lambda path: FRAME.to_csv(path, index=False),
    "parquet": lambda path: FRAME.to_parquet(path),
    "feather": lambda path: pyarrow.feather.write_feather(FRAME, str(path)),
    "arrow": lambda path: pyarrow.feather.write_feather(FRAME, str(path), compression="uncompressed"),
    "jsonl": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "arff": lambda path: path.write_text(
        "@relation r\n@attribute n numeric\n@attribute t {a,b}\n@data\n" + "1,a\n2.5,b\n" * 20
    ),
    "svmlight": lambda path: path.write_text("1 1:0.5 3:2\n-1 2:1\n" * 20),
    "sqlite": write_sqlite,
    "duckdb": write_duckdb,
}


def damaged(raw, generator):
    out = bytearray(raw)
    how = generator.choice(["cut", "changed", "changed", "replaced"])
    if how == "cut":
        return bytes(out[: generator.randrange(len(out))])
    if how == "changed":
        for _ in range(generator.randint(1, 6)):
            out[generator.randrange(len(out))] = generator.choice([*b'\0\xff",;\n\r#0', generator.randrange(256)])
        return bytes(out)
    start = generator.randrange(len(out))
    out[start : start + generator.randrange(1, 40)] = generator.randbytes(generator.randrange(40))
    return bytes(out)


@pytest.mark.parametrize("form", WRITERS)
def test_damaged_files(tmp_path, monkeypatch, form):
    path, temporary = tmp_path / f"a.{form}", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    WRITERS[form](path)
    raw = path.read_bytes()
    told = []
    for seed in range(40):
        path.write_bytes(damaged(raw, random.Random(seed)))
        try:
            with open_source(path) as source:
                table = source.table()
                lengths = {len(table.column(j)) for j in range(table.n_columns)}
            assert lengths == {table.n_rows}
        except EntropickError as error:
            told.append(str(error))
        assert list(temporary.iterdir()) == []
    assert len(told) > 5
    assert all("\n" not in text and len(text) < 400 for text in told)
