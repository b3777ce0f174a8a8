"""Where text is in what is sent to a language model: requests, messages and tools in OpenAI's and Anthropic's interfaces.

A value is a tree. Each leaf has a path, to which lists add nothing, and a treatment: that of the
longest prefix of the path in a table. A path without a treatment is refused, since unknown fields
may contain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from ...errors import InputError
from ...shipped import shipped_table


class PromptTreatment(Enum):
    """How a leaf is treated."""

    TEXT = "text"  # hidden
    JSON = "json"  # a string of JSON, or an object: its strings, numbers and names are hidden
    SCHEMA = "schema"  # descriptions in a JSON schema are hidden; its names stay
    NAME = "name"  # a field's name: hidden if it names somebody who is hidden
    TOKEN = "token"  # a person's id or name: hidden as a whole
    KEEP = "keep"  # unchanged; refused if it can't be a setting, or names somebody who is hidden
    MEDIA = "media"  # pictures, sounds and files, which can't be read


Media = Literal["refuse", "keep"]
"""Treatment of pictures, sounds and files: refuse the request, or send them unchanged."""
UnknownFields = Literal["refuse", "hide"]
"""Treatment of unknown fields: refuse the request, or hide the text and numbers in them."""


_FIELDS = shipped_table("guard_fields")


def _section(name: str) -> dict[str, PromptTreatment]:
    """Return the treatments in a section of ``data/guard_fields.toml``, by path."""
    rows = _FIELDS[name].items()
    return {path: PromptTreatment(treatment) for treatment, paths in rows for path in paths.split()}


def _under(place: str, section: str) -> dict[str, PromptTreatment]:
    rows = _section(section).items()
    return {f"{place}.{name}".rstrip("."): treatment for name, treatment in rows}


def _names(section: str, key: str) -> frozenset[str]:
    return frozenset(_FIELDS[section][key].split())


MESSAGES = _under("messages", "message") | _under("messages.content", "block")
TOOLS = _under("tools", "tool")
CHAT = MESSAGES | TOOLS | _section("sampling") | _under("functions", "tool") | _section("chat")
"""``POST /v1/chat/completions``."""
COMPLETION = _section("sampling") | _section("completion")
"""``POST /v1/completions``."""
EMBEDDING = _section("embedding")
"""``POST /v1/embeddings``."""
RESPONSE = (
    _under("input", "message")
    | _under("input.content", "block")
    | TOOLS
    | _section("sampling")
    | _section("response")
)
"""``POST /v1/responses``."""
ANTHROPIC = MESSAGES | TOOLS | _section("anthropic")
"""``POST /v1/messages``."""

_TOOLS_ROLES = ("tool", "function")
SETTING = re.compile(r"[\w\-.:/+=]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*")
_TOLD = _names("schema_words", "told")
"""Words of a JSON schema whose values may be anyone's; under ``properties`` they are names."""
_NAMED = _names("schema_words", "named")
_STRUCTURE = _names("schema_words", "structure")


@dataclass(frozen=True, slots=True)
class PromptPiece:
    """A string to hide, or one that may only be sent unchanged.

    Attributes:
        text: the string.
        path: its path, for error messages.
        treatment: TEXT, JSON, NAME, TOKEN or KEEP.
        name: name of the field that contains it, if it says what it is; otherwise empty.
        is_number: whether it was a number.
    """

    text: str = field(repr=False)
    path: str
    treatment: PromptTreatment
    name: str = ""
    is_number: bool = False


Rewriting = Callable[[PromptPiece], str]
"""The string to be sent for a piece."""


@dataclass(frozen=True, slots=True)
class PromptShape:
    """Where text is in a value.

    Attributes:
        table: treatments by path.
        media: what to do with pictures, sounds and files.
        unknown_fields: what to do with fields that aren't in the table.
    """

    table: Mapping[str, PromptTreatment]
    media: Media = "refuse"
    unknown_fields: UnknownFields = "refuse"

    def rewrite(self, value: Any, path: str, rewriting: Rewriting) -> Any:
        """Return a value with its strings rewritten.

        Args:
            value: of JSON.
            path: its path.
            rewriting: called for each string, in order.

        Raises:
            InputError: if something may not be sent; names its path.
        """
        if isinstance(value, Mapping):
            treatment = self._treatment(path)
            if treatment in (PromptTreatment.JSON, PromptTreatment.SCHEMA, PromptTreatment.MEDIA):
                return self._leaf(value, path, rewriting)
            fields = {}
            for key, item in value.items():
                place = f"{path}.{key}" if path else str(key)
                if key == "name" and value.get("role") in _TOOLS_ROLES:
                    place = f"{path}.tool_name"
                name = key if self._knows(place) else _key(str(key), path, rewriting)
                fields[name] = self.rewrite(item, place, rewriting)
            return fields
        if isinstance(value, list | tuple):
            if self._treatment(path) is PromptTreatment.JSON and not any(
                isinstance(item, Mapping) for item in value
            ):
                return self._leaf(list(value), path, rewriting)
            return [self.rewrite(item, path, rewriting) for item in value]
        return self._leaf(value, path, rewriting)

    def _knows(self, path: str) -> bool:
        """Return whether a path belongs to the interface; otherwise its last name may come from anyone."""
        return path in self.table or any(name.startswith(f"{path}.") for name in self.table)

    def _treatment(self, path: str) -> PromptTreatment | None:
        """Return the treatment for a path; None if it has none."""
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            if (treatment := self.table.get(".".join(parts[:length]))) is not None:
                return treatment
        is_holder = not path or any(name.startswith(f"{path}.") for name in self.table)
        return PromptTreatment.JSON if self.unknown_fields == "hide" and not is_holder else None

    def _leaf(self, value: Any, path: str, rewriting: Rewriting) -> Any:
        treatment = self._treatment(path)
        if treatment is None:
            # The last segment may be the user's own, but it isn't text of a document.
            raise InputError(
                f"{path}: unknown field that may contain text; leave it out, or hide the text in "
                "such fields with unknown_fields='hide'."
            )
        if value is None or isinstance(value, bool):
            return value
        match treatment:
            case PromptTreatment.MEDIA:
                if self.media == "keep":
                    return value
                raise InputError(
                    f"{path}: pictures, sounds and files can't be read here; leave it out, or "
                    "allow them with media='keep'."
                )
            case PromptTreatment.SCHEMA:
                return _schema(value, path, rewriting)
            case PromptTreatment.JSON:
                return rewritten_json(value, path, rewriting)
            case PromptTreatment.KEEP:
                if isinstance(value, str):
                    _check_setting(value, path)
                    return rewriting(PromptPiece(value, path, treatment))
                return value
        if not isinstance(value, str):
            raise InputError(f"{path}: is not text; token numbers can't be read here.")
        if treatment is PromptTreatment.TEXT:
            return rewritten_json(value, path, rewriting)
        return rewriting(PromptPiece(value, path, treatment)) if value else value


def _check_setting(value: str, path: str) -> None:
    if not SETTING.fullmatch(value):
        raise InputError(
            f"{path}: can't be a setting, since it has blanks or punctuation; leave it out."
        )


def rewritten_json(value: Any, path: str, rewriting: Rewriting) -> Any:
    """Return a rewritten JSON string or value; a string that isn't JSON is rewritten as text."""
    if not isinstance(value, str):
        return _value(value, path, "", rewriting)
    content = parsed(value)
    if not isinstance(content, dict | list):
        return rewriting(PromptPiece(value, path, PromptTreatment.TEXT)) if value else value
    rewritten = _value(content, path, "", rewriting)
    return value if rewritten == content else json.dumps(rewritten, ensure_ascii=False)


def parsed(string: str) -> Any:
    """Return the JSON in a string, or None."""
    try:
        return json.loads(string)
    except (ValueError, RecursionError):
        return None


def _value(value: Any, path: str, name: str, rewriting: Rewriting) -> Any:
    if isinstance(value, Mapping):
        return {
            _key(str(key), path, rewriting): _value(item, path, str(key), rewriting)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_value(item, path, name, rewriting) for item in value]
    if value is None or isinstance(value, bool) or value == "":
        return value
    if isinstance(value, int | float):
        text = json.dumps(value)
        rewritten = rewriting(PromptPiece(text, path, PromptTreatment.JSON, name, is_number=True))
        return value if rewritten == text else rewritten
    return rewriting(PromptPiece(value, path, PromptTreatment.JSON, name))


def _key(key: str, path: str, rewriting: Rewriting) -> str:
    """Return a field's name; if it isn't an identifier, it is read as text."""
    if not key:
        return key
    treatment = PromptTreatment.NAME if _NAME.fullmatch(key) else PromptTreatment.JSON
    return rewriting(PromptPiece(key, path, treatment))


def _schema(value: Any, path: str, rewriting: Rewriting, told: bool = False) -> Any:
    if isinstance(value, Mapping):
        if told:
            return _value(value, path, "", rewriting)
        return {key: _keyword(str(key), item, path, rewriting) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_schema(item, path, rewriting, told) for item in value]
    if isinstance(value, str) and value:
        if told:
            return rewriting(PromptPiece(value, path, PromptTreatment.TEXT))
        return rewriting(PromptPiece(value, path, PromptTreatment.KEEP))
    return value


def _keyword(key: str, value: Any, path: str, rewriting: Rewriting) -> Any:
    if key in _NAMED and isinstance(value, Mapping):
        return {name: _schema(item, path, rewriting) for name, item in value.items()}
    if key in _STRUCTURE:
        return _schema(value, path, rewriting)
    is_text = isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )
    return _schema(value, path, rewriting, told=key in _TOLD or is_text)


# Answers: every string may contain placeholders, except ids and settings.

AS_THEY_ARE = _names("answers", "settings")
IN_JSON = _names("answers", "json")


def reveal(
    value: Any,
    text: Callable[[str], str],
    string: Callable[[str], Any],
    source: Callable[[str], str],
    key: str = "",
) -> Any:
    """Return an answer with its strings revealed.

    Args:
        value: of JSON.
        text: reveals a string.
        string: reveals a whole JSON string, which may become a number.
        source: reveals JSON source.
        key: name of the field that contains the value.
    """
    if key in AS_THEY_ARE and not isinstance(value, Mapping):
        return value
    if isinstance(value, Mapping):
        if key == "input":
            return revealed_json(value, string)
        return {name: reveal(item, text, string, source, name) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [reveal(item, text, string, source, key) for item in value]
    if not isinstance(value, str):
        return value
    if value.lstrip()[:1] in ("{", "[") and isinstance(content := parsed(value), dict | list):
        if key not in IN_JSON:
            return source(value)
        revealed = revealed_json(content, string)
        return value if revealed == content else json.dumps(revealed, ensure_ascii=False)
    return text(value)


def revealed_json(value: Any, string: Callable[[str], Any]) -> Any:
    """Return a JSON value with its strings revealed, including field names."""
    if isinstance(value, Mapping):
        return {str(string(str(k))): revealed_json(item, string) for k, item in value.items()}
    if isinstance(value, list | tuple):
        return [revealed_json(item, string) for item in value]
    return string(value) if isinstance(value, str) else value
