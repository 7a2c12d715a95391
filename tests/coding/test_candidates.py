"""Groups: parsing, and the joint levels of groups."""

import pickle

import numpy as np
import pandas as pd
import pytest

from entropick.coding import Candidate, Coder, GroupCoder, parse_groups
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import as_table

NAMES = ("a", "b", "c", "d", "e")


def test_no_groups():
    assert list(parse_groups(None, NAMES)) == [Candidate(name, (j,)) for j, name in enumerate(NAMES)]
    assert parse_groups({}, NAMES) == list(parse_groups(None, NAMES))


@pytest.mark.parametrize(
    "groups",
    [
        {"late": ["d", "c"], "mix": ["a", 4]},
        {"mix": [4, 0], "late": np.array([2, 3])},
        ["mix", None, "late", "late", "mix"],
        np.array(["mix", "", "late", "late", "mix"]),
        pd.Series(["mix", np.nan, "late", "late", "mix"]),
    ],
)
def test_candidates_come_in_the_order_of_their_first_column(groups):
    assert parse_groups(groups, NAMES) == [
        Candidate("mix", (0, 4)), Candidate("b", (1,)), Candidate("late", (2, 3)),
    ]  # fmt: skip


def test_labels_may_be_numbers():
    assert [c.name for c in parse_groups([0, 0, 1, 1, 1], NAMES)] == ["0", "1"]


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ({"g": ["a", "zz"]}, "'g' has 'zz', which is no column"),
        ({"g": ["aa"]}, "no column"),
        ({"g": [5]}, r"0 … 4, got 5 in 'g'"),
        ({"g": [-1]}, "got -1"),
        ({"g": []}, "'g' must have at least one column"),
        ({"g": None}, "'g' must have at least one column"),
        ({"g": ["a", "b"], "h": ["b"]}, "one group, got 'b' in 'g' and 'h'"),
        ({"g": ["a", 0]}, "names a column twice"),
        ({"e": ["a", "b"]}, "'e' is also the name of a column outside the group"),
        (["g", "g"], r"one label per column \(5\), got 2"),
        ("abcde", "a dict or one label"),
        (3, "a dict or one label"),
    ],
)
def test_bad_groups(groups, words):
    with pytest.raises(InvalidParameter, match=words):
        parse_groups(groups, NAMES)


def coded(X, groups):
    table = as_table(X)
    coder = Coder(None).fit(table, None, 2)
    return GroupCoder(coder, parse_groups(groups, table.names)).fit(table), table


def test_a_one_hot_variable_is_one_candidate_again():
    rng = np.random.default_rng(0)
    value = rng.integers(0, 4, 50)
    hot = (value[:, None] == np.arange(4)).astype(np.uint8)
    X = np.column_stack([hot, rng.integers(0, 3, (50, 2))])
    grouped, table = coded(X, {"value": [0, 1, 2, 3]})
    assert grouped.levels.tolist() == [4, 3, 3]
    got = grouped.codes(table, 0, 3)
    assert got.dtype == np.uint8
    assert len(set(zip(got[0], value, strict=True))) == 4  # the same up to names
    assert (got[1:] == X[:, 4:].T).all()


def test_joint_levels_are_combinations():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (60, 6))
    grouped, table = coded(X, {"g": [1, 4], "h": [0, 2, 5]})
    got = grouped.codes(table, 0, 3)
    assert [c.name for c in grouped.candidates] == ["h", "g", "x3"]
    for at, columns in ((0, [0, 2, 5]), (1, [1, 4])):
        joint = [tuple(row) for row in X[:, columns].tolist()]
        pairs = set(zip(got[at].tolist(), joint, strict=True))
        assert len(pairs) == len(set(joint)) == grouped.levels[at]
        ranks = sorted(set(joint))
        assert got[at].tolist() == [ranks.index(row) for row in joint]
    assert (got[2] == X[:, 3]).all()
    rows = rng.permutation(60)[:40]
    assert (grouped.codes(table, 0, 3, rows) == got[:, rows]).all()
    assert (grouped.codes(table, 1, 2, rows) == got[1:2, rows]).all()
    assert (grouped.codes(table.take(rows), 0, 3) == got[:, rows]).all()
    assert (grouped.by_row(table, 0, 3) == got.T).all()
    assert (pickle.loads(pickle.dumps(grouped)).codes(table, 0, 3) == got).all()


def test_many_joint_levels_and_threads():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 3000, (2000, 5))
    X[:, 4] %= 3
    table = as_table(X)
    expected = None
    for threads in (1, 2, 8):
        coder = Coder(None, n_jobs=threads).fit(table, None, 2)
        grouped = GroupCoder(coder, parse_groups({"g": [0, 1], "h": [2, 3]}, table.names)).fit(table)
        got = grouped.codes(table, 0, 3)
        assert got.dtype == np.uint16
        expected = got if expected is None else expected
        assert (got == expected).all()
        assert any("group 'g' has" in note and "almost every row is unique" in note for note in grouped.notes)


def test_combinations_that_were_not_there():
    X = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 1]])
    grouped, _ = coded(X, {"g": [0, 1]})
    with pytest.raises(InvalidInput, match="group 'g' has a combination of levels in row 1"):
        grouped.codes(as_table(np.array([[0, 0, 1], [0, 1, 1]])), 0, 2)


def test_too_many_combinations():
    X = np.column_stack([np.arange(70_000) // 300, np.arange(70_000) % 300])
    with pytest.raises(InvalidInput, match="at most 65536 joint levels, 'g' has more"):
        coded(X, {"g": [0, 1]})


def test_ranges_are_checked():
    grouped, table = coded(np.array([[0, 0], [1, 1]]), {"g": [0, 1]})
    with pytest.raises(InvalidParameter, match="start, stop"):
        grouped.codes(table, 0, 2)
    with pytest.raises(InvalidParameter, match="not fitted"):
        GroupCoder(grouped.coder, grouped.candidates).codes(table, 0, 1)
    with pytest.raises(InvalidInput, match="columns"):
        grouped.codes(as_table(np.zeros((2, 3))), 0, 1)
