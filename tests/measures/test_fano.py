"""Fano's floor against channels of known error."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.measures.fano import entropy, fano_floor

LOG2 = np.log(2)


@pytest.mark.parametrize("error", [0.01, 0.1, 0.3, 0.5])
def test_floor_of_a_binary_symmetric_channel_is_its_error(error):
    """Equal classes, a share of them flipped: I = log 2 − h(error), and Fano's inequality is an equality."""
    h = -error * np.log(error) - (1 - error) * np.log(1 - error)
    assert fano_floor(h, 2) == pytest.approx(error, abs=1e-9)


@pytest.mark.parametrize("classes", [3, 5, 26])
def test_floor_of_a_symmetric_channel_of_many_classes(classes):
    error = 0.2
    h = -error * np.log(error) - (1 - error) * np.log(1 - error)
    assert fano_floor(h + error * np.log(classes - 1), classes) == pytest.approx(error, abs=1e-9)


def test_floor_at_the_ends():
    assert fano_floor(np.log(3), 3) == pytest.approx(2 / 3)
    assert fano_floor(0.0, 3) == 0.0
    assert fano_floor(-9.0, 2) == 0.0
    assert fano_floor(0.0, 1) == 0.0


@pytest.mark.parametrize("counts", [[50, 50], [90, 10], [3, 4, 5], [1] * 20])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_floor_is_never_below_the_simpler_form(counts, share):
    most = entropy(counts)
    simple = (most - share * most - LOG2) / np.log(len(counts))
    assert fano_floor(most - share * most, len(counts)) >= simple - 1e-12
