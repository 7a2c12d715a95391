"""Finished trials in a folder, so that an interrupted comparison goes on where it was.

A trial's file is named by a digest of all that the trial depends on: the data, the rows, the method and its options,
the numbers of features, the estimators, the seed and the version. Other data or settings have other names, so they
can share a folder and are never mistaken for each other.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from pickle import PicklingError
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, InvalidParameter
from ..files import whole_file
from ..version import __version__
from .health import value_bytes

if TYPE_CHECKING:
    from .trials import Design, Trial

FORMAT = 4  # of a trial's file


class Checkpoint:
    """The folder of a design's finished trials."""

    def __init__(self, folder: str | os.PathLike[str], design: Design) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise InvalidParameter(f"resume: must be the name of a folder, got {folder!r}")
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InvalidParameter(f"resume: must be a folder, got the file {str(folder)!r}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(f"resume: cannot make the folder {str(folder)!r} ({error.strerror})") from error
        if not os.access(self._folder, os.W_OK | os.X_OK):  # said now rather than after the first trial
            raise InvalidInput(f"resume: must be a folder that can be written to, got {str(folder)!r}")
        self._design = design
        self._common = _common(design)

    def load(self, label: str, number: int) -> Trial | None:
        """The finished trial, or None."""
        from .trials import Picks, Score, Trial

        path = self._path(label, number)
        if not path.exists():
            return None
        try:
            kept = json.loads(path.read_text("utf-8"))
            if kept["digest"] != _digest(kept["trial"]):
                raise ValueError("it was changed after it was written")
            fields = kept["trial"]
            fields["runs"] = tuple(Picks(one["k"], tuple(one["columns"])) for one in fields["runs"])
            fields["scores"] = tuple(Score(**{**one, "others": tuple(one["others"])}) for one in fields["scores"])
            trial = Trial(**fields)
            if (trial.method, trial.resample) != (label, number):
                raise ValueError("it belongs to another trial")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InvalidInput(f"resume: {str(path)!r} is not a finished trial ({error}); delete it") from error
        return trial

    def save(self, trial: Trial) -> None:
        """Write the trial, whole or not at all, with a digest of it. Failures are not kept: they are tried again."""
        if trial.failure:
            return
        fields = asdict(trial)
        with whole_file(self._path(trial.method, trial.resample), "w", encoding="utf-8") as file:
            json.dump({"digest": _digest(fields), "trial": fields}, file)

    def _path(self, label: str, number: int) -> Path:
        rows = self._design.resamples[number]
        digest = blake2b(self._common, digest_size=16)
        digest.update(_content(self._design.requests[label]).encode())
        digest.update(f"{label}\0{number}\0".encode())
        digest.update(rows.train.tobytes() + b"|" + rows.test.tobytes())
        return self._folder / f"{digest.hexdigest()}.json"


def _digest(fields: Any) -> str:
    """Of a trial's fields, the same before they are written and after they are read."""
    return blake2b(json.dumps(fields, sort_keys=True).encode(), digest_size=16).hexdigest()


def _common(design: Design) -> bytes:
    """A digest of what all trials of the design share."""
    digest = blake2b(digest_size=32)
    table = design.given.table
    settings = [FORMAT, __version__, design.ks, design.seed, design.given.target.task, table.names]
    digest.update(json.dumps(settings).encode())
    digest.update(_content(design.estimators).encode())
    digest.update(_content((design.scoring.names, design.scoring.scorers, design.weights, design.limits)).encode())
    y = design.given.y
    for part in [y] if y.dtype.names is None else [y[name] for name in y.dtype.names]:
        digest.update(value_bytes(part))
    for j in range(table.n_columns):
        digest.update(table.kind(j).encode() + value_bytes(table.column(j)))
    return digest.digest()


def _content(thing: Any) -> str:
    """A digest of estimators or settings by what they hold."""
    from joblib import hash as content

    try:
        return str(content(thing))
    except (PicklingError, AttributeError, TypeError) as error:
        raise InvalidParameter(
            f"resume: cannot identify settings by their content ({error}); use named functions, not lambdas"
        ) from error
