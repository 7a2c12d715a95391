"""Kind: what is remembered of rows, and everything there is to know about it, in one object.

A method names its kind (``Method.statistics``). `selectors/gather.py` asks that kind and nobody else how rows become
statistics, wherever the rows are; no other module knows kinds by name.

    way           where the rows are                            the kind is asked for
    "table"       in memory                                     of_table
    "blocks"      a file beyond memory, Dask, Spark             of_blocks
    "increments"  `Selector.partial_fit`, a block a call        extended
    "saved"       nowhere: `entropick.Statistics`               of_saved

Before any of these, `why_not` says what it cannot do that way: an argument that does not go with it, options, groups, a
test that shuffles rows. Only then are rows read.

To add a kind, write one file with a subclass of `Kind` (made of whole tables only) or of `Mergeable` (made of blocks in
any split and any order, too), and add its line to `KINDS`. A subclass of `Mergeable` also says how it is saved:
``to_save`` gives what is made of a block and how two of them merge, ``arrays`` and ``from_arrays`` a file's form.

What a measure is told: its constructor gets the statistics, the options of the method that are not the kind's own
(``own_options``), and of `Kind.arguments` those that it names among its parameters (``random``, ``n_jobs``, …).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..coding import Candidate, Coder, Target
from ..coding.coded_blocks import CodedBlocks
from ..coding.refine import Coding
from ..coding.target_rule import TargetRule
from ..sources import Table

Way = Literal["table", "blocks", "increments", "saved"]
Floats = NDArray[np.float64]
T = TypeVar("T")

# name -> where the kind is; loaded when it is first asked for
KINDS = {
    "lifted": "lifted.kind:LiftedKind",
    "levels": "levels.kind:LevelsKind",
    "moments": "moments.kind:MomentsKind",
    "marginals": "marginals:MarginalsKind",
    "rows": "rows:RowsKind",
}


def kind_of(name: str) -> Kind:
    """The kind of that name."""
    module, _, found = KINDS[name].partition(":")
    kind: Kind = getattr(import_module(f"{__package__}.{module}"), found)()
    return kind


class Memo:
    """What several runs on the same rows, target and weights have in common, made once.

    ``saved`` counts the seconds that making it again would have taken.
    """

    def __init__(self) -> None:
        self.saved = 0.0
        self.clock = time.perf_counter
        self._made: dict[Hashable, tuple[Any, float]] = {}

    def __call__(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is known by that key, or is made now."""
        if key in self._made:
            found, seconds = self._made[key]
            self.saved += seconds
            return found  # type: ignore[no-any-return]
        begin = self.clock() + self.saved
        made = make()
        self._made[key] = made, self.clock() + self.saved - begin  # parts that were there already count in full
        return made


def alone(key: Hashable, make: Callable[[], T]) -> T:
    """Nothing is shared."""
    return make()


@dataclass(frozen=True)
class Asked:
    """What a run asks of its statistics: the checked request, whatever the rows come as.

    ``options`` are all of the method's, defaults filled in; ``measure`` is the class that will be told; ``grouped``
    says whether some candidate is a group of columns; ``generator`` gives a new generator from the user's seed.
    ``costs`` (n_candidates,) and ``given``, a table of covariates, are None where there are none.
    """

    method: str
    measure: type
    options: Mapping[str, Any]
    candidates: Sequence[Candidate]
    grouped: bool
    k: int | float | str | None
    test: str
    discretizer: Any
    missing: str
    generator: Callable[[], np.random.Generator]
    n_jobs: int | None = None
    verbose: int = 0
    costs: Floats | None = None
    budget: float | None = None
    given: Table | None = None
    shared: Callable[[Hashable, Callable[[], Any]], Any] = alone

    def coder(self) -> Coder:
        """One that is to be fitted."""
        return Coder(self.discretizer, self.missing, self.n_jobs)

    @property
    def coding(self) -> Hashable:
        """What fitted coders depend on besides the rows; of a transformer, the very one."""
        plain = self.discretizer is None or isinstance(self.discretizer, str | int)
        return self.discretizer if plain else id(self.discretizer), self.missing


@dataclass(frozen=True)
class Collected:
    """Statistics, how the columns were coded for them, and what was noticed on the way."""

    statistics: Any
    coder: Any = None
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # of the measure, where the rows decide on them
    log_trials: Floats | None = None  # of codings that looked at the target: log of the ways there were to cut
    constant: NDArray[np.bool_] | None = None  # candidates that cannot say anything, where the statistics tell


@dataclass(frozen=True)
class Taking:
    """What is made of a block of rows, and how two of them become one; both can be sent to where the rows are."""

    make: Callable[[Table], Any]
    merge: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Increment:
    """A block of rows that come one call after another; coder: a fitted one, where columns are to be coded by it."""

    table: Table
    target: Target
    weights: Floats | None
    coder: Coder | None


class Kind(ABC):
    """Statistics that are made of a table in memory.

    Attributes
    ----------
    coded : columns are coded first, so that categories and gaps are welcome.
    own_coding : it codes columns by rules of its own, so that nobody need find levels for it.
    own_options : options of a method that the statistics take, and the measure is not told.
    """

    coded: ClassVar[bool] = False
    own_coding: ClassVar[bool] = False
    own_options: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def why_not(self, asked: Asked, way: Way) -> str | None:
        """Why it cannot be had that way: an error's text, that names the argument, the rule and what to do."""

    @abstractmethod
    def of_table(self, table: Table, target: Target, weights: Floats | None, asked: Asked) -> Collected:
        """Of rows in memory; none weighs 0."""

    def arguments(self, asked: Asked, target: Target | TargetRule) -> dict[str, Any]:
        """What a measure may be told besides its options; it gets those that its constructor names."""
        return {
            "random": asked.generator(), "n_jobs": asked.n_jobs, "verbose": asked.verbose, "costs": asked.costs,
            "budget": asked.budget,
        }  # fmt: skip


class Mergeable(Kind):
    """Statistics of parts of the rows that merge into those of all rows."""

    @abstractmethod
    def of_blocks(self, rows: CodedBlocks, asked: Asked, parts: ExitStack) -> Collected:
        """Of rows in blocks; what stays where the blocks are is closed with ``parts``."""

    @abstractmethod
    def extended(self, so_far: Collected | None, rows: Increment, asked: Asked) -> Collected:
        """What was collected (None at first) and one more block of rows."""

    # -- saved -----------------------------------------------------------------------------------------

    @abstractmethod
    def to_save(self, rows: CodedBlocks, n_jobs: int | None) -> Taking | None:
        """How a part to be saved is made and merged; None where these columns have none (categories, gaps)."""

    def of_saved(self, part: Any, coding: Coding, asked: Asked) -> Collected:
        """Of a part that was saved."""
        return Collected(part)

    def arrays(self, part: Any) -> dict[str, NDArray[Any]]:
        """A part as plain arrays."""
        made: dict[str, NDArray[Any]] = part.arrays()
        return made

    @abstractmethod
    def from_arrays(self, arrays: Mapping[str, NDArray[Any]], coding: Coding, n_rows: int) -> Any:
        """The part again; KeyError, TypeError or ValueError where the arrays are of no such part."""

    @abstractmethod
    def merge(self, one: Any, other: Any) -> Any:
        """Two parts of the same coding as one; both stay as they are."""


class Summed(Mergeable):
    """Statistics that take in one block after another in place, and know themselves as arrays."""

    kept: ClassVar[Any]  # their class

    @abstractmethod
    def _block(self, rows: Increment, asked: Asked) -> Any:
        """Of one block of rows."""

    def extended(self, so_far: Collected | None, rows: Increment, asked: Asked) -> Collected:
        block = self._block(rows, asked)
        if so_far is None:
            return Collected(block)
        so_far.statistics.merge(block)
        return so_far

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]], coding: Coding, n_rows: int) -> Any:
        return self.kept.from_arrays(arrays)
