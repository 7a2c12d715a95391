"""`select`, and measures of information, as functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..coding import Coder, code_target
from ..coding.binning import check_weights
from ..errors import check_choice
from ..selection import Selection
from ..sources import Source, as_table, split_target
from .answer import run
from .request import Request

if TYPE_CHECKING:
    from ..statistics.levels.questions import LevelRows

Floats = NDArray[np.float64]


def select(
    X: Any,
    y: Any,
    *,
    method: str = "joint",
    k: int | float | str | None = "auto",
    task: str = "auto",
    discretizer: Any = "auto",
    missing: str = "level",
    sample_weight: Any = None,
    include: Sequence[Any] = (),
    exclude: Sequence[Any] = (),
    groups: Any = None,
    search: str | None = None,
    alpha: float = 0.05,
    test: str = "joint",
    n_permutations: int = 199,
    random_state: Any = None,
    n_jobs: int | None = -1,
    verbose: int = 0,
    memory: int | float | str | None = None,
    coding: Any = "exact",
    given: Any = None,
    costs: Any = None,
    budget: float | None = None,
    k_min: int = 0,
    level: float | None = None,
    class_weight: Any = None,
    per_class: int = 0,
    layer: str | None = None,
    text: Any = (),
    **options: Any,
) -> Selection:
    """Select the features that are informative together.

    Parameters
    ----------
    X
        array, DataFrame (pandas, polars, Arrow), sparse matrix, AnnData, list of rows; rows × features. Also data
        larger than memory: a file name, an `entropick.sources.Source`, a generator of tables, an Arrow reader, a Dask
        or Spark table; or saved `entropick.Statistics`, without any rows.
    y
        (n_rows,) target, or the name of a column of X, which is then not a feature. ``joint``, ``gc.mi``, ``wilks``,
        ``gc.auto``, ``hsic.*`` and ``lsmi.*`` also take several continuous targets at once, (n_rows, n_targets);
        ``joint`` also labels, (n_rows, n_labels) of 0 and 1, and events and times, as a structured array or, with
        ``task="survival"``, as two columns.
    method
        one of `entropick.methods()`.
    k
        how many: an integer, a fraction of the features, None for a complete ranking, or ``"auto"`` to stop when no
        remaining feature adds significant information, by the same rule for every method (``test``).
    task
        ``"classification"``, ``"regression"``, ``"multilabel"``, ``"survival"``, or ``"auto"``, which decides by the
        type and the number of distinct values of y; a note says how integers are treated.
    discretizer
        how numbers are binned, for discrete methods: ``"auto"`` (5 equal-frequency bins; integers with few values
        stay), ``"mdl"``, ``"quantile"``, ``"uniform"``, ``"kmeans"``, ``"sigma"`` (at μ + {−1.5, −0.5, 0.5, 1.5} σ), a
        number of quantile bins, a scikit-learn transformer, or None if X is already coded.
    missing
        ``"level"`` treats missing values as a category of their own, ``"error"`` refuses them.
    sample_weight
        (n_rows,) frequencies: a weight of 2 counts as two rows; or the name of a column of X.
    include
        names or numbers of features, or patterns, to select first; the others are judged given them.
    exclude
        names or numbers of features never to select; ``"MT-*"`` is all whose name matches.
    groups
        features treated as one: a dict from a name to its columns, or one label per column.
        ``k`` then counts groups.
    search
        search strategy; None for the default of the method.
    alpha
        significance level of ``k="auto"``.
    test
        the test of ``k="auto"``. ``"joint"`` tests every feature given all that are selected, by smooth functions of
        the columns, and drops those that others explain; ``alpha`` is the chance of selecting anything from noise.
        ``"chi2"`` is the method's own test: for discrete methods on pairs of binned columns, so that it keeps too many
        features where columns are correlated; ``alpha`` is then the false-discovery rate of a step.
        ``"permutation"``, for discrete methods, controls the chance of any error in a step.
    n_permutations
        number of permutations of the permutation test.
    random_state
        random seed.
    n_jobs
        number of threads; −1, the default, uses all cores, None one. The result does not depend on it.
    verbose
        1 shows a progress bar on a terminal.
    memory
        memory limit for rows read from a source: ``"1GB"``, or a number of GiB (2 and 2.0 alike; from 65 536 on, of
        bytes); None is half of the RAM. Larger data is streamed.
    coding
        binning of streamed data: ``"exact"``; ``"sketch"``, one pass less with bin edges accurate to a fraction of a
        percent; or `entropick.Statistics` (or their file) whose bins are used.
    given
        covariates to adjust for (batch, site, age): an array or frame with one row per row of X, or names of columns of
        X, which are then not features. Selects what is informative beyond them, I(X;Y|Z). For ``joint``.
    costs
        cost of each feature: one number per column, or a dict by name (the default is 1). Features are selected by gain
        per cost. For ``joint``.
    budget
        total cost allowed.
    k_min
        with ``k="auto"``, the least number to select: if fewer are significant, the best by score, with a note.
    level
        of `Selection.credible_sets`: the chance, 0.95 where None, that a set holds the real column. Sets and p-values
        come with ``k="auto"`` and with ``joint``; for a fixed k of other methods ask for them by ``level=0.95``.
    class_weight
        who counts how much: None, rows as they are; ``"balanced"``, every class the same, however rare; a dict from
        classes to weights (those left out weigh 1), as in scikit-learn. It decides on the order; tests and p-values
        count every row once. For every method that takes weights.
    per_class
        so many features for every class that tell it from all others, chosen first; a note names them. They count
        towards ``k``. For rows in memory.
    layer
        of AnnData and its files, instead of ``X``; ``"raw"`` are the genes of ``raw``. Columns of ``obs`` are no
        features, but may be named as target, covariates or weights.
    text
        columns of texts whose words are candidates, each under its own name (``review: refund``): names, or a dict
        from names to vectorisers of scikit-learn; see `open_source`.
    **options
        what only this method understands; an unknown one is an error that lists those it knows.

    Returns
    -------
    Selection
        indices, names, scores, and why; see `Selection.explain`.

    Examples
    --------
    >>> import entropick as ep
    >>> problem = ep.datasets.and_or(random_state=0)
    >>> ep.select(problem.X, problem.y, method="jmi", k=3).indices.size
    3
    """
    if groups is None and isinstance(X, Source) and X.groups:
        groups = X.groups
    request = Request(
        method, k, task, discretizer, missing, include, exclude, groups, search, alpha, test, n_permutations,
        random_state, n_jobs, verbose, memory, coding, given, costs, budget, k_min, level, class_weight,
        per_class, layer, text, options,
    )  # fmt: skip
    return run(X, y, request, sample_weight).selection


def _level_statistics(
    X: Any, y: Any, discretizer: Any, missing: str, sample_weight: Any, estimator: str, n_jobs: int | None
) -> LevelRows:
    """The coded columns of X; without y every row is of one class."""
    from ..statistics.levels.collect import collect_levels

    check_choice("estimator", estimator, ("plugin", "miller-madow", "auto"))
    table, values = (as_table(X), None) if y is None else split_target(X, y)[:2]
    weights = check_weights(sample_weight, table.n_rows)
    if weights is not None and not weights.all():
        used = np.flatnonzero(weights)
        table, weights = table.take(used), weights[used]
        values = None if values is None else values[used]
    if values is None:
        codes, n_classes = np.zeros(table.n_rows, np.int32), 1
    else:
        target = code_target(values, weights=weights)
        codes, n_classes = target.codes, target.n_classes
    coder = Coder(discretizer, missing, n_jobs).fit(table, None if y is None else codes, n_classes, weights)
    return collect_levels(coder, table, codes, n_classes, weights, estimator=estimator, n_jobs=n_jobs, known=True)


def mutual_information(
    X: Any,
    y: Any,
    *,
    discretizer: Any = "auto",
    missing: str = "level",
    sample_weight: Any = None,
    estimator: str = "plugin",
    n_jobs: int | None = -1,
) -> Floats:
    """I(X_j;Y) of every feature with the target, (n_features,), nats.

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> float(ep.mutual_information(np.array([[0], [0], [1], [1]]), [0, 0, 1, 1])[0])  # log 2
    0.6931471805599453
    """
    statistics = _level_statistics(X, y, discretizer, missing, sample_weight, estimator, n_jobs)
    singles = statistics.singles()
    return np.maximum(singles.feature + statistics.target_entropy - singles.feature_class, 0.0)


def mutual_information_matrix(
    X: Any,
    *,
    discretizer: Any = "auto",
    missing: str = "level",
    sample_weight: Any = None,
    estimator: str = "plugin",
    n_jobs: int | None = -1,
) -> Floats:
    """I(X_i;X_j) of every pair, (n_features, n_features), nats; H(X_i) on the diagonal.

    >>> import entropick as ep
    >>> from math import log
    >>> bits = [[0, 0], [0, 0], [1, 1], [1, 1]]
    >>> (ep.mutual_information_matrix(bits, discretizer=None) / log(2)).round(3).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    from ..statistics.levels.pair_matrices import LevelPairs

    statistics = _level_statistics(X, None, discretizer, missing, sample_weight, estimator, n_jobs)
    return LevelPairs(statistics).matrix("redundancy")


def conditional_mutual_information_matrix(
    X: Any,
    y: Any,
    *,
    discretizer: Any = "auto",
    missing: str = "level",
    sample_weight: Any = None,
    estimator: str = "plugin",
    n_jobs: int | None = -1,
) -> Floats:
    """I(X_i;X_j|Y) of every pair, (n_features, n_features), nats; H(X_i|Y) on the diagonal.

    >>> import entropick as ep
    >>> from math import log
    >>> bits = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> y = [0, 1, 1, 0]  # given y, each determines the other
    >>> (ep.conditional_mutual_information_matrix(bits, y, discretizer=None) / log(2)).round(3).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    from ..statistics.levels.pair_matrices import LevelPairs

    statistics = _level_statistics(X, y, discretizer, missing, sample_weight, estimator, n_jobs)
    return LevelPairs(statistics).matrix("conditional")


def conditional_information_matrix(
    X: Any,
    y: Any,
    *,
    discretizer: Any = "auto",
    missing: str = "level",
    sample_weight: Any = None,
    estimator: str = "plugin",
    n_jobs: int | None = -1,
) -> Floats:
    """Q of Vinh et al. (2014), which ``spec.cmi`` and ``sdp.cmi`` maximise: ½ {I(X_i;Y|X_j) + I(X_j;Y|X_i)}, nats.

    (n_features, n_features), I(X_i;Y) on the diagonal.

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> ep.conditional_information_matrix(X, [0, 1, 1, 0]).round(3).tolist()  # exclusive or
    [[0.0, 0.693], [0.693, 0.0]]
    """
    from ..statistics.levels.pair_matrices import LevelPairs

    statistics = _level_statistics(X, y, discretizer, missing, sample_weight, estimator, n_jobs)
    return LevelPairs(statistics).matrix("complement")


def conditional_information_distance(X: Any, y: Any, **how: Any) -> Floats:
    """d_C(X_i, X_j) = I(X_i;Y|X_j) + I(X_j;Y|X_i), nats; 0 on the diagonal, as of two columns that say the same of y.

    How far apart features are in what they say of y (Sotoca & Pla 2010; Vinh et al. 2014, §2.4). Whether it is a metric
    is open. Keywords as in `conditional_information_matrix`.

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> x = np.array([0, 0, 1, 1])
    >>> ep.conditional_information_distance(np.column_stack([x, 1 - x]), [0, 0, 1, 1]).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    distance = 2.0 * conditional_information_matrix(X, y, **how)
    np.fill_diagonal(distance, 0.0)
    return distance
