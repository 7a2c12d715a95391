"""What a column of arbitrary values holds: numbers, yes/no, texts or dates.

Python objects are sorted out by pandas' own inference, in C. What is decided here:

- numbers in object arrays become numbers; integers beyond 64 bits become floats;
- texts, bytes (read as UTF-8) and mixtures of texts and numbers become categories;
- dates become seconds since 1970, durations seconds; a note says so;
- anything else (dicts, lists, ...) is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .table import Array, Column, UnreadableValue, check_finite

NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}
TEXTS = {"string", "bytes", "mixed-integer", "mixed"}
DATES = {"datetime64", "datetime", "date"}
UNITS = {  # seconds
    "W": 604800.0, "D": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9,
}  # fmt: skip
SPANS = {"timedelta64", "timedelta"}


def column_of(values: Any, name: str) -> tuple[Column, bool]:
    """The column of these values, and whether it was read from dates."""
    array, kind, dates = read_values(values, name)
    first = None if kind != "category" else lambda: next((text for text in array if text is not None), None)
    return Column(kind, lambda: array, first), dates


def read_values(values: Any, name: str) -> tuple[Array, str, bool]:
    """(values as `Column` wants them, kind, whether they were dates)."""
    array = masked_objects(values) if np.ma.is_masked(values) else np.asarray(values)
    if array.ndim != 1:
        array = objects(values)
    code = array.dtype.kind
    if code == "b":
        return array, "boolean", False
    if code in "iu":
        return array, "integer", False
    if code == "f":
        with np.errstate(over="ignore"):  # what is too large for 64 bits is told as infinite
            array = array.astype(np.float64) if array.itemsize > 8 else array
        return check_finite(array, name), "numeric", False
    if code in "Mm":
        return seconds(array), "numeric", True
    if code == "c":
        raise InvalidInput(f"X: Complex data not supported (column {name!r})")
    if code == "U":
        return array.astype(object), "category", False
    return read_objects(array.astype(object), name)


def masked_objects(values: Any) -> Array:
    """A masked array as objects, None where masked."""
    out = np.array(values.data, dtype=object)
    out[np.ma.getmaskarray(values)] = None
    return out


def objects(values: Any) -> Array:
    """(n,) the values as they are, even where they have lengths themselves."""
    out = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        out[i] = value
    return out


def read_objects(array: Array, name: str) -> tuple[Array, str, bool]:
    """The same, for an array of Python objects."""
    import pandas as pd

    missing = np.asarray(pd.isna(array), dtype=bool)
    found = pd.api.types.infer_dtype(array, skipna=True)
    if missing.all():
        return np.full(len(array), np.nan), "numeric", False
    if found == "boolean":
        return _with_nan(array, missing, np.bool_), "boolean", False
    if found == "integer":
        try:
            return _with_nan(array, missing, np.int64), "integer", False
        except OverflowError:
            return check_finite(_floats(array, missing), name), "numeric", False
    if found in NUMBERS:
        return check_finite(_floats(array, missing), name), "numeric", False
    if found in DATES or found in SPANS:
        text = array.copy()
        text[missing] = None
        if found in SPANS:
            return seconds(pd.to_timedelta(text).to_numpy()), "numeric", True
        return seconds(_moments(text)), "numeric", True
    if found == "complex":
        raise InvalidInput(f"X: Complex data not supported (column {name!r})")
    if found in TEXTS:
        return _texts(array, missing, name)
    raise _unreadable(array, missing, name)


def _moments(times: Array) -> Array:
    """Dates and times as datetime64, those with a time zone in UTC."""
    import pandas as pd

    try:
        return pd.to_datetime(times, utc=True).tz_localize(None).to_numpy()
    except pd.errors.OutOfBoundsDatetime:  # before pandas 3 it counts in nanoseconds, which end in 2262
        return np.array([_in_utc(one) for one in times], dtype="datetime64[us]")


def _in_utc(time: Any) -> Any:
    zone = getattr(time, "tzinfo", None)
    return time if zone is None else time.astimezone(UTC).replace(tzinfo=None)


def _with_nan(array: Array, missing: Array, dtype: Any) -> Array:
    """The array as dtype, or as float64 with NaN where any is missing."""
    if not missing.any():
        return array.astype(dtype)
    array[~missing].astype(dtype)  # so that integers that do not fit are found in either case
    return _floats(array, missing)


def _floats(array: Array, missing: Array) -> Array:
    out = np.full(len(array), np.nan)
    try:
        out[~missing] = array[~missing].astype(np.float64)
    except OverflowError:  # an integer beyond the largest float
        out[~missing] = [_float(value) for value in array[~missing]]
    return out


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _texts(array: Array, missing: Array, name: str) -> tuple[Array, str, bool]:
    """Texts as they are, numbers and bytes among them as texts; all numbers after all -> numbers."""
    out = array.copy()
    out[missing] = None
    types = {type(value) for value in out}
    if all(_is_number(t) for t in types if t is not type(None)):
        return check_finite(_floats(array, missing), name), "numeric", False  # e.g. booleans among numbers
    if not types <= {str, type(None)}:
        out = objects([_text(value) for value in out])
        if any(value is NotImplemented for value in out):
            raise _unreadable(array, missing, name)
    return out, "category", False


def _is_number(kind: type) -> bool:
    from decimal import Decimal
    from numbers import Real

    return issubclass(kind, (Real, Decimal, np.bool_))


def _text(value: Any) -> Any:
    """The value as a text, or NotImplemented where it has no obvious one."""
    if value is None or type(value) is str:
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value) if isinstance(value, str) or _is_number(type(value)) else NotImplemented


def _unreadable(array: Array, missing: Array, name: str) -> UnreadableValue:
    for row in np.flatnonzero(~missing):
        if not isinstance(array[row], bytes) and _text(array[row]) is NotImplemented:
            break
    kind = type(array[row]).__name__
    return UnreadableValue(
        f"X: every argument must be a string or a number, got a {kind} in column {name!r}, row {row};"
        " convert it to numbers or strings"
    )


def seconds(array: Array) -> Array:
    """(n,) float64 seconds (since 1970 for dates) of a datetime64 or timedelta64 array; NaN for NaT."""
    out = np.full(len(array), np.nan)
    known = ~np.isnat(array)
    unit, step = np.datetime_data(array.dtype)
    if unit in ("Y", "M") and array.dtype.kind == "M":  # of no fixed length
        array, unit, step = array.astype("M8[D]"), "D", 1
    if unit not in UNITS:
        raise UnreadableValue(f"X: every argument must be a string or a number, got durations in {unit!r}")
    out[known] = array[known].astype(np.int64) * (step * UNITS[unit])
    return out


def date_notes(names: Sequence[str], dates: Sequence[bool]) -> tuple[str, ...]:
    """One note for all the columns that were read from dates."""
    found = [name for name, date in zip(names, dates, strict=True) if date]
    if not found:
        return ()
    return (f"dates and durations are read as seconds: {listed(found)}",)


def listed(names: Sequence[str]) -> str:
    """The first names, quoted.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    return ", ".join(map(repr, names[:5])) + (", …" if len(names) > 5 else "")
