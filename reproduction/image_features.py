"""Features of raw images: thresholded projections (Coates & Ng 2011), histograms of gradients (Dalal & Triggs 2005)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PATCH = 6
CONTRAST, WHITENING = 10.0, 0.1  # added to variances, so that flat patches are not blown up
THRESHOLD = 0.25  # of a projection on an atom
ROUNDS = 10  # of matching pursuit
CELL, ANGLES, BLOCK = 8, 9, 2  # pixels a cell, orientations from 0 to 180°, cells a block along each side
CLIP, EPSILON = 0.2, 1e-3


@dataclass(frozen=True)
class Codebook:
    """Atoms (n, patch) of unit length for whitened patches, and the whitening: (patch − mean) @ matrix."""

    mean: Floats
    matrix: Floats
    atoms: Floats

    def encode(self, images: Floats) -> Floats:
        """(n, 4 × 2 × atoms): max(0, ± projection − threshold), summed over each quadrant of the image."""
        return np.concatenate([self._encoded(block) for block in _blocks(images)])

    def _encoded(self, images: Floats) -> Floats:
        found = (patches(images) - self.mean) @ self.matrix @ self.atoms.T
        half = found.shape[1] // 2
        halves = (slice(None, half), slice(half, None))
        quadrants = [sign * found[:, a, b] for a in halves for b in halves for sign in (1, -1)]
        return np.concatenate([np.maximum(part - THRESHOLD, 0).sum(axis=(1, 2)) for part in quadrants], axis=1)


def _blocks(images: Floats) -> Iterator[Floats]:
    """A few images at a time: about 70 000 patches."""
    _, height, width, _ = images.shape
    step = max(1, 70_000 // ((height - PATCH + 1) * (width - PATCH + 1)))
    for start in range(0, len(images), step):
        yield images[start : start + step]


def patches(images: Floats) -> Floats:
    """(n, rows, columns, 6 · 6 · channels): every patch of images (n, height, width, channels), contrast normalised."""
    windows = np.lib.stride_tricks.sliding_window_view(images, (PATCH, PATCH), axis=(1, 2))
    flat = windows.reshape(*windows.shape[:3], -1)
    flat = flat - flat.mean(axis=-1, keepdims=True)
    out: Floats = flat / np.sqrt(flat.var(axis=-1, keepdims=True) + CONTRAST)
    return out


def learn_codebook(images: Floats, atoms: int, sampled: int, seed: int = 0) -> Codebook:
    """Whitening and atoms from ``sampled`` patches, drawn from all images alike."""
    random = np.random.default_rng(seed)
    each = -(-sampled // len(images))
    drawn = []
    for block in _blocks(images):
        flat = patches(block).reshape(len(block), -1, PATCH * PATCH * images.shape[-1])
        places = random.integers(0, flat.shape[1], (len(flat), each))
        drawn.append(np.take_along_axis(flat, places[..., None], axis=1).reshape(-1, flat.shape[-1]))
    sample = np.concatenate(drawn)
    mean = sample.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(sample, rowvar=False))
    matrix = ((vectors / np.sqrt(values + WHITENING)) @ vectors.T).astype(np.float32)
    return Codebook(mean, matrix, _matched((sample - mean) @ matrix, atoms, random))


def _matched(points: Floats, number: int, random: np.random.Generator) -> Floats:
    """Atoms by matching pursuit of one atom a point: each is the sum of the points it fits best, by their projections.

    A point and its opposite have the same atom, and lengths do not count: outliers get no atom of their own, as they
    get a centroid of k-means, whose activation is 0 nearly everywhere. One that no point is nearest to stays.
    """
    atoms = random.standard_normal((number, points.shape[1])).astype(np.float32)
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    for _ in range(ROUNDS):
        sums = np.zeros_like(atoms)
        for part in np.array_split(points, max(1, len(points) // 10_000)):
            fits = part @ atoms.T
            nearest = np.abs(fits).argmax(axis=1)
            np.add.at(sums, nearest, part * np.take_along_axis(fits, nearest[:, None], axis=1))
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        atoms = np.where(lengths > 0, sums / np.maximum(lengths, 1e-30), atoms)
    return atoms


def gradient_histograms(windows: NDArray[np.uint8]) -> Floats:
    """(n, features) of grey windows (n, height, width): 3 780 for 128 × 64.

    Gradients vote with their size for the two nearest of nine orientations, in cells of 8 × 8 pixels; blocks of 2 × 2
    cells, one cell apart, are scaled to unit length, clipped at 0.2 and scaled again.
    """
    return np.concatenate([_histograms(windows[start : start + 200]) for start in range(0, len(windows), 200)])


def _histograms(windows: NDArray[np.uint8]) -> Floats:
    grey = windows.astype(np.float32)
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    across[:, :, 1:-1] = grey[:, :, 2:] - grey[:, :, :-2]
    down[:, 1:-1] = grey[:, 2:] - grey[:, :-2]
    size = np.hypot(across, down)
    place = (np.arctan2(down, across) % np.pi) * (ANGLES / np.pi) - 0.5  # in bins, from the middle of the first
    lower = np.floor(place).astype(int)
    share = (place - lower).astype(np.float32)
    n, height, width = grey.shape
    rows, columns = height // CELL, width // CELL
    cells = np.zeros((n, rows, columns, ANGLES), dtype=np.float32)
    for angle in range(ANGLES):
        votes = size * np.where(lower % ANGLES == angle, 1 - share, np.where((lower + 1) % ANGLES == angle, share, 0))
        kept = votes[:, : rows * CELL, : columns * CELL]
        cells[..., angle] = kept.reshape(n, rows, CELL, columns, CELL).sum(axis=(2, 4))
    blocks = np.concatenate(
        [cells[:, a : rows - BLOCK + 1 + a, b : columns - BLOCK + 1 + b] for a in range(BLOCK) for b in range(BLOCK)],
        axis=-1,
    )
    blocks = np.minimum(_unit(blocks), CLIP)
    return _unit(blocks).reshape(n, -1)


def _unit(blocks: Floats) -> Floats:
    out: Floats = blocks / np.sqrt((blocks**2).sum(axis=-1, keepdims=True) + EPSILON**2)
    return out
