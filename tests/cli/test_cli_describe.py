"""The command describe."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def table(tmp_path):
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 120)
    frame = pd.DataFrame({"id": range(120), "fee": [f"{one} kg" for one in random.integers(1, 99, 120)], "y": y})
    frame["leak"] = 2 * y
    frame.to_csv(tmp_path / "a.csv", index=False)


def test_a_line_for_every_column(table, invoke):
    done = invoke("describe", "a.csv", "--target", "y")
    head, headings, *lines = done.stdout.splitlines()
    assert head == "a.csv: 120 rows, 3 columns, target: y"
    assert headings.split() == ["column", "kind", "reason", "missing", "distinct", "remark"]
    text = " ".join(" ".join(lines).split())  # remarks go on in a second line where 80 columns are not enough
    assert "id integer whole numbers 120 row number or identifier" in text
    assert "fee numeric numbers with 'kg'" in text
    assert "predicts the target almost" in text


def test_without_a_target_as_json_and_csv(table, invoke):
    found = json.loads(invoke("describe", "a.csv", "--json").stdout)
    assert found["rows"] == 120
    assert found["columns"]["name"] == ["id", "fee", "y", "leak"]
    lines = invoke("describe", "a.csv", "--output", "csv").stdout.splitlines()
    assert lines[0] == "name,kind,why,missing,distinct,remark"
    assert len(lines) == 5


def test_a_target_that_is_not_there(table, invoke):
    done = invoke("describe", "a.csv", "--target", "z", code=1)
    assert "no column 'z'" in done.stderr
