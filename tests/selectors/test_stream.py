"""Rows in blocks: the same features as in memory, and for counts the same scores to the last bit."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter
from entropick.selectors.answer import run
from entropick.selectors.request import Request
from entropick.sources import TableSource, as_table
from entropick.sources.blocks import LocalBlocks

COUNTED = ("mim", "mrmr", "jmi", "jmim", "cmim", "icap", "disr", "miq", "fcbf", "cfs", "chi2", "qpfs", "spec.cmi")
SUMMED = ("gc.mi", "gc.e", "gkl.mi", "wilks", "fisher", "ttest", "anova", "pearson")


def table(seed, n=500, numbers_only=False, target="classes"):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 6))
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["b"] = np.round(frame["b"], 1)
    frame["i"] = random.integers(0, 60, n)
    frame["s"] = random.integers(0, 4, n)
    if not numbers_only:
        frame.loc[random.random(n) < 0.2, "c"] = np.nan
        frame["t"] = random.choice(["x", "y", "z"], n)
        frame["flat"] = 1.0
    signal = X[:, 0] + X[:, 3] * X[:, 4] + random.normal(size=n)
    frame["target"] = signal if target == "quantity" else np.digitize(signal, [-0.7, 0.7])
    return frame


def blocks_of(frame, rows, room=None):
    blocks = LocalBlocks(TableSource(as_table(frame)), rows=rows)
    if room is not None:
        blocks.room = room
    return blocks


def steps(selection):
    """What must be equal to the last bit."""
    return [(s.name, s.score, s.relevance, s.runner_up, s.runner_up_score, s.made_redundant) for s in selection.steps]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    method=st.sampled_from(COUNTED),
    rows=st.integers(20, 600),
    room=st.sampled_from([None, 0]),
    k=st.sampled_from([3, "auto", None]),
    target=st.sampled_from(["classes", "quantity"]),
    weighted=st.sampled_from([None, "whole", "fractions"]),
    discretizer=st.sampled_from(["auto", "uniform", 8]),
)
def test_counts_give_the_same_bits(seed, method, rows, room, k, target, weighted, discretizer):
    frame = table(seed, target=target)
    sample_weight = None
    if weighted is not None:
        sample_weight = "w"
        random = np.random.default_rng(seed)
        frame["w"] = random.integers(0, 3, 500) if weighted == "whole" else random.random(500)
    request = {"method": method, "k": k, "discretizer": discretizer}
    memory = ep.select(frame, "target", sample_weight=sample_weight, **request)
    streamed = run(blocks_of(frame, rows, room), "target", Request(**request), sample_weight).selection
    assert steps(streamed) == steps(memory)
    assert streamed.notes == memory.notes
    assert streamed.stopped == memory.stopped
    assert streamed.n_samples == pytest.approx(memory.n_samples)
    for one, other in zip(streamed.steps, memory.steps, strict=True):
        assert one.p_value == (None if other.p_value is None else pytest.approx(other.p_value, rel=1e-9))


@pytest.mark.parametrize("method", SUMMED)
@pytest.mark.parametrize("rows", [37, 500])
def test_sums_of_floats_differ_by_rounding_only(method, rows):
    frame = table(5, numbers_only=True)
    memory = ep.select(frame, "target", method=method, k=5)
    streamed = run(blocks_of(frame, rows), "target", Request(method, 5)).selection
    assert streamed.names == memory.names
    np.testing.assert_allclose(streamed.scores, memory.scores, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("method", ["gc.mi", "pearson", "wilks"])
def test_sums_for_a_continuous_target(method):
    frame = table(6, numbers_only=True, target="quantity")
    frame["w"] = np.random.default_rng(0).random(500)
    memory = ep.select(frame, "target", method=method, k=5, sample_weight="w")
    streamed = run(blocks_of(frame, 60), "target", Request(method, 5), "w").selection
    assert streamed.names == memory.names
    np.testing.assert_allclose(streamed.scores, memory.scores, rtol=1e-10)


def test_normal_scores_by_a_sketch_are_near():
    frame = table(7, n=5000, numbers_only=True)
    frame["a"] = np.exp(3 * frame["a"])
    memory = ep.select(frame, "target", method="gc.mi", k=3, marginals="copula")
    request = Request("gc.mi", 3, options={"marginals": "copula"})
    streamed = run(blocks_of(frame, 700), "target", request).selection
    assert streamed.names == memory.names
    np.testing.assert_allclose(streamed.scores, memory.scores, rtol=0.02)
    assert "approximate ranks" in streamed.notes[0]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("memory", [None, "1MB"])
def test_files(tmp_path, ending, memory):
    frame = table(8, n=4000)
    path = tmp_path / f"rows.{ending}"
    frame.to_parquet(path) if ending == "parquet" else frame.to_csv(path, index=False)
    expected = ep.select(frame, "target", method="jmi", k=4)
    found = ep.select(str(path), "target", method="jmi", k=4, memory=memory)
    assert steps(found) == steps(expected)
    parts = (frame[start : start + 600] for start in range(0, 4000, 600))
    generated = ep.select(parts, "target", method="jmi", k=4, memory=memory)
    assert steps(generated) == steps(expected)


def test_a_sketched_coding_is_told():
    frame = table(9, n=3000)
    found = run(blocks_of(frame, 500), "target", Request("jmi", 3, coding="sketch")).selection
    assert "coding='sketch'" in found.notes[-1]


def test_passes_can_be_sent_elsewhere():
    """Everything that goes to the blocks survives pickling, as an engine needs it."""

    class Sending(LocalBlocks):
        def reduce(self, make, merge):
            return super().reduce(pickle.loads(pickle.dumps(make)), pickle.loads(pickle.dumps(merge)))

        def keep(self, make):
            return super().keep(pickle.loads(pickle.dumps(make)))

    frame = table(10)
    blocks = Sending(TableSource(as_table(frame)), rows=90)
    expected = ep.select(frame, "target", k=3)
    assert steps(run(blocks, "target", Request(k=3)).selection) == steps(expected)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"method": "relieff", "k": 2}, "needs all rows in memory"),
        ({"method": "gc.auto", "k": 2}, "judges rivals on halves"),
        ({"method": "qpfs.correlation", "k": 2}, "needs all rows in memory"),
        ({"method": "jmi", "groups": {"g": ["a", "b"]}}, "groups: need whole columns"),
        ({"method": "jmi", "test": "permutation"}, "'permutation' needs all rows in memory"),
        ({"method": "jmi", "discretizer": "mdl"}, "discretizer: 'mdl' needs whole columns"),
        ({"method": "jmi", "discretizer": "kmeans"}, "discretizer: 'kmeans' needs whole columns"),
        ({"method": "jmi", "discretizer": "sigma"}, "discretizer: 'sigma' needs whole columns"),
        ({"method": "no"}, "no method 'no'"),
        ({"k": 0}, "k: must be a positive integer"),
        ({"method": "cmi", "k": 2}, "needs the coded rows"),
    ],
)
def test_what_blocks_cannot_do_is_told(request_, message):
    with pytest.raises(InvalidParameter, match=message):
        run(blocks_of(table(11), 100, room=0), "target", Request(**request_))


def test_columns_that_are_not_there():
    blocks = blocks_of(table(12), 100)
    with pytest.raises(InvalidInput, match=r"y: X has no column 'targe'. Did you mean 'target'"):
        run(blocks, "targe", Request())
    with pytest.raises(InvalidInput, match="sample_weight: X has no column 'w'"):
        run(blocks, "target", Request(), "w")
    with pytest.raises(InvalidInput, match="must be a column name"):
        run(blocks, "target", Request(), np.ones(500))
    with pytest.raises(InvalidInput, match="no column is left"):
        run(blocks.select([0]), "a", Request())
    with pytest.raises(InvalidParameter, match="coding: must be 'exact', 'sketch' or a file of saved statistics"):
        run(blocks, "target", Request(coding="roughly"))
    with pytest.raises(InvalidParameter, match="coding: must be 'exact', 'sketch' or a file of saved statistics"):
        ep.select(table(12), "target", coding="roughly")


def test_a_limit_that_is_too_small_names_the_bytes():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(300, 250))).rename(columns=str)
    frame["y"] = random.integers(0, 2, 300)
    source = TableSource(as_table(frame))
    with pytest.raises(
        InvalidParameter, match=r"2 covariance\(s\) of 250 columns, 3000000 bytes, got a limit of 1048576"
    ):
        ep.select(source, "y", method="gc.mi", k=3, memory="1MB")
    with pytest.raises(InvalidParameter, match=r"'relieff' needs all rows in memory \(about \d+ bytes\)"):
        ep.select(source, "y", method="relieff", k=3, memory="1MB")
    assert len(ep.select(source, "y", method="relieff", k=3).names) == 3  # fits, without a limit


def test_values_stand_beside_rows_in_memory_only(tmp_path):
    """Rows of a file come into memory for them where they fit; beyond the limit the target must be one of its columns.

    Once such a file was read whole, whatever the limit.
    """
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(3000, 30))).rename(columns=str)
    y = (frame["3"] > 0).astype(int)
    expected = ep.select(frame, y, method="mim", k=2).steps
    assert ep.select(TableSource(as_table(frame)), y, method="mim", k=2, memory="1MB").steps == expected
    frame.to_parquet(tmp_path / "a.parquet")
    with ep.open_source(tmp_path / "a.parquet") as source:
        assert ep.select(source, y, method="mim", k=2).steps == expected
        for limit in ("1MB", 1 << 20):
            with pytest.raises(InvalidInput, match="y: must be a column name"):
                ep.select(source, y, method="mim", k=2, memory=limit)
    for missing in (None, b"y"):
        with pytest.raises(InvalidInput, match="y: must be a column name"):
            ep.select(TableSource(as_table(frame)), missing)


def test_huge_numbers_are_refused():
    frame = table(13, numbers_only=True)
    frame["a"] *= 1e200
    with pytest.raises(InvalidInput, match="too large to compute with"):
        run(blocks_of(frame, 100), "target", Request("gc.mi", 3))


def test_selector_reads_blocks():
    frame = table(14)
    selector = ep.Selector(k=3).fit(TableSource(as_table(frame)), "target")
    expected = ep.Selector(k=3).fit(frame.drop(columns="target"), frame["target"])
    np.testing.assert_array_equal(selector.get_support(), expected.get_support())
