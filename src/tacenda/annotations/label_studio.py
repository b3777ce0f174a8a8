"""Label Studio JSON: tasks with ``data``, ``annotations`` and their ``result`` (its JSON export).

Mentions are regions of type ``labels``. TAB's layers are regions with the same id: ``choices``
named ``identifier_type`` and ``confidential_status``, and a ``textarea`` named ``entity``, so a
project needs

    <View><Labels name="label" toName="text"> … </Labels> <Text name="text" value="$text"/>
    <Choices name="identifier_type" toName="text" perRegion="true"> … </Choices> …</View>

Offsets are code points, as in Label Studio since label-studio pull request 1559 (October 2021).
Older exports and other JavaScript front ends count UTF-16 units; read those with ``--from-offsets
utf-16``. The tool's bookkeeping (times, counters, task and project numbers) isn't annotation and
isn't read; keys of ``data`` other than ``text`` and ``id`` are properties of the document, and a
region's ``meta`` those of the mention.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType
from ..errors import InputError
from ..text.decoding import check_surrogates
from .checked_json import JsonFormat, JsonPart, check_covered, choice, dump_json, with_properties
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    Feature,
    OffsetConverter,
    Reading,
)

# Regions of one annotation: mentions, and additional results under their ids.


_LAYERS: Final = {
    "identifier_type": "choices",
    "confidential_status": "choices",
    "entity": "textarea",
}
_LIST_OF: Final = {"labels": "labels", "choices": "choices", "textarea": "text"}


def mentions_of(
    result: JsonPart, text: str, converter: OffsetConverter, reading: Reading
) -> tuple[AnnotatedMention, ...]:
    """Return an annotation's mentions in region order.

    Raises:
        InputError: if a region is invalid or, unless the user allows skipping them, is a relation,
            a choice with another name, or of another type; names the region.
    """
    mentions: dict[str, AnnotatedMention] = {}
    layers: list[tuple[str, str, str, JsonPart]] = []
    for position, region in enumerate(result.items(result.at)):
        kind = region.member("type", str)
        layer = region.string("from_name")
        if kind == "labels":
            name = region.string("id")
            if name and name in mentions:
                raise InputError(
                    f"{region.at}: the id occurs twice; give each region its own.", result.document
                )
            mentions[name or f"\0{position}"] = _mention(region, text, converter)
        elif _LAYERS.get(layer) == kind:
            layers.append((region.member("id", str), layer, _single(region, kind), region))
        else:
            reading.skip_or_raise(f"{region.at}: is a {kind!r} named {layer!r}", result.document)
    for name, layer, value, region in layers:
        if name not in mentions:
            raise InputError(f"{region.at}: no labels have this id; fix it.", result.document)
        mentions[name] = _with_layer(mentions[name], layer, value, region)
    return tuple(mentions.values())


def _mention(region: JsonPart, text: str, converter: OffsetConverter) -> AnnotatedMention:
    id, at = region.document, region.at
    value = JsonPart(region.member("value", dict), id, at)
    span = value.span(converter)
    check_covered(text, span, value.get("text"), id, at)
    return AnnotatedMention(
        spans=(span,),
        type=_single(region, "labels"),
        id=region.string("id"),
        score=region.score(),
        properties=JsonPart(region.get("meta") or {}, id, f"{at}.meta").expect(dict),
    )


def _single(region: JsonPart, kind: str) -> str:
    key = _LIST_OF[kind]
    content = region.member("value", dict).get(key)
    values = content if isinstance(content, list) else [content]
    if len(values) != 1 or not isinstance(values[0], str):
        raise InputError(
            f"{region.at}: {key!r} must contain one string; give each label a separate region.",
            region.document,
        )
    return values[0]


def _with_layer(
    mention: AnnotatedMention, layer: str, value: str, region: JsonPart
) -> AnnotatedMention:
    id, place = region.document, f"{region.at}:"
    if layer == "identifier_type":
        return replace(mention, identifier=choice(IdentifierType, value, id, place))
    if layer == "confidential_status":
        return replace(mention, status=choice(ConfidentialStatus, value, id, place))
    return replace(mention, entity=value)


def regions_of(
    annotation: Annotation, text: str, converter: OffsetConverter, id: str
) -> list[dict[str, Any]]:
    """Return an annotation's regions; mentions without an id get one.

    Raises:
        InputError: if two mentions have the same id.
    """
    used = {mention.id for mention in annotation.mentions}
    unused = (name for name in (f"r{number}" for number in count(1)) if name not in used)
    ids: set[str] = set()
    regions: list[dict[str, Any]] = []
    for mention in annotation.mentions:
        name = mention.id or next(unused)
        if name in ids:
            raise InputError(
                f"annotator {annotation.annotator!r} has two mentions of the id {name!r}, which "
                "Label Studio can't tell apart; rename one or use --drop id.",
                id,
            )
        ids.add(name)
        regions += _regions(mention, name, text, converter)
    return regions


def _regions(
    mention: AnnotatedMention, name: str, text: str, converter: OffsetConverter
) -> Iterator[dict[str, Any]]:
    start, end = converter.offsets(mention.extent)
    place = {"start": start, "end": end, "text": mention.extent.of(text)}
    values = {
        "label": mention.type,
        "identifier_type": mention.identifier,
        "confidential_status": mention.status,
        "entity": mention.entity or None,
    }
    for layer, value in values.items():
        if value is None:
            continue
        kind = _LAYERS.get(layer, "labels")
        region: dict[str, Any] = {"id": name, "from_name": layer, "to_name": "text", "type": kind}
        region["value"] = {**place, _LIST_OF[kind]: [value]}
        if layer == "label" and mention.score is not None:
            region["score"] = mention.score
        if layer == "label" and mention.properties:
            region["meta"] = dict(mention.properties)
        yield region


_DATA = frozenset({"id", "text"})
_TASK = frozenset(
    "id data annotations predictions file_upload drafts meta created_at updated_at inner_id "
    "total_annotations cancelled_annotations total_predictions comment_count "
    "unresolved_comment_count last_comment_updated_at project updated_by comment_authors".split()
)
_ANNOTATION = frozenset(
    "id completed_by result was_cancelled ground_truth created_at updated_at draft_created_at "
    "lead_time prediction result_count unique_id import_id last_action task project updated_by "
    "parent_prediction parent_annotation last_created_by bulk_created".split()
)


class LabelStudio(JsonFormat):
    """Label Studio; stores everything except discontinuous spans; annotators are in ``completed_by``."""

    name = "label-studio"
    holds = frozenset(Feature) - {Feature.FRAGMENTS, Feature.OTHER}
    needs = frozenset({Feature.TEXT, Feature.TYPE})

    def parse(self, content: JsonPart, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each task."""
        for position, task in enumerate(content.items("")):
            name, at = content.document, task.at
            data = JsonPart(task.member("data", dict), name, f"{at}.data")
            id = str(data.value.get("id", task.value.get("id", position)))
            check_surrogates(id, f"{name}{at}")
            text = JsonPart(data.value, id, data.at).text("text")
            for key in task.others(_TASK):
                reading.skip_or_raise(f"{at} has the key {key!r}", id)
            if task.get("predictions"):
                reading.skip_or_raise(f"{at} has predictions of a model", id)
            converter = OffsetConverter(text, reading.unit, id)
            annotations = JsonPart(task.value.get("annotations", []), id, f"{at}.annotations")
            results = (
                _annotation(annotation, text, converter, reading)
                for annotation in annotations.items(annotations.at)
            )
            yield AnnotatedDocument(
                id, text, tuple(one for one in results if one), data.others(_DATA)
            )

    def lines(self, document: AnnotatedDocument, converter: OffsetConverter) -> Iterator[str]:
        """Yield the document's task."""
        text = document.text or ""
        data = with_properties({"id": document.id}, document.properties, _DATA, document.id)
        annotations = [
            {
                **_completed_by(annotation.annotator),
                "result": regions_of(annotation, text, converter, document.id),
            }
            for annotation in document.annotations
        ]
        yield dump_json({"data": {**data, "text": text}, "annotations": annotations})


def _annotation(
    annotation: JsonPart, text: str, converter: OffsetConverter, reading: Reading
) -> Annotation | None:
    id, at = annotation.document, annotation.at
    result = JsonPart(annotation.member("result", list), id, f"{at}.result")
    for key in annotation.others(_ANNOTATION):
        reading.skip_or_raise(f"{at} has the key {key!r}", id)
    if annotation.get("was_cancelled"):
        reading.skip_or_raise(f"{at} was canceled by its annotator", id)
        return None
    annotator = _annotator(annotation.get("completed_by"), id, at)
    mentions = mentions_of(result, text, converter, reading)
    return Annotation(annotator, mentions) if annotator or mentions else None


def _annotator(value: Any, id: str, at: str) -> str:
    if isinstance(value, dict):
        value = value.get("email", value.get("id"))
    if value is None:
        return ""
    if type(value) not in (int, str):
        raise InputError(f"{at}: 'completed_by' must be a number or an object with 'email'.", id)
    return str(value)


def _completed_by(annotator: str) -> dict[str, Any]:
    """Return an annotator in the form that Label Studio imports: a user's number or e-mail address."""
    if not annotator:
        return {}
    number = annotator.isascii() and annotator.isdigit() and str(int(annotator)) == annotator
    return {"completed_by": int(annotator) if number else {"email": annotator}}
