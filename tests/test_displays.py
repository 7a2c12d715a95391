"""Displays: the numbers they hold, and what of them is drawn."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from comparisons import ERRORS, comparison, selection
from entropick import displays
from entropick.displays.display import label, label_points
from entropick.errors import InvalidInput, MissingExtra

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

SPACE = pd.DataFrame(
    [(b, g, (b - 0.5) ** 2 + g) for b in (0, 0.5, 1) for g in (0, 1)], columns=["beta", "gamma", "error"]
)
ALL = {
    "path": lambda: displays.SelectionPathDisplay.from_selection(selection()),
    "redundancy": lambda: displays.RedundancyDisplay.from_selection(selection()),
    "accuracy": lambda: displays.AccuracyDisplay.from_comparison(comparison()),
    "stability": lambda: displays.StabilityDisplay.from_comparison(comparison()),
    "frequency": lambda: displays.FrequencyDisplay.from_comparison(comparison()),
    "feature": lambda: displays.FeatureDisplay.from_data(np.arange(40.0)[:, None], np.arange(40) % 2, 0),
    "pareto": lambda: displays.ParetoDisplay.from_comparison(comparison()),
    "map": lambda: displays.MethodMapDisplay.from_comparison(comparison()),
    "space": lambda: displays.CriterionSpaceDisplay(SPACE, {"mim": (0, 0), "cife": (1, 1)}),
}


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.mark.parametrize("name", ALL)
def test_plot_returns_the_display_with_its_axes(name):
    display = ALL[name]()
    assert display.plot() is display
    assert display.ax_.figure is display.figure_
    assert display.figure_ is pyplot.gcf()


@pytest.mark.parametrize("name", ALL)
def test_given_axes_are_drawn_on(name):
    figure, axes = pyplot.subplots(1, 2)
    display = ALL[name]().plot(ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert not axes[0].has_data()
    assert axes[1].has_data()


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_cut_off(name):
    """All that is drawn on a figure made here lies inside it."""
    figure = ALL[name]().plot().figure_
    figure.canvas.draw()
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= -0.01
    assert drawn.x1 <= width + 0.01
    assert drawn.y1 <= height + 0.01


@pytest.mark.parametrize("name", ALL)
def test_names_are_drawn_as_they_are(name):
    """A dollar is no mathematics, and a line break no second line."""
    names = (r"$\frac{", "a\nb", "x" * 300, "<b>", "wörter", "last")
    made = {"path": selection(names), "redundancy": selection(names)}.get(name)
    if made is None:
        made = comparison(methods={r"$\frac{": 0, "a_b^c": 0, "jmi": 0})
    builders = {
        "path": displays.SelectionPathDisplay.from_selection,
        "redundancy": displays.RedundancyDisplay.from_selection,
        "accuracy": displays.AccuracyDisplay.from_comparison,
        "stability": displays.StabilityDisplay.from_comparison,
        "frequency": lambda made: displays.FrequencyDisplay.from_comparison(made, r"$\frac{"),
        "feature": lambda _: displays.FeatureDisplay.from_data(
            pd.DataFrame({r"$\frac{": np.arange(40.0)}), np.arange(40) % 2, 0
        ),
        "pareto": displays.ParetoDisplay.from_comparison,
        "map": displays.MethodMapDisplay.from_comparison,
        "space": lambda _: displays.CriterionSpaceDisplay(SPACE, {r"$\frac{": (0, 0)}),
    }
    figure = builders[name](made).plot().figure_
    figure.canvas.draw()
    assert any(r"\$\frac{" in text.get_text() for text in figure.findobj(matplotlib.text.Text))


def test_path_of_a_pairwise_method_has_no_joint_information():
    frame = ALL["path"]().frame()
    assert frame["score"].tolist() == [0.5 / i for i in (1, 2, 3, 4)]
    assert frame["information"].isna().all()


def test_path_from_data():
    rows = np.array([(a, b) for a in (0, 1) for b in (0, 1)] * 20)
    y = rows[:, 0] ^ rows[:, 1]
    found = ep.select(rows, y, method="jmi", k=2)
    display = displays.SelectionPathDisplay.from_data(found, rows, y)
    assert display.frame()["information"].tolist() == pytest.approx([0.0, np.log(2)], abs=1e-12)
    assert display.frame()["floor"].tolist() == pytest.approx([0.5, 0.0], abs=1e-12)
    texts = [text.get_text() for text in display.plot().ax_.texts]
    assert texts == ["error ≥ 50.0%"]


def test_scores_in_other_units_get_an_axis_of_their_own():
    X, y = ep.datasets.load_demo()
    found = ep.select(X, y, method="fisher", k=3)
    figure = displays.SelectionPathDisplay.from_data(found, X, y).plot().figure_
    assert [ax.get_xlabel() for ax in figure.axes] == ["score of fisher", "joint information (nats)"]


def test_redundancy_is_symmetric_and_as_recorded():
    display = ALL["redundancy"]()
    frame = display.frame()
    assert frame.loc["income", "height"] == frame.loc["height", "income"] == pytest.approx(0.2)
    assert np.isnan(np.diag(frame)).all()
    drawn = [text.get_text() for text in display.plot().ax_.texts]
    assert drawn.count("0.20") == 4  # the second feature with the third and fourth, both ways


@pytest.mark.parametrize(("shared", "units", "full"), [(0.02, "nats", np.log(2)), (1.5, "nats", 1.5), (0.02, "", 0.02)])
def test_the_strongest_colour_of_redundancy_is_one_bit_at_least(shared, units, full):
    display = displays.RedundancyDisplay(["a", "b"], [[np.nan, shared], [shared, np.nan]], units)
    assert display.plot().ax_.images[0].get_clim() == pytest.approx((0, full))


def test_errors_are_percentages_without_needless_digits():
    comparison = ALL["pareto"]().plot()
    ticks = [tick.get_text() for tick in comparison.ax_.get_xticklabels()]
    assert ticks
    assert all(tick.endswith("%") and not tick.endswith(".00%") for tick in ticks)


def test_redundancy_says_where_there_is_none():
    X, y = ep.datasets.load_demo()
    found = ep.select(X, y, method="wilks", k=3)
    with pytest.raises(InvalidInput, match="from_data"):
        displays.RedundancyDisplay.from_selection(found)
    assert displays.RedundancyDisplay.from_data(found, X, y).frame().shape == (3, 3)
    with pytest.raises(InvalidInput, match="two features"):
        displays.RedundancyDisplay.from_data(ep.select(X, y, method="wilks", k=1), X, y)


def test_accuracy_curves():
    display = displays.AccuracyDisplay.from_comparison(comparison(), methods=["jmi", "mim"])
    frame = display.frame().set_index(["method", "k"])
    assert frame.loc[("jmi", 2), "mean"] == pytest.approx(ERRORS["jmi"][1])
    assert frame.loc[("jmi", 2), "se"] == pytest.approx(np.sqrt(4e-4 / 3) * np.sqrt(1 / 4 + 1 / 3))
    ax = display.plot().ax_
    assert {line.get_label(): tuple(np.round(line.get_ydata(), 3)) for line in ax.lines} == {
        method: ERRORS[method] for method in ("jmi", "mim")
    }
    svm = displays.AccuracyDisplay.from_comparison(comparison(), "linear SVM").frame()
    assert svm["mean"].min() == pytest.approx(0.15)


def test_errors_of_a_regression_are_no_percentages():
    ax = displays.AccuracyDisplay.from_comparison(comparison(task="regression")).plot().ax_
    assert ax.get_ylabel().startswith("RMSE")
    ax.figure.canvas.draw()
    assert not any("%" in text.get_text() for text in ax.get_yticklabels())


def test_stability_has_the_steadiest_first():
    frame = ALL["stability"]().frame()
    assert frame["method"].tolist() == ["mim", "jmi", "mrmr"]
    assert frame["nogueira"].iloc[0] == pytest.approx(1.0)  # the same set in every resample
    assert (frame["low"] <= frame["nogueira"]).all()


def test_pareto_draws_the_front():
    display = ALL["pareto"]()
    frame = display.frame().set_index("method")
    assert frame["front"].to_dict() == {"jmi": 1, "mim": 1, "mrmr": 2}  # jmi errs least, mim is steadiest
    line = display.plot().ax_.lines[0]
    assert line.get_xdata().tolist() == frame.loc[["jmi", "mim"], "error"].tolist()


def test_map_keeps_distances():
    frame = ALL["map"]().frame().set_index("method")
    assert list(frame.columns) == ["x", "y"]
    ax = ALL["map"]().plot().ax_
    assert ax.get_aspect() == 1.0


def test_space_marks_the_least_error():
    ax = ALL["space"]().plot().ax_
    assert ax.collections[1].get_offsets().tolist() == [[0.5, 0.0]]


def test_labels_keep_apart():
    """No two of twelve names cross, though their points lie close."""
    points = np.random.default_rng(0).normal(size=(12, 2))
    names = [f"method {i}" for i in range(12)]
    _, ax = pyplot.subplots()
    ax.scatter(*points.T)
    label_points(ax, *points.T, names, "black", "white")
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    overlaps = sum(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert overlaps == 0
    assert [text.get_text() for text in ax.texts] == names


def test_label():
    assert label("a  b\n") == "a b"
    assert len(label("x" * 100, 20)) == 20


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"entropick\[plot\]"):
        ALL["stability"]().plot()


@pytest.mark.parametrize(
    ("x", "y", "kind", "rows"),
    [
        (np.arange(60.0), np.arange(60) % 2, "histogram", 2 * 14),
        (np.arange(60.0), np.arange(60) % 10, "boxes", 10),
        (np.repeat(["a", "b", "c"], 20), np.arange(60) % 2, "shares", 3),
        (np.arange(60.0), np.arange(60) ** 1.5, "trend", 10),
        (np.repeat(["a", "b", "c"], 20), np.arange(60) ** 1.5, "means", 3),
    ],
)
def test_a_column_against_every_kind_of_target(x, y, kind, rows):
    shown = displays.FeatureDisplay.from_data(pd.DataFrame({"x": x}), y, "x")
    assert shown.picture["kind"] == kind
    assert len(shown.frame()) == rows
    assert shown.plot().ax_.get_title(loc="left") == "x"
    pyplot.close("all")


def test_the_numbers_of_a_column_are_those_of_its_rows():
    shares = displays.FeatureDisplay.from_data(pd.DataFrame({"x": list("aaab")}), ["n", "n", "y", "y"], "x").frame()
    assert shares.to_dict("list") == {"level": ["a", "b"], "rows": [3, 1], "n": [0.6667, 0.0], "y": [0.3333, 1.0]}
    with pytest.raises(InvalidInput, match="feature: no column 'z'"):
        displays.FeatureDisplay.from_data(pd.DataFrame({"x": list("ab")}), ["n", "y"], "z")


def test_a_method_has_one_colour_everywhere():
    from entropick.looks import COLOURS, looks

    drawn = displays.AccuracyDisplay.from_comparison(comparison()).plot().ax_.get_lines()
    numbers = looks(comparison().methods)
    assert [line.get_color() for line in drawn] == [COLOURS[numbers[method] % 7] for method in comparison().methods]
    assert len(set(looks([f"method {i}" for i in range(28)]).values())) == 28
    pyplot.close("all")
