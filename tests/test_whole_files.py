"""One writer for everything: whole or not at all, also under threads, links, long names and kills."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import entropick as ep
from entropick import files
from entropick.files import whole_file, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and locks of POSIX systems")


@pytest.fixture(autouse=True)
def not_swept_yet():
    files.swept.clear()


def test_threads_that_save_to_one_path(tmp_path):
    """8 threads × 100 saves of different lengths; whoever reads meanwhile sees one of them, whole."""
    path = tmp_path / "same.txt"
    texts = [str(i) * (50_000 * (i + 1)) for i in range(8)]
    write_whole(path, texts[0])
    over, seen = threading.Event(), set()

    def read():
        while not over.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: write_whole(path, texts[i % 8]), range(800)))
    over.set()
    reader.join()
    assert seen <= set(texts)
    assert os.listdir(tmp_path) == ["same.txt"]


def test_reports_of_threads(tmp_path):
    found = ep.select(np.arange(40).reshape(20, 2) % 3, np.arange(20) % 2, k=1, method="mim")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: found.report(tmp_path / "same.html"), range(24)))
    assert (tmp_path / "same.html").read_text().rstrip().endswith("</html>")
    assert os.listdir(tmp_path) == ["same.html"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_the_mode_of_the_file_that_is_replaced_is_kept(tmp_path, mode):
    path = tmp_path / "a.json"
    path.write_text("before")
    path.chmod(mode)
    write_whole(path, "after")
    assert path.stat().st_mode & 0o777 == mode
    assert path.read_text() == "after"


@posix
def test_a_new_file_has_the_mode_that_the_user_asks_for(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a", "new")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@posix
@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_written_through(tmp_path, there):
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.json", tmp_path / "link.json"
    if there:
        real.write_text("before")
    link.symlink_to(os.path.join("far", "real.json"))
    write_whole(link, "after")
    assert link.is_symlink()
    assert real.read_text() == "after"
    assert os.listdir(tmp_path / "far") == ["real.json"]


@posix
def test_links_that_lead_nowhere(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "a", "text")
    assert (tmp_path / "a").is_symlink()


@posix
def test_a_link_laid_at_a_temporary_name_is_not_followed(tmp_path, monkeypatch):
    """Even where the name could be guessed: every name is tried exclusively, and one that is taken is passed over."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    names = iter(["guessed", "guessed", "other"])
    monkeypatch.setattr(files.secrets, "token_hex", lambda n: next(names))
    (tmp_path / ".entropick-guessed.part").symlink_to(victim)
    (tmp_path / f".a.json.{os.getpid()}.tmp").symlink_to(victim)
    write_whole(tmp_path / "a.json", "text")
    assert victim.read_text() == "mine"
    assert (tmp_path / "a.json").read_text() == "text"


@pytest.mark.parametrize("length", [250, 255])
def test_long_names(tmp_path, length):
    path = tmp_path / ("n" * (length - 5) + ".json")
    write_whole(path, "text")
    assert path.read_text() == "text"
    with pytest.raises(OSError, match="too long") as told:
        write_whole(tmp_path / ("n" * 300), "text")
    assert told.value.errno == errno.ENAMETOOLONG


@posix
def test_a_pipe_and_a_device_are_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text)
        write_whole(pipe, "text")
        assert read.result(10) == "text"
    write_whole(os.devnull, "text")
    assert not os.path.isfile(os.devnull)
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "text")


def half_written(path, error):
    with whole_file(path) as file:
        file.write(b"half")
        raise error


def test_an_error_in_the_middle(tmp_path):
    path = tmp_path / "a"
    path.write_text("before")
    for error in (ValueError("x"), KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")):
        with pytest.raises(type(error)) as told:
            half_written(path, error)
        assert path.read_text() == "before"
        assert os.listdir(tmp_path) == ["a"]
    assert str(told.value) == f"[Errno 28] No space left on device: {str(path)!r}"
    with pytest.raises(FileNotFoundError, match="no-such-input"), whole_file(path):
        (tmp_path / "no-such-input").read_text()  # an error of another file keeps its name


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError) as told:
        write_whole(tmp_path / "none" / "a.json", "text")
    assert told.value.strerror == f"there is no folder {str(tmp_path / 'none')!r}"
    assert told.value.filename == str(tmp_path / "none" / "a.json")


@posix
def test_a_folder_that_cannot_be_written_to(tmp_path):
    """As a user without rights, whom root can become in a child."""
    folder = tmp_path / "read only"
    folder.mkdir()
    (folder / "a.json").write_text("before")
    for one in (tmp_path, *list(tmp_path.parents)[:2]):
        one.chmod(0o755)
    folder.chmod(0o555)
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            write_whole(folder / "a.json", "after")
        except OSError as error:
            os.write(tell, f"{error.filename}: {error.strerror}".encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(tell)
    with os.fdopen(told) as answer:
        assert answer.read() == f"{folder / 'a.json'}: Permission denied to write in the folder {str(folder)!r}"
    assert (folder / "a.json").read_text() == "before"


KILLED = """
    import sys
    from entropick.files import whole_file
    with whole_file(sys.argv[1]) as file:
        file.write(b"half")
        file.flush()
        print("begun", flush=True)
        sys.stdin.read()
"""


@posix
def test_what_a_kill_left_is_removed(tmp_path):
    """Not what another process is still writing, nor what only looks like it."""
    words = [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / "a")]
    children = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for child in children:
        assert child.stdout.readline() == "begun\n"
    assert len(os.listdir(tmp_path)) == 2
    children[0].send_signal(signal.SIGKILL)
    children[0].wait()
    (tmp_path / ".entropick-notes").write_text("the user's")
    write_whole(tmp_path / "b", "text")
    left = set(os.listdir(tmp_path)) - {"b", ".entropick-notes"}
    assert len(left) == 1  # of the one that lives
    children[1].communicate("", timeout=20)
    assert sorted(os.listdir(tmp_path)) == [".entropick-notes", "a", "b"]
    assert (tmp_path / "a").read_text() == "half"
