"""The pages, as a browser asks for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tacenda.app.annotation.service import ADJUDICATOR, AnnotationProject
from tacenda.app.annotation.store import Flow
from tacenda.app.events import Event, EventKind
from tacenda.evaluate.gold import parse_gold

from .building import SUBMIT, Visitor, add, at, make, project, replaced

_TOWN = Event(EventKind.IDENTIFIER, (at("Ankara"),), "QUASI")


@pytest.fixture
def annotations(tmp_path: Path) -> Iterator[AnnotationProject]:
    """Return a project of Ann and Ben."""
    made = project(tmp_path)
    yield made
    made.store.close()


def test_strangers_stay_outside(annotations: AnnotationProject) -> None:
    """Without a key, by another name, from another page, without the proof: no."""
    stranger = Visitor(annotations, "")
    assert stranger.get("/documents/1").headers["location"] == "/login"
    assert stranger.client.get("/", headers={"host": "evil.example"}).status_code == 421
    ann = Visitor(annotations, "ann")
    sent = {"revision": 0, "act": add("Ankara", "LOC").as_object()}
    assert ann.post("/documents/1/acts", sent, proof="guessed").status_code == 403
    foreign = {"origin": "http://evil.example"}
    assert ann.client.post("/documents/1/acts", json=sent, headers=foreign).status_code == 403
    assert annotations.revision(1, "ann") == 0


def test_no_answer_has_inline_script_or_style(annotations: AnnotationProject) -> None:
    """The content security policy allows none, and documents can't bring any."""
    make(annotations, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    make(annotations, "ben", add("Ankara", "ORG"), _TOWN, SUBMIT)
    ann = Visitor(annotations, "ann")
    for path in (
        "/",
        "/documents/1",
        "/documents/1/review/ben",
        "/documents/1/differences",
        "/agreement",
    ):
        answer = ann.get(path)
        assert answer.status_code == 200
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "<script>" not in answer.text
        assert not re.search(r"<style|\sstyle=|\son\w+=", answer.text)
        assert "no-store" in answer.headers["cache-control"]


def test_an_act_is_on_disk_before_the_page_says_so(annotations: AnnotationProject) -> None:
    """The answer shows what another reader of the file finds."""
    ann = Visitor(annotations, "ann")
    answer = ann.act(0, add("Galip Yalman"), everywhere=True)
    assert 'data-revision="1"' in answer.text
    assert answer.text.count('class="m PERSON doubtful NOT_CONFIDENTIAL"') == 2
    assert annotations.revision(1, "ann") == 1


def test_the_list_parts_what_it_says_of_an_entity(annotations: AnnotationProject) -> None:
    """Decision and confidential status are two things."""
    status = Event(EventKind.STATUS, (at("Ankara"),), "ETHNIC")
    make(annotations, "ann", add("Ankara", "LOC"), _TOWN, status)
    page = re.sub("<[^>]*>", "", Visitor(annotations, "ann").get("/documents/1").text)
    assert "indirect identifier, racial or ethnic origin" in page


def test_a_late_act_gets_the_latest_state(annotations: AnnotationProject) -> None:
    """409, and the page as it is now."""
    ann = Visitor(annotations, "ann")
    ann.act(0, add("Ankara", "LOC"))
    for path in ("acts", "undo"):
        sent = {"revision": 0, "act": add("journalist", "DEM").as_object()}
        answer = ann.post(f"/documents/1/{path}", sent)
        assert answer.status_code == 409
        assert "Ankara: place, undecided" in answer.text


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"revision": 0, "act": {"kind": "add", "spans": [[0, 99999]], "value": "LOC"}}, 422),
        ({"revision": 0, "act": {"kind": "dance"}}, 422),
        ({"revision": -1, "act": {"kind": "submit"}}, 422),
        ({"revision": 0, "act": {"kind": "check", "value": "protected"}}, 422),
        ("Galip Yalman", 422),
    ],
)
def test_what_can_not_be_done_says_why_without_text(
    annotations: AnnotationProject, sent: object, status: int
) -> None:
    """The message has the place, never what stood in the request."""
    answer = Visitor(annotations, "ann").post("/documents/1/acts", sent)
    assert answer.status_code == status
    assert 'id="problem"' in answer.text
    assert "Yalman" not in answer.text


def test_others_are_seen_when_it_is_time(annotations: AnnotationProject) -> None:
    """403 before both have submitted; then masked, to be reviewed."""
    make(annotations, "ben", add("Ankara", "LOC"), _TOWN, SUBMIT)
    ann = Visitor(annotations, "ann")
    assert ann.get("/documents/1/review/ben").status_code == 403
    assert ann.get("/documents/99").status_code == 404
    assert ann.get("/nowhere").status_code == 404
    assert "Differences can be seen once" in ann.get("/documents/1/differences").text
    make(annotations, "ann", SUBMIT)
    answer = ann.get("/documents/1/review/ben")
    assert '<mark class="r">******</mark>' in answer.text
    assert "Ankara" not in answer.text
    checked = ann.post("/documents/1/review/ben", {"value": "exposed", "note": "<i>name</i>"})
    assert "&lt;i&gt;name&lt;/i&gt;" in checked.text
    assert "ann: exposed" in Visitor(annotations, "ben").get("/").text


def test_the_adjudicator_compares_and_annotates_nothing(annotations: AnnotationProject) -> None:
    """What is submitted, side by side; no annotation of their own."""
    make(annotations, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    make(annotations, "ben", add("Ankara", "ORG"), _TOWN, SUBMIT)
    judge = Visitor(annotations, ADJUDICATOR)
    assert "Read ann" in judge.get("/").text
    assert judge.get("/documents/1").status_code == 403
    assert "differ in type" in judge.get("/documents/1/differences").text
    agreement = judge.get("/agreement").text
    assert '<tr><th scope="row">ORG</th><td class="heat-5">1</td></tr>' in agreement
    # Who disagrees on the type is not compared on the rest, and rows of nothing are not shown.
    assert "indirect identifier / not an identifier" not in agreement
    assert judge.get("/next?after=1").headers["location"] == f"{judge.base}/"


def test_files_are_those_that_tacenda_reads(annotations: AnnotationProject) -> None:
    """TAB and WikiReplace, as attachments; nothing submitted is an error that says so."""
    ann = Visitor(annotations, "ann")
    assert "nothing is submitted yet" in ann.get("/export/tab.json").text
    make(annotations, "ann", add("Ankara", "LOC"), _TOWN, SUBMIT)
    answer = ann.get("/export/tab.json")
    assert answer.headers["content-disposition"] == 'attachment; filename="tab.json"'
    (document,) = parse_gold(json.loads(answer.content))
    assert document.annotators == ("ann",)
    (record,) = ann.get("/export/wikireplace.json?by=ann").json()
    assert "replacement" in record["annotations"]["ann"]["entity_mentions"][0]


def test_submitted_leads_to_the_next(annotations: AnnotationProject) -> None:
    """And after the last one to the list."""
    ann = Visitor(annotations, "ann")
    assert ann.act(0, SUBMIT).status_code == 200
    assert ann.get("/next?after=1").headers["location"] == f"{ann.base}/documents/2"
    assert ann.act(0, SUBMIT, document=2).status_code == 200
    assert ann.get("/next?after=2").headers["location"] == f"{ann.base}/"


def test_the_original_is_no_option(tmp_path: Path) -> None:
    """It is not among what may be chosen; submitting needs all spans."""
    annotations = project(tmp_path, [replaced()], ["ann"], Flow.REPLACEMENT)
    ann = Visitor(annotations, "ann")
    ann.act(0, Event(EventKind.STEP, value="2"))
    text = ann.get("/documents/1").text
    (options,) = re.findall(r'id="entity-22-32".*?data-options="([^"]*)"', text)
    assert json.loads(unescape(options)) == {
        "22-32": {"choice": "", "texts": ["1815", "date in the 1810s", "***"]}
    }
    assert '<strong id="to-decide">2</strong>' in text
    assert ann.act(1, SUBMIT).status_code == 422
    original = Event(EventKind.CHOOSE, (at("4 May 1815", replaced().text),), "4 May 1815")
    assert ann.act(1, original).status_code == 422
    annotations.store.close()
