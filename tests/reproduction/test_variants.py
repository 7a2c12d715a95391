"""Variants: a method of the registry with other defaults, by the public door."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from reproduction.variants import serves, variant


def rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = rng.standard_normal((200, 12))
    X[:, :3] += 3.0 * y[:, None]
    return X, y


def test_a_variant_is_its_base_with_the_option():
    X, y = rows()
    name = variant("gc.mi:2014", "gc.mi", fill="random")
    ours = ep.select(X, y, method=name, k=8, random_state=3)
    base = ep.select(X, y, method="gc.mi", k=8, random_state=3, fill="random")
    assert ours.indices.tolist() == base.indices.tolist()
    assert ours.indices.tolist() != ep.select(X, y, method="gc.mi", k=8, random_state=3).indices.tolist()
    assert variant("gc.mi:2014", "gc.mi", fill="random") == name


def test_a_variant_keeps_what_its_base_claims():
    name = variant("lsmi.l1:2013", "lsmi.l1", improve=False)
    facts = ["tasks", "weights", "blocks", "nested", "columns"]
    listed = ep.methods()
    assert listed.loc[name, facts].tolist() == listed.loc["lsmi.l1", facts].tolist()
    assert "improve=False" in listed.at[name, "summary"]


def test_an_option_that_the_base_lacks_is_refused():
    with pytest.raises(ep.InvalidParameter, match="no such option"):
        variant("jmi:2013", "jmi", improve=False)
    assert "jmi:2013" not in ep.methods().index


def test_serves():
    assert serves("gc.mi", "regression")
    assert not serves("gc.e", "regression")
