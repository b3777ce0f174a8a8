"""The endpoint: where text may go, what an answer is, what is counted, and what no message says."""

from __future__ import annotations

import json
from threading import Event
from typing import Any

import pytest

from tacenda.errors import PolicyError, ServiceError
from tacenda.reidentify.judge import Silence
from tacenda_lab.json_client import JsonClient
from tacenda_lab.llm.endpoint import KEY, Budget, Endpoint, EndpointQuestion, base_of
from tests.lab.indicators.web.server import running
from tests.lab.llm.conftest import MODELS, ToyModel, completion, said

SECRET = "Qyzzyx"
QUESTION = EndpointQuestion("toy", (("user", SECRET),), {"type": "object"})


def opened(url: str, **environment: str) -> Endpoint:
    """Return an endpoint as the command line opens it, without leave to use the network."""
    return Endpoint.open(url, "", False, Budget(), 5.0, environment)


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://localhost:8000", "http://localhost:8000/v1"),
        ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1"),
        ("http://127.8.9.1/v1/chat/completions", "http://127.8.9.1/v1"),
        ("http://[::1]:8000/openai/v1", "http://[::1]:8000/openai/v1"),
    ],
)
def test_this_machine_needs_no_leave(url: str, base: str) -> None:
    """Loopback in each of its forms; the path may be whole or none."""
    assert base_of(url, allow_network=False) == base


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "http://192.168.1.4:8000/v1",
        "http://0.0.0.0:8000/v1",
        "http://localhost.example.com/v1",
        "http://127.0.0.1.example.com/v1",
        "http://2130706433/v1",
        "http://[::ffff:10.0.0.1]/v1",
    ],
)
def test_any_other_machine_needs_leave(url: str) -> None:
    """What only looks like this machine is another; the message says how to allow it."""
    with pytest.raises(PolicyError, match="--allow-network"):
        base_of(url, allow_network=False)
    assert base_of(url, allow_network=True) == url


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://localhost", "http://", "http://[", "http://localhost/v1?key=x"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    """Scheme and host are needed, a query isn't."""
    with pytest.raises(PolicyError, match=r"http://localhost:8000/v1"):
        base_of(url, allow_network=True)


def test_a_key_in_the_address_is_refused_and_not_repeated() -> None:
    """Addresses are in histories and logs; ``localhost@`` is a user, too."""
    for url in (f"http://me:{SECRET}@localhost/v1", "http://localhost@example.com/v1"):
        with pytest.raises(PolicyError, match=KEY) as raised:
            base_of(url, allow_network=True)
        assert SECRET not in str(raised.value)


def test_the_key_is_in_a_header_alone(model: ToyModel) -> None:
    """It comes from the environment; without one there is no header."""
    opened(model.url, **{KEY: "k-123"}).ask(QUESTION)
    assert {one.headers["authorization"] for one in model.engine.asked} == {"Bearer k-123"}
    assert "k-123" not in "".join(one.path + one.body for one in model.engine.asked)
    model.engine.asked.clear()
    opened(model.url).ask(QUESTION)
    assert all("authorization" not in one.headers for one in model.engine.asked)


def test_a_key_that_no_header_can_hold_is_refused(model: ToyModel) -> None:
    """A line break would make two headers of it."""
    with pytest.raises(PolicyError, match=KEY):
        opened(model.url, **{KEY: "k\n123"})
    assert model.engine.asked == []


def test_no_proxy_stands_before_this_machine(
    model: ToyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy of the environment would carry the text away."""
    with running() as proxy:
        monkeypatch.setenv("http_proxy", proxy.base)
        monkeypatch.delenv("no_proxy", raising=False)
        opened(model.url).ask(QUESTION)
        assert proxy.asked == []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_refused(model: ToyModel, status: int) -> None:
    """It would carry key and text to another host."""
    with running() as other:
        model.replies["toy"] = (status, b"", {"Location": f"{other.base}/v1/chat/completions"})
        assert model.endpoint(key="k").ask(QUESTION) is Silence.FAILED
        assert other.asked == []


def test_the_only_model_needs_no_name(model: ToyModel) -> None:
    """Among several one has to be named."""
    assert opened(model.url).model == "toy"
    MODELS["data"].append({"id": "other"})  # type: ignore[attr-defined]
    try:
        with pytest.raises(ServiceError, match="2 models; name one with --llm-model"):
            opened(model.url)
    finally:
        MODELS["data"].pop()  # type: ignore[attr-defined]


def test_an_endpoint_that_knows_no_schemas_is_asked_in_another_form(model: ToyModel) -> None:
    """The form is found by a question without text, and kept."""

    def strict(body: dict[str, Any]) -> Any:
        shape = body.get("response_format", {}).get("type", "none")
        return (
            said({"ready": True}) if shape == "none" and "max_tokens" not in body else (400, {}, {})
        )

    model.engine.answer = lambda asked: strict(json.loads(asked.body))
    endpoint = model.endpoint()
    assert len(model.engine.asked) == 5
    assert SECRET not in "".join(one.body for one in model.engine.asked)
    assert endpoint.ask(QUESTION) == '{"ready": true}'
    assert len(model.engine.asked) == 6


@pytest.mark.parametrize("status", [401, 403, 404])
def test_who_is_refused_at_all_is_told_at_once(model: ToyModel, status: int) -> None:
    """A wrong key is no silence of the model."""
    model.replies["greeting"] = (status, {}, {})
    with pytest.raises(ServiceError, match=f"status {status}.*{KEY}|status {status}.*--llm"):
        model.endpoint()


def test_passing_faults_are_tried_again_and_counted(model: ToyModel) -> None:
    """Too many requests, then a fault, then an answer: three requests, one answer."""
    replies = iter([(429, {}, {"Retry-After": "1"}), (500, {}, {}), completion("yes")])
    model.replies["toy"] = lambda _: next(replies)
    endpoint = model.endpoint()
    before = endpoint.cost.requests
    assert endpoint.ask(QUESTION) == "yes"
    assert endpoint.cost.requests == before + 3


@pytest.mark.parametrize("reply", [(429, {}, {}), (500, {}, {}), (400, {}, {}), b"<html>", b"[1]"])
def test_a_lasting_fault_is_no_answer(model: ToyModel, reply: Any) -> None:
    """The run goes on."""
    model.replies["toy"] = reply
    assert model.endpoint().ask(QUESTION) is Silence.FAILED


def test_an_answer_that_takes_too_long_is_none(model: ToyModel) -> None:
    """Each attempt waits as long as it may."""
    is_given_up = Event()

    def slow(_: object) -> Any:
        is_given_up.wait(60)
        return completion("late")

    model.replies["toy"] = slow
    endpoint = model.endpoint(timeout=0.1, attempts=1, is_agreed=False)
    assert endpoint.ask(QUESTION) is Silence.FAILED
    is_given_up.set()


def test_nobody_listening_is_said_without_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, for the whole run."""
    monkeypatch.setitem(JsonClient.__init__.__kwdefaults__, "sleep", lambda _: None)
    with running() as engine:
        base = engine.base
    with pytest.raises(ServiceError, match="can't be reached"):
        Endpoint.open(base, "toy", False, Budget(), 1.0, {})


@pytest.mark.parametrize(
    ("reply", "silence"),
    [
        (completion(None, refusal=f"I can't speak of {SECRET}"), Silence.REFUSED),
        (
            {"choices": [{"finish_reason": "content_filter", "message": {"content": ""}}]},
            Silence.REFUSED,
        ),
        (completion(None), Silence.UNREADABLE),
        ({"choices": []}, Silence.UNREADABLE),
        ({"choices": "none"}, Silence.UNREADABLE),
        ({}, Silence.UNREADABLE),
    ],
)
def test_a_reply_without_text_says_why(model: ToyModel, reply: Any, silence: Silence) -> None:
    """Refusals as the interface has them; anything else is unreadable."""
    model.replies["toy"] = reply
    assert model.endpoint().ask(QUESTION) is silence


def test_a_spent_budget_asks_no_more(model: ToyModel) -> None:
    """By requests, the greeting included, or by tokens."""
    model.replies["toy"] = completion("yes")
    for budget in (Budget(requests=3), Budget(tokens=220)):
        model.engine.asked.clear()
        endpoint = model.endpoint(budget=budget)
        answers = [endpoint.ask(QUESTION) for _ in range(4)]
        assert answers == ["yes", "yes", Silence.NOT_ASKED, Silence.NOT_ASKED]
        assert len(model.engine.asked) == 3


def test_tokens_are_as_the_endpoint_says_or_estimated(model: ToyModel) -> None:
    """Four characters a token, where it says nothing."""
    model.replies["toy"] = completion("yes")
    endpoint = model.endpoint()
    endpoint.ask(QUESTION)
    assert (endpoint.cost.prompt_tokens, endpoint.cost.completion_tokens) == (100, 10)
    model.replies["toy"] = {"choices": [{"message": {"content": "x" * 40}}]}
    endpoint.ask(EndpointQuestion("toy", (("user", "y" * 80),), {}))
    assert (endpoint.cost.prompt_tokens, endpoint.cost.completion_tokens) == (120, 20)
