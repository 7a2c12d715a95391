"""Settings shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engines import client_of, two_processes

# Compiled kernels load in the first example: its time says nothing about the next ones.
settings.register_profile("entropick", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("entropick")

SPREAD = ("test_docs.py",)  # files whose tests share nothing and take minutes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With ``--dist loadgroup`` a file, with what it sets up, is of one process; those of `SPREAD` are of all."""
    for item in items:
        path = Path(item.path)
        if path.name not in SPREAD:
            item.add_marker(pytest.mark.xdist_group(str(path)))


@pytest.fixture(scope="module")
def workers():
    """Two processes of Dask."""
    with two_processes() as found:
        yield found


@pytest.fixture
def client(workers):
    """A client of them; without it Dask runs in threads."""
    with client_of(workers) as found:
        yield found
