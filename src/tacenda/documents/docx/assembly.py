"""From the entries of an archive to the parts to keep, following relationships from the root.

A part is named after the type of its relationship (``word/header1.xml``), since part names may
reveal as much as file names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from ...errors import InputError
from ..pictures import blank_picture, kept_picture
from .cleaning import Cleaning
from .package import (
    CONTENT_TYPES,
    HYPERLINK,
    IMAGE,
    OFFICE,
    PROPERTIES_TYPE,
    RELATIONSHIPS,
    STRICT_NAMESPACES,
    UNREADABLE,
    Element,
    PackagePart,
    R,
    Relationship,
    core_properties,
    parse,
    remove,
    write,
)

_MAIN_TYPE = f"{R[1:-1]}/officeDocument"
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|tel|sms):|#", re.IGNORECASE)
_NOWHERE = "about:blank"
_ORDINARY_ID = re.compile(r"rId\d{1,6}")
_KNOWN_TYPES = re.compile(
    r"http://schemas\.(?:openxmlformats\.org/officeDocument/2006|microsoft\.com/office/20\d\d(?:/\d\d)?)"
    r"/relationships/\w+"
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vocabulary of one kind of Office Open XML.

    Attributes:
        extension: extension of its files.
        folder: folder of the parts in the archive.
        main: name of the main part.
        content_type: content type of the main part.
        kept: relationship types whose parts are kept, and what the parts are called.
        cleaning: removes what must not be readable.
        objects: relationship types for what is shown but not read, to be mentioned.
    """

    extension: str
    folder: str
    main: str
    content_type: str
    kept: Mapping[str, str]
    cleaning: type[Cleaning]
    objects: frozenset[str] = frozenset()


WORD = Vocabulary(
    ".docx",
    "word",
    "document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    OFFICE["parts"] | OFFICE["parts_of_documents"],
    Cleaning,
)


@dataclass(frozen=True, slots=True)
class Assembled:
    """The content of a document that is kept.

    Attributes:
        parts: the main part first, the properties last.
        roots: relationships of the archive itself.
        pictures: number of pictures kept although they may show text.
        blanked: number of pictures replaced by a blank one.
        removed: number of embedded objects, sounds and videos left out.
    """

    parts: tuple[PackagePart, ...]
    roots: tuple[Relationship, ...]
    pictures: int
    blanked: int
    removed: int


@dataclass(slots=True)
class _Found:
    name: str
    content_type: str
    root: Element | None
    data: bytes
    relationships: list[Relationship]


def assemble(entries: dict[str, bytes], name: str, words: Vocabulary, *, keeps: bool) -> Assembled:
    """Return a document's cleaned parts, including pictures that may show text if they are to be kept.

    Raises:
        InputError: if it is of another kind, has macros, or contains unreadable text.
    """
    return _Assembly(entries, name, words, keeps).run()


class _Assembly:
    def __init__(
        self, entries: dict[str, bytes], name: str, words: Vocabulary, keeps: bool
    ) -> None:
        self.name = name
        self.keeps = keeps
        self.words = words
        self.entries = {key.lower(): data for key, data in entries.items()}
        self.types = self._read_content_types()
        self.found: dict[str, _Found] = {}
        self.counts: dict[str, int] = {}
        self.blank = ""
        self.blanked = 0
        self.removed = 0

    def run(self) -> Assembled:
        roots = self._read_relationships("")
        main = next((item for item in roots if item[2].endswith("/officeDocument")), None)
        if main is None or _key("", main[1]) not in self.entries:
            raise InputError(
                f"is not a valid {self.words.extension} file: it has no main document part; open it and save it as "
                f"{self.words.extension}.",
                self.name,
            )
        content_type = self._content_type(_key("", main[1]))
        if "macroEnabled" in content_type:
            extension = self.words.extension
            raise InputError(
                f"has macros ({extension[:-1]}m); save it as {extension}, without them.", self.name
            )
        if content_type != self.words.content_type:
            raise InputError(
                f"is not a valid {self.words.extension} file: its main part is {content_type[:100]!r}; open it in an "
                f"office program and save it as {self.words.extension}.",
                self.name,
            )
        name = f"{self.words.folder}/{self.words.main}.xml"
        self._follow(_key("", main[1]), name, content_type)
        cleaning = self.words.cleaning()
        trees = [item.root for item in self.found.values() if item.root is not None]
        for root in trees:
            cleaning.collect(root)
        for root in trees:
            cleaning.clean(root)
        parts = [_part(item, cleaning) for item in self.found.values()]
        pictures = self.counts.get("picture", 0) if self.keeps else 0
        if self.blank:
            parts.append(PackagePart(self.blank, "", blank_picture(), is_xml=False))
        ties = [Relationship("rId1", _MAIN_TYPE, name)]
        core = next((item for item in roots if item[2].endswith("/core-properties")), None)
        data = self.entries.get(_key("", core[1])) if core else None
        properties = core_properties(data, self.name) if data else None
        if properties is not None:
            parts.append(properties)
            ties.append(Relationship("rId2", PROPERTIES_TYPE, properties.name))
        return Assembled(tuple(parts), tuple(ties), pictures, self.blanked, self.removed)

    def _follow(self, key: str, name: str, content_type: str) -> None:
        """Collect a part and all parts reachable from it."""
        data = self.entries[key]
        root = None
        if name.endswith(".xml"):
            if STRICT_NAMESPACES in data[:10_000]:
                raise InputError(
                    f'is "Strict Open XML"; save it as an ordinary {self.words.extension}.',
                    self.name,
                )
            root = parse(data, key, self.name)
        item = _Found(name, content_type, root, data, [])
        self.found[key] = item
        names: dict[str, str] = {}  # of relationships; empty for dropped ones
        for id, target, type, external in self._read_relationships(key):
            new = id if _ORDINARY_ID.fullmatch(id) else f"rIdx{len(names) + 1}"
            tie = self._tie(key, new, target, type, external)
            names[id] = "" if tie is None else new
            if tie is not None:
                item.relationships.append(tie)
        if root is not None:
            _rename_references(root, names)

    def _tie(
        self, source: str, id: str, target: str, type: str, external: bool
    ) -> Relationship | None:
        """Return the new form of a relationship; None if it is dropped."""
        kind = type.rpartition("/")[2]
        if kind in UNREADABLE:
            raise InputError(
                "holds another document inside (altChunk or subdocument), which can't be read; open "
                "it in a word processor and re-save it.",
                self.name,
            )
        if kind in (HYPERLINK, IMAGE):
            type = f"{R[1:-1]}/{kind}"
        if kind == HYPERLINK:
            address = target if _ADDRESS.match(target) else _NOWHERE
            return Relationship(id, type, address, external=True)
        key = _key(source, target)
        if kind == IMAGE:
            return Relationship(id, type, self._picture("" if external else key))
        is_known = kind in self.words.kept and _KNOWN_TYPES.fullmatch(type)
        if external or not is_known or key not in self.entries:
            is_of_chart = self.found[source].name.startswith(f"{self.words.folder}/chart")
            self.removed += kind in self.words.objects and not is_of_chart
            return None
        if key not in self.found:
            name = f"{self.words.folder}/{self._numbered(self.words.kept[kind])}.xml"
            self._follow(key, name, self._content_type(key))
        return Relationship(id, type, self.found[key].name)

    def _picture(self, key: str) -> str:
        """Return the name of a picture's part; that of the blank picture if it can't be kept."""
        if key in self.found:
            return self.found[key].name
        stripped = kept_picture(self.entries.get(key, b""), keeps=self.keeps)
        if stripped is None:
            self.blanked += 1
            self.blank = f"{self.words.folder}/media/blank.png"
            return self.blank
        data, extension = stripped
        name = f"{self.words.folder}/media/{self._numbered('picture')}.{extension}"
        self.found[key] = _Found(name, "", None, data, [])
        return name

    def _numbered(self, kind: str) -> str:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        single = kind in ("styles", "settings", "fontTable", "numbering", "comments", "footnotes")
        return kind if single and self.counts[kind] == 1 else f"{kind}{self.counts[kind]}"

    def _read_relationships(self, key: str) -> list[tuple[str, str, str, bool]]:
        folder, _, name = key.rpartition("/")
        place = posixpath.join(folder, "_rels", f"{name}.rels")
        data = self.entries.get(place)
        if data is None:
            return []
        return [
            (
                item.get("Id", ""),
                item.get("Target", ""),
                item.get("Type", ""),
                item.get("TargetMode") == "External",
            )
            for item in parse(data, place, self.name).iter(f"{{{RELATIONSHIPS}}}Relationship")
        ]

    def _content_type(self, key: str) -> str:
        return self.types.get("/" + key) or self.types.get(key.rpartition(".")[2], "")

    def _read_content_types(self) -> dict[str, str]:
        """Return the media types of parts that have their own, and of extensions."""
        place = "[content_types].xml"
        if place not in self.entries:
            raise InputError(
                f"is a ZIP archive, but not a {self.words.extension} file: it has no list of content types; check "
                "the file.",
                self.name,
            )
        root = parse(self.entries[place], place, self.name)
        types = {
            item.get("Extension", "").lower(): item.get("ContentType", "")
            for item in root.iter(f"{{{CONTENT_TYPES}}}Default")
        }
        for item in root.iter(f"{{{CONTENT_TYPES}}}Override"):
            types[item.get("PartName", "").lower()] = item.get("ContentType", "")
        return types


def _key(source: str, target: str) -> str:
    """Return the entry that a relationship of the part ``source`` points to."""
    path = posixpath.normpath(posixpath.join("/", posixpath.dirname(source), unquote(target)))
    return path.lstrip("/").lower()


def _rename_references(root: Element, names: dict[str, str]) -> None:
    """Rename relationships; remove references to dropped ones."""
    for element in list(root.iter()):
        for key, value in element.attrib.items():
            if value not in names or not (key.startswith(R) or key.lower().endswith("relid")):
                continue
            if not names[value]:
                remove(element)
                break
            element.set(key, names[value])


def _part(item: _Found, cleaning: Cleaning) -> PackagePart:
    ties = tuple(
        replace(tie, target=cleaning.renamed(tie.target)) if tie.external else tie
        for tie in item.relationships
    )
    data = item.data if item.root is None else write(item.root)
    return PackagePart(item.name, item.content_type, data, item.root is not None, ties)
