"""Files that have their name when they are whole, and never before."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tacenda.atomic import AtomicFile, atomic_file, write_atomically
from tacenda.errors import OutputError


def test_a_file_has_its_name_when_it_is_whole(tmp_path: Path) -> None:
    """Until it is committed the target is as it was; afterwards nothing else is left."""
    target = tmp_path / "a.txt"
    target.write_bytes(b"earlier")
    with atomic_file(target) as file:
        file.stream.write(b"later")
        assert target.read_bytes() == b"earlier"
    assert target.read_bytes() == b"later"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_run_leaves_what_was_there(tmp_path: Path) -> None:
    """An error in the middle takes the unfinished file along."""
    target = tmp_path / "a.txt"
    target.write_bytes(b"earlier")
    file = AtomicFile(target)
    file.stream.write(b"half")
    file.abort()
    with pytest.raises(TypeError), atomic_file(target) as file:
        file.stream.write("no bytes")  # type: ignore[arg-type]
    assert target.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [target]


_WRITERS = """
import sys
from multiprocessing import get_context
from pathlib import Path
from tacenda.atomic import atomic_file

def write_often(folder, number):
    for _ in range(5):
        with atomic_file(Path(folder, f"{number}.txt")) as file:
            for _ in range(50):
                file.stream.write(b"%d\\n" % number)

context = get_context("fork")
writers = [context.Process(target=write_often, args=(sys.argv[1], n)) for n in range(50)]
for each in writers:
    each.start()
for each in writers:
    each.join()
sys.exit(any(each.exitcode for each in writers))
"""


def test_fifty_runs_into_one_folder_swap_nothing(tmp_path: Path) -> None:
    """Each of 50 writers in as many processes finds its own bytes under its own name."""
    subprocess.run([sys.executable, "-c", _WRITERS, str(tmp_path)], check=True)
    contents = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert contents == {f"{n}.txt": b"%d\n" % n * 50 for n in range(50)}


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    """What the link points to stays as it was, whether it is there or not."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"another's")
    for n, goal in enumerate((elsewhere, tmp_path / "nowhere")):
        link = tmp_path / f"link{n}"
        link.symlink_to(goal)
        write_atomically(link, b"mine")
        assert not link.is_symlink()
        assert link.read_bytes() == b"mine"
    assert elsewhere.read_bytes() == b"another's"
    assert not (tmp_path / "nowhere").exists()


def test_permissions_stay_and_private_means_private(tmp_path: Path) -> None:
    """A file that only its owner could read does not become readable by others."""
    kept, private = tmp_path / "kept", tmp_path / "private"
    kept.touch(mode=0o640)
    kept.chmod(0o640)
    private.touch(mode=0o644)
    write_atomically(kept, b"x")
    with atomic_file(private, private=True) as file:
        assert stat.S_IMODE(file.part.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert stat.S_IMODE(private.stat().st_mode) == 0o600


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_takes_nobodys_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """A name that is taken is an error, and the file can have another, with hard links or without."""
    if not links:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)

        def refuse(*arguments: object, **options: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    taken = tmp_path / "taken"
    taken.write_bytes(b"another's")
    file = AtomicFile(taken)
    file.stream.write(b"mine")
    with pytest.raises(FileExistsError):
        file.commit(new=True)
    file.commit(tmp_path / "free", new=True)
    assert taken.read_bytes() == b"another's"
    assert (tmp_path / "free").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="the system names every file")
def test_nothing_is_left_of_a_process_that_is_killed(tmp_path: Path) -> None:
    """An unfinished file has no name; the target is as it was."""
    target = tmp_path / "a.txt"
    target.write_bytes(b"earlier")
    child = os.fork()
    if child == 0:
        file = AtomicFile(target)
        file.stream.write(b"half")
        file.stream.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert target.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("nameless", [True, False])
def test_files_without_a_name_are_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    """A system or file system that has none gets the same files."""
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    for new in (True, False):
        with atomic_file(tmp_path / "a.txt", new=new) as file:
            file.stream.write(b"%d" % new)
        assert (tmp_path / "a.txt").read_bytes() == b"%d" % new
        assert len(list(tmp_path.iterdir())) == 1


def test_a_device_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    """A full device is an error in one line, an empty one takes all, a pipe is filled."""
    with pytest.raises(OutputError, match="No space left"):
        write_atomically(Path("/dev/full"), b"x" * 100_000)
    assert stat.S_ISCHR(Path("/dev/full").lstat().st_mode)
    write_atomically(Path("/dev/null"), b"x")
    assert stat.S_ISCHR(Path("/dev/null").lstat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    contents: list[bytes] = []
    reader = threading.Thread(target=lambda: contents.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"x")
    reader.join()
    assert contents == [b"x"]
    with pytest.raises(OutputError):
        write_atomically(pipe, b"secret", private=True)


def test_links_of_the_system_are_left_alone() -> None:
    """`-o /dev/stdout` with stdout in a file would make the link a file for everybody."""
    target = Path("/dev/stdout")
    if target.resolve().is_file():
        with pytest.raises(OutputError, match="- is stdout"):
            write_atomically(target, b"x")
    assert target.is_symlink()


@pytest.mark.parametrize("name", ["n" * 300, "file/a.txt", "folder", "file/b/c.txt"])
def test_what_can_not_be_a_file_is_one_error(tmp_path: Path, name: str) -> None:
    """A name too long, a parent that is a file and a folder are named; nothing is left."""
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="can't be written"):
        write_atomically(tmp_path / name, b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize("call", ["open", "fsync", "link", "replace"])
def test_a_full_disk_leaves_the_earlier_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Wherever the system refuses, the error is one line and the target as it was."""
    target = tmp_path / "a.txt"
    target.write_bytes(b"earlier")

    def refuse(*arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises(OutputError, match=r"a\.txt: can't be written \(No space left"):
            write_atomically(target, b"later")
    assert target.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [target]
