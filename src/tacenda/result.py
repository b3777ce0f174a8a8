"""The result of the stages: the sanitized text with the record of every edit.

``schemas/result.schema.json`` is the contract of its JSON; ``SCHEMA_VERSION`` is its version.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from .document import (
    Combination,
    Decision,
    Document,
    Entity,
    Identification,
    Leak,
    Mention,
    Option,
    Protected,
    Replacement,
    Risk,
)
from .explain import explain, sentences, visible_options

SCHEMA_VERSION = "1.1"


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """A sanitized document with the record of every edit.

    Attributes:
        document: the original.
        text: the sanitized text.
        entities: all entities, masked or kept.
        decisions: one for each entity, in the same order.
        replacements: all edits, in order of the text.
        leaks: masked strings that verification found and could not mask.
        risk: the risk before and after.
        warnings: further notes for the user.
        identifications: one an attacker, where the result was attacked.
        combinations: entities that must not be left together, where searched for; a reviewer may
            have left one all the same.
        protected: names and terms forbidden in every output.
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

    def __repr__(self) -> str:
        """The name and counts, without text."""
        masked = sum(decision.masked for decision in self.decisions)
        return (
            f"Result(id={self.document.id!r}, {masked} of {len(self.entities)} entities masked, "
            f"{len(self.replacements)} replacements, {len(self.leaks)} leaks)"
        )

    def explain(self) -> str:
        """The decisions with their reasons as text, the riskiest entity first.

        Holds strings of the original document: it is for the reviewer, not for the release.
        """
        return explain(self)

    def to_dict(self, *, reveal: bool = False) -> dict[str, Any]:
        """The result as a JSON object of the schema.

        Args:
            reveal: adds the original strings of mentions and replacements.
        """
        original = self.document.text
        item: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "id": self.document.id,
            "text": self.text,
            "replacements": [_replacement(edit, original, reveal) for edit in self.replacements],
            "entities": [_entity(decision, original, reveal) for decision in self.decisions],
            "risk": asdict(self.risk),
            "leaks": [
                {"entity": leak.entity_id, "start": leak.output_start, "end": leak.output_end}
                for leak in self.leaks
            ],
            "warnings": list(self.warnings),
        }
        if self.identifications:
            item["identifications"] = [
                _identification(attack, reveal) for attack in self.identifications
            ]
        return item

    def to_json(self, *, reveal: bool = False) -> str:
        """The result as one line of JSON; see ``to_dict``."""
        return json.dumps(self.to_dict(reveal=reveal), ensure_ascii=False)

    def to_html(self, *, reveal: bool = False) -> str:
        """A self-contained page of the text with its edits and their reasons.

        Args:
            reveal: adds the original strings of edits; for the reviewer, never for the release.
        """
        from .pages.result import page

        return page(self, reveal=reveal)

    def _repr_html_(self) -> str:
        """The page for a notebook, in a frame of its own, without originals."""
        from .pages.result import framed

        return framed(self)


def _replacement(replacement: Replacement, original: str, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "start": replacement.original.start,
        "end": replacement.original.end,
        "output_start": replacement.output_start,
        "output_end": replacement.output_end,
        "text": replacement.text,
        "entities": list(replacement.entity_ids),
    }
    if reveal:
        item["original"] = replacement.original.of(original)
    return item


def _identification(identification: Identification, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "attacker": identification.attacker,
        "rank": identification.rank,
        "probability": identification.probability,
        "people": identification.people,
        "k": identification.k,
        "found": identification.found,
    }
    if reveal:
        # In a release they would say where to look.
        item["clues"] = [[span.start, span.end] for span in identification.telling_words]
    return item


def _entity(decision: Decision, original: str, reveal: bool) -> dict[str, Any]:
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
        "reasons": sentences(decision),
        "mentions": [_mention(mention, original, reveal) for mention in entity.mentions],
    }
    if options := visible_options(decision, reveal):
        item["options"] = [_option(option, decision.choice) for option in options]
    return item


def _option(option: Option, choice: Option | None) -> dict[str, Any]:
    return {
        "text": option.text,
        "level": option.level,
        "source": option.source,
        "kept": option.kept,
        "risk": option.risk,
        "chosen": option == choice,
    }


def _mention(mention: Mention, original: str, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "start": mention.span.start,
        "end": mention.span.end,
        "type": str(mention.type),
        "source": mention.source,
        "kind": mention.kind,
    }
    if reveal:
        item["text"] = mention.span.of(original)
    return item
