"""JSON of any shape by a field policy: chats, calls of tools, nested records, out as they came in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tacenda.documents import objects
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.running_numbers import RunningNumbers
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.documents.test_rows_planted import SPELLINGS, assert_gone
from tests.examples import for_each

from .building_records import rewritten

NAME = "Galip Yalman"
SANITIZER = Sanitizer(Policy(recognizer=False, threshold=0.5, target=(NAME,)), None, 0.5)
CHATS: dict[str, Any] = {
    "openai-chat": {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": "You help."},
            {"role": "user", "name": "galip_yalman", "content": [
                {"type": "text", "text": "I am Galip Yalman, \"né\" 1974"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,R2FsaXAgWWFsbWFu"}},
            ]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function",
                "function": {"name": "book", "arguments": json.dumps(
                    {"who": {"name": "Galip Yalman", "n": 1.50}, "by": "Yalm\u00e5n", "x": "\\u"})}}]},
            {"role": "tool", "tool_call_id": "call_1", "content": "{\"ok\": true}"},
        ],
        "unforeseen": {"note": "by Galip Yalman", "n": 3},
    },
    "anthropic-chat": {
        "messages": [{"role": "user", "content": "I am Galip Yalman"}, {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Galip Yalman asks", "signature": "Y"},
            {"type": "tool_use", "id": "toolu_1", "name": "find", "input": {"q": ["Galip Yalman", 5]}},
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "Yalman"}]},
        ]}],
        "metadata": {"user_id": "yalman-7"},
    },
    "sharegpt": {"id": "x1", "conversations": [{"from": "human", "value": "Galip Yalman here"},
                                               {"from": "gpt", "value": "Hello"}]},
}  # fmt: skip


DROPPED = {"image_url", "signature"}


def shipped(name: str) -> Fields:
    """Return a shipped field policy in a run of its own."""
    return Fields(FieldPolicy.load(name), name, RunningNumbers())


def policy(rules: dict[str, Any], unlisted: str = "refuse") -> Fields:
    """Return a field policy as of a file."""
    return Fields(FieldPolicy.model_validate({"unlisted": unlisted, "fields": rules}), "f.yaml")


def written(source: str | bytes, fields: Fields, format: str = "json") -> tuple[bytes, list[str]]:
    """Return a file without one person, and the messages of what failed."""
    return rewritten(source, format, fields, SANITIZER)


@for_each("name", CHATS)
@for_each("indent", [None, 3])
def test_chats_lose_the_person_and_nothing_else(name: str, indent: int | None) -> None:
    """Roles, ids and the order of keys stay, the arguments of a call stay JSON."""
    chat = CHATS[name]
    for source, format in (
        (json.dumps(chat, indent=indent), "json"),
        (json.dumps([chat, chat], indent=indent), "json"),
        (json.dumps(chat) + "\n", "jsonl"),
    ):
        output, faults = written(source, shipped(name), format)
        assert not faults
        text = output.decode()
        assert_gone(text, repr(json.loads(text)))
        assert list(_paths(json.loads(text))) == [
            path for path in _paths(json.loads(source)) if not DROPPED & set(path)
        ]
    if name == "openai-chat":
        call = json.loads(written(json.dumps(chat), shipped(name))[0])["messages"][2]["tool_calls"][
            0
        ]
        arguments = json.loads(call["function"]["arguments"], parse_float=str)
        assert (arguments["who"]["n"], arguments["x"], call["id"]) == ("1.5", "\\u", "call_1")


def _paths(value: Any, path: tuple[str, ...] = ()) -> Any:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, path)
    else:
        yield path


@pytest.mark.parametrize("name", CHATS)
def test_a_name_is_in_no_leaf_of_a_chat(name: str) -> None:
    """In each place, in each spelling; also in JSON in a string."""
    for spelling in SPELLINGS:
        chat = json.loads(json.dumps(CHATS[name]).replace(NAME, "hello"))
        planted = json.dumps(chat).replace('"hello"', json.dumps(spelling))
        chat = json.loads(planted)
        chat["who"] = NAME
        output, faults = written(json.dumps(chat), shipped(name))
        assert not faults
        assert_gone(output.decode())


@for_each(
    "source",
    [
        '{"a": 1.10, "b":[ ], "text" : "x \\u00e9 \\/", "z": 1e400, "z":null}',
        ' [\n {"text": "a"} ,\n\t{"text": "b", "c": [[], [1, {"d": "e"}]]}\n]\n\n',
        "[]", " [ ] \n", "{}", '"just a string"', "[1, 2.50, true, null, \"x\"]", "\ufeff[ {} ]",
        '[{"q": "{\\"a\\": \\"b \\\\u00e9\\", \\"n\\": 007}"}]', "[[1, 2], [3]]",
    ],
)  # fmt: skip
def test_what_nobody_is_in_comes_back_to_the_byte(source: str) -> None:
    """Digits, spacing, doubled keys, escapes, a byte order mark and what is between items."""
    fields = policy({"q": {"treatment": "text", "holds": "json"}}, "text")
    assert written(source, fields) == (source.encode(), [])


def test_names_that_fields_tell_are_gone_from_the_item_alone() -> None:
    """Each item of a list is a record of its own."""
    rules = {
        "first": {"treatment": "text", "name": "given"},
        "last": {"treatment": "text", "name": "surname"},
    }
    items = [
        {"first": "Zofia", "last": "Kowalik", "note": "z.kowalik@x.pl came"},
        {"first": "Ada", "last": "Brandt", "note": "Kowalik is a village"},
    ]
    output, _ = written(json.dumps(items), policy(rules, "text"))
    first, second = json.loads(output)
    assert "kowalik" not in json.dumps(first).lower()
    assert second["note"] == "Kowalik is a village"
    assert "Brandt" not in json.dumps(second)


def test_an_item_that_fails_is_left_out() -> None:
    """The list stays a list; the message has the item and no value."""
    source = '[{"a": "x", "new": "Secret"}, {"a": "y"}, {"a": "\\ud800"}, {"a": "z"}]'
    output, faults = written(source, policy({"a": "text"}))
    assert json.loads(output) == [{"a": "y"}, {"a": "z"}]
    assert [fault.partition(":")[0] for fault in faults] == ["stdin[0]", "stdin[2]"]
    assert "Secret" not in "".join(faults)


@for_each(
    "source",
    ["{", "[1,", '[1,]', '{"a": 1} x', "[" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000, "Secret", ""],
)  # fmt: skip
def test_hostile_json_is_an_error(source: str) -> None:
    """It names the file and shows nothing."""
    output, faults = written(source, policy({}, "text"))
    assert output == b"[]\n"  # as of any list without documents
    (fault,) = faults
    assert fault.startswith("stdin: ")
    assert "Secret" not in fault


def test_a_huge_value_and_many_keys_are_read() -> None:
    """Ten thousand distinct names, more than a hundred kilobytes in one."""
    item = {f"k{number}": number for number in range(10_000)} | {"text": "so " * 40_000}
    output, faults = written(json.dumps(item), policy({"text": "text", "*": "keep"}))
    assert not faults
    assert json.loads(output) == item


def test_text_in_html_within_json_stays_html() -> None:
    """Tags, references and escapes stay; a name over two elements is gone."""
    div = '<div xmlns="http://www.w3.org/1999/xhtml"><p>Seen: Galip <b>Yalman</b> &amp; co<br/></p>"x"</div>'
    fields = policy({"div": {"treatment": "text", "holds": "html"}})
    output, faults = written(json.dumps({"div": div}), fields)
    assert not faults
    again = json.loads(output)["div"]
    assert_gone(again)
    assert again.startswith('<div xmlns="http://www.w3.org/1999/xhtml"><p>Seen: ')
    assert again.endswith(' &amp; co<br/></p>"x"</div>')
    clean = json.dumps({"div": div.replace("Galip <b>Yalman</b>", "it &lt; <i>him</i>")})
    assert written(clean, fields) == (clean.encode(), [])


def test_references_agree_with_the_ids_they_name() -> None:
    """A token stands for an id, and for the last part of an address."""
    rules = {"id": {"treatment": "identifier", "form": "token"},
             "of": {"treatment": "identifier", "form": "reference"}}  # fmt: skip
    source = (
        '[{"id": "p7", "of": "Patient/p7"}, {"id": 8, "of": "urn:uuid:p7"}, {"id": "", "of": ""}]'
    )
    output, _ = written(source, policy(rules))
    assert json.loads(output) == [
        {"id": "ID-1", "of": "Patient/ID-1"}, {"id": "ID-2", "of": "urn:uuid:ID-1"}, {"id": "", "of": ""},
    ]  # fmt: skip


def test_characters_outside_the_encoding_are_written_as_json_does() -> None:
    """As of made-up names and tags in a file in Latin-1, beyond the first plane too."""
    written = '{"name": "Łucja 😀"}'.encode("latin-1", objects.ESCAPES)
    assert json.loads(written.decode("latin-1")) == {"name": "Łucja 😀"}
