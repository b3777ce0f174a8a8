"""Terms of the standard in a .docx or .pptx, which never identify anybody.

Names of elements and attributes, enumerated values, namespaces, media types and paths in the
archive (ECMA-376, Parts 1, 2 and 4, and Word's extensions) consist of a few words in camel case:
``sectPr``, ``nextPage``. Since every version adds names, their words are listed instead
(``data/office_words.txt``): a name belongs to the standard if all its words do. A word that isn't
listed is treated as personal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from ...shipped import shipped_text
from ..names import NameScrubber
from .package import (
    COMPATIBILITY,
    NAME_ATTRIBUTES,
    NAME_VALUES,
    NUMBERS,
    OFFICE,
    TEXT_ATTRIBUTES,
    TEXT_VALUES,
    Element,
    W,
    local_name,
    remove,
    renewed_prefixes,
    unwrap,
)

_WORDS = frozenset(shipped_text("office_words.txt").split())

_PARTS = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]")
_TERM = re.compile(r"[A-Za-z][A-Za-z_-]*\d{0,4}(?:[A-Za-z]+\d{0,2})?")
_ENUMERATED = re.compile(r"[a-z][A-Za-z-]*\d{0,4}(?:[A-Za-z]+\d{0,2})?")
_RELATIONSHIP = re.compile(r"rIdx?\d{1,6}")
_NAMESPACE = re.compile(
    r"""
    http://schemas\.(?:openxmlformats\.org|microsoft\.com)/[A-Za-z]+(?:[/-][A-Za-z]+|/20\d\d|/\d\d?)*
    |urn:schemas-microsoft-com:[a-z]+(?::[a-z]+)?
    |urn:oasis:names:tc:opendocument:xmlns:[a-z]+(?:-[a-z]+)*:\d\.\d
    """,
    re.VERBOSE,
)
_FURTHER_NAMESPACES = frozenset(OFFICE["namespaces"].split())
_PACKAGING = re.compile(
    r"""
    \[Content_Types\]\.xml | _rels/\.rels
    | /?(?:word|ppt|docProps)/(?:media/|_rels/)?[A-Za-z]+\d*\.(?:xml|png|jpeg)(?:\.rels)?
    | (?:media/)?[A-Za-z]+\d*\.(?:xml|png|jpeg)
    | application/(?:xml|vnd\.(?:openxmlformats|ms)-[a-z]+(?:\.[A-Za-z-]+)*\+xml) | image/(?:png|jpeg)
    """,
    re.VERBOSE,
)
_FREE = TEXT_ATTRIBUTES | NAME_ATTRIBUTES | frozenset(OFFICE["free_attributes"].split())
"""Attributes with values that people choose, or that refer to such values."""

_FREE_VALUES = TEXT_VALUES | NAME_VALUES | frozenset(OFFICE["free_values"].split())
"""Elements whose ``w:val`` is one of those values."""


@lru_cache(maxsize=8192)
def is_term(name: str) -> bool:
    """Return whether an element's or attribute's name consists only of the standard's words."""
    return _TERM.fullmatch(name) is not None and _is_worded(name)


@lru_cache(maxsize=1024)
def is_namespace(uri: str) -> bool:
    """Return whether a namespace or relationship type belongs to the standard."""
    if uri in _FURTHER_NAMESPACES:
        return True
    return _NAMESPACE.fullmatch(uri) is not None and _is_worded(uri)


@lru_cache(maxsize=1024)
def is_packaging(value: str) -> bool:
    """Return whether a media type or a path in the archive belongs to the standard."""
    return _PACKAGING.fullmatch(value) is not None and _is_worded(value)


def is_of_the_standard(tag: str, key: str, value: str) -> bool:
    """Return whether an attribute's value is from a closed list, or a namespace.

    Args:
        tag: the element's name, with its namespace in braces.
        key: the attribute's name, with its namespace if any.
        value: the attribute's value.
    """
    if _RELATIONSHIP.fullmatch(value) or is_namespace(value):
        return True
    space, _, element = tag.rpartition("}")
    namespace, _, name = key.rpartition("}")
    return (
        name not in _FREE
        and not (name == "val" and element in _FREE_VALUES)
        and is_term(name)
        and is_term(element)
        and (not space or is_namespace(space[1:]))
        and (not namespace or is_namespace(namespace[1:]))
        and _is_enumerated(value)
    )


@lru_cache(maxsize=8192)
def _is_enumerated(value: str) -> bool:
    return _ENUMERATED.fullmatch(value) is not None and _is_worded(value)


def _is_worded(text: str) -> bool:
    return all(part.lower() in _WORDS for part in _PARTS.findall(text))


# All strings other than text are searched once more when they are written.
#
# | a form of a masked string in | becomes |
# |---|---|
# | the name of an element, or its namespace | the element is removed, its content stays |
# | the name of an attribute, or its namespace | the attribute is removed |
# | an attribute | the same without it, consistently in all parts, so that references stay valid |
# | a namespace prefix | another prefix |
# | a layout number, a media type, a relationship type | one that every document has |
#
# Terms of the standard stay, whoever is masked: if an element lost its name or namespace, it would
# lose all its content.


# Words from closed lists (center, nextPage) and numbers, which no short form should match by
# accident.
_WORD_OF_THE_FORMAT = re.compile(r"[a-z][A-Za-z0-9]*|[-+0-9.%]+|[0-9A-F]+")
_DIGITS = re.compile(r"\d+")
_MARKED = re.compile(r"(#?)(.*)", re.DOTALL)
_NEUTRAL = "application/xml"
_UNNAMED = f"{W}text"


@dataclass(slots=True)
class Sweep:
    """Removes masked names outside the text, consistently in all parts of a document.

    Attributes:
        forms: the forbidden forms.
        names: the replacement for each string.
        written: all replacements so far.
    """

    forms: NameScrubber
    names: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    known: dict[str, bool] = field(default_factory=dict)

    def tells(self, value: str) -> bool:
        """Return whether a string other than text contains a form."""
        if value not in self.known:
            code = _WORD_OF_THE_FORMAT.fullmatch(value) is not None
            self.known[value] = self.forms.occurs_in(value, code=code)
        return self.known[value]

    def name(self, value: str, *, is_original: bool = False) -> str:
        """Return a name without any form; equal names give equal results, different names different ones.

        Args:
            value: the name.
            is_original: whether a person wrote it, rather than being a term of the format.
        """
        if is_original and not self.known.get(value):
            self.known[value] = self.forms.occurs_in(value)
        if not self.tells(value):
            return value
        marked = _MARKED.fullmatch(value)
        mark, name = marked.groups() if marked else ("", value)
        if name not in self.names:
            digits = _DIGITS.fullmatch(name) is not None
            base = "" if digits else self.forms.redact(name)
            number = 1
            new = str(number) if digits else base
            while new in self.written or self.tells(new):
                number += 1
                new = str(number) if digits else f"{base} {number}"
            self.names[name] = new
            self.written.add(new)
        return mark + self.names[name]

    def media_type(self, value: str) -> str:
        """Return the media type of a part."""
        return value if is_packaging(value) or not self.tells(value) else _NEUTRAL

    def part(self, root: Element) -> Element:
        """Return a part's tree, swept."""
        if not self.forms:
            return root
        for element in list(root.iter()):
            if element is not root and self._name_tells(str(element.tag)):
                if (element.text or "").strip():
                    element.tag = _UNNAMED  # Its text was read and sanitized.
                else:
                    unwrap(element) if len(element) else remove(element)
                    continue
            self._attributes(element)
            text = element.text or ""
            if (
                local_name(element) in NUMBERS
                and self.tells(text)
                and not is_of_the_standard(str(element.tag), "val", text)
            ):
                element.text = "0"
        return renewed_prefixes(
            root, self.tells, lambda uri: not is_namespace(uri) and self.tells(uri)
        )

    def _name_tells(self, name: str) -> bool:
        """Return whether an element's or attribute's name or namespace contains a form."""
        namespace, _, local = name.rpartition("}")
        standard = not namespace or is_namespace(namespace[1:])
        if standard and is_term(local):
            return False
        return self.tells(local) or (not standard and self.tells(namespace[1:]))

    def _attributes(self, element: Element) -> None:
        for key, value in list(element.attrib.items()):
            if self._name_tells(key):
                del element.attrib[key]
            elif key.startswith(COMPATIBILITY):
                continue  # prefixes; see renewed_prefixes
            elif is_of_the_standard(str(element.tag), key, str(value)):
                continue
            elif (new := self.name(str(value))) != value:
                element.set(key, new)
