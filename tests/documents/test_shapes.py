"""Objects that are no documents: the message names the field policy that fits."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tacenda import documents

CHAT = {"messages": [{"role": "user", "content": "hi"}]}
CLAUDE = {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}]}
PATIENT = {"resourceType": "Patient", "id": "x"}
VISIT = {"visit": {"note": "hi"}}


def _message(value: Any, format: str) -> str:
    """Return why a file of a value can't be read without a field policy."""
    items = list(documents.read("-", format, stdin=io.BytesIO(json.dumps(value).encode())))
    (failure,) = items
    assert isinstance(failure, documents.Failure)
    return str(failure.error)


@pytest.mark.parametrize(
    ("value", "way"),
    [
        (CHAT, "--fields openai-chat"), (CLAUDE, "--fields anthropic-chat"), (PATIENT, "--fields fhir"),
        (VISIT, "--fields POLICY, which tacenda fields FILE -o POLICY proposes"),
    ],
)  # fmt: skip
def test_an_object_without_a_text_says_which_policy_fits(value: dict[str, Any], way: str) -> None:
    """As a file, in a list, and on a line."""
    assert way in _message(value, "json")
    assert way in _message([value], "json")
    assert way in _message(value, "jsonl")
    assert "--field NAME" in _message(value, "jsonl")


def test_what_may_be_a_document_is_named_as_before() -> None:
    """One that isn't in a list, or lacks its id."""
    assert _message({"doc_id": "a", "text": "b"}, "json").endswith("documents; put it in [ ].")
    assert _message(3, "json").endswith("documents; put it in [ ].")
    assert _message([{"text": "b"}], "json").endswith("key 'doc_id' is missing; add it.")
