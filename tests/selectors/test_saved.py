"""Statistics without rows: saved, merged, selected from."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.errors import InvalidInput, InvalidParameter
from entropick.statistics.saved import Statistics, merge_files


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    made = pd.DataFrame(random.normal(size=(900, 6)), columns=list("abcdef"))
    made["s"] = random.integers(0, 4, 900)
    made["y"] = np.where(made["a"] + made["b"] * made["c"] > 0, "yes", "no")
    return made


@pytest.fixture
def mixed(frame):
    frame = frame.assign(t=np.random.default_rng(1).choice(["u", "v"], 900))
    frame.loc[::9, "d"] = np.nan
    return frame


@pytest.mark.parametrize(
    "method", ["jmi", "cmim", "mim", "chi2", "cfs", "fcbf", "spec.cmi", "gc.mi", "gkl.mi", "fisher"]
)
@pytest.mark.parametrize("k", [3, "auto"])
def test_selection_equals_that_from_rows(frame, tmp_path, method, k):
    Statistics.collect(frame, "y", memory="8MB").save(tmp_path / "a.stats")
    if k == "auto" and method in ("spec.cmi", "gkl.mi"):
        k = 5
    found = Statistics.load(tmp_path / "a.stats").select(method=method, k=k)
    expected = ep.select(frame, "y", method=method, k=k)
    assert found.names == expected.names
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-10, atol=1e-12)
    if method in ("jmi", "cmim", "mim", "cfs", "fcbf"):
        np.testing.assert_array_equal(found.scores, expected.scores)
    assert found.notes == expected.notes


def test_a_continuous_target(frame, tmp_path):
    frame["y"] = frame["a"] + frame["b"]
    Statistics.collect(frame, "y").save(tmp_path / "a.stats")
    loaded = Statistics.load(tmp_path / "a.stats")
    for method in ("jmi", "gc.mi", "pearson"):
        assert loaded.select(method=method, k=3).names == ep.select(frame, "y", method=method, k=3).names


def test_parties_merge_what_they_coded_alike(mixed, tmp_path):
    a, b, both = (tmp_path / name for name in ("a.stats", "b.stats", "both.stats"))
    Statistics.collect(mixed[:400], "y").save(a)
    Statistics.collect(mixed[400:], "y", coding=a).save(b)
    merged = merge_files([a, b], both)
    assert merged.n_rows == 900
    assert merged.coding.target.counts.tolist() == [(mixed["y"] == "no").sum(), (mixed["y"] == "yes").sum()]
    expected = ep.select(mixed, "y", method="jmi", k=4, coding=a)
    found = Statistics.load(both).select(method="jmi", k=4)
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert found.names == expected.names
    assert found.n_samples == 900


def test_merging_moments_equals_gathering_them_at_once(frame):
    a = Statistics.collect(frame[:300], "y")
    b = Statistics.collect(frame[300:], "y", coding=a)
    found = a.merge(b).select(method="gc.mi", k=4)
    expected = ep.select(frame, "y", method="gc.mi", k=4)
    assert found.names == expected.names
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-10)


def test_what_does_not_fit_together_is_told(frame, mixed, tmp_path):
    a = Statistics.collect(frame[:400], "y")
    with pytest.raises(InvalidInput, match=r"differ in how column 'a' is coded .* \(coding=\)"):
        a.merge(Statistics.collect(frame[400:], "y"))
    with pytest.raises(InvalidInput, match=r"differ in their columns: 7 here, 8 there"):
        a.merge(Statistics.collect(mixed, "y"))
    with pytest.raises(InvalidInput, match="coding: must have the same columns in the same order; they differ in 't'"):
        Statistics.collect(mixed, "y", coding=a)
    with pytest.raises(InvalidInput, match="has class 'maybe', which was not seen before"):
        Statistics.collect(frame.assign(y="maybe"), "y", coding=a)
    unseen = Statistics.collect(mixed[["t", "a", "y"]], "y")
    with pytest.raises(InvalidInput, match="column 't' has 'w' in row 0, a level that was not there"):
        Statistics.collect(mixed[["t", "a", "y"]].assign(t="w"), "y", coding=unseen)
    a.save(tmp_path / "a.stats")
    Statistics.collect(frame[400:], "y").save(tmp_path / "b.stats")
    with pytest.raises(InvalidInput, match=r"b.stats: other: these statistics cannot be merged"):
        merge_files([tmp_path / "a.stats", tmp_path / "b.stats"], tmp_path / "c.stats")
    assert not (tmp_path / "c.stats").exists()


def test_methods_that_statistics_cannot_serve(frame, mixed):
    statistics = Statistics.collect(frame, "y")
    for method, options in (("relieff", {}), ("gc.auto", {}), ("gc.mi", {"marginals": "copula"})):
        with pytest.raises(InvalidParameter, match="needs the rows"):
            statistics.select(method=method, k=2, **options)
    with pytest.raises(InvalidParameter, match="needs the coded rows"):
        statistics.select(method="cmi", k=2)
    with pytest.raises(InvalidParameter, match="'permutation' needs the rows"):
        statistics.select(method="jmi", test="permutation")
    with pytest.raises(InvalidParameter, match="columns with categories or gaps"):
        Statistics.collect(mixed, "y").select(method="gc.mi", k=2)


def test_too_many_columns_name_the_bytes():
    random = np.random.default_rng(0)
    wide = pd.DataFrame(random.normal(size=(50, 200))).rename(columns=str).assign(y=random.integers(0, 2, 50))
    with pytest.raises(InvalidParameter, match=r"all pairs of 200 features \(2 classes\) need 23928000 bytes"):
        Statistics.collect(wide, "y", memory="4MB")


def test_weights_must_be_whole(frame):
    frame["w"] = 2
    statistics = Statistics.collect(frame, "y", sample_weight="w")
    assert (statistics.n_rows, statistics.weight) == (900, 1800)
    expected = ep.select(frame, "y", method="jmi", k=3, sample_weight="w")
    np.testing.assert_array_equal(statistics.select(method="jmi", k=3).scores, expected.scores)
    with pytest.raises(InvalidInput, match="must be integers"):
        Statistics.collect(frame.assign(w=0.5), "y", sample_weight="w")


def test_files_that_are_no_statistics(tmp_path, frame):
    path = tmp_path / "a.stats"
    path.write_text("not statistics")
    with pytest.raises(InvalidInput, match=r"a.stats' is not a file of saved statistics"):
        Statistics.load(path)
    with pytest.raises(InvalidInput, match="is not a file of saved statistics"):
        Statistics.load(tmp_path / "absent.stats")
    Statistics.collect(frame, "y").save(path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    head = json.loads(str(arrays["head"]))
    np.savez(open(path, "wb"), **{**arrays, "head": json.dumps({**head, "format": 99})})  # noqa: SIM115
    with pytest.raises(InvalidInput, match="format 99"):
        Statistics.load(path)
    np.savez(open(path, "wb"), **{**arrays, "levels_pairs": arrays["levels_pairs"][:-1]})  # noqa: SIM115
    with pytest.raises(InvalidInput, match="counts do not fit the coding"):
        Statistics.load(path)


def test_saving_leaves_the_old_file_or_the_new(frame, tmp_path, monkeypatch):
    path = tmp_path / "a.stats"
    statistics = Statistics.collect(frame, "y")
    statistics.save(path)
    before = path.read_bytes()

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", interrupted)
    with pytest.raises(KeyboardInterrupt):
        statistics.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
