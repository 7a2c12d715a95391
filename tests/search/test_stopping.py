"""k="auto": about nothing from noise, the planted signals from a table that has them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import entropick as ep
from entropick.catalogue.search import SEARCH_ENTRIES
from entropick.errors import InvalidParameter
from entropick.measures.pairwise.chance import ChiSquare
from entropick.methods import REGISTRY
from entropick.statistics.levels.levels import LevelStatistics
from reference import discrete as reference

SETS = 200
ALPHA = 0.05
# 1 in 1000 that a test of true level ALPHA is above it
BOUND = int(binom.ppf(0.999, SETS, ALPHA))


def coded(rng, n, D, levels, classes):
    return rng.integers(0, levels, (n, D)), rng.integers(0, classes, n)


NOISE = {
    "binary, 2 classes": lambda rng: coded(rng, 100, 20, 2, 2),
    "5 levels, 3 classes": lambda rng: coded(rng, 150, 20, 5, 3),
    "10 levels, 4 classes": lambda rng: coded(rng, 120, 30, 10, 4),
    "rare class": lambda rng: (rng.integers(0, 4, (120, 20)), np.r_[np.ones(8, int), np.zeros(112, int)]),
    "rare levels": lambda rng: ((rng.random((120, 20)) < 0.05).astype(int), rng.integers(0, 2, 120)),
    "wide": lambda rng: coded(rng, 60, 200, 3, 2),
}


def false_rate(make, seed, **keywords):
    """Share of noise tables from which anything is chosen."""
    hits = 0
    for trial in range(SETS):
        X, y = make(np.random.default_rng([seed, trial]))
        hits += len(ep.select(X, y, k="auto", **{"method": "jmi", **keywords})) > 0
    return hits


@pytest.mark.parametrize("test", ["joint", "chi2"])
@pytest.mark.parametrize("name", NOISE)
def test_noise_selects_about_nothing(name, test, capsys):
    hits = false_rate(NOISE[name], 1, method="jmi", discretizer=None, task="classification", test=test)
    with capsys.disabled():
        print(f"\n  false selections from {name}, {test}: {hits} of {SETS}")
    assert hits <= BOUND


def test_rare_levels_and_classes_select_about_nothing_by_their_squares(capsys):
    """A single row in a rare cell makes X² large: its tail is longer than that of a gamma law."""

    def make(rng):
        levels = rng.choice(6, (200, 200), p=[0.9, 0.05, 0.02, 0.01, 0.01, 0.01])
        return levels, rng.choice(3, 200, p=[0.8, 0.15, 0.05])

    hits = false_rate(make, 9, discretizer=None, task="classification", test="chi2")
    with capsys.disabled():
        print(f"\n  false selections from rare levels and classes, chi2: {hits} of {SETS}")
    assert hits <= BOUND


@pytest.mark.parametrize("method", ["mim", "mrmr", "cmim", "cmi"])
def test_noise_selects_about_nothing_by_other_methods(method, capsys):
    hits = false_rate(NOISE["5 levels, 3 classes"], 2, method=method, discretizer=None, task="classification")
    with capsys.disabled():
        print(f"\n  false selections by {method}: {hits} of {SETS}")
    assert hits <= BOUND


def test_cuts_made_by_looking_at_the_target_are_no_discovery(capsys):
    """The more columns, the more of them MDL cuts by chance."""

    def make(rng):
        return rng.standard_normal((100, 100)), rng.integers(0, 2, 100)

    hits = false_rate(make, 6, method="jmi", discretizer="mdl")
    with capsys.disabled():
        print(f"\n  false selections from 100 columns of continuous noise, mdl: {hits} of {SETS}")
    assert hits <= BOUND


@pytest.mark.parametrize("discretizer", ["auto", "mdl", "quantile", "uniform"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_continuous_noise_selects_about_nothing(discretizer, task, capsys):
    """A supervised discretiser has looked at y: its cuts must not turn noise into a discovery."""

    def make(rng):
        y = rng.standard_normal(100)
        return rng.standard_normal((100, 20)), y if task == "regression" else (y > 0).astype(int)

    hits = false_rate(make, 3, method="jmi", discretizer=discretizer, task=task)
    with capsys.disabled():
        print(f"\n  false selections from continuous noise, {discretizer}, {task}: {hits} of {SETS}")
    assert hits <= BOUND


def test_permutation_on_noise(capsys):
    hits = 0
    for trial in range(100):
        X, y = NOISE["10 levels, 4 classes"](np.random.default_rng([4, trial]))
        found = ep.select(
            X, y, method="jmi", k="auto", discretizer=None, test="permutation", n_permutations=99, random_state=trial
        )  # fmt: skip
        hits += len(found) > 0
    with capsys.disabled():
        print(f"\n  false selections by permutation: {hits} of 100")
    assert hits <= binom.ppf(0.999, 100, ALPHA)


# -- signals ----------------------------------------------------------------------------------------------


def planted(seed, n=600, D=25):
    """y from columns 3, 11 and 17, each of its own; the rest noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, D))
    strength = (X[:, 3] == 0) * 1.4 + (X[:, 11] == 1) * 1.4 + (X[:, 17] == 2) * 1.4
    return X, (strength + rng.logistic(0, 0.5, n) > 1.4).astype(int)


@pytest.mark.parametrize("method", ["mim", "mrmr", "jmi", "cmim", "cife", "icap", "disr", "jmim", "condred"])
def test_planted_signals_are_kept(method):
    extra = 0
    for seed in range(10):
        X, y = planted(seed)
        found = ep.select(X, y, method=method, k="auto", discretizer=None)
        assert {3, 11, 17} <= set(found.indices.tolist())
        extra += len(found) - 3
        assert found.stopped
        assert all(step.p_value is not None and step.p_value <= ALPHA for step in found)
    assert extra <= 10  # at most one false friend a table, on average


def test_permutation_keeps_planted_signals():
    X, y = planted(0)
    found = ep.select(X, y, method="jmi", k="auto", discretizer=None, test="permutation", random_state=0)
    assert {3, 11, 17} <= set(found.indices.tolist())
    assert len(found) <= 5


def test_redundant_copies_are_not_kept():
    """A noisy copy of a chosen feature says nothing new about y."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 500)
    y = np.where(rng.random(500) < 0.1, rng.integers(0, 3, 500), x)
    copies = [np.where(rng.random(500) < 0.05, rng.integers(0, 3, 500), x) for _ in range(4)]
    X = np.column_stack([x, *copies, rng.integers(0, 3, (500, 5))])
    found = ep.select(X, y, method="jmi", k="auto", discretizer=None)
    assert found.indices.tolist() == [0]


def test_continuous_signal_is_kept():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 15))
    y = (X[:, 4] + X[:, 9] + rng.normal(0, 0.5, 400) > 0).astype(int)
    for discretizer in ("auto", "mdl", "quantile"):
        found = ep.select(X, y, method="jmi", k="auto", discretizer=discretizer)
        assert {4, 9} <= set(found.indices.tolist()), discretizer
        assert len(found) <= 4


def test_permutation_is_deterministic():
    X, y = planted(1, n=200)
    keywords = {"method": "jmi", "k": "auto", "discretizer": None, "test": "permutation"}
    first, second = (ep.select(X, y, random_state=7, **keywords) for _ in range(2))
    assert first == second
    threads = ep.select(X, y, random_state=7, n_jobs=2, **keywords)
    assert threads.steps == first.steps
    generator = ep.select(X, y, random_state=np.random.RandomState(7), **keywords)
    assert (
        generator.indices.tolist()
        == ep.select(X, y, random_state=np.random.RandomState(7), **keywords).indices.tolist()
    )


def test_p_values_are_those_of_pearsons_test():
    """First that of X and Y, then the largest of those given one earlier pick."""
    X, y = planted(2)
    found = ep.select(X, y, method="mim", k="auto", discretizer=None, test="chi2")
    first = found.indices[0]
    *_, p = reference.square_test(X[:, first].tolist(), y.tolist())
    assert found.steps[0].p_value == pytest.approx(p, rel=1e-6)
    assert len(found) >= 3
    for step in found.steps[1:]:
        column = X[:, step.members[0]].tolist()
        earlier = [X[:, j].tolist() for j in found.indices[: step.rank - 1]]
        p = max(reference.square_test(column, y.tolist(), other)[-1] for other in earlier)
        assert step.p_value == pytest.approx(p, rel=1e-6)


@pytest.mark.parametrize("n", [100, 300])
@pytest.mark.parametrize("classes", [2, 4, 5])
def test_p_values_of_noise_beside_a_strong_pick_are_uniform(n, classes):
    """Within the levels of a strong pick, classes hold few rows or none."""
    p_values = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n, 100))
        y = X[:, 0] + 0.6 * rng.standard_normal(n)
        y = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
        codes = np.argsort(np.argsort(X, axis=0), axis=0) * 5 // n
        law = ChiSquare(LevelStatistics(np.full(100, 5), classes).update(codes.T, y), ALPHA)
        law.add(0)
        p_values.append([law.p_value(j) for j in range(1, 100)])
    found = np.array(p_values)
    for level in (0.01, 0.05, 0.5):
        error = np.sqrt(level * (1 - level) / found.size)
        assert np.mean(found <= level) == pytest.approx(level, abs=5 * error), level


def test_stricter_alpha_keeps_less():
    X, y = planted(3, n=250)
    sizes = [
        len(ep.select(X, y, method="jmi", k="auto", alpha=alpha, discretizer=None))
        for alpha in (1e-12, 1e-4, 0.05, 0.5)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_auto_is_a_prefix_of_the_complete_ranking():
    X, y = planted(4)
    whole = ep.select(X, y, method="jmi", k=None, discretizer=None)
    auto = ep.select(X, y, method="jmi", k="auto", discretizer=None)
    assert auto.indices.tolist() == whole.indices[: len(auto)].tolist()
    assert auto.scores.tolist() == whole.scores[: len(auto)].tolist()


def test_weights_of_two_are_rows_twice():
    X, y = planted(5, n=150)
    w = np.random.default_rng(0).integers(1, 4, 150)
    weighted = ep.select(X, y, method="jmi", k="auto", discretizer=None, sample_weight=w)
    repeated = ep.select(np.repeat(X, w, axis=0), np.repeat(y, w), method="jmi", k="auto", discretizer=None)
    assert weighted.indices.tolist() == repeated.indices.tolist()
    assert [s.p_value for s in weighted] == [s.p_value for s in repeated]


def test_auto_keeps_what_must_be_included():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (100, 5)), rng.integers(0, 2, 100)
    found = ep.select(X, y, method="jmi", k="auto", include=["x2"], discretizer=None)
    assert found.indices.tolist()[:1] == [2]


WEIGHTS = {
    "by row": lambda rng, y: rng.uniform(0.2, 1.8, y.size),
    "by class": lambda rng, y: np.where(y == 0, 3.0, 0.3),
}


@pytest.mark.parametrize("kind", WEIGHTS)
def test_permutation_with_weights_on_noise(kind, capsys):
    """Rows of unequal weight are still noise, whether or not their weight depends on the class."""
    hits = 0
    for trial in range(100):
        rng = np.random.default_rng([5, trial])
        X, y = rng.integers(0, 3, (80, 8)), rng.integers(0, 2, 80)
        found = ep.select(
            X, y, method="jmi", k="auto", discretizer=None, sample_weight=WEIGHTS[kind](rng, y), test="permutation",
            n_permutations=99, random_state=0,
        )  # fmt: skip
        hits += len(found) > 0
    with capsys.disabled():
        print(f"\n  false selections by permutation, weights {kind}: {hits} of 100")
    assert hits <= binom.ppf(0.999, 100, ALPHA)


def test_permutation_with_balancing_weights_keeps_a_strong_signal():
    """15 % of the rows in one class, weighted to one half, as class_weight="balanced" does."""
    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.15).astype(int)
    X = rng.integers(0, 3, (300, 8))
    X[:, 2] = np.where(rng.random(300) < 0.6, y, X[:, 2])
    w = np.where(y == 1, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    found = ep.select(
        X, y, method="jmi", k="auto", discretizer=None, sample_weight=w, test="permutation", random_state=0
    )
    assert found.indices.tolist()[:1] == [2]


@pytest.mark.parametrize("method", ["jmi", "cmim"])
def test_elimination_is_told_how_many(method):
    """It must not return all of the noise; by tests of its own it cannot stop."""
    X, y = NOISE["binary, 2 classes"](np.random.default_rng(0))
    assert len(ep.select(X, y, method=method, k="auto", search="backward", discretizer=None)) == 0
    with pytest.raises(InvalidParameter, match=r"auto.*backward|backward.*auto"):
        ep.select(X, y, method=method, k="auto", search="backward", discretizer=None, test="chi2")


MUST_BE_TOLD = {("pairs", "joint"), ("pairs", "chi2"), ("given", "chi2")} | {
    (name, "chi2") for name, entry in SEARCH_ENTRIES.items() if entry.sized
}


@pytest.mark.parametrize("test", ["joint", "chi2"])
@pytest.mark.parametrize("search", SEARCH_ENTRIES)
def test_every_search_selects_nothing_from_noise(search, test):
    """It heeds the evidence, or is told that nothing is to be chosen, or says that it cannot stop by itself."""
    method = next(name for name, entry in REGISTRY.items() if search in entry.searches)
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((120, 8)), rng.integers(0, 2, 120)
    options = {"restarts": 1} if search == "l1" else {}
    how = {"method": method, "search": search, "k": "auto", "test": test, "random_state": 0, **options}
    if (search, test) in MUST_BE_TOLD:
        with pytest.raises(InvalidParameter, match=r"^k: .*(pass a number|no stopping rule)"):
            ep.select(X, y, **how)
    else:
        assert ep.select(X, y, **how).names == []


@pytest.mark.parametrize(
    ("method", "options", "rate", "bins"),
    [
        ("jmi", {}, "family-wise error 0.05", True),
        ("jmi", {"test": "chi2"}, "false-discovery rate 0.05", True),
        ("jmi", {"test": "permutation", "alpha": 0.1, "n_permutations": 49}, "family-wise error 0.1", True),
        ("wilks", {"test": "chi2"}, "false-discovery rate 0.05", False),
        ("fisher", {}, "family-wise error 0.05", False),
    ],
)
def test_where_nothing_is_chosen_a_note_says_what_was_tested_and_what_to_try(method, options, rate, bins):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 4)), np.repeat([0, 1], 30)
    nothing = ep.select(X, y, method=method, k="auto", random_state=0, **options)
    assert len(nothing) == 0
    tested, remedy = nothing.notes[-2:]
    assert tested.startswith("no feature selected: of 4 tested on 60 rows")
    assert tested.endswith(f"({rate})")
    assert remedy.startswith("try k=4")
    assert ("discretizer" in remedy) == bins
    assert tested in nothing.explain()
    some = ep.select(X, y, method=method, k=1)
    assert not any("no feature selected" in note for note in some.notes)


def benjamini_hochberg(p, alpha):
    """How many the step-up procedure rejects: the largest r with p_(r) ≤ α r / m."""
    m = len(p)
    return max((r for r in range(1, m + 1) if sorted(p)[r - 1] <= alpha * r / m), default=0)


@pytest.mark.parametrize("kind", ["anova", "fisher", "pearson"])
@pytest.mark.parametrize("first", [(), (399, 3)])
def test_a_ranking_stops_where_the_whole_list_does(kind, first):
    """Not where a new look at what is left would: half of all columns matter, most of them a little."""
    from scipy.stats import f_oneway

    from entropick.measures.baselines.correlation import Pearson
    from entropick.measures.baselines.variance import Anova, Fisher
    from entropick.measures.pairwise.chance import MeasureEvidence
    from entropick.search.ranking import ranking
    from entropick.search.task import Task
    from entropick.statistics.marginals import Marginals

    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], 60)
    X = rng.standard_normal((120, 400))
    X[:, :200] += np.linspace(1.5, 0.1, 200) * y[:, None]
    measure = {"anova": Anova, "fisher": Fisher, "pearson": Pearson}[kind](Marginals(400, 2).update(X, y))
    outcome = ranking(measure, Task(400, np.ones(400, bool), first, evidence=MeasureEvidence(measure, ALPHA)))
    picks = [choice.candidate for choice in outcome.choices]
    free = np.setdiff1d(np.arange(400), first)
    p = np.array([f_oneway(X[y == 0, j], X[y == 1, j]).pvalue for j in range(400)])
    expected = benjamini_hochberg(p[free], ALPHA)
    assert tuple(picks[: len(first)]) == first
    assert sorted(picks[len(first) :]) == sorted(free[np.argsort(p[free])[:expected]].tolist())
    assert all(choice.p_value == pytest.approx(p[choice.candidate]) for choice in outcome.choices[len(first) :])
    assert "false-discovery" in outcome.stopped
