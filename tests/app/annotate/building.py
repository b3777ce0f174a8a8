"""A small project of annotation, and clients of its pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

from httpx import Response
from starlette.testclient import TestClient

from tacenda.app.annotate.application import application
from tacenda.app.annotate.change import Act, Kind
from tacenda.app.annotate.marks import Mark, Marks
from tacenda.app.annotate.people import access_with, keys_for
from tacenda.app.annotate.service import Annotating, Opened
from tacenda.app.annotate.store import AnnotationStore, Flow, Source
from tacenda.document import IdentifierType, SemanticType, Span

TEXT = (
    "Mr Galip Yalman lives in Ankara.\n\n"
    "<script>alert(1)</script> Galip Yalman, a journalist, was ill on 4 May 1999.\n"
)
JUDGMENT = Source("001-1", TEXT, "dev", ("Galip Yalman",))
NOTE = Source("note", "Ada Byron met Ben Cole in 1994.")


def at(string: str, text: str = TEXT, nth: int = 0) -> Span:
    """Return where the ``nth`` occurrence of ``string`` is."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(string, start + 1)
    return Span(start, start + len(string))


def add(string: str, type: str = "PERSON", text: str = TEXT, nth: int = 0) -> Act:
    """Return the act that marks an occurrence of a string."""
    return Act(Kind.ADD, (at(string, text, nth),), type)


def replaced(name: str = "wiki") -> Source:
    """Return a document of the replacement flow with two spans to replace."""
    text = "Ada Byron was born on 4 May 1815 in London."
    quasi = IdentifierType.QUASI
    marks = (
        Mark(
            at("Ada Byron", text),
            SemanticType.PERSON,
            IdentifierType.DIRECT,
            entity="e1",
            options=(("heuristics", ("PERSON 1", "***")),),
        ),
        Mark(
            at("4 May 1815", text),
            SemanticType.DATETIME,
            quasi,
            entity="e2",
            options=(("heuristics", ("1815", "date in the 1810s", "***")),),
        ),
        Mark(at("London", text), SemanticType.LOC, IdentifierType.NO_MASK, entity="e3"),
    )
    return Source(name, text, "test", ("Ada Byron",), Marks("annotator3", marks))


def project(
    folder: Path,
    sources: Sequence[Source] = (JUDGMENT, NOTE),
    annotators: Sequence[str] = ("ann", "ben"),
    flow: Flow = Flow.TAB,
) -> Annotating:
    """Return a project with these documents, numbered from 1."""
    store = AnnotationStore(folder / "annotations.db")
    store.begin(flow, annotators)
    store.add(sources)
    return Annotating(store, flow)


def make(annotating: Annotating, person: str, *acts: Act, document: int = 1) -> Opened:
    """Make acts one after the other and return the annotation."""
    opened = annotating.open(document, person)
    for act in acts:
        opened = annotating.do(document, person, opened.revision, act)
    return opened


SUBMIT = Act(Kind.SUBMIT)


class Visitor:
    """A person in a browser, without the browser."""

    def __init__(self, annotating: Annotating, person: str) -> None:
        self.keys = keys_for(annotating.annotators)
        app = application(annotating, access_with(self.keys))
        self.client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
        if person:
            self.client.get(f"/?token={self.keys[person]}")

    def get(self, path: str) -> Response:
        """Ask for a page."""
        return self.client.get(path)

    def post(self, path: str, values: Any, proof: str | None = None) -> Response:
        """Send values with the proof that the pages of this session have."""
        if proof is None:
            (proof,) = re.findall('name="proof" content="([^"]*)"', self.get("/").text)
        headers = {"X-Tacenda-Proof": unescape(proof)}
        return self.client.post(path, json=values, headers=headers)

    def act(self, revision: int, act: Act, document: int = 1, everywhere: bool = False) -> Response:
        """Make an act."""
        sent = {"revision": revision, "act": act.as_object(), "everywhere": everywhere}
        return self.post(f"/documents/{document}/acts", sent)
