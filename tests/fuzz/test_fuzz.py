"""Random calls, files cut anywhere, interrupts at any moment, little memory: an answer or one clear line.

`python benchmarks/soak.py` runs the same for as long as wanted.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.sources import read_file

from .faults import ENDED
from .hostile import case
from .verdict import fault, repeated

CHUNK = 250
# what once failed: casts of huge targets, overflowing squares and weights, names with line breaks, empty ensembles
ONCE_FAILED = (31, 65, 74, 85, 143, 270, 707, 2052, 4118, 4139, 7407, 7463, 8336, 11343, 21362, 22859, 53128)


@pytest.mark.parametrize("start", range(100_000, 102_000, CHUNK))
def test_random_calls(start, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    faults = {seed: fault(case(seed)) for seed in range(start, start + CHUNK)}
    assert not {seed: text for seed, text in faults.items() if text}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", ONCE_FAILED)
def test_what_once_failed(seed):
    assert fault(case(seed)) is None


def test_the_same_call_gives_the_same_answer():
    faults = {seed: repeated(case(seed)) for seed in range(200_000, 200_150)}
    assert not {seed: text for seed, text in faults.items() if text}


# -- files --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same small table in every format that is written here."""
    folder = tmp_path_factory.mktemp("whole")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.normal(size=60), "b": rng.integers(0, 4, 60), "c": rng.choice(["x", "y, z", 'q"'], 60)}
    )
    frame["label"] = (frame["a"] > 0).astype(int)
    for name in ("t.csv", "t.csv.gz", "t.tsv"):
        frame.to_csv(folder / name, index=False, sep="\t" if name.endswith("tsv") else ",")
    frame.to_parquet(folder / "t.parquet")
    return folder


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv", "t.parquet"])
def test_a_file_cut_or_spoilt_anywhere(files, tmp_path, name):
    whole = (files / name).read_bytes()
    rng = np.random.default_rng(len(name))
    refusals = []
    for trial in range(60):
        content = bytearray(whole[: int(rng.integers(len(whole) + 1))] if trial % 2 else whole)
        for at in rng.integers(0, max(1, len(content)), 3 if trial % 3 == 0 else 0):
            content[int(at) : int(at) + 1] = bytes([int(rng.integers(256))])
        path = tmp_path / f"{trial}-{name}"
        path.write_bytes(content)
        try:
            table = read_file(path)
            if "label" in table.names:
                ep.select(table, "label", k=1)
        except ep.EntropickError as error:
            refusals.append(str(error))
    assert refusals
    assert not [text for text in refusals if "\n" in text]


# -- interrupts and memory ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(4000, 200)).astype(np.float32)).add_prefix("f")
    frame["label"] = rng.integers(0, 2, 4000)
    frame.to_parquet(folder / "large.parquet")
    return folder / "large.parquet"


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "entropick.cli", *map(str, words)]


ANNOUNCED = "from entropick.cli import main; print('started', flush=True); main()"


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_leaves_nothing_half_written(large, tmp_path):
    """Whatever the moment: code 130 and no file, or a finished run and a file that can be read."""
    out = tmp_path / "out" / "chosen.json"
    out.parent.mkdir()
    options = ["-t", "label", "-m", "jmi", "-k", "150", "--save", str(out), "--quiet"]
    words = [sys.executable, "-c", ANNOUNCED, "select", str(large), *options]

    def interrupted(delay: float | None) -> tuple[int, float]:
        """The exit code, and the seconds since Python, which answers signals in its own way, had started."""
        out.unlink(missing_ok=True)
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "started\n"
        start = time.monotonic()
        if delay is not None:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        assert "bug in entropick" not in message
        return process.returncode, time.monotonic() - start

    code, whole = interrupted(None)
    assert code == 0
    for share in np.linspace(0.05, 0.95, 7):
        code, _ = interrupted(share * whole)
        left = [path.name for path in out.parent.iterdir()]
        assert left in ([], [out.name])
        if left:
            assert len(json.loads(out.read_text("utf-8"))["steps"]) == 150
        else:
            assert code == 130


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
@pytest.mark.parametrize("megabytes", [700, 1000, 1400, 2200])
def test_too_little_memory_leaves_nothing_half_written(large, tmp_path, megabytes):
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    out = tmp_path / "chosen.json"
    words = command("select", large, "-t", "label", "-m", "gc.mi", "-k", "5", "--save", out, "--quiet", "--jobs", "1")
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=limit, env={**os.environ, **threads})
    if done.returncode == 0:
        assert out.exists()
    else:
        assert done.returncode == 1 or any(words in done.stderr for words in ENDED)
        assert done.stderr
        assert list(tmp_path.iterdir()) == []
