"""The semidefinite relaxation against enumeration, a general conic solver and itself."""

import numpy as np
import pytest
from test_global_selection import chosen, every, random_form, random_program, waveform_form

from entropick.errors import InvalidParameter
from entropick.measures.quadratic.form import QuadraticForm
from entropick.search.exhaustive import best_set
from entropick.search.relaxations.semidefinite import expanded, relax, row_cosines, semidefinite, size_vector
from entropick.search.relaxations.spectral import spectral
from entropick.search.task import Task
from reference import global_selection as slow


def whole(form):
    return np.arange(form.n_candidates)


@pytest.mark.parametrize("solver", ["interior", "low-rank"])
@pytest.mark.parametrize("k", [2, 5, 8])
def test_bounds_hold_and_the_tight_relaxation_finds_the_best_set(solver, k):
    for seed in range(3):
        form = random_form(13, seed, solver=solver)
        best = form.value(best_set(form, k, whole(form)))
        paper = relax(form, whole(form), k, solver, tight=False)
        tight = relax(form, whole(form), k, solver)
        assert best <= tight.bound * (1 + 1e-9)
        assert tight.bound <= paper.bound * (1 + 1e-4)
        assert paper.value == pytest.approx(paper.bound, rel=1e-3)
        found = semidefinite(form, Task(k, every(form)))
        assert found.details["value"] == pytest.approx(best, rel=0.01)
        assert found.details["value"] <= found.details["upper_bound"] * (1 + 1e-9)
        assert len(set(chosen(found))) == k


@pytest.mark.parametrize("tight", [True, False])
def test_interior_and_low_rank_solve_the_same_problem(tight):
    form = random_form(40, 4)
    one, two = (relax(form, whole(form), 12, solver, tight) for solver in ("interior", "low-rank"))
    assert one.bound == pytest.approx(two.bound, rel=2e-3)
    for relaxed in (one, two):
        np.testing.assert_allclose(np.linalg.norm(relaxed.factor, axis=1), 1.0, atol=1e-9)
        assert (relaxed.factor[1:] @ relaxed.factor[0]).sum() == pytest.approx(2 * 12 - 40, abs=0.02)


def test_against_a_general_conic_solver():
    clarabel = pytest.importorskip("clarabel")
    from scipy import sparse

    form, k = random_form(12, 1), 4
    n, N = 12, 13
    rows, columns = np.triu_indices(N)
    order = np.lexsort((rows, columns))  # the upper triangle column by column
    rows, columns = rows[order], columns[order]
    scale = np.where(rows == columns, 1.0, np.sqrt(2.0))
    for penalty in (0.0, 3.0):
        q = size_vector(n, 2 * k - n)
        C = expanded(form.matrix) - penalty * np.outer(q, q)
        # dual form: min 1ᵀd + 2(2k − n)μ with Diag(d) + μE − C in the cone
        A = np.zeros((rows.size, N + 1))
        for t, (i, j) in enumerate(zip(rows, columns, strict=True)):
            if i == j:
                A[t, i] = 1.0
            elif i == 0:
                A[t, N] = scale[t]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        solution = clarabel.DefaultSolver(
            sparse.csc_matrix((N + 1, N + 1)),
            np.append(np.ones(N), 2.0 * (2 * k - n)),
            sparse.csc_matrix(-A),
            -C[rows, columns] * scale,
            [clarabel.PSDTriangleConeT(N)],
            settings,
        ).solve()
        from entropick.search.relaxations.semidefinite_interior import interior

        assert interior(form.matrix, k, penalty).bound == pytest.approx(solution.obj_val / 4, rel=1e-5)


def test_waveform_sets_are_near_the_best_and_the_bound_says_so():
    form = waveform_form()
    same = 0
    for k in range(1, 21):
        best = form.value(best_set(form, k, whole(form)))
        found = semidefinite(form, Task(k, every(form))).details
        assert best <= found["upper_bound"] * (1 + 1e-9)
        assert found["value"] >= best * (1 - 5e-3)
        assert found["upper_bound"] <= best * (1.02 if k >= 6 else 1.3)
        plain = spectral(form, Task(k, every(form)))
        same += plain.details["value"] == pytest.approx(found["value"], rel=1e-9)
    assert same >= 10  # spectral and semidefinite agree in most cases


def test_the_papers_rounding_is_by_the_cosine_of_rows_of_y():
    form = random_form(9, 0, projections=40)
    factor = relax(form, whole(form), 3, "interior", tight=False).factor
    form.random = np.random.default_rng(5)
    found = row_cosines(form, factor)
    random, Y = np.random.default_rng(5).standard_normal((10, 40)), factor @ factor.T
    for t, vector in enumerate(random.T):
        cosines = [row @ vector / np.linalg.norm(row) for row in Y]
        np.testing.assert_allclose(found[:, t], np.sign(cosines[0]) * np.array(cosines[1:]), atol=1e-12)


def test_the_papers_sets_are_mostly_the_spectral_ones():
    form, same, apart = waveform_form(tight=False), 0, 0
    for k in range(1, 21):
        sets = [set(chosen(search(form, Task(k, every(form))))) for search in (spectral, semidefinite)]
        same += sets[0] == sets[1]
        apart = max(apart, len(sets[0] - sets[1]))
    assert same >= 16
    assert apart <= 2


def test_the_seed_decides_and_nothing_else():
    one, two = (semidefinite(random_form(30, 2), Task(7, every(random_form(30, 2)))) for _ in range(2))
    assert chosen(one) == chosen(two)
    assert [c.score for c in one.choices] == [c.score for c in two.choices]


def test_include_exclude_and_complete_rankings():
    form = random_form(20, 3)
    allowed = every(form)
    allowed[:4] = False
    found = semidefinite(form, Task(5, allowed, (9,)))
    assert chosen(found)[0] == 9
    assert min(chosen(found)) >= 4
    complete = semidefinite(form, Task(20, every(form)))
    assert sorted(chosen(complete)) == list(range(20))
    assert complete.details["size"] == 10
    alone = QuadraticForm([[0.5]], [0.5])
    assert chosen(semidefinite(alone, Task(1, every(alone)))) == [0]


def test_swaps_improve_on_the_rounded_set():
    form = random_form(24, 5, improve="swap")
    found = semidefinite(form, Task(6, every(form))).details
    assert found["value"] >= found["value_before_swaps"] - 1e-12


def test_a_program_is_refused():
    form = random_program(10)
    with pytest.raises(InvalidParameter, match="linear term"):
        semidefinite(form, Task(3, every(form)))


def test_reference_enumeration_agrees():
    form = random_form(9, 7)
    assert set(best_set(form, 4, whole(form))) == set(slow.best_set(form.matrix, 4))
