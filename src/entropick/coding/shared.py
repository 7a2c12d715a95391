"""Shared: one value a column, of which few differ. A million columns need not be a million objects."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
S = TypeVar("S")


class Made(Sequence[T], Generic[T]):
    """A sequence whose entries are made when they are asked for, one by one (`_one`)."""

    @abstractmethod
    def _one(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        return [self._one(i) for i in range(len(self))[at]] if isinstance(at, slice) else self._one(at)


class Shared(Made[T]):
    """A sequence as the different values it has, ``known``, and which of them is where, ``which`` (n,)."""

    def __init__(self, known: Sequence[T], which: NDArray[np.int32]) -> None:
        self.known = tuple(known)
        self.which = which

    @classmethod
    def of(cls, values: Iterable[T]) -> Shared[T]:
        """Of any sequence; values are the same where they are one object."""
        if isinstance(values, Shared):
            return values
        values = list(values)  # held, so that no two have had the same place in memory
        own = list(map(id, values))
        known = dict(zip(own, values, strict=True))
        place = dict(zip(known, range(len(known)), strict=True))
        return cls(list(known.values()), np.fromiter(map(place.__getitem__, own), np.int32, len(own)))

    def __len__(self) -> int:
        return len(self.which)

    def _one(self, at: int) -> T:
        own: T = self.known[self.which[at]]
        return own

    def __iter__(self) -> Iterator[T]:
        return map(self.known.__getitem__, self.which.tolist())

    def part(self, start: int, stop: int) -> Shared[T]:
        """The values from start to stop."""
        if len(self.known) == 1 or stop - start == len(self):
            return Shared(self.known, self.which[start:stop])
        seen, which = np.unique(self.which[start:stop], return_inverse=True)
        return Shared([self.known[i] for i in seen], which.astype(np.int32))

    def map(self, function: Callable[[T], S]) -> Shared[S]:
        """What the function makes of each: it is called once for every different value."""
        return Shared([function(value) for value in self.known], self.which)

    def array(self, function: Callable[[T], Any], dtype: Any = np.int64) -> NDArray[Any]:
        """The same as an array (n,)."""
        return np.array([function(value) for value in self.known], dtype)[self.which]
