"""Label Studio JSON: tasks with ``data``, ``annotations`` and their ``result`` (its JSON export).

Mentions are regions of type ``labels``. TAB's layers are regions of the same id: ``choices`` named
``identifier_type`` and ``confidential_status``, a ``textarea`` named ``entity``; so a project needs

    <View><Labels name="label" toName="text"> … </Labels> <Text name="text" value="$text"/>
    <Choices name="identifier_type" toName="text" perRegion="true"> … </Choices> …</View>

Offsets are code points, as Label Studio stores them since its front end learnt to (label-studio
pull request 1559, October 2021). Older exports and other front ends in JavaScript count UTF-16
units: read those with ``--from-offsets utf-16``. The tool's bookkeeping (times, counters, numbers
of tasks and projects) is no annotation and is not read; keys of ``data`` beside ``text`` and ``id``
are properties of the document, ``meta`` of a region those of the mention.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from ..text.decoding import check_surrogates
from .checked_json import (
    bytes_of,
    check_covered,
    choice,
    dump_json,
    expect,
    member,
    optional_string,
    other_keys,
    parse_json,
    plain_text,
    score,
    text_of,
    with_properties,
)
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    Files,
    OffsetConverter,
    Reading,
    Unit,
    only_file,
)

# Regions of one annotation: mentions, and further results under their ids.


_LAYERS: Final = {
    "identifier_type": "choices",
    "confidential_status": "choices",
    "entity": "textarea",
}
_LIST_OF: Final = {"labels": "labels", "choices": "choices", "textarea": "text"}


def mentions_of(
    result: list[Any], text: str, ruler: OffsetConverter, id: str, at: str, reading: Reading
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
            reading.skip_or_raise(f"{place}: is a {kind!r} named {layer!r}", id)
    for name, layer, value, place in layers:
        if name not in mentions:
            raise InputError(f"{place}: there are no labels of this id; mend it.", id)
        mentions[name] = _with_layer(mentions[name], layer, value, id, place)
    return tuple(mentions.values())


def _mention(region: Any, text: str, ruler: OffsetConverter, id: str, at: str) -> AnnotatedMention:
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
    content = value.get(key)
    values = content if isinstance(content, list) else [content]
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


def regions_of(
    annotation: Annotation, text: str, ruler: OffsetConverter, id: str
) -> list[dict[str, Any]]:
    """Return the regions of an annotation; mentions without id get one.

    Raises:
        InputError: two mentions have the same id.
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
        regions += _regions(mention, name, text, ruler)
    return regions


def _regions(
    mention: AnnotatedMention, name: str, text: str, ruler: OffsetConverter
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


def _place(span: Span, text: str, ruler: OffsetConverter) -> dict[str, Any]:
    start, end = ruler.offsets(span)
    return {"start": start, "end": end, "text": span.of(text)}


def _region(name: str, layer: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "from_name": layer, "to_name": "text", "type": kind, "value": value}


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


class LabelStudio(AnnotationFormat):
    """Label Studio; holds everything but discontinuous spans; annotators by ``completed_by``."""

    name = "label-studio"
    holds = frozenset(Feature) - {Feature.FRAGMENTS, Feature.OTHER}
    needs = frozenset({Feature.TEXT, Feature.TYPE})

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each task."""
        name, content = only_file(files)
        tasks = expect(parse_json(text_of(content, name), name), list, name, "the file")
        for position, task in enumerate(tasks):
            at = f"[{position}]"
            data = member(task, "data", dict, name, at)
            id = str(data.get("id", task.get("id", position)))
            check_surrogates(id, f"{name}{at}")
            text = plain_text(data, "text", id, f"{at}.data")
            for key in other_keys(task, _TASK):
                reading.skip_or_raise(f"{at} has the key {key!r}", id)
            if task.get("predictions"):
                reading.skip_or_raise(f"{at} has predictions of a model", id)
            annotations = expect(task.get("annotations", []), list, id, f"{at}.annotations")
            ruler = OffsetConverter(text, reading.unit, id)
            results = (
                _annotation(annotation, text, ruler, id, f"{at}.annotations[{number}]", reading)
                for number, annotation in enumerate(annotations)
            )
            yield AnnotatedDocument(
                id, text, tuple(one for one in results if one), other_keys(data, _DATA)
            )

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON list, a task a line."""
        lines = []
        for document in documents:
            text = document.text or ""
            ruler = OffsetConverter(text, unit, document.id)
            data = with_properties({"id": document.id}, document.properties, _DATA, document.id)
            annotations = [
                {
                    **_completed_by(annotation.annotator),
                    "result": regions_of(annotation, text, ruler, document.id),
                }
                for annotation in document.annotations
            ]
            lines.append(dump_json({"data": {**data, "text": text}, "annotations": annotations}))
        content = "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"
        return {"": bytes_of(content, self.name)}


def _annotation(
    annotation: Any, text: str, ruler: OffsetConverter, id: str, at: str, reading: Reading
) -> Annotation | None:
    result = member(annotation, "result", list, id, at)
    for key in other_keys(annotation, _ANNOTATION):
        reading.skip_or_raise(f"{at} has the key {key!r}", id)
    if annotation.get("was_cancelled"):
        reading.skip_or_raise(f"{at} was cancelled by its annotator", id)
        return None
    annotator = _annotator(annotation.get("completed_by"), id, at)
    mentions = mentions_of(result, text, ruler, id, at, reading)
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
    """Spell an annotator as Label Studio imports it: number of a user, or e-mail address."""
    if not annotator:
        return {}
    number = annotator.isascii() and annotator.isdigit() and str(int(annotator)) == annotator
    return {"completed_by": int(annotator) if number else {"email": annotator}}
