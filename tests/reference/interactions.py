"""Interactions, slow and obvious: every pair by a table and a textbook fit. Imports nothing of entropick."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2


def table_of(columns, classes):
    """Counts of all columns and the classes, one axis each."""
    shape = [int(c.max()) + 1 for c in columns] + [int(classes.max()) + 1]
    table = np.zeros(shape)
    np.add.at(table, (*columns, classes), 1)
    return table


def likelihood_ratio(table, rounds=20_000, tolerance=1e-13):
    """2 Σ n log(n / m), m fitted to all margins that leave out one axis (iterative proportional fitting)."""
    fit = np.ones_like(table)
    for _ in range(rounds):
        before = fit
        for axis in range(table.ndim):
            sums = fit.sum(axis=axis, keepdims=True)
            ratio = np.divide(table.sum(axis=axis, keepdims=True), sums, out=np.zeros_like(sums), where=sums > 0)
            fit = fit * ratio
        if np.abs(fit - before).max() < tolerance * table.sum():
            break
    seen = table > 0
    return 2 * float((table[seen] * np.log(table[seen] / fit[seen])).sum())


def kirkwood_ratio(table):
    """The same with Kirkwood's superposition of the pair margins in place of the fit, made to sum to 1."""
    p = table / table.sum()
    fit = np.ones_like(p)
    for axis in range(3):
        fit = fit * p.sum(axis=axis, keepdims=True)
        others = tuple(k for k in range(3) if k != axis)
        single = p.sum(axis=others, keepdims=True)
        fit = np.divide(fit, single, out=np.zeros_like(fit), where=single > 0)
    fit /= fit.sum()
    seen = p > 0
    return 2 * table.sum() * float((p[seen] * np.log(p[seen] / fit[seen])).sum())


def information(columns, classes):
    """I(columns; classes) in nats, cell by cell."""
    p = table_of(columns, classes)
    p = p.reshape(-1, p.shape[-1]) / p.sum()
    total = 0.0
    for row in p:
        for c, value in enumerate(row):
            if value > 0:
                total += value * np.log(value / (row.sum() * p[:, c].sum()))
    return total


def all_sets(X, y, order=2):
    """{columns: (statistic, degrees, p-value, synergy)} of every pair or triple of integer columns."""
    out = {}
    for chosen in combinations(range(X.shape[1]), order):
        columns = [X[:, j] for j in chosen]
        table = table_of(columns, y)
        statistic, degrees = likelihood_ratio(table), int(np.prod([size - 1 for size in table.shape]))
        synergy = 0.0
        for size in range(1, order + 1):
            for part in combinations(columns, size):
                synergy += (-1) ** (order - size) * information(part, y)
        out[chosen] = statistic, degrees, float(chi2.sf(statistic, degrees)), synergy
    return out


def check(found, truth):
    """Every set tested, and what is said of each is what `all_sets` says."""
    assert found.tests == len(found) == len(truth)
    for one in found:
        statistic, degrees, p, synergy = truth[one.columns]
        assert one.statistic == pytest.approx(statistic, rel=1e-5, abs=1e-5)
        assert one.df == degrees
        assert one.p_value == pytest.approx(p, rel=1e-4, abs=1e-12)
        assert one.synergy == pytest.approx(synergy, abs=1e-12)
