"""Pictures, comments and hidden text in XML archives: .docx, .pptx and .odt, read with their package readers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from posixpath import dirname, join, normpath

from ..docx.package import Element, R, W, archive_of, local_name, parse, read_entries, remove, write
from ..pictures import blank_picture
from . import BesidePart, PartDecision, PartKind, PartTreatment, key_of
from .pictures import picture_part, treated_picture

_SUBJECT = "the document"
_MEDIA = re.compile(r"(?:(?:word|ppt)/media|Pictures)/[^/]+\.(?:png|jpe?g)")
_XML = re.compile(r"(?:word|ppt)/.+\.xml|(?:content|styles)\.xml")
_CHANGE = re.compile(rb"<(?:w:(?:ins|del|moveFrom|moveTo)|text:changed-region)[ >]")
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_FRAMES = ("drawing", "pict", "object", "frame")
_INNER_FRAME = "pic"
_COMMENTS = (f"{W}comment", f"{_P}cm", f"{_OFFICE}annotation")
_ANCHORS = (f"{W}commentRangeStart", f"{W}commentRangeEnd", f"{W}commentReference")

_Change = tuple[BesidePart, Callable[[PartTreatment], None]]
"""A part, and a function that changes it in its tree."""


def tracked_changes(original: bytes) -> int:
    """Return the number of tracked changes in an original."""
    entries = read_entries(io.BytesIO(original), _SUBJECT)
    return sum(len(_CHANGE.findall(data)) for name, data in entries.items() if _XML.fullmatch(name))


def changed(
    content: bytes, decisions: Mapping[str, PartDecision]
) -> tuple[bytes, list[BesidePart]]:
    """Return an archive with its other parts as decided, and these parts."""
    entries = read_entries(io.BytesIO(content), _SUBJECT)
    parts: list[BesidePart] = []
    removed: set[str] = set()
    written: dict[str, bytes] = {}
    for name, data in entries.items():
        if _MEDIA.fullmatch(name) and data != blank_picture():
            part = picture_part(data, f"picture {len(parts) + 1}")
            parts.append(part)
            picture = treated_picture(part, decisions.get(part.key))
            if picture is None:
                removed.add(name)
            written[name] = blank_picture() if picture is None else picture
    trees = {
        name: parse(data, name, _SUBJECT) for name, data in entries.items() if _XML.fullmatch(name)
    }
    relations = _relations(entries)
    gone: set[str] = set()
    for name, root in trees.items():
        _remove_pictures(root, removed, relations.get(name, {}))
        for part, apply in (*_comments(root, gone), *_hidden(root)):
            parts.append(part)
            decision = decisions.get(part.key)
            if decision is not None and decision.treatment is not PartTreatment.KEEP:
                apply(decision.treatment)
    if not decisions:
        return content, parts
    for name, root in trees.items():
        for anchor in [item for item in root.iter(*_ANCHORS) if item.get(f"{W}id") in gone]:
            remove(anchor)
        written[name] = write(root)
    return archive_of(entries | written), parts


def _relations(entries: Mapping[str, bytes]) -> dict[str, dict[str, str]]:
    """Return for each part the parts that its relationships lead to."""
    relations: dict[str, dict[str, str]] = {}
    for name, data in entries.items():
        folder, _, last = name.rpartition("_rels/")
        if not last.endswith(".rels") or not folder:
            continue
        part = folder + last.removesuffix(".rels")
        relations[part] = {
            item.get("Id", ""): normpath(join(dirname(part), item.get("Target", ""))).lstrip("/")
            for item in parse(data, name, _SUBJECT)
        }
    return relations


def _remove_pictures(root: Element, removed: set[str], relations: Mapping[str, str]) -> None:
    """Remove the frames of removed pictures from a part."""
    if not removed:
        return
    for element in list(root.iter()):
        values = [value for key, value in element.attrib.items() if key.startswith(R)]
        targets = {relations.get(value, "") for value in values} | {element.get(_XLINK, "")}
        if not targets & removed:
            continue
        around = list(element.iterancestors())
        frames = [each for each in around if local_name(each) in _FRAMES]
        frames += [each for each in around if local_name(each) == _INNER_FRAME]
        remove(frames[0] if frames else element)


def _comments(root: Element, gone: set[str]) -> Iterator[_Change]:
    for number, element in enumerate(list(root.iter(*_COMMENTS)), start=1):

        def apply(treatment: PartTreatment, element: Element = element) -> None:
            if treatment is PartTreatment.BLANK:
                _empty(element)
                return
            gone.add(element.get(f"{W}id", ""))
            remove(element)

        text = _text(element)
        key = _numbered_key(b"comment", number, text)
        yield BesidePart(key, PartKind.COMMENT, f"comment {number}", text), apply


def _hidden(root: Element) -> Iterator[_Change]:
    """Yield the hidden text in a part of a .docx, paragraph by paragraph."""
    for number, paragraph in enumerate(root.iter(f"{W}p"), start=1):
        runs = [
            run
            for run in paragraph.iter(f"{W}r")
            if (mark := run.find(f"{W}rPr/{W}vanish")) is not None
            and mark.get(f"{W}val", "1") not in ("0", "false", "off")
        ]
        text = _text(*runs)
        if not text:
            continue

        def apply(treatment: PartTreatment, runs: list[Element] = runs) -> None:
            for run in runs:
                _empty(run) if treatment is PartTreatment.BLANK else remove(run)

        key = _numbered_key(b"hidden", number, text)
        yield BesidePart(key, PartKind.HIDDEN, f"paragraph {number}", text), apply


def _text(*elements: Element) -> str:
    return " ".join("".join("".join(each.itertext()) for each in elements).split())


def _numbered_key(kind: bytes, number: int, text: str) -> str:
    return key_of(kind, str(number).encode(), text.encode("utf-8", "surrogatepass"))


def _empty(element: Element) -> None:
    for each in element.iter():
        each.text = each.tail = None
