"""Whatever a call in a worker does, this process goes on and says what became of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tacenda.errors import InputError, MissingExtraError
from tacenda.isolation.limits import Limits, limits
from tacenda.isolation.workers import TimeLimitError, isolated
from tests.waiting import is_running, until

from . import fatal

_SMALL = Limits(seconds=20, seconds_per_megabyte=0, memory=200_000_000)


def call(function: Callable[..., Any], *arguments: object, granted: Limits = _SMALL) -> Any:
    """Call a function in a worker, for a letter."""
    return isolated(function, arguments, subject="letter.docx", size=0, granted=granted)


def test_a_call_gives_what_the_function_gives() -> None:
    """A value comes back equal."""
    assert call(fatal.answer, ("Anna Berg", b"\0", 1.5, "\udcff")) == (
        "Anna Berg",
        b"\0",
        1.5,
        "\udcff",
    )


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (fatal.crash, "signal 11, SIGSEGV"),
        (fatal.leave, "exit code 3"),
        (fatal.swell, "more than 200 MB of memory; split it, or raise TACENDA_LIMIT_MEMORY_MB"),
        (fatal.swell_in_reply, "more than 200 MB of memory"),
        (fatal.recurse, "RecursionError"),
    ],
)
def test_what_ends_a_worker_is_an_error_of_the_file(
    function: Callable[..., object], message: str
) -> None:
    """The error names the file and the manner of its end, and the next call works."""
    with pytest.raises(InputError, match=rf"^letter\.docx: .*{message}"):
        call(function)
    assert call(fatal.answer, 1) == 1


def test_a_call_has_the_memory_of_a_new_worker() -> None:
    """Where calls before it have left too little, it is made once more in another worker."""
    half = _SMALL.memory // 2
    assert call(fatal.hoard, half) != call(fatal.hoard, half)
    with pytest.raises(InputError, match="more than 200 MB of memory"):
        call(fatal.hoard, 2 * half)


@pytest.mark.parametrize("function", [fatal.hang, fatal.sleep])
def test_what_takes_too_long_is_stopped(function: Callable[..., object]) -> None:
    """Also in code that never looks at a signal."""
    with pytest.raises(TimeLimitError, match=r"letter\.docx: .*1 s .*raise TACENDA_LIMIT_SECONDS"):
        call(function, 10_000, granted=Limits(seconds=1, seconds_per_megabyte=0))


def test_a_larger_file_gets_more_time() -> None:
    """The time grows with the size of the input."""
    granted = Limits(seconds=0.01, seconds_per_megabyte=20)
    value = isolated(fatal.sleep, (0.3,), subject="", size=1_000_000, granted=granted)
    assert value == "awake"


def test_an_error_of_the_package_comes_as_it_is() -> None:
    """Its kind, its message and its attributes travel."""
    with pytest.raises(InputError, match=r"^letter\.docx: is no letter\.$") as refusal:
        call(fatal.refuse)
    assert refusal.value.document == "letter.docx"
    with pytest.raises(MissingExtraError, match=r"\[documents\]") as missing:
        call(fatal.lack)
    assert missing.value.extra == "documents"


def test_no_text_leaves_a_worker_by_another_way(capfd: pytest.CaptureFixture[str]) -> None:
    """Not by stdout or stderr, nor in the message of an error that nobody expected."""
    with pytest.raises(InputError) as failure:
        call(fatal.quote, "Galip Yalman")
    output = capfd.readouterr()
    assert "LookupError" in str(failure.value)
    assert "Yalman" not in f"{failure.value}{failure.value.__cause__}{output.out}{output.err}"


def test_a_call_within_a_call_stays_in_its_worker() -> None:
    """A worker starts no workers."""
    outer, inner = call(fatal.pids)
    assert outer == inner != os.getpid()


def test_a_worker_is_used_again_and_then_replaced() -> None:
    """As long as it is well, and for so many calls."""
    granted = Limits(memory=300_000_000, calls=3)
    first = [call(fatal.pid, granted=granted) for _ in range(3)]
    assert len(set(first)) == 1
    assert call(fatal.pid, granted=granted) not in first


def test_threads_get_their_own_answers() -> None:
    """However many ask at once, and though some of their workers die."""

    def ask(number: int) -> object:
        if number % 5 == 0:
            with suppress(InputError):
                call(fatal.crash)
        return call(fatal.answer, number)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(40))) == list(range(40))


_SCRIPT = """
import os, sys
from tacenda.isolation.workers import isolated
from tests.isolation import fatal
print(isolated(fatal.pid, (), subject="", size=0), flush=True)
if os.fork() == 0:
    print(isolated(fatal.pid, (), subject="", size=0), flush=True)
    os._exit(0)
os.wait()
print(isolated(fatal.pid, (), subject="", size=0), flush=True)
isolated(fatal.run_program, (sys.argv[1],), subject="", size=0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is nothing to fork")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_a_worker_ends_with_its_process(end: signal.Signals, tmp_path: Path) -> None:
    """A plain script needs no guard; a fork takes no worker along; nothing is left behind.

    Neither is a program that the worker runs.
    """
    root = Path(__file__).parents[2]
    path = os.pathsep.join((str(root), *sys.path))
    with subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, str(tmp_path / "pid")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path},
    ) as process:
        assert process.stdout is not None
        first, forked, again = (int(process.stdout.readline()) for _ in range(3))
        assert first == again != forked
        program = _number_in(tmp_path / "pid")
        process.send_signal(end)
        process.wait(90)
    until(lambda: not is_running(first))
    until(lambda: not is_running(program))


@pytest.mark.parametrize(
    ("function", "message"),
    [(fatal.run_program, "took more than 2 s"), (fatal.run_program_and_crash, "SIGSEGV")],
)
def test_a_program_ends_with_the_worker_that_runs_it(
    function: Callable[..., object], message: str, tmp_path: Path
) -> None:
    """Whether the worker is stopped or crashes."""
    with pytest.raises(InputError, match=message):
        call(function, str(tmp_path / "pid"), granted=Limits(seconds=2))
    program = _number_in(tmp_path / "pid")
    until(lambda: not is_running(program))


def _number_in(path: Path) -> int:
    until(lambda: path.exists() and path.read_text())
    return int(path.read_text())


def test_limits_can_be_raised_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """By variables of the environment, which must be numbers."""
    monkeypatch.setenv("TACENDA_LIMIT_SECONDS", "7.5")
    monkeypatch.setenv("TACENDA_LIMIT_MEMORY_MB", "512")
    monkeypatch.setenv("TACENDA_LIMIT_PARTS", "12")
    assert limits() == Limits(seconds=7.5, memory=512_000_000, parts=12)
    monkeypatch.setenv("TACENDA_LIMIT_PARTS", "many")
    with pytest.raises(InputError, match="TACENDA_LIMIT_PARTS is 'many'"):
        limits()
