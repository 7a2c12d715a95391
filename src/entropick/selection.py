"""Selection: the frozen answer, with its trace.

A search leaves one `Step` a choice; a `Selection` is those steps with the names, units, options and version
that make the answer readable, comparable and reproducible. It knows no estimator and no data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidInput
from .plain import one_line, plain, printable, record
from .version import __version__

if TYPE_CHECKING:
    import pandas as pd

PURE = 0.5  # least likeness of the columns of a set that are each other's substitutes
PARTS = "unique", "redundant", "synergistic"  # of what a pick says beside another one
FORMAT = 1  # of the JSON form; raised when a field changes its meaning


@dataclass(frozen=True)
class CredibleSet:
    """The columns that a pick cannot be told from: the real one is among them with the chance ``level``.

    The most likely first; ``weights`` are the chances of each (they add up to at least ``level``), ``indices`` the
    column numbers (of a group its first). ``purity``, 0 to 1, is how alike the columns are: the least correlation, of
    any smooth functions, between the most likely one and another. All empty for a pick that is not distinguishable from
    noise. A pick that speaks only in company has ``pairs`` as well: the names of the two columns that it may be one of,
    with ``pair_weights``.
    """

    names: tuple[str, ...]
    indices: tuple[int, ...]
    weights: tuple[float, ...]
    purity: float | None
    level: float
    pairs: tuple[tuple[str, str], ...] = ()
    pair_weights: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names


@dataclass(frozen=True)
class Step:
    """One choice and the reasons for it.

    ``members`` are the column numbers that entered: one, or those of a whole group. ``redundancy`` and
    ``complementarity`` have one entry for each earlier step. ``made_redundant`` names candidates that lost
    most of what they had to say once this one was chosen, and that were not chosen later. ``p_value`` is given all
    other picks where there is a ``status``: ``"confirmed"``, ``"one of these"`` (of its ``credible_set``) or
    ``"not distinguishable from noise"``.

    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> step = ep.select(X, y, method="jmi", k=2).steps[1]
    >>> step.name, step.runner_up
    ('worst smoothness', 'worst concave points')
    """

    rank: int
    name: str
    members: tuple[int, ...]
    score: float
    relevance: float | None = None
    redundancy: tuple[float, ...] | None = None
    complementarity: tuple[float, ...] | None = None
    runner_up: str | None = None
    runner_up_score: float | None = None
    made_redundant: tuple[str, ...] = ()
    p_value: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    status: str | None = None
    credible_set: CredibleSet | None = None

    @property
    def margin(self) -> float | None:
        """How far ahead of the runner-up the choice was."""
        if self.runner_up_score is None:
            return None
        margin = self.score - self.runner_up_score
        return margin if abs(margin) > 1e-12 * max(1.0, abs(self.score)) else 0.0


@dataclass(frozen=True)
class Selection:
    """The chosen features, in the order chosen, and why.

    Attributes
    ----------
    method
        the method's name; ``options`` has what it was run with.
    steps
        one `Step` a choice.
    feature_names
        names of all the features that could have been chosen.
    units
        of scores: ``"nats"`` where the measure is an information, ``""`` for a bare number.
    n_samples
        rows that were used (their total weight, where weights were given).
    notes
        what was noticed about the data: constant columns, levels too fine, ...
    stopped
        why there are as many features as there are.
    details
        what only this method reports (``saturated_at``, weights of all features, ...).

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> found = ep.select(X, y, method="jmi", k=2)
    >>> found.names
    ['worst perimeter', 'worst smoothness']
    >>> print(found.explain().splitlines()[0])
    jmi chose 2 of 30 features from 569 rows (nats).
    >>> found.to_frame()[["rank", "feature"]].to_dict("list")
    {'rank': [1, 2], 'feature': ['worst perimeter', 'worst smoothness']}
    """

    method: str
    steps: tuple[Step, ...]
    feature_names: tuple[str, ...]
    units: str = "nats"
    n_samples: float = 0
    task: str = "classification"
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    stopped: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    version: str = __version__

    # -- the answer ------------------------------------------------------------------------------------

    @cached_property
    def indices(self) -> NDArray[np.intp]:
        """Column numbers of the chosen features, in the order chosen."""
        return _frozen(np.array([m for step in self.steps for m in step.members], dtype=np.intp))

    @cached_property
    def names(self) -> list[str]:
        """Names of the chosen features, in the order chosen."""
        return [self.feature_names[i] for i in self.indices]

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """(n_steps,) the gain at each step."""
        return _frozen(np.array([step.score for step in self.steps], dtype=np.float64))

    @cached_property
    def p_values(self) -> NDArray[np.float64]:
        """(n_steps,) the chance that noise says as much given all other picks; NaN where it was not tested."""
        return _frozen(np.array([np.nan if s.p_value is None else s.p_value for s in self.steps], dtype=np.float64))

    @property
    def credible_sets(self) -> tuple[CredibleSet, ...]:
        """One a pick, in the order chosen; empty tuple where they were not asked for (see ``level`` of `select`)."""
        return tuple(step.credible_set for step in self.steps if step.credible_set is not None)

    @cached_property
    def ranking(self) -> NDArray[np.intp]:
        """(n_features,) 1 = chosen first; features that were not chosen share the rank after the last."""
        ranks = np.full(len(self.feature_names), len(self.steps) + 1, dtype=np.intp)
        for step in self.steps:
            ranks[list(step.members)] = step.rank
        return _frozen(ranks)

    @property
    def saturated_at(self) -> int | None:
        """The step from which every candidate reached the measure's bound, if any did."""
        return self.details.get("saturated_at")

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __repr__(self) -> str:
        shown = ", ".join(map(one_line, self.names[:5])) + (", …" if len(self.names) > 5 else "")
        return f"<Selection {self.method}: {len(self.names)} of {len(self.feature_names)} features: {shown}>"

    # -- for people ------------------------------------------------------------------------------------

    def to_frame(self) -> pd.DataFrame:
        """One row a step: rank, feature, score, relevance, mean redundancy and complementarity, ...

        Columns that the method has no value for are left out.
        """
        import pandas as pd

        def mean(values: tuple[float, ...] | None) -> float | None:
            return float(np.mean(values)) if values else None

        rows = [
            {
                "rank": s.rank,
                "feature": s.name,
                "score": s.score,
                "relevance": s.relevance,
                "redundancy": mean(s.redundancy),
                "complementarity": mean(s.complementarity),
                "runner_up": s.runner_up,
                "margin": s.margin,
                "p_value": s.p_value,
                "status": s.status,
                "one_of": ", ".join(s.credible_set.names) if s.credible_set else None,
                **{key: value for key, value in s.extra.items() if np.isscalar(value)},
            }
            for s in self.steps
        ]
        columns = ["rank", "feature", "score"]
        if not rows:
            return pd.DataFrame(columns=columns)
        frame = pd.DataFrame(rows)
        return frame[[c for c in frame.columns if c in columns or frame[c].notna().any()]]

    def explain(self) -> str:
        """Why each feature, what it was preferred to and what it makes redundant, as text."""
        unit = f" {self.units}" if self.units else ""
        lines = [
            f"{self.method} chose {len(self.names)} of {len(self.feature_names)} features"
            f" from {self.n_samples:g} rows{f' ({self.units})' if unit else ''}."
        ]
        if self.stopped:
            lines.append(f"Stopped: {self.stopped}.")
        for step in self.steps:
            lines.append("")
            lines.append(f"{step.rank:>3}. {step.name}   score {step.score:.4g}{unit}")
            lines.extend(f"     {reason}" for reason in self._reasons(step))
        if self.notes:
            lines += ["", "Notes:"] + [f"  - {note}" for note in self.notes]
        return "\n".join(printable(" ".join(line.splitlines())) for line in lines)  # a name may have line breaks

    def _reasons(self, step: Step) -> Iterator[str]:
        if step.relevance is not None and step.rank > 1:
            yield f"alone {step.relevance:.4g}"
        if step.redundancy:
            worst = int(np.argmax(step.redundancy))
            yield (
                f"shares {step.redundancy[worst]:.4g} with {self.steps[worst].name}"
                f" (mean over earlier features {np.mean(step.redundancy):.4g})"
            )
        if step.complementarity:
            best = int(np.argmax(step.complementarity))
            yield f"shares {step.complementarity[best]:.4g} with {self.steps[best].name} within the classes"
        if step.redundancy and step.complementarity:
            synergy = np.subtract(step.complementarity, step.redundancy)
            best = int(np.argmax(synergy))
            if synergy[best] > 0:
                yield f"adds {synergy[best]:.4g} in combination with {self.steps[best].name}"
        if "pair_with" in step.extra:
            adjusted = step.extra.get("pair_p_adjusted")
            chance = "" if adjusted is None else f" (p = {adjusted:.2g})"
            yield f"selected as a pair with {step.extra['pair_with']}: they interact{chance}"
        if "beside" in step.extra:
            unique, redundant, synergistic = (step.extra.get(part, 0.0) for part in PARTS)
            beside = step.extra["beside"]
            yield f"beside {beside}: unique {unique:.4g}, redundant {redundant:.4g}, synergistic {synergistic:.4g}"
        for key, value in step.extra.items():
            if isinstance(value, float) and key not in ("pair_p_adjusted", *PARTS):
                yield f"{key.replace('_', ' ')} {value:.4g}"
        if step.runner_up is not None and step.margin is not None:
            tie = step.margin == 0
            yield (
                f"tied with {step.runner_up}, which comes later in the table"
                if tie
                else f"preferred to {step.runner_up} by {step.margin:.2g}"
            )
        if step.made_redundant:
            yield "makes redundant: " + ", ".join(step.made_redundant)
        yield from _sureness(step)

    def _repr_html_(self) -> str:
        # by name: reports know selections, and nothing below them knows reports
        return str(import_module("entropick.report.notebook").fragment(self))

    def report(self, path: str | PathLike[str], X: Any = None, y: Any = None, interactions: Any = None) -> Path:
        """Write all of this as one self-contained HTML page; returns the path.

        With the rows X and y that the selection was made from, the page also shows the state of the data, the joint
        information of the chosen features and Fano's bound on the error; with what `entropick.interactions` found in
        them, the network of interacting columns.
        """
        # by name: reports know selections, and nothing below them knows reports
        out: Path = import_module("entropick.report").write_report(self, path, X, y, interactions)
        return out

    def annotate(self, data: Any, key: str = "entropick") -> None:
        """Write ranks and scores into the cells that were selected from, AnnData or its ``.h5ad`` file or zarr store.

        ``var["entropick_rank"]`` is 1 for the gene chosen first and NaN for those that were not; ``uns["entropick"]``
        has names, scores, p-values and all of the answer as JSON.
        """
        import_module("entropick.report.write_back").write_back(self, data, key)

    # -- for machines ----------------------------------------------------------------------------------

    def to_json(self, indent: int | None = None) -> str:
        """The whole Selection as JSON; `from_json` gives an equal one back."""
        return json.dumps({"format": FORMAT, **plain(asdict(self))}, indent=indent, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Selection:
        """A Selection from what `to_json` wrote."""
        with record(text, "Selection", FORMAT) as fields:
            fields["steps"] = tuple(_read_step(step) for step in fields["steps"])
            for key in ("feature_names", "notes"):
                fields[key] = tuple(fields[key])
            found = cls(**fields)
            repr(found), found.explain(), found.ranking, found.scores  # fails here if the parts do not fit together
            if len(set(found.indices.tolist())) < len(found.indices):
                raise InvalidInput("text: not a Selection as to_json writes it (a feature is there twice)")
            return found


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Read-only: an answer handed out twice must be the same the second time."""
    array.setflags(write=False)
    return array


def _sureness(step: Step) -> Iterator[str]:
    """How sure the pick is, in words."""
    if step.status is None:
        if step.p_value is not None:
            yield f"p = {step.p_value:.2g}"
        return
    found = step.credible_set
    chance = "" if step.p_value is None else f" (p = {step.p_value:.2g} given the other features)"
    if found is not None and len(found.pairs) > 1:
        yield f"one of these pairs{chance}: " + _shown([" × ".join(p) for p in found.pairs], found.pair_weights)
        return
    if found is None or len(found) < 2:
        elsewhere = found is not None and len(found) == 1 and found.names[0] != step.name
        yield f"{found.names[0]} fits better in its place{chance}" if elsewhere and found else step.status + chance
        return
    yield f"{step.status}{chance}: {_shown(found.names, found.weights)}"
    if found.purity is not None and found.purity < PURE:
        yield "these columns differ from each other: at least one matters, but the data cannot tell which"


def _shown(names: Sequence[str], weights: Sequence[float]) -> str:
    """The most likely six with their chances, and how many there are."""
    first = ", ".join(f"{name} {100 * weight:.0f} %" for name, weight in list(zip(names, weights, strict=True))[:6])
    return first + (f", … ({len(names)} in all)" if len(names) > 6 else "")


def _read_step(record: dict[str, Any]) -> Step:
    fields = {key: _tuples(value) for key, value in record.items()}
    if fields.get("credible_set") is not None:
        fields["credible_set"] = CredibleSet(**{key: _tuples(value) for key, value in fields["credible_set"].items()})
    return Step(**fields)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
