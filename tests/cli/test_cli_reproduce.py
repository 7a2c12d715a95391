"""`entropick reproduce`: the list, one table, and a name that is none."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from entropick.cli.app import app
from entropick.evaluation.tables import TABLES

run = CliRunner()


def test_the_list():
    shown = run.invoke(app, ["reproduce"]).stdout
    assert all(name in shown for name in TABLES)


def test_a_table_beside_the_papers():
    """Table 5 of Jitkrittum et al.: 35 subsets, the true one first, near the printed 0.496."""
    done = run.invoke(app, ["reproduce", "lsmi-table5", "--output", "json", "--quiet"])
    rows = json.loads(done.stdout)
    assert len(rows) == 34 or len(rows) == 35
    assert rows[0]["features"] == "1 2 3 4"
    assert abs(rows[0]["lsmi"] - 0.496) < 0.05
    assert rows[0]["lsmi"] > rows[1]["lsmi"] + 0.02


def test_no_such_table():
    done = run.invoke(app, ["reproduce", "lsmi-table9"])
    assert done.exit_code == 1
    assert "lsmi-table5" in done.stderr
