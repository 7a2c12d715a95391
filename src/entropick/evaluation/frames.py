"""Tidy frames with fixed columns and types, to JSON and back without a difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

Schema = Mapping[str, str]  # column -> dtype


def from_columns(schema: Schema, columns: Mapping[str, Any]) -> pd.DataFrame:
    """The frame of these columns, in the order and with the types of the schema; None is NaN among floats."""
    import pandas as pd

    made = {name: pd.Series(list(columns[name]), dtype=dtype) for name, dtype in schema.items()}
    if len({len(column) for column in made.values()}) > 1:  # which pandas would fill with NaN
        raise ValueError(f"its columns {', '.join(made)} are not of one length")
    return pd.DataFrame(made)


def from_records(schema: Schema, records: list[tuple[Any, ...]]) -> pd.DataFrame:
    """The frame of these rows, each a tuple in the order of the schema."""
    columns = zip(*records, strict=True) if records else [()] * len(schema)
    return from_columns(schema, dict(zip(schema, columns, strict=True)))


def to_columns(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Columns as lists; NaN as None, which JSON has a word for."""
    return {
        str(name): [None if value != value else value for value in column.tolist()] for name, column in frame.items()
    }


def equal_frames(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """The same columns with the same values; NaN equals NaN."""
    return list(one.columns) == list(other.columns) and to_columns(one) == to_columns(other)
