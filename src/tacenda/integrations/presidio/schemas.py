"""Validated requests. An unknown field is an error unless it is null.

| request | used | accepted but ignored |
|---|---|---|
| ``/analyze`` | ``text``, ``language``, ``entities``, ``score_threshold``, ``return_decision_process``, ``ad_hoc_recognizers``, ``allow_list``, ``allow_list_match``, ``regex_flags``, ``context`` | ``correlation_id``, ``trace`` |
| a recognizer | ``supported_entity`` or ``supported_entities``, ``name``, ``supported_language``, ``patterns``, ``deny_list``, ``deny_list_score``, ``context``, ``global_regex_flags`` | ``version``, ``country_code`` |
| ``/anonymize`` | ``text``, ``analyzer_results``, ``anonymizers`` | |
| ``/deanonymize`` | ``text``, ``anonymizer_results``, ``deanonymizers`` | |
| a result | ``start``, ``end``, ``entity_type``, ``score`` | anything else: the span is masked regardless |
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...errors import InputError
from ...text.decoding import has_surrogate
from .operators import Detection, OperatorCall, PresidioOperator

_Score = Annotated[float, Field(ge=0, le=1)]
_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
_Flags = Annotated[int, Field(ge=0)]
MOST_RECOGNIZERS = 100
"""Recognizers of one request, and patterns of one recognizer."""


class Model(BaseModel):
    """Base class of request parts: strict, without unknown fields; null means absent."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: item for key, item in value.items() if item is not None}
        return value


class PatternModel(Model):
    """A recognizer's regular expression."""

    name: str = "pattern"
    regex: str = Field(min_length=1)
    score: _Score
    capture_group: int | str | None = None


class RecognizerSchema(Model):
    """A recognizer for one request: patterns, a deny list, or both."""

    supported_entity: str | None = Field(default=None, min_length=1)
    supported_entities: list[str] | None = Field(default=None, min_length=1, max_length=1)
    name: str | None = None
    supported_language: str = "en"
    patterns: list[PatternModel] | None = Field(default=None, max_length=MOST_RECOGNIZERS)
    deny_list: list[Annotated[str, Field(min_length=1)]] | None = None
    deny_list_score: _Score = 1.0
    context: list[str] | None = None
    global_regex_flags: _Flags = int(_FLAGS)
    version: str | None = None
    country_code: str | None = None

    @model_validator(mode="after")
    def _is_one(self) -> RecognizerSchema:
        if (self.supported_entity is None) == (self.supported_entities is None):
            raise ValueError("needs exactly one of supported_entity and supported_entities")
        if not self.patterns and not self.deny_list:
            raise ValueError(
                "Pattern recognizer should be initialized with patterns or with deny list"
            )
        return self

    @property
    def entity(self) -> str:
        """The name of its entity."""
        return self.supported_entity or (self.supported_entities or [""])[0]


class AnalyzeRequest(Model):
    """The body of ``/analyze``."""

    text: str | list[str]
    language: str
    entities: list[str] | None = None
    score_threshold: _Score | None = None
    return_decision_process: Annotated[bool, Field(strict=False)] = (
        False  # clients also send 0 and 1
    )
    ad_hoc_recognizers: list[RecognizerSchema] = Field(default=[], max_length=MOST_RECOGNIZERS)
    allow_list: list[str] = []
    allow_list_match: Literal["exact", "regex"] = "exact"
    regex_flags: _Flags = int(_FLAGS)
    context: list[str] = []
    correlation_id: Any = None
    trace: Any = None

    @property
    def texts(self) -> list[str]:
        """The texts, one or more."""
        return [self.text] if isinstance(self.text, str) else self.text

    @classmethod
    def of(cls, body: object) -> AnalyzeRequest:
        """Return the request in a JSON body.

        Raises:
            InputError: if it is invalid; names each invalid field, without its value.
        """
        check_unicode(body)
        try:
            return cls.model_validate(body)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or 'body'}: {fault['msg'].removeprefix('Value error, ')}"
                for fault in error.errors(include_url=False, include_input=False)
            )
            raise InputError(
                f"Failed to parse /analyze request for AnalyzerEngine.analyze(). {faults}"
            ) from None


def check_unicode(body: object) -> None:
    """Refuse lone surrogates, which JSON allows but text and responses can't contain.

    Raises:
        InputError: if there is one.
    """
    if has_surrogate(body):
        raise InputError("Invalid input, a string holds a lone surrogate; send Unicode")


def check_fields(body: dict[str, Any], known: tuple[str, ...], place: str) -> None:
    """Refuse unknown fields.

    Raises:
        InputError: if there is one; names the first.
    """
    for name, value in body.items():
        if name not in known and value is not None:
            raise InputError(f"Invalid input, {place} has an unknown field '{name}'")


def detections(value: object, field: str, scored: bool) -> list[Detection]:
    """Return the detections in a list of results, checked in Presidio's order and with its messages.

    Args:
        value: the list.
        field: its name.
        scored: whether each result needs a score.

    Raises:
        InputError: if one can't be used.
    """
    if not isinstance(value, list):
        raise InputError(f"Invalid input, {field} must be a list of results")
    return [_detection(item, field, scored) for item in value]


def _detection(item: object, field: str, scored: bool) -> Detection:
    if not isinstance(item, dict):
        raise InputError(f"Invalid input, {field} must be a list of results")
    start, end = (_offset(item, name) for name in ("start", "end"))
    entity = item.get("entity_type")
    if not entity:
        raise InputError("Invalid input, result must contain entity_type")
    if not isinstance(entity, str):
        raise InputError("Invalid parameter value for 'entity_type'.")
    if start < 0 or end < 0:
        raise InputError("Invalid input, result start and end must be positive")
    if start > end:
        raise InputError(
            f"Invalid input, start index '{start}' must be smaller than end index '{end}'"
        )
    score = item.get("score")
    if score is None and scored:
        raise InputError("Invalid input, analyzer result must contain score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, (int, float))):
        raise InputError("Invalid parameter value for 'score'.")
    return Detection(start, end, entity, score)


def _offset(item: dict[str, Any], name: str) -> int:
    value = item.get(name)
    if value is None:
        raise InputError(f"Invalid input, result must contain {name}")
    if isinstance(value, bool) or not isinstance(value, int):
        kinds = {str: "string", bool: "boolean", list: "array"}
        given = kinds.get(type(value))
        raise InputError(
            f"Invalid parameter value for {name}. Expecting 'number', but got '{given}'."
            if given
            else f"Invalid parameter value for '{name}'."
        )
    return value


def calls(
    value: object, field: str, operators: dict[str, PresidioOperator]
) -> dict[str, OperatorCall]:
    """Return a request's operators by entity.

    Args:
        value: ``{entity: {"type": name, parameter: value, …}}``, or None.
        field: its name.
        operators: the available operators.

    Raises:
        InputError: if one has no name, or an unknown parameter.
    """
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        raise InputError(f"Invalid input, {field} must be an object of operators by entity")
    result = {}
    for entity, item in value.items():
        name = item.get("type")
        if not name:
            raise InputError("Invalid input, operator config must contain operator_name")
        if not isinstance(name, str):
            raise InputError("Invalid parameter value for 'type'.")
        parameters = {key: part for key, part in item.items() if key != "type" and part is not None}
        if name in operators:
            check_fields(parameters, tuple(operators[name].parameters), f"the operator {name}")
        result[entity] = OperatorCall(name, parameters)
    return result
