"""Whatever a file holds, an error is one line of ours that names the file."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest

pytest.importorskip("pyarrow", reason="files need pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq

from entropick.errors import EntropickError, InvalidInput
from entropick.sources import open_source


def damaged_schema(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a INTEGER, y INTEGER)")
    connection.execute("INSERT INTO t VALUES (1, 0), (2, 1)")
    connection.commit()
    connection.close()
    raw = bytearray(path.read_bytes())
    at = raw.index(b"CREATE TABLE t (a INTEGER")
    raw[at : at + 25] = b"\xff\xfe\x80" * 8 + b"("
    path.write_bytes(raw)


def not_utf8(path):
    texts = pa.StringArray.from_buffers(2, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe"))
    pq.write_table(pa.table({"a": texts, "y": [0, 1]}), path)


FILES = {
    "cr.arff": b"@relation a\r@attribute x numeric\r@attribute y {a,b}\r@data\r1,a\r2,b\r",
    "cr-inside.arff": b"@relation a\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\r2\r,b\n",
    "sparse.arff": b"@relation a\n@attribute x numeric\n@attribute y {a,b}\n@data\n{0 1, 1 a}\n{1 b}\n",
    "index.svmlight": b"1 99999999999999999999:1\n0 1:2\n",
    "minus.svmlight": b"1 -5:1\n0 1:2\n",
    "deep.jsonl": b'{"a": ' + b"[" * 200_000 + b"]" * 200_000 + b', "y": 1}\n',
    "text.parquet": not_utf8,
    "schema.sqlite": damaged_schema,
}


@pytest.mark.parametrize("name", FILES)
def test_one_line_that_names_the_file(tmp_path, name):
    if name.endswith("jsonl"):
        pytest.importorskip("duckdb")
    path = tmp_path / name
    make = FILES[name]
    path.write_bytes(make) if isinstance(make, bytes) else make(path)
    with pytest.raises(EntropickError, match=name) as told:
        open_source(path).table().column(0)
    assert "\n" not in str(told.value)


def test_sparse_rows_of_arff_say_what_to_do(tmp_path):
    (tmp_path / "a.arff").write_bytes(FILES["sparse.arff"])
    with pytest.raises(InvalidInput, match="sparse ARFF is not supported; save it as dense ARFF or svmlight"):
        open_source(tmp_path / "a.arff")


def test_a_file_that_is_deleted_before_it_is_read(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "y": [0, 1]}), tmp_path / "a.parquet")
    (tmp_path / "a.csv").write_text("a,y\n1,0\n2,1\n")
    for path in (tmp_path / "a.parquet", tmp_path / "a.csv"):
        source = open_source(path)
        path.unlink()
        with pytest.raises(InvalidInput, match=path.name):
            source.table().column(0)


def test_very_many_keys(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "wide.jsonl"
    path.write_text("\n".join(json.dumps({f"k{i}_{j}": j for j in range(4000)}) for i in range(3)))
    assert open_source(path).n_columns == 12_000


def test_an_error_in_json_names_no_temporary_file(tmp_path):
    pytest.importorskip("duckdb")
    (tmp_path / "a.jsonl").write_text('{"a": 1, "a": 2, "y": 1}\n{"a": 1, "y": 0}\n')
    with pytest.raises(InvalidInput, match=r"^file: 'a.jsonl': .*duplicate key") as told:
        open_source(tmp_path / "a.jsonl")
    assert "entropick-" not in str(told.value)


def test_a_damaged_statistic_of_a_parquet_column_does_not_end_the_process(tmp_path):
    """Arrow threw it where nobody could catch it; a child, for a failure would end the tests."""
    path = tmp_path / "a.parquet"
    words = [f"w{i}" for i in range(40)]
    pq.write_table(pa.table({"t": words, "y": [0, 1] * 20}), path)
    raw = path.read_bytes()
    child = (
        "import sys, entropick as ep\n"
        "try:\n    ep.open_source(sys.argv[1]).table()\nexcept ep.EntropickError:\n    pass\n"
        "try:\n    ep.select(sys.argv[1], 'y', k=1, method='mim')\nexcept ep.EntropickError:\n    pass\n"
    )
    path.write_bytes(raw.replace(b"%\x02\x18\x01t%", b"%\x12\x18\x01t%"))
    assert path.read_bytes() != raw
    done = subprocess.run([sys.executable, "-c", child, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_ragged_row_that_is_no_utf8_is_told_in_one_line(tmp_path):
    """Arrow printed the traceback of its own decoding."""
    (tmp_path / "a.csv").write_bytes(b"a,b,y\n" + b"1,2,0\n" * 1_000_000 + b"z,\xff\n" + b"5,6,0\n" * 9)
    child = "import sys, entropick as ep\nep.open_source(sys.argv[1])"
    words = [sys.executable, "-c", child, str(tmp_path / "a.csv")]
    told = subprocess.run(words, capture_output=True, text=True, check=False).stderr
    assert "Exception ignored" not in told
    assert "data row 1000001 has 2 values for 3 columns ('z,\ufffd')" in told
