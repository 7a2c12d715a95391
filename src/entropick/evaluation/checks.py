"""Arguments that several evaluations share, checked at the door."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from ..errors import InvalidParameter

MOST = 10**6  # resamples


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The value, an integer of at least, and at most, so much."""
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        raise InvalidParameter(f"{name}: must be an integer of at least {least}, got {value!r}")
    if most is not None and int(value) > most:
        raise InvalidParameter(f"{name}: must be an integer of at most {most}, got {value!r}")
    return int(value)


def several(name: str, given: Any) -> list[Any]:
    """One number, or those of a list; at least one."""
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, type)) else [given]
    if not found:
        raise InvalidParameter(f"{name}: needs at least one number, got none")
    return found


def size(k: Any, n_features: int) -> int:
    """One number of features."""
    if not 1 <= whole("k", k, 1) <= n_features:
        raise InvalidParameter(f"k: must be from 1 to {n_features}, the number of features, got {k}")
    return int(k)


def sizes(k: Any, n_features: int) -> tuple[int, ...]:
    """Numbers of features, ascending, each once."""
    return tuple(sorted({size(one, n_features) for one in several("k", k)}))
