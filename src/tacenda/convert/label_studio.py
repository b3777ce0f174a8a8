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
from typing import Any

from ..documents.decoding import check_surrogates
from ..errors import InputError
from .corpus import AnnotatedDocument, Annotation, Feature
from .format import Files, Format, Reading, only_file
from .label_studio_regions import mentions_of, regions_of
from .offsets import Ruler, Unit
from .parsing import (
    bytes_of,
    dump_json,
    expect,
    member,
    other_keys,
    parse_json,
    plain_text,
    text_of,
    with_properties,
)

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


class LabelStudio(Format):
    """Everything but discontinuous spans; several annotators by ``completed_by``."""

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
                reading.pass_over(f"{at} has the key {key!r}", id)
            if task.get("predictions"):
                reading.pass_over(f"{at} has predictions of a model", id)
            annotations = expect(task.get("annotations", []), list, id, f"{at}.annotations")
            ruler = Ruler(text, reading.unit, id)
            read = (
                _annotation(annotation, text, ruler, id, f"{at}.annotations[{number}]", reading)
                for number, annotation in enumerate(annotations)
            )
            yield AnnotatedDocument(
                id, text, tuple(one for one in read if one), other_keys(data, _DATA)
            )

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON list, a task a line."""
        lines = []
        for document in documents:
            text = document.text or ""
            ruler = Ruler(text, unit, document.id)
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
    annotation: Any, text: str, ruler: Ruler, id: str, at: str, reading: Reading
) -> Annotation | None:
    result = member(annotation, "result", list, id, at)
    for key in other_keys(annotation, _ANNOTATION):
        reading.pass_over(f"{at} has the key {key!r}", id)
    if annotation.get("was_cancelled"):
        reading.pass_over(f"{at} was cancelled by its annotator", id)
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
