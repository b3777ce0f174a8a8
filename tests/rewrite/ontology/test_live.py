"""Wikidata is asked only once for a string, and answers are climbed by the first property."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from tacenda.document import SemanticType
from tacenda.errors import InputError
from tacenda_lab.live_ontology import LiveWikidata

_ENTITIES = {
    "Q10": ("Xyzzy", {"P279": ["Q99"], "P31": ["Q11"]}),
    "Q11": ("opera house", {"P279": ["Q12"]}),
    "Q12": ("theater", {"P279": ["Q11"]}),
    "Q20": ("Plugh", {"P31": ["Q5"]}),
    "Q5": ("human", {}),
}


class _Wikidata(BaseHTTPRequestHandler):
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        query = parse_qs(urlparse(self.path).query)
        self.asked.append(self.path)
        if query["action"] == ["wbsearchentities"]:
            named = query["search"][0]
            hits = [{"id": id, "label": label} for id, (label, _) in _ENTITIES.items()]
            answer: object = {"search": [hit for hit in hits if hit["label"] == named]}
        else:
            label, claims = _ENTITIES[query["ids"][0]]
            answer = {
                "entities": {
                    query["ids"][0]: {
                        "labels": {"en": {"value": label}},
                        "claims": {
                            property: [
                                {"mainsnak": {"datavalue": {"value": {"id": id}}}} for id in ids
                            ]
                            for property, ids in claims.items()
                        },
                    }
                }
            }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """A server on this machine that answers as Wikidata does."""
    _Wikidata.asked = []
    server = HTTPServer(("127.0.0.1", 0), _Wikidata)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/w/api.php"
    server.shutdown()
    thread.join()
    server.server_close()


def test_classes_are_climbed_by_the_first_property_and_cycles_end(
    endpoint: str, tmp_path: Path
) -> None:
    """Instance of comes before subclass of; theater leads back to opera house."""
    found = LiveWikidata(tmp_path, endpoint).lookup("Xyzzy", SemanticType.LOC)
    assert [each.text for each in found] == ["opera house", "theater"]
    assert found[0].source == "ontology:Q11"


def test_an_answer_is_kept(endpoint: str, tmp_path: Path) -> None:
    """The second time nothing is sent."""
    live = LiveWikidata(tmp_path, endpoint)
    first = live.lookup("Xyzzy", SemanticType.LOC)
    sent = len(_Wikidata.asked)
    assert live.lookup("Xyzzy", SemanticType.LOC) == first
    assert len(_Wikidata.asked) == sent


def test_a_person_is_not_generalised(endpoint: str, tmp_path: Path) -> None:
    """Wikidata knows people; what a person is does not stand for a place or organisation."""
    assert LiveWikidata(tmp_path, endpoint).lookup("Plugh", SemanticType.ORG) == ()


def test_no_answer_is_an_error_without_the_text(tmp_path: Path) -> None:
    """The message names the server and the way out, and not what was asked."""
    live = LiveWikidata(tmp_path, "http://127.0.0.1:9/nothing", timeout=2)
    with pytest.raises(InputError, match="allow-network") as raised:
        live.lookup("Secret Name", SemanticType.ORG)
    assert "Secret" not in str(raised.value)
