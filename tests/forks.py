"""``tacenda`` and ``python`` as programs that start at once: forks of one process that has loaded the package.

A fork has its own folder, environment, streams and exit code, as any program, and leaves nothing behind in
the process that it is of. What a start itself does (lazy imports, signals, engines) is tested with programs.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import socket
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from subprocess import DEVNULL, PIPE, CompletedProcess, Popen, run
from tempfile import mkdtemp
from typing import Any, NoReturn

_ROOT = Path(__file__).parents[1]
_CLIENT = """\
#!{python} -IS
import json, os, socket, sys
request = json.dumps([{program!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    socket.send_fds(connection, [len(request).to_bytes(8, "big")], [0, 1, 2])
    connection.sendall(request)
    code = connection.recv(1)
sys.exit(code[0] if code else 70)
"""
_WARMING = "Dear Ms Berg, Anna Berg was born in Drammen on 12 March 1984. Call 07700 900231."


@cache
def programs() -> Path:
    """A folder with both programs, for a PATH; they work as long as this process."""
    return programs_in(None)


def programs_in(environment: dict[str, str] | None) -> Path:
    """The same, with the packages that a program of this environment has."""
    folder = Path(mkdtemp(prefix="tacenda-forks-"))
    address = folder / "socket"
    for program in ("tacenda", "python"):
        file = folder / program
        file.write_text(
            _CLIENT.format(python=sys.executable, program=program, address=str(address)), "utf-8"
        )
        file.chmod(0o755)
    command = [sys.executable, "-m", "tests.forks", str(address)]
    server = Popen(command, cwd=_ROOT, env=environment, stdin=PIPE, stdout=PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    atexit.register(_end, server, folder)
    return folder


def tacenda(*arguments: str, **options: Any) -> CompletedProcess[Any]:
    """Run the command line; the options are those of ``subprocess.run``."""
    defaults = {"capture_output": True} | ({} if "input" in options else {"stdin": DEVNULL})
    return run([programs() / "tacenda", *arguments], **defaults | options)


def _end(server: Popen[bytes], folder: Path) -> None:
    server.communicate()
    shutil.rmtree(folder)


def _serve(address: str) -> NoReturn:
    """Load, say that it is done, and fork for each connection."""
    _load()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        print("ready", flush=True)
        forks = 0
        while True:
            readable, _, _ = select.select([listener, sys.stdin], [], [], 1.0)
            while forks and os.waitpid(-1, os.WNOHANG)[0]:
                forks -= 1
            if sys.stdin in readable:  # it was closed
                sys.exit()
            if listener in readable:
                connection, _ = listener.accept()
                if os.fork() == 0:
                    listener.close()
                    _become_program(connection)
                forks += 1
                connection.close()


def share_weights(replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Open the networks of a shipped recognizer once in this process, for each engine and device."""
    from tacenda.models import token_classifier
    from tacenda.models.store import find

    opened: dict[object, Any] = {}
    open_recognizer = token_classifier.open_recognizer
    shipped = find().folder.parent

    def shared(model: Any) -> Any:
        if model.folder.parent != shipped:
            return open_recognizer(model)
        settings = [os.environ.get(name) for name in ("TACENDA_ENGINE", "TACENDA_DEVICE")]
        key = (model.folder, *settings)
        if key not in opened:
            opened[key] = open_recognizer(model)
        return opened[key]

    replace(token_classifier, "open_recognizer", shared)


def share_commands(replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Build the commands of a Typer once in this process: Typer does for each call, in a tenth of a second and more."""
    import typer.main
    import typer.testing

    from tacenda.cli import plugin_commands

    get_command = cache(typer.main.get_command)
    replace(typer.main, "get_command", get_command)
    replace(typer.testing, "_get_command", get_command)
    replace(plugin_commands, "_command", cache(plugin_commands._command))


def _load() -> None:
    import typer.main

    import tacenda
    import tacenda.cli

    for package in ("annotations", "background", "cli", "documents", "reidentify", "rewrite"):
        for module in walk_packages([f"{tacenda.__path__[0]}/{package}"], f"tacenda.{package}."):
            with suppress(ImportError):  # of an extra
                import_module(module.name)
    share_weights()
    share_commands()
    typer.main.get_command(tacenda.cli.app)
    for policy in ("default", "prompts"):
        tacenda.load(policy, threads=1).sanitize(_WARMING)


def _become_program(connection: socket.socket) -> NoReturn:
    """Run what the client asks for with its streams; tell it the exit code."""
    size, streams, *_ = socket.recv_fds(connection, 8, 3)
    with connection.makefile("rb") as file:
        request = file.read(int.from_bytes(size, "big"))
    program, arguments, folder, environment = json.loads(request)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    sys.argv = [program, *arguments]
    code = 70
    try:
        code = _exit_code(program)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        connection.sendall(bytes([code & 255]))
        os._exit(code)


def _exit_code(program: str) -> int:
    try:
        if program == "tacenda":
            from tacenda.__main__ import run as run_command

            run_command()
        else:
            main = types.ModuleType("__main__")
            sys.modules["__main__"] = main
            sys.path.insert(0, "")
            exec(compile(sys.stdin.read(), "<stdin>", "exec"), vars(main))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    _serve(sys.argv[1])
