"""Global selection: time given the matrices, gaps to the best set, the semidefinite relaxation, Nyström.

    python benchmarks/global_selection.py rank      # spectral, QPFS, greedy mRMR at n = 1 000, 5 000, 10 000
    python benchmarks/global_selection.py sdp       # time and memory to n = 2 000
    python benchmarks/global_selection.py gaps      # against every set, and the share of equal sets (needs data)
    python benchmarks/global_selection.py nystrom   # matrix time and rank correlation at γ = 0.2 (needs data)

Real data are NAME.npz files in the folder that ENTROPICK_DATA names.
"""

from __future__ import annotations

import resource
import sys

import numpy as np

from entropick.coding import Coder
from entropick.datasets.loaders import find
from entropick.measures.quadratic.form import QuadraticForm
from entropick.measures.quadratic.information import ConditionalInformation
from entropick.measures.quadratic.program import QPFS
from entropick.search.exhaustive import best_set
from entropick.search.relaxations.semidefinite import semidefinite
from entropick.search.relaxations.simplex_program import simplex_program
from entropick.search.relaxations.spectral import spectral
from entropick.sources import as_table
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.pair_matrices import LevelPairs
from reproduction.vinh_times import asked, conditional_matrix, greedy_mrmr, timed


def redundancy(n, definite, random):
    """A matrix like one of informations; positive definite, or as estimates are: not quite."""
    A = random.random((n, 100)) ** 3
    H = A @ A.T / 100
    if not definite:
        for start in range(0, n, 500):
            H[start : start + 500] += random.random((min(500, n - start), n)) * 0.05
        H += H.T.copy()
        H /= 2
    H[np.diag_indices(n)] += random.uniform(0.5, 1.0, n)
    return H


def ranked(n, definite):
    """Seconds of spectral, QPFS and greedy mRMR on one matrix, and what QPFS reports."""
    random = np.random.default_rng(n)
    H, f = redundancy(n, definite, random), random.random(n)
    alpha = H.mean() / (H.mean() + f.mean())
    form = QuadraticForm(H, f)
    program = QuadraticForm(H, f, linear=alpha * f, curvature=-0.5 * (1 - alpha), per_size=True)
    _, a = timed(lambda: spectral(form, asked(form, n)))
    found, b = timed(lambda: simplex_program(program, asked(program, n)))
    return a, b, timed(lambda: greedy_mrmr(f, H))[1], found.details


def rank():
    ranked(500, False)  # loads SciPy's solvers
    print(f"{'n':>6} {'matrix':>11} {'spectral':>9} {'QPFS':>8} {'mRMR':>8} {'QPFS/spectral':>14}  support shift gap")
    for n in (1000, 5000, 10000):
        for name in ("definite", "indefinite"):
            a, b, c, d = ranked(n, name == "definite")
            proof = f"{d['support']} {d['convex_shift']:.3g} {d['duality_gap']:.1e}"
            print(f"{n:>6} {name:>11} {a:9.3f} {b:8.3f} {c:8.3f} {b / a:14.1f}  {proof}", flush=True)


def informations(n, random):
    """A matrix like Q: means of relevances, less what pairs share."""
    f = random.gamma(1.0, 0.1, n)
    shared = random.random((n, n)) * 0.5
    Q = (f[:, None] + f[None, :]) / 2 * (1 - (shared + shared.T) / 2)
    np.fill_diagonal(Q, f)
    return Q, f


def sdp():
    print(f"{'n':>6} {'k':>4} {'solver':>9} {'seconds':>8} {'gap':>8} {'peak MB':>8} steps")
    for n in (100, 300, 500, 1000, 2000):
        Q, f = informations(n, np.random.default_rng(n))
        form = QuadraticForm(Q, f, random=np.random.default_rng(0))
        found, seconds = timed(lambda form=form: semidefinite(form, asked(form, 50)))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        d = found.details
        print(
            f"{n:>6} {50:>4} {d['solver']:>9} {seconds:8.1f} {d['gap']:8.5f} {peak:8.0f} {d['iterations']}", flush=True
        )


def statistics(name, discretizer="mdl"):
    problem = find(name)
    table = as_table(problem.X)
    y = np.unique(problem.y, return_inverse=True)[1].astype(np.int32)
    classes = int(y.max()) + 1
    coder = Coder(discretizer, "level").fit(table, y, classes, None)
    own = LevelStatistics(coder.levels, classes, n_jobs=2)
    return own.update(lambda start, stop: coder.by_row(table, start, stop), y)


WAYS = (
    (spectral, {}),
    (semidefinite, {"tight": False, "solver": "interior"}),
    (semidefinite, {}),
    (spectral, {"improve": "swap"}),
    (semidefinite, {"improve": "swap"}),
)


def gaps():
    form = ConditionalInformation(statistics("waveform21"), random=np.random.default_rng(0))
    better = ConditionalInformation(statistics("waveform21"), random=np.random.default_rng(0), improve="swap")
    print("waveform21, percent below the best set: k, spectral, with swaps, semidefinite, its proven gap")
    for k in range(1, 21):
        best = form.value(best_set(form, k, np.arange(21)))
        a, b, c = (
            search(f, asked(f, k)).details for f, search in ((form, spectral), (better, spectral), (form, semidefinite))
        )
        below = [100 * (1 - d["value"] / best) for d in (a, b, c)]
        print(f"{k:>3} " + " ".join(f"{max(0.0, x):8.3f}" for x in below) + f" {100 * c['gap']:8.3f}")
    print("data, cases; equally good sets: spectral and the paper's relaxation, spectral and ours, both with swaps;")
    print("mean value of spectral ÷ ours")
    for name in ("Waveform", "Promoter", "Optdigits", "Lung"):
        Q, f = conditional_matrix(name)
        sizes = range(1, min(f.size, 101), 1 if f.size < 100 else 10)
        found = np.array([[value(Q, f, k, *way) for way in WAYS] for k in sizes])
        equal = [np.isclose(found[:, a], found[:, b], rtol=1e-9, atol=0).sum() for a, b in ((0, 1), (0, 2), (3, 4))]
        ratio = np.mean(found[:, 0] / found[:, 2])
        print(f"{name:>12} {len(sizes):>4} " + " ".join(f"{e:>4}" for e in equal) + f" {ratio:.4f}", flush=True)


def value(Q, f, k, search, options):
    """Of the set of k that a relaxation chooses."""
    form = QuadraticForm(Q, f, random=np.random.default_rng(k), **options)
    return search(form, asked(form, k)).details["value"]


def nystrom():
    from scipy.stats import spearmanr

    def places(outcome, n):
        out = np.empty(n)
        out[[choice.candidate for choice in outcome.choices]] = np.arange(n)
        return out

    print("data, n, matrix s, sampled s, ratio, rank correlation, top-50 in common; means over 5 samples, γ = 0.2")
    for name, coding in (("mfeat", 5), ("arrhythmia", 5), ("colon_disc", None), ("madelon", 5)):
        own = statistics(name, coding)
        for measure, search in ((ConditionalInformation, spectral), (QPFS, simplex_program)):
            pairs, kind = LevelPairs(own), "redundancy" if measure is QPFS else "complement"
            pairs.rows(kind, np.arange(2))  # compiles
            n = pairs.n_features
            sampled = np.arange(0, n, 5)
            times = []
            for _ in range(3):  # in turns, the best of each: other work on the machine hits both
                _, full = timed(lambda pairs=pairs, kind=kind: pairs.matrix(kind))
                _, part = timed(lambda pairs=pairs, kind=kind, sampled=sampled: pairs.rows(kind, sampled))
                times.append((full, part))
            full, part = np.min(times, axis=0)
            whole = measure(own)
            target = places(search(whole, asked(whole, n)), n)
            rows = []
            for seed in range(5):
                form = measure(own, nystrom=0.2, random=np.random.default_rng(seed))
                found = places(search(form, asked(form, n)), n)
                common = np.sum((found < 50) & (target < 50)) / 50
                rows.append((spearmanr(found, target)[0], common))
            rho, common = np.mean(rows, axis=0)
            line = f"{full:8.2f} {part:8.2f} {part / full:6.2f} {rho:6.3f} {common:6.2f}"
            print(f"{name:>12} {n:>5} {measure.__name__:>24} {line}", flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["rank", "sdp", "gaps", "nystrom"]
    for one in wanted:
        {"rank": rank, "sdp": sdp, "gaps": gaps, "nystrom": nystrom}[one]()
