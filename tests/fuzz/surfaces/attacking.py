"""Attacks: files of every format damaged anywhere, threads that save to one path, forks in the middle of work."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import entropick as ep

from .surface import damaged, promises, surface

ROWS = pd.DataFrame(
    {"a": np.arange(40) / 7, "b": np.arange(40) % 4, "c": ["x", "y, z", 'q"', "ä"] * 10, "y": np.arange(40) % 2}
)


@cache
def originals() -> dict[str, bytes]:
    """Ending -> the same small table in every format that is read, and what entropick itself writes."""
    text = ROWS.to_csv(index=False).encode()
    lines = ROWS.to_json(orient="records", lines=True).encode()
    out = {
        ".csv": text, ".tsv": ROWS.to_csv(index=False, sep="\t").encode(), ".csv.gz": gzip.compress(text),
        ".csv.bz2": bz2.compress(text), ".csv.xz": lzma.compress(text), ".jsonl": lines,
        ".jsonl.gz": gzip.compress(lines),
        ".csv.zst": pa.compress(text, "zstd", asbytes=True), ".json": ROWS.to_json(orient="records").encode(),
        ".arff": b"@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n" + b"1.5,u\n2,v\n?,u\n" * 9,
        ".svmlight": b"1 1:2 3:0.5 # x\n0 2:1\n" * 9,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        ROWS.to_parquet(path / "a.parquet")
        ROWS.to_feather(path / "a.feather")
        connection = sqlite3.connect(path / "a.sqlite")
        ROWS.to_sql("t", connection, index=False)
        connection.close()
        ep.Statistics.collect(ROWS, "y").save(path / "a.stats")
        out |= {file.suffix: file.read_bytes() for file in path.iterdir()}
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, pa.Table.from_pandas(ROWS).schema) as writer:
        writer.write_table(pa.Table.from_pandas(ROWS))
    out[".arrows"] = stream.getvalue()
    out["selection"] = ep.select(ROWS, "y", k=2, method="jmi").to_json().encode()
    return out


@surface
def damaged_files(rng: np.random.Generator, folder: Path) -> None:
    """Of every format, cut, changed, doubled or filled with another's bytes anywhere: read, or refused."""
    endings = sorted(originals())
    ending = endings[int(rng.integers(len(endings)))]
    raw = originals()[ending]
    how = rng.random()
    if how < 0.1:  # a piece of another file inside
        other = originals()[endings[int(rng.integers(len(endings)))]]
        at, size = int(rng.integers(len(raw))), int(rng.integers(1, 200))
        raw = raw[:at] + other[:size] + raw[at:]
    elif how < 0.2:  # a piece twice, or missing
        at, end = sorted(int(one) for one in rng.integers(0, len(raw), 2))
        raw = raw[:end] + raw[at:] if rng.random() < 0.5 else raw[:at] + raw[end:]
    elif how < 0.5:  # one bit
        at = int(rng.integers(len(raw)))
        raw = raw[:at] + bytes([raw[at] ^ (1 << int(rng.integers(8)))]) + raw[at + 1 :]
    else:
        raw = damaged(rng, raw)
    if ending == "selection":
        promises(ep.Selection.from_json(raw.decode("utf-8", "replace")))
        return
    path = folder / f"a{ending}"
    path.write_bytes(raw)
    if ending == ".stats":
        ep.Statistics.load(path).select(method="mim", k=1)
        return
    with ep.open_source(path, memory=256 << 20) as source:
        rows = sum(block.n_rows for block in source.blocks(7))
        table = source.table()
        assert rows == table.n_rows
        assert {len(table.column(j)) for j in range(table.n_columns)} == {rows}


@surface
def threads(rng: np.random.Generator, folder: Path) -> None:
    """Eight threads that save to one path; whoever reads meanwhile sees something whole."""
    found = ep.select(ROWS, "y", k=int(rng.integers(1, 4)), method="mim")
    kept = ep.Statistics.collect(ROWS, "y")
    kind = int(rng.integers(2))
    path = folder / ("a.html", "a.stats")[kind]
    saves: tuple[Any, ...] = (found.report, kept.save)
    saves[kind](path)

    def both(number: int) -> None:
        if number % 3:
            saves[kind](path)
        elif kind:
            assert ep.Statistics.load(path).select(method="mim", k=1).n_samples == len(ROWS)
        else:
            assert path.read_text("utf-8").rstrip().endswith("</html>")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(both, range(24)))
    assert os.listdir(folder) == [path.name]


@surface
def forks(rng: np.random.Generator, folder: Path) -> None:
    """A child that is forked between two selections gives the same answer as its parent."""
    X, y = rng.integers(0, 3, (60, 5)), rng.integers(0, 2, 60)
    given: dict[str, Any] = {"method": str(rng.choice(["jmi", "cmim", "gc.mi", "mim"])), "k": 2, "n_jobs": 2}
    before = ep.select(X, y, **given).to_json()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            (folder / "answer").write_text(ep.select(X, y, **given).to_json())
            code = 0
        finally:
            os._exit(code)
    assert ep.select(X, y, **given).to_json() == before
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert json.loads((folder / "answer").read_text()) == json.loads(before)
