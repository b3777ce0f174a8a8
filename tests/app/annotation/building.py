"""A small project of annotation, and clients of its pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

from httpx import Response
from starlette.testclient import TestClient

from tacenda.app.annotation.annotation import SpanMark, SpanMarks
from tacenda.app.annotation.service import (
    ADJUDICATOR,
    AnnotationProject,
    AnnotationService,
    AnnotationView,
)
from tacenda.app.annotation.store import AnnotationSource, Flow
from tacenda.app.events import Event, EventKind
from tacenda.app.store import Store
from tacenda.app.web.access import Access
from tacenda.app.web.application import application
from tacenda.app.web.keys import Key
from tacenda.document import IdentifierType, SemanticType, Span

TEXT = (
    "Mr Galip Yalman lives in Ankara.\n\n"
    "<script>alert(1)</script> Galip Yalman, a journalist, was ill on 4 May 1999.\n"
)
JUDGMENT = AnnotationSource("001-1", TEXT, "dev", ("Galip Yalman",))
NOTE = AnnotationSource("note", "Ada Byron met Ben Cole in 1994.")


def at(string: str, text: str = TEXT, nth: int = 0) -> Span:
    """Return where the ``nth`` occurrence of ``string`` is."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(string, start + 1)
    return Span(start, start + len(string))


def add(string: str, type: str = "PERSON", text: str = TEXT, nth: int = 0) -> Event:
    """Return the act that marks an occurrence of a string."""
    return Event(EventKind.ADD, (at(string, text, nth),), type)


def replaced(name: str = "wiki") -> AnnotationSource:
    """Return a document of the replacement flow with two spans to replace."""
    text = "Ada Byron was born on 4 May 1815 in London."
    quasi = IdentifierType.QUASI
    marks = (
        SpanMark(
            at("Ada Byron", text),
            SemanticType.PERSON,
            IdentifierType.DIRECT,
            entity="e1",
            options=(("heuristics", ("PERSON 1", "***")),),
        ),
        SpanMark(
            at("4 May 1815", text),
            SemanticType.DATETIME,
            quasi,
            entity="e2",
            options=(("heuristics", ("1815", "date in the 1810s", "***")),),
        ),
        SpanMark(at("London", text), SemanticType.LOC, IdentifierType.NO_MASK, entity="e3"),
    )
    return AnnotationSource(name, text, "test", ("Ada Byron",), SpanMarks("annotator3", marks))


def project(
    folder: Path,
    sources: Sequence[AnnotationSource] = (JUDGMENT, NOTE),
    annotators: Sequence[str] = ("ann", "ben"),
    flow: Flow = Flow.TAB,
) -> AnnotationProject:
    """Return a project with these documents, numbered from 1."""
    store = Store(folder / "annotations.db", "--project")
    return AnnotationService(store).begin("annotations", flow, annotators, sources)


def make(
    project: AnnotationProject, person: str, *events: Event, document: int = 1
) -> AnnotationView:
    """Do one thing after the other and return the annotation."""
    view = project.open(document, person)
    for event in events:
        view = project.do(document, person, view.revision, event)
    return view


def keys(project: AnnotationProject) -> dict[str, str]:
    """Return a key for each annotator and the adjudicator."""
    people = (*project.annotators, ADJUDICATOR)
    return {name: f"key-of-{name}-sixteen-letters" for name in people}


def access(project: AnnotationProject) -> Access:
    """Return the access that these keys give."""
    return Access("", {name: Key.of(key) for name, key in keys(project).items()})


SUBMIT = Event(EventKind.SUBMIT)


class Visitor:
    """A person in a browser, without the browser; addresses are those below the project's."""

    def __init__(self, project: AnnotationProject, person: str) -> None:
        self.base = f"/annotation/{project.project.handle}"
        app = application(project.store, access(project))
        self.client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
        if person:
            self.client.get(f"/?token={keys(project)[person]}")

    def get(self, path: str) -> Response:
        """Ask for a page."""
        return self.client.get(self.base + path)

    def post(self, path: str, values: Any, proof: str | None = None) -> Response:
        """Send values with the proof that the pages of this session have."""
        if proof is None:
            (proof,) = re.findall('"X-Tacenda-Proof": "([^"]*)"', self.get("/").text)
        headers = {"X-Tacenda-Proof": unescape(proof)}
        return self.client.post(self.base + path, json=values, headers=headers)

    def act(
        self, revision: int, act: Event, document: int = 1, everywhere: bool = False
    ) -> Response:
        """Make an act."""
        sent = {"revision": revision, "act": act.as_object(), "everywhere": everywhere}
        return self.post(f"/documents/{document}/acts", sent)
