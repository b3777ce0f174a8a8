"""What is whose: owners, members and administrators, and the log of what they did."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacenda.app import api
from tacenda.app.annotation import routes
from tacenda.app.service import Service
from tacenda.app.store.projects import Quota
from tacenda.app.web import (
    routes_decisions,
    routes_document,
    routes_projects,
    routes_release,
    routes_tables,
)
from tacenda.app.web.permission import (
    _annotation,
    _approved_document,
    _approved_project,
    _document,
    _job,
    _own_project,
    _project,
)
from tests.waiting import until

from ...keys import KEY
from ..building import LETTER, MEMO, programs

TEXTS = (LETTER,)
"""Of the documents of project 1."""

KEYS = {"ann": KEY, "ben": KEY[::-1], "root": KEY[8:] + KEY[:8]}


@pytest.fixture
def people(made: Service) -> Iterator[dict[str, TestClient]]:
    """Return a program of each."""
    with programs(made, KEYS) as found:
        yield found


def _begin(person: TestClient, made: Service) -> tuple[str, str]:
    body = {"name": "Mine", "documents": [{"id": "m", "text": MEMO}]}
    project = person.post("/api/v1/projects", json=body).json()
    until(lambda: not made.store.documents.waiting(1))
    return project["id"], project["documents"][0]["id"]


def _requests(
    project: str, document: str, job: str, annotation: str
) -> list[tuple[str, str, dict[str, Any]]]:
    change = {"revision": 0, "change": {"kind": "bound", "value": "0.1"}}
    form = {"data": {"revision": "0", "change": '{"kind": "bound", "value": "0.1"}'}}
    return [
        *(("GET", f"/api/v1/projects/{project}{end}", {}) for end in ("", "/result", "/audit")),
        *(
            ("GET", f"/api/v1/documents/{document}{end}", {})
            for end in ("", "/result", "/audit", "/log")
        ),
        ("POST", f"/api/v1/documents/{document}/changes", {"json": change}),
        ("PUT", f"/api/v1/projects/{project}/members", {"json": {"names": ["ben"]}}),
        ("PUT", f"/api/v1/projects/{project}/webhook", {"json": {"url": "https://cem.example/"}}),
        *((method, f"/api/v1/projects/{project}/webhook", {}) for method in ("GET", "DELETE")),
        ("POST", f"/projects/{project}/webhook", {"data": {"url": "https://cem.example/"}}),
        ("POST", f"/api/v1/projects/{project}/assignments", {"json": {"documents": []}}),
        ("POST", f"/api/v1/documents/{document}/approval", {"json": {"revision": 0}}),
        ("GET", f"/projects/{project}/release", {}),
        ("GET", f"/projects/{project}/tables/1", {}),
        ("GET", f"/api/v1/documents/{document}/entities", {}),
        ("GET", f"/api/v1/projects/{project}/release", {}),
        ("POST", f"/api/v1/projects/{project}/release", {}),
        ("GET", f"/api/v1/projects/{project}/releases/cem", {}),
        ("GET", f"/api/v1/projects/{project}/releases/cem/record", {}),
        ("POST", f"/projects/{project}/release", {}),
        ("GET", f"/projects/{project}/releases/cem", {}),
        ("GET", f"/projects/{project}/releases/cem/record", {}),
        ("GET", f"/documents/{document}/pages", {}),
        ("GET", f"/documents/{document}/population", {}),
        ("GET", f"/documents/{document}/type?start=0&end=3", {}),
        ("GET", f"/documents/{document}/pages/1", {}),
        ("GET", f"/documents/{document}/parts/cem", {}),
        ("GET", f"/documents/{document}/parts/cem/words", {}),
        (
            "POST", f"/documents/{document}/parts/cem",
            {"data": {"revision": "0", "treatment": "keep"}},
        ),
        ("POST", f"/projects/{project}/assignments", {"data": {"documents": document}}),
        ("POST", f"/documents/{document}/approval", {"data": {"revision": "0", "value": "yes"}}),
        ("DELETE", f"/api/v1/projects/{project}", {}),
        *(("GET", f"/api/v1/jobs/{job}{end}", {}) for end in ("", "/results")),
        ("DELETE", f"/api/v1/jobs/{job}", {}),
        *(("GET", f"/projects/{project}{end}", {}) for end in ("", "/queue", "/result", "/audit")),
        *(("GET", f"/projects/{project}/decisions{end}", {}) for end in ("", "/progress")),
        ("POST", f"/projects/{project}/decisions", {"data": {"names": "[]", "action": "mask"}}),
        ("POST", f"/projects/{project}/decisions/cem/undo", {}),
        (
            "POST", f"/documents/{document}/terms",
            {"data": {"revision": "0", "span": "0-9", "action": "mask"}},
        ),
        ("POST", f"/projects/{project}/delete", {}),
        ("POST", f"/projects/{project}/members", {"data": {"names": "ben"}}),
        ("POST", f"/projects/{project}/annotation", {"data": {"annotators": "ben"}}),
        *(
            ("GET", f"/documents/{document}{end}", {})
            for end in (
                "", "/next", "/entity?at=0-9", "/preview?position=1", "/latest?revision=0", "/result", "/audit",
            )
        ),
        *(
            ("GET", f"/annotation/{annotation}{end}", {})
            for end in (
                "/", "/next?after=1", "/documents/1", "/documents/1/review/cem",
                "/documents/1/differences", "/agreement", "/export/tab.json",
                "/export/wikireplace.json", "/export/adjudicated.json",
            )
        ),
        *(
            ("POST", f"/annotation/{annotation}{end}", {"json": sent})
            for end, sent in (
                ("/logout", {}),
                ("/documents/1/acts", {"revision": 0, "act": {"kind": "submit"}}),
                ("/documents/1/undo", {"revision": 0}),
                ("/documents/1/redo", {"revision": 0}),
                ("/documents/1/review/cem", {"value": "protected"}),
                ("/documents/1/rulings", {"revision": 0, "ruling": {}}),
                ("/documents/1/rulings/undo", {"revision": 0}),
                ("/documents/1/rulings/redo", {"revision": 0}),
            )
        ),
        ("POST", f"/documents/{document}/changes", form),
        ("POST", f"/documents/{document}/bound", {"data": {"revision": "0", "position": "1"}}),
        ("POST", f"/documents/{document}/undo", {"data": {"revision": "0"}}),
        ("POST", f"/documents/{document}/redo", {"data": {"revision": "0"}}),
    ]  # fmt: skip


def test_what_is_anothers_is_as_if_it_were_not_there(
    made: Service, people: dict[str, TestClient]
) -> None:
    """Every address with an id answers Ben 404 for Ann's things, in the words for what is not there."""
    ids = _begin(people["ann"], made)
    job = people["ann"].post("/api/v1/jobs", json={"documents": [{"text": MEMO}]}).json()["id"]
    until(lambda: not made.store.documents.waiting(1))
    people["ann"].post(f"/projects/{ids[0]}/annotation", data={"annotators": "cem"})
    (annotation,) = made.store.projects.all("annotation")
    nothing = "0" * 32
    there = _requests(*ids, job, annotation.handle)
    gone = _requests(nothing, nothing, nothing, nothing)
    for (method, path, options), (_, other, _) in zip(there, gone, strict=True):
        answer = people["ben"].request(method, path, **options)
        absent = people["ben"].request(method, other, **options)
        shown = answer.text.replace(annotation.handle, nothing)
        assert (answer.status_code, shown) == (404, absent.text), path
    assert people["ben"].get("/api/v1/projects").json() == []
    assert people["ben"].get("/api/v1/jobs").json() == []
    assert "Mine" not in people["ben"].get("/").text
    addresses = {(method, _pattern(path)) for method, path, _ in there}
    assert addresses == set(_with_ids())
    assert people["ann"].get(f"/api/v1/projects/{ids[0]}").json()["owner"] == "ann"


def _pattern(path: str) -> str:
    """Return the pattern of an address: ``/annotation/{id}/documents/{number}``."""
    pattern = re.sub(r"[0-9a-f]{32}", "{id}", path).partition("?")[0]
    pattern = pattern.replace("/releases/cem", "/releases/{digest}")
    pattern = pattern.replace("/parts/cem", "/parts/{key}")
    pattern = pattern.replace("/tables/1", "/tables/{file}")
    pattern = pattern.replace("/pages/1", "/pages/{number}")
    pattern = pattern.replace("/decisions/cem", "/decisions/{batch}")
    return pattern.replace("/documents/1", "/documents/{number}").replace("/cem", "/{annotator}")


def _with_ids() -> Iterator[tuple[str, str]]:
    modules = (routes_projects, routes_document, routes_decisions, routes_release)
    modules += (routes_tables, routes)
    routers = [("", module.router) for module in modules]
    routers += [("", routes_projects.entry), ("", api.projects.downloads)]
    routers += [("/api/v1", router) for router in api.routers]
    for prefix, router in routers:
        for route in router.routes:
            if "{" in route.path:
                calls = {item.call for item in route.dependant.dependencies}
                known = {_project, _document, _job, _own_project, _annotation}
                known |= {_approved_document, _approved_project}
                assert calls & known, route.path
                for method in route.methods:
                    yield method, prefix + route.path


def test_numbers_lead_nowhere(made: Service, people: dict[str, TestClient]) -> None:
    """Ids are 128 random bits; what was id 1 is found by nobody, not even by who may see it."""
    for path in ("/api/v1/projects/1", "/api/v1/documents/1", "/documents/1"):
        assert people["root"].get(path).status_code == 404
    assert re.fullmatch("[0-9a-f]{32}", made.store.projects.get(1).handle)


def test_members_work_with_a_project_and_own_nothing(
    made: Service, people: dict[str, TestClient]
) -> None:
    """Whom the owner names may review; to share it further or delete it stays the owner's."""
    project, document = _begin(people["ann"], made)
    members = f"/api/v1/projects/{project}/members"
    assert people["ann"].put(members, json={"names": ["ben"]}).json()["members"] == ["ben"]
    body = {"revision": 0, "change": {"kind": "bound", "value": "0.1"}}
    answer = people["ben"].post(f"/api/v1/documents/{document}/changes", json=body)
    assert answer.status_code == 200
    assert [item["id"] for item in people["ben"].get("/api/v1/projects").json()] == [project]
    assert people["ben"].put(members, json={"names": []}).status_code == 403
    assert people["ben"].delete(f"/api/v1/projects/{project}").status_code == 403
    webhook = f"/api/v1/projects/{project}/webhook"
    assert people["ben"].get(webhook).status_code == 403
    assert people["ben"].put(webhook, json={"url": "https://x.example"}).status_code == 403
    assert "Tell another program" not in people["ben"].get(f"/projects/{project}").text
    assert "Delete the project" not in people["ben"].get(f"/projects/{project}").text
    assert people["ann"].put(members, json={"names": ["two words"]}).status_code == 422
    assert people["ann"].put(members, json={"names": []}).status_code == 200
    assert people["ben"].get(f"/api/v1/documents/{document}").status_code == 404
    assert people["ann"].delete(f"/api/v1/projects/{project}").status_code == 204


def test_an_administrator_sees_all_and_who_did_what(
    made: Service, people: dict[str, TestClient]
) -> None:
    """Also the local user's; the log has time, key, action and id, no text, and is theirs alone."""
    project, document = _begin(people["ann"], made)
    people["ann"].get(f"/api/v1/documents/{document}")
    people["ann"].get(f"/api/v1/documents/{document}")
    people["root"].get(f"/documents/{document}")
    assert len(people["root"].get("/api/v1/projects").json()) == 2
    log = people["root"].get("/api/v1/access-log").json()
    assert [(line["person"], line["action"], line["object"]) for line in log["entries"]] == [
        ("root", "GET /documents/{id}", document),
        ("ann", "GET /api/v1/documents/{id}", document),
        ("ann", "POST /api/v1/projects", project),
    ]
    first = people["root"].get("/api/v1/access-log?limit=1").json()
    rest = people["root"].get(f"/api/v1/access-log?before={first['next']}").json()
    assert first["entries"] + rest["entries"] == log["entries"]
    assert document in people["root"].get("/access-log").text
    for path in ("/api/v1/access-log", "/access-log"):
        assert people["ann"].get(path).status_code == 403


def test_the_log_of_accesses_only_grows(made: Service, people: dict[str, TestClient]) -> None:
    """It outlives what it speaks of, and the store refuses to change it."""
    project, _ = _begin(people["ann"], made)
    people["ann"].delete(f"/api/v1/projects/{project}")
    assert made.store.accesses.latest(1)[0].action == "DELETE /api/v1/projects/{id}"
    for statement in ("DELETE FROM access", "UPDATE access SET person = 'x'"):
        with (
            pytest.raises(sqlite3.IntegrityError, match="only grows"),
            made.store.database.transaction() as connection,
        ):
            connection.execute(statement)


@pytest.mark.parametrize("quota", [Quota(texts=1), Quota(jobs=0), Quota(bytes=100)])
def test_nobody_has_more_than_their_share(
    made: Service, people: dict[str, TestClient], quota: Quota
) -> None:
    """Too many texts, jobs or bytes: nothing of it is kept, and the answer says when to come again."""
    made.store.quota = quota
    body = {"documents": [{"text": MEMO}, {"text": MEMO}]}
    answer = people["ann"].post("/api/v1/jobs", json=body)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert made.store.projects.all("job") == []
    assert made.store.documents.waiting(1) == []
    files = {"files": ("a.txt", MEMO * 2)}
    if quota.bytes == 100:
        sent = people["ann"].post("/projects", data={"name": "x"}, files=files)
        assert (sent.status_code, sent.headers["retry-after"]) == (429, "60")
