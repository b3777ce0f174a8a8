"""From a review to annotation mode, and back to a clean disk."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import httpx

from tacenda.app.web.security.access import Access
from tacenda.app.web.security.keys import Key, Role

from ...keys import KEY
from ..building import LETTER, MEMO, client, come_in, service


def _links(page: str) -> dict[str, str]:
    return {
        name: unescape(url) for url, name in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', page)
    }


def test_the_documents_of_a_review_are_annotated(tmp_path: Path) -> None:
    """Each annotator has an address, what was found is marked, and the agreement has a page."""
    made = service(tmp_path, LETTER, MEMO)
    with client(made) as outside:
        inside = come_in(outside)
        assert "Annotate these documents" in inside.get("/projects/1").text
        sent = {"annotators": "ann, ben", "marked": "true"}
        links = _links(inside.post("/projects/1/annotation", data=sent).text)
        assert list(links) == ["ann", "ben", "adjudicator", "Agreement of the annotators"]
        transport = httpx.HTTPTransport(retries=10)
        with httpx.Client(follow_redirects=True, transport=transport, timeout=20) as ann:
            assert "d2.txt" in ann.get(links["ann"]).text
            work = ann.get(links["ann"].split("?")[0] + "documents/1").text
            assert len(re.findall(r'class="[^"]*\bPERSON\b', work)) >= 4
        with httpx.Client(follow_redirects=True, transport=transport, timeout=20) as both:
            assert both.get(links["Agreement of the annotators"]).status_code == 200
        again = _links(inside.post("/projects/1/annotation", data={"annotators": "eve"}).text)
        assert list(again)[:3] == ["ann", "ben", "eve"]
        assert again["ann"].split("?")[1] == links["ann"].split("?")[1]
        assert "Go on annotating" in inside.get("/projects/1").text
        assert (tmp_path / "projects-annotations-1.db").exists()
        assert inside.post("/projects/1/delete").status_code == 204
        assert [path for path in tmp_path.iterdir() if "annotations" in path.name] == []
    made.store.close()


def test_a_name_that_is_none_is_said(tmp_path: Path) -> None:
    """Beside the form; nothing is begun."""
    made = service(tmp_path, LETTER)
    with client(made) as outside:
        inside = come_in(outside)
        answer = inside.post("/projects/1/annotation", data={"annotators": "ann,a b"})
        assert (answer.status_code, "a b" in answer.text) == (422, True)
        assert not (tmp_path / "projects-annotations-1.db").exists()
        assert inside.post("/projects/9/annotation", data={"annotators": "a"}).status_code == 404
    made.store.close()


def test_a_server_for_others_offers_no_annotation_on_this_machine(tmp_path: Path) -> None:
    """Its people are elsewhere, and could not reach the addresses."""
    made = service(tmp_path, LETTER)
    with client(made, Access("local", {"Eve": Key.of(KEY, Role.ADMIN)})) as outside:
        outside.headers["Authorization"] = f"Bearer {KEY}"
        assert "Annotate these documents" not in outside.get("/projects/1").text
        answer = outside.post("/projects/1/annotation", data={"annotators": "ann"})
        assert (answer.status_code, "tacenda annotate" in answer.text) == (422, True)
    made.store.close()
