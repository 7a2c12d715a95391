"""The summary of a comparison and of a selection made by hand: plain data, the right numbers, honest words."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import entropick as ep
from comparisons import CHOSEN, ERRORS, NAMES, comparison, facts, health, selection
from entropick.evaluation.path import PathEvidence
from entropick.report.roles import status
from entropick.report.summary import comparison_summary, selection_summary
from entropick.report.words import counted, cut, joined, shares_in_words, steadiness
from entropick.selection import Selection

SE = np.sqrt(4e-4 / 3) * np.sqrt(1 / 4 + 1 / 3)  # of four errors 0.01 off their mean, a third as many tested as learned


@pytest.fixture(scope="module")
def told():
    return comparison_summary(comparison())


def text(told):
    return " ".join(f"{lead} {words}" for lead, words in told["answer"]["words"])


def test_it_is_json(told):
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    one = selection_summary(selection(), health=health())
    assert json.loads(json.dumps(one, allow_nan=False)) == one


# -- the answer ----------------------------------------------------------------------------------------------


def test_the_answer_names_method_number_and_features(told):
    assert told["answer"]["headline"] == "At least 2 features, chosen by jmi."  # the lowest error is at the largest k
    assert [feature["name"] for feature in told["answer"]["features"]] == ["age", "height"]
    assert [feature["share"] for feature in told["answer"]["features"]] == [1.0, 0.75]
    assert "Keep age and height." in text(told)
    assert "3-NN misclassifies 10.5\u202f% of unseen rows" in text(told)
    assert told["answer"]["predicting"] == ["sick", "from 6 columns and 120 rows"]


def test_the_answer_says_how_sure(told):
    assert f"standard error is {100 * SE:.1f}\u202f%" in text(told)
    assert "one of these two features was chosen in every resample" in text(told)
    assert "No other method comes within one standard error" in text(told)
    figures = {figure["label"]: figure for figure in told["answer"]["figures"]}
    assert figures["error rate of 3-NN"]["value"] == "10.5\u202f%"
    assert figures["features, or more"]["value"] == "2 of 6"


def test_what_guessing_gives_is_told(told):
    assert "always predicting the largest class misclassifies 25.0\u202f%" in text(told)
    bad = comparison()
    useless = comparison_summary(replace(bad, scores=bad.scores.assign(error=bad.blind + 0.01)))
    assert useless["answer"]["headline"] == "No method beats guessing."
    assert "features taken" in {figure["label"] for figure in useless["answer"]["figures"]}
    assert text(useless).strip().startswith("These features may carry no information: age")


def cautions(told):
    return " ".join(one["text"] for one in told["answer"]["cautions"])


def test_an_error_too_small_to_be_true_is_asked_about(told):
    assert "So small an error" not in cautions(told)
    good = comparison()
    perfect = comparison_summary(replace(good, scores=good.scores.assign(error=0.0)))
    assert "Such a small error is rare: check that no column is only known after the target." in cautions(perfect)


def test_a_column_that_gives_the_target_away_is_named_first():
    leaking = facts()
    leaking = replace(leaking, alone=(0.5, 0.3, 0.999, 0.1, 0.5, 0.0))
    told = comparison_summary(comparison(columns=leaking))
    first = told["answer"]["cautions"][0]
    assert first["text"] == "weight alone predicts the target almost perfectly: possible leak."
    assert first["link"] == "feature=weight"
    assert told["answer"]["headline"] == "At least 2 features, chosen by jmi."  # it is not among the recommended
    told = comparison_summary(comparison(columns=replace(leaking, alone=(1.0, 0.3, 0.1, 0.1, 0.5, 0.0))))
    assert told["answer"]["headline"] == "Possible leak: check before you use this."
    assert "If age is only known after the target, drop it (--drop) and run again" in text(told)


def test_the_edge_is_told_with_the_command_to_go_on(told):
    edge = next(one for one in told["answer"]["cautions"] if "largest number tried" in one["text"])
    assert edge["command"] == "ep.compare(X, y, k=[4, 6])"
    made = comparison()
    inside = made.scores.copy()
    inside.loc[inside["k"] == 4, "error"] += 0.1
    told = comparison_summary(replace(made, scores=inside))
    assert "largest number tried" not in cautions(told)
    assert told["answer"]["headline"] == "Two features are enough, chosen by jmi."
    run = replace(made, settings={**made.settings, "files": ["my data.csv"], "read": "--id row"})
    edge = next(one for one in comparison_summary(run)["answer"]["cautions"] if one["command"])
    assert edge["command"] == (
        "entropick compare 'my data.csv' --target sick --id row -k 4,6 --output report.html"
    )  # fmt: skip


def test_picks_below_half_few_rows_and_imbalance_are_told():
    made = comparison()
    chosen = made.chosen.copy()
    chosen.loc[(chosen["method"] == "jmi") & (chosen["rank"] == 2) & (chosen["resample"] > 0), "feature"] = 5
    lopsided = replace(health(), classes=health().classes.assign(count=[115, 5], share=[0.96, 0.04]))
    told = comparison_summary(replace(made, chosen=chosen, n_samples=80, health=lopsided))
    assert "height was selected in fewer than half of the resamples." in cautions(told)
    assert "Only 80 rows" in cautions(told)
    assert "no has 5 rows, the largest class 115 rows" in cautions(told)


def test_two_copies_are_never_recommended():
    """noise has the values of age: with both chosen, one is named, marked and left out of the lists."""
    steps = selection(("age", "noise", "weight", "income", "height", "constant"), k=2).steps
    steps = (steps[0], replace(steps[1], name="noise", members=(4,)))
    told = comparison_summary(comparison(final=replace(selection(), steps=steps), path=None))
    assert "noise is an exact copy of age: keep one of them." in cautions(told)
    assert told["answer"]["kept"] == ["age"]
    assert [card["copy"] for card in told["answer"]["features"]] == [False, True]


# -- columns -------------------------------------------------------------------------------------------------


def test_every_column_has_a_role(told):
    columns = told["columns"]
    role = {name: columns["roles"][r]["key"] for name, r in zip(columns["names"], columns["role"], strict=True)}
    assert role == {
        "age": "kept", "height": "kept", "weight": "swap", "income": "spare", "noise": "copy", "constant": "copy",
    }  # fmt: skip
    assert columns["twin"] == {"4": "age"}
    assert columns["constant"] == [5]


def test_cards_tell_what_is_lost(told):
    first, second = told["answer"]["features"]
    assert first["lost"] == pytest.approx(0.095)
    assert second["lost"] == 0
    assert first["alone"] == 0.5


def test_credible_sets_are_shown_where_there_are_any():
    class Chosen(Selection):
        credible_sets = (SimpleNamespace(names=("age",)), SimpleNamespace(names=("height", "weight")))

    made = Chosen(**{name: getattr(selection(), name) for name in selection().__dataclass_fields__})
    told = comparison_summary(comparison(final=made))
    assert [card["status"] for card in told["answer"]["features"]] == ["confirmed", "one of 2"]
    assert told["answer"]["features"][1]["set"] == ["height", "weight"]


def test_none_of_the_features_in_every_resample():
    assert shares_in_words(0, 5) == "none of these five features were"
    assert shares_in_words(1, 2) == "one of these two features was"
    assert shares_in_words(3, 3) == "all of these features were"


def test_the_answer_says_how_many_are_enough(told):
    assert "Tried: 1, 2 and 4. The lowest error, 10.0\u202f% (jmi with 4 features), is at the largest" in text(told)
    assert "2 is the smallest within one standard error of it. More were not tried" in text(told)


def test_methods_as_good_are_named():
    close = comparison()
    scores = close.scores.copy()
    rival = (scores["method"] == "mrmr") & (scores["k"] == 4) & (scores["estimator"] == "3-NN")
    scores.loc[rival, "error"] -= 0.016  # 0.104, within one standard error of 0.10
    assert "with as many features or more: mrmr." in text(comparison_summary(replace(close, scores=scores)))


def test_least_error_with_fewest_features_needs_no_excuse():
    one = comparison(ks=(4,))
    one = replace(one, scores=one.scores[one.scores["k"] == 4])
    words = text(comparison_summary(one))
    assert "The lowest error, 10.0\u202f%, is at 4, the largest number tried." in words
    assert "smallest" not in words


def test_all_features_are_needed_where_no_fewer_will_do():
    """Of four features four are taken, as no smaller number was tried that is as good."""
    names = ("a", "b", "c", "d")
    one = comparison(names, methods={"jmi": 0}, columns=None, final=selection(names))
    one = replace(one, ks=(2, 4), scores=one.scores.assign(error=one.scores["error"] - 0.1 * (one.scores["k"] == 4)))
    one = replace(one, scores=one.scores[one.scores["k"] > 1])
    told = comparison_summary(one)
    assert told["title"] == "All four features are needed."
    assert told["answer"]["figures"][2]["label"] == "features are needed"
    assert "not defined, because all features are selected." in text(told)


def test_a_regression_is_told_in_standard_deviations():
    told = comparison_summary(comparison(task="regression"))
    assert "an RMSE of 0.105 standard deviations of the target (R²\u00a00.99)" in text(told)
    own = replace(facts(), spread=20.0)
    told = comparison_summary(comparison(task="regression", columns=own))
    assert "an RMSE of 2.1 in the target's own units" in text(told)
    assert "%" not in told["answer"]["figures"][0]["value"]
    told = comparison_summary(comparison(task="regression", columns=replace(facts(), spread=114_000.0)))
    assert "an RMSE of 12\u202f000 in the target's own units" in text(told)
    assert "always predicting the mean has 114\u202f000" in text(told)
    assert told["accuracy"]["percent"] is False


def test_stability_in_words():
    assert steadiness(0.39).startswith("is poor: 0.39")
    assert steadiness(0.4).startswith("is fair")
    assert steadiness(0.75).startswith("is excellent")
    assert "not defined" in steadiness(float("nan"))


# -- the evidence --------------------------------------------------------------------------------------------


def test_curves_have_the_recommended_method_first(told):
    curves = told["accuracy"]["curves"]["3-NN"]
    assert [curve["method"] for curve in curves] == ["jmi", "mim", "mrmr"]
    for curve in curves:
        assert curve["mean"] == pytest.approx(ERRORS[curve["method"]])
        assert curve["se"] == pytest.approx([SE] * 3)
    assert told["accuracy"]["best"]["limit"] == pytest.approx(0.10 + SE)


def test_an_estimator_that_failed_is_left_out():
    failed = comparison()
    scores = failed.scores.copy()
    scores.loc[scores["estimator"] == "linear SVM", "error"] = np.nan
    told = comparison_summary(replace(failed, scores=scores))
    assert told["accuracy"]["estimators"] == ["3-NN"]
    assert told["accuracy"]["curves"]["linear SVM"] == []


def test_frequency_counts_resamples(told):
    rows = {
        name: dict(zip(told["frequency"]["methods"], shares, strict=True))
        for name, *shares in told["frequency"]["rows"]
    }
    for method, sets in CHOSEN.items():
        for j, name in enumerate(NAMES):
            share = np.mean([j in features[:2] for features in sets])
            assert rows.get(name, {}).get(method, 0.0) == share
    assert "Never selected: 1 feature" in told["frequency"]["words"]


def test_every_method_is_in_every_section(told):
    methods = {"mim", "jmi", "mrmr"}
    assert set(told["methods"]) == methods
    for section in ("stability", "pareto", "map"):
        assert {row["method"] for row in told[section]["rows"]} == methods
    assert told["times"][0] == {"method": "mim", "estimation": 0.5, "selection": 0.25}
    assert set(told["map"]["nearest"]) == methods


def test_path_shows_all_steps_and_marks_those_that_are_enough(told):
    assert told["path"]["enough"] == 2
    assert [row["information"] for row in told["path"]["rows"]] == [0.3, 0.5, 0.55, None]
    assert [row["floor"] for row in told["path"]["rows"]] == [0.09, 0.02, 0.0, None]
    assert [row["margin"] for row in told["path"]["rows"]] == pytest.approx([0.01, 0.02, 0.03, 0.04])
    assert told["redundancy"]["names"] == ["age", "height", "weight", "income"]
    assert told["redundancy"]["kept"] == [True, True, False, False]
    assert told["redundancy"]["matrix"][1] == [10, 100, 80, 10]


def test_health_tells_constants_and_copies(told):
    columns = {column["name"]: column for column in told["health"]["columns"]}
    assert columns["constant"]["remark"] == "constant"
    assert columns["noise"]["remark"] == "copy of age"
    assert columns["noise"]["missing"] == 7
    assert columns["age"]["remark"] == ""
    assert told["health"]["classes"][0] == {"label": "yes", "count": 90, "share": 0.75}


# -- one selection -------------------------------------------------------------------------------------------


def test_one_selection_is_told_as_one_run():
    told = selection_summary(selection())
    assert told["answer"]["headline"] == "Four features, chosen by jmi."
    # margins 0.01, 0.02, 0.03, 0.04 of scores 0.5, 0.25, 0.167, 0.125: the first is relatively closest
    assert "step 1, age, 0.01 nats ahead of height" in text(told)
    assert "a single run on one sample" in text(told)
    assert "4 chosen, as asked." in text(told)
    assert told["health"] is None
    assert "not shown" in told["path"]["caption"]
    assert all(row["information"] is None for row in told["path"]["rows"])


def test_a_tie_is_called_a_tie():
    chosen = selection(k=2)
    tied = replace(chosen, steps=(replace(chosen.steps[0], runner_up_score=0.5), chosen.steps[1]))
    assert "age tied with height" in text(selection_summary(tied))


def test_information_is_a_share_of_what_there_is_to_know():
    evidence = PathEvidence((0.25, 0.4, None, None), (0.2, 0.05, None, None), 0.5, "counted")
    figures = selection_summary(selection(), evidence)["answer"]["figures"]
    assert figures[1]["value"] == "80\u202f%"
    assert "first 2 features" in figures[1]["note"]
    assert figures[2]["value"] == "≥ 5.0\u202f%"


def test_a_group_lists_its_columns():
    chosen = selection(k=1)
    group = replace(chosen, steps=(replace(chosen.steps[0], name="body", members=(1, 2)),))
    assert selection_summary(group)["answer"]["features"][0]["note"] == "2 columns: height and weight"


def test_nothing_chosen():
    told = selection_summary(Selection("jmi", (), NAMES, stopped="no candidate is distinguishable from chance"))
    assert "Nothing was selected: no candidate is distinguishable from chance." in text(told)
    assert told["path"] is None


@pytest.mark.parametrize("method", ["jmi", "gc.mi", "fisher", "spec.cmi", "cmi", "lasso", "hsic.rank"])
def test_every_kind_of_method_has_a_report(method):
    X, y = ep.datasets.load_demo()
    chosen = ep.select(X.iloc[:150], y.iloc[:150], method=method, k=3)
    told = selection_summary(chosen)
    assert [row["name"] for row in told["path"]["rows"]] == chosen.names
    json.dumps(told, allow_nan=False)


# -- words ---------------------------------------------------------------------------------------------------


def test_counted_and_joined():
    assert counted(1, "class") == "1 class"
    assert counted(2, "class") == "2 classes"
    assert joined(["a"]) == "a"
    assert joined(list("abcdefgh")) == "a, b, c, d, e, f and 2 more"


def test_a_name_cannot_turn_the_sentence_around():
    assert cut("\u202eabc") == "\u2068\u202eabc\u2069"
    assert cut("abc") == "abc"
    assert len(cut("x" * 500)) == 60


def test_a_pick_that_is_noise_is_called_so():
    steps = [SimpleNamespace(status="not distinguishable from noise"), SimpleNamespace(status="one of these")]
    assert [status(step, members) for step, members in zip(steps, ([], ["a", "b"]), strict=True)] == [
        "not distinguishable from noise",
        "one of 2",
    ]
    assert status(SimpleNamespace(status="one of these"), ["a"]) == "one of these"  # which pair is open


def test_a_pick_like_noise_is_a_caution():
    first, second, *rest = selection().steps
    noisy = selection(
        steps=(replace(first, status="confirmed"), replace(second, status="not distinguishable from noise"), *rest)
    )
    words = "height is not distinguishable from noise, given the other features."
    assert words in cautions(comparison_summary(comparison(final=noisy)))
    assert words in cautions(selection_summary(noisy))
    assert "noise" not in cautions(selection_summary(selection()))
