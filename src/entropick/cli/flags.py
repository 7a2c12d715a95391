"""What several commands have in common."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

RUN = "Running"


class Output(StrEnum):
    """Forms of a result on the standard output."""

    table = "table"
    json = "json"
    csv = "csv"


Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=RUN)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no remarks.", rich_help_panel=RUN)]
