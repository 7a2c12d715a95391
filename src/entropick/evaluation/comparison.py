"""Comparison: how methods did against each other, as tidy frames; which to take, and how sure that is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib import import_module
from itertools import product
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidParameter, closest
from ..methods import get_method
from ..plain import plain, record
from ..selection import Selection
from ..version import __version__
from .best import Best, Point, in_words, one_standard_error
from .columns import ColumnFacts
from .consensus import consensus
from .drift import DRIFT
from .frames import Schema, from_columns, from_records, to_columns
from .health import DataHealth
from .pareto import fronts
from .path import PathEvidence
from .scoring import STANDARD, in_short, scored_words
from .significance import table_of_pairs
from .similarity import agreement, classical_scaling
from .stability import Set, mean_of_pairs, nogueira, overlap

if TYPE_CHECKING:
    import pandas as pd

    from ..selectors.selector import Selector

FORMAT = 1  # of the JSON form; raised when a field changes its meaning
SCORES: Schema = {
    "method": "str", "estimator": "str", "k": "int64", "resample": "int64", "score": "float64", "error": "float64",
}  # fmt: skip
CHOSEN: Schema = {"method": "str", "resample": "int64", "k": "int64", "rank": "int64", "feature": "int64"}
TIMES: Schema = {"method": "str", "resample": "int64", "part": "str", "seconds": "float64"}
CONSISTENCY: Schema = {"k": "int64", "method": "str", "other": "str", "value": "float64"}
OTHERS: Schema = {
    "method": "str", "estimator": "str", "k": "int64", "resample": "int64", "scoring": "str", "score": "float64",
}  # fmt: skip
ALIKE: Schema = {"feature": "int64", "other": "int64", "value": "float64"}
FRAMES = {
    "scores": SCORES, "chosen": CHOSEN, "times": TIMES, "consistency": CONSISTENCY, "other_scores": OTHERS,
    "alike": ALIKE, "drift": DRIFT,
}  # fmt: skip
OLDEST = ("scores", "chosen", "times", "consistency")  # frames that every comparison has
CURVES: Schema = {
    "method": "str", "estimator": "str", "k": "int64", "mean": "float64", "std": "float64", "se": "float64",
}  # fmt: skip
PARTS = ("selection", "estimation")
INDICES = ("kuncheva", "consistency")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods × numbers of features × estimators × resamples.

    Attributes
    ----------
    methods, ks, estimators
        what was compared, by label.
    feature_names, n_samples, task
        the table. classes: (label, rows) of each class; () for numbers and for events and times.
    n_resamples, resampling
        how rows were split, the latter in words.
    scores
        method, estimator, k, resample, score, error. Classification: accuracy and 1 − accuracy; regression: R² and the
        root mean square error in standard deviations of the target; with ``scoring`` the first scorer's, the error
        being 1 − score or the loss. NaN where an estimator could not be fitted and scored.
    chosen
        method, resample, k (asked for in that run), rank, feature (column number). Methods whose sets are not nested
        have one run for each k; see `sets`.
    times
        method, resample, part (``"selection"`` or ``"estimation"``), seconds.
    consistency
        k, method, other, value: Yu et al.'s index; between resamples where other is the method itself, else between the
        two methods on the same resamples.
    health
        what is in the table.
    other_scores
        method, estimator, k, resample, scoring, score: by the scorers after the first.
    alike
        feature, other, value: pairs of chosen columns with a symmetric uncertainty of at least ½ over all the rows.
    drift
        feature, name, information, within, drift, psi, status: which features keep their distribution over periods or
        sites, those first, see `entropick.drift`; empty where neither was given.
    settings
        everything to run it again.
    final
        the best method on all the rows; its first ``best().k`` features are the answer, see `features`.
    path
        what those say together, step by step.
    columns
        what every column says alone and shares with the chosen ones; pictures of the most interesting.
    notes
        what should be known.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.compare(X, y, ["jmi", "mim"], k=[2, 4], estimators="nearest mean", cv=3, repeats=1)
    >>> found.best().method, found.best().k
    ('jmi', 4)
    >>> found.features
    ['worst perimeter', 'worst smoothness', 'worst area', 'worst concave points']
    """

    methods: tuple[str, ...]
    ks: tuple[int, ...]
    estimators: tuple[str, ...]
    feature_names: tuple[str, ...]
    n_samples: int
    task: str
    classes: tuple[tuple[str, int], ...]
    n_resamples: int
    resampling: str
    scores: pd.DataFrame
    chosen: pd.DataFrame
    times: pd.DataFrame
    consistency: pd.DataFrame
    health: DataHealth
    other_scores: pd.DataFrame = field(default_factory=lambda: from_records(OTHERS, []))
    alike: pd.DataFrame = field(default_factory=lambda: from_records(ALIKE, []))
    drift: pd.DataFrame = field(default_factory=lambda: from_records(DRIFT, []))
    final: Selection | None = None
    path: PathEvidence | None = None
    columns: ColumnFacts | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    version: str = __version__

    # -- accuracy ----------------------------------------------------------------------------------------

    @cached_property
    def _points(self) -> tuple[Point, ...]:
        """The accuracy curves: every method, estimator and k, in that order."""
        errors: dict[tuple[str, str, int], list[float]] = {}
        for method, estimator, k, _, _, error in self.scores.itertuples(index=False):
            errors.setdefault((method, estimator, int(k)), []).append(float(error))
        points = []
        for key in product(self.methods, self.estimators, self.ks):
            method, estimator, k = key
            own = np.array(errors[key])  # a NaN makes both NaN: a mean over fewer resamples compares with no other
            points.append(Point(method, k, estimator, float(own.mean()), float(self._spread * own.std(ddof=1))))
        return tuple(points)

    @property
    def _spread(self) -> float:
        """se / std"""
        return float(np.sqrt(1.0 / self.n_resamples + self.settings["test_share"]))

    @property
    def blind(self) -> float:
        """The error without any feature: all but the largest class, or one standard deviation; else the scorer's."""
        if not self.standard:
            return float(self.settings.get("blind", np.inf))
        counts = [rows for _, rows in self.classes]
        return 1.0 - max(counts) / sum(counts) if counts else 1.0

    @property
    def scoring(self) -> tuple[str, ...]:
        """The scorers by name; the first decides. ``accuracy`` or ``rmse/sd`` unless others were asked for."""
        return tuple(self.settings.get("scoring", (STANDARD.get(self.task, "rmse/sd"),)))

    @property
    def ideal(self) -> float:
        """The score of a perfect prediction by the first scorer, 0 or 1: error = ideal − score."""
        return float(self.settings["ideals"][0]) if "ideals" in self.settings else float(self.percent)

    @property
    def standard(self) -> bool:
        """Whether errors are error rates, or standard deviations of the target, and not some other score's."""
        return self.scoring[0] in STANDARD.values()

    @property
    def percent(self) -> bool:
        """Whether errors are shares of rows."""
        return self.standard and self.task == "classification"

    @property
    def error_name(self) -> str:
        """What the errors are, for an axis or a heading."""
        if self.standard:
            return "error rate" if self.task == "classification" else "RMSE / standard deviation of the target"
        return f"1 − {in_short(self.scoring[0])}" if self.ideal else in_short(self.scoring[0])

    def scored(self, scoring: str | None = None) -> pd.DataFrame:
        """method, estimator, k, mean, std of a score over resamples; None: all scorers, one after the other."""
        import pandas as pd

        own = self.scores.drop(columns="error").assign(scoring=self.scoring[0])
        frame = pd.concat([own, self.other_scores], ignore_index=True) if len(self.other_scores) else own
        if scoring is not None:
            frame = frame[frame["scoring"] == self._known("scoring", scoring, self.scoring)]
        by = frame.groupby(["scoring", "method", "estimator", "k"], sort=False)["score"]
        return by.agg(["mean", "std"]).reset_index()

    def curves(self) -> pd.DataFrame:
        """method, estimator, k, mean, std, se of the error over resamples.

        se = std · √(1/R + n_test/n_train) for R resamples: Nadeau & Bengio's (2003), as resamples share training rows
        and std/√R would promise too much. NaN where a resample could not be scored.
        """
        rows = [(p.method, p.estimator, p.k, p.error, p.se / self._spread, p.se) for p in self._points]
        return from_records(CURVES, rows)

    def best(self, estimator: str | None = None) -> Best:
        """What to take by the one-standard-error rule.

        Among all (method, k, estimator) whose mean error is at most the lowest one plus its standard error, the
        fewest features; of those the most stable (Nogueira's measure), then the lowest error, then the first. With
        ``estimator`` only that one is looked at.
        """
        names = self.estimators if estimator is None else (self._known("estimator", estimator, self.estimators),)
        points = [point for point in self._points if point.estimator in names and self._at_home(point)]
        lowest, near = one_standard_error(points, self._phi)
        taken = near[0]
        return Best(
            taken.method,
            taken.k,
            taken.estimator,
            taken.error,
            taken.se,
            stability=self._phi(taken.method, taken.k),
            lowest=(lowest.method, lowest.k, lowest.estimator),
            candidates=tuple((point.method, point.k, point.estimator) for point in near),
            words=self._in_words(taken, lowest),
            at_edge=self._at_edge(lowest),
        )

    def _in_words(self, taken: Point, lowest: Point) -> str:
        taken, lowest = (replace(point, k=self._number(point.method, point.k)) for point in (taken, lowest))
        n = len(self.feature_names)
        if self.standard:
            return in_words(taken, lowest, n, self.task, self.blind, self.ks)
        return scored_words(taken, lowest, n, self.scoring[0], self.ideal, self.blind)

    def _at_edge(self, lowest: Point) -> bool:
        """Whether more features might do better: the lowest error is at the largest number tried, not at all."""
        own = lowest.method in self.settings.get("own_number", ())
        return lowest.k == self.ks[-1] < len(self.feature_names) and not own

    @property
    def n_steps(self) -> int:
        """How many steps of `final` are the answer."""
        steps = 0 if self.final is None else len(self.final.steps)
        best = self.best()
        return steps if best.method in self.settings.get("own_number", ()) else min(best.k, steps)

    def _number(self, method: str, k: int) -> int:
        """How many features the method takes where k are asked for: another number where it has one of its own."""
        if method not in self.settings.get("own_number", ()):
            return k
        return round(float(np.mean([len(own) for own in self.sets(method, k)])))

    def _at_home(self, point: Point) -> bool:
        """What takes a number of its own is a candidate once, at the first k that has room for it, or the last."""
        if point.method not in self.settings.get("own_number", ()):
            return True
        size = self._number(point.method, point.k)
        return point.k == next((k for k in self.ks if k >= size), self.ks[-1])

    @property
    def features(self) -> list[str]:
        """The names of the features to take: the first ``best().k`` that the best method chose on all the rows."""
        if self.final is None:
            return []
        best = self.best()
        return self.final.names[: None if best.method in self.settings.get("own_number", ()) else best.k]

    def selector(self, estimator: str | None = None) -> Selector:
        """A scikit-learn selector, not fitted, of the best method and number of features."""
        from ..selectors.selector import Selector

        best = self.best(estimator)
        if reason := self._no_selector(best.method):
            raise InvalidParameter(f"selector: {best.method!r} {reason}")
        settings = {**self.settings["methods"][best.method], "task": self.task}
        return Selector(k=best.k, random_state=self.settings["random_state"], **settings)

    def _no_selector(self, method: str) -> str:
        """Why there is no selector of it, or nothing."""
        own = self.settings["methods"][method]
        if "foreign" in own:
            return "is not an entropick method; use your own selector directly"
        if self.task == "survival" and self.task not in get_method(own["method"]).tasks:
            return "was told residuals, as it does not support events and times; use the columns in features"
        return ""

    # -- stability ---------------------------------------------------------------------------------------

    def sets(self, method: str, k: int | None = None) -> list[Set]:
        """The columns that the method chose in each resample, in the order chosen."""
        k = self._size(k)
        own = self.chosen[self.chosen["method"] == self._known("method", method, self.methods)]
        own = own[own["k"] == own.loc[own["k"] >= k, "k"].min()]
        own = own[(own["rank"] <= k) | (own["k"] == k)]
        feature, resample = own["feature"].to_numpy(dtype=np.intp), own["resample"].to_numpy()
        return [feature[resample == number] for number in range(self.n_resamples)]

    def stability(self, k: int | None = None, confidence: float = 0.95) -> pd.DataFrame:
        """method, kuncheva, consistency, nogueira, low, high over the resamples; the interval is of Nogueira's.

        k: as in `best` if None. NaN where all features are taken. Where a method chose fewer than asked for,
        Kuncheva's index is replaced by the correlation of membership, which it is for sets of one size.
        """
        import pandas as pd

        k = self._size(k)
        n = len(self.feature_names)
        rows = []
        for method in self.methods:
            sets = self.sets(method, k)
            phi = nogueira(sets, n, confidence)
            alike = mean_of_pairs(sets, lambda a, b: overlap(a, b, n))
            rows.append((method, alike, self._consistency(k, method, method), phi.value, phi.low, phi.high))
        return pd.DataFrame(rows, columns=["method", "kuncheva", "consistency", "nogueira", "low", "high"])

    def frequency(self, method: str | None = None, k: int | None = None) -> pd.DataFrame:
        """feature, name, frequency: the share of the resamples in which the method chose it, most often first.

        method, k: as in `best` if None.
        """
        import pandas as pd

        sets = self.sets(self.best().method if method is None else method, k)
        counts = np.bincount(np.concatenate(sets), minlength=len(self.feature_names))
        order = np.argsort(-counts, kind="stable")
        order = order[counts[order] > 0]
        names = [self.feature_names[j] for j in order]
        return pd.DataFrame({"feature": order, "name": names, "frequency": counts[order] / len(sets)})

    def consensus(
        self, k: int | None = None, methods: Iterable[str] | None = None, confidence: float = 0.95
    ) -> pd.DataFrame:
        """feature, name, frequency, low, high, status, substitutes: a list one can stand by, most often chosen first.

        The frequency is the share of resamples that chose the feature, the mean over the methods (None: all); low and
        high are Wilson's interval for as many draws as there are resamples, since methods see the same rows.
        ``status`` is confirmed where all of the interval is at least ½, rejected where all of it is below, else
        tentative. ``substitutes`` are the chosen columns that say nearly the same. k: as in `best` if None.
        """
        return consensus(self, self._size(k), methods, confidence)

    def differences(self, k: int | None = None, estimator: str | None = None, rope: float = 0.01) -> pd.DataFrame:
        """One row a pair of methods: method, other, difference of errors, and how sure it is.

        ``corrected_t`` is the p-value to go by, as resamples share training rows (Nadeau & Bengio 2003, with Holm's
        correction); nemenyi and wilcoxon take resamples for independent, so theirs are too small. better, equivalent,
        worse: probabilities of the Bayesian sign test, errors within ``rope`` being equivalent. k, estimator: as in
        `best` if None.
        """
        best = self.best(estimator)
        frame = self.scores[(self.scores["k"] == self._size(k)) & (self.scores["estimator"] == best.estimator)]
        errors = np.column_stack([frame.loc[frame["method"] == method, "error"] for method in self.methods])
        return table_of_pairs(self.methods, errors, self.settings["test_share"], rope)

    def similarity(self, k: int | None = None, index: str = "kuncheva") -> pd.DataFrame:
        """Square frame: how alike two methods choose from the same rows, mean over resamples.

        index: ``"kuncheva"``, 0 for sets alike by chance, or ``"consistency"``, which knows redundant features.
        """
        import pandas as pd

        k = self._size(k)
        n = len(self.feature_names)
        if self._known("index", index, INDICES) == "consistency":
            values = [[1.0 if a == b else self._consistency(k, a, b) for b in self.methods] for a in self.methods]
            return pd.DataFrame(values, self.methods, self.methods)
        sets = [self.sets(method, k) for method in self.methods]
        found = agreement(sets, lambda a, b: overlap(a, b, n))
        return pd.DataFrame(found, self.methods, self.methods)

    def map(self, k: int | None = None, index: str = "kuncheva") -> pd.DataFrame:
        """method, x, y: methods that choose alike lie near each other (classical scaling of 1 − similarity)."""
        import pandas as pd

        points = classical_scaling(1.0 - np.nan_to_num(self.similarity(k, index).to_numpy(), nan=1.0))
        return pd.DataFrame({"method": list(self.methods), "x": points[:, 0], "y": points[:, 1]})

    def pareto(self, k: int | None = None, estimator: str | None = None, index: str = "nogueira") -> pd.DataFrame:
        """method, error, stability, front: 1 where no method is both more accurate and more stable, 2 next, …

        k: as in `best` if None. estimator: the mean over estimators if None. index: a column of `stability`.
        """
        import pandas as pd

        k = self._size(k)
        index = self._known("index", index, ("nogueira", "kuncheva", "consistency"))
        names = self.estimators if estimator is None else (self._known("estimator", estimator, self.estimators),)
        errors = [
            float(np.mean([p.error for p in self._points if (p.method, p.k) == (method, k) and p.estimator in names]))
            for method in self.methods
        ]
        steady = self.stability(k)[index].to_numpy()
        costs = np.column_stack([errors, -steady])
        return pd.DataFrame(
            {"method": list(self.methods), "error": costs[:, 0], "stability": steady, "front": fronts(costs)}
        )

    def _phi(self, method: str, k: int) -> float:
        return float(nogueira(self.sets(method, k), len(self.feature_names)))

    def _consistency(self, k: int, method: str, other: str) -> float:
        own = self._pairs
        return own[k, method, other] if (k, method, other) in own else own[k, other, method]

    @cached_property
    def _pairs(self) -> dict[tuple[int, str, str], float]:
        frame = self.consistency
        keys = zip(frame["k"].tolist(), frame["method"], frame["other"], strict=True)
        return dict(zip(keys, frame["value"].tolist(), strict=True))

    def _size(self, k: int | None) -> int:
        if k is None:
            return self.best().k
        if not isinstance(k, Integral) or k not in self.ks:
            raise InvalidParameter(f"k: must be one of those compared, {', '.join(map(str, self.ks))}, got {k!r}")
        return int(k)

    def _known(self, what: str, name: str, known: tuple[str, ...]) -> str:
        if not isinstance(name, str) or name not in known:
            raise InvalidParameter(f"{what}: must be one of {', '.join(known)}, got {name!r}.{closest(name, known)}")
        return name

    # -- for people and machines -------------------------------------------------------------------------

    def seconds(self) -> dict[str, float]:
        """Seconds of work by part, over all trials (and so over all processes)."""
        return {part: float(self.times.loc[self.times["part"] == part, "seconds"].sum()) for part in PARTS}

    def report(self, path: str | os.PathLike[str], interactions: Any = None) -> Any:
        """Write all of this as one self-contained HTML page.

        With what `entropick.interactions` found in the same table, it also shows the network of interacting columns.
        """
        # by name: reports know comparisons, and nothing below them knows reports
        return import_module("entropick.report").write_report(self, path, interactions=interactions)

    def _repr_html_(self) -> str:
        return str(import_module("entropick.report.notebook").fragment(self))

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.ks))
        return (
            f"<Comparison of {len(self.methods)} methods, k = {sizes}, {len(self.estimators)} estimators,"
            f" {self.n_resamples} resamples: {self.best().words}>"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self._fields() == other._fields()

    def _fields(self) -> dict[str, Any]:
        """As JSON can hold it."""
        told = ("methods", "ks", "estimators", "feature_names", "n_samples", "task", "n_resamples", "resampling",
                 "settings", "notes", "version")  # fmt: skip
        fields: dict[str, Any] = {name: plain(getattr(self, name)) for name in told}
        fields |= {name: to_columns(getattr(self, name)) for name in FRAMES}
        fields["classes"] = plain(self.classes)
        fields["health"] = self.health.to_dict()
        fields["final"] = None if self.final is None else json.loads(self.final.to_json())
        fields["path"] = None if self.path is None else plain(asdict(self.path))
        fields["columns"] = None if self.columns is None else plain(self.columns.to_dict())
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """The whole Comparison as JSON; `from_json` gives an equal one back."""
        return json.dumps({"format": FORMAT, **self._fields()}, indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Comparison:
        """A Comparison from what `to_json` wrote."""
        with record(text, "Comparison", FORMAT) as fields:
            none = dict.fromkeys((*OTHERS, *ALIKE, *DRIFT), ())  # of a comparison written before there were any
            for name, schema in FRAMES.items():
                fields[name] = from_columns(schema, fields[name] if name in fields or name in OLDEST else none)
            for name in ("methods", "ks", "estimators", "feature_names", "classes", "notes"):
                fields[name] = _tuples(fields[name])
            fields["health"] = DataHealth.from_dict(fields["health"])
            if fields["final"] is not None:
                fields["final"] = Selection.from_json(json.dumps(fields["final"]))
            if fields["path"] is not None:
                fields["path"] = PathEvidence(**{key: _tuples(value) for key, value in fields["path"].items()})
            if fields.get("columns") is not None:
                fields["columns"] = ColumnFacts.from_dict(fields["columns"])
            found = cls(**fields)
            if not isinstance(found.version, str):
                raise ValueError("its version is not text")
            if found.path is not None and not _square(found.path.redundancy):
                raise ValueError("the redundancy of its path is not a square of numbers")
            each = found.scores.groupby(["method", "estimator", "k"]).size()
            if found.n_resamples < 2 or (each != found.n_resamples).any():
                raise ValueError("it needs exactly one score for each method, estimator, k and resample")
            with np.errstate(over="raise", invalid="raise"):  # parts that do not fit, scores too large to square
                found.to_json(), found.stability()
                if not found._no_selector(found.best().method):
                    found.selector()
            return found


def _square(rows: Any) -> bool:
    """Whether these are as many rows as columns, of numbers or None."""
    return isinstance(rows, tuple) and all(
        isinstance(row, tuple)
        and len(row) == len(rows)
        and all(entry is None or (isinstance(entry, int | float) and not isinstance(entry, bool)) for entry in row)
        for row in rows
    )


def _tuples(value: Any) -> Any:
    return tuple(_tuples(entry) for entry in value) if isinstance(value, list) else value
