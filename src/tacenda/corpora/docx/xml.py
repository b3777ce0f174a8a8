"""XML parts: parsed without entities, without a network and without what only machines see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import InputError, MissingExtraError

try:
    from lxml import etree
except ImportError as error:
    raise MissingExtraError("reading and writing .docx", "documents") from error

Element = Any
"""An element of lxml, which has no types of its own."""

COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PREFIX_LISTS = (f"{COMPATIBILITY}Ignorable", f"{COMPATIBILITY}MustUnderstand")
_DOCTYPES = tuple("<!DOCTYPE".encode(codec) for codec in ("utf-8", "utf-16-le", "utf-16-be"))


def parse(data: bytes, place: str, name: str) -> Element:
    """Return the root element of a part; comments and processing instructions are gone.

    Args:
        data: the part.
        place: its name in the archive, for errors.
        name: of the document, for errors.

    Raises:
        InputError: if it is not well-formed or declares a document type (entities, XXE).
    """
    if any(mark in data for mark in _DOCTYPES):
        raise _doctype(place, name)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        position = getattr(error, "position", (0, 0))
        raise InputError(
            f"{place}: not well-formed XML at line {position[0]}; open the document in a word "
            "processor and save it anew.",
            name,
        ) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _doctype(place, name)
    return root


def write(root: Element) -> bytes:
    """Return an element as a part."""
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return data


def drop_unknown(root: Element, known: tuple[str, ...]) -> None:
    """Remove elements, attributes and declarations of other namespaces than the known ones.

    Word ignores them or refuses the document; nobody reads them.

    Args:
        root: of a part.
        known: how the names of known namespaces begin, in braces.
    """
    for element in list(root.iter()):
        if not element.tag.startswith(known):
            remove(element)
            continue
        for key in list(element.attrib):
            if key.startswith("{") and not key.startswith(known):
                del element.attrib[key]
        prefixes = {
            prefix
            for prefix, uri in element.nsmap.items()
            if prefix and f"{{{uri}".startswith(known)
        }
        for key in _PREFIX_LISTS:
            if key in element.attrib:
                kept = [prefix for prefix in element.get(key).split() if prefix in prefixes]
                element.set(key, " ".join(kept))
    kept_prefixes = [
        prefix for prefix, uri in root.nsmap.items() if prefix and f"{{{uri}".startswith(known)
    ]
    etree.cleanup_namespaces(root, keep_ns_prefixes=kept_prefixes)


def renewed_prefixes(
    root: Element, prefix_tells: Callable[[str], bool], uri_tells: Callable[[str], bool]
) -> Element:
    """Return a tree in which no prefix of a namespace tells, and none that is not used does.

    Args:
        root: of a part.
        prefix_tells: whether a prefix must not be left.
        uri_tells: whether a namespace must not be left.
    """
    declared = {
        (prefix, uri) for element in root.iter() for prefix, uri in element.nsmap.items() if prefix
    }
    if not any(prefix_tells(prefix) or uri_tells(uri) for prefix, uri in declared):
        return root
    uris = {uri for _, uri in declared if not uri_tells(uri)}
    prefixes = {uri: f"ns{number}" for number, uri in enumerate(sorted(uris), 1)}
    names: dict[str, str] = {}
    for prefix, uri in sorted(declared):
        if uri in prefixes:
            names[prefix] = prefixes[uri]
    new = etree.Element(root.tag, dict(root.attrib), {name: uri for uri, name in prefixes.items()})
    new.text = root.text
    new.extend(list(root))
    for element in new.iter():
        for key in _PREFIX_LISTS:
            if key in element.attrib:
                kept = [names[name] for name in element.get(key).split() if name in names]
                element.set(key, " ".join(kept))
        if element.tag == f"{COMPATIBILITY}Choice" and "Requires" in element.attrib:
            required = element.get("Requires").split()
            element.set("Requires", " ".join(names.get(name, "ns0") for name in required))
    used = [
        name
        for element in new.iter()
        for key in _PREFIX_LISTS
        if key in element.attrib
        for name in element.get(key).split()
    ]
    etree.cleanup_namespaces(new, keep_ns_prefixes=used)
    return new


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def remove(element: Element) -> None:
    """Take an element out of its tree; what follows it stays."""
    parent = element.getparent()
    if parent is None:
        return
    _keep_tail(element, parent)
    parent.remove(element)


def unwrap(element: Element) -> None:
    """Put the children of an element in its place."""
    for child in list(element):
        element.addprevious(child)
    remove(element)


def _keep_tail(element: Element, parent: Element) -> None:
    if not (element.tail or "").strip():
        return
    previous = element.getprevious()
    if previous is None:
        parent.text = (parent.text or "") + element.tail
    else:
        previous.tail = (previous.tail or "") + element.tail


def _doctype(place: str, name: str) -> InputError:
    return InputError(
        f"{place}: declares a document type, which no .docx does; open it and save it anew.", name
    )
