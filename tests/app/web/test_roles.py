"""Who may do what in a project: each part of a person, with each act."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacenda.app.events import Event, EventKind
from tacenda.app.service import Service
from tacenda.app.store.projects import ProjectRole

from ...keys import KEY
from ..building import LETTER, MEMO, programs, service

PEOPLE = ("owner", "second", "approver", "reviewer", "stranger", "root")
KEYS = {name: KEY[n:] + KEY[:n] for n, name in enumerate(PEOPLE, start=1)}
MEMBERS = {
    "second": ProjectRole.OWNER,
    "approver": ProjectRole.APPROVER,
    "reviewer": ProjectRole.REVIEWER,
}
REVIEWERS = ("owner", "second", "approver", "reviewer", "root")
APPROVERS = ("owner", "second", "approver", "root")
OWNERS = ("owner", "second", "root")
SENTENCE = "of the project"


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """Return a service whose project 1 has an owner and a member of each part."""
    found = service(tmp_path, LETTER, MEMO)
    with found.store.database.transaction() as connection:
        connection.execute("UPDATE project SET owner = 'owner'")
    found.share(1, MEMBERS, False)
    yield found
    found.store.close()


@pytest.fixture
def people(made: Service) -> Iterator[dict[str, TestClient]]:
    """Return a program of each."""
    with programs(made, KEYS) as found:
        yield found


def _review(made: Service, document: int = 1) -> None:
    revision = made.store.documents.get(document).revision
    made.change(document, "owner", revision, Event(EventKind.DONE, value="yes"))


def _settle(made: Service) -> None:
    for document in (1, 2):
        revision = made.store.documents.get(document).revision
        made.change(document, "owner", revision, Event(EventKind.BOUND, value="0"))
        _review(made, document)


def _acts(made: Service) -> dict[str, tuple[str, str, dict[str, Any]]]:
    document = made.store.documents.get(1)
    at, project = document.revision, made.store.projects.get(1).handle
    place, api = f"/documents/{document.handle}", "/api/v1"
    everybody = {"names": ["reviewer"], "approvers": ["approver"], "owners": ["second"]}
    form = {name: ",".join(names) for name, names in everybody.items()}
    bound = {"kind": "bound", "value": "0.1"}
    done = {"kind": "done", "value": "yes"}
    theirs = {"documents": [document.handle], "assignee": "second"}
    return {
        "read": ("GET", f"{api}{place}", {}),
        "look": ("GET", place, {}),
        "change": ("POST", f"{api}{place}/changes", {"json": {"revision": at, "change": bound}}),
        "review": ("POST", f"{api}{place}/changes", {"json": {"revision": at, "change": done}}),
        "approve": ("POST", f"{api}{place}/approval", {"json": {"revision": at}}),
        "approve here": (
            "POST", f"{place}/approval", {"data": {"revision": str(at), "value": "yes"}},
        ),
        "release": ("POST", f"/projects/{project}/release", {}),
        "give": ("POST", f"{api}/projects/{project}/assignments", {"json": theirs}),
        "give here": ("POST", f"/projects/{project}/assignments", {"data": theirs}),
        "share": ("PUT", f"{api}/projects/{project}/members", {"json": everybody}),
        "share here": ("POST", f"/projects/{project}/members", {"data": form}),
        "annotate": ("POST", f"/projects/{project}/annotation", {"data": {"annotators": "cem"}}),
        "delete": ("DELETE", f"{api}/projects/{project}", {}),
        "delete here": ("POST", f"/projects/{project}/delete", {}),
    }  # fmt: skip


ALLOWED = {
    **dict.fromkeys(("read", "look", "change", "review"), REVIEWERS),
    **dict.fromkeys(("approve", "approve here", "release"), APPROVERS),
    **dict.fromkeys(
        ("give", "give here", "share", "share here", "annotate", "delete", "delete here"), OWNERS
    ),
}


@pytest.mark.parametrize("act", ALLOWED)
def test_each_part_may_what_it_may(made: Service, people: dict[str, TestClient], act: str) -> None:
    """Strangers find nothing; whose part does not go so far is told so in a sentence."""
    # Those who may come last: one of them deletes the project.
    for person in sorted(PEOPLE, key=lambda name: name in ALLOWED[act]):
        if act in ("approve", "approve here"):
            _review(made)
        if act == "release":
            _settle(made)
        method, path, options = _acts(made)[act]
        answer = people[person].request(method, path, **options)
        if person == "stranger":
            assert answer.status_code == 404
        elif person not in ALLOWED[act]:
            assert answer.status_code == 403, (person, answer.text)
            assert SENTENCE in answer.text
        else:
            assert answer.status_code < 300, (person, answer.text)
            if act.startswith("delete"):
                break


def test_a_reviewer_takes_what_is_nobodys(made: Service, people: dict[str, TestClient]) -> None:
    """And gives back their own; what is another's stays theirs."""
    project, (first, second) = made.store.projects.get(1).handle, made.store.documents.of(1)
    path = f"/api/v1/projects/{project}/assignments"

    def given(person: str, handle: str, assignee: str) -> int:
        body = {"documents": [handle], "assignee": assignee}
        return people[person].post(path, json=body).status_code

    assert given("reviewer", first.handle, "reviewer") == 200
    assert given("owner", second.handle, "approver") == 200
    assert given("reviewer", second.handle, "reviewer") == 403
    assert given("reviewer", first.handle, "") == 200
    assert given("owner", first.handle, "stranger") == 422
    assert [row.assignee for row in made.store.documents.of(1)] == ["", "approver"]
    made.share(1, {}, False)
    assert [row.assignee for row in made.store.documents.of(1)] == ["", ""]


def test_four_eyes_need_somebody(made: Service, people: dict[str, TestClient]) -> None:
    """Asked for alone they would keep the project for ever; with people, the reviewer is refused."""
    path = f"/api/v1/projects/{made.store.projects.get(1).handle}/members"
    alone = people["owner"].put(path, json={"names": [], "four_eyes": True})
    assert (alone.status_code, "second person" in alone.text) == (422, True)
    body = {"names": [], "approvers": ["approver"], "four_eyes": True}
    assert people["owner"].put(path, json=body).json()["four_eyes"] is True
    _review(made)
    document = made.store.documents.get(1)
    path = f"/api/v1/documents/{document.handle}/approval"
    own = people["owner"].post(path, json={"revision": 1})
    assert (own.status_code, "another person" in own.text) == (403, True)
    answer = people["approver"].post(path, json={"revision": 1}).json()
    assert answer["summary"]["stage"] == "approved"


def test_the_project_page_shows_people_what_is_theirs(
    made: Service, people: dict[str, TestClient]
) -> None:
    """An owner sees the lists of people; a reviewer can only take a document."""
    page = f"/projects/{made.store.projects.get(1).handle}"
    mine, theirs = people["second"].get(page).text, people["reviewer"].get(page).text
    for name in ("names", "approvers", "owners", "four_eyes"):
        assert f'name="{name}"' in mine
        assert f'name="{name}"' not in theirs
    assert "<option>approver</option>" in mine
    assert "<option>approver</option>" not in theirs
    assert "delete-project" not in theirs


def test_an_approval_is_offered_to_whom_it_is_open(
    made: Service, people: dict[str, TestClient]
) -> None:
    """Who may not approve reads who has to; so does who reviewed it, where another person is asked for."""
    _review(made)
    offer = 'data-kind="approve" data-value="yes"'
    place = f"/documents/{made.store.documents.get(1).handle}"

    def shown(name: str) -> str:
        return people[name].get(place).text

    assert all(offer in shown(name) for name in APPROVERS)
    assert offer not in shown("reviewer")
    assert "an approver has to approve it" in shown("reviewer")
    made.share(1, MEMBERS, True)
    assert offer not in shown("owner")
    assert "another person has to approve it" in shown("owner")
    assert offer in shown("approver")
    revision = made.store.documents.get(1).revision
    made.sign(1, "approver", revision, Event(EventKind.APPROVE, value="yes"))
    withdraw = "Withdraw approval"
    assert withdraw in shown("owner")
    assert withdraw not in shown("reviewer")
