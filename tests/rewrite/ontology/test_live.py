"""Wikidata is asked only where it is allowed, only once for a string, and answers are climbed by the first property."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import chain
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from tacenda.app.review import ReviewState
from tacenda.app.review.redecide import options_of, redecide
from tacenda.document import Document, SemanticType
from tacenda.errors import ServiceError
from tacenda.pipeline import load
from tacenda.policy import Policy, Rule
from tacenda.rewrite.ontology import shipped
from tacenda_lab.live_ontology import LiveOntology, LiveWikidata
from tacenda_lab.train.ontology.membership import build_from_triples
from tests.frozen.shell import tacenda
from tests.triples import wikidata_folder

_ENTITIES = {
    "Q10": ("Xyzzy", {"P279": ["Q99"], "P31": ["Q11"]}),
    "Q11": ("opera house", {"P279": ["Q12"]}),
    "Q12": ("theater", {"P279": ["Q11"]}),
    "Q20": ("Plugh", {"P31": ["Q5"]}),
    "Q5": ("human", {}),
    "Q30": ("Frobozz", {"P361": ["Q31"]}),
    **{f"Q{n}": (f"level {n}", {"P279": [f"Q{n + 1}"]}) for n in range(31, 39)},
    "Q39": ("top", {}),
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
    found = LiveWikidata(tmp_path, endpoint, seconds=0).lookup("Xyzzy", SemanticType.LOC)
    assert [each.text for each in found] == ["opera house", "theater"]
    assert found[0].source == "ontology:Q11"


def test_an_answer_is_kept(endpoint: str, tmp_path: Path) -> None:
    """The second time nothing is sent."""
    live = LiveWikidata(tmp_path, endpoint, seconds=0)
    first = live.lookup("Xyzzy", SemanticType.LOC)
    sent = len(_Wikidata.asked)
    assert live.lookup("Xyzzy", SemanticType.LOC) == first
    assert len(_Wikidata.asked) == sent


def test_a_person_is_not_generalised(endpoint: str, tmp_path: Path) -> None:
    """Wikidata knows people; what a person is does not stand for a place or organisation."""
    assert LiveWikidata(tmp_path, endpoint, seconds=0).lookup("Plugh", SemanticType.ORG) == ()


def test_no_answer_is_an_error_without_the_text(tmp_path: Path) -> None:
    """The message names the server, and not what was asked."""
    live = LiveWikidata(tmp_path, "http://127.0.0.1:9/nothing", timeout=2)
    with pytest.raises(ServiceError, match="Wikidata") as raised:
        live.lookup("Secret Name", SemanticType.ORG)
    assert "Secret" not in str(raised.value)


def test_the_way_up_is_not_cut(endpoint: str, tmp_path: Path) -> None:
    """Nine steps, and the top."""
    found = LiveWikidata(tmp_path, endpoint, seconds=0).lookup("Frobozz", SemanticType.MISC)
    assert [each.text for each in found] == [*(f"level {n}" for n in range(31, 39)), "top"]
    populations = [each.population for each in found]
    assert populations == sorted(populations)


def test_requests_keep_their_distance(endpoint: str, tmp_path: Path) -> None:
    """Five requests take four distances at least; cached answers none."""
    live = LiveWikidata(tmp_path, endpoint, seconds=0.05)
    began = time.monotonic()
    live.lookup("Xyzzy", SemanticType.LOC)
    assert time.monotonic() - began >= 0.05 * (len(_Wikidata.asked) - 1) > 0
    count = len(_Wikidata.asked)
    live.lookup("Xyzzy", SemanticType.LOC)
    assert len(_Wikidata.asked) == count


@pytest.fixture
def wikidata(endpoint: str, tmp_path: Path) -> LiveWikidata:
    """Wikidata; Anna Frobozz is to be protected everywhere."""
    return LiveWikidata(tmp_path, endpoint, seconds=0, withheld=["Anna Frobozz"])


@pytest.fixture
def beside(wikidata: LiveWikidata) -> LiveOntology:
    """The shipped ontology, and Wikidata; Ada Plugh is to be protected in the policy, Berta Quux in the document."""
    return wikidata(Policy(target=("Ada Plugh",)), ["Berta Quux"])


def test_what_the_ontology_knows_is_not_asked(beside: LiveOntology) -> None:
    """Oslo is known."""
    assert beside.lookup("Oslo", SemanticType.LOC) == shipped().lookup("Oslo", SemanticType.LOC)
    assert not _Wikidata.asked


def test_a_string_goes_without_its_sentence(wikidata: LiveWikidata, beside: LiveOntology) -> None:
    """The server sees the string and the classes, and nothing that stands around."""
    found = beside.lookup("Xyzzy", SemanticType.LOC, "Berta Skorb sang in Xyzzy with a cold.")
    assert [each.text for each in found] == ["opera house", "theater"]
    assert wikidata.asked == 1
    queries = [parse_qs(urlparse(path).query) for path in _Wikidata.asked]
    assert {*chain(*(query.get("search", []) for query in queries))} == {"Xyzzy"}
    assert not any(word in path for word in ("Berta", "Skorb", "cold") for path in _Wikidata.asked)


@pytest.mark.parametrize(
    "string",
    [
        "Frobozz Ltd",
        "anna",
        "Plugh Hall",
        "quux",
        "file 4027/05",
        "x@xyzzy.org",
        "https://xyzzy",
        "Xyzzy " * 20,
    ],
)
def test_names_to_protect_numbers_and_addresses_are_never_sent(
    beside: LiveOntology, string: str
) -> None:
    """Nor what is too long for a name."""
    beside.lookup(string, SemanticType.MISC)
    assert not _Wikidata.asked


def test_without_an_answer_the_ontology_goes_on_alone(tmp_path: Path) -> None:
    """Nothing is asked for a while; how many strings that concerned is counted."""
    live = LiveWikidata(tmp_path, "http://127.0.0.1:9/nothing", timeout=2, seconds=30)
    beside = live(Policy(), [])
    for string in ("Xyzzy", "Plugh"):
        assert beside.lookup(string, SemanticType.LOC) == shipped().lookup(string, SemanticType.LOC)
    assert (live.asked, live.unanswered) == (0, 2)


_FAST = "recognizer: false\nthreshold: 0.2\nresidual_risk: 1.0\nprefer: detail\ndeny: [{exact: Xyzzy, type: LOC}]\n"


@pytest.mark.parametrize(
    ("arguments", "code", "written"),
    [
        ((), 0, "[place]"),
        (("--ask-wikidata", "--allow-network"), 0, "[opera house]"),
        (("--ask-wikidata",), 2, ""),
    ],
)
def test_sanitize_asks_where_it_is_told_to_and_allowed(
    endpoint: str, tmp_path: Path, arguments: tuple[str, ...], code: int, written: str
) -> None:
    """Never by default; and stderr says what leaves the machine, and where it goes."""
    (tmp_path / "fast.yaml").write_text(_FAST, "utf-8")
    (tmp_path / "letter.txt").write_text("She sang in Xyzzy.", "utf-8")
    call = ["sanitize", "letter.txt", "--policy", "fast.yaml", "--operator", "generalize"]
    (run,) = tacenda(tmp_path, [*call, "--wikidata-endpoint", endpoint, *arguments])
    assert run.code == code, run.err
    assert written in run.out
    asks = code == 0 and bool(arguments)
    assert bool(_Wikidata.asked) is asks
    err = "".join(run.err.split())
    assert ("leavethismachine" in err and endpoint in err) is asks
    assert ("Wikidata:1stringsaskedabout,0withoutananswer" in err) is asks


_REVIEWED = Policy(
    recognizer=False,
    threshold=0.2,
    residual_risk=1.0,
    prefer="detail",
    operator="generalize",
    deny=[Rule(exact="Xyzzy", type="LOC")],
)


def _reviewed(
    wikidata: LiveWikidata, policy: Policy, target: tuple[str, ...] = ()
) -> tuple[str, list[str]]:
    """The text of a review, and the options of what is masked."""
    sanitizer = load(_REVIEWED, ontology=wikidata)
    document = Document("a", "She sang in Xyzzy, the drummer.", target)
    analysis = sanitizer.with_policy(policy).analyze(document)
    reviewed = redecide(analysis, policy, 0.2, ReviewState(), sanitizer.parts)
    (decision,) = reviewed.sanitized.decisions
    options = options_of(reviewed, policy, decision.entity.id, sanitizer.parts)
    return reviewed.sanitized.text, [each.text for each in options]


def test_a_review_offers_what_wikidata_says(wikidata: LiveWikidata) -> None:
    """The options of an entity, and what is written."""
    text, options = _reviewed(wikidata, _REVIEWED)
    assert options == ["opera house", "theater", "***"]
    assert "[opera house]" in text


def test_a_review_sends_no_name_of_the_documents_target(wikidata: LiveWikidata) -> None:
    """The target may be given with the document, in the browser, instead of in the policy."""
    _reviewed(wikidata, _REVIEWED, target=("Xyzzy",))
    assert not _Wikidata.asked


def test_a_review_uses_the_ontology_of_its_project(wikidata: LiveWikidata, tmp_path: Path) -> None:
    """Not that of the command line's policy."""
    triples = wikidata_folder(tmp_path / "triples")
    build_from_triples(triples, tmp_path / "people", everything=False)
    deny = (Rule(exact="drummer", type="MISC"),)
    policy = _REVIEWED.with_changes(ontology=str(tmp_path / "people"), deny=deny)
    steps = ["percussionist", "instrumentalist", "musician", "artist", "creator", "person"]
    assert _reviewed(wikidata, policy)[1] == [*steps, "***"]
