"""Every public door under random calls, and commands that are interrupted or run out of memory or disk.

`python benchmarks/soak.py` runs the same for as long as wanted.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .surfaces import ANSWERED, REFUSED, SURFACES, outcome

FEWER = {
    "compare": 15, "small_samples": 25, "criterion_space": 25, "displays": 6, "reference": 25, "command": 25,
    "threads": 2, "forks": 5,
}  # fmt: skip
MORE = {"damaged_files": 200}


@pytest.mark.parametrize("name", sorted(SURFACES.keys() - {"spark"}))  # which tests/sources/test_spark.py has
def test_random_calls(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls = (FEWER | MORE).get(name, 40)
    outcomes = {seed: outcome(name, seed) for seed in range(calls)}
    assert not {seed: text for seed, text in outcomes.items() if text not in (ANSWERED, REFUSED)}
    assert 10 * list(outcomes.values()).count(ANSWERED) > calls  # or it would test refusals only
    assert list(tmp_path.iterdir()) == []  # what a call writes is in a folder of its own


# what once failed: DuckDB quoted half a letter, Arrow ended the process
@pytest.mark.parametrize(("name", "seed"), [("damaged_files", 41_000_196), ("damaged_files", 40_607_200)])
def test_what_once_failed(name, seed):
    assert outcome(name, seed) in (ANSWERED, REFUSED)


def test_a_random_text_that_becomes_a_path_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(SURFACES, "writing", lambda rng, folder: Path("label").touch())
    assert outcome("writing", 0) == ANSWERED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="limits and forks are Linux's")
def test_commands_that_are_stopped():
    folder = Path(__file__).parent.parent
    words = [sys.executable, "-W", "ignore", "-m", "fuzz.faults", "0", "16"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout.splitlines()[-1])["trials"]) == 4
