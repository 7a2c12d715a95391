"""`memory=` is a promise: small files that claim a lot are read within it, or refused with what to do."""

from __future__ import annotations

import bz2
import json
import sqlite3
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("pyarrow", reason="files need pyarrow")
pytest.importorskip("resource", reason="limits of a process are of POSIX systems")

import pyarrow as pa
import pyarrow.parquet as pq

import entropick as ep
from entropick.errors import InvalidInput
from entropick.sources import open_source
from entropick.sources.limits import LONGEST, shortened
from entropick.sources.text import dialect

Y = np.arange(500) % 2
LONG = ["long " * 20_000 + str(i % 7) for i in range(500)]  # 100 kB each, seven distinct


def test_a_line_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(dialect, "LONGEST_HEAD", 1 << 20)
    path = tmp_path / "a.csv.bz2"
    path.write_bytes(bz2.compress(b"x" * (64 << 20)))
    with pytest.raises(InvalidInput, match=r"'a.csv.bz2' has no two lines in its first 1 MB; expected a header"):
        open_source(path)


def test_a_cell_that_has_no_end(tmp_path):
    with pa.CompressedOutputStream(str(tmp_path / "a.csv.zst"), "zstd") as file:
        file.write(b"a,t,y\n" + b"1,u,0\n2,v,1\n" * 50 + b"3,")
        for _ in range(80):
            file.write(b"x" * (1 << 20))
        file.write(b",1\n4,v,0\n")
    with pytest.raises(InvalidInput, match=r"'a\.csv\.zst' cannot be read: a row is longer than 2 MB"):
        open_source(tmp_path / "a.csv.zst", memory=100 << 20)


def test_a_claimed_width(tmp_path):
    path = tmp_path / "a.svmlight"
    path.write_text("".join(f"{i % 2} 1:{i} 50000000:1\n" for i in range(40)))
    with pytest.raises(
        InvalidInput, match=r"claims 50000000 columns, which need 19073 MB .* raise memory \(--memory\)"
    ):
        open_source(path, memory=1 << 30)
    with pytest.raises(InvalidInput, match=r"claims 50000000 columns"):
        ep.select(str(path), "target", memory="1GB")


def test_an_arff_file_that_is_too_large_to_be_read_whole(tmp_path):
    path = tmp_path / "a.arff.bz2"
    path.write_bytes(bz2.compress(b"@relation a\n@attribute x numeric\n@data\n" + b"1.0\n" * (1 << 19)))
    with pytest.raises(InvalidInput, match=r"has over 1 MB; raise memory \(--memory\)"):
        open_source(path, memory=12 << 20)


def write_jsonl(path):
    path.write_text("\n".join(json.dumps({"t": t, "y": int(y)}) for t, y in zip(LONG[:200], Y[:200], strict=True)))


def write_sqlite(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (t TEXT, y INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", list(zip(LONG[:200], map(int, Y[:200]), strict=True)))
    connection.close()


WRITERS = {
    "plain.parquet": lambda path: pq.write_table(
        pa.table({"t": LONG, "y": Y}), path, use_dictionary=False, compression="zstd"
    ),
    "dictionary.parquet": lambda path: pq.write_table(pa.table({"t": LONG, "y": Y}), path),
    "encoded.parquet": lambda path: pq.write_table(pa.table({"t": pa.array(LONG).dictionary_encode(), "y": Y}), path),
    "a.jsonl": write_jsonl,
    "a.sqlite": write_sqlite,
    "a.csv": lambda path: pd.DataFrame({"t": LONG[:200], "y": Y[:200]}).to_csv(path, index=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_long_texts_are_kept_as_their_beginning_and_a_digest(tmp_path, name):
    """The same for every kind of file, and what is selected does not change: equal texts stay equal, others do not."""
    if name == "a.jsonl":
        pytest.importorskip("duckdb")
    WRITERS[name](tmp_path / name)
    with open_source(tmp_path / name) as source:
        texts = np.concatenate([block.column(0) for block in source.blocks()])
    assert texts.tolist() == [shortened(text) for text in LONG[: len(texts)]]
    assert max(map(len, texts)) <= LONGEST


CHILD = """
    import sys
    import entropick as ep
    try:
        print(ep.select(sys.argv[1], "y", method="mim", k=1, memory="100MB").names)
    except ep.EntropickError as error:
        print(error)
    with open("/proc/self/status") as status:  # ru_maxrss also counts the process that this one was made from
        print(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024)
"""


@pytest.mark.parametrize("distinct", [1, 4000])
def test_the_peak(tmp_path, distinct):
    """4 000 texts of 100 kB, 400 MB in all, in a small file: the limit and 300 MB more, at most."""
    path = tmp_path / "a.parquet"
    texts = pa.array(["x" * 100_000 + str(i % distinct) for i in range(4000)])
    table = pa.table({"t": texts, "a": np.arange(4000) % 4, "y": np.arange(4000) % 2})
    pq.write_table(table, path, compression="zstd", use_dictionary=distinct == 1, row_group_size=4000)
    del texts, table
    words = [sys.executable, "-c", textwrap.dedent(CHILD), str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    told, peak = done.stdout.splitlines()
    assert told == "['a']", done.stderr
    assert int(peak) < 100 + 300  # of which libraries take 260, and a page of the file 100


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_limit_in_words(tmp_path, name):
    """A text was compared with a number, and the exception was Python's."""
    frame = pd.DataFrame({"a": np.arange(60) % 5, "y": np.arange(60) % 2})
    path = tmp_path / name
    if name == "a.csv":
        frame.to_csv(path, index=False)
    elif name == "a.jsonl":
        pytest.importorskip("duckdb")
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    for limit in ("1GB", 1 << 30, 1.5):
        with open_source(path, memory=limit) as source:
            assert sum(block.n_rows for block in source.blocks()) == 60
    for limit in ("much", -1, "1kB", True):
        with pytest.raises(ep.InvalidParameter, match="memory: must be at least 1 MB"):
            open_source(path, memory=limit)


@pytest.mark.parametrize("index", [1 << 31, 1 << 40, 1 << 66])
def test_an_index_beyond_any_width(tmp_path, index):
    (tmp_path / "a.svmlight").write_text(f"1 {index}:1\n0 1:1\n")
    with pytest.raises(InvalidInput, match=r"'a.svmlight' is not a readable svmlight file \(an index is too large\)"):
        open_source(tmp_path / "a.svmlight")
