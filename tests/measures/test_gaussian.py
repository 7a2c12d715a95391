"""Gaussian measures against determinants and divergences from scratch (tests/reference/gaussian.py)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import entropick as ep
from entropick.errors import EntropickWarning, InvalidParameter
from entropick.kernels.row_products import STRIP
from entropick.measures import measure as protocols
from entropick.measures.gaussian.auto import first
from entropick.measures.gaussian.chance import class_p_values, pooled_p_values, shrinkage_intensity
from entropick.measures.gaussian.compromise import GCE, GCMI, Wilks
from entropick.measures.gaussian.divergence import GKLE, GKLMI
from entropick.measures.pairwise.chance import MeasureEvidence
from entropick.search.forward import forward
from entropick.search.task import Task
from entropick.statistics.moments.centred_rows import CentredRows
from entropick.statistics.moments.collect import collect_moments
from entropick.statistics.moments.moments import Moments
from reference import gaussian as reference

CRITERIA = {
    GCMI: reference.gc_mi,
    GCE: reference.gc_e,
    Wilks: reference.wilks,
    GKLMI: reference.gkl_mi,
    GKLE: reference.gkl_e,
}
MEMORIES = [Moments, CentredRows]


class Target:
    def __init__(self, y, task="classification"):
        self.task, self.codes, self.values = task, y, y
        self.n_classes = int(np.max(y)) + 1 if task == "classification" else 1


def rows(n, d, classes, seed=0, near=0.0):
    """Gaussian classes with covariances of their own; near: some columns almost determined by others."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(classes), 12), rng.integers(0, classes, n - 12 * classes)])
    mixing = 0.5 * rng.standard_normal((classes, d, d)) / np.sqrt(d) + np.eye(d)
    X = np.einsum("nd,nde->ne", rng.standard_normal((n, d)), mixing[y])
    X += 0.4 * rng.standard_normal((classes, d))[y]
    if near:
        X[:, 1] = X[:, 0] + near * X[:, 1]
        X[:, 3] = X[:, 2] - X[:, 4] + near * X[:, 3]
    return X * rng.uniform(0.01, 100, d) + rng.uniform(-100, 100, d), y


def measure(kind, X, y, memory=Moments, **options):
    return kind(memory(X.shape[1], int(y.max()) + 1).update(X, y), **options)


def quietly(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EntropickWarning)
        return function(*arguments, **options)


# -- the numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("kind", CRITERIA)
@pytest.mark.parametrize(("classes", "n", "near"), [(2, 300, 0), (3, 300, 1e-2), (10, 600, 1e-3), (26, 900, 0)])
def test_every_score_is_the_naive_increment(kind, memory, classes, n, near):
    X, y = rows(n, 7, classes, seed=classes, near=near)
    m = (
        measure(kind, X, y, memory, shrinkage=None, fill="random")
        if kind in (GCMI, GCE)
        else measure(kind, X, y, memory, shrinkage=None)
    )
    criterion, chosen = CRITERIA[kind], []
    for i in np.random.default_rng(1).permutation(7)[:6]:
        gains, before = m.gains(), criterion(X, y, chosen)
        if m.saturated_at is None:
            for j in set(range(7)) - set(chosen):
                after = criterion(X, y, [*chosen, j])
                assert gains[j] == pytest.approx(after - before, rel=1e-8, abs=1e-8 * max(abs(after), 1e-3))
            assert m.details()["criterion"] == pytest.approx(before, rel=1e-8, abs=1e-12)
        if chosen and kind is not Wilks:
            assert m.bound() == pytest.approx(reference.gc_bound(X, y, chosen), rel=1e-8)
        quietly(m.add, int(i))
        chosen.append(int(i))


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("kind", [GCE, GKLE])
def test_entropies_in_the_features_own_scale(kind, memory, monkeypatch):
    X, y = rows(300, 7, 3)
    monkeypatch.setattr(reference, "standardise", lambda X: X)
    m = measure(kind, X, y, memory, shrinkage=None, scale="own")
    chosen = []
    for i in [4, 0, 6, 2]:
        gains, before = m.gains(), CRITERIA[kind](X, y, chosen)
        for j in set(range(7)) - set(chosen):
            assert gains[j] == pytest.approx(CRITERIA[kind](X, y, [*chosen, j]) - before, rel=1e-8)
        assert m.details()["criterion"] == pytest.approx(before, rel=1e-8, abs=1e-12)
        told = m.account(i).extra["criterion"]
        m.add(i)
        chosen.append(i)
        assert told == pytest.approx(CRITERIA[kind](X, y, chosen), rel=1e-8)
    assert m.details()["scale"] == "own"


@pytest.mark.parametrize("method", ["gc.e", "gkl.e"])
def test_a_constant_column_comes_last_in_either_scale(method):
    X, y = rows(200, 5, 2)
    X[:, 2] = 7.0
    for scale in ("unit", "own"):
        assert ep.select(X, y, method=method, k=5, scale=scale).indices[-1] == 2
    with pytest.raises(InvalidParameter, match="scale: must be 'unit' or 'own', got 'cm'"):
        ep.select(X, y, method=method, k=2, scale="cm")


@pytest.mark.parametrize("kind", CRITERIA)
def test_forward_chooses_what_exhaustive_comparison_would(kind):
    X, y = rows(400, 6, 3, seed=7)
    chosen, _ = reference.forward(CRITERIA[kind], X, y, 4)
    m = measure(kind, X, y)
    order = list(first(m, 4))
    known = 4 if m.saturated_at is None else m.saturated_at  # after that the reference has only ties
    assert known >= 2
    assert order[:known] == chosen[:known]


def test_three_algorithms_choose_alike():
    """Cubic (from scratch), quadratic (§4.1.1 of the paper) and ours, linear in the number chosen."""
    X, y = rows(300, 9, 3, seed=5)
    cubic = [0.0]
    picks, values = reference.quadratic_forward(X, y, 5)
    for size in range(1, 6):
        cubic.append(reference.gc_mi(X, y, picks[:size]))
        rivals = [reference.gc_mi(X, y, [*picks[: size - 1], j]) for j in range(9) if j not in picks[: size - 1]]
        assert max(rivals) == pytest.approx(cubic[-1], rel=1e-9)
    np.testing.assert_allclose(values, cubic[1:], rtol=1e-9)
    ours = measure(GCMI, X, y, shrinkage=None)
    for pick, gain in zip(picks, np.diff(cubic), strict=True):
        gains = ours.gains()
        assert int(np.argmax(gains)) == pick
        assert gains[pick] == pytest.approx(gain, rel=1e-8)
        quietly(ours.add, pick)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("fill", ["pooled", "random"])
def test_threads_change_no_bit_of_rows_on_demand(classes, fill):
    """Before and after saturation and shrinkage, which starts at the fifth feature."""
    d = 3 * STRIP + 7
    rng = np.random.default_rng(5)
    y = np.arange(20 * classes) % classes
    X = rng.standard_normal((len(y), d))
    X[:, ::50] += 0.8 * y[:, None]
    found = []
    for n_jobs in (1, 2, 3):
        m = GCMI(CentredRows(d, classes, n_jobs=n_jobs).update(X, y), fill=fill, random_state=0)
        picks = quietly(first, m, 12)
        found.append((picks.tolist(), m.gains().tobytes(), m.details()["criterion"]))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("targets", [1, 3])
def test_regression_is_minus_half_log_of_one_minus_r_squared(memory, targets):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6)) @ rng.standard_normal((6, 6))
    Y = X[:, :2] @ rng.standard_normal((2, targets)) + rng.standard_normal((200, targets))
    form = "rows" if memory is CentredRows else "matrices"
    m = GCMI(collect_moments(X, Target(Y, "regression"), form=form), shrinkage=None)
    chosen = []
    for i in (3, 0, 5, 1):
        before = reference.regression_information(X, Y, chosen)
        for j in set(range(6)) - set(chosen):
            after = reference.regression_information(X, Y, [*chosen, j])
            assert m.gains()[j] == pytest.approx(after - before, rel=1e-8, abs=1e-10)
        m.add(i)
        chosen.append(i)
    assert m.bound() == pytest.approx(reference.regression_information(X, Y, chosen), rel=1e-10)
    assert m.saturated_at is None
    assert m.details()["fano_floor"] is None


@pytest.mark.parametrize(("classes", "seed"), [(2, 0), (3, 1), (5, 2), (5, 3)])
def test_true_bound_is_never_below_the_information_of_the_mixture(classes, seed):
    rng = np.random.default_rng(seed)
    d = 3
    priors = rng.dirichlet(3 * np.ones(classes))
    means = rng.standard_normal((classes, d)) * rng.uniform(0.2, 2.0)
    roots = rng.standard_normal((classes, d, d))
    covariances = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(d)
    information, error = reference.monte_carlo_information(means, covariances, priors, 20_000, rng)
    memory = Moments(d, classes)
    centre = priors @ means
    memory.counts, memory.shifts = 1e6 * priors, means - centre
    memory.scatter = [np.asfortranarray(1e6 * p * s) for p, s in zip(priors, covariances, strict=True)]
    m = GCMI(memory)
    for i in range(d):
        m.add(i)
    assert m.bound() >= information - 3 * error
    assert m.details()["criterion"] <= m.bound() + 1e-12


# -- invariance --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [GCMI, GKLMI, Wilks])
def test_rescaling_features_changes_nothing(kind):
    X, y = rows(400, 8, 3, seed=4)
    rng = np.random.default_rng(0)
    other = X * rng.choice([-1, 1], 8) * np.logspace(-4, 4, 8) + rng.uniform(-10, 10, 8)
    a, b = measure(kind, X, y), measure(kind, other, y)
    assert list(first(a, 6)) == list(first(b, 6))
    np.testing.assert_allclose(a.gains(), b.gains(), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("kind", CRITERIA)
def test_row_order_and_merging_leave_the_choice(kind):
    X, y = rows(600, 8, 3, seed=5)
    order = np.random.default_rng(0).permutation(600)
    parts = [Moments(8, 3).update(X[order[a : a + 77]], y[order[a : a + 77]]) for a in range(0, 600, 77)]
    merged = Moments(8, 3)
    for part in parts[::-1]:
        merged.merge(part)
    a, b = measure(kind, X, y), kind(merged)
    assert list(first(a, 6)) == list(first(b, 6))
    np.testing.assert_allclose(a.gains(), b.gains(), rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", CRITERIA)
@pytest.mark.parametrize("options", [{}, {"shrinkage": 0.3}])
def test_both_memories_agree(kind, options):
    X, y = rows(150, 40, 2, seed=6)
    a, b = (measure(kind, X, y, memory, **options) for memory in MEMORIES)
    assert list(quietly(first, a, 25)) == list(quietly(first, b, 25))
    np.testing.assert_allclose(a.gains(), b.gains(), rtol=0, atol=1e-8)
    assert a.details()["memory"] == "matrices"
    assert b.details()["memory"] == "rows"


# -- hard columns and small samples ------------------------------------------------------------------------


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("kind", CRITERIA)
@pytest.mark.parametrize("shrinkage", ["auto", None, 0.2])
def test_constant_duplicate_and_collinear_columns_come_last(kind, memory, shrinkage):
    X, y = rows(120, 6, 2, seed=8)
    X = np.column_stack([np.full(len(X), 0.1), X[:, :3], X[:, 0], X[:, 3:], X[:, 1] - 3 * X[:, 2], 2 - X[:, 4]])
    m = measure(kind, X, y, memory, shrinkage=shrinkage)
    order = list(quietly(first, m, X.shape[1]))
    gains = m.gains()
    assert np.isfinite(gains).all()
    assert order.index(0) >= 6
    for family in ({1, 4}, {2, 3, 8}, {6, 9}):
        assert sum(order.index(j) >= 6 for j in family) == 1
    assert sorted(order) == list(range(10))
    assert np.isfinite(m.p_values()).all()


@pytest.mark.parametrize("kind", [GCMI, GCE, Wilks])
@pytest.mark.parametrize("tested", [False, True])
@pytest.mark.parametrize("forced", [(0, 1, 2, 3), (0, 1, 2, 3, 5)])
def test_rows_on_demand_know_collinear_columns_wherever_a_search_looks(kind, tested, forced):
    """Thirty sums of chosen columns, some excluded, one forced: both memories choose alike, under shrinkage too."""
    X, y = rows(60, 12, 2, seed=21)
    mixtures = X[:, :4] @ np.random.default_rng(3).standard_normal((4, 30))
    X = np.column_stack([X[:, :4], mixtures, X[:, 4:], X[:, :2]])
    allowed = np.ones(X.shape[1], bool)
    allowed[4:20] = False
    chosen = []
    for memory in MEMORIES:
        m = measure(kind, X, y, memory, shrinkage=0.2)
        evidence = MeasureEvidence(m, 0.9) if tested else None
        outcome = quietly(forward, m, Task(10 + len(forced), allowed, forced, evidence))
        chosen.append([choice.candidate for choice in outcome.choices])
    assert chosen[0] == chosen[1]
    collinear = {*range(4, 34), 42, 43}
    picked = [j for j in chosen[0] if j not in forced]
    independent = [j for j in picked if j not in collinear]
    assert picked[: len(independent)] == independent
    if not tested:
        assert len(independent) == 8  # all there are; then the collinear ones


@pytest.mark.parametrize("kind", CRITERIA)
@pytest.mark.parametrize("shrinkage", ["auto", None])
def test_more_features_than_samples(kind, shrinkage):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 10)
    X = rng.standard_normal((20, 60))
    X[:, 7] += 3 * y
    m = measure(kind, X, y, CentredRows, shrinkage=shrinkage)
    if kind not in (GCE, GKLE):
        assert int(np.argmax(m.gains())) == 7
    known = "20 rows support about 4" if kind is Wilks else "10 rows support about 2"
    with pytest.warns(EntropickWarning, match=f"{known} features"):
        order = first(m, 60)
    assert sorted(order) == list(range(60))
    assert np.isfinite(m.gains()).all()
    assert all(np.isfinite(v) for v in m.details().values() if isinstance(v, float))


def test_a_class_of_one_row_and_a_pixel_that_a_class_never_lights():
    X, y = rows(200, 5, 2, seed=1)
    y[0] = 2
    X = np.column_stack([X, np.where(np.arange(200) == 17, 1.0, 0.0)])
    X[:, 0] += 2 * y
    for kind in CRITERIA:
        m = measure(kind, X, y)
        assert np.isfinite(m.gains()).all()
        if kind in (GCMI, GKLMI, Wilks):
            assert int(np.argmax(m.gains())) != 5


def test_a_column_that_is_the_class_is_perfect():
    X, y = rows(300, 5, 3, seed=2)
    X[:, 2] = y
    m = measure(GCMI, X, y)
    assert int(np.argmax(m.gains())) == 2
    assert m.gains()[2] == pytest.approx(m.class_entropy)
    m.add(2)
    m.gains()
    assert m.saturated_at == 1
    assert m.bound() == pytest.approx(m.class_entropy)
    assert m.details()["fano_floor"] == pytest.approx(0.0, abs=1e-12)


def test_the_floor_on_the_error_solves_fanos_inequality():
    """h(p) + p log(C − 1) = H(Y) − bound, the form that also tells two classes apart from none."""
    for n_classes in (2, 4):
        X, y = rows(300, 5, n_classes, seed=2)
        m = measure(GCMI, X, y)
        m.add(int(np.argmax(m.gains())))
        p = m.details()["fano_floor"]
        h = -p * np.log(p) - (1 - p) * np.log(1 - p)
        assert 0 < p < (n_classes - 1) / n_classes
        assert h + p * np.log(n_classes - 1) == pytest.approx(m.class_entropy - m.bound(), abs=1e-9)


def test_shrinkage_intensity():
    rng = np.random.default_rng(0)
    noise = np.corrcoef(rng.standard_normal((20, 100)), rowvar=False)
    assert shrinkage_intensity(noise, 20) > 0.85
    factor = rng.standard_normal((500, 1)) + 0.1 * rng.standard_normal((500, 30))
    assert shrinkage_intensity(np.corrcoef(factor, rowvar=False), 500) < 0.01
    assert shrinkage_intensity(np.eye(3), 3) == 1.0
    assert shrinkage_intensity(np.eye(3), 50) == 1 / 50


# -- saturation, fill, stopping ----------------------------------------------------------------------------


def separated(seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 600)
    X = rng.standard_normal((600, 12))
    X[:, :8] += 4 * rng.standard_normal((3, 8))[y]
    return X, y


def test_saturation_is_recorded_and_filled_by_the_pooled_bound():
    X, y = separated()
    m = measure(GCMI, X, y)
    order = list(first(m, 8))
    s = m.saturated_at
    assert s is not None
    assert m.details()["saturated_at"] == s < 8
    assert reference.gc_mi(X, y, order[:s]) == pytest.approx(m.class_entropy) or all(
        reference.gc_mi(X, y, [*order[:s], j]) == pytest.approx(m.class_entropy)
        for j in range(12)
        if j not in order[:s]
    )
    rest = [j for j in range(12) if j not in order[:s]]
    before = reference.wilks(X, y, order[:s])
    best = max(rest, key=lambda j: reference.wilks(X, y, [*order[:s], j]) - before)
    assert order[s] == best


def test_random_fill_is_the_papers():
    X, y = separated()
    a, b, c = (measure(GCMI, X, y, fill="random", random_state=seed) for seed in (0, 0, 1))
    orders = [list(first(m, 12)) for m in (a, b, c)]
    s = a.saturated_at
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][:s] == orders[2][:s]
    assert np.abs(a.gains()).max() < 1e-5
    with pytest.raises(InvalidParameter, match="fill: must be one of pooled, random"):
        measure(GCMI, X, y, fill="none")
    e = measure(GCE, X, y, fill="random", random_state=0)
    first(e, 12)
    assert e.saturated_at is not None


def test_pooling_reaches_from_the_paper_to_wilks():
    X, y = rows(300, 6, 3, seed=3)
    assert list(first(measure(GCMI, X, y, pooling=1.0), 5)) == list(first(measure(Wilks, X, y), 5))
    m = measure(GCMI, X, y, pooling=0.5)
    scores = [
        min(
            reference.entropy(reference.covariance(reference.standardise(X)[:, [j]])),
            reference.entropy(0.5 * within + 0.5 * pooled) - np.log(p),
        )
        - reference.entropy(0.5 * within + 0.5 * pooled)
        for j in range(6)
        for pooled in [sum(q * reference.covariance(part) for q, part in reference._classes(X, y, [j])[1])]
        for p, within in [(q, reference.covariance(part)) for q, part in reference._classes(X, y, [j])[1]]
    ]
    priors = np.tile([np.mean(y == c) for c in range(3)], 6)
    np.testing.assert_allclose(m.gains(), (priors * scores).reshape(6, 3).sum(axis=1), rtol=1e-9)


@pytest.mark.parametrize("kind", [GCMI, Wilks, GKLMI])
def test_p_values_of_noise_are_uniform(kind):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    m = measure(kind, rng.standard_normal((150, 800)), y, shrinkage=None)
    for size in range(3):
        p = m.p_values()
        p = p[~m._dependent]
        assert abs(np.mean(p < 0.05) - 0.05) < 0.03, size
        assert abs(np.mean(p) - 0.5) < 0.05
        m.add(size)
    assert isinstance(m, protocols.Measure)
    assert isinstance(m, protocols.Testable)


def test_p_values_are_one_where_nothing_can_be_tested():
    np.testing.assert_array_equal(class_p_values(np.ones(2), np.array([3.0, 9.0]), 4), 1)
    np.testing.assert_array_equal(pooled_p_values(np.ones(2), 5, 1, 4), 1)
    X, y = separated()
    m = measure(GCMI, X, y)
    first(m, 8)
    np.testing.assert_array_equal(m.p_values(), 1)
    assert "H(Y)" in m.why_stopped()
    fresh = measure(GCMI, X, y)
    assert fresh.why_stopped() is None


# -- reasons -----------------------------------------------------------------------------------------------


def test_account_tells_marginal_from_joint():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    noise = rng.standard_normal(2000)
    X = np.column_stack([noise + 0.5 * y, noise + 0.05 * rng.standard_normal(2000), rng.standard_normal(2000)])
    m = measure(Wilks, X, y)
    assert m.account(0).extra.keys() == {"criterion", "bound", "fano_floor"}
    m.add(0)
    told = m.account(1)  # says nothing alone, and takes the noise out of column 0
    assert told.relevance < 0.01
    assert told.extra["joint"] > 0.3
    assert told.relevance + told.extra["joint"] == pytest.approx(m.gains()[1])
    for kind in (GCMI, GCE, GKLMI, GKLE):
        m = measure(kind, X, y)
        m.add(2)
        told = m.account(0)
        assert told.extra["criterion"] == pytest.approx(m.details()["criterion"] + m.gains()[0])
        assert 0 <= told.extra["bound"] <= np.log(2)


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("kind", [GKLMI, GKLE])
def test_the_first_pick_is_shrunk_where_a_class_has_too_few_rows_for_any(kind, memory):
    # two rows of a class that happen to lie close make any noise column look infinitely divergent
    hits = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.repeat([0, 1], [200, 2])
        X = rng.standard_normal((202, 50))
        X[:, 7] += 4.0 * y
        m = measure(kind, X, y, memory)
        assert m.support == 0
        hits += int(np.argmax(m.gains())) == 7
        assert m.gains().max() < 50
    assert hits >= 18


@pytest.mark.parametrize("kind", list(CRITERIA))
def test_shrinkage_from_the_start_is_the_same_number_given(kind):
    X, y = rows(60, 6, 2)
    X, y = np.vstack([X[y == 0], X[y == 1][:4]]), np.repeat([0, 1], [int((y == 0).sum()), 4])
    auto = measure(kind, X, y)
    if kind is Wilks:  # one covariance, of all rows
        assert auto.support > 0
        assert not auto._rho.any()
        return
    assert auto.support == 0
    assert auto._rho.all()
    before = auto.gains().copy()
    within = [np.cov(X[y == c].T, bias=True) for c in (0, 1)]
    pooled = np.diag(np.diag(np.average(within, axis=0, weights=np.bincount(y))))
    shrunk = [(1 - r) * s + r * pooled for r, s in zip(auto._rho, within, strict=True)]
    # the variance of one column under a class, from scratch, is what the first pick is judged by
    total = np.var(X, axis=0)
    expected = np.array([np.diag(s) for s in shrunk]) / total
    factors = auto.factors if hasattr(auto, "factors") else auto.given.factors
    assert np.allclose(factors.v[-2:], expected)
    assert np.array_equal(before, measure(kind, X, y).gains())
