"""A sanitizer without a model, a service over it, and clients of its application."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import httpx
from starlette.testclient import TestClient

from tacenda.app.review.indicators import Background
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.database import NotFound
from tacenda.app.store.documents import NewDocument
from tacenda.app.web.access import Access
from tacenda.app.web.application import application
from tacenda.app.web.keys import Key, Role
from tacenda.background.documents import IndexBuilder
from tacenda.document import Document
from tacenda.models.bounds import BoundTable, DomainLoss
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.detectors import KnownNames

LETTER = (
    "Ada Byron wrote to Ben Cole on 12 March 1994.\n\n"
    "Ben Cole lives in Kentville; <script>alert(1)</script> & so does Ada Byron.\n"
)
MEMO = "Memo: Ada Byron called. Her sister, Eve Byron, did not. Ben Cole was in Kentville."
KNOWN = (
    ("Ada Byron", "PERSON", 0.9),
    ("Ben Cole", "PERSON", 0.6),
    ("Eve Byron", "PERSON", 0.7),
    ("12 March 1994", "DATETIME", 0.4),
    ("Kentville", "LOC", 0.2),
)
"""What the detector knows."""


BOUNDS = BoundTable(
    0.95,
    (0.05, 0.25, 0.5),
    {
        "court": DomainLoss(90, (0.01, 0.02, 0.04), (0.03, 0.05, 0.08), (0.05, 0.1, 0.1)),
        "chat": DomainLoss(90, (0.02, 0.2, 0.4), (0.04, 0.3, 0.5), (0.1, 0.5, 1.0)),
    },
)
"""What the detector loses, as if somebody had measured it."""


def sanitizer(policy: Policy | None = None) -> Sanitizer:
    """Return a sanitizer that tags what the detector knows."""
    settings = policy or Policy(operator="tag", patterns=False)
    return Sanitizer(settings, KnownNames(*KNOWN), 0.5, bounds=BOUNDS.promise)


def documents(*texts: str) -> list[NewDocument]:
    """Return texts as documents ``d1.txt``, and so on."""
    return [
        NewDocument(Document(f"d{number}.txt", text)) for number, text in enumerate(texts, start=1)
    ]


def service(
    folder: Path,
    *texts: str | NewDocument,
    policy: Policy | None = None,
    background: Background | None = None,
) -> Service:
    """Return a service whose project 1 has these texts, analysed."""
    made = Service(
        Store(folder / "projects.db"), sanitizer(policy), policy_name="tags", background=background
    )
    # What a power cut would leave is tested with a store alone; waiting for the disk costs more than most tests.
    made.store.database.rows("PRAGMA synchronous = OFF")
    if texts:
        named = [
            NewDocument(Document(f"d{number}.txt", item)) if isinstance(item, str) else item
            for number, item in enumerate(texts, start=1)
        ]
        project = made.add_project("Letters", named)
        for row in made.store.documents.of(project.id):
            made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))
    return made


def knowledge(folder: Path) -> Path:
    """Return an index that leads to Ada Byron by the day and the town together, not by one of them."""
    path = folder / "knowledge.db"
    with IndexBuilder(path) as builder:
        builder.begin("pages")
        builder.add("ada", "Ada Byron was in Kentville on 12 March 1994.")
        for number in range(30):
            builder.add(f"day-{number}", f"On 12 March 1994 it rained in place {number}.")
            builder.add(f"town-{number}", f"Kentville has a road of number {number}.")
        builder.finish()
    return path


def addressed(made: Service, text: str) -> str:
    """Return a text with the addresses of things as they are: ``projects/1`` with its handle."""

    def handle(match: re.Match[str]) -> str:
        table = made.store.projects if match[1] == "projects" else made.store.documents
        try:
            return f"{match[1]}/{table.get(int(match[2])).handle}"
        except NotFound:
            return match[0]

    return re.sub(r"\b(projects|documents)/(\d+)\b", handle, text)


class Client(TestClient):
    """A client that knows projects and documents by their numbers."""

    made: Service

    def request(self, method: str, url: Any, **options: Any) -> httpx.Response:
        """Ask, with handles in the address where there are numbers."""
        # Documents of an annotation have numbers in their addresses.
        address = str(url) if "/annotation/" in str(url) else addressed(self.made, str(url))
        return super().request(method, address, **options)


def client(made: Service, access: Access | None = None) -> TestClient:
    """Return a client outside: without cookie or key."""
    access = access or Access("Ann")
    app = application(made.store, access, service=made)
    found = Client(app, base_url="http://127.0.0.1", follow_redirects=False)
    found.made = made
    found.access = access  # type: ignore[attr-defined]
    return found


def come_in(outside: TestClient) -> TestClient:
    """Open the address with the token, and send from then on what the pages send."""
    access: Access = outside.access  # type: ignore[attr-defined]
    assert outside.get(f"/?token={access.token}").status_code == 303
    page = outside.get("/").text
    found = re.search(r'"X-Tacenda-Proof": "([^"]+)"', unescape(page))
    assert found is not None
    outside.headers["X-Tacenda-Proof"] = found[1]
    return outside


@contextmanager
def programs(made: Service, keys: Mapping[str, str]) -> Iterator[dict[str, TestClient]]:
    """Yield the program of each person, who has the key; ``root`` is an administrator."""
    access = Access(
        "local", {n: Key.of(k, Role.ADMIN if n == "root" else Role.USER) for n, k in keys.items()}
    )
    with client(made, access) as outside:  # the one that analyses, and is told of new documents
        found = {}
        for name, key in keys.items():
            found[name] = TestClient(outside.app, "http://127.0.0.1", follow_redirects=False)
            found[name].headers["Authorization"] = f"Bearer {key}"
        yield found
