"""Counts of rows in parts: against plain loops, and against all rows in one piece."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources.blocks import LocalParts
from entropick.statistics.levels.counted import Layout
from entropick.statistics.levels.levels import LevelStatistics
from entropick.statistics.levels.pair_counts import PairCounts, check_size, table_bytes
from entropick.statistics.levels.parts import CountRows, PartitionedLevels, row_bytes
from reference.counts import entropy, pair_table

LEVELS = (1, 2, 3, 5, 8, 31, 40, 300)


def made(seed, n=400, n_classes=3, weighted=False, levels=LEVELS):
    random = np.random.default_rng(seed)
    codes = np.array([random.integers(0, size, n) for size in levels])
    classes = random.integers(0, n_classes, n)
    weights = random.integers(1, 5, n).astype(float) if weighted else None
    return codes, classes, weights


def parts_of(codes, classes, weights, bounds, n_classes=3, levels=LEVELS, room=1 << 62):
    kept = LocalParts(room)
    for start, stop in zip([0, *bounds], [*bounds, classes.size], strict=True):
        part = LevelStatistics(levels, n_classes)
        if stop > start:
            some = None if weights is None else weights[start:stop]
            part.update(codes[:, start:stop], classes[start:stop], some)
        kept.append(part)
    return kept


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("feature", [None, 0, 1, 4, 6])
def test_counts_equal_a_plain_loop(feature, weighted):
    codes, classes, weights = made(1, weighted=weighted)
    part = LevelStatistics(LEVELS, 3).update(codes, classes, weights)
    others = np.arange(len(LEVELS))
    n_levels = 1 if feature is None else LEVELS[feature]
    layout = Layout(others, np.array(LEVELS), n_levels, 3)
    counts = CountRows(feature, layout)(part)
    own = np.zeros(classes.size, int) if feature is None else codes[feature]
    ones = np.ones(classes.size, int) if weights is None else weights.astype(int)
    for j in others:
        expected = pair_table(own, codes[j], classes, ones, n_levels, LEVELS[j], 3)
        np.testing.assert_array_equal(layout.table(counts, j), expected)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    bounds=st.lists(st.integers(0, 400), max_size=4).map(sorted),
    weights=st.sampled_from([None, "whole", "fractions"]),
    estimator=st.sampled_from(["plugin", "miller-madow"]),
)
def test_parts_answer_what_one_piece_answers(seed, bounds, weights, estimator):
    codes, classes, w = made(seed, weighted=weights is not None)
    unit = 1.0
    if weights == "fractions":
        w = w + np.random.default_rng(seed).random(w.size)
    whole = LevelStatistics(LEVELS, 3, estimator=estimator).update(codes, classes, w)
    if weights == "fractions":
        unit = whole.tables.unit
    parts = PartitionedLevels(parts_of(codes, classes, w, bounds), LEVELS, 3, classes.size, unit, estimator=estimator)
    assert parts.total == whole.total
    assert parts.target_entropy == whole.target_entropy
    np.testing.assert_array_equal(parts.class_counts, whole.class_counts)
    for ask in (
        lambda s: s.singles(detail=True),
        lambda s: s.pairs(3, detail=True),
        lambda s: s.pairs(6, [0, 2, 5]),
        lambda s: s.pairs(1, by_class=False),
    ):
        one, other = ask(parts), ask(whole)
        np.testing.assert_array_equal(one.feature, other.feature)
        np.testing.assert_array_equal(one.feature_class, other.feature_class)
        if other.law is not None:
            for part in ("square", "mean", "variance"):
                np.testing.assert_allclose(getattr(one.law, part), getattr(other.law, part), rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(parts.class_table(5), whole.class_table(5))


def test_entropies_are_those_of_the_tables():
    codes, classes, _ = made(2)
    parts = PartitionedLevels(parts_of(codes, classes, None, [100, 250]), LEVELS, 3, classes.size)
    ones = np.ones(classes.size, int)
    table = pair_table(codes[3], codes[2], classes, ones, 5, 3, 3)
    found = parts.pairs(3)
    assert found.feature_class[2] == pytest.approx(entropy(table, 400), abs=1e-12)
    assert found.feature[2] == pytest.approx(entropy(table.sum(axis=0), 400), abs=1e-12)


def test_parts_on_disk_answer_alike_and_leave_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    codes, classes, _ = made(3)
    whole = LevelStatistics(LEVELS, 3).update(codes, classes)
    kept = parts_of(codes, classes, None, [50, 200, 300], room=1 << 20)
    few = parts_of(codes, classes, None, [50, 200, 300], room=1)
    for held in (kept, few):
        with held:
            parts = PartitionedLevels(held, LEVELS, 3, classes.size)
            np.testing.assert_array_equal(parts.pairs(4).feature_class, whole.pairs(4).feature_class)
            assert list(tmp_path.iterdir()) == []  # the file has no name
    with pytest.raises(InvalidInput, match="no rows"):
        few.reduce(lambda part: part, lambda a, b: a)  # closed


def test_large_tables_are_counted_in_batches(monkeypatch):
    codes, classes, _ = made(4)
    whole = LevelStatistics(LEVELS, 3).update(codes, classes)
    monkeypatch.setattr("entropick.statistics.levels.counted.COUNT_BYTES", 4096)
    parts = PartitionedLevels(parts_of(codes, classes, None, [123]), LEVELS, 3, classes.size)
    np.testing.assert_array_equal(parts.pairs(5).feature_class, whole.pairs(5).feature_class)
    monkeypatch.setattr("entropick.statistics.levels.counted.MOST_BYTES", 1000)
    with pytest.raises(InvalidParameter, match=r"columns number 6 and 7 .*40 and 300.* 288000 bytes"):
        parts.pairs(6)


def test_bytes_of_a_packed_row():
    # 300 features of 2 levels: one slice, two pieces of 256 lanes; 10 of 100 levels: two bytes each; class and number
    levels = np.array([2] * 300 + [100] * 10)
    assert row_bytes(levels, weighted=False) == 64 + 20 + 8
    assert row_bytes(levels, weighted=True) == 2 * 310 + 8 + 16


def test_bytes_of_pair_tables():
    levels = np.array([2, 3, 4])
    assert table_bytes(levels, 5) == 8 * 5 * (2 * 3 + 2 * 4 + 3 * 4 + 9)
    with pytest.raises(InvalidParameter, match=r"3 features .* need 4200 bytes, got a limit of 4199"):
        check_size(levels, 5, 4199)
    check_size(levels, 5, 4200)


def test_joined_segments_equal_one_update_and_leave_others_alone():
    codes, classes, _ = made(6)
    one = LevelStatistics(LEVELS, 3).update(codes, classes)
    a = LevelStatistics(LEVELS, 3).update(codes[:, :100], classes[:100])
    b = LevelStatistics(LEVELS, 3).update(codes[:, 100:], classes[100:])
    both = a.merged(b)
    np.testing.assert_array_equal(both.pairs(6).feature_class, one.pairs(6).feature_class)
    np.testing.assert_array_equal(both.codes(3), np.concatenate([codes[3][classes == c] for c in range(3)]))
    np.testing.assert_array_equal(a.codes(3), np.concatenate([codes[3, :100][classes[:100] == c] for c in range(3)]))
    a.merge(b)
    a.codes(0)  # joins
    np.testing.assert_array_equal(b.codes(3).size, 300)


def test_pair_counts_answer_and_merge():
    codes, classes, _ = made(7, levels=(2, 3, 5))
    levels = np.array([2, 3, 5])
    whole = LevelStatistics(levels, 3).update(codes, classes)

    def counted(rows):
        ones = np.ones(classes[rows].size, int)
        zeros = np.zeros(classes[rows].size, int)
        single = [pair_table(zeros, codes[j, rows], classes[rows], ones, 1, levels[j], 3)[:, 0] for j in range(3)]
        pairs = [
            np.concatenate(
                [
                    pair_table(codes[i, rows], codes[j, rows], classes[rows], ones, levels[i], levels[j], 3).reshape(-1)
                    for j in range(i + 1, 3)
                ]
                or [np.zeros(0, np.int64)]
            )
            for i in range(3)
        ]
        return PairCounts(levels, 3, ones.size, single, pairs)

    merged = counted(slice(0, 150)).merged(counted(slice(150, 400)))
    for feature in range(3):
        one, other = merged.pairs(feature), whole.pairs(feature)
        np.testing.assert_array_equal(one.feature_class, other.feature_class)
        np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(merged.singles().feature_class, whole.singles().feature_class)
    with pytest.raises(InvalidInput, match="other levels"):
        merged.merged(PairCounts([2, 2, 5], 3, 0, [], []))


def test_counts_beyond_the_table_of_logarithms(monkeypatch):
    codes, classes, _ = made(8)
    expected = LevelStatistics(LEVELS, 3).update(codes, classes).pairs(4)
    monkeypatch.setattr("entropick.statistics.levels.fixed_point.TABLE_LIMIT", 8)
    whole = LevelStatistics(LEVELS, 3).update(codes, classes)
    assert whole.tables.phi.size == 401  # kernels that only look up need every count
    parts = PartitionedLevels(parts_of(codes, classes, None, [77]), LEVELS, 3, classes.size)
    for found in (whole.pairs(4), parts.pairs(4)):
        np.testing.assert_array_equal(found.feature_class, expected.feature_class)
        np.testing.assert_array_equal(found.feature, expected.feature)
    assert parts._fixed.phi.size == 9  # others are computed
