"""What random calls once broke, one test a cause."""

from __future__ import annotations

import io
import json
import pickle
import sys
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather
from sklearn.exceptions import NotFittedError
from typer.core import TyperGroup
from typer.main import get_command

import entropick as ep
from entropick.cli import group
from entropick.cli.app import app
from entropick.coding.target import code_target
from entropick.displays.display import label
from entropick.errors import EntropickError, InvalidInput, InvalidParameter
from entropick.evaluation.portraits import portrait
from entropick.measures.gaussian.chance import class_p_values
from entropick.sources import as_table

ARRAY = np.array([[1, 0], [0, 1]])


@pytest.fixture
def problem():
    return ep.datasets.and_or(60, random_state=0)


# -- wrong answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["int64", "int8", "bool", "str"])
def test_a_column_that_is_constant_at_first_is_not_lost(kind):
    """Another value in a later block was taken for the one that the first block had."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).astype(kind)
    y = np.array([0, 1, 1, 0])
    selector = ep.Selector("jmi", 1, discretizer=None).partial_fit(X[:2], y[:2])
    with pytest.raises(InvalidInput, match=r"'x0' has .* a level that was not there"):
        selector.partial_fit(X[2:], y[2:])


def test_a_party_whose_column_is_constant_does_not_hide_another_s():
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 1, 1, 0]})
    first = ep.Statistics.collect(frame[:2], "y")
    with pytest.raises(InvalidInput, match="'a' has 1"):
        ep.Statistics.collect(frame[2:], "y", coding=first)


def test_evidence_is_of_the_selection_s_own_columns(problem, tmp_path):
    selection = ep.select(problem.to_frame(), "y", k=3)
    for other in (problem.X[:, :2], problem.to_frame().drop(columns="y").rename(columns={"x1": "z"})):
        with pytest.raises(InvalidInput, match="columns that the selection was made from"):
            selection.report(tmp_path / "a.html", other, problem.y)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(("scale", "dtype"), [(1.0, "float16"), (1e30, "float32"), (1e100, "float64")])
def test_large_quantities_in_blocks_are_no_classes(scale, dtype):
    """Floats beyond 64 bits are whole numbers all, and were taken for labels where rows came in blocks."""
    frame = pd.DataFrame({"a": [0, 1] * 10, "y": (scale * np.linspace(0.5, 2, 20)).astype(dtype)})
    blocks = ep.select((part for part in (frame[:12], frame[12:])), "y", k=1, memory="1MB")
    assert blocks.task == ep.select(frame, "y", k=1).task == "regression"


def test_columns_of_a_comparison_are_of_one_length(problem):
    """A score or feature that was left out became NaN."""
    found = ep.compare(problem.X, problem.y, "mim", k=1, estimators="3-NN", cv=2, repeats=1)
    for part, name in (("chosen", "feature"), ("scores", "error")):
        fields = json.loads(found.to_json())
        del fields[part][name][0]
        with pytest.raises(InvalidInput, match=r"^text: not a Comparison .* not of one length"):
            ep.Comparison.from_json(json.dumps(fields))


def test_a_share_of_a_comparison_that_is_none(problem):
    """The root of a negative number was a warning and NaN."""
    found = ep.compare(problem.X, problem.y, "mim", k=1, estimators="3-NN", cv=2, repeats=1)
    fields = json.loads(found.to_json())
    fields["settings"]["test_share"] = -1
    with pytest.raises(InvalidInput, match=r"^text: not a Comparison"):
        ep.Comparison.from_json(json.dumps(fields))


@pytest.mark.filterwarnings("error")
def test_weights_too_large_for_the_logarithms_of_a_test():
    assert class_p_values(np.array([0.1, 0.0]), np.full(2, 1e300), 0).tolist() == [1.0, 1.0]


# -- Selector -----------------------------------------------------------------------------------------------

MIXED = pd.DataFrame(
    {
        "n": [0.5, 1.5, 2.5, 3.5] * 5,
        "t": ["u", "v"] * 10,
        "d": pd.date_range("2020-01-01", periods=20),
        "m": pd.array([1, None] * 10, dtype="Int64"),
    }
)


@pytest.mark.parametrize(
    "made", [pl.from_pandas, pa.Table.from_pandas, as_table, lambda frame: dict(frame.items())],
    ids=["polars", "arrow", "table", "dict"],
)  # fmt: skip
@pytest.mark.parametrize("output", ["default", "pandas"])
def test_tables_with_columns_of_several_types_are_transformed(made, output):
    X, y = made(MIXED), [0, 1] * 10
    fitted = ep.Selector("jmi", 2).fit(X, y).set_output(transform=output)
    assert fitted.transform(X).shape == (20, 2)
    assert fitted.get_feature_names_out().tolist() == [name for name in MIXED if name in fitted.selection_.names]


def test_what_was_refused_is_not_fitted(problem):
    for name in ("fit", "partial_fit"):
        selector = ep.Selector(k=1)
        with pytest.raises(InvalidInput):
            getattr(selector, name)(problem.X, np.zeros(60))
        with pytest.raises(NotFittedError):
            selector.get_support()


@pytest.mark.parametrize("method", ["jmi", "gc.mi", "anova"])
def test_a_refused_block_changes_nothing(problem, method):
    selector = ep.Selector(method, 2, discretizer=None).partial_fit(problem.X, problem.y)
    before = selector.selection_.to_json()
    for X, y in ((problem.X, ["a"] * 60), (problem.X, problem.y + 5), (np.full((60, 10), np.inf), problem.y)):
        with pytest.raises(InvalidInput):
            selector.partial_fit(X, y)
        assert pickle.loads(pickle.dumps(selector)).selection_.to_json() == before


@pytest.mark.parametrize("classes", [[], 3, {"a": 1}, [[0], [1, 2]], [0, None]])
def test_classes(problem, classes):
    with pytest.raises(InvalidParameter, match="classes"):
        ep.Selector(k=1).partial_fit(problem.X, problem.y, classes=classes)


# -- arguments of any type ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["k", "task", "missing", "test", "search", "coding", "n_jobs", "random_state"])
def test_an_array_is_told_in_one_line(problem, name):
    with pytest.raises(InvalidParameter, match=rf"{name}: .*array\(\[\[1, 0\], \[0, 1\]\]\)"):
        ep.select(problem.X, problem.y, **{"k": 1, name: ARRAY})


def test_arrays_of_features_to_include(problem):
    assert ep.select(problem.X, problem.y, k=2, include=np.array([3, 1])).indices.tolist() == [3, 1]
    with pytest.raises(InvalidParameter, match="include: no feature"):
        ep.select(problem.X, problem.y, k=2, include=[{}])


def test_one_feature_need_not_be_in_a_list(problem):
    found = ep.select(problem.X, problem.y, k=2, include=3, exclude=np.int64(1))
    assert found.indices[0] == 3
    assert (found.options["include"], found.options["exclude"]) == ([3], [1])


@pytest.mark.parametrize("method", ["jmi", "gc.mi", "anova", "relieff"])
def test_a_discretizer_is_checked_whether_or_not_it_is_used(problem, method):
    """Only where rows came in blocks was it."""
    with pytest.raises(InvalidParameter, match=r"discretizer: .* got 1$"):
        ep.select(problem.X, problem.y, method=method, k=1, discretizer=1)


@pytest.mark.parametrize("given", [{"sample_weight": np.full(60, 1e300)}, {"C": 1e300}, {"C": 1e-300}])
def test_weights_for_which_a_solver_would_not_end(problem, given):
    with pytest.raises(InvalidInput, match=r"^sample_weight: times C, the largest must be from 1e-100 to 1e\+100"):
        ep.select(problem.X, problem.y, method="rfe.svm", k=1, **given)


@pytest.mark.parametrize("n_jobs", ["2", 2.5, 1j, 0, True])
def test_threads(problem, n_jobs):
    for call in (ep.mutual_information, ep.conditional_mutual_information_matrix, ep.select, ep.compare):
        with pytest.raises(InvalidParameter, match="n_jobs"):
            call(problem.X, problem.y, n_jobs=n_jobs)


@pytest.mark.parametrize("sets", [True, [1, 2], [[0], ["a"]], [[0], [[1], [2, 3]]], [[0], [10**30]], [[0.5], [1]]])
def test_sets(sets):
    with pytest.raises(InvalidInput, match="sets"):
        ep.stability.nogueira(sets, 4)


def test_arguments_of_evaluations(problem, tmp_path):
    X, y, pair = problem.X, problem.y, [[0], [1]]
    calls = {
        "n_features": lambda: ep.stability.nogueira(pair, 10**30),
        "confidence": lambda: ep.stability.nogueira(pair, 4, confidence=None),
        "against": lambda: ep.stability.nogueira(pair, 4, against="0"),
        "similarity": lambda: ep.stability.information_consistency(pair, "x"),
        "resume": lambda: ep.compare(X, y, "mim", 1, resume=b"x"),
        "bootstraps": lambda: ep.compare(X, y, "mim", 1, bootstraps=10**30),
        "repeats": lambda: ep.compare(X, y, "mim", 1, repeats=10**30),
        "draws": lambda: ep.small_samples(X, y, "mim", 1, draws=10**30),
        "sizes": lambda: ep.small_samples(X, y, "mim", 1, sizes=object),
        "beta": lambda: ep.criterion_space(X, y, 1, beta=None),
        "n: ": lambda: ep.datasets.xor(10**30),
        "numeric": lambda: ep.open_source(problem.to_frame(), numeric=3),
        "missing": lambda: ep.open_source(problem.to_frame(), missing=True),
        "sql": lambda: ep.open_source(problem.to_frame(), sql=b"SELECT 1"),
        "path": lambda: ep.Statistics.load(3),
        "estimator": lambda: ep.mutual_information(X, y, estimator="miller"),
        "X: some numbers are too large": lambda: ep.Statistics.collect(
            {"a": [1.7e308, -1.7e308] * 20, "y": [0, 1] * 20}, "y"
        ),
        "verbose": lambda: ep.select(X, y, k=1, verbose=[1]),
        "memory": lambda: ep.select(X, y, k=1, memory=1e300),
        "file: no file": lambda: ep.select("x" * 300 + ".csv", "y", k=1),
    }
    for name, call in calls.items():
        with pytest.raises(EntropickError, match=f"^{name}") as caught:
            call()
        assert "\n" not in str(caught.value)


# -- reading and showing ------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="this polars has no integers of 128 bits")
def test_integers_of_128_bits():
    frame = pl.DataFrame(
        {"a": pl.Series([1, None, 3], dtype=pl.Int128), "b": pl.Series([10**30, 1, 2], dtype=pl.Int128)}
    )
    table = as_table(frame)
    assert [table.kind(j) for j in (0, 1)] == ["integer", "numeric"]
    assert table.column(1).tolist() == [1e30, 1.0, 2.0]


def test_intervals_in_a_dask_frame():
    """Dask has no example of their type."""
    dd = pytest.importorskip("dask.dataframe", reason="Dask frames are not installed")
    frame = pd.DataFrame({"a": pd.interval_range(0, 2), "b": [0, 1], "y": [0, 1]}).loc[[0, 1, 1, 0]]
    lazy = dd.from_pandas(frame, npartitions=2, sort=False)
    assert ep.select(lazy, "y", k=2).steps == ep.select(frame, "y", k=2).steps
    assert ep.select(lazy[["b", "y"]], lazy["a"], k=2).names == ["b", "y"]


def test_categories_of_bytes_are_the_texts_that_bytes_are():
    values = pd.Series([b"u", b"v", b"\xff"])
    assert as_table(pd.DataFrame({"a": values.astype("category")})).column(0).tolist() == ["u", "v", r"\xff"]
    assert as_table(pd.DataFrame({"a": values})).column(0).tolist() == ["u", "v", r"\xff"]


def test_names_of_an_arrow_file_that_are_no_text(tmp_path):
    path = tmp_path / "a.arrow"
    feather.write_feather(pa.table({"name": [1, 2], "y": [0, 1]}), str(path), compression="uncompressed")
    path.write_bytes(path.read_bytes().replace(b"name", b"\xd3ame"))
    with pytest.raises(InvalidInput, match=r"^file: 'a.arrow' is not a readable .* can't decode"):
        ep.open_source(path)


@pytest.mark.filterwarnings("error")
def test_infinite_products_of_two_blocks_are_told():
    """They were added with a warning where their signs differ."""
    a = np.array([1e200, -1e200] * 4)
    blocks = (pd.DataFrame({"a": a, "b": sign * a, "y": [0, 0, 1, 1] * 2}) for sign in (1, -1))
    with pytest.raises(InvalidInput, match=r"^X: .*(too large|below 1e150)"):
        ep.select(blocks, "y", method="gkl.mi", k=1, memory="1MB")


def test_a_header_of_statistics_that_is_no_python(tmp_path):
    """NumPy parses it, and raises what the tokenizer does."""
    inside = io.BytesIO()
    np.save(inside, np.array("{}"))
    with zipfile.ZipFile(tmp_path / "a.stats", "w") as packed:
        packed.writestr("head.npy", inside.getvalue().replace(b"}  ", b"} [", 1))
    with pytest.raises(InvalidInput, match=r"^path: .* is not a file of saved statistics"):
        ep.Statistics.load(tmp_path / "a.stats")


def test_long_floats_are_saved(tmp_path):
    frame = pd.DataFrame({"a": [0, 1] * 20, "y": [0, 1] * 20}, dtype=np.longdouble)
    ep.Statistics.collect(frame, "y", task="classification").save(tmp_path / "a.stats")
    assert ep.Statistics.load(tmp_path / "a.stats").select(k=1).names == ["a"]


def test_a_note_is_told_once():
    frame = pd.DataFrame({"d": pd.date_range("2020-01-01", periods=20), "a": [0, 1] * 10, "y": [0, 1] * 10})
    found = ep.Statistics.collect(frame, "y").select(k=1)
    assert len(set(found.notes)) == len(found.notes)


def test_answers_with_parts_that_do_not_fit(problem):
    selection = ep.select(problem.X, problem.y, k=2)
    comparison = ep.compare(problem.X, problem.y, "mim", k=1, estimators="3-NN", cv=2, repeats=1)
    scores = json.loads(comparison.to_json())["scores"]
    for answer, field, value in [
        (comparison, "scores", {**scores, "method": ["x", *scores["method"][1:]]}),
        (selection, "feature_names", [1] * 10), (selection, "steps", [{"rank": 1}]), (selection, "steps", "x"),
        (selection, "steps", [{"rank": 1, "name": "x1", "members": [10**30], "score": 1.0}]),
        (comparison, "methods", None), (comparison, "n_resamples", 1), (comparison, "settings", {}),
        (comparison, "scores", {}),
    ]:  # fmt: skip
        with pytest.raises(InvalidInput, match=r"^text: not a"):
            type(answer).from_json(json.dumps({**json.loads(answer.to_json()), field: value}))


def test_scores_too_large_to_square(problem):
    found = ep.compare(problem.X, problem.y, "mim", k=1, estimators="3-NN", cv=2, repeats=1)
    fields = json.loads(found.to_json())
    fields["scores"]["error"][0] = 1e300
    with pytest.raises(InvalidInput, match=r"^text: not a Comparison .*overflow"):
        ep.Comparison.from_json(json.dumps(fields))


def test_labels_have_no_control_characters():
    assert label("a\x00b\u202ec") == "a·b·c"


class HalfMade:
    def __del__(self) -> None:
        raise ValueError


def test_an_object_half_made_at_an_interrupt_is_not_told(monkeypatch, capsys):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    group.report_unforeseen()
    for interrupts in ([], [2]):
        monkeypatch.setattr(group, "interrupts", interrupts)
        HalfMade()
        assert ("ValueError" in capsys.readouterr().err) == (not interrupts)


def test_too_little_memory_for_a_library_is_no_fault(monkeypatch, capsys):
    def load(*_: object, **__: object) -> None:
        raise ImportError("a.so: failed to map segment from shared object")

    monkeypatch.setattr(TyperGroup, "main", load)
    assert get_command(app).main([], standalone_mode=False) == 1
    assert capsys.readouterr().err == "error: not enough memory to load the required libraries\n"


@pytest.mark.parametrize("text", [3, True, np.zeros(3), {1: None}, [2.5], slice(1), abs])
def test_text_of_any_type_is_named(text):
    frame = pd.DataFrame({"a": ["u", "v"] * 9, "y": [0, 1] * 9})
    with pytest.raises(InvalidParameter, match="text: must be names, or names and vectorisers, got"):
        ep.select(frame, "y", text=text)


@pytest.mark.parametrize("text", [None, "", (), [], {}])
def test_no_text_is_none(text):
    assert ep.select(pd.DataFrame({"a": [0, 1] * 9, "y": [0, 1] * 9}), "y", k=1, text=text).names == ["a"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary_view"])
def test_the_first_text_of_every_type_of_arrow(kind):
    """Arrow cannot filter its views."""
    if not hasattr(pa, kind):
        pytest.skip("an older Arrow")
    parts = ([None, None], ["u", "v"] * 9)
    texts = pa.chunked_array([pa.array(part, getattr(pa, kind)()) for part in parts])
    table = pa.table({"a": texts, "y": [0, 0, *[0, 1] * 9]})
    if kind == "binary_view":
        with pytest.raises(InvalidInput, match="'a'"):
            ep.select(table, "y", k=1)
    else:
        assert ep.select(table, "y", k=1).names == ["a"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("y", [[0, 1] * 20, [*range(10)] * 4, np.linspace(-1e140, 1e140, 40)])
def test_a_picture_of_huge_numbers(tmp_path, y):
    """Differences, sums and squares of them overflow; the edges are the numbers all the same."""
    frame = pd.DataFrame({"a": 1.7e308 * np.linspace(-1, 1, 40), "b": np.arange(40) % 3})
    ep.select(frame, y, k=2, method="mim").report(tmp_path / "a.html", frame, y)
    picture = portrait(as_table(frame), 0, code_target(np.asarray(y)))
    if picture["kind"] == "histogram":
        assert picture["edges"][0] == pytest.approx(-1.7e308, rel=0.05)
        assert np.diff(picture["edges"]) == pytest.approx(2.37e307, rel=0.1)


def test_a_selector_takes_names_that_are_repeated():
    """scikit-learn refuses them since 1.9; `select` gives the second a number."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "a"])
    y = (X.iloc[:, 2] > 0).astype(int)
    fitted = ep.Selector("jmi", 2).fit(X, y)
    assert fitted.selection_ == ep.select(X, y, method="jmi", k=2)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "a_2"]
    assert fitted.get_feature_names_out()[-1] == "a_2"
    assert fitted.transform(X).shape == (60, 2)


def test_arrays_where_one_word_or_number_is_asked_for(problem):
    for given in ({"per_class": ARRAY}, {"per_class": "x"}, {"per_class": 1.5}):
        with pytest.raises(InvalidParameter, match="per_class"):
            ep.select(problem.X, problem.y, **given)
    with pytest.raises(InvalidParameter, match="task"):
        ep.small_samples(problem.X, problem.y, ["mim"], task=ARRAY)


def test_a_saved_selection_with_a_feature_twice(problem):
    fields = json.loads(ep.select(problem.X, problem.y, k=2, method="mim").to_json())
    fields["steps"][1] = fields["steps"][0]
    with pytest.raises(InvalidInput, match="a feature is there twice"):
        ep.Selection.from_json(json.dumps(fields))


def test_a_function_that_cannot_be_called_as_a_selector(problem):
    with pytest.raises(EntropickError, match=r"called with \(X, y, k\); len does not take these"):
        ep.compare(problem.X, problem.y, methods=[len], k=[1])
