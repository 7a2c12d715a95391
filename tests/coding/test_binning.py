"""Where columns are cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropick.coding.binning import between, check_weights, kmeans_edges, quantile_edges, uniform_edges
from entropick.coding.supervised import Supervisor
from entropick.errors import InvalidInput
from reference import binning as reference
from reference import mdl as reference_mdl

few = st.integers(-4, 4).map(float)
columns = st.lists(st.one_of(few, st.floats(-1e6, 1e6)), min_size=1, max_size=60)


@given(columns, st.integers(2, 9))
def test_equal_frequency_edges_are_those_of_the_definition(values, bins):
    assert quantile_edges(np.array(values), bins).tolist() == reference.quantile_edges(values, bins)


@given(st.lists(st.tuples(few, st.integers(0, 5)), min_size=1, max_size=40), st.integers(2, 9))
def test_a_weight_is_a_number_of_rows_for_every_rule(rows, bins):
    values, weights = np.array([v for v, _ in rows]), np.array([float(w) for _, w in rows])
    if not weights.any():
        weights[0] = 1.0
    repeated = np.repeat(values, weights.astype(int))
    for rule in (quantile_edges, uniform_edges, kmeans_edges):
        assert rule(values, bins, weights).tolist() == rule(repeated, bins).tolist()
    assert quantile_edges(values, bins, weights).tolist() == reference.quantile_edges(values, bins, weights)


def test_equal_frequency_by_hand():
    assert quantile_edges(np.arange(10.0), 5).tolist() == [1, 3, 5, 7]
    assert quantile_edges(np.array([3.0, 1.0, 2.0]), 5).tolist() == [1, 2]
    # 0 is three quarters of the rows: four edges fall on it and one remains
    assert quantile_edges(np.array([0.0] * 15 + [1.0, 2.0, 3.0, 4.0, 5.0]), 5).tolist() == [0, 1]


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9, 0.99])
def test_two_values_are_always_two_levels(share):
    values = (np.arange(100) < 100 * share).astype(float)
    assert len(quantile_edges(values, 5)) == 1


def test_fractional_weights():
    assert quantile_edges(np.array([1.0, 2.0, 3.0]), 2, np.array([0.5, 0.25, 0.25])).tolist() == [1]


def test_equal_width_by_hand():
    assert uniform_edges(np.array([0.0, 10.0]), 5).tolist() == [2, 4, 6, 8]
    assert uniform_edges(np.array([3.0, 3.0]), 5).size == 0
    huge = np.array([-1.7e308, 1.7e308])
    assert np.isfinite(uniform_edges(huge, 5)).all()
    assert uniform_edges(huge, 5).size == 4


def spread(values, codes):
    return sum(((values[codes == c] - values[codes == c].mean()) ** 2).sum() for c in np.unique(codes))


def test_kmeans_finds_the_clusters():
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(m, 0.3, 40) for m in (0, 5, 10, 20, 40)])
    edges = kmeans_edges(values, 5)
    assert np.searchsorted(edges, values).tolist() == np.repeat(np.arange(5), 40).tolist()
    values = rng.lognormal(size=300)
    found = np.searchsorted(kmeans_edges(values, 5), values)
    theirs = KMeans(5, n_init=20, random_state=0).fit_predict(values[:, None])
    assert len(np.unique(found)) == 5
    assert spread(values, found) < 1.3 * spread(values, theirs)


def test_kmeans_is_at_rest():
    """Every value is nearest to the mean of its own cluster."""
    values = np.random.default_rng(1).normal(size=400)
    codes = np.searchsorted(kmeans_edges(values, 5), values)
    means = np.array([values[codes == c].mean() for c in range(5)])
    assert (np.abs(values[:, None] - means).argmin(axis=1) == codes).all()


def test_kmeans_with_fewer_values_than_bins_keeps_each():
    assert kmeans_edges(np.array([1.0, 1.0, 4.0]), 5).tolist() == [2.5]


def test_an_edge_never_reaches_the_upper_neighbour():
    low = 1.0
    high = np.nextafter(low, 2)
    edge = between(np.array([low, high]), np.array([1]))
    assert low <= edge[0] < high
    assert between(np.array([1.7e308, 1.79e308]), np.array([1]))[0] < 1.79e308


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0], "one weight per row"),
        ([1.0, -1.0], "not negative, got -1 in row 1"),
        ([0.0, 0.0], "must not all be zero"),
        ([1.0, np.nan], "finite and not negative, got nan in row 1"),
        (["a", "b"], "must be numbers"),
    ],
)
def test_bad_weights(weights, words):
    with pytest.raises(InvalidInput, match=words):
        check_weights(np.array(weights), 2)


# -- MDL -----------------------------------------------------------------------------------------------


def mdl(values, labels, n_classes, weights=None):
    values = np.array(values, dtype=float)
    weights = None if weights is None else np.array(weights, dtype=float)
    return Supervisor(np.array(labels), n_classes, weights).edges(values).tolist()


def test_mdl_by_hand():
    assert mdl(range(20), [0] * 10 + [1] * 10, 2) == [9.5]
    assert mdl(range(20), [0, 1] * 10, 2) == []
    assert mdl(range(150), [0] * 50 + [1] * 50 + [0] * 50, 2) == [49.5, 99.5]
    assert mdl([1.0] * 20, [0, 1] * 10, 2) == []
    assert mdl([1.0], [0], 2) == []
    assert mdl([1.0, 2.0], [0, 1], 2) == [1.5]  # 2 × 1 bit gained, log2(1) + log2(7) − 2 bits to pay
    assert mdl([1.0, 2.0, 3.0], [0, 1, 0], 2) == []  # 0.75 bits gained, 1 + log2(7) − 0.84 bits to pay


@given(st.data())
def test_mdl_is_the_reference_partition(data):
    n_classes = data.draw(st.integers(2, 5))
    rows = data.draw(
        st.lists(
            st.tuples(st.integers(0, 25), st.integers(0, n_classes - 1), st.integers(1, 3)),
            min_size=1,
            max_size=60,
        )
    )
    # labels follow the values, so that there are cuts to find
    rows = [(v, (v // 7) % n_classes if v % 5 else label, w) for v, label, w in rows]
    values, labels, weights = zip(*rows, strict=True)
    plain = mdl(values, labels, n_classes)
    assert plain == reference_mdl.cuts(values, labels)
    weighted = mdl(values, labels, n_classes, weights)
    assert weighted == reference_mdl.cuts(values, labels, weights)
    assert weighted == mdl(np.repeat(values, weights), np.repeat(labels, weights), n_classes)
    halves = [w / 2 for w in weights]
    assert mdl(values, labels, n_classes, halves) == reference_mdl.cuts(values, labels, halves)


def test_mdl_with_thousands_of_classes():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3000, 6000)
    values = rng.normal(size=6000)
    assert mdl(values, labels, 3000) == []
    # 700 classes, each in two far apart places: 3^700 would overflow
    labels = np.arange(14_000) % 700
    values = (labels >= 350).astype(float)
    assert mdl(values, labels, 700) == [0.5]


def test_mdl_leaves_missing_values_out():
    values = np.r_[np.arange(20.0), [np.nan] * 5]
    labels = np.r_[[0] * 10, [1] * 10, [0, 1, 0, 1, 0]]
    assert mdl(values, labels, 2) == [9.5]


def test_tied_cuts_go_to_the_lowest():
    # two mirror-image cuts are equally good; the first step takes the lower one, and both are found
    labels = [0] * 12 + [1] * 12 + [0] * 12
    assert mdl(range(36), labels, 2) == [11.5, 23.5]
    flipped = [1 - label for label in labels]
    assert mdl(range(36), flipped, 2) == [11.5, 23.5]
