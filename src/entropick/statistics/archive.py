"""Statistics as files: a .npz of plain arrays, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..files import whole_file


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write arrays; an error or interrupt leaves nothing half-written."""
    with whole_file(Path(path)) as file:
        np.savez(file, **arrays)
