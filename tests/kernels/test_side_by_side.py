"""Columns side by side against tables counted cell by cell, and links against their formulas in NumPy."""

import numpy as np
import pytest

from entropick.kernels.entropy import fraction_bits, phi_table
from entropick.kernels.links import LINKS
from entropick.kernels.side_by_side import LINE
from entropick.measures.pairwise.clipped import ICAP
from entropick.measures.pairwise.linear import JMI, MRMR
from entropick.measures.pairwise.minimum import CMIM, JMIM
from entropick.measures.pairwise.quotient import MIQ
from entropick.measures.pairwise.ratio import DISR
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.side_by_side import GatheredLines
from entropick.statistics.levels.tables import Tables, Terms
from reference.counts import pair_table


def made(seed, n, levels, n_classes):
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, n_classes, n)
    codes = (rng.random((len(levels), n)) * np.asarray(levels)[:, None]).astype(np.uint8)
    return codes, classes, LevelStatistics(levels, n_classes).update(codes, classes)


SHAPES = [
    (500, [2, 3, 4, 5, 6, 8, 9, 13, 16, 17, 25, 32] * 2, 2),  # every kind of product
    (900, [5] * 9, 3),  # counts on both sides of those that are looked up by bytes
    (5, [2, 3], 1),
    (72, [3] * 300, 2),
    (150, [5, 2, 5, 1, 7, 2, 32, 3] * 9, 3),  # lines of mixed levels, and a column of one
    (700, [2] * 20 + [4] * 20, 5),  # several words a class, and words left over
]


@pytest.mark.parametrize(("n", "levels", "n_classes"), SHAPES)
@pytest.mark.parametrize("by_class", [True, False])
def test_terms_are_those_of_tables_counted_cell_by_cell(n, levels, n_classes, by_class):
    codes, classes, statistics = made(n, n, levels, n_classes)
    tables = statistics.tables
    side = tables.side
    phi = phi_table(n, fraction_bits(n))
    for feature in (0, 1, len(levels) - 1):
        out = Terms(side.n_lines * LINE)
        side.count(
            side.new(tables.variable(feature)), tables.side_phi, by_class, 0, side.n_lines, out.joint, out.joint_class
        )
        for other in range(len(levels)):
            counts = pair_table(
                codes[feature], codes[other], classes, np.ones(n, int), levels[feature], levels[other], n_classes
            )
            at = side.place[other]
            assert out.joint[at] == phi[counts.sum(axis=0)].sum()
            if by_class:
                assert out.joint_class[at] == phi[counts].sum()


@pytest.mark.parametrize(("n", "levels", "n_classes"), SHAPES)
def test_whichever_kernel_counts_entropies_have_the_same_bits(monkeypatch, n, levels, n_classes):
    found = []
    for beside in (True, False):
        monkeypatch.setattr(Tables, "_by_side", lambda self, *_, beside=beside: beside)
        statistics = made(n, n, levels, n_classes)[2]
        own = [statistics.singles(), *(statistics.pairs(j) for j in (0, 1, len(levels) - 1))]
        own += [statistics.pairs(0, by_class=False), statistics.pairs(0, [1])]
        found.append([array for terms in own for array in (terms.feature, terms.feature_class)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("n", "levels", "n_classes"), SHAPES)
def test_fronts_have_the_entropies_of_all_pairs(n, levels, n_classes):
    statistics = made(n, n, levels, n_classes)[2]
    worth = np.random.default_rng(0).random(len(levels))
    fronts = statistics.fronts(worth)
    assert sorted(np.concatenate([front.features for front in fronts])) == list(range(len(levels)))
    assert worth[fronts[0].features].min() >= max((worth[front.features].max() for front in fronts[1:]), default=0.0)
    for feature in (0, len(levels) - 1):
        everyone = statistics.pairs(feature)
        for front in fronts:
            own = front.pairs(feature)
            np.testing.assert_array_equal(own.feature, everyone.feature[front.features])
            np.testing.assert_array_equal(own.feature_class, everyone.feature_class[front.features])


def test_lines_of_ones_own_have_the_slices_of_their_features():
    codes, classes, statistics = made(3, 130, [4, 2, 9, 4, 2, *[3] * 9], 2)
    features = np.array([1, 4, 0, *range(5, 14)])
    gathered = GatheredLines(statistics.tables.side, features).own
    order = np.argsort(classes, kind="stable")
    starts, steps, _ = gathered.columns
    for at, feature in enumerate(features):
        level = codes[feature][order]
        for b in range(statistics.levels[feature]):
            rows = [np.count_nonzero(level[classes[order] == c] == b) for c in (0, 1)]
            assert gathered.margin(at // LINE)[b, :, at % LINE].tolist() == rows
        words = gathered.lines[starts[at] + steps[at] * np.arange(gathered.n_words)]
        assert np.bitwise_count(words).sum() == np.count_nonzero(level & 1)


@pytest.mark.parametrize("criterion", [JMI, MRMR, MIQ, DISR, ICAP, JMIM, CMIM])
def test_compiled_links_have_the_bits_of_their_formulas(criterion):
    statistics = made(7, 90, [3, 2, 5, 4] * 5, 3)[2]
    fast, plain = criterion(statistics), type("Plain", (criterion,), {"compiled": None})(statistics)
    for pick in (3, 0, 11):
        fast.add(pick)
        plain.add(pick)
        free = np.flatnonzero(fast._free)
        np.testing.assert_array_equal(fast.gains()[free], plain.gains()[free])
        np.testing.assert_array_equal(fast.made_redundant(), plain.made_redundant())
        assert fast.account(5) == plain.account(5)


def test_a_derived_criterion_is_not_taken_for_the_compiled_one():
    class Half(JMI):
        def link(self, pair):
            return 0.5 * pair.redundancy, 0.5 * pair.complementarity

    assert Half.compiled is None
    assert type("Same", (JMI,), {}).compiled in LINKS
