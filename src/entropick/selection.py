"""Selection: the frozen answer, with its trace.

A search leaves one `Step` a choice; a `Selection` is those steps with the names, units, options and version
that make the answer readable, comparable and reproducible. It knows no estimator and no data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidInput
from .version import __version__

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1  # of the JSON form; raised when a field changes its meaning


@dataclass(frozen=True)
class Step:
    """One choice and the reasons for it.

    ``members`` are the column numbers that entered: one, or those of a whole group. ``redundancy`` and
    ``complementarity`` have one entry for each earlier step. ``made_redundant`` names candidates that lost
    most of what they had to say once this one was chosen.
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
        shown = ", ".join(self.names[:5]) + (", …" if len(self.names) > 5 else "")
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
            lines += ["", "Noticed:"] + [f"  - {note}" for note in self.notes]
        return "\n".join(" ".join(line.splitlines()) for line in lines)  # a name may have line breaks

    def _reasons(self, step: Step) -> Iterator[str]:
        if step.relevance is not None and step.rank > 1:
            yield f"alone {step.relevance:.4g}"
        if step.redundancy:
            worst = int(np.argmax(step.redundancy))
            yield (
                f"shares {step.redundancy[worst]:.4g} with {self.steps[worst].name}"
                f" (mean over earlier picks {np.mean(step.redundancy):.4g})"
            )
        if step.complementarity:
            best = int(np.argmax(step.complementarity))
            yield f"shares {step.complementarity[best]:.4g} with {self.steps[best].name} within the classes"
        if step.redundancy and step.complementarity:
            synergy = np.subtract(step.complementarity, step.redundancy)
            best = int(np.argmax(synergy))
            if synergy[best] > 0:
                yield f"says {synergy[best]:.4g} more together with {self.steps[best].name} than alone"
        for key, value in step.extra.items():
            if isinstance(value, float):
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
        if step.p_value is not None:
            yield f"p = {step.p_value:.2g} that chance alone gives as much"

    def _repr_html_(self) -> str:
        frame = self.to_frame()

        def cell(value: Any) -> str:
            if isinstance(value, float):
                return "" if np.isnan(value) else f"{value:.4g}"
            return "" if value is None else escape(str(value))

        head = "".join(f"<th>{escape(str(c))}</th>" for c in frame.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row) + "</tr>"
            for row in frame.head(30).itertuples(index=False)
        )
        more = f"<p>… and {len(frame) - 30} more</p>" if len(frame) > 30 else ""
        caption = (
            f"<b>{escape(self.method)}</b>: {len(self.names)} of {len(self.feature_names)} features"
            f" from {self.n_samples:g} rows{f', {escape(self.units)}' if self.units else ''}"
        )
        return f"<div><p>{caption}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"

    def report(self, path: str | PathLike[str], X: Any = None, y: Any = None) -> Path:
        """Write all of this as one self-contained HTML page; returns the path.

        With the rows X and y that the selection was made from, the page also tells the health of the data, the joint
        information of the chosen features and Fano's floor on the error.
        """
        # by name: reports know selections, and nothing below them knows reports
        return import_module("entropick.report").write_report(self, path, X, y)

    # -- for machines ----------------------------------------------------------------------------------

    def to_json(self, indent: int | None = None) -> str:
        """The whole Selection as JSON; `from_json` gives an equal one back."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=indent, default=_plain, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Selection:
        """A Selection from what `to_json` wrote."""
        try:
            fields = json.loads(text)
            if fields.pop("format") != FORMAT:
                raise InvalidInput(f"text: a Selection of format {FORMAT} is read by this version, got another")
            fields["steps"] = tuple(
                Step(**{key: _tuples(value) for key, value in step.items()}) for step in fields["steps"]
            )
            for key in ("feature_names", "notes"):
                fields[key] = tuple(fields[key])
            found = cls(**fields)
            repr(found), found.explain(), found.ranking, found.scores  # so that parts that do not fit are told of here
            return found
        except InvalidInput:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, IndexError, ArithmeticError) as error:
            raise InvalidInput(f"text: not a Selection as to_json writes it ({error})") from error


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Read-only: an answer handed out twice must be the same the second time."""
    array.setflags(write=False)
    return array


def _plain(value: Any) -> Any:
    """NumPy values as JSON knows them; what has no JSON form is told by its text."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return repr(value)


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
