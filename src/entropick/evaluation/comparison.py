"""Comparison: how methods did against each other, as tidy frames; which to take, and how sure that is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import product
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput, InvalidParameter, closest
from ..selection import Selection
from ..version import __version__
from .best import Best, Point, in_words, one_standard_error
from .frames import Schema, from_columns, from_records, to_columns
from .health import DataHealth
from .pareto import fronts
from .path import PathEvidence
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
FRAMES = {"scores": SCORES, "chosen": CHOSEN, "times": TIMES, "consistency": CONSISTENCY}
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
        the table. classes: (label, rows) of each class; () for a regression.
    n_resamples, resampling
        how rows were split, the latter in words.
    scores
        method, estimator, k, resample, score, error. Classification: accuracy and 1 − accuracy; regression: R² and the
        root mean square error in standard deviations of the target. NaN where an estimator could not be fitted.
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
    settings
        everything to run it again.
    final
        the best method on all the rows; its first ``best().k`` features are the answer, see `features`.
    path
        what those say together, step by step.
    notes
        what should be known.
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
    final: Selection | None = None
    path: PathEvidence | None = None
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
        """The error without any feature: all but the largest class, or one standard deviation."""
        counts = [rows for _, rows in self.classes]
        return 1.0 - max(counts) / sum(counts) if counts else 1.0

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
        points = [point for point in self._points if point.estimator in names]
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
            words=in_words(taken, lowest, len(self.feature_names), self.task, self.blind),
        )

    @property
    def features(self) -> list[str]:
        """The names of the features to take: the first ``best().k`` that the best method chose on all the rows."""
        return [] if self.final is None else self.final.names[: self.best().k]

    def selector(self, estimator: str | None = None) -> Selector:
        """A scikit-learn selector, not fitted, of the best method and number of features."""
        from ..selectors.selector import Selector

        best = self.best(estimator)
        settings = {**self.settings["methods"][best.method], "task": self.task}
        return Selector(k=best.k, random_state=self.settings["random_state"], **settings)

    # -- stability ---------------------------------------------------------------------------------------

    def sets(self, method: str, k: int | None = None) -> list[Set]:
        """The columns that the method chose in each resample, in the order chosen."""
        k = self._size(k)
        own = self.chosen[self.chosen["method"] == self._known("method", method, self.methods)]
        own = own[own["k"] == own.loc[own["k"] >= k, "k"].min()]
        own = own[own["rank"] <= k]
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

    def report(self, path: str | os.PathLike[str]) -> Any:
        """Write all of this as one self-contained HTML page."""
        # by name: reports know comparisons, and nothing below them knows reports
        return import_module("entropick.report").write_report(self, path)

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
        plain = ("methods", "ks", "estimators", "feature_names", "n_samples", "task", "n_resamples", "resampling",
                 "settings", "notes", "version")  # fmt: skip
        fields: dict[str, Any] = {name: _plain(getattr(self, name)) for name in plain}
        fields |= {name: to_columns(getattr(self, name)) for name in FRAMES}
        fields["classes"] = _plain(self.classes)
        fields["health"] = self.health.to_dict()
        fields["final"] = None if self.final is None else json.loads(self.final.to_json())
        fields["path"] = None if self.path is None else _plain(asdict(self.path))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """The whole Comparison as JSON; `from_json` gives an equal one back."""
        return json.dumps({"format": FORMAT, **self._fields()}, indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Comparison:
        """A Comparison from what `to_json` wrote."""
        try:
            fields = json.loads(text)
            if fields.pop("format") != FORMAT:
                raise InvalidInput(f"text: a Comparison of format {FORMAT} is read by this version, got another")
            for name, schema in FRAMES.items():
                fields[name] = from_columns(schema, fields[name])
            for name in ("methods", "ks", "estimators", "feature_names", "classes", "notes"):
                fields[name] = _tuples(fields[name])
            fields["health"] = DataHealth.from_dict(fields["health"])
            if fields["final"] is not None:
                fields["final"] = Selection.from_json(json.dumps(fields["final"]))
            if fields["path"] is not None:
                fields["path"] = PathEvidence(**{key: _tuples(value) for key, value in fields["path"].items()})
            found = cls(**fields)
            each = found.scores.groupby(["method", "estimator", "k"]).size()
            if found.n_resamples < 2 or (each != found.n_resamples).any():
                raise ValueError("it has not one score for each method, estimator, k and resample")
            with np.errstate(over="raise", invalid="raise"):  # parts that do not fit, scores too large to square
                found.to_json(), found.stability(), found.selector()
            return found
        except InvalidInput:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, IndexError, ArithmeticError) as error:
            raise InvalidInput(f"text: not a Comparison as to_json writes it ({error})") from error


def _plain(value: Any) -> Any:
    """The value as JSON has it; what has no such form, such as a discretizer of one's own, is told by its text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(entry) for entry in value) if isinstance(value, list) else value
