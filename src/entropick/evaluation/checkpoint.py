"""Finished trials in a folder, so that an interrupted comparison goes on where it was.

A trial's file is named by a digest of all that the trial depends on: the data, the rows, the method and its options,
the numbers of features, the estimators, the seed and the version. Other data or settings have other names, so they
can share a folder and are never mistaken for each other.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from pickle import PicklingError
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, InvalidParameter
from ..version import __version__
from .health import value_bytes

if TYPE_CHECKING:
    from .trials import Design, Trial

FORMAT = 1  # of a trial's file


class Checkpoint:
    """The folder of a design's finished trials."""

    def __init__(self, folder: str | os.PathLike[str], design: Design) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise InvalidParameter(f"resume: must be the name of a folder, got {folder!r}")
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InvalidParameter(f"resume: must be a folder, got the file {str(folder)!r}")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._design = design
        self._common = _common(design)

    def load(self, label: str, number: int) -> Trial | None:
        """The finished trial, or None."""
        from .trials import Run, Score, Trial

        path = self._path(label, number)
        if not path.exists():
            return None
        try:
            fields = json.loads(path.read_text("utf-8"))
            fields["runs"] = tuple(Run(one["k"], tuple(one["columns"])) for one in fields["runs"])
            fields["scores"] = tuple(Score(**one) for one in fields["scores"])
            return Trial(**fields)
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInput(f"resume: {path.name} is no finished trial ({error}); delete it") from error

    def save(self, trial: Trial) -> None:
        """Write the trial under a temporary name, then rename it. Failures are not kept: they are tried again."""
        if trial.failure:
            return
        handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(trial), file)
            os.replace(temporary, self._path(trial.method, trial.resample))
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, label: str, number: int) -> Path:
        rows = self._design.resamples[number]
        digest = blake2b(self._common, digest_size=16)
        digest.update(_content(self._design.requests[label]).encode())
        digest.update(f"{label}\0{number}\0".encode())
        digest.update(rows.train.tobytes() + b"|" + rows.test.tobytes())
        return self._folder / f"{digest.hexdigest()}.json"


def _common(design: Design) -> bytes:
    """A digest of what all trials of the design share."""
    digest = blake2b(digest_size=32)
    table = design.given.table
    settings = [FORMAT, __version__, design.ks, design.seed, design.given.target.task, table.names]
    digest.update(json.dumps(settings).encode())
    digest.update(_content(design.estimators).encode())
    digest.update(value_bytes(design.given.y))
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
            f"resume: cannot tell settings apart by their content ({error}); use named functions, not lambdas"
        ) from error
