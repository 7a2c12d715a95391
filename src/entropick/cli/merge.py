"""`entropick merge`: the statistics of several parties as one, without any rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InvalidParameter
from .flags import Debug, Quiet
from .group import emit


def merge(
    files: Annotated[
        list[Path], typer.Argument(help="Files written by `select --save-statistics`.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The merged file.", show_default=False)],
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Merge statistics that were saved with the same coding (select --save-statistics --coding)."""
    from ..statistics.saved import merge_files

    if not output.parent.is_dir():
        raise InvalidParameter(f"--output: must be in an existing folder, got {str(output)!r}")
    merged = merge_files(files, output)
    if not quiet:
        emit(f"{output}: {merged.n_rows} rows, {len(merged.names)} features, target {merged.target!r}")
