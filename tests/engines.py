"""For the tests of Dask and Spark: workers, which take seconds to start, and counts of what blocks hold."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections import Counter
from contextlib import contextmanager
from itertools import count

import pytest

MASTER = "local[2,4]"  # two threads, a task is tried four times


def spark_session():
    """One session of two threads for the whole run, which tries a task four times and whose workers run this Python."""
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
    before = SparkSession.getActiveSession()
    if before is not None and before.sparkContext.master != MASTER:  # a page of the documentation may have begun one
        before.stop()
    session = SparkSession.builder.master(MASTER).appName("entropick").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    from pyspark.cloudpickle import register_pickle_by_value

    register_pickle_by_value(sys.modules[__name__])  # the workers cannot import the tests
    return session


def killing(frame, folder, deadly):
    """The Spark frame. A Python worker that reads a partition is killed if that read's number, from 0, is deadly."""

    def read(batches):
        for number in count():
            try:
                (folder / str(number)).touch(exist_ok=False)
                break
            except FileExistsError:
                continue
        if number in deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        yield from batches

    return frame.mapInArrow(read, frame.schema)


@contextmanager
def two_processes():
    """A Dask cluster of two worker processes of one thread each."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0, "dashboard_address": None}
    settings["preload"] = ["pandas"]  # in Python 3.11 two threads that import it at once may wait for each other
    with distributed.LocalCluster(processes=True, **settings) as workers:
        yield workers


@contextmanager
def client_of(workers):
    """The default client while it lasts, once both workers are there."""
    import distributed

    with distributed.Client(workers) as client:
        client.wait_for_workers(2, timeout=120)
        yield client


def counted(table):
    """Names, kinds and how often each value occurs, by column: exact to merge, whatever the order."""
    return {
        (name, table.kind(j)): Counter(None if value != value else value for value in table.column(j).tolist())
        for j, name in enumerate(table.names)
    }


def add(one, two):
    """The counts of both."""
    assert one.keys() == two.keys()
    return {key: one[key] + two[key] for key in one}


def first_column(table):
    """To be joined by ``np.append``, which shows the order of merging."""
    return table.column(0)


def rows_of(table):
    return table.n_rows
