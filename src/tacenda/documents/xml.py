"""XML, by element and attribute under a field policy: ``patient.name.given``, ``patient.@id``.

Paths have local names, without prefixes. A comment or a processing instruction is ``#comment`` within its element.
Entities and default attributes of a doctype are written out first (``xml_doctype``). Then expat reads the file: it must
be well-formed, and declare nothing that isn't written out. Then only what changes is rewritten, in its place. Text with elements in its midst is read as one:
``Anna <b>Berg</b>``.

Under definitions of FHIR a resource has the paths and types that it has in JSON (``fhir``): what JSON writes as a
member is an element with an attribute ``value``, or an attribute ``id`` or ``url``; a narrative is HTML.

``records: list.patient`` of a field policy makes each of these elements a document of its own (``framed``).
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import BinaryIO
from xml.parsers import expat

from ..errors import GIVE_FIELDS, NAME_ENCODING, InputError
from ..result import Result
from ..text.decoding import BYTE_ORDER_MARK, read_text
from .fhir import definitions, patient
from .field_places import FieldPlaces
from .fields import TEXT, FieldRule, Fields, Treatment
from .framed import HEAD, Frame, FramedRecord
from .json_leaves import HeldSource, placed_page
from .leaves import Leaf, RecordBuilder
from .names import STRUCK
from .record import Failure, Kept, Origin, SourceDocument, edited_source, plain
from .xml_doctype import written_out
from .xml_tokens import (
    ATTRIBUTE,
    DOCTYPE_PART,
    TAG_NAME,
    TOKEN,
    local,
    mixed_elements,
    paths_of,
    records_of,
    value_of,
    values_of,
)

_DEEPEST = 200
_INSTRUCTION_NAME = re.compile(r"<\?[^\s?]+\s*")
_DECLARED = re.compile(
    rb"\A(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']"
)
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_OF_PAGES = re.compile(
    r"<!\[CDATA\[|<(?:script|style|title|textarea|template|iframe|noembed|noframes|noscript|xmp|plaintext)\b",
    re.IGNORECASE,
)
COMMENT = "#comment"
_VALUED = "Element"
"""Type of what is beside a value."""
_LOCATION = "xsi:schemaLocation"
_NOTE = "the entities and default attributes of its doctype are written out, and no longer declared there."


def read(stream: BinaryIO, origin: Origin, fields: Fields) -> Iterator[SourceDocument | Failure]:
    """Yield the one document of a file.

    Raises:
        InputError: if the field policy is missing, or the file can't be read safely as XML.
    """
    if not fields.source:
        raise InputError("is read by a field policy", origin.name, GIVE_FIELDS)
    data = stream.read()
    declared = _DECLARED.match(data)
    if declared and origin.encoding == "utf-8":
        origin = replace(origin, encoding=declared[1].decode("ascii").lower())
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        origin = replace(origin, encoding="utf-16")
    try:
        source = read_text(io.BytesIO(data), origin.encoding, origin.name)
    except LookupError:
        message = "declares an unknown encoding"
        raise InputError(message, origin.name, NAME_ENCODING) from None
    original, source = source, written_out(source, origin.name)
    notes = () if source == original else (_NOTE,)
    _check(source, origin.name)
    places = FieldPlaces(fields)
    places.add(paths_of(source))
    fields = places.fields
    records = records_of(source, fields)
    if not records:
        yield replace(_XmlReader(source, places).document(origin), notes=notes)
        return
    frame, cuts, position = "", [], 0
    for start, end, _ in records:
        frame += source[position:start]
        cuts.append(len(frame))
        position = end
    head = _XmlReader(frame + source[position:], places).document(origin, HEAD)
    yield replace(head, container=Frame(tuple(cuts)), notes=notes)
    for number, (start, end, path) in enumerate(records):
        record = _XmlReader(source[start:end], places).document(origin, f"[{number}]", path)
        yield replace(record, container=FramedRecord(number, ""))


def write(source: SourceDocument, result: Result) -> bytes:
    """Return the file, or a record's part of it, sanitized."""
    if isinstance(source.container, Frame | FramedRecord):
        return source.container.write(source, result)
    return edited_source(source, result).encode(source.origin.encoding, "xmlcharrefreplace")


def _check(source: str, name: str) -> None:
    """Raise InputError for what is not well-formed, or declares more than can be searched in its place.

    Raises:
        InputError: naming the line.
    """
    parser = expat.ParserCreate("utf-8")
    depth = 0

    def refuse(*_: object) -> None:
        raise InputError(
            f"line {parser.CurrentLineNumber}: has a declaration that can't be written out; remove "
            "the doctype.",
            name,
        )

    def attribute(_element: str, _name: str, _type: str, value: str | None, _: bool) -> None:
        if value is not None:
            refuse()

    def begin(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            line = parser.CurrentLineNumber
            raise InputError(f"line {line}: more than {_DEEPEST} nested elements.", name)

    def end(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    parser.AttlistDeclHandler = attribute
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    try:
        parser.Parse(source.removeprefix(BYTE_ORDER_MARK).encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(
            f"line {error.lineno}: is not XML ({reason}); correct the file.", name
        ) from None


@dataclass(slots=True)
class _OpenElement:
    """An element that is open.

    Attributes:
        path: of it.
        number: of it, from 1; the root's parent has 0.
        start: code point where its start tag begins.
        is_mixed: whether it, or one around it, has text and elements side by side.
        dropped: whether it goes as a whole.
        names: other names of its value by definitions.
        type: of its value by definitions; empty if unknown.
        owner: number of the element around it.
        is_page: whether it is a page of HTML.
    """

    path: tuple[str, ...]
    number: int
    start: int
    is_mixed: bool = False
    dropped: bool = False
    names: tuple[str, ...] = ()
    type: str = ""
    owner: int = 0
    is_page: bool = False

    @property
    def inside(self) -> tuple[str, ...]:
        """Path of what is within; for what has a value, that of JSON's second member: ``_birthDate``."""
        if self.type != _VALUED:
            return self.path
        return (*self.path[:-1], f"_{self.path[-1]}")


@dataclass(slots=True)
class _XmlReader:
    """One pass over well-formed source."""

    source: str
    places: FieldPlaces
    fields: Fields = field(init=False)
    parts: RecordBuilder = field(init=False)
    unlisted: dict[str, None] = field(default_factory=dict)
    values: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    mixed: Container[int] = ()
    stack: list[_OpenElement] = field(default_factory=list)
    count: int = 0
    is_joined: bool = False
    """Whether the next text belongs to the one before."""
    is_part: bool = False
    """Whether other documents have parts of the same file."""
    prefixes: dict[str, str] = field(default_factory=dict)
    """Other prefixes of namespaces, each unlike all others."""
    waiting: list[Callable[[], None]] = field(default_factory=list)
    """Additions of attributes, which are read behind the text that they are in the midst of."""

    def document(
        self, origin: Origin, place: str = "", path: tuple[str, ...] = ()
    ) -> SourceDocument:
        """Return the document of the file.

        Args:
            origin: the file.
            place: in it.
            path: of what is around it.

        Raises:
            InputError: if the root element is dropped.
        """
        self.fields = self.places.fields
        self.is_part = bool(place)
        self.parts = RecordBuilder(self.source, self.fields)
        self.mixed = mixed_elements(self.source)
        if self.fields.policy.definitions:
            self.values = values_of(self.source)
        self.stack = [_OpenElement(path, 0, 0)]
        for token in TOKEN.finditer(self.source):
            inside = self.stack[-1]
            if token.lastgroup == "start":
                self._start(token, inside, origin.name)
            elif token.lastgroup == "end":
                self._end(token, inside, origin.name)
            elif not inside.dropped and not inside.is_page:
                self._content(token, inside)
        refusal = self.places.refusal(self.unlisted)
        return self.parts.document(origin.name + place, origin, place=place, refusal=refusal)

    def _start(self, token: re.Match[str], inside: _OpenElement, name: str) -> None:
        self.count += 1
        opening = TAG_NAME.match(token[0])
        assert opening is not None
        element = self._element(local(opening[1]), self.count, token.start(), inside)
        dropped = element.dropped
        if dropped and not inside.path:
            raise InputError("the root element can't be dropped.", name)
        element.is_mixed = inside.is_mixed or self.count in self.mixed
        if not dropped and not element.is_page:
            self._keep_name(token.start() + 1, opening[1])
            self._attributes(token[0], token.start(), opening.end(), element)
        if not token[0].endswith("/>"):
            self.stack.append(element)
        elif dropped and not inside.dropped:
            self.parts.edit((*token.span(), ""))
        elif element.is_page and not inside.is_page:
            self._page(*token.span(), name)
        self._settle(inside)

    def _end(self, token: re.Match[str], inside: _OpenElement, name: str) -> None:
        end = token.end()
        self.stack.pop()
        outer = self.stack[-1]
        if inside.dropped and not outer.dropped:
            self.parts.edit((inside.start, end, ""))
        if inside.is_page and not outer.is_page and not inside.dropped:
            self._page(inside.start, end, name)
        elif not inside.dropped and not inside.is_page:
            self._keep_name(token.start() + 2, token[0][2:-1].rstrip())
        self._settle(outer)

    def _settle(self, inside: _OpenElement) -> None:
        """End the text that is read as one, unless the element around it has more of it."""
        if not inside.is_mixed:
            self.is_joined = False
            for add in self.waiting:
                add()
            self.waiting.clear()

    def _keep_name(self, start: int, name: str, owner: int = 0) -> None:
        """Take the name of an element or attribute, which gets another if it names somebody."""
        end = start + len(name)
        prefix, _, value = name.rpartition(":")
        kept = Kept(end - len(value), end, value, _another_name, object=owner, is_code=True)
        self.parts.keep(kept)
        self._keep_prefix(start, prefix)

    def _keep_prefix(self, start: int, prefix: str) -> None:
        """Take a prefix, which gets another if it names somebody, the same throughout a file that is one document."""
        if prefix and prefix != "xml" and not self.is_part:
            if prefix not in self.prefixes:
                numbers = count(len(self.prefixes) + 1)
                names = (f"masked{number}" for number in numbers)
                self.prefixes[prefix] = next(name for name in names if name not in self.source)
            encode = partial(_another_prefix, self.prefixes[prefix])
            self.parts.keep(Kept(start, start + len(prefix), prefix, encode, is_code=True))

    def _content(self, token: re.Match[str], inside: _OpenElement) -> None:
        """Take what stands between two tags."""
        kind, start, end = token.lastgroup, token.start(), token.end()
        if kind == "comment":
            self._aside(inside, start + 4, end - 3, _comment)
        elif kind == "instruction" and not token[0].startswith("<?xml "):
            # Its name must stay a name.
            opening = _INSTRUCTION_NAME.match(token[0])
            begin = end - 2 if opening is None else start + opening.end()
            if begin < end - 2:
                self._aside(inside, begin, end - 2, _instruction)
        elif kind == "doctype":
            for part in DOCTYPE_PART.finditer(self.source, start, end):
                self._content(part, inside)
        elif kind == "quoted":
            self.parts.keep(Kept(start + 1, end - 1, token[0][1:-1], plain))
        elif kind == "name":
            self._keep_name(start, token[0])
        elif kind in ("text", "cdata") and inside.path:
            is_text = kind == "text"
            if is_text and not token[0].strip() and not inside.is_mixed:
                return
            span, encode = ((start, end), _text) if is_text else ((start + 9, end - 3), _cdata)
            rule, owner = self.fields.rule(inside.path), self.stack[-2].number
            self._add(inside.path, rule, *span, encode, owner, self.is_joined)
            self.is_joined = True

    def _aside(
        self, inside: _OpenElement, start: int, end: int, encode: Callable[[str], str]
    ) -> None:
        path = (*inside.path, COMMENT)
        self._add(path, self.fields.rule(path), start, end, encode, inside.number, False)
        self.is_joined = False

    def _element(self, name: str, number: int, start: int, outer: _OpenElement) -> _OpenElement:
        """Return an element that begins, with its type."""
        element = _OpenElement((*outer.inside, name), number, start, owner=outer.number)
        if self.fields.policy.definitions:
            table = definitions()
            is_resource = not outer.path or outer.type == "Resource"
            if is_resource and table.is_resource(name):
                element.path, element.type = (name,), name
            elif outer.type:
                content = self.values.get(outer.number, {})
                element.names, element.type = table.names(outer.type, name, content)
            content = self.values.get(number, {})
            self.parts.person = self.parts.person or patient(element.type, element.path, content)
        rule = self.fields.rule(element.path, *element.names)
        is_page = rule is not None and rule.treatment is Treatment.TEXT and rule.holds == "html"
        element.is_page = outer.is_page or is_page
        element.dropped = outer.dropped or self._is_dropped(element.path, rule)
        if element.type and element.type not in definitions().types:
            element.type = _VALUED
        return element

    def _page(self, start: int, end: int, name: str) -> None:
        """Take the source of a page of HTML."""
        page = self.source[start:end]
        if _NOT_OF_PAGES.search(page):
            # A reader of HTML would see other text in it than one of XML.
            line = self.source.count("\n", 0, start) + 1
            message = (
                f"line {line}: a narrative has a CDATA section, a script or a form; remove it."
            )
            raise InputError(message, name)
        self.parts.embed(*placed_page(page, HeldSource(tuple(range(start, end + 1)))))

    def _attributes(self, tag: str, start: int, position: int, element: _OpenElement) -> None:
        for match in ATTRIBUTE.finditer(tag, position):
            name = match[2]
            group = 3 if match[3] is not None else 4
            begin, end = start + match.start(group), start + match.end(group)
            if name == "xmlns" or name.startswith("xmlns:"):
                self.parts.keep(Kept(begin, end, value_of(match[group]), _quoted))
                self._keep_prefix(start + match.end(2) - len(name[6:]), name[6:])
                continue
            if element.type and name == _LOCATION:
                self.parts.keep(Kept(begin, end, value_of(match[group]), _quoted))
                continue
            path, names, owner = self._attribute(local(name), element)
            rule = self.fields.rule(path, *names)
            if self._is_dropped(path, rule):
                self.parts.edit((start + match.start(), start + match.end(), ""))
                continue
            self._keep_name(start + match.start(2), name, element.number)
            if match[group]:
                add = partial(self._add, path, rule, begin, end, _quoted, owner, False)
                self.waiting.append(add)

    def _attribute(
        self, name: str, element: _OpenElement
    ) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Return path and other names of an attribute, and whose part it is."""
        if element.type and name == "value":
            return element.path, element.names, element.owner
        if element.type and name in ("id", "url"):
            names, _ = definitions().names(element.type, name, {})
            return (*element.inside, name), names, element.number
        return (*element.path, f"@{name}"), (), element.number

    def _add(
        self,
        path: tuple[str, ...],
        rule: FieldRule | None,
        start: int,
        end: int,
        encode: Callable[[str], str],
        owner: int,
        joined: bool,
    ) -> None:
        if path[-1] == COMMENT and (rule is None or rule.treatment is not Treatment.KEEP):
            rule = TEXT  # A comment is not the value of its element.
        if rule is None:
            self.unlisted[".".join(path)] = None
            return
        raw = self.source[start:end]
        value = raw if encode in (_cdata, _comment, _instruction) else value_of(raw)
        leaf = Leaf(path, value, start, end, partial(_legal, encode), owner, joined=joined)
        self.parts.add(leaf, rule)

    def _is_dropped(self, path: tuple[str, ...], rule: FieldRule | None) -> bool:
        is_drop = rule is not None and rule.treatment is Treatment.DROP
        return is_drop and not self.fields.within(path)


def _legal(encode: Callable[[str], str], text: str) -> str:
    return encode(_ILLEGAL.sub("\ufffd", text))


def _text(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    )


def _quoted(text: str) -> str:
    text = _text(text).replace('"', "&quot;").replace("'", "&apos;")
    return text.replace("\n", "&#10;").replace("\t", "&#9;")


def _cdata(text: str) -> str:
    return text.replace("]]>", "]]]]><![CDATA[>")


def _another_name(text: str) -> str:
    return text.replace(STRUCK, "masked")


def _another_prefix(prefix: str, _text: str) -> str:
    return prefix


def _instruction(text: str) -> str:
    return text.replace("?>", "? >")


def _comment(text: str) -> str:
    return re.sub(r"-(?=-|\Z)", "- ", text)
