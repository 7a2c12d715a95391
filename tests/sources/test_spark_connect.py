"""Spark Connect: a client without a JVM of its own beside a local server; and serverless, where nothing is kept."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import entropick as ep

pytest.importorskip("pyspark.sql.connect.session", reason="needs pyspark[connect]", exc_type=Exception)

CLIENT = """
    import json
    import sys

    import pandas as pd
    import pyarrow as pa
    from pyspark.errors import AnalysisException
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.dataframe import DataFrame

    import entropick as ep
    from entropick.sources.engines.spark_blocks import SparkBlocks

    spark = SparkSession.builder.remote("local[2]").getOrCreate()
    rows = pd.read_pickle(sys.argv[1])
    frame = spark.createDataFrame(pa.Table.from_pandas(rows, preserve_index=False)).repartition(3)

    def chosen(method, **more):
        found = ep.select(frame, "y", method=method, k=3, **more)
        return found.names, found.scores.tolist()

    def refused(*_):
        raise AnalysisException("[NOT_SUPPORTED_WITH_SERVERLESS] PERSIST TABLE is not supported on serverless compute.")

    persist = DataFrame.persist
    found = {"jmi": chosen("jmi"), "gc.mi": chosen("gc.mi"), "joint": chosen("joint")}
    SparkBlocks.room = 0  # as with more coded rows than fit here
    found["jmi, kept"], found["joint, kept"] = chosen("jmi"), chosen("joint")
    DataFrame.persist = refused
    found["jmi, serverless"], found["joint, serverless"] = chosen("jmi"), chosen("joint")
    selector = ep.Selector("jmi", 2).fit(frame, "y")
    found["columns"] = selector.transform(frame).columns
    with open(sys.argv[2], "w") as file:
        json.dump(found, file)
    spark.stop()
"""


PORT = 15002  # of the server; it takes no other


def wait_for_the_port(seconds=60):
    """A server ends a moment after its client."""
    for _ in range(10 * seconds):
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("", PORT))
                return
            except OSError:
                time.sleep(0.1)


@pytest.fixture(scope="session")
def rows():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 200)
    X = {f"x{j}": random.normal(size=200) + y * {2: 1.0, 4: 0.7}.get(j, 0) for j in range(6)}
    return pd.DataFrame({**X, "y": y})


@pytest.fixture(scope="session")
def found(rows, tmp_path_factory):
    """In a process of its own: one that has a session with a JVM cannot begin one of the other kind."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed")
    folder = tmp_path_factory.mktemp("connect")
    rows.to_pickle(folder / "rows")
    script = "\n".join(line[4:] for line in CLIENT.splitlines())
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", script, str(folder / "rows"), str(folder / "found")]
    with open(tmp_path_factory.getbasetemp().parent / "connect.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # processes of this run, one after another
        wait_for_the_port()
        done = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / "found").read_text())


RUNS = ["jmi", "joint", "gc.mi", "jmi, kept", "joint, kept", "jmi, serverless", "joint, serverless"]


@pytest.mark.parametrize("one", RUNS)
def test_the_answer_is_that_of_the_rows_in_memory(found, rows, one):
    names, scores = found[one]
    method = one.partition(",")[0]
    expected = ep.select(rows, "y", method=method, k=3)
    assert names == expected.names
    np.testing.assert_allclose(scores, expected.scores, rtol=0 if method == "jmi" else 1e-9)


def test_columns_are_taken_from_a_frame(found, rows):
    assert found["columns"] == list(ep.Selector("jmi", 2).fit(rows, "y").get_feature_names_out())
