"""Lines of brat's .ann files to mentions: text-bound annotations, attributes, equivalences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from .corpus import AnnotatedMention
from .format import Reading
from .offsets import Ruler
from .parsing import choice

IDENTIFIER: Final = "IdentifierType"
STATUS: Final = "ConfidentialStatus"
ENTITY: Final = "Entity"
SCORE: Final = "Score"

_TEXT_BOUND = re.compile(
    r"(T\S+)\t(\S+) ([0-9]{1,18} [0-9]{1,18}(?:;[0-9]{1,18} [0-9]{1,18})*)\t(.*)"
)
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (\S+))?")
_EQUIVALENT = re.compile(r"\*\tEquiv (\S+(?: \S+)+)")


@dataclass(slots=True)
class _Ann:
    """What was read of a file so far: mentions by brat's name, and their attributes."""

    mentions: dict[str, AnnotatedMention] = field(default_factory=dict)
    attributes: dict[str, dict[str, tuple[str | bool, str]]] = field(default_factory=dict)
    equivalents: list[tuple[str, ...]] = field(default_factory=list)


def mentions_of(
    content: str, text: str, ruler: Ruler, id: str, reading: Reading
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions of an .ann file in order of its lines.

    Raises:
        InputError: names the line; also for relations, events, normalisations and notes, unless
            the user gave leave to pass over them.
    """
    ann = _Ann()
    referred: list[tuple[str, str]] = []
    for number, raw in enumerate(content.split("\n"), 1):
        line, at = raw.removesuffix("\r"), f"{id}.ann, line {number}"
        if not line.strip():
            continue
        if line[0] == "T":
            _text_bound(line, text, ruler, ann, id, at)
        elif line[0] in "AM":
            referred.append((_attribute(line, ann, id, at), at))
        elif found := _EQUIVALENT.fullmatch(line):
            names = tuple(found[1].split(" "))
            ann.equivalents.append(names)
            referred += ((name, at) for name in names)
        elif line[0] in "REN#*":
            reading.pass_over(f"{at}: is a relation, event, normalisation or note", id)
        else:
            raise InputError(f"{at}: is no line of brat's; mend it.", id)
    for name, at in referred:
        if name not in ann.mentions:
            # Attributes of events and relations.
            reading.pass_over(f"{at}: {name!r} is no text-bound annotation", id)
    return _finished(ann, id)


def _text_bound(line: str, text: str, ruler: Ruler, ann: _Ann, id: str, at: str) -> None:
    found = _TEXT_BOUND.fullmatch(line)
    if found is None:
        raise InputError(f"{at}: must be T1, tab, TYPE START END, tab, text; mend it.", id)
    name, type_, places, quoted = found.groups()
    if name in ann.mentions:
        raise InputError(f"{at}: {name} is there twice; give each its own.", id)
    offsets = (place.split(" ") for place in places.split(";"))
    spans = tuple(ruler.span(int(start), int(end), at) for start, end in offsets)
    if any(later.start < earlier.end for earlier, later in pairwise(spans)):
        raise InputError(f"{at}: fragments overlap or are out of order; mend them.", id)
    if quoted != quote(spans, text):
        raise InputError(
            f"{at}: quotes another string than the text has there; do the offsets count another "
            "unit (see --from-offsets), or is the text another version?",
            id,
        )
    ann.mentions[name] = AnnotatedMention(spans, type_)


def quote(spans: Sequence[Span], text: str) -> str:
    """Return the text column: fragments joined by spaces, line ends and tabs as spaces."""
    return " ".join(re.sub(r"[\t\r\n]", " ", span.of(text)) for span in spans)


def _attribute(line: str, ann: _Ann, id: str, at: str) -> str:
    found = _ATTRIBUTE.fullmatch(line)
    if found is None:
        raise InputError(f"{at}: must be A1, tab, NAME T1 [VALUE]; mend it.", id)
    name, target, value = found.groups()
    attributes = ann.attributes.setdefault(target, {})
    if name in attributes:
        raise InputError(f"{at}: {target} has the attribute {name} twice; keep one.", id)
    attributes[name] = (True if value is None else value, at)
    return str(target)


def _finished(ann: _Ann, id: str) -> tuple[AnnotatedMention, ...]:
    entities = _entities(ann)
    result = []
    for name, mention in ann.mentions.items():
        values = dict(ann.attributes.get(name, {}))
        identifier, identifier_at = values.pop(IDENTIFIER, (None, ""))
        status, status_at = values.pop(STATUS, (None, ""))
        score, score_at = values.pop(SCORE, (None, ""))
        entity, _ = values.pop(ENTITY, (entities.get(name, ""), ""))
        result.append(
            replace(
                mention,
                identifier=choice(IdentifierType, identifier, id, identifier_at),
                status=choice(ConfidentialStatus, status, id, status_at),
                score=_number(score, id, score_at),
                entity=str(entity),
                properties={key: value for key, (value, _) in values.items()},
            )
        )
    return tuple(result)


def _entities(ann: _Ann) -> dict[str, str]:
    """Name the classes of equivalent mentions by their first member; classes that meet are one."""
    order = {name: position for position, name in enumerate(ann.mentions)}
    entities: dict[str, str] = {}
    for names in ann.equivalents:
        joined = {entities.get(name, name) for name in names}
        first = min(joined, key=lambda name: order.get(name, len(order)))
        entities.update((name, first) for name, old in entities.items() if old in joined)
        entities.update((name, first) for name in names)
    return entities


def _number(value: Any, id: str, at: str) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        raise InputError(f"{at}: the score must be a number; mend it.", id) from None
