"""What may be asked of joint besides: covariates, costs, labels, censored times, rows in blocks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter
from reference.joint import Joint


def simpson(seed=0, n=600):
    """Within a site `effect` decides; `site` moves target and `proxy`, and turns the sign of the effect over all."""
    random = np.random.default_rng(seed)
    site = random.integers(0, 3, n)
    effect = random.normal(size=n) - 2.0 * site
    proxy = site + 0.7 * random.normal(size=n)
    noise = random.normal(size=(n, 4))
    y = (1.2 * effect + 4.2 * site + random.normal(size=n) > 1.8).astype(int)
    return pd.DataFrame({"proxy": proxy, "effect": effect, **{f"n{i}": noise[:, i] for i in range(4)}}), y, site


def test_simpsons_paradox():
    X, y, site = simpson()
    assert ep.select(X, y, method="joint", k=1).names == ["proxy"]
    for given in (site, site.reshape(-1, 1), pd.DataFrame({"site": site.astype(str)})):
        found = ep.select(X, y, method="joint", k=2, given=given)
        assert found.names[0] == "effect"
        assert found.scores[1] < 0.1 * found.scores[0]
    named = ep.select(X.assign(site=site), y, method="joint", k=2, given="site")
    assert named.names[0] == "effect"
    assert "site" not in named.feature_names


def test_a_batch_effect():
    """Most cases are measured in the second batch, which shifts six columns."""
    random = np.random.default_rng(4)
    n = 400
    batch = np.repeat([0, 1], n // 2)
    y = (random.random(n) < np.where(batch == 1, 0.85, 0.15)).astype(int)
    X = random.normal(size=(n, 20))
    X[:, :6] += 2.0 * batch[:, None]
    X[:, 10:12] += 0.8 * y[:, None]
    assert set(ep.select(X, y, method="joint", k=2).indices) <= set(range(6))
    assert set(ep.select(X, y, method="joint", k=2, given=batch).indices) == {10, 11}
    names = ep.select(X, y, method="joint", k="auto", given=batch).indices
    assert set(names) == {10, 11}


@pytest.mark.parametrize("kind", ["class", "number"])
def test_given_equals_the_formula(kind):
    X, y, site = simpson(3, 200)
    y = y + np.random.default_rng(1).normal(size=len(y)) if kind == "number" else y
    given = np.column_stack([site, np.random.default_rng(0).normal(size=len(y)) + site])
    found = ep.select(X, y, method="joint", k=3, given=given)
    reference = Joint(X.to_numpy(), y, given=given)
    factor = Joint(X.to_numpy(), y).calibration()
    gains = [reference.gain(j, []) * factor[j] for j in range(6)]
    best = int(np.argmax(gains))
    believed = 1 / (1 + 120 * reference.p_value(best, []))
    assert found.indices[0] == best
    assert found.scores[0] == pytest.approx((believed + 0.05) * max(gains), rel=1e-6)


def test_a_constant_covariate_is_none():
    X, y, _ = simpson()
    plain = ep.select(X, y, method="joint", k=4)
    given = ep.select(X, y, method="joint", k=4, given=np.ones(len(y)))
    assert plain.names == given.names
    np.testing.assert_array_equal(plain.scores, given.scores)


def test_costs():
    X, y, _ = simpson()
    plain = ep.select(X, y, method="joint", k=4)
    equal = ep.select(X, y, method="joint", k=4, costs=[7.0] * 6)
    assert plain.names == equal.names
    np.testing.assert_allclose(plain.scores, equal.scores, rtol=1e-12)
    first = plain.names[0]
    dear = ep.select(X, y, method="joint", k=4, costs={first: 1000})
    assert first not in dear.names[:3]
    spent = ep.select(X, y, method="joint", k=None, costs=[2.0] * 6, budget=5)
    assert len(spent) == 2
    assert "budget" in spent.stopped
    with pytest.raises(InvalidParameter, match="costs: no feature 'nobody'"):
        ep.select(X, y, method="joint", k=2, costs={"nobody": 2})
    with pytest.raises(InvalidParameter, match="costs: must be 6 positive numbers"):
        ep.select(X, y, method="joint", k=2, costs=[0.0] * 6)
    with pytest.raises(InvalidParameter, match="budget: needs costs"):
        ep.select(X, y, method="joint", k=2, budget=3)
    with pytest.raises(InvalidParameter, match="given: 'jmi' does not support it"):
        ep.select(X, y, method="jmi", k=2, given=X)


def labelled(seed=0, n=500):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 20))
    shared = X[:, 0]
    Y = np.column_stack([shared + 0.8 * X[:, 1 + j] + random.normal(size=n) > 0 for j in range(3)]).astype(int)
    return X, Y


def test_several_labels_at_once():
    X, Y = labelled()
    found = ep.select(X, Y, method="joint", k=4)
    assert found.task == "multilabel"
    assert sorted(found.indices) == [0, 1, 2, 3]
    union: list[int] = []
    for step in range(4):
        for label in Y.T:
            j = ep.select(X, label, method="joint", k=4).indices[step]
            if j not in union:
                union.append(int(j))
    assert len({*found.indices} & {0, 1, 2, 3}) >= len({*union[:4]} & {0, 1, 2, 3})


def copied(seed, n=500):
    """Four labels that share a signal, of which there are five noisy copies, and have one of their own each."""
    random = np.random.default_rng(seed)
    shared, own = random.normal(size=n), random.normal(size=(n, 4))
    copies = shared[:, None] + 0.6 * random.normal(size=(n, 5))
    strength = np.array([0.5, 0.6, 0.7, 0.8])
    Y = (1.2 * shared[:, None] + strength * own + 0.7 * random.normal(size=(n, 4)) > 0).astype(int)
    return np.concatenate([copies, own, random.normal(size=(n, 20))], axis=1), Y


def test_labels_together_choose_better_than_each_for_itself():
    def accuracy(picks, X, Y, X_test, Y_test):
        models = [LogisticRegression().fit(X[:, picks], label) for label in Y.T]
        return np.mean([model.score(X_test[:, picks], label) for model, label in zip(models, Y_test.T, strict=True)])

    better = []
    for seed in range(8):
        X, Y = copied(seed)
        orders = [ep.select(X, label, method="joint", k=6).indices for label in Y.T]
        union = list(dict.fromkeys(int(order[step]) for step in range(6) for order in orders))[:6]
        together = ep.select(X, Y, method="joint", k=6).indices.tolist()
        rest = copied(100 + seed, 2000)
        better.append(accuracy(together, X, Y, *rest) - accuracy(union, X, Y, *rest))
    assert np.mean(better) > 0.005


def test_copies_of_a_label_are_the_label():
    X, Y = labelled()
    one = ep.select(X, Y[:, 0], method="joint", k=5)
    two = ep.select(X, Y[:, [0, 0]], method="joint", k=5)
    assert one.names == two.names
    np.testing.assert_allclose(one.scores, two.scores, rtol=1e-9)


def survival(seed=0, n=400, censored=True):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 12))
    time = random.exponential(np.exp(-(X[:, 0] + X[:, 3] ** 2)))
    limit = random.exponential(2, size=n) if censored else np.full(n, np.inf)
    event = time <= limit
    return X, event, np.minimum(time, limit)


def test_a_censored_time():
    X, event, time = survival()
    y = np.array(list(zip(event, time, strict=True)), dtype=[("event", bool), ("time", float)])
    found = ep.select(X, y, method="joint", k=2)
    assert found.task == "survival"
    assert sorted(found.indices) == [0, 3]
    columns = ep.select(X, np.column_stack([time, event]), method="joint", k=2, task="survival")
    np.testing.assert_array_equal(found.scores, columns.scores)


def test_no_censoring_is_a_regression():
    X, event, time = survival(censored=False)
    y = np.array(list(zip(event, time, strict=True)), dtype=[("event", bool), ("time", float)])
    found, plain = ep.select(X, y, method="joint", k=4), ep.select(X, time, method="joint", k=4)
    assert found.names == plain.names
    np.testing.assert_array_equal(found.scores, plain.scores)
    with pytest.raises(InvalidInput, match="needs at least one event"):
        ep.select(X, np.column_stack([time, np.zeros(len(time))]), method="joint", k=2, task="survival")


def test_whole_numbers_of_many_values_are_a_quantity():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 5))
    prices = np.round(1000 * np.exp(X[:, 2] + 0.2 * random.normal(size=2000)))
    found = ep.select(X, prices, method="joint", k=1)
    assert found.task == "regression"
    assert found.indices[0] == 2
    assert any("treated as a quantity" in note for note in found.notes)
    assert ep.select(X, (prices > 1000).astype(float), method="joint", k=1).task == "classification"


def mixed(kind, n=3000):
    random = np.random.default_rng(4)
    X = pd.DataFrame({f"x{i}": random.normal(size=n) for i in range(5)})
    X["text"] = random.choice(["a", "b", "c", *(f"r{i}" for i in range(50))], n)
    X["small"] = random.integers(0, 12, n)
    X.loc[random.random(n) < 0.1, "x2"] = np.nan
    z = X.x0 + X.x1**2 + (X.text == "a") + random.normal(size=n)
    return X.assign(y=z if kind == "number" else (z > 1).astype(int), w=random.integers(0, 3, n))


@pytest.fixture(params=["class", "number"])
def rows_of_every_kind(request):
    return mixed(request.param)


@pytest.mark.parametrize("weight", [None, "w"])
def test_files_and_blocks_equal_memory(tmp_path, rows_of_every_kind, weight):
    table = rows_of_every_kind if weight else rows_of_every_kind.drop(columns="w")
    table.to_parquet(tmp_path / "rows.parquet")
    here = ep.select(table, "y", method="joint", k=5, sample_weight=weight)
    file = ep.select(str(tmp_path / "rows.parquet"), "y", method="joint", k=5, sample_weight=weight, memory="1MB")
    assert here.names == file.names
    np.testing.assert_allclose(here.scores, file.scores, rtol=1e-12)
    named = {"given": "x0"}
    here, file = (
        ep.select(rows, "y", method="joint", k=4, sample_weight=weight, **named)
        for rows in (table, str(tmp_path / "rows.parquet"))
    )
    assert here.names == file.names


def test_increments_equal_fit_where_groups_are_values():
    random = np.random.default_rng(0)
    X = random.integers(0, 20, size=(900, 8)).astype(float)
    y = (X[:, 1] + X[:, 4] + 4 * random.normal(size=900) > 19).astype(int)
    whole = ep.Selector("joint", k=4).fit(X, y)
    grown = ep.Selector("joint", k=4)
    for part in range(3):
        grown.partial_fit(X[300 * part : 300 * part + 300], y[300 * part : 300 * part + 300])
    assert whole.selection_.names == grown.selection_.names
    np.testing.assert_array_equal(whole.selection_.scores, grown.selection_.scores)


@pytest.mark.parametrize("weight", [None, "w"])
def test_saved_statistics_equal_memory(tmp_path, rows_of_every_kind, weight):
    table = rows_of_every_kind if weight else rows_of_every_kind.drop(columns="w")
    here = ep.select(table, "y", method="joint", k=5, sample_weight=weight, interactions=False)  # pairs need the rows
    saved = ep.Statistics.collect(table, "y", sample_weight=weight)
    saved.save(tmp_path / "all.npz")
    read = ep.Statistics.load(tmp_path / "all.npz").select(method="joint", k=5)
    assert here.names == read.names
    np.testing.assert_allclose(here.scores, read.scores, rtol=1e-12)
    halves = [
        ep.Statistics.collect(rows, "y", sample_weight=weight, coding=saved) for rows in (table[:1000], table[1000:])
    ]
    both = halves[0].merge(halves[1]).select(method="joint", k=5)
    assert here.names == both.names
    np.testing.assert_allclose(here.scores, both.scores, rtol=1e-12)


def test_covariates_with_saved_statistics_are_refused(tmp_path):
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=list("abc"))
    table["y"] = (table.a > 0).astype(int)
    table.to_csv(tmp_path / "t.csv", index=False)
    statistics = ep.Statistics.collect(tmp_path / "t.csv", "y")
    with pytest.raises(InvalidParameter, match="given: covariates need the rows"):
        statistics.select(method="joint", k=1, given="b")
