"""Tests between methods, beside SciPy, scikit-posthocs and baycomp, on the example of Demšar (2006)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from entropick.errors import InvalidInput
from entropick.evaluation import significance as own

# AUC of C4.5 with four ways of tuning on 14 tables: Demšar (2006), table 6
AUC = np.array([
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
])  # fmt: skip
ERRORS = 1 - AUC

# what the peers say of it, for machines without them: scikit-posthocs 0.17.1 and baycomp 1.0.3
NEMENYI = [0.08867271, 0.95617718, 0.07418480, 0.25922807, 0.99985945, 0.22669689]
WILCOXON = [0.06454280, 0.86126233, 0.07937180, 0.16298614, 0.65565135, 0.12090375]
SIGNS = {  # (method, other, region of equivalence): two million draws
    (0, 1, 0.01): (0.212016, 0.787984, 0.0),
    (0, 3, 0.01): (0.953193, 0.046014, 0.000794),
    (1, 3, 0.001): (0.526696, 0.161462, 0.311843),
}
PAIRS = np.triu_indices(4, 1)


def test_as_the_peers_said():
    np.testing.assert_allclose(own.nemenyi(ERRORS)[PAIRS], NEMENYI, atol=1e-8)
    np.testing.assert_allclose(own.wilcoxon(ERRORS)[PAIRS], WILCOXON, atol=1e-8)
    random = np.random.default_rng(0)
    a, b = random.normal(0.8, 0.02, 100), random.normal(0.81, 0.02, 100)
    p = own.corrected_t(np.column_stack([a, b]), 1 / 9)[0, 1]
    assert p == pytest.approx(2 * 0.2130966887591924, rel=1e-9)
    for (first, second, rope), expected in SIGNS.items():
        found = own.bayesian_sign(ERRORS[:, second], ERRORS[:, first], rope)
        np.testing.assert_allclose([found.first, found.equivalent, found.second], expected, atol=0.008)


def test_friedman_as_published():
    """Mean ranks 3.143, 2.000, 2.893, 1.964; χ² 9.28 without, F 3.69; SciPy has the same χ² corrected for ties."""
    found = own.friedman(ERRORS)
    np.testing.assert_allclose(found.ranks, [3.143, 2.000, 2.893, 1.964], atol=0.0006)
    untied = 12 * 14 / 20 * ((found.ranks - 2.5) ** 2).sum()
    assert untied == pytest.approx(9.28, abs=0.005)
    assert 13 * untied / (14 * 3 - untied) == pytest.approx(3.69, abs=0.005)
    chi2, p = stats.friedmanchisquare(*ERRORS.T)
    assert (found.chi2, found.p_value) == pytest.approx((chi2, p), rel=1e-12)
    assert found.f == pytest.approx(13 * chi2 / (42 - chi2))


def test_nemenyi():
    """Published: CD 1.25 at 0.05 and 1.12 at 0.10 with q of 2.569 and 2.291."""
    assert own.critical_difference(4, 14) == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=5e-4)
    assert own.critical_difference(4, 14, 0.1) == pytest.approx(2.291 * np.sqrt(4 * 5 / (6 * 14)), abs=5e-4)
    posthocs = pytest.importorskip("scikit_posthocs")
    np.testing.assert_allclose(own.nemenyi(ERRORS), posthocs.posthoc_nemenyi_friedman(ERRORS).to_numpy(), atol=1e-9)


def test_wilcoxon_with_holm():
    """Published: C4.5 against C4.5+m, T = 12, z = −2.541 → p 0.011."""
    posthocs = pytest.importorskip("scikit_posthocs")
    rows = np.column_stack([ERRORS.T.ravel(), np.repeat(np.arange(4), 14)])
    expected = posthocs.posthoc_wilcoxon([rows[rows[:, 1] == m, 0] for m in range(4)], p_adjust="holm").to_numpy()
    np.testing.assert_allclose(own.wilcoxon(ERRORS), expected, rtol=1e-9)
    single = stats.wilcoxon(ERRORS[:, 0], ERRORS[:, 1]).pvalue
    assert own.wilcoxon(ERRORS[:, :2])[0, 1] == pytest.approx(single)


def test_holm_by_hand():
    np.testing.assert_allclose(own.holm(np.log([0.01, 0.04, 0.03, 0.5]), 4), [0.04, 0.09, 0.09, 0.5])


def test_corrected_t():
    """baycomp's posterior of the correlated t-test has the same t; two tails of it are the p-value."""
    baycomp = pytest.importorskip("baycomp")
    random = np.random.default_rng(0)
    a, b = random.normal(0.8, 0.02, 100), random.normal(0.81, 0.02, 100)
    left, right = baycomp.CorrelatedTTest.probs(a, b, rope=0, runs=10)
    assert own.corrected_t(np.column_stack([a, b]), 1 / 9)[0, 1] == pytest.approx(2 * min(left, right), rel=1e-6)


def test_bayesian_sign():
    """baycomp places the prior the same way and draws as many."""
    baycomp = pytest.importorskip("baycomp")
    for first, second, rope in [(0, 1, 0.01), (0, 3, 0.01), (1, 3, 0.001)]:
        np.random.seed(0)  # noqa: NPY002
        expected = baycomp.SignTest.probs(AUC[:, second], AUC[:, first], rope=rope, nsamples=50000)
        found = own.bayesian_sign(ERRORS[:, second], ERRORS[:, first], rope)
        np.testing.assert_allclose([found.first, found.equivalent, found.second], expected, atol=0.012)


def test_cliques():
    assert own.cliques([3.143, 2.0, 2.893, 1.964], own.critical_difference(4, 14)) == [(3, 1, 2, 0)]
    assert own.cliques([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]


def test_size_of_the_corrected_t():
    """Under the null and folds that share rows, the plain t rejects far too often, the corrected one about 5 %."""
    random = np.random.default_rng(1)
    shared = 0.1 / 1.1  # correlation of folds that the correction stands for: share / (1 + share)
    rejected = []
    for _ in range(600):
        common = random.normal(size=(1, 2)) * np.sqrt(shared)
        errors = common + random.normal(size=(20, 2)) * np.sqrt(1 - shared)
        rejected.append((own.corrected_t(errors, 0.1)[0, 1] < 0.05, stats.ttest_rel(*errors.T).pvalue < 0.05))
    corrected, plain = np.mean(rejected, axis=0)
    assert corrected < 0.08
    assert plain > 0.15


def test_what_is_refused():
    for errors in (np.zeros(3), np.zeros((1, 3)), np.full((3, 3), np.nan)):
        with pytest.raises(InvalidInput):
            own.friedman(errors)


def test_all_alike():
    found = own.friedman(np.ones((4, 3)))
    assert (found.chi2, found.p_value) == (0.0, 1.0)
    assert (own.wilcoxon(np.ones((4, 3))) == 1).all()
    assert (own.corrected_t(np.ones((4, 3)), 0.25) == 1).all()
