"""An interrupted comparison goes on where it was, and ends as if it had never been interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from entropick.errors import InvalidInput, InvalidParameter
from entropick.evaluation import trials
from entropick.evaluation.compare import compare

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1], 30)
X = RANDOM.normal(size=(60, 8)) + 0.8 * Y[:, None] * (np.arange(8) < 2)
SETTINGS = {"methods": ["jmi", "random"], "k": [2, 3], "cv": 3, "repeats": 1, "estimators": "nearest mean"}


@pytest.fixture(scope="module")
def whole():
    return compare(X, Y, **SETTINGS)


@pytest.fixture
def counted(monkeypatch):
    """Trials that were run, not read."""
    ran = []
    real = trials.run_trial

    def run_trial(fold, label):
        ran.append((label, fold.number))
        return real(fold, label)

    monkeypatch.setattr(trials, "run_trial", run_trial)
    return ran


def same(a, b):
    return a.scores.equals(b.scores) and a.chosen.equals(b.chosen) and a.final == b.final


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
def test_after_an_exception(tmp_path, monkeypatch, whole, stop, counted):
    real = trials.run_trial

    def interrupted(fold, label):
        if (label, fold.number) == ("random", 1):
            raise stop
        return real(fold, label)

    with monkeypatch.context() as patch:
        patch.setattr(trials, "run_trial", interrupted)
        with pytest.raises(stop):
            compare(X, Y, resume=tmp_path / "trials", **SETTINGS)
    assert counted == [("jmi", 0), ("random", 0), ("jmi", 1)]
    assert len(list((tmp_path / "trials").iterdir())) == 3
    counted.clear()
    assert same(compare(X, Y, resume=tmp_path / "trials", **SETTINGS), whole)
    assert counted == [("random", 1), ("jmi", 2), ("random", 2)]
    counted.clear()
    again = compare(X, Y, resume=tmp_path / "trials", n_jobs=2, **SETTINGS)
    assert counted == []
    assert same(again, whole)


SLOW = """
    import sys, time
    import numpy as np
    from sklearn.neighbors import NearestCentroid
    from entropick.evaluation.compare import compare

    SECONDS = float(sys.argv[5])

    class Slow(NearestCentroid):
        def fit(self, X, y):
            time.sleep(SECONDS)
            return super().fit(X, y)

    X, y = np.load(sys.argv[1]), np.load(sys.argv[2])
    found = compare(X, y, ["jmi", "random"], [2, 3], cv=3, repeats=2, estimators={"slow": Slow()},
                    resume=sys.argv[3], n_jobs=int(sys.argv[4]))
    print(found.scores.to_json(), found.chosen.to_json(), sep="\\n")
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    """The command that compares in a process of its own."""
    folder = tmp_path_factory.mktemp("slow")
    (folder / "slow.py").write_text(textwrap.dedent(SLOW))
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", Y)

    def words(resume, n_jobs, seconds):
        files = [folder / name for name in ("slow.py", "X.npy", "y.npy")]
        return [sys.executable, *files, resume, str(n_jobs), str(seconds)]

    return words


def ended(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def in_one_go(words, tmp_path_factory):
    """What is printed, and the names of the files that are kept, without an interruption."""
    folder = tmp_path_factory.mktemp("fresh")
    printed = ended(words(folder, 1, 0))
    assert printed
    return printed, {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_after_a_signal(tmp_path, words, in_one_go, n_jobs):
    """SIGINT to the process itself, at a moment nobody chose; what is left is whole files only."""
    folder = tmp_path / "kept"
    process = subprocess.Popen(words(folder, n_jobs, 0.1), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 100
    while process.poll() is None and time.monotonic() < end and len(list(folder.glob("*.json"))) < 3:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    assert output == ""
    finished = list(folder.glob("*.json"))
    assert 3 <= len(finished) < 12
    for path in finished:
        assert json.loads(path.read_text())["trial"]["failure"] == ""
    assert not list(folder.glob("*.part"))
    continued = ended(words(folder, 1, 0))
    assert (continued, {path.name for path in folder.iterdir()}) == in_one_go


@pytest.mark.parametrize(
    "change",
    [
        {"X": X + 1e-9},
        {"y": 1 - Y},
        {"k": [2, 4]},
        {"estimators": "3-NN"},
        {"random_state": 1},
        {"discretizer": 4},
        {"methods": {"jmi": {"method": "jmi", "estimator": "miller-madow"}, "random": "random"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_other_data_and_settings_are_kept_apart(tmp_path, counted, change):
    compare(X, Y, resume=tmp_path, **SETTINGS)
    counted.clear()
    compare(**{"X": X, "y": Y, "resume": tmp_path, **SETTINGS, **change})
    expected = 3 if "methods" in change else 6  # of the two methods only one was changed
    assert len(counted) == expected


def test_what_trials_do_not_depend_on_is_not_looked_at(tmp_path, counted):
    """Another method beside them, or names of another type of table, make no difference to the trials there are."""
    compare(X, Y, resume=tmp_path, **SETTINGS)
    counted.clear()
    compare(X.copy(order="F"), Y.tolist(), resume=tmp_path, **{**SETTINGS, "methods": ["jmi", "random", "mim"]})
    assert counted == [("mim", 0), ("mim", 1), ("mim", 2)]


def test_folders_that_will_not_do(tmp_path, whole):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidParameter, match="resume: must be a folder, got the file"):
        compare(X, Y, resume=tmp_path / "file", **SETTINGS)
    compare(X, Y, resume=tmp_path / "kept", **SETTINGS)
    broken = next((tmp_path / "kept").iterdir())
    broken.write_text('{"method": "jmi"')
    with pytest.raises(InvalidInput, match=r"resume: .* is not a finished trial .* delete it"):
        compare(X, Y, resume=tmp_path / "kept", **SETTINGS)
    broken.unlink()
    assert same(compare(X, Y, resume=tmp_path / "kept", **SETTINGS), whole)


def test_functions_without_a_name(tmp_path):
    entry = {"method": "mifs", "beta": lambda size: 1 / size}
    arguments = {**SETTINGS, "methods": {"mine": entry}}
    assert compare(X, Y, **arguments).methods == ("mine",)
    with pytest.raises(InvalidParameter, match="resume: cannot identify settings by their content"):
        compare(X, Y, resume=tmp_path, **arguments)


@pytest.mark.parametrize("altered", ["score", "columns", "whose"])
def test_altered_figures_are_told(tmp_path, altered):
    """An accuracy of 9.92 would go into the means as it is."""
    compare(X, Y, resume=tmp_path, **SETTINGS)
    path = sorted(tmp_path.iterdir())[0]
    kept = json.loads(path.read_text())
    if altered == "score":
        kept["trial"]["scores"][0]["score"] = 9.92
    elif altered == "columns":
        kept["trial"]["runs"][0]["columns"] = [7, 7]
    else:
        kept = json.loads(sorted(tmp_path.iterdir())[1].read_text())
    path.write_text(json.dumps(kept))
    with pytest.raises(InvalidInput, match=f"resume: .*{path.name}' is not a finished trial .*; delete it"):
        compare(X, Y, resume=tmp_path, **SETTINGS)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match=r"resume: cannot make the folder .*file/below"):
        compare(X, Y, resume=tmp_path / "file" / "below", **SETTINGS)
