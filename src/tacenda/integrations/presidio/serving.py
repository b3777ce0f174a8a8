"""Run the service in one process, or in several that share a socket."""

from __future__ import annotations

import json
import os
import socket
import tempfile
from dataclasses import asdict

import uvicorn
from starlette.applications import Starlette

from .gate import ServiceLimits
from .metrics import FOLDER
from .service import ServiceSettings

_SETTINGS = "TACENDA_PRESIDIO_SETTINGS"
"""Variable with what each process is made from; it names files, and holds nothing of them."""


def serve(settings: ServiceSettings, listener: socket.socket, workers: int = 1) -> None:
    """Serve until the program is stopped.

    Args:
        settings: the settings of each process.
        listener: the socket.
        workers: number of processes; each loads the weights and has its own limits.
    """
    # Loaded once here, so that an invalid policy is reported before any process starts.
    application = settings.application()
    # No access log, since addresses are the sender's own text.
    if workers == 1:
        config = uvicorn.Config(
            application, access_log=False, log_level="warning", server_header=False, lifespan="on"
        )
        uvicorn.Server(config).run([listener])
        return
    with tempfile.TemporaryDirectory(prefix="tacenda-metrics-") as folder:
        os.environ |= {FOLDER: folder, _SETTINGS: json.dumps(asdict(settings))}
        try:
            uvicorn.run(
                f"{__name__}:of_environment",
                factory=True,
                workers=workers,
                fd=listener.fileno(),
                access_log=False,
                log_level="warning",
                server_header=False,
                lifespan="on",
            )
        finally:
            del os.environ[FOLDER], os.environ[_SETTINGS]


def of_environment() -> Starlette:
    """Return the application of one of several processes."""
    fields = json.loads(os.environ[_SETTINGS])
    fields["limits"] = ServiceLimits(**fields["limits"])
    fields["hosts"] = tuple(fields["hosts"])
    return ServiceSettings(**fields).application()
