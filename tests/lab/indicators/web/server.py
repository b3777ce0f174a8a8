"""A search engine on this machine: answers as it was told to, and remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Asked:
    """One request: its method, path, parameters (of the address or the form), headers and body."""

    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    body: str = ""


@dataclass
class Engine:
    """What the server says.

    Attributes:
        answer: called with each request; returns a JSON value, or bytes as they are, or a status
            with one of them and headers.
        asked: the requests so far.
    """

    answer: Callable[[Asked], Any] = lambda _: {}
    asked: list[Asked] = field(default_factory=list)
    base: str = ""


@contextmanager
def running() -> Iterator[Engine]:
    """Run an engine on a free port of this machine."""
    engine = Engine()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._respond(urlsplit(self.path).query)

        def do_POST(self) -> None:
            self._respond(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def log_message(self, *arguments: object) -> None:
            pass

        def _respond(self, encoded: str) -> None:
            parameters = {name: values[0] for name, values in parse_qs(encoded).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, urlsplit(self.path).path, parameters, headers, encoded)
            engine.asked.append(asked)
            said = engine.answer(asked)
            status, body, further = said if isinstance(said, tuple) else (200, said, {})
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **further}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    engine.base = f"http://127.0.0.1:{server.server_port}"
    try:
        yield engine
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
