"""From the words of the command line to the values of `entropick.select`."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import Any

from ..errors import InvalidParameter, closest, matching

# keywords of `entropick.select` that have a flag of their own, or no form on the command line
RESERVED = {
    "X", "y", "method", "k", "task", "discretizer", "missing", "sample_weight", "include", "exclude",
    "groups", "search", "alpha", "test", "level", "random_state", "n_jobs", "verbose", "memory", "coding",
    "given", "costs", "budget", "k_min", "class_weight", "per_class", "layer", "text",
}  # fmt: skip


LONGEST = 40  # characters of a number


def number_of_features(text: str) -> int | float | str | None:
    """``20`` a number, ``0.1`` a fraction, ``all`` a complete ranking (None), ``auto`` the stopping rule.

    >>> [number_of_features(text) for text in ("20", "0.1", "all", "auto")]
    [20, 0.1, None, 'auto']
    """
    word = text.strip().lower()
    if word in ("all", "auto"):
        return None if word == "all" else "auto"
    check_length("-k", word)
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    raise InvalidParameter(f"-k: must be a number, a fraction, 'all' or 'auto', got {text!r}")


def discretizer(text: str) -> str | int | None:
    """``none`` for columns that are coded already, a number for that many quantile bins, else a name.

    >>> discretizer("8"), discretizer("none"), discretizer("mdl")
    (8, None, 'mdl')
    """
    word = text.strip().lower()
    if word == "none":
        return None
    check_length("--discretizer", word)
    return int(word) if word.lstrip("-").isdecimal() else word


def check_length(flag: str, word: str) -> None:
    """No number that means anything is as long; Python itself refuses to read thousands of digits."""
    if len(word) > LONGEST:
        raise InvalidParameter(f"{flag}: must be at most {LONGEST} characters long, got {len(word)} ({word[:12]}…)")


def option_values(pairs: Sequence[str]) -> dict[str, Any]:
    """``name=value`` words as keywords; a value is a number, true, false or null where it reads as one.

    >>> option_values(["beta=0.5", "estimator=miller-madow"])
    {'beta': 0.5, 'estimator': 'miller-madow'}
    """
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name.isidentifier():
            raise InvalidParameter(f"--option: must be name=value, got {pair!r}")
        if name in RESERVED:
            raise InvalidParameter(
                f"--option: {name} is not a method option but one of `entropick select`; see entropick select --help"
            )
        if name in values:
            raise InvalidParameter(f"--option: {name} is given twice")
        values[name] = _value(text.strip())
    return values


def _value(text: str) -> Any:
    for kind in (json.loads, float):  # float for .5, which JSON does not know
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def column_names(texts: Sequence[str], columns: Sequence[str], flag: str) -> list[str]:
    """Column names from ``a,b`` words; a name with a comma is given alone or quoted as in CSV.

    ``MT-*`` stands for all names that match.

    >>> column_names(["a,b", "x,y"], ["a", "b", "x,y"], "--drop")
    ['a', 'b', 'x,y']
    """
    known = set(columns)
    names: list[str] = []
    for text in texts:
        if text in known:
            names.append(text)
            continue
        try:
            parts = next(csv.reader([text], skipinitialspace=True), [])
        except csv.Error:  # a line break outside quotes
            parts = [text]
        for part in parts:
            name = part if part in known else part.strip()
            found = [name] if name in known else matching(name, columns)
            if not found:
                raise InvalidParameter(f"{flag}: no column {name!r} in the file.{closest(name, columns)}")
            names += found
    return list(dict.fromkeys(names))


def words(texts: Sequence[str]) -> list[str]:
    """The words of ``a,b`` texts, and the texts themselves, which may be names with commas."""
    return [word for text in texts for word in dict.fromkeys([text, *(part.strip() for part in text.split(","))])]


def costs(words: Sequence[str] | None) -> dict[str, float] | None:
    """``{"age": 2.0}`` from ``age=2`` words; the name may have an equals sign."""
    return _numbers(words, "--costs", "a column and a number, as in age=2") if words else None


def _numbers(words: Sequence[str], flag: str, rule: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for word in words:
        name, sign, number = word.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            sign = ""
        if not sign:
            raise InvalidParameter(f"{flag}: must be {rule}, got {word!r}")
    return found


def class_weight(words: Sequence[str] | None) -> Any:
    """``"balanced"``, or ``{"rare": 10.0}`` from ``rare=10`` words."""
    if not words or list(words) == ["balanced"]:
        return words[0] if words else None
    return _numbers(words, "--class-weight", "'balanced', or a class and a number, as in rare=10")
