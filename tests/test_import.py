"""Importing is light, and every public name is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import entropick as ep

HEAVY = (
    "numba",
    "pandas",
    "pyarrow",
    "polars",
    "matplotlib",
    "plotly",
    "typer",
    "rich",
    "duckdb",
    "dask",
    "pyspark",
)
SOURCE = Path(ep.__file__).resolve().parents[1]


def run(code, folder):
    """What the code prints as JSON, in a fresh process whose home and working folder are ``folder``."""
    keep = {"PATH": os.environ.get("PATH", ""), "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    env = keep | {
        "HOME": str(folder),
        "USERPROFILE": str(folder),
        "TMPDIR": str(folder),
        "PYTHONPATH": str(SOURCE),
    }
    command = [sys.executable, "-B", "-c", code]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_import_loads_nothing_heavy_and_writes_nothing(tmp_path):
    code = "import json, sys, entropick; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.partition(".")[0] for name in run(code, tmp_path)}
    assert loaded.isdisjoint(HEAVY)
    assert list(tmp_path.rglob("*")) == []


def test_import_compiles_and_warns_nothing(tmp_path):
    code = (
        "import json, warnings\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    import entropick\n"
        "print(json.dumps([str(w.message) for w in seen]))"
    )
    assert run(code, tmp_path) == []


@pytest.mark.parametrize("name", sorted(ep.__all__))
def test_public_name_resolves(name):
    assert getattr(ep, name) is not None
    assert name in dir(ep)


def test_public_surface():
    promised = {
        "select", "Selector", "Selection", "methods", "mutual_information", "mutual_information_matrix",
        "conditional_mutual_information_matrix", "EntropickError", "__version__",
    }  # fmt: skip
    assert promised <= set(ep.__all__) | {"__version__"}
    assert isinstance(ep.__version__, str)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = ep.no_such_thing


def test_star_import(tmp_path):
    code = "from entropick import *\nimport json; print(json.dumps(callable(select)))"
    assert run(code, tmp_path) is True
