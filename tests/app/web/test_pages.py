"""Pages and what they answer to a person's changes."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tacenda.app.review.events import ReviewState
from tacenda.app.review.redecide import redecide
from tacenda.app.service import DecisionProgress, Service
from tacenda.app.web.rows import rows
from tacenda.app.web.views import STEPS, bound_at, entity_views
from tacenda.deciding import Analysis
from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.policy import Policy
from tests.waiting import until

from ..building import LETTER, MEMO, addressed, client, come_in, documents, service

TEXTS = (LETTER, MEMO)
"""Of the documents of project 1."""


def _change(inside: TestClient, revision: int, unfinished: bool = False, **change: Any) -> Any:
    data = {"revision": str(revision), "change": json.dumps(change), "chosen": "0-9"}
    data |= {"unfinished": "true"} if unfinished else {}
    return inside.post("/documents/1/changes", data=data)


def test_a_document_is_shown_as_text(inside: TestClient) -> None:
    """Markup in a document is text on the page, on both sides."""
    page = inside.get("/documents/1").text
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp; so") == 2
    assert "<script>alert" not in page


def test_the_queue_shows_what_is_to_be_done(inside: TestClient, made: Service) -> None:
    """Each document with its progress, and a way to the next."""
    page = inside.get("/projects/1").text
    assert "0 of 2 reviewed" in page
    assert addressed(made, 'id="next-document" href="/documents/1#decide"') in page
    assert _change(inside, 0, True, kind="done", value="yes").status_code == 200
    page = inside.get("/projects/1/queue").text
    assert "1 of 2 reviewed" in page
    assert addressed(made, 'href="/documents/2#decide">Review next: d2.txt') in page


def test_nothing_is_reviewed_by_one_click(inside: TestClient, made: Service) -> None:
    """What a release would wait for is named; the person says it once more, or decides."""
    answer = _change(inside, 0, kind="done", value="yes")
    assert answer.status_code == 422
    assert "2 decisions are still open" in answer.text
    for revision, place in enumerate(([31, 44], [65, 74])):
        assert not made.store.documents.get(1).summary.done
        _change(inside, revision, kind="decide", value="keep", spans=[place])
    assert _change(inside, 2, kind="done", value="yes").status_code == 200
    assert made.store.documents.get(1).summary.done


def test_what_stays_against_its_risk_needs_a_person(inside: TestClient, made: Service) -> None:
    """At a lenient bound nobody is sure any more of what is probably a name."""
    assert [view.label for view in entity_views(made.open(1).reviewed) if view.doubt][
        -1
    ] == "Kentville"
    _change(inside, 0, kind="bound", value="1.0")
    assert all(view.doubt for view in entity_views(made.open(1).reviewed))


def test_the_most_dangerous_kept_entity_is_first(made: Service) -> None:
    """Kept ones by falling risk, then masked ones by falling risk."""
    views = entity_views(made.open(1).reviewed)
    assert [(view.label, view.verdict) for view in views] == [
        ("12 March 1994", "kept"),
        ("Kentville", "kept"),
        ("Ada Byron", "masked"),
        ("Ben Cole", "masked"),
    ]


def test_a_change_answers_with_what_changed(inside: TestClient) -> None:
    """Only what differs in the rows comes back, with the new revision."""
    inside.get("/documents/1")
    answer = _change(inside, 0, kind="decide", spans=[[31, 44]], value="mask")
    assert answer.status_code == 200
    assert 'data-revision="1"' in answer.text
    steps = re.findall(r'<div id="changes" [^>]+>(.*)</div>', answer.text)
    assert [[side, places] for side, places, _ in json.loads(steps[0])] == [
        ["original", "@31-44"],
        ["result", "31-44"],
    ]
    assert json.loads(steps[0])[1][2]["text"] == "[DATE 1]"
    assert 'id="row-' not in answer.text


def test_a_stale_change_says_who_was_faster(inside: TestClient) -> None:
    """409, with what happened in between, and what that changes on the page."""
    _change(inside, 0, kind="bound", value="0.1")
    answer = _change(inside, 0, kind="decide", spans=[[0, 9]], value="keep")
    assert answer.status_code == 409
    assert "in the meantime Ann changed how strict it is" in answer.text
    assert "[PLACE 1]" in answer.text
    assert 'id="row-' not in answer.text


def test_a_page_that_is_forgotten_comes_whole(inside: TestClient) -> None:
    """Where the program was started anew, say, nobody knows what differs."""
    answer = _change(inside, 7, kind="decide", spans=[[0, 9]], value="keep")
    assert 'id="row-2"' in answer.text


@pytest.mark.parametrize(
    "change",
    ["", "[]", "{}", '{"kind": "split", "spans": [[0, 99999]]}', '{"kind": "bound", "value": "x"}'],
)
def test_a_change_that_is_none_is_refused(inside: TestClient, change: str) -> None:
    """422, and nothing is written."""
    answer = inside.post("/documents/1/changes", data={"revision": "0", "change": change})
    assert answer.status_code == 422
    assert 'data-revision="1"' not in answer.text


def test_undo_and_redo_lead_back_and_forth(inside: TestClient) -> None:
    """The page offers them when there is something to take back."""
    text = _change(inside, 0, kind="decide", spans=[[0, 9]], value="keep").text
    assert 'data-step="undo" title' in text
    undone = inside.post("/documents/1/undo", data={"revision": "1"}).text
    assert 'data-step="undo" disabled' in undone
    assert 'data-step="redo" title' in undone
    again = inside.post("/documents/1/redo", data={"revision": "2"}).text
    assert 'data-revision="3"' in again


def test_the_slider_previews_and_sets(inside: TestClient, made: Service) -> None:
    """Moving it writes nothing, letting go does."""
    preview = inside.get(f"/documents/1/preview?position={STEPS}").text
    assert "[PLACE 1]" in preview
    assert made.open(1).row.revision == 0
    data = {"revision": "0", "position": str(STEPS)}
    assert "[PLACE 1]" in inside.post("/documents/1/bound", data=data).text
    assert made.open(1).reviewed.bound == bound_at(STEPS) == 0.0


def test_why_shows_evidence_and_options(inside: TestClient) -> None:
    """Numbers, sentences, and options that never hold the original."""
    panel = unescape(inside.get("/documents/1/entity?at=31-44").text)
    assert "The program is 40 % sure that this must be masked." in panel
    figures = panel[panel.index("<summary>Figures</summary>") :]
    assert "The recognizer gives 0.40 that this must be masked" in figures
    options = re.findall(r'data-kind="generalise" data-value="([^"]*)"', panel)
    assert options[-1] == "***"
    assert "1994" in panel
    assert not any("12 March" in option for option in options)
    assert "Some marks need your decision" in inside.get("/documents/1/entity?at=").text
    assert "Some marks need your decision" in inside.get("/documents/1/entity?at=9998-9999").text
    assert "Ada Byron" in inside.get("/documents/1/entity?at=2-4").text


def test_what_a_generalisation_leaves_is_foreseen(tmp_path: Path) -> None:
    """Beside each option, for the entity, and in the words of the bar for the document."""
    made = service(tmp_path, "Ada Byron lives in Kentville.", policy=Policy(threshold=0.95))
    with client(made) as outside:
        inside = come_in(outside)
        assert "about 1 of 1 left" in inside.get("/documents/1").text
        panel = inside.get("/documents/1/entity?at=0-9").text
        assert "now 90 %" in panel
        # Who is told to be a person is told no more than that.
        assert re.search(r"PERSON 1 <span[^>]*>could be anyone or anything · risk 9 %<", panel)
        assert re.search(r"\*\*\* <span[^>]*>could be anyone or anything · risk 0 %<", panel)
        assert "foreseen in the document: fewer than 1 of 1 left" in panel
    made.store.close()


@pytest.mark.parametrize("format", ["text", "html", "json", "masks"])
def test_results_are_saved_without_originals(inside: TestClient, format: str) -> None:
    """A file to save, whose name is the document's, with what the page shows."""
    answer = inside.get(f"/documents/1/result?format={format}")
    assert answer.headers["content-disposition"].startswith('attachment; filename="draft-d1.txt')
    assert "Byron" not in answer.text
    assert "Byron" not in inside.get(f"/projects/1/result?format={format}").text
    assert inside.get("/documents/1/result?format=pdf9").status_code == 422


def test_the_texts_of_a_project_are_an_archive(inside: TestClient) -> None:
    """One file a document, under names that lead out of no folder."""
    archive = zipfile.ZipFile(io.BytesIO(inside.get("/projects/1/result?format=text").content))
    assert archive.namelist() == ["d1.txt", "d2.txt"]
    assert b"[PERSON 1] wrote to" in archive.read("d1.txt")


def test_files_are_uploaded(inside: TestClient, made: Service) -> None:
    """A project of what was sent; its documents are analysed in the background."""
    files = [("files", ("a.txt", b"Ada Byron.", "text/plain"))]
    answer = inside.post("/projects", data={"name": "New", "target": "Ada Byron"}, files=files)
    assert answer.headers["HX-Redirect"] == addressed(made, "/projects/2")
    until(lambda: not made.store.documents.waiting(1))
    assert made.open(3).reviewed.sanitized.text == "[PERSON 1]."
    wrong = [("files", ("a.gif", b"GIF89a", "image/gif"))]
    answer = inside.post("/projects", data={"name": "New"}, files=wrong)
    assert (answer.status_code, answer.headers["content-type"]) == (
        422,
        "text/plain; charset=utf-8",
    )


def test_a_project_is_deleted(inside: TestClient, made: Service) -> None:
    """With its texts; nothing of them is left in the file."""
    path = made.store.database.path
    assert inside.post("/projects/1/delete").headers["HX-Redirect"] == "/"
    assert inside.get("/projects/1").status_code == 404
    assert inside.get("/documents/1").status_code == 404
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"Kentville" not in left


@pytest.mark.parametrize("path", ["/documents/99", "/projects/99", "/nowhere"])
def test_what_is_not_there_is_said(inside: TestClient, path: str) -> None:
    """404, as a page."""
    answer = inside.get(path)
    assert answer.status_code == 404
    assert "That did not work" in answer.text


def test_neutral_wording_belongs_to_no_entity() -> None:
    """It is marked, but nothing can be decided about it."""
    text = "She saw Berg."
    mention = Mention(Span(8, 12), SemanticType.PERSON, 0.9, 0.9, MentionSource.NEURAL)
    analysis = Analysis(Document("d", text), (mention,))
    (row,) = rows(redecide(analysis, Policy(neutral="sex"), 0.5, ReviewState()))
    assert row.result.startswith(
        '<span class="neutral" data-s="0-3">They</span> saw <span class="r '
    )
    assert not row.same


_TEXTS = st.text(st.sampled_from("ab<&\"'> \n\f\r\t\0\ud800é😀"), min_size=1, max_size=60)


@given(_TEXTS, st.lists(st.tuples(st.integers(0, 59), st.integers(1, 9)), max_size=4))
def test_rows_hold_the_whole_text_once(text: str, places: list[tuple[int, int]]) -> None:
    """Without tags, the left side is the original and the right side the result."""
    spans: list[Span] = []
    for start, size in sorted(places):
        span = Span(start, start + size)
        if span.end <= len(text) and not any(span.overlaps(other) for other in spans):
            spans.append(span)
    mentions = tuple(
        Mention(span, SemanticType.MISC, 0.9, 0.0, MentionSource.NEURAL) for span in spans
    )
    reviewed = redecide(Analysis(Document("d", text), mentions), Policy(), 0.5, ReviewState())
    shown = rows(reviewed)

    def plain(sides: list[str]) -> str:
        return unescape(re.sub(r"<[^>]*>", "", "\n".join(sides))).replace("\f", "\n")

    def safe(string: str) -> str:
        return string.translate({0xD800: "\ufffd", 0: "\ufffd", 0xD: " ", 0xC: "\n"})

    assert plain([row.original for row in shown]) == safe(text)
    assert plain([row.result for row in shown]) == safe(reviewed.sanitized.text)


def test_a_list_is_sent_in_pages_and_what_changed_alone(inside: TestClient, made: Service) -> None:
    """A hundred documents a page, with ways on; an open page is sent the rows that changed, or nothing."""
    with made.store.database.transaction() as connection:  # no worker takes them
        project = made.add_project("Many", documents(*["Nobody."] * 250)).id
        connection.execute("UPDATE document SET claimed = 1e12 WHERE project = ?", (project,))
    page = inside.get(f"/projects/{project}?page=2").text
    assert page.count('<tr id="row-') == 100
    assert "101 to 200 of 250" in page
    assert all(f'rel="{way}"' in page for way in ("prev", "next"))
    assert "250 still to be analyzed" in page
    found = inside.get(f"/projects/{project}?find=D17.&state=waiting").text
    assert found.count('<tr id="row-') == 1
    assert "No matching documents" in inside.get(f"/projects/{project}?find=zebra").text
    version = made.store.lists.version(project)
    assert inside.get(f"/projects/{project}/queue?since={version}").status_code == 204
    first = made.store.documents.of(project)[0]
    made.store.documents.failed(first.id, "can't be read.")
    answer = inside.get(f"/projects/{project}/queue?since={version}").text
    assert answer.count("<tr") == 1
    assert f'id="row-{first.handle}"' in answer
    assert "249 still to be analyzed; 1 failed" in answer
    assert len(answer) < 2000


def test_the_progress_of_a_decision_is_only_there_while_it_runs(
    inside: TestClient, made: Service
) -> None:
    """It counts the documents that are done."""
    assert inside.get("/projects/1/decisions/progress").status_code == 204
    made.acts.put((1, "Ann"), DecisionProgress(200, 40))
    progress = inside.get("/projects/1/decisions/progress").json()
    assert progress == {"done": 40, "documents": 200}


def test_the_people_who_fit_are_those_of_the_remaining_text(tmp_path: Path) -> None:
    """What is masked isn't counted, and a change of decision brings the button back; other languages aren't counted."""
    nurse = "Ada Byron is a widow of 38 and lives in Oregon. She writes to us each week."
    german = "Ada Byron ist eine Witwe, die mit ihren Kindern seit Jahren in dieser Stadt wohnt."
    made = service(tmp_path, nurse, german)
    with client(made) as inside:
        come_in(inside)
        assert "How many people fit?" in inside.get("/documents/1").text
        answer = inside.get("/documents/1/population").text
        assert re.search(r"fits about [\d,]+ people in Oregon \[[\d,]+, [\d,]+\]", answer)
        at = nurse.index("Oregon")
        added = _change(inside, 0, kind="add", spans=[[at, at + len("Oregon")]], value="LOC")
        assert "How many people fit?" in added.text
        assert " people in Oregon " not in inside.get("/documents/1/population").text
        assert "How many people fit?" not in inside.get("/documents/2").text
        answer = inside.get("/documents/2/population").text
        assert "only be counted for English" in answer
    made.store.close()
