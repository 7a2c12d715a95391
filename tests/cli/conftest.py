"""Running the command: as a user does, in a process of its own, or at once in this one; 80 columns."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from entropick.cli.app import app

HOSTILE = [
    'a,"b"',
    "<script>alert(1)</script>",
    "[red]bold[/red]",
    "line\nbreak",
    "\x1b[31mred",
    "=1+1",
    "日本語",
]


@pytest.fixture
def environment(tmp_path):
    return {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore"}


@pytest.fixture
def run(environment, tmp_path):
    """Run ``entropick ...`` in an empty folder."""

    def run(*words, code=0, **extra):
        done = subprocess.run(
            [sys.executable, "-m", "entropick.cli", *map(str, words)],
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**environment, **extra},
            timeout=120,
        )
        assert done.returncode == code, done.stderr
        return done

    return run


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    """The same in this process, without the seconds of a start; test_cli_process.py has what a start changes."""

    def invoke(*words, code=0):
        monkeypatch.chdir(tmp_path)
        done = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app, [str(word) for word in words])
        assert done.exit_code == code, done.output
        return done

    return invoke


@pytest.fixture(scope="session")
def frame():
    """Two columns that decide the label together, one that follows it loosely, and noise."""
    random = np.random.RandomState(0)
    bits = random.randint(0, 2, size=(300, 5))
    label = bits[:, 0] ^ bits[:, 1]
    return pd.DataFrame(
        {
            "left": bits[:, 0],
            "right": bits[:, 1],
            "hint": np.where(random.rand(300) < 0.8, label, 1 - label),
            "noise": random.normal(size=300).round(3),
            "colour": np.array(["red", "green", "blue"])[random.randint(0, 3, 300)],
            "label": np.array(["no", "yes"])[label],
        }
    )


@pytest.fixture
def table(tmp_path, frame):
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def hostile_names():
    return HOSTILE


@pytest.fixture
def hostile(tmp_path):
    """A Parquet file whose names would break a careless writer of CSV, HTML or terminal output."""
    random = np.random.RandomState(1)
    values = random.randint(0, 3, size=(200, len(HOSTILE)))
    frame = pd.DataFrame(values, columns=HOSTILE)
    frame["y"] = values[:, 0] + (values[:, 1] > 1)
    path = tmp_path / "hostile.parquet"
    frame.to_parquet(path)
    return path
