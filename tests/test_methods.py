"""The registry: what is registered shows everywhere, and what is wrong is told."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import warnings
from importlib import import_module
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import entropick as ep
from entropick.catalogue.method import RESERVED, STATISTICS
from entropick.catalogue.search import SEARCH_ENTRIES
from entropick.errors import EntropickWarning, InvalidParameter, UnknownMethod
from entropick.evaluation.claims import check_claim
from entropick.measures.pairwise import Min, PairwiseMeasure
from entropick.methods import BUILT_IN, REGISTRY, Method, Option
from entropick.search import SEARCHES
from entropick.statistics.kind import KINDS

registry = import_module("entropick.methods")  # the name in the package is that of the function

OWN = '''
import entropick as ep
from entropick.measures.pairwise import Max, PairwiseMeasure

class Strictest(PairwiseMeasure):
    """Relevance less the largest redundancy."""
    fold = Max()
    by_class = False
    def link(self, pair):
        return (pair.redundancy,)
    def score(self, relevance, folded, size):
        return relevance - folded[0] if size else relevance.copy()

ep.register(ep.Method("strictest", Strictest))
'''


class Worst(PairwiseMeasure):
    """The smallest information left given any selected feature, uncapped."""

    fold = Min()

    def link(self, pair):
        return (pair.given,)

    def score(self, relevance, folded, size):
        return folded[0].copy() if size else relevance.copy()


@pytest.fixture
def worst():
    yield ep.register(Method("worst", Worst, sees={"redundancy"}))
    ep.unregister("worst")


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    return (y[:, None] * [1, 0, 1, 0] + rng.integers(0, 3, (120, 4))), y


def test_it_shows_everywhere(worst, problem):
    X, y = problem
    found = ep.select(X, y, method="worst", k=3)
    assert found.method == "worst"
    assert ep.Selector("worst", k=3).fit(X, y).selection_.steps == found.steps
    assert ep.methods().loc["worst", "summary"] == "The smallest information left given any selected feature, uncapped"
    assert ep.compare(X, y, ["worst"], k=[2], cv=2, repeats=1, n_jobs=1).methods == ("worst",)


def test_worker_processes_know_it(worst, problem):
    X, y = problem
    alone, both = (ep.compare(X, y, ["worst", "mim"], k=[2], cv=2, repeats=1, n_jobs=n) for n in (1, 2))
    assert set(both.methods) == {"worst", "mim"}
    assert both.best().words == alone.best().words


def test_a_method_taken_back_is_gone(problem):
    ep.register(Method("gone", Worst))
    ep.unregister("gone")
    with pytest.raises(UnknownMethod, match="no method 'gone'"):
        ep.select(*problem, method="gone", k=1)
    with pytest.raises(UnknownMethod, match="no method 'gone' is registered"):
        ep.unregister("gone")
    with pytest.raises(InvalidParameter, match="'jmi' is built in and stays"):
        ep.unregister("jmi")


def test_names_are_taken_once(worst):
    assert ep.register(worst) is worst  # again, as when a module is loaded twice
    with pytest.raises(
        InvalidParameter, match="name: 'worst' is registered already; choose another name, or unregister"
    ):
        ep.register(Method("worst", Worst))
    with pytest.raises(InvalidParameter, match="name: 'jmi' is built in"):
        ep.register(Method("jmi", Worst))


OPTION = Option(1, "a number", lambda value: True)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"name": "two words"}, "name: must be a word without spaces or commas, got 'two words'"),
        ({"name": ""}, "name: must be a word"),
        ({"measure": Worst.score}, "measure: must be a class, got <function"),
        ({"statistics": "words"}, "statistics: must be one of lifted, levels, moments, marginals, rows, got 'words'"),
        ({"searches": ()}, "searches: needs at least one of ranking, forward"),
        ({"searches": "forward"}, "searches: must be a tuple of .*, got 'forward'"),
        ({"searches": ("forwards",)}, "searches: must be one of .*, got 'forwards'"),
        ({"searches": ("lazy",)}, "measure: search 'lazy' asks for .*; Worst lacks note, bounds, up_to_date, tighten"),
        ({"measure": dict}, "measure: search 'forward' asks for gains, add, account; dict lacks gains, add, account"),
        ({"weights": True}, "weights: must be one of rows, importance, none, got True"),
        ({"nested": "yes"}, "nested: must be True or False, got 'yes'"),
        ({"sees": {"everything"}}, "sees: must be one of redundancy, interaction, nonlinear, got 'everything'"),
        ({"invariant": ("scale",)}, "invariant: must be one of affine, monotone, got 'scale'"),
        ({"options": [1]}, "options: must be a dict from names to Option"),
        ({"options": {"beta": 1}}, r"options: 'beta' must be an Option\(default, rule, check\), got 1"),
        ({"options": {"k": OPTION}}, "options: 'k' is already an argument of select"),
    ],
)
def test_what_is_wrong_is_told_when_it_is_written(facts, message):
    with pytest.raises(InvalidParameter, match=message):
        Method(**{"name": "mine", "measure": Worst, **facts})


@pytest.mark.parametrize("wrong", [Worst, "jmi", None])
def test_only_methods_are_registered(wrong):
    with pytest.raises(InvalidParameter, match=r"method: must be an entropick\.Method, got"):
        ep.register(wrong)


def test_a_registered_measure_is_a_class():
    with pytest.raises(InvalidParameter, match=r"measure: must be a class, got 'pairwise\.linear:JMI'"):
        ep.register(Method("mine", "pairwise.linear:JMI"))


def test_weights_are_refused_where_they_are_not_understood(problem):
    ep.register(Method("unweighted", Worst, weights="none"))
    try:
        with pytest.raises(InvalidParameter, match="sample_weight: 'unweighted' does not support weights"):
            ep.select(*problem, method="unweighted", k=1, sample_weight=np.ones(120))
        check_claim("unweighted", "weights")
    finally:
        ep.unregister("unweighted")


# -- packages and the command line -----------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch):
    """Entry points of packages that are installed for the time of a test."""

    def install(**points):
        found = [EntryPoint(name, value, registry.GROUP) for name, value in points.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: found)

    yield install
    for name in [name for name in REGISTRY if name not in BUILT_IN]:
        del REGISTRY[name]
    registry._seen.clear()


ENTRY = Method("from.a.package", Worst)
ENTRIES = [Method("one.of.two", Worst), Method("two.of.two", Worst)]


def test_entry_points(installed, problem):
    installed(one=f"{__name__}:ENTRY", several=f"{__name__}:ENTRIES")
    assert ep.select(*problem, method="from.a.package", k=1).method == "from.a.package"
    assert {"one.of.two", "two.of.two"} <= set(ep.methods().index)


@pytest.mark.parametrize("value", ["no_such_module:M", f"{__name__}:NOTHING", f"{__name__}:OWN"])
def test_an_entry_point_that_does_not_work_is_told_and_others_work(installed, value):
    installed(broken=value, one=f"{__name__}:ENTRY")
    with pytest.warns(EntropickWarning, match="entry point 'broken'"):
        known = registry.known_methods()
    assert "from.a.package" in known
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registry.known_methods()  # once is enough


def entropick(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "entropick.cli", *words], capture_output=True, encoding="utf-8", cwd=folder
    )


@pytest.fixture
def folder(tmp_path, problem):
    X, y = problem
    rows = "\n".join(",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), y.tolist(), strict=True))
    (tmp_path / "data.csv").write_text("a,b,c,d,label\n" + rows + "\n", "utf-8")
    (tmp_path / "mine.py").write_text(OWN, "utf-8")
    return tmp_path


@pytest.mark.parametrize("plugin", ["mine", "mine.py"])
def test_plugins_of_the_command_line(folder, plugin):
    done = entropick(
        folder, "select", "data.csv", "-t", "label", "-m", "strictest", "-k", "2", "--plugin", plugin, "-o", "json"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["method"] == "strictest"


def test_plugins_of_compare_and_methods(folder):
    shown = entropick(folder, "methods", "strictest", "--plugin", "mine")
    assert "Relevance less the largest redundancy" in shown.stdout
    done = entropick(
        folder, "compare", "data.csv", "-t", "label", "--methods", "strictest,mim", "-k", "2", "--resamples", "2x1",
        "--jobs", "2", "--plugin", "mine",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "strictest" in done.stdout


@pytest.mark.parametrize("plugin", ["nowhere", "nowhere.py"])
def test_a_plugin_that_is_not_there(folder, plugin):
    done = entropick(folder, "methods", "--plugin", plugin)
    assert done.returncode == 1
    assert "--plugin" in done.stderr


# -- what the catalogue says of others ---------------------------------------------------------------------------


def test_the_catalogue_knows_searches_kinds_and_arguments():
    assert list(SEARCHES) == list(SEARCH_ENTRIES)
    assert set(STATISTICS) == set(KINDS)
    arguments = set(inspect.signature(ep.select).parameters) - {"memory"}  # which some methods take as an option
    assert arguments | {"k", "options"} == RESERVED


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_built_in_measures_answer_what_their_searches_ask(name):
    method = REGISTRY[name]
    for search in method.searches:
        for asked in SEARCH_ENTRIES[search].asks:
            assert callable(getattr(method.measure_class(), asked, None)), (search, asked)
