"""The strings in an XML file: names, values, texts, comments and instructions, read with ``expat`` and ``ElementTree``."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.parsers import expat

from ...errors import AS_TEXT, InputError
from ...text.decoding import BYTE_ORDER_MARK
from ..framed import CUT
from ..xml_tokens import local
from . import Kind, Passage


def strings(text: str) -> list[Passage]:
    """Return names, values, texts, comments and instructions, found by a different reader.

    Raises:
        InputError: if the output isn't XML.
    """
    builder = ElementTree.TreeBuilder(insert_comments=True, insert_pis=True)
    surroundings: list[Passage] = []

    def add(*strings: str | None, kind: Kind = Kind.VALUE) -> None:
        place = f"line {parser.CurrentLineNumber}"
        surroundings.extend(Passage(item, place, kind) for item in strings if item)

    def comment(text: str) -> None:
        add(text)
        builder.comment(text)

    def instruction(target: str, text: str) -> None:
        add(target, text)
        builder.pi(target, text)

    def doctype(name: str, system: str | None, public: str | None, _has_subset: int) -> None:
        add(name, kind=Kind.CODE)
        add(system, public)

    def declared(name: str, model: object) -> None:
        add(name, *_names(model), kind=Kind.CODE)

    def attribute(element: str, name: str, type: str, value: str | None, _required: int) -> None:
        add(element, name, type, kind=Kind.CODE)
        add(value)

    # A record's namespaces may be declared around it, so prefixes are read as written.
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data
    parser.CommentHandler, parser.ProcessingInstructionHandler = comment, instruction
    parser.StartDoctypeDeclHandler, parser.ElementDeclHandler = doctype, declared
    parser.AttlistDeclHandler, parser.NotationDeclHandler = attribute, add
    text = text.replace(CUT, "").removeprefix(BYTE_ORDER_MARK)
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
        root = builder.close()
    except (expat.ExpatError, AssertionError):
        raise InputError("would not be valid XML", remedy=AS_TEXT) from None
    return [*_strings(root), *surroundings]


def _names(model: object) -> Iterator[str]:
    """Yield the names in the content model of an element, as ``expat`` has it."""
    for item in model if isinstance(model, tuple) else ():
        if isinstance(item, str):
            yield item
        yield from _names(item)


def _strings(root: ElementTree.Element) -> Iterator[Passage]:
    for number, element in enumerate(root.iter(), 1):
        is_element = isinstance(element.tag, str)
        if is_element:
            yield Passage(local(element.tag), f"name of element {number}", Kind.CODE)
        for name, value in element.attrib.items():
            yield Passage(local(name), f"attribute of element {number}", Kind.CODE)
            yield Passage(value, f"attribute of element {number}")
        for text in (element.text if is_element else None, element.tail):
            if text and text.strip():
                yield Passage(text, f"element {number}")
        if len(element) and any((text or "").strip() for text in _own(element)):
            yield Passage("".join(element.itertext()), f"element {number}", Kind.TEXT)


def _own(element: ElementTree.Element) -> Iterator[str | None]:
    """Yield the text of an element that isn't in another element."""
    yield element.text
    yield from (child.tail for child in element)
