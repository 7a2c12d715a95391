"""Pruned search: the choices of forward search, fewer candidates looked at."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.measures.gaussian.compromise import GCMI, Wilks
from entropick.search.forward import forward
from entropick.search.pruned import pruned
from entropick.search.task import Task
from entropick.statistics.moments.centred_rows import CentredRows
from entropick.statistics.moments.moments import Moments


def independent(seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 2000)
    X = rng.standard_normal((2000, 120))
    X[:, :12] += 0.3 * rng.standard_normal((3, 12))[y]
    X[:, 12:20] *= np.where(y == 0, 1.4, 1.0)[:, None]
    return X, y


def correlated(seed=1):
    X, y = independent(seed)
    X[:, 20:60] += 0.7 * X[:, :40]
    X[:, 60], X[:, 61], X[:, 62] = X[:, 0], 3.0, X[:, 1] - X[:, 2]
    return X, y


def separated(seed=2):
    X, y = independent(seed)
    X[:, 30:36] += 4 * np.random.default_rng(seed).standard_normal((3, 6))[y]
    return X, y


@pytest.mark.parametrize("rows", [independent, correlated, separated])
@pytest.mark.parametrize(
    ("kind", "options"), [(GCMI, {}), (Wilks, {}), (GCMI, {"pooling": 0.5}), (GCMI, {"shrinkage": 0.1})]
)
def test_same_choices_as_forward(rows, kind, options):
    X, y = rows()
    statistics = Moments(120, 3).update(X, y)
    allowed = np.ones(120, bool)
    allowed[[5, 31]] = False
    a = forward(kind(statistics, **options), Task(15, allowed, (9,)))
    b = pruned(kind(statistics, **options), Task(15, allowed, (9,)))
    assert [c.candidate for c in a.choices] == [c.candidate for c in b.choices]
    np.testing.assert_allclose([c.score for c in a.choices], [c.score for c in b.choices], atol=1e-10)
    for one, two in zip(a.choices, b.choices, strict=True):
        assert two.account.extra.keys() == one.account.extra.keys()
        assert two.runner_up_score is None or two.runner_up_score == pytest.approx(one.runner_up_score, abs=1e-9)
    assert 0 <= b.details["candidates_skipped"] < 1
    if rows is independent:
        assert b.details["candidates_skipped"] > 0.3


@pytest.mark.filterwarnings("ignore::entropick.errors.EntropickWarning")
def test_complete_ranking_and_rows_on_demand():
    X, y = correlated()
    X = X[:, :70]
    statistics = CentredRows(70, 3).update(X[:400], y[:400])
    allowed = np.ones(70, bool)
    a = forward(GCMI(statistics, shrinkage=None, pooling=0.9), Task(60, allowed))
    b = pruned(GCMI(statistics, shrinkage=None, pooling=0.9), Task(60, allowed))
    assert [c.candidate for c in a.choices] == [c.candidate for c in b.choices]


def test_evidence_looks_at_everyone():
    class Never:
        rule = "enough"

        def significant(self, allowed):
            return np.zeros(len(allowed), bool)

    X, y = independent()
    outcome = pruned(GCMI(Moments(120, 3).update(X, y)), Task(5, np.ones(120, bool), (), Never()))
    assert outcome.choices == []
    assert outcome.details["candidates_skipped"] == 0.0
