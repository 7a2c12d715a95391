"""How codes are stored: which features lie side by side, and in what form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.histogram import WIDTH
from ...kernels.slices import LANES, MAX_SLICES, pack
from ...threads import parallel, thread_count

Columns = Callable[[int, int], NDArray[Any]]
CHUNK = 512  # columns coded at a time on the way in, more of them
CHUNK_ENTRIES = 1 << 20  # as long as they have no more entries
FAR = 3  # rows between two of a class, from which it is faster to jump in what is written than in what is read
WORTH_A_THREAD = 1 << 19  # entries from which a second thread helps to lay them out
SHARED_BYTES = (
    64 << 20
)  # of blocks in one piece of memory; more are held apart, so that merging lets them go one by one


@dataclass(frozen=True)
class Place:
    """Where features are stored: ``features[k]``, ascending, is column k of the block. Wide blocks have no slices."""

    features: NDArray[np.intp]
    n_slices: int
    levels: int  # of the largest feature

    @property
    def wide(self) -> bool:
        return self.n_slices == 0

    @property
    def units(self) -> int:
        """Pieces of LANES candidates that the kernel works on."""
        return 1 if self.wide else -(-self.features.size // LANES)


@dataclass
class Segment:
    """Rows that came in together. Sliced blocks end with the row of zeros that pads groups."""

    blocks: list[NDArray[Any]]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64] | None


def places_for(levels: NDArray[np.int64], weighted: bool) -> list[Place]:
    """Features by the number of slices they need, in blocks; all wide where rows are weighted."""
    bits = np.maximum(1, np.ceil(np.log2(np.maximum(levels, 2))).astype(int))
    places = []
    for n_slices in range(1, MAX_SLICES + 1):
        own = np.flatnonzero(bits == n_slices) if not weighted else np.empty(0, np.intp)
        # a row of one slice fills a cache line only with two pieces side by side
        size = 2 * LANES if n_slices == 1 else LANES
        for start in range(0, own.size, size):
            some = own[start : start + size]
            places.append(Place(some, n_slices, max(2, int(levels[some].max()))))
    own = np.flatnonzero(bits > MAX_SLICES) if not weighted else np.arange(levels.size)
    own = own[np.argsort(levels[own], kind="stable")]  # features of like size share a histogram's width
    for start in range(0, own.size, WIDTH):
        some = np.sort(own[start : start + WIDTH])
        places.append(Place(some, 0, int(levels[some].max())))
    return places


def threads_for(entries: int, n_jobs: int | None) -> int:
    """Those that lay out so many entries."""
    return thread_count(n_jobs) if entries >= WORTH_A_THREAD else 1


def aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Zeros that start on a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    out: NDArray[Any] = raw[start : start + size].view(dtype).reshape(shape)
    return out


def pack_rows(
    levels: NDArray[np.int64], columns: Columns, rows: NDArray[np.intp], places: list[Place], threads: int = 1
) -> list[Any]:
    """The blocks of these rows, in this order; columns are coded a chunk at a time."""
    blocks = _empty_blocks(places, rows.size)
    block_of, column_of = locate(places, levels.size)
    to = np.arange(rows.size)
    if rows.size > FAR and np.median(np.diff(rows)) > FAR:  # many classes: read memory as it lies
        to = np.argsort(rows, kind="stable")
        rows = rows[to]
    moves = rows, to
    step = max(CHUNK, CHUNK_ENTRIES // max(1, rows.size) // CHUNK * CHUNK)
    for start in range(0, levels.size, step):
        stop = min(start + step, levels.size)
        here, into, chunk = block_of[start:stop], column_of[start:stop], columns(start, stop)

        def pack_block(
            number: int, here: NDArray[Any] = here, into: NDArray[Any] = into, chunk: NDArray[Any] = chunk
        ) -> None:
            own = np.flatnonzero(here == number)
            if places[number].wide:
                blocks[number][into[own][:, None], to] = chunk[:, own].T[:, rows]
            else:
                _pack_columns(chunk, own, into[own], moves, blocks[number])

        parallel(pack_block, np.unique(here).tolist(), threads)
    return blocks


def _empty_blocks(places: list[Place], n_rows: int) -> list[NDArray[Any]]:
    """Zeros for every block. Small ones share one piece of memory, which the system then gives in large pages."""
    shapes = [(n_rows + 1, place.n_slices, place.units * LANES // 32) for place in places if not place.wide]
    sizes = [int(np.prod(shape)) for shape in shapes]
    sizes = [-(-size // 16) * 16 for size in sizes]  # each on a cache line
    together = 4 * sum(sizes) <= SHARED_BYTES
    shared = aligned((sum(sizes),), np.uint32) if together else np.empty(0, np.uint32)
    blocks: list[NDArray[Any]] = []
    sliced, start = iter(zip(shapes, sizes, strict=True)), 0
    for place in places:
        if place.wide:
            blocks.append(np.zeros((place.features.size, n_rows), np.uint16))
            continue
        shape, size = next(sliced)
        if together:
            blocks.append(shared[start : start + int(np.prod(shape))].reshape(shape))
            start += size
        else:
            blocks.append(aligned(shape, np.uint32))
    return blocks


def locate(places: list[Place], n_features: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(n_features,) the block of each feature and its column there."""
    block_of, column_of = np.empty(n_features, np.intp), np.empty(n_features, np.intp)
    for number, place in enumerate(places):
        block_of[place.features] = number
        column_of[place.features] = np.arange(place.features.size)
    return block_of, column_of


def _pack_columns(
    chunk: NDArray[Any],
    own: NDArray[np.intp],
    into: NDArray[np.intp],
    moves: tuple[NDArray[np.intp], NDArray[np.intp]],
    block: NDArray[Any],
) -> None:
    """Columns ``own`` of a chunk of codes into the lanes ``into`` of a block, whole words of 32 lanes at a time.

    ``moves`` are rows of the chunk, ascending, and where they go.
    """
    start = 0
    while start < own.size:
        lane = into[start]
        lead = int(lane % 32)
        stop = own.size if lead == 0 else min(own.size, start + 32 - lead)
        some = own[start:stop]
        together = some[-1] - some[0] == some.size - 1
        part = chunk[:, some[0] : some[-1] + 1] if together else chunk[:, some]
        if lead or not (part.dtype == np.uint8 and part.strides[1] == 1):
            shifted = np.zeros((chunk.shape[0], lead + some.size), np.uint8)
            shifted[:, lead:] = part
            part = shifted
        if lead:
            fresh = np.zeros_like(block[:, :, :1])
            pack(part, *moves, fresh, 0, block.shape[1])
            block[:, :, lane // 32] |= fresh[:, :, 0]
        else:
            pack(part, *moves, block, int(lane), block.shape[1])
        start = stop
