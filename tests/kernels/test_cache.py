"""Without a place for compiled kernels everything works, with a note."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numba import njit

from entropick.kernels import cache

CHILD = """
    import os, sys, warnings
    import numba.core.caching as caching

    Given = getattr(caching, "UserProvidedCacheLocator", None) or caching._UserProvidedCacheLocator  # before Numba 0.61

    class Nowhere(Given):
        def ensure_cache_path(self):
            raise OSError(30, "Read-only file system")

        @classmethod
        def from_function(cls, function, path):
            return None

    caching.CacheImpl._locator_classes = [Nowhere]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        from entropick.kernels.secular import *
        from entropick.kernels import secular
    print([str(one.message) for one in caught if "anew" in str(one.message)])
"""


def test_no_folder_can_be_written_to():
    """As in a container with a read-only root: none of Numba's places will do."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(CHILD)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("kernels are compiled anew in every process, as no folder for them can be written to") == 1


def plus(a, b):
    return a + b


@pytest.fixture
def cached(tmp_path, monkeypatch):
    """A function of ours whose cache is in a folder of its own."""
    monkeypatch.setattr(cache, "PACKAGE", plus.__module__)
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "told", [])
    return lambda: njit(cache=True)(plus)


def files_of(folder):
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]


def test_a_full_folder(cached, monkeypatch):
    def full(self, key, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    with pytest.warns(UserWarning, match=r"anew in every process, as their folder .* \(No space left on device\)"):
        assert cached()(1, 2) == 3
    assert cached()(1, 2) == 3  # told once


@pytest.mark.parametrize("what", [b"", b"damaged", None])
def test_damaged_files(cached, tmp_path, what):
    assert cached()(1, 2) == 3
    files = files_of(tmp_path)
    assert len(files) == 2
    for path in files:
        raw = np.fromfile(path, dtype=np.uint8)
        with open(path, "wb") as file:
            file.write(raw[: len(raw) // 2].tobytes() if what is None else what)
    assert cached()(1, 2) == 3
    assert cached()(2, 2) == 4


def test_other_functions_have_numbas_own_cache(monkeypatch, tmp_path):
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    assert type(njit(cache=True)(plus)._cache) is not cache.OptionalCache
