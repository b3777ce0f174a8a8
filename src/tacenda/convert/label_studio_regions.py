"""The regions of one Label Studio annotation: mentions, and what is said of each by its id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from .corpus import AnnotatedMention, Annotation
from .format import Reading
from .offsets import Ruler
from .parsing import check_covered, choice, expect, member, optional_string, score

_LAYERS: Final = {
    "identifier_type": "choices",
    "confidential_status": "choices",
    "entity": "textarea",
}
_LIST_OF: Final = {"labels": "labels", "choices": "choices", "textarea": "text"}


def mentions_of(
    result: list[Any], text: str, ruler: Ruler, id: str, at: str, reading: Reading
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions of an annotation in order of its regions.

    Raises:
        InputError: names the region; also for relations, choices of other names and regions of
            other types, unless the user gave leave to pass over them.
    """
    mentions: dict[str, AnnotatedMention] = {}
    layers: list[tuple[str, str, str, str]] = []
    for position, region in enumerate(result):
        place = f"{at}.result[{position}]"
        kind = member(region, "type", str, id, place)
        layer = optional_string(region, "from_name", id, place)
        if kind == "labels":
            name = optional_string(region, "id", id, place)
            if name and name in mentions:
                raise InputError(f"{place}: the id is there twice; give each region its own.", id)
            mentions[name or f"\0{position}"] = _mention(region, text, ruler, id, place)
        elif _LAYERS.get(layer) == kind:
            name = member(region, "id", str, id, place)
            layers.append((name, layer, _single(region, kind, id, place), place))
        else:
            reading.pass_over(f"{place}: is a {kind!r} named {layer!r}", id)
    for name, layer, value, place in layers:
        if name not in mentions:
            raise InputError(f"{place}: there are no labels of this id; mend it.", id)
        mentions[name] = _with_layer(mentions[name], layer, value, id, place)
    return tuple(mentions.values())


def _mention(region: Any, text: str, ruler: Ruler, id: str, at: str) -> AnnotatedMention:
    value = member(region, "value", dict, id, at)
    span = ruler.span(value.get("start"), value.get("end"), at)
    check_covered(text, span.start, span.end, value.get("text"), id, at)
    return AnnotatedMention(
        spans=(span,),
        type=_single(region, "labels", id, at),
        id=optional_string(region, "id", id, at),
        score=score(region.get("score"), id, at),
        properties=expect(region.get("meta") or {}, dict, id, f"{at}.meta"),
    )


def _single(region: Any, kind: str, id: str, at: str) -> str:
    value = member(region, "value", dict, id, at)
    key = _LIST_OF[kind]
    found = value.get(key)
    values = found if isinstance(found, list) else [found]
    if len(values) != 1 or not isinstance(values[0], str):
        raise InputError(
            f"{at}: {key!r} must hold one string; give each label a region of its own.", id
        )
    return values[0]


def _with_layer(
    mention: AnnotatedMention, layer: str, value: str, id: str, at: str
) -> AnnotatedMention:
    if layer == "identifier_type":
        return replace(mention, identifier=choice(IdentifierType, value, id, at))
    if layer == "confidential_status":
        return replace(mention, status=choice(ConfidentialStatus, value, id, at))
    return replace(mention, entity=value)


def regions_of(annotation: Annotation, text: str, ruler: Ruler, id: str) -> list[dict[str, Any]]:
    """Return the regions of an annotation; mentions without id get one.

    Raises:
        InputError: two mentions have the same id.
    """
    used = {mention.id for mention in annotation.mentions}
    unused = (name for name in (f"r{number}" for number in count(1)) if name not in used)
    written: set[str] = set()
    regions: list[dict[str, Any]] = []
    for mention in annotation.mentions:
        name = mention.id or next(unused)
        if name in written:
            raise InputError(
                f"annotator {annotation.annotator!r} has two mentions of the id {name!r}, which "
                "Label Studio can't tell apart; rename one or use --drop id.",
                id,
            )
        written.add(name)
        regions += _regions(mention, name, text, ruler)
    return regions


def _regions(
    mention: AnnotatedMention, name: str, text: str, ruler: Ruler
) -> Iterator[dict[str, Any]]:
    place = _place(mention.extent, text, ruler)
    region = _region(name, "label", "labels", {**place, "labels": [mention.type]})
    if mention.score is not None:
        region["score"] = mention.score
    if mention.properties:
        region["meta"] = dict(mention.properties)
    yield region
    if mention.identifier is not None:
        value = {**place, "choices": [mention.identifier]}
        yield _region(name, "identifier_type", "choices", value)
    if mention.status is not None:
        value = {**place, "choices": [mention.status]}
        yield _region(name, "confidential_status", "choices", value)
    if mention.entity:
        yield _region(name, "entity", "textarea", {**place, "text": [mention.entity]})


def _place(span: Span, text: str, ruler: Ruler) -> dict[str, Any]:
    start, end = ruler.offsets(span)
    return {"start": start, "end": end, "text": span.of(text)}


def _region(name: str, layer: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "from_name": layer, "to_name": "text", "type": kind, "value": value}
