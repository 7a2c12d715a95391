"""All pairs of levels: equal to brute force, the bounds never below, the same on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import entropick as ep
from reference import interactions as plain


def table(seed, n, levels, classes):
    """Columns of these numbers of levels, every level in use, with some effects and one interaction."""
    random = np.random.default_rng(seed)
    X = np.stack([random.permutation(np.arange(n) % k if seed % 2 else np.arange(n) ** 2 % k) for k in levels], 1)
    X = np.stack([np.unique(x, return_inverse=True)[1] for x in X.T], 1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + (random.random(n) < 0.4) * random.integers(0, classes, n)) % classes
    return X, y


@pytest.mark.parametrize(
    ("seed", "n", "levels", "classes"),
    [
        (1, 300, [3] * 9, 2),
        (2, 130, [2, 3, 3, 2, 4, 2, 3], 2),
        (3, 900, [2, 5, 4, 3, 7, 2], 3),
        (4, 64, [2, 2, 2, 3, 2], 2),
        (5, 1600, [2, 3, 4, 6, 8], 4),
        (7, 65, [3, 3, 2, 2], 2),
    ],
)
def test_every_pair_is_what_brute_force_counts(seed, n, levels, classes):
    X, y = table(seed, n, levels, classes)
    truth = plain.all_sets(X, y)
    found = ep.interactions(X, y, top=1000)
    plain.check(found, truth)
    for pair in found:
        alone = tuple(plain.information([X[:, j]], y) for j in pair.columns)
        assert pair.main_effects == pytest.approx(alone, abs=1e-12)
    assert [pair.log_p_value for pair in found] == sorted(pair.log_p_value for pair in found)


def test_few_kept_are_the_first_of_all():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 3, (400, 120)), random.integers(0, 2, 400)
    every = ep.interactions(X, y, top=10_000)
    assert every.tests == len(every) == 120 * 119 // 2
    for top in (1, 7, 300):
        few = ep.interactions(X, y, top=top)
        assert [pair.columns for pair in few] == [pair.columns for pair in every.pairs[:top]]
        assert [pair.statistic for pair in few] == [pair.statistic for pair in every.pairs[:top]]


def test_threads_and_the_order_of_rows_change_nothing():
    random = np.random.default_rng(1)
    X, y = random.integers(0, 4, (777, 150)), random.integers(0, 3, 777)
    one, two = (ep.interactions(X, y, top=50, n_jobs=jobs) for jobs in (1, 2))
    assert one == two
    shuffled = random.permutation(777)
    again = ep.interactions(X[shuffled], y[shuffled], top=50)
    assert [(p.columns, p.statistic) for p in again] == [(p.columns, p.statistic) for p in one]


@pytest.mark.parametrize("seed", range(8))
def test_the_bounds_are_never_below_the_statistic(seed):
    from entropick.kernels.pair_tables import bound_tile, count_tile, fit_highest, kirkwood
    from entropick.pairs.level_scan import pack_levels

    random = np.random.default_rng(seed)
    n, levels, classes = int(random.integers(40, 800)), int(random.integers(2, 6)), int(random.integers(2, 5))
    X = np.minimum(random.geometric(0.3 + 0.5 * random.random(30), (n, 30)) - 1, levels - 1)
    X[:levels] = np.arange(levels)[:, None]
    y = np.where(random.random(n) < 0.5, X[:, 0] * X[:, 1] % classes, random.integers(0, classes, n))
    y[:classes] = np.arange(classes)
    codes = np.ascontiguousarray(X.T.astype(np.uint8))
    packed = pack_levels(codes, np.full(30, levels), np.arange(30), y.astype(np.int32))
    group, sizes = packed.groups[0], packed.class_sizes
    planes, margins, own_share, own_inverse = group.own
    counts, scratch = np.empty((classes, levels**2, 30), np.int32), np.empty((5, 30), np.float32)
    shape, fit = np.array([levels, levels, classes]), np.empty(levels**2 * classes)
    relative = np.asarray(n / sizes, np.float32)
    for i in range(30):
        mine = margins[i]
        count_tile(planes[i], mine, group.planes, group.margins, packed.word_start, 0, 30, counts)
        bound_tile(counts, own_share[i], own_inverse[i], *group.shares, relative, 0, 30, scratch)
        for j in range(30):
            truth = plain.table_of([X[:, i], X[:, j]], y)
            assert np.array_equal(counts[:, :, j].reshape(classes, levels, levels).transpose(1, 2, 0), truth)
            if i == j:
                continue
            exact = plain.likelihood_ratio(truth)
            near = kirkwood(counts, j, levels, levels, mine, group.margins, j, sizes, float(n))
            far = 2 * n * np.log(float(scratch[0, j]) * float(scratch[1, j]) / n**2)
            fitted = fit_highest(truth.reshape(-1), fit, shape, 1e-8 * n, 10_000, 0.0)
            assert fitted == pytest.approx(exact, rel=1e-5, abs=1e-5)
            assert near == pytest.approx(plain.kirkwood_ratio(truth), rel=1e-9, abs=1e-8)
            assert near >= exact - 1e-6
            assert far >= near - 1e-3 - 1e-4 * near


def test_what_pairs_cannot_be():
    random = np.random.default_rng(2)
    X = random.integers(0, 3, (100, 5))
    X[:, 2] = 1  # constant: in no pair
    found = ep.interactions(X, random.integers(0, 2, 100))
    assert found.tests == 6
    assert all(2 not in pair.columns for pair in found)
