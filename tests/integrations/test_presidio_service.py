"""The Presidio-compatible service: Presidio's addresses, fields, words and status codes."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

import tacenda
from benchmarks import presidio_api
from tacenda.integrations.presidio.analysis import NO_RECOGNIZER, RECOGNIZERS
from tacenda.integrations.presidio.entities import NAMES
from tacenda.integrations.presidio.gate import ServiceLimits
from tacenda.integrations.presidio.service import UP, application

from .serving import SlowNames, sanitizer, served

TEXT = "Anna Berg of Acme moved to Drammen; write to anna@example.com."
_ZIP = {
    "name": "Zip code Recognizer",
    "supported_language": "en",
    "patterns": [
        {"name": "zip code (weak)", "regex": "(\\b\\d{5}(?:\\-\\d{4})?\\b)", "score": 0.01}
    ],
    "context": ["zip", "code"],
    "supported_entity": "ZIP",
}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """Return a client of a service over a sanitizer of few names."""
    with TestClient(application(sanitizer()), raise_server_exceptions=False) as made:
        yield made


def found(client: TestClient, text: Any = TEXT, **fields: Any) -> list[tuple[Any, ...]]:
    """Entity, string and score of each result."""
    body = {"text": text, "language": "en", **fields}
    answer = client.post("/analyze", json=body)
    assert answer.status_code == 200, answer.text
    return [
        (item["entity_type"], text[item["start"] : item["end"]], item["score"])
        for item in answer.json()
    ]


def refusal(client: TestClient, path: str, body: Any) -> tuple[int, str]:
    """Status and words of an error."""
    answer = client.post(path, json=body)
    assert set(answer.json()) == {"error"}
    return answer.status_code, answer.json()["error"]


def test_analyze_gives_what_is_masked(client: TestClient) -> None:
    """The decisions are the policy's: Acme is below its threshold."""
    assert found(client) == [
        ("PERSON", "Anna Berg", 0.9),
        ("LOCATION", "Drammen", 0.6),
        ("EMAIL_ADDRESS", "anna@example.com", 1.0),
    ]


def test_results_have_presidios_fields(client: TestClient) -> None:
    """Five fields; the explanation is null unless it is asked for, by true or 1, and has no text."""
    body = {"text": TEXT, "language": "en"}
    first = client.post("/analyze", json=body).json()[0]
    assert first == {
        "analysis_explanation": None,
        "end": 9,
        "entity_type": "PERSON",
        "score": 0.9,
        "start": 0,
    }
    for no in (False, 0):
        answer = client.post("/analyze", json={**body, "return_decision_process": no})
        assert answer.json()[0] == first
    one, first = (
        client.post("/analyze", json={**body, "return_decision_process": yes}).json()[0]
        for yes in (1, True)
    )
    assert one == first
    explanation = first["analysis_explanation"]
    assert set(explanation) == {
        "recognizer",
        "pattern_name",
        "pattern",
        "original_score",
        "score",
        "textual_explanation",
        "score_context_improvement",
        "supportive_context_word",
        "validation_result",
        "regex_flags",
    }
    assert explanation["recognizer"] == "TacendaRecognizer"
    assert "0.90" in explanation["textual_explanation"]
    assert "Anna" not in str(explanation)


def test_a_list_of_texts_gets_a_list_of_lists(client: TestClient) -> None:
    """One list of results for each text, in order."""
    answer = client.post("/analyze", json={"text": ["Anna Berg", "", "Drammen"], "language": "en"})
    assert [[item["entity_type"] for item in results] for results in answer.json()] == [
        ["PERSON"],
        [],
        ["LOCATION"],
    ]


def test_a_threshold_takes_the_place_of_the_policys(client: TestClient) -> None:
    """Below it nothing is given; what a rule masks has at least its score."""
    assert ("ORGANIZATION", "Acme", 0.3) in found(client, score_threshold=0.2)
    assert [name for name, *_ in found(client, score_threshold=0.8)] == ["PERSON", "EMAIL_ADDRESS"]


def test_only_the_entities_asked_for_are_given(client: TestClient) -> None:
    """Null and an empty list ask for all."""
    assert found(client, entities=["LOCATION"]) == [("LOCATION", "Drammen", 0.6)]
    assert found(client, entities=None) == found(client, entities=[]) == found(client)


@pytest.mark.parametrize(
    ("text", "name", "asked"),
    [
        ("SSN 123-45-6789", "US_SSN", "US_SSN"),
        ("his passport no. 912803456 is", "US_PASSPORT", "UK_PASSPORT"),
        ("bank account number 8812345678 at", "US_BANK_NUMBER", "US_BANK_NUMBER"),
        ("customer number 88123456 at", "ID", "DE_ID_CARD"),
        ("NHS number 943 476 5919", "UK_NHS", "UK_NHS"),
        ("pay with 4111 1111 1111 1111", "CREDIT_CARD", "CREDIT_CARD"),
        ("to GB82 WEST 1234 5698 7654 32", "IBAN_CODE", "IBAN_CODE"),
        ("call +44 7700 900231", "PHONE_NUMBER", "PHONE_NUMBER"),
        ("from 10.11.12.13 at", "IP_ADDRESS", "IP_ADDRESS"),
        ("NINO AB 12 34 56 C", "UK_NINO", "UK_NINO"),
        ("DNI 12345678Z", "ES_NIF", "ES_NIF"),
        ("at 12 Park Road, Leeds LS1 4AB", "LOCATION", "LOCATION"),
    ],
)
def test_numbers_have_presidios_names(client: TestClient, text: str, name: str, asked: str) -> None:
    """By check digits, form or the words before; a code that can't be separated answers to any of them."""
    assert name in [item[0] for item in found(client, text)]
    assert asked in [item[0] for item in found(client, text, entities=[asked])]
    assert found(client, text, entities=["PERSON"]) == []


def test_an_entity_that_nobody_finds_is_refused(client: TestClient) -> None:
    """Presidio would leave it in the text, and say so in its log alone."""
    body = {"text": TEXT, "language": "en", "entities": ["PERSON", "SHOE_SIZE"]}
    status, words = refusal(client, "/analyze", body)
    assert status == 400
    assert "SHOE_SIZE" in words


def test_recognizers_come_with_the_request(client: TestClient) -> None:
    """Patterns with scores and context words; their entity may be asked for."""
    text = "John drivers license is AC432223 and the zip code is 12345, not 54321"
    assert found(client, text, entities=["ZIP"], ad_hoc_recognizers=[_ZIP]) == [
        ("ZIP", "12345", 0.4),
        ("ZIP", "54321", 0.4),
    ]
    assert (
        found(client, text, entities=["ZIP"], score_threshold=0.6, ad_hoc_recognizers=[_ZIP]) == []
    )
    far = "The zip of that place has changed more than once since then: 12345"
    assert found(client, far, entities=["ZIP"], ad_hoc_recognizers=[_ZIP])[0][2] == 0.01
    assert found(client, far, entities=["ZIP"], ad_hoc_recognizers=[_ZIP], context=["Zip"]) == [
        ("ZIP", "12345", 0.4)
    ]
    foreign = {**_ZIP, "supported_language": "de"}
    assert found(client, "zip 12345", ad_hoc_recognizers=[foreign])[0][0] == "LOCATION"


def test_a_deny_list_matches_whole_words(client: TestClient) -> None:
    """In any case, by default with the score 1; a group may be all that is meant."""
    titles = {"supported_entity": "TITLE", "deny_list": ["Mr.", "Mrs"]}
    assert found(client, "mr. Fox, Mrs Fox, Mrsa", ad_hoc_recognizers=[titles]) == [
        ("TITLE", "mr.", 1.0),
        ("TITLE", "Mrs", 1.0),
    ]
    room = {
        "supported_entity": "ROOM",
        "patterns": [
            {"name": "r", "regex": "room (?P<n>\\d+)", "score": 0.5, "capture_group": "n"}
        ],
    }
    assert found(client, "in room 12", ad_hoc_recognizers=[room]) == [("ROOM", "12", 0.5)]


def test_the_allow_list_is_kept(client: TestClient) -> None:
    """By equal strings, or by an expression that matches anywhere in one."""
    assert "PERSON" not in [item[0] for item in found(client, allow_list=["Anna Berg"])]
    assert "PERSON" in [item[0] for item in found(client, allow_list=["Anna"])]
    left = found(client, allow_list=["^anna", "men$"], allow_list_match="regex")
    assert left == []
    left = found(client, allow_list=["^anna"], allow_list_match="regex", regex_flags=0)
    assert [item[0] for item in left] == ["PERSON", "LOCATION"]


def test_an_endless_expression_is_stopped(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its request fails; an unfinished match must not pass as no match."""
    monkeypatch.setenv("TACENDA_LIMIT_REGEX_SECONDS", "0.5")
    evil = {"supported_entity": "X", "patterns": [{"name": "x", "regex": "(a+)+$", "score": 1}]}
    body = {"text": "a" * 40 + "!", "language": "en", "ad_hoc_recognizers": [evil]}
    status, words = refusal(client, "/analyze", body)
    assert status == 400
    assert "took too long" in words


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"language": "en"}, 500, "No text provided"),
        ({"text": "", "language": "en"}, 500, "No text provided"),
        ({"text": [], "language": "en"}, 500, "No text provided"),
        ({"text": "x"}, 500, "No language provided"),
        ({"text": "x", "language": "xx"}, 500, NO_RECOGNIZER),
    ],
)
def test_analyze_refuses_in_presidios_words(
    client: TestClient, body: Any, status: int, words: str
) -> None:
    """With its status, too."""
    assert refusal(client, "/analyze", body) == (status, words)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"entity": ["PERSON"]}, "entity"),
        ({"score_treshold": 0.1}, "score_treshold"),
        ({"score_threshold": 1.5}, "score_threshold"),
        ({"score_threshold": "0.5"}, "score_threshold"),
        ({"entities": "PERSON"}, "entities"),
        ({"allow_list_match": "fuzzy"}, "allow_list_match"),
        ({"ad_hoc_recognizers": [{"supported_entity": "X"}]}, "deny list"),
        ({"ad_hoc_recognizers": [{**_ZIP, "validator": "x"}]}, "validator"),
        (
            {
                "ad_hoc_recognizers": [
                    {**_ZIP, "patterns": [{"name": "x", "regex": "(", "score": 1}]}
                ]
            },
            "regex",
        ),
        ({"ad_hoc_recognizers": [{**_ZIP, "supported_entities": ["A"]}]}, "exactly one"),
        ({"text": 5}, "text"),
        ({"text": ["a", 5]}, "text"),
        ({"allow_list": ["("], "allow_list_match": "regex"}, "allow_list"),
    ],
)
def test_what_is_not_known_is_refused(
    client: TestClient, fields: dict[str, Any], named: str
) -> None:
    """It could change what is masked; the words name the field, not its value."""
    body = {"text": "Anna Berg", "language": "en", **fields}
    status, words = refusal(client, "/analyze", body)
    assert status == 400
    assert named in words
    assert "Anna" not in words


def test_half_a_character_is_refused(client: TestClient) -> None:
    """JSON can spell it, and no answer can hold it."""
    for path, field in (("/analyze", '"language": "en"'), ("/anonymize", '"analyzer_results": []')):
        content = f'{{"text": "half \\ud83d", {field}}}'
        answer = client.post(path, content=content, headers={"Content-Type": "application/json"})
        assert "surrogate" in answer.json()["error"]


def test_fields_without_effect_are_taken(client: TestClient) -> None:
    """Those of Presidio's documentation, and null for any."""
    fields = {"correlation_id": "123e4567", "trace": False, "nlp_artifacts": None}
    assert found(client, **fields) == found(client)


@pytest.mark.parametrize("path", ["/analyze", "/anonymize", "/deanonymize"])
def test_only_json_objects_are_read(client: TestClient, path: str) -> None:
    """With the status of Flask, in which Presidio is written."""
    for content, kind, status in (
        (b"{", "application/json", 400),
        (b'{"text": NaN}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"text=x", "application/x-www-form-urlencoded", 415),
        (b"[1]", "application/json", 400),
    ):
        answer = client.post(path, content=content, headers={"Content-Type": kind})
        assert answer.status_code == status, content[:10]
        assert answer.json()["error"]


def test_anonymize_and_back(client: TestClient) -> None:
    """What /analyze answers can be sent on as it is; what was encrypted comes back."""
    results = client.post("/analyze", json={"text": TEXT, "language": "en"}).json()
    body: dict[str, Any] = {"text": TEXT, "analyzer_results": results}
    answer = client.post("/anonymize", json=body).json()
    assert answer["text"] == "<PERSON> of Acme moved to <LOCATION>; write to <EMAIL_ADDRESS>."
    key = "WmZq4t7w!z%C&F)J"
    body["anonymizers"] = {"DEFAULT": {"type": "encrypt", "key": key}}
    sealed = client.post("/anonymize", json=body).json()
    opened = client.post(
        "/deanonymize",
        json={
            "text": sealed["text"],
            "anonymizer_results": sealed["items"],
            "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": key}},
        },
    ).json()
    assert opened["text"] == TEXT
    assert {item["operator"] for item in opened["items"]} == {"decrypt"}


def test_the_examples_of_presidios_documentation(client: TestClient) -> None:
    """Its requests, as they stand there; the answers have its form, and what can be equal is equal."""
    licence = "John Smith drivers license is AC432223"
    many = [licence, f"{licence} and the zip code is 12345"]
    answer = client.post("/analyze", json={"text": many, "language": "en"})
    assert [type(results) for results in answer.json()] == [list, list]
    wishes = {
        "text": many[1],
        "language": "en",
        "return_decision_process": False,
        "correlation_id": "123e4567-e89b-12d3-a456-426614174000",
        "score_threshold": 0.6,
        "entities": ["US_DRIVER_LICENSE", "ZIP"],
        "trace": False,
        "ad_hoc_recognizers": [_ZIP],
    }
    assert client.post("/analyze", json=wishes).status_code == 200
    text = "hello world, my name is Jane Doe. My number is: 034453334"
    person = {"start": 24, "end": 32, "score": 0.8, "entity_type": "PERSON"}
    phone = {"start": 48, "end": 57, "score": 0.95, "entity_type": "PHONE_NUMBER"}
    body = {
        "text": text,
        "anonymizers": {
            "PERSON": {"type": "redact"},
            "PHONE_NUMBER": {"type": "replace", "new_value": "ANONYMIZED"},
        },
        "analyzer_results": [person, phone],
    }
    answer = client.post("/anonymize", json=body)
    assert answer.json()["text"] == "hello world, my name is . My number is: ANONYMIZED"
    body["anonymizers"] = {"DEFAULT": {"type": "replace", "new_value": "ANONYMIZED"}}
    assert client.post("/anonymize", json=body).json()["text"].count("ANONYMIZED") == 2
    sealed = "My name is S184CMt9Drj7QaKQ21JTrpYzghnboTF9pn/neN8JME0="
    body = {
        "text": sealed,
        "deanonymizers": {"PERSON": {"type": "decrypt", "key": "WmZq4t7w!z%C&F)J"}},
        "anonymizer_results": [{"start": 11, "end": 55, "entity_type": "PERSON"}],
    }
    assert client.post("/deanonymize", json=body).json()["text"] == "My name is Chloë"


def test_many_texts_are_written_at_once(client: TestClient) -> None:
    """Lists of texts and of their results, of equal length."""
    place = {"start": 0, "end": 4, "entity_type": "PERSON", "score": 1}
    body = {"text": ["Anna", "Bert"], "analyzer_results": [[place], []]}
    answer = client.post("/anonymize", json=body).json()
    assert [item["text"] for item in answer] == ["<PERSON>", "Bert"]
    body = {"text": ["Anna", "Bert"], "analyzer_results": [[place]]}
    assert refusal(client, "/anonymize", body)[0] == 422


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/anonymize", {}, 400, "Invalid request json"),
        ("/anonymize", {"text": "a"}, 422, "Invalid input, request must contain analyzer results"),
        (
            "/anonymize",
            {"text": "a", "analyzer_results": [], "anonymizers": {"X": {"type": "custom"}}},
            400,
            "Custom type anonymizer is not supported",
        ),
        (
            "/anonymize",
            {"text": "a", "analyzer_results": [], "operators": {"X": {"type": "redact"}}},
            422,
            "Invalid input, the request has an unknown field 'operators'",
        ),
        (
            "/deanonymize",
            {
                "text": "abc",
                "anonymizer_results": [{"start": 0, "end": 3, "entity_type": "X"}],
                "deanonymizers": {"X": {"type": "decrypt", "key": "WmZq4t7w!z%C&F)J"}},
            },
            500,
            "Internal server error",
        ),
    ],
)
def test_writing_refuses_in_presidios_words(
    client: TestClient, path: str, body: Any, status: int, words: str
) -> None:
    """With its status, too."""
    assert refusal(client, path, body) == (status, words)


def test_the_lists_of_names(client: TestClient) -> None:
    """For the language that is read; Presidio's error for another."""
    assert client.get("/supportedentities?language=en").json() == list(NAMES)
    assert client.get("/recognizers").json() == list(RECOGNIZERS)
    assert client.get("/anonymizers").json() == "encrypt hash keep mask redact replace".split()
    assert client.get("/deanonymizers").json() == ["decrypt", "deanonymize_keep"]
    answer = client.get("/supportedentities?language=xx")
    assert (answer.status_code, answer.json()) == (500, {"error": NO_RECOGNIZER})
    assert client.get("/health").text == UP
    assert client.get("/nothing").status_code == 404
    assert client.get("/analyze").status_code == 405


def test_a_fault_shows_no_text(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """Neither in the answer nor in the log; other requests of the batch go on."""
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/analyze", json={"text": "broken Anna Berg", "language": "en"})
    assert answer.status_code == 500
    assert answer.json() == {"error": "Internal server error"}
    assert "RuntimeError" in caplog.text
    assert "Anna" not in caplog.text
    assert found(client)


def figures(text: str) -> dict[tuple[str, ...], float]:
    """Values by name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_figures_count_without_text() -> None:
    """Requests by address and status, texts, characters and times; another address is ``other``."""
    with TestClient(application(sanitizer())) as client:
        found(client)
        client.post("/analyze", json={"text": ["Anna Berg", "b"], "language": "xx"})
        client.get("/Anna-Berg")
        page = client.get("/metrics")
    values = figures(page.text)
    assert values["tacenda_presidio_requests_total", "/analyze", "200"] == 1
    assert values["tacenda_presidio_requests_total", "/analyze", "500"] == 1
    assert values["tacenda_presidio_requests_total", "other", "404"] == 1
    assert values["tacenda_presidio_texts_total",] == 3
    assert values["tacenda_presidio_characters_total",] == len(TEXT) + 10
    assert values["tacenda_presidio_request_seconds_count", "/analyze"] == 2
    assert values["tacenda_presidio_requests_in_progress",] == 0
    assert "Anna" not in page.text


def refusals(client: httpx.Client) -> dict[str, float]:
    """Requests that the gate refused, by reason."""
    return {
        name[1]: value
        for name, value in figures(client.get("/metrics").text).items()
        if name[0] == "tacenda_presidio_refused_total"
    }


_SLOW = {"text": "slow", "language": "en"}


def test_the_gate_refuses_what_is_too_much() -> None:
    """Too large 413, too many texts 400, too many at once 429; health is always said."""
    names, limits = SlowNames(), ServiceLimits(body=2_000, texts=2, requests=2)

    async def crowd(place: str) -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=place, timeout=60) as client:
            first = [asyncio.ensure_future(client.post("/analyze", json=_SLOW)) for _ in range(2)]
            passing = ("tacenda_presidio_requests_in_progress",)
            while figures((await client.get("/metrics")).text)[passing] < 2:
                await asyncio.sleep(0.01)
            others = [await client.post("/analyze", json=_SLOW), await client.get("/health")]
            names.is_hurried.set()
            return [*await asyncio.gather(*first), *others]

    app = application(sanitizer(names), limits)
    with served(app) as place, httpx.Client(base_url=place, timeout=60) as client:
        answers = asyncio.run(crowd(place))
        assert [answer.status_code for answer in answers] == [200, 200, 429, 200]
        assert answers[2].headers["retry-after"] == "1"
        large = {"text": "x" * 3_000, "language": "en"}
        assert client.post("/analyze", json=large).status_code == 413
        stream = client.post(
            "/analyze",
            content=iter([b"x" * 1_500] * 2),
            headers={"Content-Type": "application/json"},
        )
        assert stream.status_code == 413
        many = {"text": ["a"] * 3, "language": "en"}
        assert client.post("/analyze", json=many).status_code == 400
        assert refusals(client) == {"busy": 1, "too_large": 2}


def test_the_gate_ends_what_takes_too_long() -> None:
    """By 504, counted as such."""
    names = SlowNames()
    app = application(sanitizer(names), ServiceLimits(seconds=0.1))
    with served(app) as place, httpx.Client(base_url=place, timeout=60) as client:
        assert client.post("/analyze", json=_SLOW).status_code == 504
        names.is_hurried.set()
        assert refusals(client) == {"timeout": 1}


def test_cut_errors_break_off() -> None:
    """Status and answer are there, but not all that was announced: no client reads it as an empty list."""
    app = application(sanitizer(), ServiceLimits(body=1_000, cut_errors=True), ("127.0.0.1",))
    with served(app) as place, httpx.Client(base_url=place, timeout=60) as client:
        assert client.post("/analyze", json={"text": "Anna Berg", "language": "en"}).json()
        for path, body, headers in (
            ("/analyze", {"text": "Anna Berg", "language": "xx"}, {}),
            ("/analyze", {"text": "broken", "language": "en"}, {}),
            ("/analyze", {"text": "x" * 2_000, "language": "en"}, {}),
            ("/anonymize", {"text": "Anna"}, {}),
            ("/analyze", {"text": "Anna Berg", "language": "en"}, {"Host": "elsewhere.example"}),
        ):
            # Where the server has not read all of a body, the connection may be reset.
            with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
                client.post(path, json=body, headers=headers)


def test_what_presidios_own_tests_ask_of_a_server() -> None:
    """With the shipped recognizer: statuses, words of errors, fields, entities and places."""
    with TestClient(application(tacenda.load()), raise_server_exceptions=False) as client:

        def ask(path: str, body: Any) -> tuple[int, Any]:
            sent = json.dumps(body).encode() if not isinstance(body, bytes) else body
            header = {"Content-Type": "application/json"}
            answer = (
                client.get(path)
                if body is None
                else client.post(path, content=sent, headers=header)
            )
            is_json = answer.headers["content-type"].startswith("application/json")
            return answer.status_code, answer.json() if is_json else answer.text

        checks = presidio_api.checks()
        assert len(checks) > 46
        assert [name for name, passes in checks.items() if not passes(ask)] == []
