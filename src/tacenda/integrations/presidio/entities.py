"""Presidio's entity names for mentions.

Presidio names a number by its country and document (``US_SSN``, ``ES_NIE``), tacenda by its form
and the words before it. So a mention may have several names: the first one is returned, and
requests for any of them match. A code that can't be told apart (``ID``) matches every name of an
identity number, so that a request for only one of them never misses it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ...detect.patterns.base import normalize_width
from ...detect.patterns.national_ids import modules_of
from ...document import Mention, SemanticType
from ...shipped import shipped_table

CODE = "ID"
"""Name of a code that can't be told apart; also what transformers' models call it in Presidio."""

_TABLE = shipped_table("presidio_entities")
_TYPES = {SemanticType(type): name for type, name in _TABLE["types"].items()}
_KINDS = {kind: tuple(names.split()) for kind, names in _TABLE["kinds"].items()}
_MODULES = _TABLE["modules"]
_NUMBERS = _TABLE["numbers"]["names"].split()


_ANNOUNCED = tuple(
    (
        re.compile(rf"(?i:{words})(?:\bno\.|[^.;\n]){{0,24}}\Z"),
        tuple(filter(re.compile(names).search, _NUMBERS)),
    )
    for names, words in _TABLE["announced"].items()
)
"""Words before a number, and the names of what they announce."""
_BEFORE = 48

_FORMS = tuple((re.compile(form), tuple(names.split())) for names, form in _TABLE["forms"].items())
"""Forms of a code that the recognizer read, and their names."""

NAMES = tuple(
    sorted(
        {
            *_TYPES.values(),
            *(name for names in _KINDS.values() for name in names),
            *_NUMBERS,
            CODE,
        }
    )
)
"""All names that can be asked for."""


def type_named(name: str) -> SemanticType:
    """Return the semantic type for one of Presidio's entity names; CODE if it has none."""
    place_names = _KINDS["postcode"]
    types = {value: type for type, value in _TYPES.items()} | {"ID": SemanticType.CODE}
    return SemanticType.LOC if name in place_names else types.get(name, SemanticType.CODE)


def names_of(mention: Mention, text: str) -> tuple[str, ...]:
    """Return Presidio's names for a mention, starting with the one to return.

    Args:
        mention: a mention in ``text``; a code's names depend on its characters and the words before
            it.
        text: of the document.
    """
    if names := _KINDS.get(mention.kind):
        return names
    if mention.type is not SemanticType.CODE:
        return (_TYPES[mention.type],)
    code = normalize_width(mention.span.of(text))
    if mention.kind == "national_id":
        modules = modules_of(code)
        if names := tuple(_MODULES[module] for module in modules if module in _MODULES):
            return names
        return (CODE,) if modules else ("UK_NINO",)
    before = text[max(0, mention.span.start - _BEFORE) : mention.span.start]
    announced = [
        (match.start(), names) for words, names in _ANNOUNCED if (match := words.search(before))
    ]
    if announced:
        # The last of several words that announce something: "his passport, and bank account 1234".
        return max(announced)[1]
    for form, names in _FORMS:
        if form.fullmatch(code):
            return names
    return (CODE,)


def name_among(names: tuple[str, ...], asked: Collection[str]) -> str | None:
    """Return the name to give a mention if only some are requested; None if it has none of those.

    Args:
        names: the mention's names.
        asked: the requested names, in request order.
    """
    for name in names:
        if name in asked:
            return name
    if CODE in names:
        return next((name for name in asked if name in _NUMBERS), None)
    return None
