"""From a review to annotation mode: in the same application, and back to a clean disk."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from starlette.testclient import TestClient

from tacenda.app.service import Service
from tacenda.app.web.access import Access
from tacenda.app.web.application import application
from tacenda.app.web.keys import Key, Role

from ...keys import KEY
from ..building import LETTER, MEMO, client, come_in, service


def _links(page: str) -> dict[str, str]:
    return {
        name: unescape(url) for url, name in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', page)
    }


def _browser(made: Service, access: Access) -> TestClient:
    """Return a browser that is nobody yet, at the same server."""
    app = application(made.store, access, service=made)
    return TestClient(app, base_url="http://127.0.0.1")


def _begun(inside: TestClient, annotators: str = "ann, ben", marked: str = "") -> dict[str, str]:
    sent = {"annotators": annotators, "marked": marked or "false"}
    return _links(inside.post("/projects/1/annotation", data=sent).text)


def test_the_documents_of_a_review_are_annotated(tmp_path: Path) -> None:
    """Each annotator has an address, what was found is marked, and the agreement has a page."""
    made, access = service(tmp_path, LETTER, MEMO), Access("Ann")
    with client(made, access) as outside:
        inside = come_in(outside)
        assert "Annotate these documents" in inside.get("/projects/1").text
        links = _begun(inside, marked="true")
        assert list(links) == ["ann", "ben", "adjudicator", "Agreement of the annotators"]
        ann, judge = _browser(made, access), _browser(made, access)
        assert "d2.txt" in ann.get(links["ann"]).text
        work = ann.get(links["ann"].split("?")[0] + "documents/1").text
        assert len(re.findall(r'class="[^"]*\bPERSON\b', work)) >= 4
        assert judge.get(links["Agreement of the annotators"]).status_code == 200
        again = _begun(inside, "eve")
        assert list(again)[:3] == ["ann", "ben", "eve"]
        assert again["ann"] == links["ann"]
        assert "Continue annotating" in inside.get("/projects/1").text
        assert len(made.store.projects.all("annotation")) == 1
        assert inside.post("/projects/1/delete").status_code == 204
        assert made.store.projects.all("annotation") == []
        assert ann.get(links["ann"].split("?")[0]).status_code == 404
    assert b"Kentville" not in (tmp_path / "projects.db").read_bytes()
    made.store.close()


def test_an_annotator_comes_in_to_one_place(tmp_path: Path) -> None:
    """Nothing of the review is open to them; in the reviewer's browser the reviewer stays who they are."""
    made, access = service(tmp_path, LETTER), Access("Ann")
    with client(made, access) as outside:
        inside = come_in(outside)
        links = _begun(inside)
        base = links["ann"].split("/?")[0]
        ann = _browser(made, access)
        assert "You are </span>ann<" in ann.get(links["ann"]).text
        review = made.store.projects.get(1).handle
        for path in ("/", f"/projects/{review}", "/api/v1/projects", "/access-log"):
            assert ann.get(path).status_code == 401
        key = {"Authorization": f"Bearer {links['ann'].partition('token=')[2]}"}
        stranger = _browser(made, access)
        assert stranger.get(f"{base}/", headers=key).status_code == 200
        for path in ("/", "/api/v1/projects"):
            assert stranger.get(path, headers=key).status_code == 404
        assert inside.get(links["ann"]).status_code == 303
        assert "You are </span>ann<" in inside.get(f"{base}/").text
        assert "<span>Ann</span> <button>Log out" in inside.get("/projects/1").text
        assert "You are logged out" in inside.post(f"{base}/logout").text
        assert "You are </span>Ann<" in inside.get(f"{base}/").text
        assert inside.get("/projects/1").status_code == 200
    made.store.close()


def test_the_reviewer_may_annotate_or_compare(tmp_path: Path) -> None:
    """Named as an annotator they have an annotation; else they see what is submitted, and make none."""
    made, access = service(tmp_path, LETTER), Access("Ann")
    with client(made, access) as outside:
        inside = come_in(outside)
        base = _begun(inside)["ben"].split("/?")[0]
        assert "You decide where ann and ben differ" in inside.get(f"{base}/").text
        assert inside.get(f"{base}/documents/1").status_code == 403
        _begun(inside, "Ann")
        assert inside.get(f"{base}/documents/1").status_code == 200
    made.store.close()


def test_a_name_that_is_none_is_said(tmp_path: Path) -> None:
    """Beside the form; nothing is begun."""
    made = service(tmp_path, LETTER)
    with client(made) as outside:
        inside = come_in(outside)
        answer = inside.post("/projects/1/annotation", data={"annotators": "ann,a b"})
        assert (answer.status_code, "a b" in answer.text) == (422, True)
        assert made.store.projects.all("annotation") == []
        assert inside.post("/projects/9/annotation", data={"annotators": "a"}).status_code == 404
    made.store.close()


def test_on_a_server_annotators_come_in_with_their_keys(tmp_path: Path) -> None:
    """The owner names them; others find nothing, and an annotator finds no review."""
    made = service(tmp_path, LETTER)
    keys = {"Eve": KEY, "ann": KEY[::-1], "ben": KEY[8:] + KEY[:8]}
    access = Access(
        "local", {n: Key.of(k, Role.ADMIN if n == "Eve" else Role.USER) for n, k in keys.items()}
    )
    with client(made, access) as outside:
        answers = {}
        for name, key in keys.items():
            outside.headers["Authorization"] = f"Bearer {key}"
            if name == "Eve":
                (place,) = _begun(outside, "ann").values()
                assert "token" not in place
                assert "Annotation</h2>" in outside.get("/").text
            answers[name] = [
                outside.get(path).status_code
                for path in (place, f"{place}documents/1", "/projects/1", "/documents/1")
            ]
            assert (place in outside.get("/").text) == (name != "ben")
        assert answers == {
            "Eve": [200, 403, 200, 200],
            "ann": [200, 200, 404, 404],
            "ben": [404, 404, 404, 404],
        }
        assert outside.get(place.replace("annotation", "projects").rstrip("/")).status_code == 404
    made.store.close()
