"""The statistic of PLINK's ``--fast-epistasis boost``, recorded: a pair, strong single columns, near-twins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import entropick as ep

RECORDED = Path(__file__).parents[1] / "recorded" / "plink_boost.json"


def test_the_best_hundred_pairs_have_the_statistics_of_plink():
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    X = np.array([[int(level) for level in column] for column in recorded["genotypes"]]).T
    y = np.array([int(label) for label in recorded["classes"]])
    found = {pair.columns: pair for pair in ep.interactions(X, y, top=150)}
    assert len(recorded["pairs"]) == 100
    for first, second, statistic, df, p in recorded["pairs"]:
        pair = found[first, second]
        assert pair.statistic == pytest.approx(statistic, rel=1e-4)
        assert pair.df == df
        assert pair.p_value == pytest.approx(p, rel=2e-3)  # PLINK writes four digits, and rounds the statistic first
    assert next(iter(found)) == tuple(recorded["pairs"][0][:2])
