"""Doctypes of XML: what they declare is written out where it is used.

An entity of the file's own becomes its text, and an attribute's default value is written into each element without it
(XML 1.0, 3.3.2 and 4.4). Their declarations are left out. So all that a reader would see is in the document, and
nothing of it can stay behind in the doctype. Other files are never opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.entities import name2codepoint

from ..errors import InputError
from .xml_tokens import ATTRIBUTE, PREDEFINED, PROLOG, TAG_NAME, TOKEN

_MOST_ADDED = 1_000_000
"""Characters by which any file may grow; a longer one may double."""
_DEEPEST = 20
_DECLARATION = re.compile(
    r"<!--.*?-->|<\?.*?\?>|\"[^\"]*\"|'[^']*'|%(?P<parameter>[^\s;]*);"
    r"|<!(?P<kind>ENTITY|ATTLIST)\s(?P<content>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL,
)
_ENTITY = re.compile(r"\s*(?P<parameter>%\s+)?(?P<name>\S+)\s+(?:\"([^\"]*)\"|'([^']*)')?")
_ATTRIBUTE_TYPE = re.compile(
    r"(?P<start>(?P<name>\S+)\s+(?:[A-Z]+(?:\s*\([^)]*\))?|\([^)]*\))\s+)"
    r"(?:#REQUIRED|#IMPLIED|(?:#FIXED\s+)?(?P<value>\"[^\"]*\"|'[^']*'))"
)
_EXTERNAL = re.compile(r"\s(?:SYSTEM|PUBLIC)\s")
_REFERENCE = re.compile(r"&([^\s#&;<>\"']+);")
_NUMBERED = re.compile(r"&#(?:x([0-9A-Fa-f]{1,5})|([0-9]{1,6}));")


def written_out(source: str, name: str) -> str:
    """Return a file's source without declared entities and default values.

    Args:
        source: the file, which needn't be well-formed.
        name: of the file, for messages.

    Raises:
        InputError: if it would grow too much, or an entity can't be known.
    """
    prolog = PROLOG.match(source)
    if prolog is None:
        return source
    start, end = prolog.span("subset")
    if start < 0:
        start = end = prolog.end()
    doctype = _Doctype(source, name, bool(_EXTERNAL.search(prolog["head"])), start)
    subset = _DECLARATION.sub(doctype.take, source[start:end])
    doctype.start = end
    return source[:start] + subset + doctype.expanded(source[end:])


@dataclass(slots=True)
class _Doctype:
    """The declarations of a doctype, and their uses.

    Attributes:
        source: the file.
        name: of the file.
        has_external: whether another file has declarations, too.
        start: of the part that is read.
        place: of what is read, in that part.
        entities: literal values by name; None for those in other files.
        parameters: the same for parameter entities, which stand for declarations.
        defaults: quoted values by element and attribute; empty for attributes without one.
        texts: texts of the entities used so far.
        open: names of the entities around what is expanded.
        added: number of characters added so far.
    """

    source: str = field(repr=False)
    name: str
    has_external: bool
    start: int
    place: int = 0
    entities: dict[str, str | None] = field(default_factory=dict, repr=False)
    parameters: dict[str, str | None] = field(default_factory=dict, repr=False)
    defaults: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)
    texts: dict[str, str] = field(default_factory=dict, repr=False)
    open: list[str] = field(default_factory=list, repr=False)
    added: int = 0

    def take(self, match: re.Match[str]) -> str:
        """Take a declaration, and return what is left of it.

        Raises:
            InputError: if a parameter entity of this file is used, which may stand for any declarations.
        """
        if match["parameter"] is not None:
            self.has_external = True
            if self.parameters.get(match["parameter"]) is not None:
                self.place = match.start()
                raise self._error("has a doctype with parameter entities; remove it")
            return ""
        declared = _ENTITY.match(match["content"] or "")
        if declared is None:
            return match[0]
        if match["kind"] == "ENTITY":
            value = declared[3] if declared[4] is None else declared[4]
            entities = self.parameters if declared["parameter"] else self.entities
            entities.setdefault(declared["name"], value)
            return ""
        defaults = self.defaults.setdefault(declared["name"], {})

        def without(attribute: re.Match[str]) -> str:
            defaults.setdefault(attribute["name"], attribute["value"] or "")
            return attribute[0] if attribute["value"] is None else f"{attribute['start']}#IMPLIED"

        return _ATTRIBUTE_TYPE.sub(without, match[0])

    def expanded(self, text: str) -> str:
        """Return a part of the file with entities and default values written out.

        Raises:
            InputError: if it would grow too much, or an entity can't be known.
        """
        return TOKEN.sub(self._token, text)

    def _token(self, match: re.Match[str]) -> str:
        if not self.open:
            self.place = match.start()
        tag = match[0]
        if match.lastgroup == "text":
            return _REFERENCE.sub(self._text, tag)
        name = TAG_NAME.match(tag)
        if match.lastgroup != "start" or name is None:
            return tag
        given = {each[2] for each in ATTRIBUTE.finditer(tag)}
        defaults = self.defaults.get(name[1], {}).items()
        missing = "".join(
            f" {key}={value}" for key, value in defaults if value and key not in given
        )
        self._add(len(missing))
        end = len(tag) - (2 if tag.endswith("/>") else 1)
        return _REFERENCE.sub(self._quoted, tag[:end] + missing + tag[end:])

    def _quoted(self, match: re.Match[str]) -> str:
        text = self._text(match)
        return text.replace('"', "&quot;").replace("'", "&apos;")

    def _text(self, match: re.Match[str]) -> str:
        """Return the text for a reference."""
        name = match[1]
        if name in PREDEFINED:
            return match[0]
        if name not in self.texts:
            self.texts[name] = self._value(name)
        self._add(len(self.texts[name]))
        return self.texts[name]

    def _value(self, name: str) -> str:
        value = self.entities.get(name)
        if value is None:
            if name in self.entities or (self.has_external and name not in name2codepoint):
                raise self._error("uses an entity from another file; replace it by its text")
            # Public doctypes give the names of ISO 8879 the meaning that they have in HTML.
            return chr(name2codepoint[name]) if self.has_external else f"&{name};"
        if name in self.open or len(self.open) == _DEEPEST:
            raise self._error("has entities that are within themselves, or too deep; remove them")
        self.open.append(name)
        text = self.expanded(_NUMBERED.sub(_character, value))
        self.open.pop()
        return text

    def _add(self, number: int) -> None:
        self.added += number
        if self.added > max(_MOST_ADDED, len(self.source)):
            raise self._error("has entities that would make it too large; remove them")

    def _error(self, message: str) -> InputError:
        line = self.source.count("\n", 0, self.start + self.place) + 1
        return InputError(f"line {line}: {message}.", self.name)


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16) if match[1] else int(match[2]))
