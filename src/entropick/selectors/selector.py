"""`Selector`: the scikit-learn estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..methods import REGISTRY
from ..selection import Selection
from ..sources import split_target
from .run import Request, run


class Selector(SelectorMixin, BaseEstimator):
    """Choose features in a scikit-learn pipeline.

    The parameters are those of `entropick.select`; what only one method understands goes into ``options``.

    Attributes
    ----------
    selection_ : the `Selection`: order, scores and reasons.
    coder_ : the fitted coding of columns into levels, or None for methods that take numbers as they are.
    n_features_in_, feature_names_in_ : as in scikit-learn.

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
        """Choose features of X for the target y; ``sample_weight`` are frequencies."""
        table, values, _ = split_target(X, y)
        validate_data(self, X, skip_check_array=True)
        self.n_features_in_ = table.n_columns
        parameters = {**self.get_params(deep=False), "options": self.options or {}}
        result = run(table, values, Request(**parameters), sample_weight)
        self.selection_: Selection = result.selection
        self.coder_ = result.coder
        return self

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
