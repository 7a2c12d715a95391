"""A Comparison that was altered in its file is refused, when it is read or when a page is made of it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import entropick as ep


@pytest.fixture(scope="module")
def written():
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    return ep.compare(X, y, ["mim", "random"], k=[1, 2], cv=3, repeats=1, estimators="nearest mean").to_json()


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (("path", "redundancy"), [7]),
        (("version",), {"a": 1}),
        (("n_samples",), {}),
        (("methods",), 3),
        (("ks",), ["x"]),
    ],
    ids=str,
)
def test_altered(written, tmp_path, where, what):
    fields = json.loads(written)
    inner = fields
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = what
    with pytest.raises(ep.EntropickError):
        ep.Comparison.from_json(json.dumps(fields)).report(tmp_path / "a.html")
    assert list(tmp_path.iterdir()) == []
