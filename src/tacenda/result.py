"""The result of the stages: the sanitized text with the record of every edit, and its JSON form.

All JSON about a document is built here from the same objects:

| JSON | its parts | schema |
|---|---|---|
| result: ``sanitize --to json``, ``POST /sanitize`` | text, replacements, findings, leaks | ``result`` |
| assessment: ``assess --json``, ``POST /assess`` | findings with evidence and alternatives | ``assessment`` |
| document of an audit record | replacements, findings with evidence, what people did | ``audit`` |

*Findings* are entities, risk, warnings, combinations and identifications. The contracts are
``schemas/*.schema.json``, all with version ``SCHEMA_VERSION``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .document import (
    Assessment,
    Combination,
    Decision,
    Document,
    Entity,
    Identification,
    IdentifierType,
    Leak,
    Protected,
    Reason,
    Replacement,
    Risk,
    SemanticType,
    Span,
)
from .errors import InputError
from .explain import alternatives, brief, explain, sentence, visible_options

SCHEMA_VERSION = "1.2"


def schema(name: str = "result") -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a result, an ``assessment`` or an ``audit`` record."""
    folder = resources.files("tacenda") / "schemas"
    parsed: dict[str, Any] = json.loads((folder / f"{name}.schema.json").read_text("utf-8"))
    return parsed


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """A sanitized document with the record of every edit.

    Attributes:
        document: the original document.
        text: the sanitized text.
        entities: all entities, masked or kept.
        decisions: one per entity, in the same order.
        replacements: all edits, in text order.
        leaks: masked strings that verification found but couldn't mask.
        risk: the risk before and after sanitizing.
        warnings: notes for the user.
        identifications: one per attacker, if the result was attacked.
        combinations: entities that must not all be left, if they were searched for; a reviewer may
            have left some anyway.
        protected: names and terms that are forbidden in every output.
        accepted: places, in the form used in messages, that a person says aren't leaks, each with
            the reason.
    """

    document: Document
    text: str
    entities: tuple[Entity, ...]
    decisions: tuple[Decision, ...]
    replacements: tuple[Replacement, ...]
    leaks: tuple[Leak, ...]
    risk: Risk
    warnings: tuple[str, ...] = field(default=())
    identifications: tuple[Identification, ...] = ()
    combinations: tuple[Combination, ...] = ()
    protected: Protected = field(default_factory=Protected)
    accepted: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return the id and counts, without text."""
        masked = sum(decision.masked for decision in self.decisions)
        return (
            f"Result(id={self.document.id!r}, {masked} of {len(self.entities)} entities masked, "
            f"{len(self.replacements)} replacements, {len(self.leaks)} leaks)"
        )

    def accepting(self, reasons: Mapping[str, str]) -> Result:
        """Return the result with places (``Leak.place``) that a person says aren't leaks, and why."""
        from .risk.assess import risk_summary

        leaks = tuple(leak for leak in self.leaks if leak.place not in reasons)
        risk = replace(risk_summary(self.decisions, leaks), promise=self.risk.promise)
        accepted = tuple(reasons.items())
        return replace(self, leaks=leaks, risk=risk, accepted=accepted) if accepted else self

    def explain(self, *, short: bool = False) -> str:
        """Return the decisions with their reasons as text, the riskiest entity first.

        It contains strings of the original document, so it is for the reviewer, not for the
        release.

        Args:
            short: only one line per masked entity, with its most important reason.
        """
        return brief(self) if short else explain(self)

    def to_dict(self, *, reveal: bool = False) -> dict[str, Any]:
        """Return the result as a JSON object that conforms to the schema.

        Args:
            reveal: whether to add the original strings of mentions and replacements.
        """
        originals = _originals(reveal)
        head = {"schema_version": SCHEMA_VERSION, "id": self.document.id, "text": self.text}
        leaks = [
            {"entity": leak.entity_id, "start": leak.output_start, "end": leak.output_end}
            for leak in self.leaks
        ]
        return {
            **head,
            "replacements": replacement_objects(self, originals),
            **finding_object(self, originals),
            "leaks": leaks,
            **accepted_object(self, str if reveal else None),
        }

    def to_json(self, *, reveal: bool = False) -> str:
        """Return the result as one line of JSON; see ``to_dict``."""
        return json.dumps(self.to_dict(reveal=reveal), ensure_ascii=False)

    def to_html(self, *, reveal: bool = False) -> str:
        """Return a self-contained page that shows the text, its edits and their reasons.

        Args:
            reveal: whether to add the original strings of edits; for the reviewer, never for the
                release.
        """
        from .pages.result import page

        return page(self, reveal=reveal)

    def _repr_html_(self) -> str:
        """Return the page for a notebook, in its own frame, without originals."""
        from .pages.result import framed

        return framed(self)


class Originals(Enum):
    """How much of the original text a JSON object contains."""

    NOTHING = "nothing"
    PLACES = "places"
    STRINGS = "strings"


def _originals(reveal: bool) -> Originals:
    return Originals.STRINGS if reveal else Originals.PLACES


def assessment_object(
    result: Result, assessments: Sequence[Assessment], *, reveal: bool = False
) -> dict[str, Any]:
    """Return a document's entities with their risks, evidence and alternatives as a JSON object.

    Args:
        result: what the policy would do to the document.
        assessments: one per decision, in the same order.
        reveal: whether to add the original strings of mentions, and alternatives that reveal them.
    """
    item = {
        "schema_version": SCHEMA_VERSION,
        "id": result.document.id,
        **finding_object(result, _originals(reveal), assessments),
    }
    for entity, decision in zip(item["entities"], result.decisions, strict=True):
        entity["alternatives"] = [
            {
                "text": choice.text,
                "lost": choice.lost,
                "risk": choice.risk,
                "chosen": choice.made,
            }
            for choice in alternatives(result.document, decision)
            if reveal or choice.text in ("", "***")
        ]
    return item


def finding_object(
    result: Result, originals: Originals, assessments: Sequence[Assessment] = ()
) -> dict[str, Any]:
    """Return entities, risk, warnings, combinations and identifications as a JSON object.

    Args:
        result: the result that contains them.
        originals: how much of the original the object contains.
        assessments: one per decision, in the same order, if the object should contain them.
    """
    text = result.document.text
    masked = {decision.entity.id for decision in result.decisions if decision.masked}
    return {
        "entities": [
            _entity(decision, text, originals)
            | ({"assessment": _assessment(assessments[place])} if assessments else {})
            for place, decision in enumerate(result.decisions)
        ],
        "risk": {name: value for name, value in asdict(result.risk).items() if value is not None},
        "warnings": list(result.warnings),
        "combinations": [
            {
                "entities": list(item.entity_ids),
                "risk": item.risk,
                "changed": not masked.isdisjoint(item.entity_ids),
                "evidence": list(map(asdict, item.evidence)),
            }
            for item in result.combinations
        ],
        "identifications": [_identification(item, originals) for item in result.identifications],
    }


def replacement_objects(result: Result, originals: Originals) -> list[dict[str, Any]]:
    """Return a document's edits as JSON objects, in text order."""
    text = result.document.text
    return [
        _places(edit.original, text, "original", originals)
        | {
            "output_start": edit.output_start,
            "output_end": edit.output_end,
            "text": edit.text,
            "entities": list(edit.entity_ids),
        }
        for edit in result.replacements
    ]


def accepted_object(result: Result, reason: Callable[[str], str] | None) -> dict[str, Any]:
    """Return the accepted leaks, if any, with their reasons as written by ``reason``, if given."""
    items = [
        {"place": place} | ({"reason": reason(words)} if reason else {})
        for place, words in result.accepted
    ]
    return {"accepted_leaks": items} if items else {}


def _places(span: Span, text: str, key: str, originals: Originals) -> dict[str, Any]:
    """Return a span's position, and its string under ``key``, as far as they may be revealed."""
    if originals is Originals.NOTHING:
        return {}
    places: dict[str, Any] = {"start": span.start, "end": span.end}
    return places | ({key: span.of(text)} if originals is Originals.STRINGS else {})


def _entity(decision: Decision, text: str, originals: Originals) -> dict[str, Any]:
    entity = decision.entity
    item: dict[str, Any] = {
        "id": entity.id,
        "type": str(entity.type),
        "number": entity.number,
        "identifier": str(decision.identifier),
        "risk": decision.risk,
        "decision": "mask" if decision.masked else "keep",
        "operator": decision.operator,
        "threshold": decision.threshold,
        "masked_up_to": decision.masked_up_to,
        "reasons": list(map(_reason, decision.reasons)),
        "mentions": [
            _places(mention.span, text, "text", originals)
            | {"type": str(mention.type), "source": str(mention.source), "kind": mention.kind}
            for mention in entity.mentions
        ],
    }
    if options := visible_options(decision, originals is Originals.STRINGS):
        item["options"] = [
            {**asdict(option), "chosen": option == decision.choice} for option in options
        ]
    return item


_GROUNDS = tuple(
    item.name for item in fields(Reason) if item.name not in ("rule", "effect", "evidence")
)
"""Values that a reason compares or counts; each rule has its own."""


def _reason(reason: Reason) -> dict[str, Any]:
    grounds = {name: getattr(reason, name) for name in _GROUNDS}
    return {
        "rule": str(reason.rule),
        "effect": str(reason.effect),
        "statement": sentence(reason),
        **{name: value for name, value in grounds.items() if value is not None},
        **({} if reason.evidence is None else asdict(reason.evidence)),
    }


def _assessment(assessment: Assessment) -> dict[str, Any]:
    return {
        "risk": assessment.risk,
        "identifier": str(assessment.identifier),
        "certain": assessment.certain and str(assessment.certain),
        "evidence": list(map(asdict, assessment.evidence)),
    }


def _identification(identification: Identification, originals: Originals) -> dict[str, Any]:
    item: dict[str, Any] = {
        "attacker": identification.attacker,
        "rank": identification.rank,
        "probability": identification.probability,
        "people": identification.people,
        "k": identification.k,
        "held_out": identification.held_out,
        "found": identification.found,
    }
    if identification.silence:
        item["silence"] = identification.silence
    if originals is Originals.STRINGS:
        # In a release they would say where to look.
        item["clues"] = [[span.start, span.end] for span in identification.telling_words]
    return item


# Reading results.


_Probability = Annotated[float, Field(ge=0, le=1)]
_Offset = Annotated[int, Field(strict=True, ge=0)]
_KEYS = frozenset({"schema_version", "replacements"})


class ParsedEdit(BaseModel):
    """Code points of the original; a result has more keys, which aren't needed here."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    start: _Offset
    end: _Offset

    def span(self) -> Span:
        """The code points as a span."""
        return Span(self.start, self.end)


class ParsedWriting(ParsedEdit):
    """An edit in a result; ``text`` is what was written instead, None if the result doesn't say."""

    text: str | None = Field(None, repr=False)


class ParsedMention(ParsedEdit):
    """A mention of an entity in a result."""

    type: SemanticType


class ParsedEntity(BaseModel):
    """An entity of a result, masked or kept."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    id: str
    identifier: IdentifierType
    risk: _Probability
    decision: Literal["mask", "keep"]
    threshold: _Probability | None
    masked_up_to: _Probability | None
    mentions: tuple[ParsedMention, ...]

    @property
    def masked(self) -> bool:
        """Whether its mentions were edited."""
        return self.decision == "mask"

    def is_masked(self, threshold: float) -> bool:
        """Return whether it would be masked if this were the threshold for all types."""
        return self.masked if self.masked_up_to is None else threshold <= self.masked_up_to


class ParsedResult(BaseModel):
    """One sanitized document, as in ``schemas/result.schema.json``."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    schema_version: Literal["1.2"]
    id: str
    entities: tuple[ParsedEntity, ...]
    replacements: tuple[ParsedWriting, ...]

    def made(self) -> tuple[Span, ...]:
        """Return the spans that the run masked, in text order."""
        return tuple(sorted(edit.span() for edit in self.replacements))

    def masks(self, threshold: float) -> tuple[Span, ...]:
        """Return the spans that it would have masked with this threshold, in text order."""
        spans = {
            mention.span()
            for entity in self.entities
            if entity.is_masked(threshold)
            for mention in entity.mentions
        }
        return tuple(sorted(spans))


class ParsedReplacement(ParsedWriting):
    """An edit with its position in the released text."""

    output_start: _Offset
    output_end: _Offset


class ParsedRelease(ParsedResult):
    """A result with the released text."""

    text: str
    replacements: tuple[ParsedReplacement, ...]


def is_result(raw: Any) -> bool:
    """Return whether parsed JSON is a result."""
    return isinstance(raw, dict) and raw.keys() >= _KEYS


def parse_results(objects: Sequence[Any], name: str) -> tuple[ParsedResult, ...]:
    """Return the results in parsed JSON objects, one per document.

    Args:
        objects: the objects, in file order.
        name: the file name, for messages.

    Raises:
        InputError: if one is invalid; names the object, the field and what is wrong, never its
            text.
    """
    results: dict[str, ParsedResult] = {}
    for position, raw in enumerate(objects):
        try:
            result = ParsedResult.model_validate(raw)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(map(str, fault["loc"])) or "it"
            raise InputError(
                f"result {position}: {place}: {fault['msg']}; a line must be an object of "
                "`tacenda sanitize --to json`",
                name,
            ) from None
        mentions = (mention for entity in result.entities for mention in entity.mentions)
        for edit in (*result.replacements, *mentions):
            if edit.start >= edit.end:
                raise InputError(
                    f"[{edit.start}, {edit.end}) is not a span; 0 <= start < end must hold",
                    result.id,
                )
        if result.id in results:
            raise InputError(f"document {result.id!r} occurs twice", name)
        results[result.id] = result
    return tuple(results.values())
