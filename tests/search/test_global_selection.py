"""The global searches against closed forms, enumeration and general solvers."""

import numpy as np
import pytest

from entropick.errors import InvalidParameter
from entropick.measures.quadratic.form import QuadraticForm, sampled_factor
from entropick.measures.quadratic.information import ConditionalInformation
from entropick.measures.quadratic.program import EQPFS, QPFS
from entropick.search.exhaustive import best_set, exhaustive
from entropick.search.relaxations.simplex_program import simplex_program
from entropick.search.relaxations.spectral import spectral
from entropick.search.relaxations.swap import swap
from entropick.search.task import Task
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.pair_matrices import LevelPairs
from entropick.statistics.rows import RowStatistics
from reference import global_selection as slow


def every(form):
    return np.ones(form.n_candidates, bool)


def chosen(outcome):
    return [choice.candidate for choice in outcome.choices]


def smoking():
    """Example 1 of Vinh et al. (2014) as 80 rows: S smoking (4 levels), G coughing, C lung cancer."""
    S, G, C = [], [], []
    for level, cancer in ((0, 0), (1, 0), (2, 1), (3, 1)):
        for coughing in (0, 1):
            times = 19 if coughing == cancer else 1
            S += [level] * times
            G += [coughing] * times
            C += [cancer] * times
    return LevelStatistics([4, 2], 2).update(np.array([S, G]), np.array(C))


def random_form(n, seed=0, **extra):
    """A form as pairwise informations make it: positive, relevant pairs less what they share."""
    random = np.random.default_rng(seed)
    f = random.gamma(1.0, 0.1, n)
    shared = random.random((n, n)) * 0.5
    Q = (f[:, None] + f[None, :]) / 2 * (1 - (shared + shared.T) / 2)
    np.fill_diagonal(Q, f)
    return QuadraticForm(Q, f, random=np.random.default_rng(seed), **extra)


def random_program(n, seed=0, definite=True, balance=0.5):
    random = np.random.default_rng(seed)
    H = np.exp(random.normal(-3, 1, (n, n)))
    H = (H + H.T) / 2
    np.fill_diagonal(H, random.uniform(0.5, 1.6, n) + (np.abs(H).sum(axis=1) if definite else 0))
    f = random.random(n)
    return QuadraticForm(H, f, linear=balance * f, curvature=-0.5 * (1 - balance), per_size=True)


# -- Example 1 ------------------------------------------------------------------------------------------------


def test_example_1_informations_as_printed():
    pairs = LevelPairs(smoking())
    bits = np.log(2)
    np.testing.assert_allclose(pairs.relevance / bits, [1.0, 0.7136], atol=5e-5)
    np.testing.assert_allclose(pairs.matrix("redundancy") / bits, [[2, 0.7136], [0.7136, 1]], atol=5e-5)
    Q = pairs.matrix("complement") / bits
    np.testing.assert_allclose(Q, [[1, 0.2864 / 2], [0.2864 / 2, 0.7136]], atol=5e-5)


def test_example_1_weights_as_printed():
    statistics = smoking()
    program = QPFS(statistics)
    found = simplex_program(program, Task(2, every(program)))
    assert [round(w, 2) for w in found.details["weights"]] == [0.42, 0.58]
    assert chosen(found) == [1, 0]
    form = ConditionalInformation(statistics)
    found = spectral(form, Task(2, every(form)))
    assert [round(w, 2) for w in found.details["weights"]] == [0.92, 0.38]
    assert chosen(found) == [0, 1]


# -- spectral -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [30, 450])
def test_spectral_is_the_eigenvector_of_one_sign(n):
    form = random_form(n)
    found = spectral(form, Task(n, every(form)))
    values, vectors = np.linalg.eigh(form.matrix)
    np.testing.assert_allclose(found.details["weights"], np.abs(vectors[:, -1]), atol=1e-7)
    assert found.details["eigenvalue"] == pytest.approx(values[-1])
    assert chosen(found) == sorted(range(n), key=lambda j: -abs(vectors[j, -1]))
    assert found.stopped == "every feature is ranked"


def test_a_shared_eigenvalue_weighs_alike_blocks_alike():
    one = np.array([[2.0, 1.0], [1.0, 1.0]])
    Q = np.kron(np.eye(2), one)
    form = QuadraticForm(Q, np.diag(Q))
    weights = spectral(form, Task(4, every(form))).details["weights"]
    np.testing.assert_allclose(weights[:2], weights[2:], atol=1e-12)
    assert weights.min() > 0


@pytest.mark.parametrize("n", [5, 500])
def test_no_direction_is_better_than_another(n):
    for Q in (np.eye(n), np.zeros((n, n)), np.ones((n, n))):
        form = QuadraticForm(Q, np.ones(n))
        found = spectral(form, Task(3, every(form)))
        assert chosen(found) == [0, 1, 2]
        np.testing.assert_allclose(found.details["weights"], n**-0.5, atol=1e-12)


def test_a_reducible_matrix_leaves_the_lesser_block_at_zero():
    Q = np.zeros((5, 5))
    Q[:2, :2] = [[0.2, 0.1], [0.1, 0.2]]
    Q[2:, 2:] = 1.0
    form = QuadraticForm(Q, np.diag(Q))
    found = spectral(form, Task(5, every(form)))
    assert chosen(found) == [2, 3, 4, 0, 1]
    assert np.all(found.details["weights"] >= 0)


def test_one_candidate():
    form = QuadraticForm([[0.5]], [0.5])
    assert chosen(spectral(form, Task(1, every(form)))) == [0]


def test_excluded_candidates_are_as_if_not_there_and_included_come_first():
    form = random_form(30)
    allowed = every(form)
    allowed[:5] = False
    found = spectral(form, Task(6, allowed, (20, 7)))
    alone = QuadraticForm(form.matrix[5:, 5:], form.relevance[5:])
    twin = spectral(alone, Task(25, every(alone)))
    assert chosen(found)[:2] == [20, 7]
    assert chosen(found)[2:] == [j + 5 for j in chosen(twin) if j + 5 not in (20, 7)][:4]


# -- simplex program ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_program_against_a_general_solver(seed):
    form = random_program(25, seed, balance=0.7)
    found = simplex_program(form, Task(25, every(form)))
    w, objective = slow.simplex_minimum(0.3 * form.matrix, form.linear)
    assert found.details["convex_shift"] == 0
    assert found.details["objective"] <= objective + 1e-9
    assert found.details["duality_gap"] <= 1e-9
    np.testing.assert_allclose(found.details["weights"], w, atol=1e-4)


def test_program_against_quadprog():
    quadprog = pytest.importorskip("quadprog")
    for seed in range(3):
        form = random_program(300, seed, balance=0.8)
        found = simplex_program(form, Task(300, every(form)))
        n = 300
        constraints = np.column_stack([np.ones(n), np.eye(n)])
        w, value, *_ = quadprog.solve_qp(0.2 * form.matrix, form.linear, constraints, np.append(1.0, np.zeros(n)), 1)
        assert found.details["objective"] == pytest.approx(value, abs=1e-9)
        np.testing.assert_allclose(found.details["weights"], w, atol=1e-6)


@pytest.mark.parametrize("n", [60, 400])
def test_an_indefinite_matrix_is_shifted_and_the_gap_proves_the_answer(n):
    form = random_program(n, definite=False)
    found = simplex_program(form, Task(10, every(form)))
    least = np.linalg.eigvalsh(form.matrix)[0]
    shift = found.details["convex_shift"]
    assert -least <= shift * (1 + 1e-6) <= -1.01 * least
    w = found.details["weights"]
    G = 0.5 * (form.matrix + shift * np.eye(n))
    gradient = G @ w - form.linear
    assert w.min() >= 0
    assert w.sum() == pytest.approx(1)
    assert gradient @ w - gradient.min() == pytest.approx(found.details["duality_gap"], abs=1e-12)
    assert found.details["duality_gap"] <= 1e-8
    scores = [choice.score for choice in found.choices]
    assert scores == sorted(scores, reverse=True)


def test_duplicates_share_a_weight_and_alpha_1_is_relevance_alone():
    f = np.array([0.5, 0.5, 0.2])
    H = np.array([[1.0, 1.0, 0.1], [1.0, 1.0, 0.1], [0.1, 0.1, 1.0]])
    form = QuadraticForm(H, f, linear=0.5 * f, curvature=-0.25, per_size=True)
    w = simplex_program(form, Task(3, every(form))).details["weights"]
    assert w.sum() == pytest.approx(1)
    twin = QuadraticForm(H[1:, 1:], f[1:], linear=0.5 * f[1:], curvature=-0.25, per_size=True)
    assert w[2] == pytest.approx(simplex_program(twin, Task(2, every(twin))).details["weights"][1], abs=1e-7)
    alone = QuadraticForm(H, f, linear=f, curvature=0.0, per_size=True)
    assert chosen(simplex_program(alone, Task(3, every(alone)))) == [0, 1, 2]


def test_zero_weights_are_ranked_by_their_multiplier():
    form = random_program(200, balance=0.9)
    found = simplex_program(form, Task(200, every(form)))
    support = found.details["support"]
    assert 0 < support < 200
    scores = np.array([choice.score for choice in found.choices])
    assert np.all(scores[:support] > 0)
    assert np.all(scores[support:] <= 0)
    assert np.all(np.diff(scores) <= 1e-12)


# -- qpfs, eqpfs ----------------------------------------------------------------------------------------------


def coded(d=14, n=300, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n)
    codes = np.array([np.where(random.random(n) < 0.7, random.integers(0, 4, n), y + j % 2) for j in range(d)])
    return codes, y, LevelStatistics(np.full(d, 4), 3).update(codes, y)


def test_recommended_alpha():
    codes, y, statistics = coded()
    f, H1, _, _ = slow.matrices(codes, y)
    form = QPFS(statistics)
    alpha = H1.mean() / (H1.mean() + f.mean())
    assert form.details()["alpha"] == pytest.approx(alpha)
    found = simplex_program(form, Task(14, every(form)))
    w, _ = slow.simplex_minimum((1 - alpha) * H1, alpha * f)
    np.testing.assert_allclose(found.details["weights"], w, atol=1e-5)


def test_eqpfs_is_equation_13():
    codes, y, statistics = coded(seed=1)
    f, H1, H2, _ = slow.matrices(codes, y)
    total = H1 - 0.5 * H2
    np.fill_diagonal(total, 2.0)
    form = EQPFS(statistics, balance=0.3, beta=0.5, lambda_=2.0)
    found = simplex_program(form, Task(14, every(form)))
    w, _ = slow.simplex_minimum(2 * 0.3 * total, f)
    np.testing.assert_allclose(found.details["weights"], w, atol=1e-5)
    np.fill_diagonal(total, 0.0)
    automatic = EQPFS(statistics, beta=0.5)
    assert automatic.details()["alpha"] == pytest.approx(f.mean() / (2 * np.abs(total).mean()))
    shift = simplex_program(automatic, Task(14, every(automatic))).details["convex_shift"]
    assert shift == pytest.approx(-np.linalg.eigvalsh(total)[0], rel=1e-6)


def test_qpfs_by_correlation():
    random = np.random.default_rng(0)
    X = random.standard_normal((80, 7))
    y = (X[:, 2] + X[:, 5] > 0).astype(int)
    form = QPFS(RowStatistics(X, y, 2))
    H = np.abs(np.corrcoef(X.T))
    f = np.array([slow.hall(X[:, j], y, False, True) for j in range(7)])
    alpha = H.mean() / (H.mean() + f.mean())
    found = simplex_program(form, Task(2, every(form)))
    w, _ = slow.simplex_minimum((1 - alpha) * H, alpha * f)
    np.testing.assert_allclose(found.details["weights"], w, atol=1e-5)
    assert set(chosen(found)) == {2, 5}


# -- Nyström --------------------------------------------------------------------------------------------------


def test_nystrom_of_every_row_is_the_matrix():
    _, _, statistics = coded()
    whole = ConditionalInformation(statistics)
    form = ConditionalInformation(statistics, nystrom=0.9999, random=np.random.default_rng(0))
    np.testing.assert_allclose(form.block(np.arange(14)), whole.matrix, atol=1e-7)
    assert chosen(spectral(form, Task(14, every(form)))) == chosen(spectral(whole, Task(14, every(whole))))


def test_nystrom_is_the_formula_of_the_paper():
    _, _, statistics = coded()
    pairs = LevelPairs(statistics)
    factor, report = sampled_factor(lambda index: pairs.rows("complement", index), 14, 0.5, np.random.default_rng(3))
    form = QuadraticForm(None, pairs.relevance, factor=factor)
    sample = np.sort(np.random.default_rng(3).choice(14, 7, replace=False))
    rest = np.setdiff1d(np.arange(14), sample)
    Q = LevelPairs(statistics).matrix("complement")
    A = Q[np.ix_(sample, sample)] + report["nystrom_shift"] * np.eye(7)
    B = Q[np.ix_(sample, rest)]
    values, vectors = np.linalg.eigh(A)
    root = vectors @ np.diag(values**-0.5) @ vectors.T
    sigma, u = np.linalg.eigh(A + root @ B @ B.T @ root)
    expected = np.empty(14)
    expected[sample], expected[rest] = np.split(np.vstack([A, B.T]) @ root @ u[:, -1] * sigma[-1] ** -0.5, [7])
    found = spectral(form, Task(14, every(form))).details
    assert found["eigenvalue"] == pytest.approx(sigma[-1])
    assert not found["homogenised"]
    np.testing.assert_allclose(found["weights"], np.abs(expected), atol=1e-8)


def test_sampled_rows_and_the_diagonal_are_exact():
    _, _, statistics = coded()
    form = ConditionalInformation(statistics, nystrom=0.5, random=np.random.default_rng(3))
    sample = np.sort(np.random.default_rng(3).choice(14, 7, replace=False))
    whole = ConditionalInformation(statistics)
    np.testing.assert_allclose(form.rows(sample), whole.rows(sample), atol=1e-9)
    np.testing.assert_allclose(form.diagonal(), whole.diagonal(), atol=1e-12)
    v = np.random.default_rng(0).standard_normal((14, 3))
    every_row = form.rows(np.arange(14))
    np.testing.assert_allclose(form.times(v), every_row @ v, atol=1e-12)
    np.testing.assert_allclose(form.times(v[:, 0]), every_row @ v[:, 0], atol=1e-12)
    np.testing.assert_allclose(form.block(np.array([3, 1])), every_row[np.ix_([3, 1], [3, 1])], atol=1e-12)


def test_only_sampled_rows_are_counted():
    _, _, statistics = coded()
    asked = []

    class Watched(LevelPairs):
        def rows(self, kind, features, **extra):
            asked.extend(features)
            return super().rows(kind, features, **extra)

        def matrix(self, *given, **extra):
            raise AssertionError("the whole matrix was counted")

    for measure in (ConditionalInformation, QPFS, EQPFS):
        asked.clear()
        form = measure(Watched(statistics), nystrom=0.2, random=np.random.default_rng(0))
        assert len(asked) == 3
        search = spectral if measure is ConditionalInformation else simplex_program
        assert len(chosen(search(form, Task(5, every(form))))) == 5


def test_negative_entries_go_to_the_homogenised_problem():
    random = np.random.default_rng(0)
    factor = random.standard_normal((12, 4))
    form = QuadraticForm(None, np.ones(12), factor=factor)
    found = spectral(form, Task(12, every(form)))
    assert found.details["homogenised"]
    M = factor @ factor.T
    ones = np.ones(12)
    large = np.block([[np.array([[ones @ M @ ones]]), (M @ ones)[None]], [(M @ ones)[:, None], M]])
    vector = np.linalg.eigh(large)[1][:, -1]
    vector = vector * np.sign(vector[0])
    np.testing.assert_allclose(found.details["weights"], vector[1:], atol=1e-9)
    whole = QuadraticForm(M, np.ones(12))
    assert chosen(spectral(whole, Task(12, every(whole)))) == chosen(found)


# -- sets -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 6])
def test_exhaustive_is_the_best_of_all_sets(k):
    form = random_form(11)
    found = exhaustive(form, Task(k, every(form)))
    assert set(chosen(found)) == set(slow.best_set(form.matrix, k))
    held = exhaustive(form, Task(max(k, 2), every(form), (4,)))
    assert chosen(held)[0] == 4


def test_exhaustive_refuses_too_many():
    form = random_form(30)
    with pytest.raises(InvalidParameter, match="22"):
        exhaustive(form, Task(3, every(form)))


@pytest.mark.parametrize("k", [2, 5, 9])
def test_swaps_never_lose_and_end_where_no_swap_helps(k):
    for form in (random_form(16, seed=k), random_program(16, seed=k)):
        start = np.arange(k)
        found = swap(form, start, np.arange(16), (0,))
        value = form.value(found.members)
        assert 0 in found.members
        assert value >= form.value(start)
        assert form.value(best_set(form, k, np.arange(16), (0,))) >= value - 1e-12
        for out in found.members:
            for into in np.setdiff1d(np.arange(16), found.members):
                if out != 0:
                    other = np.append(found.members[found.members != out], into)
                    assert form.value(other) <= value + 1e-11


def test_improve_swap_is_reported():
    for seed in range(6):
        form = random_form(18, seed, improve="swap")
        plain = random_form(18, seed)
        better, worse = (spectral(one, Task(5, every(one))).details for one in (form, plain))
        assert better["value"] >= worse["value"] - 1e-12
        assert better["value_before_swaps"] == pytest.approx(worse["value"])


def waveform_form(improve=None, tight=True):
    X, y = slow.waveform()
    statistics = LevelStatistics(np.full(21, 5), 3).update(slow.quantile_codes(X), y)
    return ConditionalInformation(statistics, improve=improve, tight=tight, random=np.random.default_rng(0))


def test_waveform_against_every_set():
    """Spectral within 0.1 % of the best set from k = 10 on; below, swaps are what brings it there."""
    plain, improved = waveform_form(), waveform_form("swap")
    for k in range(1, 21):
        best = plain.value(best_set(plain, k, np.arange(21)))
        gap, closed = (1 - spectral(form, Task(k, every(form))).details["value"] / best for form in (plain, improved))
        assert -1e-12 <= closed <= 1e-3
        assert closed - 1e-12 <= gap <= (1e-3 if k >= 10 else 0.5)


# -- k="auto" -------------------------------------------------------------------------------------------------


def test_auto_takes_by_weight_what_is_significant():
    form = random_form(8)

    class Only:
        rule = "nothing else"

        def __init__(self):
            self.taken = []

        def significant(self, allowed):
            return allowed & np.isin(np.arange(8), [1, 4, 6])

        def p_value(self, candidate):
            return 0.01

        def add(self, candidate):
            self.taken.append(candidate)

    found = spectral(form, Task(8, every(form), (), Only()))
    weights = found.details["weights"]
    assert chosen(found) == sorted([1, 4, 6], key=lambda j: -weights[j])
    assert found.stopped == "nothing else"


# -- copies ---------------------------------------------------------------------------------------------------


def with_copies(seed, n=300, d=8):
    """Levels of which columns 1, 5 and 8 are the same, and 2 and 9 but for the names of the levels."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    codes = [np.where(random.random(n) < 0.25, y, random.integers(0, 3, n)) for _ in range(d)]
    codes[5] = codes[1]
    codes += [codes[1].copy(), 2 - codes[2]]
    return np.array(codes), y


@pytest.mark.parametrize("measure", [QPFS, EQPFS])
@pytest.mark.parametrize("options", [{}, {"balance": 0.9}])
def test_copies_share_their_weight_and_the_first_comes_first(measure, options):
    for seed in range(12):
        codes, y = with_copies(seed)
        if "balance" in options and measure is EQPFS:
            options = {"balance": 0.2}
        sizes = [3] * len(codes)
        form = measure(LevelStatistics(sizes, 2).update(codes, y), random=np.random.default_rng(seed), **options)
        outcome = simplex_program(form, Task(len(codes), every(form)))
        w = outcome.details["weights"]
        assert w.sum() == pytest.approx(1.0)
        assert w[1] == w[5] == w[8]
        assert w[2] == w[9]
        order = chosen(outcome)
        assert order.index(1) < order.index(5) < order.index(8)
        assert order.index(2) < order.index(9)
        assert outcome.details["duality_gap"] <= 1e-7


def test_sharing_weights_costs_nothing():
    codes, y = with_copies(3)
    f, H1, _, _ = slow.matrices(codes, y)
    form = QPFS(LevelStatistics([3] * len(codes), 2).update(codes, y))
    outcome = simplex_program(form, Task(len(codes), every(form)))
    alpha = outcome.details["alpha"] if "alpha" in outcome.details else form.details()["alpha"]
    shift = outcome.details["convex_shift"]
    G = (1 - alpha) * (H1 + shift * np.eye(len(f)))
    _, least = slow.simplex_minimum(G, alpha * f)
    assert outcome.details["objective"] == pytest.approx(least, abs=1e-9)
