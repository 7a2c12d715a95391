"""`entropick merge`, and selecting from what it writes."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import entropick as ep


@pytest.fixture
def parties(frame, tmp_path):
    frame[:120].to_csv(tmp_path / "north.csv", index=False)
    frame[120:].to_csv(tmp_path / "south.csv", index=False)
    return tmp_path


def test_two_parties_select_together(invoke, parties, frame):
    words = ("--target", frame.columns[-1], "-k", 2, "-q", "-o", "json")
    invoke("select", "north.csv", *words, "--save-statistics", "north.stats")
    invoke("select", "south.csv", *words, "--coding", "north.stats", "--save-statistics", "south.stats")
    told = invoke("merge", "north.stats", "south.stats", "-o", "both.stats").stdout
    assert f"both.stats: 300 rows, {frame.shape[1] - 1} features" in told
    found = json.loads(invoke("select", "both.stats", "--method", "jmi", "-k", 2, "-q", "-o", "json").stdout)
    both = pd.concat([pd.read_csv(parties / "north.csv"), pd.read_csv(parties / "south.csv")])
    expected = ep.select(both, frame.columns[-1], method="jmi", k=2, coding=str(parties / "north.stats"))
    assert [step["name"] for step in found["steps"]] == expected.names
    assert [step["score"] for step in found["steps"]] == expected.scores.tolist()


def test_what_cannot_be_merged_is_told_and_writes_nothing(invoke, parties, frame):
    words = ("--target", frame.columns[-1], "-k", 2, "-q")
    invoke("select", "north.csv", *words, "--save-statistics", "north.stats")
    invoke("select", "south.csv", *words, "--save-statistics", "south.stats")
    error = invoke("merge", "north.stats", "south.stats", "-o", "both.stats", code=1).stderr
    assert "south.stats: other: these statistics cannot be merged" in " ".join(error.split())
    assert "not a file of saved statistics" in invoke("merge", "north.csv", "-o", "both.stats", code=1).stderr
    assert "existing folder" in invoke("merge", "north.stats", "-o", "no/both.stats", code=1).stderr
    assert not (parties / "both.stats").exists()
