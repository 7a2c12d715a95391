"""Rules from blocks: the very ones that a coder finds with all rows in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.coding import Coder, code_target
from entropick.coding import summary as module
from entropick.coding.refine import find_coding
from entropick.coding.rule_records import coding_record, difference, read_coding
from entropick.coding.sketch import RankSketch
from entropick.coding.summary import LabelSet, Summarise, merge_summaries
from entropick.errors import InvalidInput, InvalidParameter
from entropick.sources import TableSource, as_table, split_target
from entropick.sources.blocks import LocalBlocks


def coding_of(frame, discretizer="auto", rows=50, task="auto", weight=None, memory=None, exact=True):
    blocks = LocalBlocks(TableSource(as_table(frame)), memory, rows)
    target = blocks.names.index("y")
    at = None if weight is None else blocks.names.index(weight)
    coder = Coder(discretizer)
    features = [j for j in range(len(blocks.names)) if j not in (target, at)]
    summaries = blocks.reduce(Summarise(coder.settings()[0], target, at), merge_summaries)
    return find_coding(blocks, summaries, coder, features, target, at, task, exact)


def in_memory(frame, discretizer="auto", weight=None):
    weights = None if weight is None else frame[weight].to_numpy()
    own = frame if weight is None else frame.drop(columns=weight)
    table, values, _ = split_target(own, "y")
    if weights is not None:
        used = np.flatnonzero(weights)
        table, values, weights = table.take(used), values[used], weights[used]
    target = code_target(values, weights=weights)
    return Coder(discretizer).fit(table, target.codes, target.n_classes, weights), target


def assert_alike(coding, coder, target):
    assert [type(rule) for rule in coding.coder._rules] == [type(rule) for rule in coder._rules]
    for one, other in zip(coding.coder._rules, coder._rules, strict=True):
        assert (one.text, one.missing, one.levels) == (other.text, other.missing, other.levels)
        for name in ("edges", "values"):
            if hasattr(one, name):
                np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
                assert getattr(one, name).dtype == getattr(other, name).dtype
        assert getattr(one, "labels", None) == getattr(other, "labels", None)
    assert coding.coder.notes == coder.notes
    pd.testing.assert_frame_equal(coding.coder.describe(), coder.describe())
    assert coding.target.task == target.task
    np.testing.assert_array_equal(coding.target.classes, target.classes)


COLUMNS = {
    "numbers": lambda random, n: random.normal(size=n),
    "ties": lambda random, n: np.round(random.normal(size=n), 1),
    "heavy": lambda random, n: np.where(random.random(n) < 0.7, 0.0, random.exponential(size=n)),
    "gaps": lambda random, n: np.where(random.random(n) < 0.3, np.nan, random.normal(size=n)),
    "all missing": lambda random, n: np.full(n, np.nan),
    "constant": lambda random, n: np.full(n, 3.5),
    "constant with gaps": lambda random, n: np.where(random.random(n) < 0.5, np.nan, 3.5),
    "top": lambda random, n: np.where(random.random(n) < 0.1, 0.0, 1.0),
    "few": lambda random, n: random.integers(0, 5, n),
    "many": lambda random, n: random.integers(-1000, 1000, n),
    "integers with gaps": lambda random, n: pd.array(
        [None if r < 0.2 else int(50 * r) for r in random.random(n)], dtype="Int64"
    ),
    "flags": lambda random, n: random.random(n) < 0.5,
    "texts": lambda random, n: random.choice(["a", "b", "ü", "10"], n),
    "texts with gaps": lambda random, n: np.where(random.random(n) < 0.3, None, random.choice(["a", "b"], n)),
    "identifiers": lambda random, n: [f"id{i}" for i in range(n)],
}
TARGETS = {
    "classes": lambda random, n: random.integers(0, 3, n),
    "words": lambda random, n: random.choice(["yes", "no"], n),
    "quantity": lambda random, n: random.normal(size=n),
}


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    columns=st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=6, unique=True),
    target=st.sampled_from(sorted(TARGETS)),
    n=st.integers(40, 700),
    rows=st.integers(7, 800),
    discretizer=st.sampled_from(["auto", "uniform", 2, 7, 40]),
    weighted=st.booleans(),
)
def test_rules_equal_those_in_memory(seed, columns, target, n, rows, discretizer, weighted):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: COLUMNS[name](random, n) for name in columns})
    frame["y"] = TARGETS[target](random, n)
    frame.loc[:2, "y"] = frame["y"].iloc[0]  # never every row a class of its own
    weight = None
    if weighted:
        weight = "w"
        frame["w"] = random.integers(0, 4, n)
        frame.loc[:39, "w"] = 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("entropick.coding.sketch.RankSketch.__init__.__defaults__", (16,))  # thin early
        coding = coding_of(frame, discretizer, rows, weight=weight)
    assert_alike(coding, *in_memory(frame, discretizer, weight))


def test_coded_columns_stay_as_they_are():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.integers(0, 500, 2000), "b": random.integers(0, 3, 2000).astype(float)})
    frame["c"] = pd.array(np.where(random.random(2000) < 0.1, None, 7), dtype="Int64")
    frame["y"] = random.integers(0, 2, 2000)
    assert_alike(coding_of(frame, None), *in_memory(frame, None))
    frame["b"] = 0.5
    with pytest.raises(InvalidInput, match=r"expects integer codes, got 0\.5 in column 'b'"):
        coding_of(frame, None)


def test_too_many_levels():
    frame = pd.DataFrame({"a": np.arange(70_000), "y": np.arange(70_000) % 2})
    with pytest.raises(InvalidInput, match=r"at most 65536 levels, got 65537 in 'a'"):
        coding_of(frame, None, rows=9000)


def test_brackets_are_narrowed_where_memory_is_short():
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.standard_cauchy((20_000, 3)), columns=list("abc"))
    frame["d"] = np.where(random.random(20_000) < 0.9, 1.0, random.normal(size=20_000))
    frame["y"] = random.integers(0, 2, 20_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("entropick.coding.ranked_edges.ROOM", 2000)
        patch.setattr("entropick.coding.sketch.RankSketch.__init__.__defaults__", (64,))
        coding = coding_of(frame, 10, rows=900)
    assert_alike(coding, *in_memory(frame, 10))


def test_sketched_edges_are_near():
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"a": random.random(30_000), "y": random.integers(0, 2, 30_000)})
    edges = coding_of(frame, rows=1000, exact=False).coder._rules[0].edges
    np.testing.assert_allclose(edges, [0.2, 0.4, 0.6, 0.8], atol=0.02)
    frame["w"] = 1
    with pytest.raises(InvalidParameter, match="'sketch' does not support weights"):
        coding_of(frame, exact=False, weight="w")


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), sizes=st.lists(st.integers(0, 300), min_size=1, max_size=12), tree=st.booleans())
def test_ranks_are_within_the_bounds(seed, sizes, tree):
    random = np.random.default_rng(seed)
    blocks = [np.sort(np.round(random.normal(size=(2, n)), 1), axis=1) for n in sizes]
    sketches = []
    for block in blocks:
        sketches.append(RankSketch(2, 16))
        sketches[-1].add(block)
    while len(sketches) > 1:
        if tree:
            sketches = [*sketches[2:], sketches[0].merged(sketches[1])]
        else:
            sketches = [sketches[0].merged(sketches[1]), *sketches[2:]]
    everything = np.concatenate(blocks, axis=1)
    for column in range(2):
        values, ranks = sketches[0].ranks(column)
        true = (everything[column][:, None] <= values).sum(axis=0)
        assert (ranks - true <= sketches[0].high).all()
        assert (true - ranks <= sketches[0].low).all()


def test_sketches_stay_small():
    sketch = RankSketch(1, 64)
    for block in np.random.default_rng(0).random((100, 1, 1000)):
        sketch.add(np.sort(block, axis=1))
    values, _ = sketch.ranks(0)
    assert len(values) < 64 * 14
    assert sketch.low + sketch.high < 0.2 * 100_000


def test_label_sets_count_beyond_what_they_keep(monkeypatch):
    monkeypatch.setattr(module, "MOST_LEVELS", 50)
    monkeypatch.setattr(module, "HASHES", 1000)
    few = LabelSet(frozenset(f"{i}" for i in range(30)))
    many = few | LabelSet(frozenset(f"{i}" for i in range(20, 90)))
    assert many.labels is None
    assert len(many) == 90
    most = many
    for start in range(0, 20_000, 40):
        most = most | LabelSet(frozenset(f"{i}" for i in range(start, start + 40)))
    assert len(most) == pytest.approx(20_000, rel=0.15)


def test_errors_of_the_target():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": [1.0, np.nan, 0.0, 1.0]})
    with pytest.raises(InvalidInput, match=r"Input y contains NaN: 1 missing"):
        coding_of(frame)
    frame["y"] = 1
    with pytest.raises(InvalidInput, match="at least two classes, got 1 class"):
        coding_of(frame)
    frame["y"] = list("abcd")
    with pytest.raises(InvalidInput, match="every one of the 4 rows is a class"):
        coding_of(frame)
    with pytest.raises(InvalidInput, match="a regression target must be numbers, got 'a'"):
        coding_of(frame, task="regression")
    with pytest.raises(InvalidParameter, match="task: must be 'auto'"):
        coding_of(frame, task="guess")


def test_records_give_the_same_coding():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({name: COLUMNS[name](random, 300) for name in COLUMNS})
    frame["y"] = random.choice(["yes", "no"], 300)
    coding = coding_of(frame)
    again = read_coding(coding_record(coding))
    assert difference(coding, again) is None
    table = split_target(frame, "y")[0]
    np.testing.assert_array_equal(coding.coder.by_row(table, 0, 15), again.coder.by_row(table, 0, 15))
    other = coding_of(frame.assign(ties=random.normal(size=300)))
    assert "how column 'ties' is coded" in difference(coding, other)
    assert "their columns: 'numbers' here, 'else' there" in difference(
        coding, coding_of(frame.rename(columns={"numbers": "else"}))
    )
    assert "their target: 'no' here, 'maybe' there" in difference(
        coding, coding_of(frame.assign(y=frame["y"].replace("no", "maybe")))
    )
