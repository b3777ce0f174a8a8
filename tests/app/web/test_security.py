"""Who is let in, and what every answer says."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tacenda.app.service import Service
from tacenda.app.web import guard
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key, Role

from ...keys import KEY, OTHER_KEY
from ..building import LETTER, addressed, client, come_in

TEXTS = (LETTER,)
"""Of the documents of project 1."""


@pytest.fixture
def outside(made: Service) -> Iterator[TestClient]:
    """Return a client without token."""
    with client(made) as found:
        yield found


def _change(inside: TestClient, **headers: str) -> int:
    data = {"revision": "0", "change": '{"kind": "bound", "value": "0.5"}'}
    return inside.post("/documents/1/changes", data=data, headers=headers).status_code


@pytest.mark.parametrize("path", ["/", "/projects/1", "/documents/1", "/api/v1/documents/1"])
def test_nobody_comes_in_without_the_token(outside: TestClient, path: str) -> None:
    """Pages and API answer 401 and show nothing; a wrong token is none."""
    for address in (path, f"{path}?token=wrong"):
        answer = outside.get(address)
        assert answer.status_code == 401
        assert "Ada" not in answer.text
    assert outside.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_a_probe_is_told_health_and_no_more(outside: TestClient) -> None:
    """Without a key, but by a known name alone."""
    assert outside.get("/health").json() == {"status": "ok"}
    assert outside.get("/health", headers={"Host": "elsewhere.example"}).status_code == 421


def test_the_token_becomes_a_cookie(outside: TestClient, made: Service) -> None:
    """The cookie is out of reach for scripts and other sites; the token leaves the address."""
    answer = outside.get(f"/projects/1?token={outside.access.token}&a=1")  # type: ignore[attr-defined]
    assert answer.status_code == 303
    assert answer.headers["location"] == addressed(made, "/projects/1?a=1")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert outside.get("/projects/1").status_code == 200


def test_the_way_in_leads_nowhere_else(outside: TestClient) -> None:
    """An address that begins with two slashes is no other host."""
    token = outside.access.token  # type: ignore[attr-defined]
    answer = outside.get(f"http://127.0.0.1//evil.example/?token={token}")
    assert answer.headers["location"].startswith("/evil.example")


def test_a_post_needs_the_proof_of_its_page(outside: TestClient) -> None:
    """The cookie alone changes nothing: another page of the browser has it too."""
    inside = come_in(outside)
    proof = inside.headers.pop("X-Tacenda-Proof")
    assert _change(inside) == 403
    assert _change(inside, **{"X-Tacenda-Proof": "guessed"}) == 403
    assert _change(inside, **{"X-Tacenda-Proof": proof}) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:99"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_post_from_another_page_is_refused(outside: TestClient, headers: dict[str, str]) -> None:
    """Whatever it knows, the browser says where it comes from."""
    assert _change(come_in(outside), **headers) == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:80", "[::1", "[x]"]
)
def test_other_names_are_not_answered(outside: TestClient, host: str) -> None:
    """A name that resolves to this machine opens nothing (DNS rebinding)."""
    come_in(outside)
    assert outside.get("/", headers={"Host": host}).status_code == 421
    assert outside.get("/", headers={"Host": "localhost:1234"}).status_code == 200


def test_every_answer_forbids_what_is_not_ours(outside: TestClient) -> None:
    """No inline script or style, no other host, no frame, nothing kept; errors too."""
    come_in(outside)
    for path in ("/", "/documents/1", "/documents/99", "/nowhere", "/static/app.css"):
        headers = outside.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        kept = path.startswith("/static/")
        assert kept or headers["cache-control"] == "no-store"


def test_pages_have_nothing_inline_and_nothing_from_elsewhere(outside: TestClient) -> None:
    """Every script, style and link is of this server."""
    come_in(outside)
    for path in ("/", "/projects/1", "/documents/1", "/documents/1/entity?at=0-9"):
        page = outside.get(path).text
        for forbidden in (" style=", "<style", " onclick=", "http://", "https://", 'src="//'):
            assert forbidden not in page
        assert "<script>" not in page.replace("&lt;script&gt;", "")


def test_a_request_that_is_too_large_is_refused(
    outside: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what its header says, and by what comes if the header says nothing."""
    inside = come_in(outside)
    monkeypatch.setattr(guard, "LARGEST_BODY", 1000)
    assert inside.post("/projects", content=b"x" * 2000).status_code == 413
    pieces = (b"x" * 100 for _ in range(50))
    headers = {"Content-Type": "application/json"}
    answer = inside.post("/api/v1/sanitize", content=pieces, headers=headers)
    assert answer.status_code == 413


def test_no_text_is_in_the_log(
    outside: TestClient, made: Service, caplog: pytest.LogCaptureFixture
) -> None:
    """An unexpected error is logged by class and place, and shown without its message."""
    caplog.set_level(logging.DEBUG)
    inside = come_in(outside)

    def broken(id: int) -> None:
        raise RuntimeError("Ada Byron wrote")

    made.open = broken  # type: ignore[method-assign, assignment]
    answer = inside.get("/documents/1")
    assert answer.status_code == 500
    assert "Ada" not in answer.text
    assert "RuntimeError at" in caplog.text
    assert "Ada" not in caplog.text


def test_what_was_sent_is_not_sent_back_in_errors(outside: TestClient) -> None:
    """A request that is wrong is answered with the field, not with its content."""
    inside = come_in(outside)
    answer = inside.post("/api/v1/sanitize", json={"text": ["Ada Byron"], "Ada": 1})
    assert answer.status_code == 422
    assert "body.text" in answer.json()["error"]
    assert "Byron" not in answer.text


def test_keys_open_pages_and_api(made: Service) -> None:
    """People log in with their key, programs send it; the person is the key's name."""
    access = Access("local", {"Ann": Key.of(KEY), "robot": Key.of(OTHER_KEY, Role.ADMIN)})
    assert access.token == ""
    with client(made, access) as outside:
        assert outside.get("/").headers["location"] == "/login"
        assert outside.post("/login", data={"key": "wrong"}).status_code == 401
        assert outside.post("/login", data={"key": KEY}).status_code == 303
        assert "Ann" in outside.get("/").text
    with client(made, access) as program:
        program.headers["Authorization"] = f"bEARER {OTHER_KEY}"
        body = {"revision": 0, "change": {"kind": "bound", "value": "0.1"}}
        assert program.post("/api/v1/documents/1/changes", json=body).status_code == 200
    assert made.store.log.entries(1)[0].person == "robot"
