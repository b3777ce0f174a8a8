"""Whatever is no text is looked through once more when it is written, wherever it stands.

| a form of what is masked in | becomes |
|---|---|
| the name of an element, or its namespace | the element goes, what is in it stays |
| the name of an attribute, or its namespace | the attribute goes |
| an attribute | the same without it, alike in all parts, so that what is named by it is still found |
| a prefix of a namespace | another prefix |
| a number of a layout, a media type, a type of relationship | one that every document has |

What the standard itself says (``standard``) stays, whoever is masked: without its namespace or its
name an element would take along all that is in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..names import NameScrubber
from .package import (
    COMPATIBILITY,
    NUMBERS,
    Element,
    W,
    local_name,
    remove,
    renewed_prefixes,
    unwrap,
)
from .standard import is_namespace, is_of_the_standard, is_packaging, is_term

# Words of closed lists (center, nextPage) and numbers: short forms are none of them by accident.
_WORD_OF_THE_FORMAT = re.compile(r"[a-z][A-Za-z0-9]*|[-+0-9.%]+|[0-9A-F]+")
_DIGITS = re.compile(r"\d+")
_MARKED = re.compile(r"(#?)(.*)", re.DOTALL)
_NEUTRAL = "application/xml"
_UNNAMED = f"{W}text"


@dataclass(slots=True)
class Sweep:
    """What is struck out of a document besides its text, alike in all of its parts.

    Attributes:
        forms: what must not be left.
        names: strings to what is written instead.
        written: what was written instead of any.
    """

    forms: NameScrubber
    names: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    known: dict[str, bool] = field(default_factory=dict)

    def tells(self, value: str) -> bool:
        """Tell whether a string that is no text holds a form."""
        if value not in self.known:
            code = _WORD_OF_THE_FORMAT.fullmatch(value) is not None
            self.known[value] = self.forms.occurs_in(value, code=code)
        return self.known[value]

    def name(self, value: str, *, is_original: bool = False) -> str:
        """Return a name without any form: the same for the same name, another for another.

        Args:
            value: the name.
            is_original: whether somebody thought of it, so that it is no word of the format.
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
        """Return the tree of a part, swept."""
        if not self.forms:
            return root
        for element in list(root.iter()):
            if element is not root and self._name_tells(str(element.tag)):
                if (element.text or "").strip():
                    element.tag = _UNNAMED  # What it says was read as text, and sanitized.
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
        """Tell whether the name of an element or attribute, or its namespace, holds a form."""
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
