"""A full disk, for real: the system refuses to let files grow. One line that says what had no room, nothing left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("resource", reason="limits of a process are of POSIX systems")
pytest.importorskip("typer", reason="the command line is not installed")
pytest.importorskip("duckdb", reason="DuckDB is not installed")

ROWS = ["select", "rows.parquet", "--target", "y", "-k", "3", "--quiet", "--jobs", "1"]
WIDE = ["select", "wide.parquet", *ROWS[2:], "--method", "mim"]  # more than the limit even when coded
PIPED = ["select", "-", *ROWS[2:]]
CASES = {  # arguments of the command line; bytes that a file may have; what had no room
    "coded rows": ([*WIDE, "--memory", "1MB"], 20_000, "memory: coded rows beyond the limit go to"),
    "standard input": (PIPED, 20_000, "file: rows of the standard input go to"),
    "a query": ([*ROWS, "--sql", "SELECT * FROM data"], 20_000, "X: rows that are read more than once go to"),
    "statistics": ([*ROWS, "--save-statistics", "out/a.stats"], 4_000, "out/a.stats: "),
    "a page": ([*ROWS, "--save", "out/a.html"], 5_000, "out/a.html: "),
    "JSON": ([*ROWS, "--save", "out/a.json"], 500, "out/a.json: "),
    "CSV": ([*ROWS, "--save", "out/a.csv"], 50, "out/a.csv: "),
    "text": ([*ROWS, "--save", "out/a.txt"], 50, "out/a.txt: "),
}

# Every command runs without a limit first: kernels that are compiled then are cached in files.
CHILD = """
    import contextlib, io, json, os, resource, sys
    from pathlib import Path
    from entropick.cli.app import app

    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    found = {}
    for name, (words, size, _) in json.loads(sys.argv[1]).items():
        for limit in (hard, size):
            with open("rows.csv") as rows, contextlib.redirect_stderr(io.StringIO()) as told:
                sys.stdin = rows
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
                with contextlib.redirect_stdout(io.StringIO()):
                    code = app(words, standalone_mode=False)
                resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            left = sorted(os.listdir("out")) + sorted(os.listdir(os.environ["TMPDIR"]))
            kept = {path: Path("out", path).read_text("utf-8") for path in os.listdir("out") if limit != hard}
            for path in os.listdir("out"):
                Path("out", path).write_text("before")
            found[name] = found.get(name, []) + [[code, told.getvalue(), left, kept]]
        for path in os.listdir("out"):
            os.unlink(Path("out", path))
    print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Case -> (exit code, standard error, files left, their texts), without a limit and with one."""
    folder = tmp_path_factory.mktemp("full")
    for made in ("out", "temporary"):
        (folder / made).mkdir()
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(8000, 6))).rename(columns=str)
    frame["y"] = (frame["0"] + frame["1"] * frame["2"] > 0).astype(int)
    frame.to_parquet(folder / "rows.parquet")
    wide = pd.DataFrame(random.normal(size=(20_000, 100)).astype(np.float32)).rename(columns=str)
    wide.assign(y=wide["0"] > 0).to_parquet(folder / "wide.parquet")
    frame.to_csv(folder / "rows.csv", index=False)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CHILD), json.dumps(CASES)],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("case", CASES)
def test_a_full_disk(runs, case):
    words, _, message = CASES[case]
    saved = [os.path.basename(word) for word in words if word.startswith("out/")]
    with_room, without = runs[case]
    assert with_room[0] in (0, None), with_room[1]
    assert with_room[2] == saved
    code, told, left, kept = without
    assert code == 1
    assert told.count("\n") == 1
    assert message in told
    assert "File too large" in told
    assert left == saved
    assert kept == dict.fromkeys(saved, "before")  # what was there stays


def test_a_matrix_that_has_no_room():
    """Its file is allotted before it is mapped: a page that finds no room later ends the process by a signal."""
    code = """
        import resource
        from entropick.errors import InvalidInput
        from entropick.statistics.levels.pair_matrices import allocate

        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        assert allocate(40, memory=0.0).sum() == 0.0
        try:
            allocate(60, memory=0.0)
        except InvalidInput as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("memory: matrices beyond the limit go to"), done.stderr


def test_a_full_standard_output(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    pd.DataFrame({"a": [0, 1] * 20, "b": [1, 1, 0, 0] * 10, "y": [0, 1] * 20}).to_csv(tmp_path / "rows.csv")
    words = ["select", str(tmp_path / "rows.csv"), "--target", "y", "-k", "1", "--quiet"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "entropick.cli", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "error: No space left on device\n"
