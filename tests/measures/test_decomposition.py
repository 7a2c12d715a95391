"""Unique, redundant, synergistic: the classical examples, whose parts are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.measures.decomposition import decompose

BIT = np.log(2)


def table(target, n_classes):
    """Two fair bits and a class that follows from them."""
    out = np.zeros((2, 2, n_classes))
    for a in range(2):
        for b in range(2):
            out[a, b, target(a, b)] = 0.25
    return out


def copy():
    out = np.zeros((2, 2, 2))
    out[0, 0, 0] = out[1, 1, 1] = 0.5
    return out


AND = 1.5 - 0.75 * np.log2(3)  # I(A; A and B), all of it redundant


@pytest.mark.parametrize(
    ("counts", "redundant", "unique", "synergistic"),
    [
        (table(lambda a, b: a ^ b, 2), 0, (0, 0), 1),
        (table(lambda a, b: 2 * a + b, 4), 0, (1, 1), 0),
        (copy(), 1, (0, 0), 0),
        (table(lambda a, b: a & b, 2), AND, (0, 0), 0.5),
        (table(lambda a, b: a + b, 3), 0.5, (0, 0), 1),
        (table(lambda a, b: a, 2), 0, (1, 0), 0),
    ],
    ids=["xor", "unq", "rdn", "and", "sum", "first"],
)
def test_classical_examples(counts, redundant, unique, synergistic):
    parts = decompose(counts)
    assert parts.redundant / BIT == pytest.approx(redundant, abs=2e-3)
    assert np.array(parts.unique) / BIT == pytest.approx(unique, abs=2e-3)
    assert parts.synergistic / BIT == pytest.approx(synergistic, abs=2e-3)


def test_parts_add_up_to_what_both_say():
    random = np.random.default_rng(0)
    for _ in range(5):
        p = random.dirichlet(np.ones(18)).reshape(3, 3, 2)
        parts = decompose(p)
        flat = p.reshape(9, 2)
        joint = (flat * np.log(flat / (flat.sum(1, keepdims=True) * flat.sum(0)))).sum()
        assert parts.redundant + sum(parts.unique) + parts.synergistic == pytest.approx(joint, abs=1e-6)
        assert min(parts.redundant, *parts.unique, parts.synergistic) >= 0
