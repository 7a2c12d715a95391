"""What methods of one resample share changes nothing but the time; large tables are judged in part and timed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier

import entropick as ep
from entropick.coding import Coder
from entropick.evaluation import estimators, forecast, trials
from entropick.evaluation.compare import compare
from entropick.evaluation.estimators import limits
from entropick.evaluation.fold import Fold
from entropick.evaluation.learning_task import learning_task
from entropick.evaluation.resampling import drawn_rows, resample
from entropick.evaluation.scoring import resolve_scoring
from entropick.methods import get_method, known_methods
from entropick.selectors.answer import run
from entropick.selectors.request import Request
from entropick.statistics.kind import Memo

X, Y = make_classification(120, 9, n_informative=4, n_redundant=2, n_classes=3, random_state=0)
SLOW = {"sdp.cmi", "lsmi.l1", "hsic.l1", "lsmi.forward", "lsmi.backward", "hsic.backward", "qalpha"}
METHODS = [name for name in known_methods() if "classification" in get_method(name).tasks and name not in SLOW]


def designed(requests, estimators):
    given = learning_task(X, Y, "auto")
    return trials.Design(given, requests, (2, 4), estimators, resample(given.target, 3, 1).resamples, 0,
                         resolve_scoring(None, given.target))  # fmt: skip


@pytest.mark.parametrize("order", [1, -1])
def test_sharing_changes_no_choice(order):
    """Every method after every other, in both orders, against each for itself."""
    memo = Memo()
    for name in METHODS[::order]:
        request = Request(method=name, k=4, n_jobs=1, random_state=0)
        own = run(X, Y, request).selection
        shared = run(X, Y, replace(request, shared=memo, sure=False)).selection
        assert shared.indices.tolist() == own.indices.tolist(), name
        np.testing.assert_array_equal(shared.scores, own.scores, err_msg=name)


def test_columns_are_coded_once_a_fold(monkeypatch):
    fitted = []
    real = Coder.fit
    monkeypatch.setattr(
        Coder, "fit", lambda self, table, *rest: fitted.append(table.n_rows) or real(self, table, *rest)
    )
    compare(X, Y, ["jmi", "mrmr", "cmim"], k=3, cv=3, repeats=1, estimators="nearest mean")
    assert sum(rows == 80 for rows in fitted) == 3


def test_another_coding_is_another_one():
    memo = Memo()
    for bins in ("auto", 3):
        request = Request(method="jmi", k=3, discretizer=bins, n_jobs=1, shared=memo)
        assert (
            run(X, Y, request).selection.scores.tolist()
            == run(X, Y, replace(request, shared=None)).selection.scores.tolist()
        )


def test_shared_time_counts_for_everyone():
    memo, clock = Memo(), iter([0.0, 2.0, 10.0, 13.0])
    memo.clock = lambda: next(clock)
    assert memo("inner", lambda: 1) == 1  # two seconds
    assert memo("outer", lambda: memo("inner", lambda: 2) + 1) == 2  # three, and two that were saved
    assert memo.saved == 2.0
    assert memo("outer", lambda: 0) == 2
    assert memo.saved == 2.0 + 5.0


def test_one_set_is_judged_once_in_any_order():
    class Counted(KNeighborsClassifier):
        fits = 0

        def fit(self, X, y):
            Counted.fits += 1
            return super().fit(X, y)

    fold = Fold(designed({}, {"own": Counted()}), 0)
    assert fold.judged([3, 1], "own") == fold.judged((1, 3), "own")
    assert Counted.fits == 1


def test_named_neighbours_see_a_part_and_say_so(monkeypatch):
    monkeypatch.setattr(estimators, "MOST", 50)
    assert limits(["3-NN", "linear SVM", KNeighborsClassifier()], "classification") == {"3-NN": 50}
    assert limits({"near": "3nn", "far": KNeighborsClassifier()}, "classification") == {"near": 50}
    seen = []
    real = KNeighborsClassifier.fit
    monkeypatch.setattr(
        KNeighborsClassifier, "fit", lambda self, X, y: seen.append((len(X), len(set(y)))) or real(self, X, y)
    )
    found = compare(X, Y, ["mim"], k=3, cv=3, repeats=1, estimators=["3-NN", "linear SVM"])
    assert set(seen) == {(50, 3)}
    assert any("3-NN is fitted to 50 of 80 training rows" in note for note in found.notes)
    seen.clear()
    whole = compare(X, Y, ["mim"], k=3, cv=3, repeats=1, estimators=KNeighborsClassifier(3))
    assert set(seen) == {(80, 3)}
    assert not any("training rows" in note for note in whole.notes)


def test_a_part_has_every_class_by_its_share():
    codes = np.repeat([0, 1, 2], [900, 95, 5]).astype(np.int32)
    rows = drawn_rows(codes, 3, 100, np.random.default_rng(0))
    assert len(set(rows.tolist())) == 100
    assert (np.diff(rows) > 0).all()
    counts = np.bincount(codes[rows])
    assert counts[2] >= 2
    assert abs(counts[0] - 90) <= 3


def test_how_long_is_told_before_the_start(capsys, monkeypatch):
    monkeypatch.setattr(forecast, "FEWEST", 10)
    compare(X, Y, ["mim"], k=3, cv=3, repeats=1, estimators="nearest mean", verbose=1)
    assert capsys.readouterr().err == ""  # it takes no time
    monkeypatch.setattr(forecast, "WORTH", 0.0)
    compare(X, Y, ["mim", "jmi"], k=[2, 3], cv=3, repeats=1, estimators="nearest mean", verbose=1)
    assert capsys.readouterr().err.startswith("comparing 2 methods, up to 3 features, 3 resamples: about ")


def test_the_forecast_is_of_that_order():
    given = learning_task(np.tile(X, (20, 1)), np.tile(Y, 20), "auto")
    rows = resample(given.target, 4, 1).resamples
    design = trials.Design(given, {}, (2,), {}, rows, 0, resolve_scoring(None, given.target))
    sizes = []
    clock = iter([0.0, 3.0])

    class Clock:
        perf_counter = staticmethod(lambda: next(clock))

    forecast_time, forecast.time = forecast.time, Clock
    try:
        seconds = forecast.forecast(design, lambda few: sizes.append(few.resamples[0].train.size))
    finally:
        forecast.time = forecast_time
    assert sizes == [225, 225]  # an eighth of 1800
    assert seconds == 3.0 * 8 * 4


def test_lines_where_no_bar_can_be_shown(capsys, monkeypatch):
    from entropick import progress

    monkeypatch.setattr(progress, "EVERY", 0.0)
    assert list(progress.track(3, "comparing", verbose=1, lines=True)) == [0, 1, 2]
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("comparing: 1/3, 0 s so far, about 0 s left")
    assert len(lines) == 2


def test_results_are_the_same_on_any_number_of_processes():
    how = {"methods": ["jmi", "mrmr", "SelectKBest.f"], "k": [2, 3], "cv": 3, "repeats": 1}
    one, two = compare(X, Y, **how), ep.compare(X, Y, n_jobs=2, **how)
    assert one.scores.equals(two.scores)
    assert one.chosen.equals(two.chosen)
