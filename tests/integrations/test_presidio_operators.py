"""The operators of the Presidio-compatible service against presidio-anonymizer itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import InputError
from tacenda.integrations.presidio.operators import (
    ANONYMIZERS,
    DEANONYMIZERS,
    UndecryptableError,
    anonymize,
    deanonymize,
)
from tacenda.integrations.presidio.schemas import calls, check_unicode, detections
from tests.deferred import DeferredModule
from tests.examples import for_each

presidio = DeferredModule("presidio_anonymizer")
entities = DeferredModule("presidio_anonymizer.entities")
convertor = DeferredModule("presidio_anonymizer.services.app_entities_convertor")
KEY = "WmZq4t7w!z%C&F)J"
SALT = "0123456789abcdef"
_OPERATORS = (
    {"type": "replace", "new_value": "X Y"},
    {"type": "replace"},
    {"type": "replace", "new_value": ""},
    {"type": "redact"},
    {"type": "keep"},
    {"type": "hash", "salt": SALT},
    {"type": "hash", "hash_type": "sha512", "salt": SALT},
    *(
        {"type": "mask", "masking_char": char, "chars_to_mask": count, "from_end": from_end}
        for char, count, from_end in (
            ("*", 3, False),
            ("#", 100, True),
            ("é", 2, True),
            ("", 1, False),
            ("*", -1, True),
        )
    ),
)


def ours(body: dict[str, Any]) -> dict[str, Any]:
    """The answer to a body of ``/anonymize``."""
    check_unicode(body)
    found = detections(body.get("analyzer_results"), "analyzer_results", scored=True)
    return anonymize(
        body["text"], found, calls(body.get("anonymizers"), "anonymizers", ANONYMIZERS)
    )


def theirs(body: dict[str, Any]) -> dict[str, Any]:
    """Presidio's answer to it."""
    body = json.loads(json.dumps(body))
    result = presidio.AnonymizerEngine().anonymize(
        body["text"],
        convertor.AppEntitiesConvertor.analyzer_results_from_json(body.get("analyzer_results")),
        convertor.AppEntitiesConvertor.operators_config_from_json(body.get("anonymizers")),
    )
    answer: dict[str, Any] = json.loads(result.to_json())
    return answer


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    """Bodies with many overlaps, neighbours, empty spans and spaces between."""
    text = draw(st.text(alphabet="ab é\n漢😀", min_size=1, max_size=16))
    offsets = st.integers(0, len(text))
    results = []
    for _ in range(draw(st.integers(0, 6))):
        start, end = sorted((draw(offsets), draw(offsets)))
        name = draw(st.sampled_from(("PERSON", "LOCATION", "ID")))
        score = draw(st.sampled_from((0.1, 0.5, 0.5, 1)))
        results.append({"start": start, "end": end, "entity_type": name, "score": score})
    names = st.sampled_from(("PERSON", "LOCATION", "DEFAULT"))
    anonymizers = draw(st.dictionaries(names, st.sampled_from(_OPERATORS)))
    return {"text": text, "analyzer_results": results, "anonymizers": anonymizers}


@given(bodies())
def test_writes_what_presidio_writes(body: dict[str, Any]) -> None:
    """Text, items, offsets and order are equal, whatever overlaps."""
    assert ours(body) == theirs(body)


@for_each("text", ["Anna Berg", "", "日本 😀", "a" * 16, "x" * 100])
@for_each("key", [KEY, KEY + "12345678", KEY * 2])
def test_encryption_is_presidios(text: str, key: str) -> None:
    """Each opens what the other encrypted."""
    operator = {"DEFAULT": {"type": "encrypt", "key": key}}
    span = [{"start": 0, "end": len(text), "entity_type": "PERSON", "score": 1}]
    body = {"text": text, "analyzer_results": span, "anonymizers": operator}
    back = {"DEFAULT": {"type": "decrypt", "key": key}}
    for sealed in (ours(body)["text"], theirs(body)["text"]):
        places = [{"start": 0, "end": len(sealed), "entity_type": "PERSON"}]
        opened = deanonymize(
            sealed,
            detections(places, "anonymizer_results", scored=False),
            calls(back, "deanonymizers", DEANONYMIZERS),
        )
        engine = presidio.DeanonymizeEngine().deanonymize(
            sealed,
            convertor.AppEntitiesConvertor.deanonymize_entities_from_json(
                {"anonymizer_results": places}
            ),
            convertor.AppEntitiesConvertor.operators_config_from_json(json.loads(json.dumps(back))),
        )
        assert opened == json.loads(engine.to_json())
        assert opened["text"] == text


def test_a_wrong_key_opens_nothing() -> None:
    """Neither with another key, nor what is no ciphertext."""
    body = {
        "text": "Anna",
        "analyzer_results": [{"start": 0, "end": 4, "entity_type": "PERSON", "score": 1}],
        "anonymizers": {"DEFAULT": {"type": "encrypt", "key": KEY}},
    }
    sealed = ours(body)["text"]
    wrong = calls({"DEFAULT": {"type": "decrypt", "key": KEY[::-1]}}, "", DEANONYMIZERS)
    right = calls({"DEFAULT": {"type": "decrypt", "key": KEY}}, "", DEANONYMIZERS)
    for string, call in ((sealed, wrong), ("plain text", right), (sealed[:-8], right), ("", right)):
        place = detections([{"start": 0, "end": len(string), "entity_type": "X"}], "", scored=False)
        with pytest.raises(UndecryptableError):
            deanonymize(string, place, call)


def test_random_salt_hides_equal_strings() -> None:
    """Without a salt, the hash of one string differs each time."""
    body = {
        "text": "Ann Ann",
        "analyzer_results": [
            {"start": 0, "end": 3, "entity_type": "A", "score": 1},
            {"start": 4, "end": 7, "entity_type": "B", "score": 1},
        ],
        "anonymizers": {"DEFAULT": {"type": "hash"}},
    }
    first, second = (item["text"] for item in ours(body)["items"])
    assert len(first) == len(second) == 64
    assert first != second


_PLACE = {"start": 0, "end": 4, "entity_type": "PERSON", "score": 0.9}


@for_each(
    ("changes", "operator"),
    [
        ({"start": None}, None),
        ({"end": None}, None),
        ({"start": "0"}, None),
        ({"end": [4]}, None),
        ({"end": 4.5}, None),
        ({"entity_type": None}, None),
        ({"entity_type": ""}, None),
        ({"score": None}, None),
        ({"start": -1}, None),
        ({"start": 5}, None),
        ({"end": 50}, None),
        ({}, {"new_value": "x"}),
        ({}, {"type": "bogus"}),
        ({}, {"type": "replace", "new_value": 5}),
        ({}, {"type": "replace", "new_value": {"a": 1}}),
        ({}, {"type": "mask"}),
        ({}, {"type": "mask", "masking_char": "**", "chars_to_mask": 1, "from_end": True}),
        ({}, {"type": "mask", "masking_char": "*", "chars_to_mask": "4", "from_end": True}),
        ({}, {"type": "mask", "masking_char": "*", "from_end": True}),
        ({}, {"type": "mask", "masking_char": "*", "chars_to_mask": 1}),
        ({}, {"type": "mask", "masking_char": "*", "chars_to_mask": 1, "from_end": "yes"}),
        ({}, {"type": "hash", "hash_type": "md5"}),
        ({}, {"type": "hash", "salt": ""}),
        ({}, {"type": "hash", "salt": "short"}),
        ({}, {"type": "encrypt"}),
        ({}, {"type": "encrypt", "key": "short"}),
    ],
)
def test_errors_are_presidios(changes: dict[str, Any], operator: dict[str, Any] | None) -> None:
    """A wrong request is refused in the same words."""
    body: dict[str, Any] = {"text": "Anna", "analyzer_results": [_PLACE | changes]}
    if operator is not None:
        body["anonymizers"] = {"PERSON": operator}
    with pytest.raises(entities.InvalidParamError) as theirs_error:
        theirs(body)
    with pytest.raises(InputError) as error:
        ours(body)
    assert str(error.value) == str(theirs_error.value)


@pytest.mark.parametrize(
    "anonymizers",
    [
        {"PERSON": {"type": "mask", "char_to_mask": 4, "masking_char": "*", "from_end": True}},
        {"PERSON": {"type": "replace", "newvalue": "x"}},
        {"PERSON": "redact"},
        ["redact"],
    ],
)
def test_an_unknown_parameter_is_refused(anonymizers: Any) -> None:
    """Presidio ignores what it doesn't know; here nobody is left to guess what was meant."""
    with pytest.raises(InputError):
        ours({"text": "Anna", "analyzer_results": [_PLACE], "anonymizers": anonymizers})
