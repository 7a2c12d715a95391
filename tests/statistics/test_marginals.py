"""Marginals: class means, centred squares and products of single columns, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import entropick as ep
from entropick.coding import code_target
from entropick.errors import InvalidInput
from entropick.kernels.marginals import CHUNK, GROUP, STRIP
from entropick.sources import as_table
from entropick.statistics.marginals import COPIED, PARTS, Marginals, collect_marginals, merge_marginals


def exact(x, y, w):
    """Σ w, mean, Σ w (x − mean)², Σ w (x − mean)(y − mean) of one class and column, in fractions."""
    x, y, w = ([Fraction(float(one)) for one in values] for values in (x, y, w))
    total = sum(w)
    if not total:
        return 0.0, 0.0, 0.0, 0.0
    mean, other = (sum(a * b for a, b in zip(w, values, strict=True)) / total for values in (x, y))
    square = sum(a * (b - mean) ** 2 for a, b in zip(w, x, strict=True))
    product = sum(a * (b - mean) * (c - other) for a, b, c in zip(w, x, y, strict=True))
    return float(total), float(mean), float(square), float(product)


def check(found, X, codes, weights, target, rtol=1e-11):
    """Against `exact`; means by what rounding may do to the class's own values, seen from the origin."""
    for c in range(found.n_classes):
        of = codes == c
        for j in range(found.n_features):
            total, mean, square, product = exact(X[of, j], target[of], weights[of])
            assert found.counts[c] == pytest.approx(total, rel=1e-13)
            if not total:
                continue
            widest = max(np.abs(X[of, j]).max(), abs(found.origin[j]))  # an outlier of another class is no excuse
            assert found.origin[j] + found.shifts[c, j] == pytest.approx(mean, rel=1e-13, abs=1e-15 * widest)
            assert found.squares[c, j] == pytest.approx(square, rel=rtol)
            scale = np.sqrt(square * found.target_squares[c])
            assert found.cross[c, j] == pytest.approx(product, rel=rtol, abs=rtol * scale)


def rows(n, d, classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d) + rng.normal(size=d) * 100
    weights = rng.integers(0, 3, n) * rng.uniform(0.1, 2, n)
    return X, rng.integers(0, classes, n), weights, X[:, 0] + rng.normal(1e4, 1, n)


def same_bits(a, b):
    for name in PARTS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


@pytest.mark.parametrize("classes", [1, 2, 7, 200])
@pytest.mark.parametrize("n", [1, 2, 5, GROUP + 1, 2 * GROUP + 3])
def test_sums_are_exact_to_rounding(n, classes):
    X, codes, weights, target = rows(n, 3, classes)
    ones = np.ones(n)
    check(Marginals(3, classes).update(X, codes, None, target), X, codes, ones, target)
    check(Marginals(3, classes).update(X, codes, weights, target), X, codes, weights, target)
    plain = Marginals(3, classes).update(X, codes, weights)
    check(plain, X, codes, weights, np.zeros(n))
    assert not plain.cross.any()


def test_many_rows_by_two_passes_of_numpy():
    n, classes = 2 * CHUNK + 77, 3
    X, codes, weights, target = rows(n, 5, classes)
    found = Marginals(5, classes).update(X, codes, weights, target)
    for c in range(classes):
        x, y, w = X[codes == c], target[codes == c], weights[codes == c]
        x, y = x - np.average(x, axis=0, weights=w), y - np.average(y, weights=w)
        np.testing.assert_allclose(found.squares[c], w @ x**2, rtol=1e-11)
        np.testing.assert_allclose(found.target_squares[c], w @ y**2, rtol=1e-11)
        scale = np.sqrt((w @ x**2) * (w @ y**2))
        np.testing.assert_allclose(found.cross[c] / scale, (w * y) @ x / scale, rtol=0, atol=1e-12)


def hard(name, n=600):
    """A column that a careless sum gets wrong, its classes and weights."""
    rng = np.random.default_rng(3)
    x, codes, weights = rng.normal(size=n), np.arange(n) % 2, np.ones(n)
    if name == "narrow":
        x = 1e6 + 1e-3 * x
    elif name == "apart":
        x += 1e7 * codes
    elif name == "drifting":
        x += 1e5 * np.arange(n)
    elif name == "outlier first":
        x[0] = 1e9
    elif name == "light outlier":
        x[0], weights[0] = 1e9, 1e-12
    elif name == "outliers lead groups":
        x[:: 2 * GROUP] = 1e8
    return x[:, None], codes, weights


@pytest.mark.parametrize(
    "name", ["narrow", "apart", "drifting", "outlier first", "light outlier", "outliers lead groups"]
)
def test_columns_that_careless_sums_get_wrong(name):
    X, codes, weights = hard(name)
    check(Marginals(1, 2).update(X, codes, weights, X[:, 0]), X, codes, weights, X[:, 0], rtol=2e-11)


def test_constant_columns_have_no_squares():
    X = np.full((1000, 3), [0.1, 1e6 + 1 / 3, -7e-9])
    found = Marginals(3, 2).update(X, np.arange(1000) % 2, np.random.default_rng(0).uniform(0.1, 3, 1000))
    assert not found.squares.any()
    assert not found.shifts.any()


@pytest.mark.parametrize("d", [1, 15, 17, COPIED + 1, STRIP + 31])
def test_threads_and_layouts_give_the_same_bits(d):
    n = CHUNK + 300 if d < 100 else 300
    X, codes, weights, target = rows(n, d, 3)
    found = Marginals(d, 3).update(X, codes, weights, target)
    wide = np.zeros((n, 2 * d + 1))
    wide[:, 3 : 3 + d] = X if d > 3 else 0
    read_only = X.copy()
    read_only.flags.writeable = False
    same = [X, np.asfortranarray(X), X[::-1].copy()[::-1], read_only, np.repeat(X, 2, axis=1)[:, ::2]]
    same += [wide[:, 3 : 3 + d]] if d > 3 else []
    for block in same:
        for n_jobs in (1, 2, 3):
            same_bits(found, Marginals(d, 3).update(block, codes, weights, target, n_jobs))


@pytest.mark.parametrize("dtype", ["f4", "f2", "i1", "u2", "i8", "?", ">f8"])
def test_any_real_dtype_is_added_in_double_precision(dtype):
    X, codes, weights, target = rows(500, 4, 3)
    X = (X / np.abs(X).max(axis=0) * 100).astype(dtype)
    same_bits(
        Marginals(4, 3).update(X, codes, weights, target),
        Marginals(4, 3).update(X.astype(np.float64), codes, weights, target),
    )


@pytest.mark.parametrize("cuts", [(1,), (300,), (7, 8, 9), (CHUNK, CHUNK + 1)])
def test_splits_and_merges_agree(cuts):
    X, codes, weights, target = rows(CHUNK + 500, 4, 3)
    whole = Marginals(4, 3).update(X, codes, weights, target)
    one_by_one = Marginals(4, 3)
    merged = Marginals(4, 3)
    for part in np.split(np.arange(len(X)), cuts):
        one_by_one.update(X[part], codes[part], weights[part], target[part])
        merged = merge_marginals(Marginals(4, 3).update(X[part], codes[part], weights[part], target[part]), merged)
    for other in (one_by_one, merged):
        np.testing.assert_allclose(other.counts, whole.counts, rtol=1e-13)
        np.testing.assert_allclose(other.origin + other.shifts, whole.origin + whole.shifts, rtol=1e-12)
        np.testing.assert_allclose(other.squares, whole.squares, rtol=1e-11)
        scale = np.sqrt(whole.squares * whole.target_squares[:, None])
        np.testing.assert_allclose(other.cross / scale, whole.cross / scale, rtol=0, atol=1e-12)


def test_rows_of_no_weight_are_not_looked_at():
    X, codes, weights, target = rows(400, 3, 2)
    X[weights == 0] = np.nan
    codes[weights == 0] = 0
    kept = weights > 0
    found = Marginals(3, 2).update(X, codes, weights, target)
    check(found, X[kept], codes[kept], weights[kept], target[kept])
    nothing = Marginals(3, 2).update(X, codes, np.zeros(400), target)
    assert nothing.total == 0
    same_bits(nothing.update(X[kept], codes[kept], weights[kept], target[kept]),
              Marginals(3, 2).update(X[kept], codes[kept], weights[kept], target[kept]))  # fmt: skip
    same_bits(found, found.update(X[:0], codes[:0]))


@pytest.mark.parametrize("order", ["C", "F"])
def test_missing_stays_in_its_column(order):
    X, codes, _, _ = rows(900, 40, 2)
    clean = Marginals(40, 2).update(X, codes)
    X[700, 33] = np.nan
    found = Marginals(40, 2).update(np.asarray(X, order=order), codes)
    odd = np.isnan(found.shifts).any(axis=0)
    assert np.flatnonzero(odd).tolist() == [33]
    np.testing.assert_array_equal(found.squares[:, ~odd], clean.squares[:, ~odd])
    found.update(clean.origin[None], codes[:1])  # NaN of before is no overflow of now
    with pytest.raises(InvalidInput, match="contains NaN in column 'x33'"):
        collect_marginals(as_table(X), code_target(codes, "classification"))


@pytest.mark.parametrize("at", [0, 5])
def test_overflow_follows_numpys_settings(at):
    X, codes, _, _ = rows(900, 40, 2)
    X[at, 21] = 1e200
    with np.errstate(over="ignore"):
        found = Marginals(40, 2).update(X, codes, n_jobs=2)
    assert np.isinf(found.squares[:, 21]).all()
    assert np.isfinite(np.delete(found.squares, 21, axis=1)).all()
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        Marginals(40, 2).update(X, codes, n_jobs=2)
    with pytest.raises(InvalidInput, match="'x21' has numbers up to 1e\\+200"):
        ep.select(X, codes, method="anova", k=2)


def test_a_target_too_large_to_square_overflows_too():
    X, codes, _, target = rows(300, 4, 2)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        Marginals(4, 2).update(X, codes, None, 1e200 * target)


@pytest.mark.parametrize("method", ["anova", "pearson", "ttest", "fisher"])
def test_n_jobs_changes_nothing(method):
    X, codes, _, _ = rows(700, 90, 3)
    one, two = (ep.select(X, codes, method=method, k=None, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert one.to_json() == two.to_json()
