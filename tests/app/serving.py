"""The application in a process of its own: ``python -m tests.app.serving STORE TEXT``."""

from __future__ import annotations

import sys
from pathlib import Path

from tacenda.app.listening import address, listen
from tacenda.app.server import server
from tacenda.app.web.access import Access

from .building import addressed, service


def main() -> None:
    """Serve one document until the process ends; print the address."""
    folder, text = sys.argv[1:]
    access = Access("Ann")
    with listen("127.0.0.1", 0) as listener:
        made = service(Path(folder), text)
        print(address(listener, token=access.token), addressed(made, "/documents/1"), flush=True)
        server(made.store, access, (), made).run([listener])


if __name__ == "__main__":
    main()
