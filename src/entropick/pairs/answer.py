"""Interactions: the frozen answer of a scan. It knows no data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidInput
from ..version import __version__

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1  # of the JSON form; raised when a field changes its meaning
TOLD = 10  # pairs that are explained


@dataclass(frozen=True)
class Interaction:
    """Two columns (or three) and what they say about the target only together.

    Attributes
    ----------
    columns, features
        their numbers, ascending, and their names.
    synergy
        I(all of them; Y) less what smaller sets of them say, nats, as counted: I(X_iX_j;Y) − I(X_i;Y) − I(X_j;Y) for
        a pair. Below 0 where the columns mostly repeat each other.
    share
        synergy as a share of H(Y); None where the target is a number, whose entropy has no zero.
    statistic, df
        likelihood ratio of the term that only all of them together make, χ² of ``df`` degrees if there is none.
    p_value, p_adjusted
        chance of such a statistic in one test, and of any such one in all tests of the scan (Holm). The latter also
        divides the statistic of tables with thin cells by what chance makes of it on average.
    log_p_value
        natural logarithm of ``p_value``, which may be too small for a float.
    main_effects
        I(X_j;Y) of each column alone, nats.
    joint
        I(all of them; Y), nats.
    test
        how it was tested: ``"levels"`` or ``"products"``.

    Examples
    --------
    >>> import entropick as ep
    >>> problem = ep.datasets.xor(random_state=0)
    >>> pair = ep.interactions(problem.X, problem.y).significant[0]
    >>> pair.features, round(pair.synergy, 1)
    (('x0', 'x1'), 0.7)
    """

    columns: tuple[int, ...]
    features: tuple[str, ...]
    synergy: float
    share: float | None
    statistic: float
    df: int
    p_value: float
    p_adjusted: float
    log_p_value: float
    main_effects: tuple[float, ...]
    joint: float
    test: str


@dataclass(frozen=True)
class Interactions:
    """The pairs (or triples) of columns that say most beyond what each says alone, best first.

    Attributes
    ----------
    pairs
        the best `Interaction`, as many as were asked for, significant or not; ``significant`` are those that are.
    feature_names
        names of all columns that were looked at.
    order
        2 for pairs, 3 for triples.
    tests
        how many were tested.
    alpha
        chance of any false one among the significant.
    target_entropy
        H(Y) in nats; None where the target is a number.
    best
        the table behind the best one: what `displays.BestPairDisplay` draws. None where there is no pair.
    notes
        what was noticed about the data.

    Examples
    --------
    >>> import entropick as ep
    >>> problem = ep.datasets.xor(random_state=0)
    >>> found = ep.interactions(problem.X, problem.y)
    >>> found
    <Interactions: 1 of 45 pairs significant at 0.05, best x0 × x1>
    """

    pairs: tuple[Interaction, ...]
    feature_names: tuple[str, ...]
    order: int = 2
    tests: int = 0
    alpha: float = 0.05
    n_samples: int = 0
    task: str = "classification"
    target_entropy: float | None = None
    best: dict[str, Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    version: str = __version__

    @cached_property
    def significant(self) -> tuple[Interaction, ...]:
        """Those whose adjusted p-value is at most ``alpha``."""
        return tuple(pair for pair in self.pairs if pair.p_adjusted <= self.alpha)

    @property
    def names(self) -> list[tuple[str, ...]]:
        """Names of the columns of each, best first."""
        return [pair.features for pair in self.pairs]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Interaction]:
        return iter(self.pairs)

    def __repr__(self) -> str:
        what = "pairs" if self.order == 2 else "triples"
        best = f", best {' × '.join(self.pairs[0].features)}" if self.pairs else ""
        return f"<Interactions: {len(self.significant)} of {self.tests} {what} significant at {self.alpha:g}{best}>"

    # -- for people ------------------------------------------------------------------------------------

    def to_frame(self) -> pd.DataFrame:
        """One row each, best first: feature_1, feature_2, synergy, statistic, df, p_value, p_adjusted, and more."""
        import pandas as pd

        numbers = range(1, self.order + 1)
        rows = [
            {
                **{f"feature_{k}": name for k, name in zip(numbers, pair.features, strict=True)},
                "synergy": pair.synergy,
                "statistic": pair.statistic,
                "df": pair.df,
                "p_value": pair.p_value,
                "p_adjusted": pair.p_adjusted,
                "share": pair.share,
                **{f"main_effect_{k}": main for k, main in zip(numbers, pair.main_effects, strict=True)},
                "test": pair.test,
            }
            for pair in self.pairs
        ]
        named = [f"feature_{k}" for k in numbers]
        columns = [*named, "synergy", "statistic", "df", "p_value", "p_adjusted", "share"]
        columns += [*(f"main_effect_{k}" for k in numbers), "test"]
        return pd.DataFrame(rows, columns=columns)

    def explain(self) -> str:
        """What was tested, what was found and how much it says, as text."""
        what = ("pair", "pairs") if self.order == 2 else ("triple", "triples")
        found = self.significant
        columns = len(self.feature_names)
        lines = [
            f"{self.tests} {what[self.tests != 1]} of {columns} columns tested on {self.n_samples} rows;"
            f" {'at least ' if found and len(found) == len(self) < self.tests else ''}{len(found)}"
            f" {'is' if len(found) == 1 else 'are'} significant"
            f" (family-wise error {self.alpha:g})."
        ]
        for rank, pair in enumerate(found[:TOLD], start=1):
            lines += ["", f"{rank:>3}. {' × '.join(pair.features)}", *(f"     {word}" for word in self._words(pair))]
        if len(found) > TOLD:
            lines += ["", f"… and {len(found) - TOLD} more"]
        if not found and self.pairs:
            near = self.pairs[0]
            lines += ["", f"Closest: {' × '.join(near.features)}, adjusted p = {near.p_adjusted:.2g}."]
        if self.notes:
            lines += ["", "Notes:"] + [f"  - {note}" for note in self.notes]
        return "\n".join(" ".join(line.split("\n")) for line in lines)

    def _words(self, pair: Interaction) -> Iterator[str]:
        alone = " and ".join(f"{main:.3g}" for main in pair.main_effects)
        share = f" ({100 * pair.share:.3g} % of the target's entropy)" if pair.share is not None else ""
        if pair.synergy > 0:
            yield f"synergy {pair.synergy:.3g} nats{share}: alone {alone}, together {pair.joint:.3g}"
        else:
            yield f"interact, but share {-pair.synergy:.3g} nats: alone {alone}, together {pair.joint:.3g}"
        chance = f"{pair.p_value:.2g}" if pair.p_value > 0 else f"10^{pair.log_p_value / np.log(10):.0f}"
        yield f"χ² = {pair.statistic:.4g} of {pair.df} degrees, p = {chance}, adjusted {pair.p_adjusted:.2g}"

    def _repr_html_(self) -> str:
        # by name: reports know interactions, and nothing below them knows reports
        return str(import_module("entropick.report.network").interactions_fragment(self))

    # -- for machines ----------------------------------------------------------------------------------

    def to_json(self, indent: int | None = None) -> str:
        """All of it as JSON; `from_json` gives an equal one back."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=indent, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Interactions:
        """From what `to_json` wrote."""
        try:
            fields = json.loads(text)
            if fields.pop("format") != FORMAT:
                raise InvalidInput(f"text: Interactions of format {FORMAT} are read by this version, got another")
            parts = ("columns", "features", "main_effects")
            pairs: list[dict[str, Any]] = [
                {key: tuple(value) if key in parts else value for key, value in pair.items()}
                for pair in fields["pairs"]
            ]
            fields["pairs"] = tuple(Interaction(**pair) for pair in pairs)
            for key in ("feature_names", "notes"):
                fields[key] = tuple(fields[key])
            found = cls(**fields)
            repr(found), found.explain(), found.to_frame()  # fails here if the parts do not fit together
            return found
        except InvalidInput:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, IndexError, ArithmeticError) as error:
            raise InvalidInput(f"text: not Interactions as to_json writes them ({error})") from error
