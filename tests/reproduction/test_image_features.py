"""Histograms of gradients and thresholded projections on images whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from reproduction.image_features import (
    ANGLES,
    _matched,
    gradient_histograms,
    learn_codebook,
    patches,
)


def test_a_window_has_3780_features():
    assert gradient_histograms(np.zeros((1, 128, 64), np.uint8)).shape == (1, 3780)


@pytest.mark.parametrize("turned", [False, True])
def test_a_ramp_has_one_orientation(turned):
    """Brightness that grows along a row has its gradient at 0°, between the last bin and the first; turned, at 90°."""
    ramp = np.tile(np.arange(0, 64, dtype=np.uint8), (64, 1))
    window = (ramp.T if turned else ramp)[None]
    blocks = gradient_histograms(window).reshape(-1, 4, ANGLES)
    middle = blocks[blocks.shape[0] // 2, 0]
    loud = set(np.flatnonzero(middle > 1e-3).tolist())
    assert loud == ({4} if turned else {0, ANGLES - 1})


def test_blocks_have_unit_length():
    windows = np.random.default_rng(0).integers(0, 255, (3, 32, 32)).astype(np.uint8)
    blocks = gradient_histograms(windows).reshape(-1, 4 * ANGLES)
    np.testing.assert_allclose(np.linalg.norm(blocks, axis=1), 1.0, atol=1e-3)


def test_patches_are_normalised():
    images = np.random.default_rng(0).uniform(0, 255, (2, 8, 9, 3)).astype(np.float32)
    found = patches(images)
    assert found.shape == (2, 3, 4, 108)
    np.testing.assert_allclose(found.mean(axis=-1), 0.0, atol=1e-4)
    np.testing.assert_allclose(found.std(axis=-1), 1.0, atol=0.01)
    by_hand = images[1, 2:8, 3:9].transpose(2, 0, 1).ravel()
    by_hand = (by_hand - by_hand.mean()) / np.sqrt(by_hand.var() + 10)
    np.testing.assert_allclose(found[1, 2, 3], by_hand, atol=1e-4)


def test_activations_of_a_codebook():
    """Against projections taken one by one: max(0, ± projection − ¼), summed over the quadrants."""
    images = np.random.default_rng(1).uniform(0, 255, (20, 10, 10, 3)).astype(np.float32)
    book = learn_codebook(images, 5, 400)
    found = book.encode(images[:2])
    assert found.shape == (2, 40)
    whitened = (patches(images[:1])[0] - book.mean) @ book.matrix
    expected = np.zeros((4, 2, 5))
    for i in range(5):
        for j in range(5):
            for atom in range(5):
                projection = float(np.dot(whitened[i, j], book.atoms[atom]))
                quadrant = expected[2 * (i >= 2) + (j >= 2)]
                quadrant[0, atom] += max(0.0, projection - 0.25)
                quadrant[1, atom] += max(0.0, -projection - 0.25)
    np.testing.assert_allclose(found[0], expected.ravel(), rtol=1e-3, atol=1e-3)


def test_atoms_find_directions():
    """Points along three directions, either way and of any length: the atoms are those directions."""
    random = np.random.default_rng(0)
    axes = np.linalg.qr(random.normal(size=(8, 3)))[0].T
    points = axes[random.integers(0, 3, 900)] * random.normal(0, 3, (900, 1)) + random.normal(0, 0.01, (900, 8))
    atoms = _matched(points.astype(np.float32), 3, random)
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(np.abs(atoms @ axes.T).max(axis=0), 1.0, atol=1e-3)


def test_an_atom_that_nothing_is_near_stays():
    points = np.tile(np.array([[1.0, 0.0]], np.float32), (50, 1))
    atoms = _matched(points, 4, np.random.default_rng(0))
    assert np.isfinite(atoms).all()
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1.0, atol=1e-5)
