"""The application in a process of its own: ``python -m tests.app.serving STORE TEXT``."""

from __future__ import annotations

import sys
from pathlib import Path

from tacenda.app.listening import listen
from tacenda.app.server import address, server
from tacenda.app.web.security.access import Access

from .building import addressed, service


def main() -> None:
    """Serve one document until the process ends; print the address."""
    folder, text = sys.argv[1:]
    access = Access("Ann")
    with listen("127.0.0.1", 0) as listener:
        made = service(Path(folder), text)
        print(address(listener, access), addressed(made, "/documents/1"), flush=True)
        server(made, access).run([listener])


if __name__ == "__main__":
    main()
