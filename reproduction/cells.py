"""Finished cells on disk: a table that was interrupted goes on where it stopped.

A cell is one file, FOLDER/TABLE/DIGEST.json, where the digest is of the table's name, the version of its protocol and
the settings that decide the numbers. It appears whole or not at all, so several processes may fill one folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from entropick.files import write_whole

VARIABLE = "ENTROPICK_CACHE"


@dataclass(frozen=True)
class Cell:
    """What one cell gave: its numbers, the seconds they took, and the version of entropick that made them."""

    numbers: dict[str, Any]
    seconds: float
    version: str


class Cells:
    """The cells of all tables, kept below one folder (made when the first cell is)."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = default_folder() if folder is None else Path(folder)

    def path(self, table: str, protocol: int, settings: Mapping[str, Any]) -> Path:
        """Where the cell is or would be."""
        text = json.dumps([table, protocol, settings], sort_keys=True, ensure_ascii=False)
        return self.folder / table / f"{hashlib.sha256(text.encode()).hexdigest()[:20]}.json"

    def get(self, table: str, protocol: int, settings: Mapping[str, Any]) -> Cell | None:
        """The cell, or None where there is none that can be read."""
        try:
            kept = json.loads(self.path(table, protocol, settings).read_text("utf-8"))
            return Cell(kept["numbers"], kept["seconds"], kept["version"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def put(self, table: str, protocol: int, settings: Mapping[str, Any], cell: Cell) -> None:
        """Keep a cell; whoever reads meanwhile sees the old file or the new one."""
        path = self.path(table, protocol, settings)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"settings": settings, "protocol": protocol, **asdict(cell)}, ensure_ascii=False)
        write_whole(path, text)


def default_folder() -> Path:
    """ENTROPICK_CACHE, else ``entropick`` among the user's caches."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "entropick"
