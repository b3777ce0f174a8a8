"""The browser, opened at a page of ours without a secret on any command line.

``ps`` shows every user of the machine what a browser is started with. So it is started with the name of a
file in a folder that is its owner's alone; the file leads on with a token that opens once, and goes away
when it was used.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from .listening import address
from .web.security.access import Access


@contextmanager
def in_browser(
    access: Access, name: str, listener: socket.socket, path: str = "/"
) -> Iterator[None]:
    """Open the browser for the time that the block takes.

    Args:
        access: lets it in.
        name: who comes in by it.
        listener: where the server listens.
        path: of the page.
    """
    folder = Path(tempfile.mkdtemp(prefix="tacenda-"))  # mode 0700

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    try:
        file = folder / "open.html"
        place = escape(address(listener, path, access.once(name, remove)))
        opened = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as stream:
            stream.write(
                '<!doctype html><meta charset="utf-8"><title>tacenda</title>'
                '<meta name="referrer" content="no-referrer">'
                f'<meta http-equiv="refresh" content="0;url={place}"><a href="{place}">Go on</a>\n'
            )
        webbrowser.open(file.as_uri())
        yield
    finally:
        remove()
