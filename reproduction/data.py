"""Data sets by name: a local .npz file, else OpenML through scikit-learn, else a clear word that it is missing."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from entropick.datasets.loaders import find
from entropick.datasets.problem import Problem
from entropick.errors import InvalidInput, InvalidParameter


class MissingDataSet(InvalidInput):
    """A data set is neither here nor to be had; the table goes on without it."""


@dataclass(frozen=True)
class OpenML:
    """Where OpenML keeps a set: its number there, and the features that must arrive."""

    number: int
    features: int


# sets that OpenML holds in the form of the papers: no row identifiers, no other selection of columns
OPENML = {
    "abalone": OpenML(183, 8),
    "arrhythmia": OpenML(5, 279),
    "gisette": OpenML(41026, 5000),
    "ionosphere": OpenML(59, 34),
    "isolet": OpenML(300, 617),
    "krvskp": OpenML(3, 36),
    "madelon": OpenML(1485, 500),
    "optdigits": OpenML(28, 64),
    "satimage": OpenML(182, 36),
    "segment": OpenML(36, 19),
    "sonar": OpenML(40, 60),
    "spambase": OpenML(44, 57),
    "splice": OpenML(46, 60),
    "vehicle": OpenML(54, 18),
    "waveform40": OpenML(60, 40),
    "wine": OpenML(187, 13),
}


def obtain(name: str, data_dir: str | os.PathLike[str] | None = None) -> Problem:
    """The data set ``name``: NAME.npz in ``data_dir`` or ENTROPICK_DATA, else from OpenML, kept by scikit-learn.

    Raises `MissingDataSet`, with what was tried, where neither has it.
    """
    return _obtained(name, None if data_dir is None else os.fspath(data_dir))


@lru_cache(maxsize=2)  # the cells of one set follow each other
def _obtained(name: str, data_dir: str | None) -> Problem:
    try:
        return find(name, data_dir)
    except (InvalidInput, InvalidParameter) as error:
        here = "no folder of data sets" if isinstance(error, InvalidParameter) else f"no {name}.npz in the data folder"
    if name not in OPENML:
        raise MissingDataSet(f"{name}: {here}, and not on OpenML in this form")
    return _fetched(name, here)


def _fetched(name: str, here: str) -> Problem:
    from sklearn.datasets import fetch_openml

    entry = OPENML[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it tries again
        try:
            bunch = fetch_openml(data_id=entry.number, as_frame=True, parser="auto", n_retries=1, delay=0.1)
        except (OSError, ValueError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise MissingDataSet(f"{name}: {here}, and OpenML {entry.number} cannot be had ({said})") from error
    columns = [_numbers(bunch.data[column]) for column in bunch.data.columns]
    if len(columns) != entry.features:
        raise MissingDataSet(
            f"{name}: {here}, and OpenML {entry.number} has {len(columns)} features, not {entry.features}"
        )
    X, y = np.column_stack(columns), np.asarray(bunch.target)
    task = "regression" if y.dtype.kind == "f" else "classification"
    return Problem(X, y, (), tuple(map(str, bunch.data.columns)), f"{name}, OpenML {entry.number}", task)


def _numbers(column: object) -> NDArray[np.float64]:
    """A column as floats: categories by their place among the categories, missing as NaN."""
    import pandas as pd

    series = pd.Series(column)
    if pd.api.types.is_numeric_dtype(series):
        return series.to_numpy(np.float64, na_value=np.nan)
    codes = series.astype("category").cat.codes.to_numpy(np.float64)
    return np.where(codes < 0, np.nan, codes)
