"""Requests: retries with back-off, spacing, and what never gets into a message."""

from __future__ import annotations

import pytest

from tacenda.errors import SearchError
from tests.lab.indicators.web.conftest import Waits
from tests.lab.indicators.web.server import Engine


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_fault_is_tried_again_later_and_later(
    engine: Engine, waits: Waits, status: int
) -> None:
    """Waits of one, two, four seconds; then the answer counts."""
    engine.answer = lambda _: {"ok": 1} if len(engine.asked) == 4 else (status, {}, {})
    assert waits.client().fetch(engine.base) == {"ok": 1}
    assert waits == [1.0, 2.0, 4.0]


def test_a_fault_that_does_not_pass_is_an_error(engine: Engine, waits: Waits) -> None:
    """After four attempts it gives up, naming the status and the remedy."""
    engine.answer = lambda _: (429, {"error": {"code": 429}}, {})
    with pytest.raises(SearchError, match=r"status 429.*quota.*TOY_KEY"):
        waits.client().fetch(engine.base)
    assert len(engine.asked) == 4


@pytest.mark.parametrize(("asked_for", "waited"), [("7", 7.0), ("3600", 60.0), ("soon", 1.0)])
def test_the_service_says_how_long_to_wait(
    engine: Engine, waits: Waits, asked_for: str, waited: float
) -> None:
    """``Retry-After`` is kept to, up to a minute; what is no number of seconds is not."""
    engine.answer = lambda _: (
        {"ok": 1} if len(engine.asked) == 2 else (429, {}, {"Retry-After": asked_for})
    )
    waits.client().fetch(engine.base)
    assert waits == [waited]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_not_tried_again(engine: Engine, waits: Waits, status: int) -> None:
    """A wrong key stays wrong."""
    engine.answer = lambda _: (status, {"error": "secret query"}, {})
    with pytest.raises(SearchError, match=f"status {status}.*TOY_KEY"):
        waits.client().fetch(engine.base)
    assert len(engine.asked) == 1


def test_a_redirect_is_not_followed(engine: Engine, waits: Waits) -> None:
    """It would carry the key and the query to another address."""
    engine.answer = lambda _: (302, b"", {"Location": f"{engine.base}/elsewhere"})
    with pytest.raises(SearchError, match="points to another address"):
        waits.client().fetch(engine.base)
    assert len(engine.asked) == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>captcha</html>", b'{"results": [', b"[]", b"null", b"\xff\xfe", b"[" * 100_000],
)
def test_what_is_no_json_object_is_an_error(engine: Engine, waits: Waits, body: bytes) -> None:
    """Malformed JSON and JSON of another kind end in the same error."""
    engine.answer = lambda _: body
    with pytest.raises(SearchError, match="JSON object"):
        waits.client().fetch(engine.base)


def test_an_answer_cut_off_is_tried_again(engine: Engine, waits: Waits) -> None:
    """A body shorter than announced is a passing fault."""
    engine.answer = lambda _: (
        {"ok": 1} if len(engine.asked) == 2 else (200, b'{"a', {"Content-Length": "100"})
    )
    assert waits.client().fetch(engine.base) == {"ok": 1}


def test_an_endless_answer_is_refused(engine: Engine, waits: Waits) -> None:
    """No more than eight million bytes are read."""
    engine.answer = lambda _: b'"' + b"x" * 9_000_000 + b'"'
    with pytest.raises(SearchError, match="8000000 bytes"):
        waits.client().fetch(engine.base)


def test_no_message_holds_the_address_with_its_query(waits: Waits) -> None:
    """Where nobody listens the error names the service, not what it was asked."""
    with pytest.raises(SearchError, match="Toy can't be reached") as raised:
        waits.client().fetch("http://127.0.0.1:9/search?q=Galip+Yalman&key=geheim")
    assert "Yalman" not in str(raised.value)
    assert "geheim" not in str(raised.value)


def test_requests_are_spaced(engine: Engine, waits: Waits) -> None:
    """Between two requests lie as many seconds as the service wants."""
    client = waits.client(interval=1.1)
    for _ in range(3):
        client.fetch(engine.base)
    assert waits == pytest.approx([1.1, 1.1])
