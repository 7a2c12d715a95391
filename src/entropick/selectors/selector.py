"""`Selector`: the scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..coding import Coder
from ..errors import InvalidInput, InvalidParameter
from ..methods import REGISTRY, get_method
from ..selection import CredibleSet, Selection
from ..sources import Table, open_source, split_target, take_columns
from ..sources.blocks import parse_memory
from ..sources.cells import is_anndata
from ..sources.engines import ENGINES
from ..sources.origin import InBlocks
from ..sources.table import distinct_names, library
from ..statistics.kind import kind_of
from ..statistics.saved import Statistics
from .answer import Answer, answer, run
from .gather import Increments
from .request import Request


class Selector(SelectorMixin, BaseEstimator):
    """Choose features in a scikit-learn pipeline.

    The parameters are those of `entropick.select`. What only one method understands may be given by name, as there, and
    is kept in ``options``, where scikit-learn finds it: ``Selector("linear", 5, beta=0.5)`` is
    ``Selector("linear", 5, options={"beta": 0.5})``, and ``set_params(beta=0.2)`` changes that entry.

    Attributes
    ----------
    selection_
        the `Selection`: order, scores and reasons.
    scores_
        (n_chosen,) the score of each step, in the order chosen.
    ranking_
        (n_features,) 1 = chosen first; features that were not chosen share the rank after the last.
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
        method: str = "joint",
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
        test: str = "joint",
        n_permutations: int = 199,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        memory: int | float | str | None = None,
        coding: Any = "exact",
        costs: Any = None,
        budget: float | None = None,
        k_min: int = 1,
        level: float | None = None,
        class_weight: Any = None,
        per_class: int = 0,
        layer: str | None = None,
        text: Any = (),
        options: dict[str, Any] | None = None,
        **more: Any,
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
        self.memory = memory
        self.coding = coding
        self.costs = costs
        self.budget = budget
        self.k_min = k_min
        self.level = level
        self.class_weight = class_weight
        self.per_class = per_class
        self.layer = layer
        self.text = text
        self.options = _joined(options, more)

    def set_params(self, **params: Any) -> Selector:
        """Set parameters; a name that is none of them is an option of the method."""
        own = {name: value for name, value in params.items() if name.partition("__")[0] in self._get_param_names()}
        more = {name: value for name, value in params.items() if name not in own}
        super().set_params(**own)
        if more:
            self.options = _joined(self.options, more)
            if isinstance(self.method, str) and self.method in REGISTRY:
                get_method(self.method).resolve(self.options)
        return self

    def fit(self, X: Any, y: Any, sample_weight: Any = None, given: Any = None) -> Selector:
        """Choose features of X for the target y; ``sample_weight`` are frequencies, ``given`` covariates beside X.

        Where rows come in blocks (sources, Dask, Spark), y and ``sample_weight`` are names of columns.
        """
        request = replace(self._request(), given=given)
        with ExitStack() as opened:
            if self.text:
                X = opened.enter_context(
                    open_source(X, layer=self.layer, text=self.text, memory=parse_memory(self.memory))
                )
                request = replace(request, layer=None, text=())
            self._words = X.fitted if self.text else {}
            where = opened.enter_context(request.located(X, y, sample_weight))
            result = run(where, y, replace(request, layer=None), sample_weight)
            names = result.selection.feature_names
            if isinstance(where, (InBlocks, Statistics)):
                self.feature_names_in_ = np.array(names, dtype=object)
            else:
                validate_data(self, _features(where, (y, sample_weight), names), skip_check_array=True)
        self.n_features_in_ = len(names)
        self._increments: Increments | None = None
        self._run: Answer | None = result
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, *, coder: Coder | None = None
    ) -> Selector:
        """Take in one more block of rows; the features are chosen from all blocks so far, when they are asked for.

        ``classes`` names all classes in the first call; without, the first block must have them all. Methods on
        moments and single columns give what `fit` gives on all rows together. Methods that count code every block by
        what the first one taught, or by a fitted ``coder`` given with it: a level that was not there then is an error.
        """
        if self.text or self.per_class:
            name = "text" if self.text else "per_class"
            raise InvalidParameter(f"{name}: needs all rows at once; use fit, or leave it out")
        table, values, _ = split_target(X, y, read=False)
        first = getattr(self, "_increments", None) is None
        validate_data(self, _features(X, (y,), table.names), reset=first, skip_check_array=True)
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

    def _result(self) -> Answer:
        check_is_fitted(self)
        if self._run is None:
            assert self._increments is not None
            self._run = answer(self._increments.gathered())
        return self._run

    def _html_repr(self) -> str:
        """scikit-learn's diagram in a notebook; of a fitted selector also what it selected."""
        shown = str(super()._html_repr())
        run: Answer | None = getattr(self, "_run", None)
        return shown if run is None else shown + run.selection._repr_html_()

    @property
    def selection_(self) -> Selection:
        """The `Selection`: order, scores and reasons."""
        return self._result().selection

    @property
    def scores_(self) -> NDArray[np.float64]:
        """(n_chosen,) the score of each step, in the order chosen."""
        return self.selection_.scores

    @property
    def ranking_(self) -> NDArray[np.intp]:
        """(n_features,) 1 = chosen first; features that were not chosen share the rank after the last."""
        return self.selection_.ranking

    @property
    def credible_sets_(self) -> tuple[CredibleSet, ...]:
        """One `CredibleSet` a pick, in the order chosen; none where ``level`` did not ask for them."""
        return self.selection_.credible_sets

    @property
    def coder_(self) -> Any:
        """The fitted coding of columns into levels, or None for methods that take numbers as they are."""
        return self._result().coder

    def transform(self, X: Any) -> Any:
        """X with the chosen columns only; of an AnnData, Dask or Spark object, an object of the same kind.

        Where ``k="auto"`` chose none, that is an error: what comes after it could do nothing with no columns.
        """
        check_is_fitted(self)
        if not self.selection_.steps:
            raise InvalidInput(
                "k: 'auto' selected no feature, as none is significant; pass k_min=1 to keep the best one anyway, a"
                " number for k, or a larger alpha"
            )
        if getattr(self, "_words", None):
            with open_source(X, text=self._words) as source:
                return _as_pandas(source.select([source.names.index(name) for name in self._chosen()]).table())
        if is_anndata(X):
            return X[:, self.selection_.names]
        if library(X) in ENGINES:
            return take_columns(X, np.flatnonzero(self._get_support_mask()).tolist(), self._chosen())
        return super().transform(_as_pandas(X))

    def _chosen(self) -> list[str]:
        """The names of the chosen columns, in the order of the table."""
        names = self.selection_.feature_names
        return [names[j] for j in np.flatnonzero(self._get_support_mask())]

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
        coded = method is None or kind_of(method.statistics).coded
        tags.input_tags.allow_nan = coded and self.missing == "level"
        tags.input_tags.sparse = True
        tags.input_tags.string = coded
        tags.input_tags.categorical = coded
        return tags


def _as_pandas(X: Any) -> Any:
    """X, or a frame of pandas where columns of any type would become one array, or a name is repeated."""
    import pandas as pd

    if library(X) == "pyarrow" and hasattr(X, "to_pandas"):
        return X.to_pandas()
    if library(X) == "polars":
        X = X.collect() if hasattr(X, "collect") else X
        return pd.DataFrame({name: X[name].to_numpy() for name in X.columns})
    if isinstance(X, Table):
        return pd.DataFrame({name: X.column(j) for j, name in enumerate(X.names)})
    if library(X) == "pandas" and not X.columns.is_unique:
        return X.set_axis(distinct_names([str(label) for label in X.columns])[0], axis=1)
    return pd.DataFrame(X) if isinstance(X, Mapping) else X


def _features(X: Any, others: tuple[Any, ...], names: Sequence[str]) -> Any:
    """What scikit-learn may check the names of: X, or a frame without rows where it cannot, or X has target or weights.

    ``others`` are target and weights, or the names of their columns.
    """
    named = {str(other) for other in others if other is not None and np.isscalar(other)}
    pandas = library(X) == "pandas"
    twice = pandas and not X.columns.is_unique
    if not named and not twice and not isinstance(X, (Mapping, Table)) and not is_anndata(X):
        return X
    import pandas as pd

    labels = names if twice or not pandas else X.columns
    return pd.DataFrame(columns=[label for label in labels if str(label) not in named])


def _joined(options: Any, more: Mapping[str, Any]) -> Any:
    """Options given as a dict and by name, in one dict; what is no dict is left for `fit` to refuse."""
    return {**(options or {}), **more} if more and (options is None or isinstance(options, Mapping)) else options
