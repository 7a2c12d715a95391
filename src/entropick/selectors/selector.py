"""`Selector`: the scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..coding import Coder
from ..methods import REGISTRY
from ..selection import Selection
from ..sources import Table, split_target, take_columns
from ..sources.engines import ENGINES
from ..sources.table import library
from .increments import Increments
from .origin import InBlocks, located
from .run import Request, Run, run
from .stream import run_blocks


class Selector(SelectorMixin, BaseEstimator):
    """Choose features in a scikit-learn pipeline.

    The parameters are those of `entropick.select`; what only one method understands goes into ``options``.

    Attributes
    ----------
    selection_
        the `Selection`: order, scores and reasons.
    coder_
        the fitted coding of columns into levels, or None for methods that take numbers as they are.
    n_features_in_, feature_names_in_
        as in scikit-learn.

    Examples
    --------
    >>> import entropick as ep
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ep.Selector(method="mrmr", k=2).fit(X, y).get_support().sum()
    np.int64(2)
    """

    def __init__(
        self,
        method: str = "jmi",
        k: int | float | str | None = "auto",
        *,
        task: str = "auto",
        discretizer: Any = "auto",
        missing: str = "level",
        include: Any = (),
        exclude: Any = (),
        groups: Any = None,
        search: str | None = None,
        alpha: float = 0.05,
        test: str = "chi2",
        n_permutations: int = 199,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.k = k
        self.task = task
        self.discretizer = discretizer
        self.missing = missing
        self.include = include
        self.exclude = exclude
        self.groups = groups
        self.search = search
        self.alpha = alpha
        self.test = test
        self.n_permutations = n_permutations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.options = options

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Selector:
        """Choose features of X for the target y; ``sample_weight`` are frequencies.

        Where rows come in blocks (sources, Dask, Spark), y and ``sample_weight`` are names of columns.
        """
        request = self._request()
        with located(X, y, self.method) as where:
            if isinstance(where, InBlocks):
                result = run_blocks(where.blocks, where.target, request, sample_weight)
                self.feature_names_in_ = np.array(result.selection.feature_names, dtype=object)
            else:
                table, values, _ = split_target(where, y)
                result = run(table, values, request, sample_weight)
                validate_data(self, _features(where, y, table), skip_check_array=True)
        self.n_features_in_ = len(result.selection.feature_names)
        self._increments: Increments | None = None
        self._run: Run | None = result
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, *, coder: Coder | None = None
    ) -> Selector:
        """Take in one more block of rows; the features are chosen from all blocks so far, when they are asked for.

        ``classes`` names all classes in the first call; without, the first block must have them all. Methods on
        moments and single columns give what `fit` gives on all rows together. Methods that count code every block by
        what the first one taught, or by a fitted ``coder`` given with it: a level that was not there then is an error.
        """
        table, values, _ = split_target(X, y)
        first = getattr(self, "_increments", None) is None
        validate_data(self, _features(X, y, table), reset=first, skip_check_array=True)
        if first:
            self.n_features_in_ = table.n_columns
        increments = Increments(self._request(), table.names, classes, coder) if first else self._increments
        assert increments is not None
        increments.update(table, values, sample_weight)
        self._increments, self._run = increments, None
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Whether rows were taken in: a call that was refused leaves nothing to choose from."""
        return any(getattr(self, name, None) is not None for name in ("_run", "_increments"))

    def _request(self) -> Request:
        return Request(**{**self.get_params(deep=False), "options": self.options or {}})

    def _result(self) -> Run:
        check_is_fitted(self)
        if self._run is None:
            assert self._increments is not None
            self._run = self._increments.answer()
        return self._run

    @property
    def selection_(self) -> Selection:
        """The `Selection`: order, scores and reasons."""
        return self._result().selection

    @property
    def coder_(self) -> Any:
        """The fitted coding of columns into levels, or None for methods that take numbers as they are."""
        return self._result().coder

    def transform(self, X: Any) -> Any:
        """X with the chosen columns only; of a Dask or Spark object, an object of the same kind."""
        if library(X) in ENGINES:
            check_is_fitted(self)
            chosen = np.flatnonzero(self._get_support_mask())
            return take_columns(X, chosen.tolist(), [self.selection_.feature_names[j] for j in chosen])
        return super().transform(_as_pandas(X))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, bool)
        mask[self.selection_.indices] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        method = REGISTRY.get(self.method) if isinstance(self.method, str) else None
        tags.target_tags.multi_output = method is not None and method.several
        coded = method is None or method.statistics in ("levels", "pairs")
        tags.input_tags.allow_nan = coded and self.missing == "level"
        tags.input_tags.sparse = True
        tags.input_tags.string = coded
        tags.input_tags.categorical = coded
        return tags


def _as_pandas(X: Any) -> Any:
    """X, or the pandas frame of what scikit-learn would make one array of, whatever the types of its columns."""
    import pandas as pd

    if library(X) == "pyarrow" and hasattr(X, "to_pandas"):
        return X.to_pandas()
    if library(X) == "polars":
        X = X.collect() if hasattr(X, "collect") else X
        return pd.DataFrame({name: X[name].to_numpy() for name in X.columns})
    if isinstance(X, Table):
        return pd.DataFrame({name: X.column(j) for j, name in enumerate(X.names)})
    return pd.DataFrame(X) if isinstance(X, Mapping) else X


def _features(X: Any, y: Any, table: Table) -> Any:
    """What scikit-learn may check the names of: X, or a frame without rows where it cannot, or the target is in X."""
    if not np.isscalar(y) and not isinstance(X, (Mapping, Table)):
        return X
    import pandas as pd

    labels = X.columns if library(X) == "pandas" else table.names
    return pd.DataFrame(columns=[label for label in labels if str(label) != str(y)])
