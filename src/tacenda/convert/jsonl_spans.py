"""The spans of a line of JSONL: in Prodigy's shape, or in one of doccano's two."""

from __future__ import annotations

from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType
from ..errors import InputError
from .corpus import AnnotatedMention
from .offsets import Ruler
from .parsing import check_covered, choice, expect, optional_string, other_keys, score

ANNOTATOR: Final = "_annotator_id"
SPAN_KEYS: Final = ("spans", "entities", "label", "labels")
LINE: Final = frozenset({"id", "text", ANNOTATOR, *SPAN_KEYS})
SPAN: Final = frozenset(
    {
        "start",
        "end",
        "label",
        "text",
        "identifier_type",
        "confidential_status",
        "entity",
        "id",
        "score",
    }
)
_DOCCANO: Final = frozenset({"id", "label", "start_offset", "end_offset"})


def mentions_of(
    record: dict[str, Any], text: str, ruler: Ruler, id: str, at: str
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions of a line; none if it has no key for them.

    Raises:
        InputError: names line and span; also if there are two keys for spans.
    """
    keys = [key for key in SPAN_KEYS if record.get(key) is not None]
    if len(keys) > 1:
        raise InputError(f"{at}: has both {keys[0]!r} and {keys[1]!r}; keep one.", id)
    mentions = []
    for key in keys:
        for position, span in enumerate(expect(record[key], list, id, f"{at}: {key!r}")):
            place = f"{at}, {key}[{position}]"
            if key == "spans":
                mentions.append(_prodigy(span, text, ruler, id, place))
            elif key == "entities":
                mentions.append(_doccano(span, ruler, id, place))
            else:
                mentions.append(_triple(span, ruler, id, place))
    return tuple(mentions)


def _prodigy(span: Any, text: str, ruler: Ruler, id: str, at: str) -> AnnotatedMention:
    expect(span, dict, id, at)
    place = ruler.span(span.get("start"), span.get("end"), at)
    check_covered(text, place.start, place.end, span.get("text"), id, at)
    return AnnotatedMention(
        spans=(place,),
        type=optional_string(span, "label", id, at),
        identifier=choice(IdentifierType, span.get("identifier_type"), id, at),
        status=choice(ConfidentialStatus, span.get("confidential_status"), id, at),
        entity=optional_string(span, "entity", id, at),
        id=_name(span),
        score=score(span.get("score"), id, at),
        properties=other_keys(span, SPAN),
    )


def _doccano(span: Any, ruler: Ruler, id: str, at: str) -> AnnotatedMention:
    expect(span, dict, id, at)
    return AnnotatedMention(
        spans=(ruler.span(span.get("start_offset"), span.get("end_offset"), at),),
        type=optional_string(span, "label", id, at),
        id=_name(span),
        properties=other_keys(span, _DOCCANO),
    )


def _triple(span: Any, ruler: Ruler, id: str, at: str) -> AnnotatedMention:
    if len(expect(span, list, id, at)) != 3:
        raise InputError(f"{at} must be [start, end, type]; mend it.", id)
    start, end, type_ = span
    return AnnotatedMention(
        spans=(ruler.span(start, end, at),), type=expect(type_, str, id, f"{at}: the type")
    )


def _name(span: dict[str, Any]) -> str:
    name = span.get("id")
    return "" if name is None else str(name)
