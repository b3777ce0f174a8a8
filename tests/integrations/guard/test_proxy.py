"""The proxy between the OpenAI client and a model on this machine, over real sockets."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tacenda import PolicyError, Sanitizer
from tacenda.integrations.guard import proxy
from tacenda.integrations.guard.proxy import ProxyOptions, application
from tests.deferred import DeferredModule

from .model_server import Model, serving

openai = DeferredModule("openai")
NAMES = ("anna", "berg", "stone", "sheffield", "900231")
PROMPT = "Write to Anna Berg of Sheffield, on 07700 900231, and to Bob Stone."


@pytest.fixture(scope="module")
def model() -> Model:
    """The model of these tests."""
    return Model()


@pytest.fixture(scope="module")
def upstream(model: Model) -> Iterator[str]:
    """Its address."""
    with serving(model.application()) as address:
        yield address


@pytest.fixture(scope="module")
def address(upstream: str, rules: Sanitizer) -> Iterator[str]:
    """The address of the proxy."""
    with serving(application(rules, ProxyOptions(f"{upstream}/v1"))) as address:
        yield address


@pytest.fixture
def client(address: str, model: Model) -> Iterator[Any]:
    """The client of OpenAI, to which the proxy is the model."""
    vars(model).update(vars(Model()))
    with openai.OpenAI(api_key="sk-mine", base_url=f"{address}/v1", max_retries=0) as client:
        yield client


def post(address: str, **options: Any) -> httpx.Response:
    """The answer to a request, however long it takes."""
    return httpx.post(address, timeout=60, **options)


def user(text: str) -> Any:
    """A message of the user."""
    return {"role": "user", "content": text}


def assert_nobody(model: Model) -> None:
    """No name reached the model, though something did."""
    sent = json.dumps(model.received).casefold()
    assert model.received
    assert [name for name in NAMES if name in sent] == []


def test_an_answer_comes_back_with_names(client: Any, model: Model) -> None:
    """The model sees placeholders, and the key of its provider."""
    answer = client.chat.completions.create(model="small", messages=[user(PROMPT)])
    assert answer.choices[0].message.content == PROMPT
    assert model.received[0]["messages"][0]["content"] == (
        "Write to [PERSON_1] of [PLACE_1], on [PHONE_1], and to [PERSON_2]."
    )
    assert model.headers["authorization"] == "Bearer sk-mine"
    assert_nobody(model)


@pytest.mark.parametrize("size", [1, 4, 11])
def test_a_stream_comes_back_with_names(client: Any, model: Model, size: int) -> None:
    """Piece by piece, never half a placeholder; arguments of tools too."""
    model.size, model.answer = size, "Dear **[Person 1]**, PERSON\\_2's\nand [PERSONNE_1]"
    model.arguments = '{"to": "[PERSON_1]", "cc": ["[person_2]"]}'
    tools: Any = [
        {"type": "function", "function": {"name": "send", "description": "For Bob Stone"}}
    ]
    text = arguments = ""
    with client.chat.completions.create(
        model="small", messages=[user(PROMPT)], tools=tools, stream=True
    ) as stream:
        for chunk in stream:
            delta = chunk.choices[0].delta
            assert "PER" not in (delta.content or "")
            text += delta.content or ""
            arguments += "".join(
                c.function.arguments or "" for c in delta.tool_calls or () if c.function
            )
    assert text == "Dear **Anna Berg**, Bob Stone's\nand Anna Berg"
    assert json.loads(arguments) == {"to": "Anna Berg", "cc": ["Bob Stone"]}
    assert_nobody(model)


@pytest.mark.parametrize("size", [1, 9])
def test_what_the_model_says_of_others_is_masked(
    upstream: str, model: Model, client: Any, rules: Sanitizer, size: int
) -> None:
    """Where that is wanted; in text and arguments of tools, as a stream and as a whole."""
    model.size, model.answer = size, "Dear [PERSON_1], ask Bob Stone, 07700 900999."
    model.arguments = '{"to": "[PERSON_1]", "cc": ["Bob Stone"]}'
    shown = ("Dear Anna Berg, ask [PERSON], [PHONE].", {"to": "Anna Berg", "cc": ["[PERSON]"]})
    options: dict[str, Any] = {"model": "small", "messages": [user("I am Anna Berg.")]}
    with (
        serving(application(rules, ProxyOptions(upstream, answers="mask"))) as address,
        client.with_options(base_url=f"{address}/v1") as here,
    ):
        message = here.chat.completions.create(**options).choices[0].message
        assert (message.content, json.loads(message.tool_calls[0].function.arguments)) == shown
        with here.chat.completions.create(**options, stream=True) as stream:
            deltas = [chunk.choices[0].delta for chunk in stream]
        text = "".join(delta.content or "" for delta in deltas)
        calls = [call for delta in deltas for call in delta.tool_calls or ()]
        assert calls[0].function.name == "send"
        arguments = "".join(call.function.arguments or "" for call in calls)
        assert (text, json.loads(arguments)) == shown


def test_text_in_unknown_fields_is_hidden(
    upstream: str, model: Model, client: Any, rules: Sanitizer
) -> None:
    """Where that is wanted; fields of the interface stay what they are."""
    note = {"of": ["Anna Berg"], "phone": 447700900231, "on": True}
    body = {
        "model": "small",
        "messages": [user("x")],
        "note": note,
        "response_format": {"type": "text"},
    }
    options = ProxyOptions(upstream, unknown_fields="hide")
    with serving(application(rules, options)) as address:
        assert post(f"{address}/v1/chat/completions", json=body).status_code == 200
        assert post(f"{address}/v1/chat/completions", json=body | {"user": [1]}).status_code == 400
    assert model.received == [
        body | {"note": {"of": ["[PERSON_1]"], "phone": "[PHONE_1]", "on": True}}
    ]


def test_a_conversation_goes_on(client: Any, model: Model) -> None:
    """Its first messages tell which it is; an earlier answer has the placeholders it had."""
    messages = [user(PROMPT)]
    model.answer = "Shall I write to [PERSON_1B]?"
    first = client.chat.completions.create(model="small", messages=messages)
    messages += [first.choices[0].message.model_dump(exclude_none=True), user("Anna? Yes.")]
    model.answer = None
    last = client.chat.completions.create(model="small", messages=messages)
    assert last.choices[0].message.content == "Anna? Yes."
    assert model.received[-1]["messages"][2]["content"] == "[PERSON_1B]? Yes."
    assert_nobody(model)


def test_conversations_are_apart(client: Any, model: Model) -> None:
    """By their name, their beginning and the key of who asks."""
    client.chat.completions.create(model="small", messages=[user(PROMPT)])
    model.answer = "[PERSON_1]"
    for options in (
        {"messages": [user("Hello.")]},
        {"messages": [user("Hello.")], "extra_headers": {"x-tacenda-conversation": "b"}},
    ):
        answer = client.chat.completions.create(model="small", **options)  # type: ignore[call-overload]
        assert answer.choices[0].message.content == "[PERSON_1]"
    other = client.with_options(api_key="sk-other")
    last = other.chat.completions.create(
        model="small", messages=[user(PROMPT.replace("Anna Berg", "me"))]
    )
    assert last.choices[0].message.content == "Bob Stone"


def test_other_interfaces_are_guarded(client: Any, model: Model) -> None:
    """Completions, embeddings, responses; models are passed on."""
    completion = client.completions.create(model="small", prompt=PROMPT)
    assert completion.choices[0].text == PROMPT
    assert client.responses.create(model="small", input=PROMPT).output_text == PROMPT
    client.embeddings.create(model="small", input=[PROMPT, "Anna"], encoding_format="float")
    assert [item.id for item in client.models.list()] == ["small"]
    assert len(model.received) == 3
    assert_nobody(model)


def test_anthropics_interface_is_guarded(address: str, model: Model, client: Any) -> None:
    """Messages, with the text of the system beside them."""
    body = {
        "model": "small",
        "max_tokens": 9,
        "system": "For Bob Stone.",
        "messages": [user(PROMPT)],
    }
    answer = post(f"{address}/v1/messages", json=body, headers={"x-api-key": "mine"})
    assert answer.json()["content"][0]["text"] == PROMPT
    assert model.headers["x-api-key"] == "mine"
    assert_nobody(model)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/chat/completions", {"model": "small", "messages": [], "secret": "Anna Berg"}, 400),
        ("/v1/chat/completions", {"model": "small", "messages": [], "Anna Berg": {}}, None),
        ("/v1/chat/completions", {"model": "of Anna Berg", "messages": []}, 400),
        ("/v1/chat/completions", [], 400),
        (
            "/v1/chat/completions",
            {"messages": [user("x") | {"content": [{"type": "file", "file": {}}]}]},
            400,
        ),
        ("/v1/completions", {"model": "small", "prompt": [[1, 2]]}, 400),
        ("/v1/responses", {"model": "small", "input": "x", "previous_response_id": "r1"}, 400),
        ("/v1/images/generations", {"prompt": "Anna Berg"}, 404),
        ("/v1/files", {}, 404),
    ],
)
def test_what_is_not_known_is_not_sent(
    address: str, client: Any, model: Model, path: str, body: Any, status: int | None
) -> None:
    """Fields, endpoints, pictures and numbers of tokens are refused, without a word of the text."""
    answer = post(address + path, json=body)
    if status is None:
        assert all("Anna" not in json.dumps(item) for item in model.received)
        return
    assert answer.status_code == status
    assert "Berg" not in answer.text
    assert model.received == []


def test_pages_of_other_hosts_are_refused(address: str, client: Any, model: Model) -> None:
    """By the name that they call this machine, and by what a form can send."""
    body = json.dumps({"model": "small", "messages": [user("x")]})
    json_type = {"content-type": "application/json"}
    url = f"{address}/v1/chat/completions"
    strange = post(url, content=body, headers=json_type | {"host": "evil.example"})
    form = post(url, content=body, headers={"content-type": "text/plain"})
    assert (strange.status_code, form.status_code) == (421, 415)
    assert model.received == []


def test_errors_of_the_model_are_passed_on(
    client: Any, model: Model, caplog: pytest.LogCaptureFixture
) -> None:
    """With their status, and nothing in the log."""
    model.status = 429
    with caplog.at_level(logging.INFO, "tacenda"), pytest.raises(openai.RateLimitError) as error:
        client.chat.completions.create(model="small", messages=[user(PROMPT)])
    assert error.value.response.headers["retry-after"] == "7"
    assert "Anna Berg" in str(error.value)
    assert "Anna" not in caplog.text
    assert_nobody(model)


def test_a_model_that_is_not_there_is_said_so(rules: Sanitizer) -> None:
    """By a status of a gateway."""
    with serving(application(rules, ProxyOptions("http://127.0.0.1:9/v1"))) as address:
        body = {"model": "small", "messages": [user("x")]}
        answer = post(f"{address}/v1/chat/completions", json=body)
        assert answer.status_code == 502
        assert httpx.get(f"{address}/health", timeout=60).json() == {"status": "ok"}


Handler = Callable[[httpx.Request], Awaitable[httpx.Response]]


@contextmanager
def before(handler: Handler, rules: Sanitizer, **options: Any) -> Iterator[str]:
    """The address of chats of a proxy before a model that a function plays."""
    client = httpx.AsyncClient(transport=httpx.MockTransport(handler))
    with serving(application(rules, ProxyOptions("http://model", **options), client)) as address:
        yield f"{address}/v1/chat/completions"


async def unasked(_: httpx.Request) -> httpx.Response:
    """A model that must not be asked."""
    raise AssertionError


def test_a_request_that_is_too_large_is_refused(
    rules: Sanitizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is read whole."""
    monkeypatch.setattr(proxy, "_LARGEST_BODY", 1_000)
    with before(unasked, rules) as address:
        answer = post(address, json={"model": "small", "messages": [user("Anna " * 300)]})
    assert (answer.status_code, "Anna" in answer.text) == (413, False)


def test_more_requests_than_it_works_on_are_put_off(rules: Sanitizer) -> None:
    """With the time after which to come again; the first goes on."""
    asked, released = threading.Event(), threading.Event()

    async def slow(_: httpx.Request) -> httpx.Response:
        asked.set()
        while not released.is_set():
            await asyncio.sleep(0.01)
        return httpx.Response(200, json={"choices": []})

    body = {"model": "small", "messages": [user("x")]}
    with before(slow, rules, at_once=1) as address, ThreadPoolExecutor(1) as pool:
        first = pool.submit(post, address, json=body)
        assert asked.wait(60)
        second = post(address, json=body)
        released.set()
        assert (second.status_code, second.headers["retry-after"]) == (429, "1")
        assert first.result().status_code == 200


def test_a_model_that_takes_too_long_is_given_up(rules: Sanitizer) -> None:
    """By a status of a gateway, without a word of the request."""

    async def asleep(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("Anna Berg", request=request)

    with before(asleep, rules) as address:
        answer = post(address, json={"model": "small", "messages": [user(PROMPT)]})
    assert (answer.status_code, "Anna" in answer.text) == (504, False)


def test_a_stream_that_breaks_off_says_so(rules: Sanitizer) -> None:
    """In an event; the mark of the end is not among them, nor half a placeholder."""

    async def pieces() -> AsyncIterator[bytes]:
        chunk = {"choices": [{"index": 0, "delta": {"content": "Dear [PERSON"}}]}
        yield f"data: {json.dumps(chunk)}\n\n".encode()
        raise httpx.ReadError("Anna Berg")

    async def leaving(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=pieces(), headers={"content-type": "text/event-stream"})

    with before(leaving, rules) as address:
        body = {"model": "small", "stream": True, "messages": [user(PROMPT)]}
        answer = post(address, json=body)
    *_, last = answer.text.strip().split("\n\n")
    assert "broke off (ReadError)" in last
    assert all(word not in answer.text for word in ("[DONE]", "[PERSON", "Anna"))


def test_an_address_must_be_one() -> None:
    """Of HTTP."""
    with pytest.raises(PolicyError, match="http"):
        ProxyOptions("ftp://x")


def test_the_command_serves(upstream: str, model: Model, client: Any, tmp_path: Path) -> None:
    """On this machine, until it is stopped."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "recognizer: false\nthreshold: 0.5\ndeny: [{exact: Anna Berg, type: PERSON}]\n"
    )
    command = [sys.executable, "-m", "tacenda", "serve", "proxy", "--upstream", f"{upstream}/v1"]
    with subprocess.Popen(
        [*command, "--policy", str(policy), "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            with client.with_options(base_url=address) as here:
                answer = here.chat.completions.create(
                    model="small", messages=[user("Hi, Anna Berg")]
                )
            assert answer.choices[0].message.content == "Hi, Anna Berg"
            assert model.received[-1]["messages"][0]["content"] == "Hi, [PERSON_1]"
        finally:
            process.terminate()


def test_others_reach_it_only_by_name() -> None:
    """An address that others reach needs the names by which they call it."""
    command = [sys.executable, "-m", "tacenda", "serve", "proxy", "--upstream", "http://x/v1"]
    run = subprocess.run(
        [*command, "--host", "0.0.0.0"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "--server-name" in run.stderr
