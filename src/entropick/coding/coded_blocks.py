"""CodedBlocks: rows in blocks, and how their columns become levels, found in the first passes over them.

pass 1    summaries of all columns          rules of columns and target follow from them
pass 2    equal-frequency edges made exact  left out with coding="sketch"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput, InvalidParameter, closest
from ..sources.blocks import Blocks
from .block_rows import RowReader
from .coder import Coder
from .refine import Coding, find_coding, recounted
from .summary import Summarise, merge_summaries

CODINGS = ("exact", "sketch")
WHOLE_COLUMNS = ("mdl", "kmeans", "sigma", "transformer")  # discretisers that see a column at once


@dataclass(frozen=True)
class ColumnRoles:
    """Which columns of the blocks are the features, the target, the weight and the covariates."""

    features: tuple[int, ...]
    target: int
    weight: int | None
    given: tuple[int, ...] = ()


def find_roles(blocks: Blocks, target: str, sample_weight: str | None, given: Sequence[str] = ()) -> ColumnRoles:
    """By name; an error names the nearest column."""
    at = find_column(blocks.names, "y", target)
    weight = None if sample_weight is None else find_column(blocks.names, "sample_weight", sample_weight)
    beside = tuple(find_column(blocks.names, "given", name) for name in given)
    features = tuple(j for j in range(len(blocks.names)) if j not in (at, weight, *beside))
    if not features:
        raise InvalidInput(f"X: no column is left to select from besides the target {target!r}")
    return ColumnRoles(features, at, weight, beside)


def find_column(names: Sequence[str], argument: str, name: Any) -> int:
    """The number of the column of that name."""
    if not isinstance(name, str):
        raise InvalidInput(f"{argument}: must be a column name when rows come in blocks, got {name!r:.60}")
    if name not in names:
        some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        raise InvalidInput(f"{argument}: X has no column {name!r}.{closest(name, names)} Its columns: {some}")
    return list(names).index(name)


class CodedBlocks:
    """The blocks, and what the first passes found.

    ``coding`` is ``"exact"`` (one more pass over the rows finds the very edges that `Coder.fit` would in memory),
    ``"sketch"`` (edges of ranks known to a fraction of a percent), or the rules of other rows. Where the rules are
    given, or only the target's are asked for (``features`` False), the pass is over the target alone.

    Attributes
    ----------
    coding : the rules; n_rows : rows of a weight above 0; weight : what they weigh.
    whole : whether all weights are whole numbers; exact : whether edges are at exact ranks.
    """

    def __init__(
        self,
        blocks: Blocks,
        roles: ColumnRoles,
        coder: Coder,
        task: str = "auto",
        coding: str | Coding = "exact",
        *,
        features: bool = True,
    ) -> None:
        self.blocks = blocks
        self.roles = roles
        self.exact = coding != "sketch"
        rule = self._checked(coder, coding, features)
        seen, columns, target, weight = blocks, roles.features, roles.target, roles.weight
        if isinstance(coding, Coding) or not features:
            own = [target] if weight is None else [target, weight]
            seen, columns, target, weight = blocks.select(own), (), 0, None if weight is None else 1
        summaries = seen.reduce(Summarise(rule, target, weight, coder.n_jobs), merge_summaries)
        if not summaries.n_rows:
            raise InvalidInput("sample_weight: must not all be zero, got 0 in every row")
        self.n_rows, self.weight, self.whole = summaries.n_rows, summaries.weight, summaries.whole
        if isinstance(coding, Coding):
            self.coding = recounted(coding, summaries, target)
        else:
            self.coding = find_coding(seen, summaries, coder, columns, target, weight, task, self.exact)

    def _checked(self, coder: Coder, coding: str | Coding, features: bool) -> str | None:
        """The rule by which numbers are cut. What does not go with blocks is told before the first pass."""
        if isinstance(coding, str) and coding not in CODINGS:
            raise InvalidParameter(f"coding: must be 'exact' or 'sketch', got {coding!r}")
        if isinstance(coding, Coding) and coding.coder is not None:
            _same_columns(coding.coder, self.names)
        rule, _ = coder.settings()
        if features and rule in WHOLE_COLUMNS:
            raise InvalidParameter(
                f"discretizer: {coder.discretizer!r} needs whole columns, but rows come in blocks; use 'quantile',"
                " 'uniform', a number of bins or None"
            )
        return rule

    @property
    def coder(self) -> Coder:
        """Of the features, where they were asked for."""
        return self.coding.of_features

    @property
    def names(self) -> tuple[str, ...]:
        """Of the features."""
        return tuple(self.blocks.names[j] for j in self.roles.features)

    @property
    def complete(self) -> bool:
        """Whether every cell of the features is a number, as far as their coding tells."""
        numbers = all(self.blocks.kinds[j] != "category" for j in self.roles.features)
        return numbers and not self.coder.learned.array(lambda one: one.missing).any()

    @property
    def reader(self) -> RowReader:
        """Takes a block apart."""
        return RowReader(self.roles.features, self.roles.target, self.coding.target, self.roles.weight)


def _same_columns(coder: Coder, names: tuple[str, ...]) -> None:
    """A given coding is of these columns."""
    if coder.names != names:
        odd = next((name for name in (*names, *coder.names) if (name in names) != (name in coder.names)), "their order")
        raise InvalidInput(f"coding: must have the same columns in the same order; they differ in {odd!r}")
