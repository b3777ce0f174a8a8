"""Every page with one of each thing: a number is followed by the noun that belongs to it."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from tacenda.app.service import Service
from tacenda.wording import counted
from tests.waiting import until

_NOUNS = (
    "annotators attempts boxes characters combinations comments decisions documents entities files mentions "
    "names pages people places rows spans strings words"
).split()
_WRONG = re.compile(rf"(?<![\w.,–-])1 (?:[a-z]+ ){{0,2}}(?:{'|'.join(_NOUNS)})\b")
_TAG = re.compile(r"<(?:script|style).*?</(?:script|style)>|<[^>]*>", re.DOTALL)


def _words(page: str) -> str:
    """What a reader sees of a page, on one line."""
    return " ".join(unescape(_TAG.sub("", page)).split())


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 boxes"), (1, "1 box"), (2, "2 boxes"), (1200, "1,200 boxes")]
)
def test_a_number_has_its_noun(number: int, words: str) -> None:
    """One thing is singular, all other numbers are plural, and thousands are set apart."""
    assert counted(number, "box", "boxes") == words
    assert counted(number, "row") == words.replace("boxes", "rows").replace("box", "row")


def test_one_of_each_thing_is_singular(inside: TestClient, made: Service) -> None:
    """On the pages of a project with one document, which is a table of one row with one name."""
    table = b"id,note\n1,Kentville was where it happened\n"
    files = [("files", ("visits.csv", table, "text/csv"))]
    columns = json.dumps([["note"]])
    assert inside.post("/projects", data={"columns": columns}, files=files).status_code == 204
    until(lambda: not made.store.documents.waiting(1))
    project = f"/projects/{made.store.projects.all()[0].handle}"
    (row,) = made.store.documents.of(1)
    (file,) = made.store.lists.tables(1)
    begun = inside.post(f"{project}/annotation", data={"annotators": "ann"})
    places = [
        "/",
        project,
        f"{project}/queue",
        f"{project}/decisions",
        f"{project}/release",
        f"{project}/tables/{file.id}",
        f"/documents/{row.handle}",
    ]
    pages = {place: _words(inside.get(place).text) for place in places}
    pages["annotation"] = _words(begun.text)
    for place, words in pages.items():
        assert _WRONG.findall(words) == [], place
    assert "1 document, 0 reviewed" in pages["/"]
    assert "1 in 1 place" in pages[project]
    assert "1 place in 1 document" in pages[f"{project}/decisions"]
    assert "1 row of" in pages[f"{project}/tables/{file.id}"]


def test_what_one_document_is_told_is_singular(inside: TestClient, made: Service) -> None:
    """In the notices and remarks about it, too."""
    inside.post("/projects", data={"text": "Kentville. Kentville."})
    until(lambda: not made.store.documents.waiting(1))
    project = f"/projects/{made.store.projects.all()[0].handle}"
    (row,) = made.store.documents.of(1)
    checks = _words(inside.get(f"{project}/release").text)
    assert "1 undecided name stays readable" in checks
    names = json.dumps([["Kentville", "LOC"]])
    answer = inside.post(f"{project}/decisions", data={"names": names, "action": "mask"})
    assert "1 document changed" in answer.text
    given = inside.post(f"{project}/assignments", data={"documents": row.handle})
    assert "1 document is assigned" in given.headers["HX-Trigger"]
