"""What the tables register is forgotten after each test."""

from __future__ import annotations

import pytest

import entropick as ep


@pytest.fixture(autouse=True)
def registry_as_before():
    before = set(ep.methods().index)
    yield
    for name in set(ep.methods().index) - before:
        ep.unregister(name)
