"""The REST API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from tacenda.app.service import Service
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key, Role
from tacenda.deciding import AdditionalParts
from tacenda.document import Leak
from tacenda.documents import containers
from tacenda.result import Result, schema
from tests.documents.building_docx import build, paragraph
from tests.isolation.fatal import crash
from tests.waiting import until

from ...keys import KEY
from ..building import LETTER, MEMO, client

TEXTS = (LETTER,)
"""Of the documents of project 1."""


@pytest.fixture
def api(made: Service) -> Iterator[TestClient]:
    """Return a program that sends its key."""
    with client(made, Access("local", {"robot": Key.of(KEY, Role.ADMIN)})) as found:
        found.headers["Authorization"] = f"Bearer {KEY}"
        yield found


def test_a_text_is_sanitized(api: TestClient) -> None:
    """The answer follows the schema of results and has the text without its people."""
    body = {"id": "memo", "text": MEMO, "target": ["Eve Byron"], "threshold": 0.95}
    answer = api.post("/api/v1/sanitize", json=body).json()
    jsonschema.validate(answer, schema())
    assert answer["id"] == "memo"
    assert "Eve" not in answer["text"]
    assert "Ben Cole" in answer["text"]
    assert "***" in api.post("/api/v1/sanitize", json={"text": MEMO, "operator": "suppress"}).text


def _leaking(result: Result) -> Result:
    """Return a result of which verification says that something is left."""
    return replace(result, leaks=(Leak("e1", 0, 3),))


def test_a_text_that_leaks_is_refused(api: TestClient, made: Service) -> None:
    """What still holds a masked string is not given out, as a text or as a file."""
    made.sanitizer.parts = AdditionalParts(checks=(_leaking,))
    answers = [
        api.post("/api/v1/sanitize", json={"text": MEMO}),
        api.post("/api/v1/sanitize/file", files={"file": ("memo.txt", MEMO.encode())}),
    ]
    for answer in answers:
        assert answer.status_code == 422
        assert "masked strings would still be in the output" in answer.text


def test_a_text_is_assessed(api: TestClient) -> None:
    """Each entity with its risk and the evidence, in offsets, never in words."""
    answer = api.post("/api/v1/assess", json={"text": MEMO}).json()
    jsonschema.validate(answer, schema("assessment"))
    first = answer["entities"][0]
    (mention,) = first["mentions"]
    assert (first["type"], first["risk"]) == ("PERSON", 0.9)
    assert (mention["start"], mention["end"]) == (6, 15)
    assert first["assessment"]["evidence"][0]["indicator"] == "masking_head"
    # "Byron" of Eve Byron is propagated from Ada Byron, with her risk.
    assert answer["risk"]["before"] == pytest.approx(0.9 + 0.9 + 0.6 + 0.2)
    assert "Byron" not in str(answer)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("sanitize", r'{"text": "Ada \ud800 Byron"}'),
        ("sanitize", r'{"text": "Ada", "id": "\udfff"}'),
        ("sanitize", r'{"text": "Ada", "target": ["\ud83d Byron"]}'),
        ("sanitize", r'{"text": "Ada", "\ud800": 1}'),
        ("assess", r'{"text": "Ada \ud800 Byron"}'),
        ("jobs", r'{"documents": [{"text": "Ada \ud800 Byron"}]}'),
        ("projects", r'{"name": "p", "documents": [{"text": "Ada \ud800 Byron"}]}'),
        ("evaluate", r'{"gold": [{"\ud800": ""}], "masks": {"a": []}}'),
    ],
)
def test_a_lone_surrogate_is_refused(api: TestClient, path: str, body: str) -> None:
    """JSON can spell half a character; nobody can write it, so it is an error of the request."""
    headers = {"Content-Type": "application/json"}
    answer = api.post(f"/api/v1/{path}", content=body, headers=headers)
    assert answer.status_code == 422, answer.text
    assert "lone surrogate" in answer.json()["error"]
    whole = api.post("/api/v1/sanitize", content=r'{"text": "\ud83d\ude00"}', headers=headers)
    assert whole.json()["text"] == "\U0001f600"


@pytest.mark.parametrize("target", ["", " ", "***", "\u200b", "42"])
def test_a_target_without_a_letter_is_refused(api: TestClient, target: str) -> None:
    """Nobody could be found by it; what waits in the background is refused at once, too."""
    text = {"text": "Ada Byron", "target": ["Ada", target]}
    for path, body in (
        ("sanitize", text),
        ("assess", text),
        ("jobs", {"documents": [text]}),
        ("projects", {"name": "p", "documents": [text]}),
    ):
        answer = api.post(f"/api/v1/{path}", json=body)
        assert answer.status_code == 422, answer.text
        assert "name 1 has no letter" in answer.json()["error"]


@pytest.mark.parametrize("step", ["_read", "_write"])
def test_a_file_that_kills_its_reader_is_refused(
    api: TestClient, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it dies reading or writing, the server says so and answers the next request."""
    letter = build(paragraph("Ada Byron wrote to Ben Cole."))
    file = {"file": ("a.docx", letter, "application/octet-stream")}
    monkeypatch.setattr(containers, step, crash)
    answer = api.post("/api/v1/sanitize/file", files=file)
    assert answer.status_code == 422
    assert "a.docx: ended the process" in answer.json()["error"]
    monkeypatch.undo()
    assert api.post("/api/v1/sanitize/file", files=file).status_code == 200


def test_masks_are_measured(api: TestClient) -> None:
    """Everything masked is full recall; the figures are those of the command."""
    gold = {
        "doc_id": "a",
        "text": "Ada Byron wrote.",
        "dataset_type": "dev",
        "annotations": {
            "x": {
                "entity_mentions": [
                    {
                        "entity_type": "PERSON",
                        "entity_mention_id": "m1",
                        "start_offset": 0,
                        "end_offset": 9,
                        "span_text": "Ada Byron",
                        "edit_type": "insert",
                        "identifier_type": "DIRECT",
                        "entity_id": "e1",
                        "confidential_status": "NOT_CONFIDENTIAL",
                    }
                ]
            }
        },
    }
    body = {"gold": [gold], "masks": {"a": [[0, 9]]}}
    answer = api.post("/api/v1/evaluate", json=body).json()
    assert (answer["token_recall"], answer["entity_recall_direct"]) == (1.0, 1.0)
    wrong = api.post("/api/v1/evaluate", json={"gold": [{}], "masks": {}})
    assert wrong.status_code == 422


def test_a_job_shows_progress_and_gives_results(api: TestClient, made: Service) -> None:
    """Many texts, done in the background, fetched page by page in their order."""
    body = {
        "documents": [{"id": f"t{n}", "text": f"{n}: Ada Byron and Kentville"} for n in range(5)],
        "threshold": 0.1,
    }
    begun = api.post("/api/v1/jobs", json=body)
    assert begun.status_code == 202
    id = begun.json()["id"]
    until(lambda: api.get(f"/api/v1/jobs/{id}").json()["status"] == "done")
    assert api.get(f"/api/v1/jobs/{id}").json() == {
        "id": id,
        "status": "done",
        "documents": 5,
        "done": 5,
        "failed": 0,
    }
    assert [job["id"] for job in api.get("/api/v1/jobs").json()] == [id]
    first = api.get(f"/api/v1/jobs/{id}/results?limit=3").json()
    rest = api.get(f"/api/v1/jobs/{id}/results?offset={first['next']}").json()
    found: list[dict[str, Any]] = first["results"] + rest["results"]
    assert [item["id"] for item in found] == ["t0", "t1", "t2", "t3", "t4"]
    assert rest["next"] is None
    assert all("Kentville" not in item["text"] for item in found)
    assert api.delete(f"/api/v1/jobs/{id}").status_code == 204
    assert api.get(f"/api/v1/jobs/{id}").status_code == 404


def test_jobs_and_projects_are_apart(api: TestClient) -> None:
    """A project for people is no job."""
    assert api.get("/api/v1/jobs/1").status_code == 404
    assert [item["name"] for item in api.get("/api/v1/projects").json()] == ["Letters"]


def test_documents_are_changed_by_revision(api: TestClient) -> None:
    """What a program read, it may change; a second change for one revision is 409."""
    before = api.get("/api/v1/documents/1").json()
    change = {"kind": "decide", "spans": [[0, 9]], "value": "keep"}
    body = {"revision": before["revision"], "change": change}
    after = api.post("/api/v1/documents/1/changes", json=body).json()
    assert after["by_hand"] == ["e1"]
    assert "Ada Byron" in after["result"]["text"]
    again = api.post("/api/v1/documents/1/changes", json=body)
    assert again.status_code == 409
    assert "is at revision 1" in again.json()["error"]
    (line,) = api.get("/api/v1/documents/1/log").json()
    assert (line["person"], line["change"]) == ("robot", change)


def test_programs_begin_projects(api: TestClient, made: Service) -> None:
    """Documents that people are to review."""
    body = {"name": "New", "documents": [{"id": "m", "text": MEMO}]}
    begun = api.post("/api/v1/projects", json=body)
    assert begun.status_code == 201
    until(lambda: not made.store.documents.waiting(1))
    (row,) = api.get(f"/api/v1/projects/{begun.json()['id']}").json()["documents"]
    assert (row["name"], row["status"], row["summary"]["entities"]) == ("m", "ready", 4)


def test_files_to_save_are_not_called_after_who_was_masked(api: TestClient, made: Service) -> None:
    """Though a program named the document so: names in an archive and in a record leave with it."""
    body = {"name": "p", "documents": [{"id": "ada-byron", "text": "Ada Byron wrote."}]}
    project = api.post("/api/v1/projects", json=body).json()["id"]
    until(lambda: not made.store.documents.waiting(1))
    for path in ("result?format=same", "result?format=text", "audit", "audit?format=html"):
        answer = api.get(f"/api/v1/projects/{project}/{path}")
        assert answer.status_code == 200
        assert b"ada-byron" not in answer.content
        assert b"document-1" in answer.content


def test_an_operator_without_its_key_is_refused(api: TestClient) -> None:
    """The server's policy decides whether there is a key."""
    answer = api.post("/api/v1/sanitize", json={"text": MEMO, "operator": "pseudonym"})
    assert answer.status_code == 400
    assert "key" in answer.json()["error"]


def test_the_api_documents_itself(api: TestClient) -> None:
    """OpenAPI names every address of the API and none of the pages."""
    paths = api.get("/api/v1/openapi.json").json()["paths"]
    assert {"/api/v1/sanitize", "/api/v1/assess", "/api/v1/evaluate", "/api/v1/jobs"} <= set(paths)
    assert all(path.startswith("/api/v1/") for path in paths)
    names = [method["summary"] for path in paths.values() for method in path.values()]
    assert len(set(names)) == len(names)
    assert all(
        len(name.split()) > 1 or name in ("Sanitize", "Assess", "Evaluate") for name in names
    )


def test_the_api_has_a_page_that_people_can_read(api: TestClient) -> None:
    """Behind the key, each operation with its values, and nothing from elsewhere."""
    answer = api.get("/docs")
    paths = api.get("/api/v1/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in answer.text
    assert "http" not in answer.text.replace("http-equiv", "")
    del api.headers["Authorization"]
    assert api.get("/docs", follow_redirects=False).status_code in (303, 401)


def test_entities_come_with_their_options(api: TestClient) -> None:
    """Page by page; what can be written instead only where it is asked for."""
    body = {"name": "p", "documents": [{"id": "m", "text": MEMO}]}
    project = api.post("/api/v1/projects", json=body).json()["id"]
    until(
        lambda: api.get(f"/api/v1/projects/{project}").json()["documents"][0]["status"] == "ready"
    )
    document = api.get(f"/api/v1/projects/{project}").json()["documents"][0]["id"]
    path = f"/api/v1/documents/{document}/entities"
    first = api.get(path, params={"limit": 1, "options": True}).json()
    rest = api.get(path, params={"offset": first["next"]}).json()
    result = api.get(f"/api/v1/documents/{document}").json()["result"]
    entities = first["entities"] + rest["entities"]
    assert [item["id"] for item in entities] == [item["id"] for item in result["entities"]]
    assert first["entities"][0]["options"][-1] == "***"
    assert "options" not in rest["entities"][0]
    assert rest["next"] is None
    assert MEMO[:9] not in str(entities)
