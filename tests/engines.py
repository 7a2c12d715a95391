"""A Spark session and Dask's worker processes for the tests; both take seconds to start, so they are shared."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager

import pytest


def spark_session():
    """One session of two threads for the whole run, whose Python workers run this interpreter."""
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "Europe/Paris",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "4",
    }
    session = SparkSession.builder.master("local[2]").appName("entropick").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@contextmanager
def two_processes():
    """A Dask cluster of two worker processes of one thread each."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": None}
    with distributed.LocalCluster(processes=True, **settings) as workers:
        yield workers


@contextmanager
def client_of(workers):
    """The default client while it lasts, once both workers are there."""
    import distributed

    with distributed.Client(workers) as client:
        client.wait_for_workers(2)
        yield client
