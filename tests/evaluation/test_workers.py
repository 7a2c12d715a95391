"""A worker that is killed, as a system does where memory runs out, is told as such."""

from __future__ import annotations

import os
import signal

import pytest

from entropick.errors import WorkerDied
from entropick.evaluation.workers import finished


def killed(number):
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_worker_that_is_killed():
    with pytest.raises(WorkerDied, match=r"n_jobs: one of 2 worker processes was killed.* memory ran out; .*--resume"):
        list(finished(killed, [(0,), (1,), (2,)], 2))
