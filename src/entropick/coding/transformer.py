"""A user's own scikit-learn discretiser in place of ours."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput, InvalidParameter
from ..sources import Table
from .learn import Cutter, Learned, learn
from .rules import Bins, Levels, Rule, Single, Transformed

Array = NDArray[Any]


class Transformer:
    """A clone of the user's transformer, fitted on all columns of numbers together.

    It must give one column of whole numbers for each column. ``KBinsDiscretizer`` is read out into edges once
    fitted, so that it is applied as fast as our own rules; others are asked again for every block.
    """

    def __init__(self, given: Any) -> None:
        from sklearn.base import clone

        if not hasattr(given, "get_params"):
            raise InvalidParameter(f"discretizer: must be a scikit-learn transformer, got {given!r}")
        self._fitted = clone(given)
        self._name = type(given).__name__

    def fit(
        self, table: Table, target: Array | None, weights: Array | None, total: float, threads: int
    ) -> list[Learned]:
        """One `Learned` a column; categories are levels as they are."""
        numbers = [j for j in range(table.n_columns) if table.kind(j) != "category"]
        texts = [j for j in range(table.n_columns) if table.kind(j) == "category"]
        self._columns, self._known = tuple(numbers), True
        out: list[Learned | None] = [None] * table.n_columns
        if texts:
            kept = learn(table.select(texts), Cutter("quantile", 2, None, None), total, threads)
            for j, one in zip(texts, kept, strict=True):
                out[j] = one
        if numbers:
            values = self._dense(table)
            options = {}
            if weights is not None:
                if "sample_weight" not in signature(self._fitted.fit).parameters:
                    raise InvalidParameter(f"discretizer: {self._name} does not support sample_weight")
                options["sample_weight"] = weights
            try:
                self._fitted.fit(values, target, **options)
            except (ValueError, TypeError) as error:
                raise InvalidInput(f"discretizer: {self._name} rejected X: {_line(error)}") from error
            edges = self._read_out()
            self._known = edges is not None
            found = self._asked(values) if edges is None else edges
            for j, one in zip(numbers, found, strict=True):
                out[j] = one
        return out  # type: ignore[return-value]

    @property
    def asked(self) -> bool:
        """Whether the transformer must be asked again for every block."""
        return not self._known

    def _dense(self, table: Table) -> Array:
        """(n_rows, number of number columns) float64."""
        columns = self._columns
        if len(columns) == table.n_columns:
            return table.dense(0, table.n_columns)
        return table.select(list(columns)).dense(0, len(columns))

    def _read_out(self) -> list[Learned] | None:
        """Rules from the edges of a KBinsDiscretizer: its bins hold their lower edge, ours their upper."""
        from sklearn.preprocessing import KBinsDiscretizer

        if type(self._fitted) is not KBinsDiscretizer or self._fitted.encode != "ordinal":
            return None
        found = []
        for edges in self._fitted.bin_edges_:
            inner = np.unique(np.nextafter(edges[1:-1], -np.inf))
            rule = Bins(inner, -1, f"{len(inner) + 1} bins of {self._name}")
            found.append(Learned(rule) if len(inner) else Learned(Single("constant"), 0, "constant"))
        return found

    def _asked(self, values: Array) -> list[Learned]:
        codes = self._transform(values)
        found = []
        for at in range(codes.shape[1]):
            distinct = np.unique(codes[:, at])
            if len(distinct) == 1:
                found.append(Learned(Single("constant"), 0, "constant"))
            else:
                text = f"{len(distinct)} levels of {self._name}"
                found.append(Learned(Transformed(Levels(distinct), at, text)))
        return found

    def _transform(self, values: Array) -> Array:
        """(n, k) int64 codes."""
        try:
            codes = self._fitted.transform(values)
        except (ValueError, TypeError) as error:
            raise InvalidInput(f"discretizer: {self._name} rejected X: {_line(error)}") from error
        codes = codes.toarray() if hasattr(codes, "toarray") else np.asarray(codes)
        if codes.shape != values.shape:
            raise InvalidParameter(
                f"discretizer: {self._name} must return one column per column ({values.shape[1]}), got shape"
                f" {codes.shape}; with KBinsDiscretizer pass encode='ordinal'"
            )
        if codes.dtype.kind not in "biuf" or not (codes == np.rint(codes)).all():
            raise InvalidParameter(f"discretizer: {self._name} must return integers (ordinal codes)")
        return codes.astype(np.int64)

    def encode(
        self, table: Table, start: int, rules: Sequence[Rule], names: Sequence[str], rows: Array, out: Array
    ) -> None:
        """Fill out[j] for every rule that is `Transformed`."""
        from .encode import encode_numbers

        codes = self._transform(self._dense(table))
        for j, rule in enumerate(rules):
            if isinstance(rule, Transformed):
                one = slice(j, j + 1)
                column = codes[:, rule.at : rule.at + 1]
                encode_numbers(column, [rule.after], names[one], rows, out[one], 1)


def _line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
