"""`interactions`: every pair of columns tested for what it says only together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter, check_choice, closest
from ..sources import Table
from ..threads import thread_count
from .answer import Interaction, Interactions
from .best import Best
from .cells import pair_cells
from .chance import holm
from .columns import LevelColumns, columns_of, level_columns, most_levels
from .gathered import gathered
from .level_scan import pack_levels, scan_levels
from .level_terms import level_terms, sober_chances
from .level_triples import pack_triples, scan_triples, triple_columns
from .lifted import number_bytes
from .products import ProductScan
from .target import PairTarget, pair_target

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """What the user asked for; the meaning of each is in `interactions`."""

    order: int
    top: int
    alpha: float
    task: str
    discretizer: Any
    missing: str
    given: Any
    n_jobs: int | None
    verbose: int

    def check(self) -> None:
        """Every argument that breaks a rule is told here."""
        if not isinstance(self.order, Integral) or self.order not in (2, 3):
            raise InvalidParameter(f"order: must be 2 (pairs) or 3 (triples), got {self.order!r}")
        if not isinstance(self.top, Integral) or isinstance(self.top, bool) or self.top < 1:
            raise InvalidParameter(f"top: must be an integer of at least 1, got {self.top!r}")
        if not isinstance(self.alpha, Real) or not 0 < self.alpha < 1:
            raise InvalidParameter(f"alpha: must be a number between 0 and 1, got {self.alpha!r}")
        check_choice("missing", self.missing, ("level", "error"))
        if self.order == 3 and self.given is not None:
            raise InvalidParameter("given: covariates go with pairs, got order=3")
        thread_count(self.n_jobs)

    def told(self) -> dict[str, Any]:
        """What the answer remembers of it."""
        cut = self.discretizer
        plain = cut if cut is None or isinstance(cut, (str, int)) else repr(cut)
        return {"top": int(self.top), "discretizer": plain, "missing": self.missing, "given": self.given is not None}


def interactions(
    X: Any,
    y: Any,
    *,
    order: int = 2,
    top: int = 100,
    alpha: float = 0.05,
    task: str = "auto",
    discretizer: Any = "auto",
    missing: str = "level",
    given: Any = None,
    columns: Any = None,
    memory: Any = None,
    n_jobs: int | None = -1,
    verbose: int = 0,
) -> Interactions:
    """Test every pair of columns for what it says about the target only together.

    Parameters
    ----------
    X, y
        as in `select`: a table, files, what Dask or Spark holds; the target, its values or the name of its column.
    order
        2 for pairs, 3 for triples.
    top
        how many to keep, significant or not.
    alpha
        chance of any false one among those that are called significant.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``, as in `select`.
    discretizer
        ``"auto"``: categories and columns of at most 8 values by their levels, other numbers by products of smooth
        functions of their ranks. Any other of `select` cuts numbers into levels.
    missing
        ``"level"`` makes missing values a level of their own, ``"error"`` refuses them.
    given
        (n_rows,) or (n_rows, m) numbers, or names of columns of X, whose effect is taken out first.
    columns
        names or numbers of the columns to look at; None is all. With Dask, Spark and files beyond memory they must be
        named, and only they are brought here.
    memory
        how much this process may use, as in `select`; files beyond are read in blocks.
    n_jobs
        threads; −1 is all. The answer does not depend on it.
    verbose
        1 shows a progress bar on a terminal.

    Returns
    -------
    Interactions
        the best pairs with their tests; see `Interactions.explain`.

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> X = np.random.default_rng(0).integers(0, 2, (500, 20))
    >>> found = ep.interactions(X, X[:, 3] ^ X[:, 11])
    >>> found.significant[0].features
    ('x3', 'x11')
    """
    settings = Settings(order, top, alpha, task, discretizer, missing, given, n_jobs, verbose)
    settings.check()
    table, values = gathered(X, y, columns, given, memory)
    table, Z = split_given(table, given)
    if table.n_columns < order:
        raise InvalidInput(f"X: needs at least {order} columns, got {table.n_columns}")
    return of_table(table, values, settings, Z)


def of_table(table: Table, values: NDArray[Any], settings: Settings, Z: Floats | None = None) -> Interactions:
    """The same for a table and a target that are in memory; Z (n_rows, m) are covariates."""
    target = pair_target(values, settings.task)
    threads = thread_count(settings.n_jobs)
    if settings.order == 3:
        return _of_triples(table, target, settings, threads)
    levels, numbers = columns_of(table, target, settings.discretizer, settings.missing, threads)
    best, tests = Best(settings.top, 2), 0
    counted = target.classes is not None and Z is None
    if counted:
        packed = pack_levels(levels.codes, levels.levels, levels.columns, target.codes)
        scan_levels(packed, best, threads)
        tests += packed.n_pairs
    tester = None
    if len(numbers) or not counted:
        bytes_ = number_bytes(table, numbers, threads) if len(numbers) else None
        tester = ProductScan(bytes_, levels, target, Z, threads)
        tests += tester.tests(counted)
        tester.scan(best, settings.alpha / max(tests, 1), counted)
    return _answer(table, target, settings, levels, tester, best, tests)


def _of_triples(table: Table, target: PairTarget, settings: Settings, threads: int) -> Interactions:
    """All triples of levels; of many columns those of which pairs or single columns say most."""
    if target.several:
        raise InvalidInput("y: triples are counted for one target, got several; give one, or order=2")
    classes = replace(target, columns=None)  # a number by its five bins
    most = most_levels(table.n_rows, target.n_classes, order=3)
    cut = most if isinstance(settings.discretizer, str) and settings.discretizer == "auto" else settings.discretizer
    levels = level_columns(table, np.arange(table.n_columns), cut, settings.missing, classes, threads, most)
    kept, notes = triple_columns(levels, classes, threads)
    levels = replace(levels, columns=levels.columns[kept], codes=levels.codes[kept], levels=levels.levels[kept])
    levels = replace(levels, notes=(*levels.notes, *notes))
    best = Best(settings.top, 3)
    packed = pack_triples(levels.codes, levels.levels, levels.columns, classes.codes)
    scan_triples(packed, best, threads)
    return _answer(table, classes, settings, levels, None, best, packed.n_triples)


def _answer(
    table: Table, target: PairTarget, settings: Settings, levels: LevelColumns, tester: Any, best: Best, tests: int
) -> Interactions:
    by_counts = None if settings.given is not None else target.classes
    of_levels = set() if by_counts is None else {int(j) for j in levels.columns}
    adjusted = holm(sober_chances(best, levels, by_counts), tests)
    pairs = []
    for place, columns in enumerate(best.sets):
        counted = of_levels.issuperset(int(j) for j in columns)
        if counted:
            terms = level_terms([levels.of(int(j)) for j in columns], target.codes)
        else:
            terms = tester.terms(*(int(j) for j in columns))
        with np.errstate(under="ignore"):
            p = float(np.exp(best.log_p[place]))
        pairs.append(
            Interaction(
                columns=tuple(int(j) for j in columns),
                features=tuple(table.names[int(j)] for j in columns),
                synergy=terms.synergy,
                share=terms.synergy / target.entropy if target.entropy else None,
                statistic=float(best.statistics[place]),
                df=int(best.df[place]),
                p_value=p,
                p_adjusted=float(adjusted[place]),
                log_p_value=float(best.log_p[place]),
                main_effects=terms.alone,
                joint=terms.joint,
                test="levels" if counted else "products",
            )
        )
    return Interactions(
        pairs=tuple(pairs),
        feature_names=table.names,
        order=int(settings.order),
        tests=int(tests),
        alpha=float(settings.alpha),
        n_samples=table.n_rows,
        task=target.task,
        target_entropy=target.entropy,
        best=pair_cells(table, target, pairs[0].columns) if pairs else None,
        options=settings.told(),
        notes=levels.notes,
    )


def split_given(table: Table, given: Any) -> tuple[Table, Floats | None]:
    """The table without the columns that ``given`` names, and the covariates (n_rows, m), or None."""
    if given is None:
        return table, None
    if isinstance(given, str) or (isinstance(given, (list, tuple)) and all(isinstance(one, str) for one in given)):
        names = [given] if isinstance(given, str) else list(given)
        for name in names:
            if name not in table.names:
                raise InvalidParameter(f"given: X has no column {name!r}.{closest(name, table.names)}")
        own = [table.names.index(name) for name in names]
        rest = [j for j in range(table.n_columns) if j not in own]
        Z = table.select(own).dense(0, len(own))
        table = table.select(rest)
    else:
        Z = np.asarray(given, np.float64)
        Z = Z.reshape(len(Z), -1)
    if len(Z) != table.n_rows:
        raise InvalidParameter(f"given: must have one row for each of X, got {len(Z)} for {table.n_rows}")
    if not np.isfinite(Z).all():
        raise InvalidParameter("given: must be finite numbers; fill missing values or leave the rows out")
    return table, Z
