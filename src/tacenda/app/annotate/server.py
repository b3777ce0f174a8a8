"""The server of annotation mode."""

from __future__ import annotations

from collections.abc import Collection

import uvicorn

from ..loopback import LOOPBACK
from ..web.security.access import Access
from .application import application
from .service import Annotating


def server(annotating: Annotating, access: Access, names: Collection[str] = ()) -> uvicorn.Server:
    """Return a server of the application.

    Args:
        annotating: the project.
        access: who may come in.
        names: by which it may be called besides those of loopback.
    """
    app = application(annotating, access, (*LOOPBACK, *names))
    # No access log: addresses hold the keys.
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, lifespan="off"
    )
    return uvicorn.Server(config)
