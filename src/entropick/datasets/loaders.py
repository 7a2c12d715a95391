"""Real data: a table that scikit-learn brings along, and ``.npz`` files found by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidInput, InvalidParameter, closest
from ..files import UNREADABLE
from .problem import Problem

if TYPE_CHECKING:
    import pandas as pd

VARIABLE = "ENTROPICK_DATA"
LISTED = 40  # names in an error message; more is not read


def load_demo() -> tuple[pd.DataFrame, pd.Series]:
    """Breast cancer Wisconsin: 569 rows, 30 measurements of cell nuclei, ``diagnosis`` as the target.

    It comes with scikit-learn, so nothing is downloaded.

    >>> import entropick as ep
    >>> X, y = ep.datasets.load_demo()
    >>> X.shape, y.name
    ((569, 30), 'diagnosis')
    """
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer(as_frame=True)
    diagnosis = data.target.map(dict(enumerate(map(str, data.target_names))))
    return data.data, diagnosis.rename("diagnosis")


def find(name: str, data_dir: str | os.PathLike[str] | None = None) -> Problem:
    """The data set ``name``: NAME.npz in ``data_dir``, or in the folder that ENTROPICK_DATA names.

    The file holds ``X`` (rows × features) and ``y``, and may hold ``feature_names``; any other array is kept
    in ``extra``. A floating-point ``y`` makes it a regression. Nothing in the file is ever unpickled.
    """
    folder = _folder(data_dir)
    there = sorted(path.stem for path in folder.glob("*.npz"))
    if name not in there:
        more = f" and {len(there) - LISTED} more" if len(there) > LISTED else ""
        listed = ", ".join(there[:LISTED]) + more if there else "no .npz file"
        raise InvalidInput(f"name: no data set {name!r}.{closest(name, there)} In {folder}: {listed}")
    try:
        with np.load(folder / f"{name}.npz", allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except UNREADABLE as error:
        raise InvalidInput(f"name: {name}.npz cannot be read ({error}); write it with numpy.savez") from error
    for key in ("X", "y"):
        if key not in arrays:
            raise InvalidInput(f"name: {name}.npz must hold arrays X and y, got {', '.join(arrays) or 'none'}")
    X, y = arrays.pop("X"), arrays.pop("y")
    if X.ndim != 2 or y.shape != X.shape[:1]:
        raise InvalidInput(f"name: {name}.npz must hold X (rows × features) and y (rows), got {X.shape} and {y.shape}")
    names = arrays.pop("feature_names", np.array([f"x{i}" for i in range(X.shape[1])]))
    if names.shape != X.shape[1:]:
        raise InvalidInput(f"name: {name}.npz has {X.shape[1]} features and {names.size} feature_names")
    task = "regression" if y.dtype.kind == "f" else "classification"
    return Problem(X, y, (), tuple(map(str, names)), f"{name}, from {name}.npz", task, arrays)


def _folder(data_dir: str | os.PathLike[str] | None) -> Path:
    given = data_dir if data_dir is not None else os.environ.get(VARIABLE)
    if not given:
        raise InvalidParameter(f"data_dir: must name a folder of .npz files; give it, or set {VARIABLE}")
    folder = Path(given)
    if not folder.is_dir():
        source = "data_dir" if data_dir is not None else VARIABLE
        raise InvalidParameter(f"{source}: must name an existing folder, got {str(folder)!r}")
    return folder
