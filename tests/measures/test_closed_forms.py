"""Information whose value is known without estimating anything."""

from __future__ import annotations

import math
import statistics
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropick as ep
from reference import discrete as reference

CODED = {"discretizer": None}
LOG2 = math.log(2)
close = pytest.approx


def rows(table):
    """Rows that realise a table of counts {(values…): count}."""
    return np.array([key for key, count in table.items() for _ in range(count)])


def h2(p):
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


def relevance(X, y):
    return ep.mutual_information(np.reshape(X, (len(y), -1)), y, **CODED)


# -- one variable -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("levels", [2, 3, 7, 16, 40, 300])
def test_uniform_entropy(levels):
    X = np.repeat(np.arange(levels), 4).reshape(-1, 1)
    assert ep.mutual_information_matrix(X, **CODED)[0, 0] == close(math.log(levels), abs=1e-12)


def test_bernoulli_entropy():
    X = np.repeat([0, 1], [30, 70]).reshape(-1, 1)
    assert ep.mutual_information_matrix(X, **CODED)[0, 0] == close(h2(0.3), abs=1e-12)


def test_constant_has_no_entropy():
    X = np.column_stack([np.zeros(20, int), np.arange(20) % 2])
    matrix = ep.mutual_information_matrix(X, **CODED)
    assert matrix[0].tolist() == [0, 0]
    assert matrix[1, 1] == close(LOG2, abs=1e-12)


def test_dyadic_entropy():
    """Probabilities ½ ¼ ⅛ ⅛: 1.75 bits."""
    X = np.repeat([0, 1, 2, 3], [32, 16, 8, 8]).reshape(-1, 1)
    assert ep.mutual_information_matrix(X, **CODED)[0, 0] == close(1.75 * LOG2, abs=1e-12)


# -- two variables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [(2, 2), (2, 5), (3, 4), (10, 10), (33, 7), (257, 3)])
def test_grid_is_independent(a, b):
    X = np.array(list(product(range(a), range(b))))
    assert relevance(X[:, 0], X[:, 1]) == close(0, abs=1e-12)
    assert ep.mutual_information_matrix(X, **CODED)[0, 1] == close(0, abs=1e-12)


def test_unbalanced_grid_is_independent():
    """p(a, b) = p(a) p(b) with unequal margins."""
    X = rows({(a, b): (a + 1) * (2 * b + 1) for a in range(3) for b in range(4)})
    assert relevance(X[:, 0], X[:, 1]) == close(0, abs=1e-12)


@pytest.mark.parametrize("levels", [2, 5, 20])
def test_copy_says_everything(levels):
    y = np.arange(levels * 6) % levels
    assert relevance(y, y) == close(math.log(levels), abs=1e-12)
    assert relevance(levels - 1 - y, y) == close(math.log(levels), abs=1e-12)


@pytest.mark.parametrize("flips", [0, 1, 10, 25, 50])
def test_binary_symmetric_channel(flips):
    """I = log 2 − H₂(ε) for a fair bit that is flipped with probability ε."""
    X = rows({(0, 0): 100 - flips, (0, 1): flips, (1, 0): flips, (1, 1): 100 - flips})
    expected = LOG2 - (h2(flips / 100) if flips else 0)
    assert relevance(X[:, 0], X[:, 1]) == close(expected, abs=1e-12)


@pytest.mark.parametrize("erased", [0, 20, 50, 100])
def test_erasure_channel(erased):
    """I = (1 − ε) log 2; the erased symbol as NaN is a level of its own."""
    kept = 100 - erased
    X = rows({(0, 0): kept, (np.nan, 0): erased, (1, 1): kept, (np.nan, 1): erased})
    assert relevance(X[:, 0], X[:, 1].astype(int)) == close(kept / 100 * LOG2, abs=1e-12)


def test_z_channel():
    """A fair bit, its 1 lost half the time: I = H₂(¼) − ½ log 2."""
    X = rows({(0, 0): 2, (1, 0): 1, (1, 1): 1})
    assert relevance(X[:, 1], X[:, 0]) == close(h2(0.25) - LOG2 / 2, abs=1e-12)


# -- three variables --------------------------------------------------------------------------------------


def xor():
    X = np.array(list(product([0, 1], repeat=2)) * 5)
    return X, X[:, 0] ^ X[:, 1]


def test_xor():
    """I(X1;Y) = 0, I(X1;Y|X2) = I(X1;X2|Y) = log 2."""
    X, y = xor()
    assert ep.mutual_information(X, y, **CODED) == close(0, abs=1e-12)
    assert ep.mutual_information_matrix(X, **CODED)[0, 1] == close(0, abs=1e-12)
    conditional = ep.conditional_mutual_information_matrix(X, y, **CODED)
    assert conditional == close(np.full((2, 2), LOG2), abs=1e-12)
    # roles changed: the second bit is the class, the parity a feature
    turned = ep.conditional_mutual_information_matrix(np.column_stack([X[:, 0], y]), X[:, 1], **CODED)
    assert turned[0, 1] == close(LOG2, abs=1e-12)


@pytest.mark.parametrize("method", ["jmi", "cife", "cmi", "linear"])
def test_xor_is_seen_by_methods_that_see_interaction(method):
    """The copy of the first bit adds nothing, the second bit everything."""
    X, y = xor()
    found = ep.select(np.column_stack([X[:, 0], X]), y, method=method, k=2, **CODED)
    assert found.indices.tolist() == [0, 2]
    assert found.scores == close([0, LOG2], abs=1e-12)


@pytest.mark.parametrize(("method", "second"), [("cmim", 0), ("icap", 0), ("mrmr", 0), ("mim", 0), ("miq", 0)])
def test_xor_is_not_credited_by_capped_methods(method, second):
    """CMIM is capped at I(X;Y) = 0 as in Fleuret's algorithm; the others never add."""
    X, y = xor()
    assert ep.select(X, y, method=method, k=2, **CODED).scores == close([0, second], abs=1e-12)


def test_xor_scores_of_joint_methods():
    """JMIM: I(X1X2;Y) = log 2; DISR: log 2 / H(X1X2Y) = ½."""
    X, y = xor()
    assert ep.select(X, y, method="jmim", k=2, **CODED).scores == close([0, LOG2], abs=1e-12)
    assert ep.select(X, y, method="disr", k=2, **CODED).scores == close([0, 0.5], abs=1e-12)


def test_smoking_and_coughing():
    """Vinh et al. 2014, example 1: S → C → G, in bits."""
    joint = {}
    for s in range(4):
        c = int(s >= 2)
        joint[s, 0, c] = 19 if c == 0 else 1  # P(G ≠ C) = 5 %
        joint[s, 1, c] = 1 if c == 0 else 19
    table = rows(joint)
    X, y = table[:, :2], table[:, 2]
    bits = 1 / LOG2
    assert ep.mutual_information(X, y, **CODED) * bits == close([1, 0.7136], abs=5e-5)
    redundancy = ep.mutual_information_matrix(X, **CODED) * bits
    assert redundancy == close(np.array([[2, 0.7136], [0.7136, 1]]), abs=5e-5)
    conditional = ep.conditional_mutual_information_matrix(X, y, **CODED) * bits
    assert conditional == close(np.array([[1, 0], [0, 1 - 0.7136]]), abs=5e-5)
    # I(S;C|G) = 0.2864 bit and I(G;C|S) = 0, which CMIM asks for
    assert ep.select(X, y, method="cmim", k=2, **CODED).scores * bits == close([1, 0], abs=5e-5)
    first_g = ep.select(X, y, method="cmi", k=2, include=["x1"], **CODED)
    assert first_g.scores * bits == close([0.7136, 0.2864], abs=5e-5)


def test_common_cause():
    """Two noisy copies of a fair y, independent given y: I(X1;X2|Y) = 0, JMI = I(X2;Y) − I(X1;X2)."""
    flips = {0: 3, 1: 1}
    table = rows({(a, b, y): flips[a ^ y] * flips[b ^ y] for a in (0, 1) for b in (0, 1) for y in (0, 1)})
    X, y = table[:, :2], table[:, 2]
    assert ep.conditional_mutual_information_matrix(X, y, **CODED)[0, 1] == close(0, abs=1e-12)
    single, between = LOG2 - h2(0.25), LOG2 - h2(2 * 0.25 * 0.75)
    assert ep.mutual_information_matrix(X, **CODED)[0, 1] == close(between, abs=1e-12)
    for method in ("jmi", "mrmr", "cife", "mifs", "icap", "cmim"):
        scores = ep.select(X, y, method=method, k=2, **CODED).scores
        assert scores == close([single, single - between], abs=1e-12)


def test_miller_madow_of_a_copy():
    """H = log 2 + ½n for a fair bit, so I(X;Y) = H + H − H = the same."""
    y = np.tile([0, 1], 10)
    found = ep.select(y.reshape(-1, 1), y, method="mim", k=1, estimator="miller-madow", **CODED)
    assert found.scores == close([LOG2 + 1 / 40], abs=1e-12)


def test_miller_madow_does_not_go_below_zero():
    """An independent grid: the correction is negative, the estimate 0."""
    X = np.array(list(product(range(3), range(4))))
    found = ep.select(X[:, :1], X[:, 1], method="mim", k=1, estimator="miller-madow", **CODED)
    assert found.scores.tolist() == [0]


# -- laws -------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(8, 120), a=st.integers(1, 20), b=st.integers(1, 20))
def test_laws(seed, n, a, b):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, a, n), rng.integers(0, b, n)])
    y = rng.integers(0, 3, n)
    y[:3] = 0, 1, 0
    pair = (X[:, 0] * b + X[:, 1]).reshape(-1, 1)
    coarse = X[:, :1] // 2
    alone = ep.mutual_information(X, y, **CODED)
    matrix = ep.mutual_information_matrix(X, **CODED)
    conditional = ep.conditional_mutual_information_matrix(X, y, **CODED)
    together = ep.mutual_information(pair, y, **CODED)[0]
    assert (matrix >= 0).all()
    assert (conditional >= 0).all()
    assert (alone >= 0).all()
    assert (matrix == matrix.T).all()
    assert (conditional == conditional.T).all()
    # chain rule: I(X1X2;Y) = I(X1;Y) + I(X2;Y) − I(X1;X2) + I(X1;X2|Y)
    assert together == close(alone.sum() - matrix[0, 1] + conditional[0, 1], abs=1e-10)
    # data processing: a function of X1 knows no more than X1, X1 no more than the pair
    assert ep.mutual_information(coarse, y, **CODED)[0] <= alone[0] + 1e-12
    assert max(alone) <= together + 1e-12
    # bounds: I(A;B) ≤ min(H(A), H(B)); H(X|Y) = H(X) − I(X;Y)
    assert matrix[0, 1] <= min(matrix[0, 0], matrix[1, 1]) + 1e-12
    assert np.diag(conditional) == close(np.diag(matrix) - alone, abs=1e-10)
    swapped = ep.mutual_information(y.reshape(-1, 1), X[:, 0], **CODED) if 1 < len(set(X[:, 0])) < n else alone[:1]
    assert swapped[0] == close(alone[0], abs=1e-12)


def test_reference_agrees_with_closed_forms():
    """The judge is judged too."""
    X, y = (part.tolist() for part in xor())
    terms = reference.Terms(X, y)
    assert terms.relevance(0) == 0
    assert terms.left(0, 1) == close(LOG2)
    assert terms.conditional(0, 1) == close(LOG2)
    assert terms.together(0, 1) == close(LOG2)
    assert terms.ratio(0, 1) == close(0.5)
    assert reference.entropy([0, 1], estimator="miller-madow") == close(LOG2 + 0.25)
    assert reference.information([0, 0, 1, 1], [0, 1, 0, 1]) == 0
    square, mean, *_ = reference.square_test([0, 0, 1, 1] * 5, [0, 0, 1, 1] * 5)
    assert (square, mean) == (close(20), close(20 / 19))


@pytest.mark.parametrize("case", [("aab", "xyy"), ("aabb", "xyyy"), ("aabbc", "xxyyz"), ("aaabbc", "xyyzzz")])
def test_mean_and_variance_of_the_square_are_those_of_all_orders(case):
    """Of the reference, which has formulas, over all permutations of the classes."""
    a, y = case
    asked = [reference.square_test(list(a), list(order)) for order in permutations(y)]
    squares = [square for square, *_ in asked]
    assert statistics.fmean(squares) == close(asked[0][1])
    assert statistics.pvariance(squares) == close(asked[0][2])
