"""Every claim of every entry of the registry, put to the test; and wrong entries, which must fail it."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from entropick.catalogue import discrete
from entropick.evaluation.claims import CLAIMS, BrokenClaim, check_claim
from entropick.measures.baselines.ordering import Ordering
from entropick.measures.measure import Account
from entropick.methods import REGISTRY
from reference import discrete as reference

QUICK = {
    "lsmi.rank": {"centres": 15, "sigmas": [0.6, 1.0], "lambdas": [0.01, 0.1]},
    "stumps": {"rounds": 10},
    "hsic.l1": {"restarts": 2},
}
for name in ("lsmi.forward", "lsmi.backward"):
    QUICK[name] = QUICK["lsmi.rank"]
for name in ("mlmi.rank", "mlmi.forward", "mlmi.backward"):
    QUICK[name] = {"centres": 10, "sigmas": [0.6, 1.0], "folds": 2}
QUICK["lsmi.l1"] = {**QUICK["lsmi.rank"], "restarts": 2}


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("name", REGISTRY)
def test_claim(name, claim):
    check_claim(name, claim, **QUICK.get(name, {}))


def test_every_criterion_on_counts_has_a_twin():
    """Slow and obvious, and compared with it on random tables by `measures/test_discrete.py`."""
    assert {method.name for method in discrete.METHODS} == set(reference.METHODS)


# -- wrong entries: a check that cannot fail checks nothing ---------------------------------------------------


class Correlations:
    """|correlation| with the class number: right but for what a subclass gets wrong."""

    units = ""

    def __init__(self, statistics, random=None, n_jobs=None):
        self.n_candidates = statistics.n_features
        self.scores = self.correlations(statistics.values, statistics.codes, statistics.weights)

    def correlations(self, X, y, weights):
        covariance = np.cov(np.column_stack([X, y]).T, aweights=weights)
        return np.abs(covariance[-1, :-1]) / np.sqrt(np.diag(covariance)[:-1] * covariance[-1, -1])

    def gains(self):
        return self.scores

    def add(self, candidate):
        pass

    def account(self, candidate):
        return Account(relevance=float(self.scores[candidate]))


class IgnoresWeights(Correlations):
    def correlations(self, X, y, weights):
        return super().correlations(X, y, None)


class PrefersTheLeft(Correlations):
    def correlations(self, X, y, weights):
        return super().correlations(X, y, weights) * np.linspace(2, 1, X.shape[1])


class TrustsTheFirstRow(Correlations):
    def correlations(self, X, y, weights):
        return super().correlations(X, y, weights) + np.abs(X[0] - np.average(X, axis=0, weights=weights)) / 9


class LikesLargeNumbers(Correlations):
    def correlations(self, X, y, weights):
        return super().correlations(X, y, weights) * np.abs(np.average(X, axis=0, weights=weights))


class LastAnswer(Correlations):
    """Changes with every run."""

    runs = 0

    def correlations(self, X, y, weights):
        LastAnswer.runs += 1
        return super().correlations(X, y, weights) + LastAnswer.runs


class HalfFirst(Correlations):
    """Orders all anew for each k."""

    def order(self, k, allowed):
        order = np.flatnonzero(allowed)
        return Ordering(np.roll(order, k), self.scores[np.roll(order, k)])


@pytest.fixture
def registered():
    """Registers entries for the time of a test."""
    names = []

    def add(name, measure, **facts):
        ep.register(ep.Method(name, measure, **facts))
        names.append(name)
        return name

    yield add
    for name in names:
        ep.unregister(name)


WRONG = [
    (IgnoresWeights, "weights", {}),
    (IgnoresWeights, "weights", {"weights": "importance"}),
    (PrefersTheLeft, "column order", {}),
    (TrustsTheFirstRow, "row order", {}),
    (LikesLargeNumbers, "affine", {"invariant": ("affine",)}),
    (Correlations, "monotone", {"invariant": ("monotone",)}),
    (LastAnswer, "threads", {}),
    (HalfFirst, "nested", {"searches": ("given",)}),
    (Correlations, "columns", {"columns": ("number",)}),  # takes categories, and says it does not
]


@pytest.mark.parametrize(("measure", "claim", "facts"), WRONG, ids=lambda one: getattr(one, "__name__", str(one)))
def test_a_wrong_entry_is_found_out(registered, measure, claim, facts):
    name = registered("wrong", measure, statistics="rows", tasks=("classification",), **facts)
    with pytest.raises(BrokenClaim, match=f"^{name} claims that "):
        check_claim(name, claim)


def test_a_right_entry_holds_what_it_says(registered):
    name = registered(
        "right", Correlations, statistics="rows", tasks=("classification",), searches=("ranking", "forward"),
        invariant=("affine",), columns=("number", "category", "missing"),
    )  # fmt: skip
    assert ep.check_method(name) == tuple(CLAIMS)


def test_an_entry_that_denies_what_it_can_do_is_wrong_too(registered):
    name = registered("denies", REGISTRY["jmi"].measure_class(), blocks=False)
    with pytest.raises(BrokenClaim, match="claims that rows beyond the memory are refused, but"):
        check_claim(name, "blocks")
