"""A sanitizer of few names, and an application served in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from tacenda.app.listening import address, listen
from tacenda.document import Document, Mention
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.detectors import KnownNames
from tests.serving import serving

_KNOWN = (
    ("Anna Berg", "PERSON", 0.9),
    ("Ben Cole", "PERSON", 0.7),
    ("Drammen", "LOC", 0.6),
    ("Acme", "ORG", 0.3),
)


class SlowNames(KnownNames):
    """Names of few people and places; ``slow`` waits until it is hurried, and ``broken`` fails.

    Attributes:
        is_hurried: set when ``slow`` may go on.
    """

    def __init__(self) -> None:
        super().__init__(*_KNOWN)
        self.is_hurried = threading.Event()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return where they are."""
        for document in documents:
            if "slow" in document.text:
                assert self.is_hurried.wait(60)
            if "broken" in document.text:
                raise RuntimeError(document.text)
        return super().detect(documents)


def sanitizer(names: SlowNames | None = None, **fields: object) -> Sanitizer:
    """Return a sanitizer without weights."""
    return Sanitizer(Policy(**{"threshold": 0.5, **fields}), names or SlowNames(), 0.5)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Serve an application in a thread; yield its address without a slash at the end."""
    with listen("127.0.0.1", 0) as listener:
        config = uvicorn.Config(app, access_log=False, log_level="critical", lifespan="on")
        with serving(uvicorn.Server(config), listener):
            yield address(listener, "")
