"""Word documents from before 2007 (``.doc``), converted to .docx by LibreOffice if it is installed.

LibreOffice runs within the worker's limits, with a temporary profile: no macros, no links to other
files, no network. The two files it needs are in a private folder, in memory if the system allows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from xml.sax.saxutils import escape

from ..errors import InputError, Remedy
from ..isolation.limits import limits
from .docx import read as read_docx
from .record import Origin, SourceDocument

_OLE = bytes.fromhex("D0CF11E0A1B11AE1")
_PROGRAMS = ("soffice", "libreoffice")
_MEMORY = Path("/dev/shm")
_RESTART = 81
"""Exit code of the program once it has made its profile."""
_MOST_STARTS = 3
_INSTALL = Remedy(
    "install LibreOffice (apt install libreoffice-writer-nogui) so that soffice is on the PATH, or save it as .docx",
    "install LibreOffice on the server, or save it as .docx",
)
_SECURITY = "/org.openoffice.Office.Common/Security/Scripting"
_INTERNET = "/org.openoffice.Inet/Settings"
_SETTINGS = (
    (_SECURITY, "MacroSecurityLevel", "3"),
    (_SECURITY, "DisableMacrosExecution", "true"),
    (_SECURITY, "DisableActiveContent", "true"),
    (_SECURITY, "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "2"),
    ("/org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    # Nothing listens there, so any request fails.
    (_INTERNET, "ooInetProxyType", "2"),
    (_INTERNET, "ooInetHTTPProxyName", "127.0.0.1"),
    (_INTERNET, "ooInetHTTPProxyPort", "9"),
    (_INTERNET, "ooInetHTTPSProxyName", "127.0.0.1"),
    (_INTERNET, "ooInetHTTPSProxyPort", "9"),
)
"""Paths, names and values of the settings of a profile."""
_HEAD = (
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema">'
)
_ITEM = '<item oor:path="{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>'
_NOTE = "was converted to .docx by LibreOffice: its looks may differ."


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document in a file, as a Word document.

    Raises:
        InputError: if LibreOffice is missing, takes too long, or can't read the file.
    """
    data = stream.read()
    if not data.startswith(_OLE):
        raise InputError(
            "is not a document of Word 97 to 2003; give the file the extension of its real format, such as .docx, "
            ".rtf or .html.",
            origin.name,
        )
    converted = BytesIO(_converted(data, origin.name))
    for record in read_docx(converted, replace(origin, format="docx")):
        yield replace(record, notes=(_NOTE, *record.notes))


def _converted(data: bytes, name: str) -> bytes:
    """Return a document converted to .docx.

    Raises:
        InputError: if LibreOffice is missing, takes too long, or can't read the file.
    """
    program = _program()
    if program is None:
        raise InputError("needs LibreOffice, which converts it to .docx", name, _INSTALL)
    with _private_folder() as root:
        folder = Path(root)
        profile = folder / "profile"
        settings = profile / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        items = "".join(_ITEM.format(*map(escape, item)) for item in _SETTINGS)
        settings.write_text(f"{_HEAD}{items}</oor:items>", "utf-8")
        source, output = folder / "document.doc", folder / "document.docx"
        source.write_bytes(data)
        options = (
            "--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck",
            "--convert-to", "docx", "--outdir", root,
        )  # fmt: skip
        # Half of the time is left for reading the .docx.
        _run(
            [program, f"-env:UserInstallation={profile.as_uri()}", *options, str(source)],
            root,
            name,
            limits().time(len(data)) / 2,
        )
        if not output.is_file():
            raise InputError(
                "can't be converted by LibreOffice; remove its password if it has one, or save it as .docx.",
                name,
            )
        return output.read_bytes()


@contextmanager
def _private_folder() -> Iterator[str]:
    """Yield a folder that is removed afterwards, even if this process is killed."""
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with TemporaryDirectory(prefix="tacenda-", dir=place, ignore_cleanup_errors=True) as root:
        if os.name != "posix":
            yield root
            return
        # The shell waits for the end of a pipe whose other end only this process holds.
        with subprocess.Popen(
            ["/bin/sh", "-c", 'read -r line; rm -rf "$0"', root],
            stdin=subprocess.PIPE,
            env={"PATH": os.defpath},
            start_new_session=True,
        ):
            yield root


def _program() -> str | None:
    """Return the path of LibreOffice, or None if it isn't installed."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        return None
    # Start the program itself, not the launcher, whose child would outlive it.
    binary = Path(program).resolve().with_name("soffice.bin")
    return str(binary) if os.access(binary, os.X_OK) else program


def _run(command: Sequence[str], folder: str, name: str, seconds: float) -> None:
    """Run LibreOffice in the worker's process group, so that it ends with the worker.

    Raises:
        InputError: if it takes too long, or can't be started.
    """
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "TMPDIR": folder}
    environment |= {"SAL_USE_VCLPLUGIN": "svp", "LC_ALL": "C.UTF-8"}
    try:
        for _ in range(_MOST_STARTS):
            run = subprocess.run(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds, check=False,
            )  # fmt: skip
            if run.returncode != _RESTART:
                return
    except subprocess.TimeoutExpired:
        raise InputError(f"in LibreOffice, {limits().too_slow(seconds)}", name) from None
    except OSError as error:
        raise InputError(
            f"can't be converted: LibreOffice can't be started ({error.strerror}); check its installation.",
            name,
        ) from None
