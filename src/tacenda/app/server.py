"""The application's server, and opening a browser at it without putting a secret on a command line.

``ps`` shows a browser's command line to every user of the machine. So the browser opens a file in a
private folder, which redirects with a single-use token and is deleted after use.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import webbrowser
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import uvicorn

from .listening import LOOPBACK, address
from .service import Service
from .store import Store
from .web.access import Access
from .web.application import application


@contextmanager
def in_browser(
    access: Access, name: str, listener: socket.socket, path: str = "/"
) -> Iterator[None]:
    """Open the browser, and keep its start file while the block runs.

    Args:
        access: creates the token.
        name: name of the person.
        listener: the server's socket.
        path: path of the page to open.
    """
    folder = Path(tempfile.mkdtemp(prefix="tacenda-"))  # mode 0700

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    try:
        file = folder / "open.html"
        place = escape(address(listener, path, access.once(name, remove)))
        document_view = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(document_view, "w", encoding="utf-8") as stream:
            stream.write(
                '<!doctype html><meta charset="utf-8"><title>tacenda</title>'
                '<meta name="referrer" content="no-referrer">'
                f'<meta http-equiv="refresh" content="0;url={place}"><a href="{place}">Go on</a>\n'
            )
        webbrowser.open(file.as_uri())
        yield
    finally:
        remove()


def server(
    store: Store, access: Access, names: Collection[str] = (), service: Service | None = None
) -> uvicorn.Server:
    """Return the application's server.

    Args:
        store: the store of projects.
        access: tokens, keys and sessions.
        names: host names in addition to the loopback names.
        service: the review service, or None for annotation only.
    """
    app = application(store, access, (*LOOPBACK, *names), service)
    # No access log: URLs contain the token.
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, lifespan="on"
    )
    return uvicorn.Server(config)
