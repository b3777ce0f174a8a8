"""What a file holds beside its text: pictures, comments and hidden text; kept, blanked or removed.

    bytes ─ parts_of ─▶ parts, each with a key ─ people decide ─▶ treatments ─ treated ─▶ bytes

Looked for in what would leave, not in what came: metadata, changes and foreign objects are gone there
already. A key is a digest of the content, so that a part that changes is undecided again.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, MissingExtraError
from .ocr.tesseract import settings
from .pictures import blank_picture, kept_picture, strip_picture

if TYPE_CHECKING:
    from PIL import Image

ARCHIVES = ("docx", "pptx", "odt")
FORMATS = (*ARCHIVES, "pdf", "png", "jpeg")
"""Formats that are looked into; none of the others lets a picture or a comment through."""
_PICTURE_FILES = ("png", "jpeg")
_MOST_DOTS = 100_000_000
_KEY = 32


class PartKind(StrEnum):
    """Kinds of parts beside the text."""

    PICTURE = "picture"
    COMMENT = "comment"
    HIDDEN = "hidden text"
    CHANGES = "tracked changes"


class Treatment(StrEnum):
    """What becomes of a part."""

    KEEP = "keep"
    BLANK = "blank"
    REMOVE = "remove"


class Box(NamedTuple):
    """A rectangle of a picture, in ten-thousandths of its width and height; painted black."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Box:
        """The box of four numbers.

        Raises:
            InputError: if they are none.
        """
        if len(numbers) != 4 or not all(isinstance(n, int) for n in numbers):
            raise InputError("a box is four whole numbers: left, top, right, bottom.")
        box = cls(*numbers)
        if not (0 <= box.left < box.right <= 10_000 and 0 <= box.top < box.bottom <= 10_000):
            raise InputError("a box lies in its picture, from 0 to 10000 to the right and down.")
        return box


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision on a part.

    Attributes:
        treatment: what becomes of it.
        boxes: of a picture that is kept, painted black.
    """

    treatment: Treatment
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class BesidePart:
    """A part of a file beside its text.

    Attributes:
        key: digest of its content.
        kind: see there.
        place: where it is, such as ``page 3``.
        text: of a comment or hidden text.
        content: of a picture, as PNG or JPEG.
        media_type: of the content.
        treatments: what can become of it.
    """

    key: str
    kind: PartKind
    place: str
    text: str = field(default="", repr=False)
    content: bytes = field(default=b"", repr=False)
    media_type: str = ""
    treatments: tuple[Treatment, ...] = tuple(Treatment)


def parts_of(content: bytes, format: str) -> tuple[BesidePart, ...]:
    """The parts of a sanitized file, each once; none of a format that lets none through.

    Raises:
        MissingExtraError: at a PDF without the extra ``documents``.
    """
    return tuple({part.key: part for part in _changed(content, format, {})[1]}.values())


def treated(content: bytes, format: str, decisions: Mapping[str, Decided]) -> bytes:
    """A sanitized file with its parts as decided; undecided ones stay, but for pictures that may show text.

    Raises:
        InputError: if a picture can't be painted.
        MissingExtraError: without the extra ``documents``, where it is needed.
    """
    if format in ARCHIVES and not settings().keeps_unread:
        pictures = [part for part in parts_of(content, format) if part.content]
        unread = [part for part in pictures if kept_picture(part.content, keeps=False) is None]
        decisions = {**{part.key: Decided(Treatment.BLANK) for part in unread}, **decisions}
    if not any(item != Decided(Treatment.KEEP) for item in decisions.values()):
        return content
    return _changed(content, format, decisions)[0]


_CHANGES = {
    "docx": re.compile(rb"<w:(ins|del|moveFrom|moveTo)[ >]"),
    "odt": re.compile(rb"<text:(changed-region)[ >]"),
}


def accepted_changes(original: bytes, format: str) -> BesidePart | None:
    """The tracked changes of an original, which are accepted when it is read; None without any."""
    if format not in _CHANGES:
        return None
    count = 0
    with zipfile.ZipFile(io.BytesIO(original)) as archive:
        for entry in archive.infolist():
            if _XML.fullmatch(entry.filename):
                count += len(_CHANGES[format].findall(archive.read(entry)))
    if not count:
        return None
    text = f"{count} tracked changes are accepted: what was deleted is gone, what was inserted is text."
    return BesidePart(
        _key(b"changes", hashlib.sha256(original).digest()),
        PartKind.CHANGES,
        "the document",
        text,
        treatments=(Treatment.KEEP,),
    )


def _changed(
    content: bytes, format: str, decisions: Mapping[str, Decided]
) -> tuple[bytes, list[BesidePart]]:
    if format in _PICTURE_FILES:
        return _picture_file(content, decisions)
    if format == "pdf":
        return _pdf(content, decisions)
    return _archive(content, decisions) if format in FORMATS else (content, [])


def _key(*pieces: bytes) -> str:
    running = hashlib.sha256()
    for piece in pieces:
        running.update(len(piece).to_bytes(8, "big") + piece)
    return running.hexdigest()[:_KEY]


def _picture(content: bytes, place: str) -> BesidePart:
    kind = "png" if content.startswith(b"\x89PNG") else "jpeg"
    return BesidePart(
        _key(content), PartKind.PICTURE, place, content=content, media_type=f"image/{kind}"
    )


def _picture_file(
    content: bytes, decisions: Mapping[str, Decided]
) -> tuple[bytes, list[BesidePart]]:
    part = _picture(content, "the file")
    return _treated_picture(part, decisions.get(part.key)) or blank_picture(), [part]


def _treated_picture(part: BesidePart, decided: Decided | None) -> bytes | None:
    """A picture as decided; None if it is removed."""
    if decided is None or decided == Decided(Treatment.KEEP):
        return part.content
    if decided.treatment is Treatment.REMOVE:
        return None
    image = _opened(part.content)
    everything = (Box(0, 0, 10_000, 10_000),)
    blank = decided.treatment is Treatment.BLANK
    painted = _painted(
        image, everything if blank else decided.boxes, "#e5e5e5" if blank else "black"
    )
    stream = io.BytesIO()
    if part.media_type == "image/png":
        painted.save(stream, "PNG")
    else:
        painted.save(stream, "JPEG", quality=92)
    stripped = strip_picture(stream.getvalue())
    return stream.getvalue() if stripped is None else stripped[0]


def _opened(content: bytes) -> Image.Image:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("painting a picture", "documents") from error
    try:
        image = Image.open(io.BytesIO(content), formats=("PNG", "JPEG"))
        if image.width * image.height > _MOST_DOTS:
            raise InputError("a picture is too large to be painted; blank or remove it elsewhere.")
        image.load()
    except (OSError, ValueError, SyntaxError) as error:
        message = f"a picture can't be painted ({type(error).__name__}); remove it."
        raise InputError(message) from None
    return image


def _painted(image: Image.Image, boxes: Sequence[Box], colour: str) -> Image.Image:
    """A picture with boxes over all its pixels inside them, at their edges too."""
    from PIL import ImageDraw

    painted = image.convert("L" if image.mode == "L" else "RGB")
    draw = ImageDraw.Draw(painted)
    for box in boxes:
        draw.rectangle(
            (
                box.left * image.width // 10_000,
                box.top * image.height // 10_000,
                -(-box.right * image.width // 10_000) - 1,
                -(-box.bottom * image.height // 10_000) - 1,
            ),
            fill=colour,
        )
    return painted


_MEDIA = re.compile(r"(?:(?:word|ppt)/media|Pictures)/[^/]+\.(?:png|jpe?g)")
_XML = re.compile(r"(?:word|ppt)/.+\.xml|(?:content|styles)\.xml")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_FRAMES = ("drawing", "pict", "object", "frame")
_INNER_FRAME = "pic"
_COMMENTS = (f"{_W}comment", f"{_P}cm", f"{_OFFICE}annotation")
_ANCHORS = {
    f"{_W}commentRangeStart", f"{_W}commentRangeEnd", f"{_W}commentReference",
}  # fmt: skip


def _archive(content: bytes, decisions: Mapping[str, Decided]) -> tuple[bytes, list[BesidePart]]:
    from lxml import etree

    found: list[BesidePart] = []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [(entry, archive.read(entry)) for entry in archive.infolist()]
    removed: set[str] = set()
    written: dict[str, bytes] = {}
    for entry, data in entries:
        if _MEDIA.fullmatch(entry.filename) and data != blank_picture():
            part = _picture(data, f"picture {len(found) + 1}")
            found.append(part)
            picture = _treated_picture(part, decisions.get(part.key))
            if picture is None:
                removed.add(entry.filename)
            written[entry.filename] = blank_picture() if picture is None else picture
    trees = {
        entry.filename: etree.fromstring(data, _parser())
        for entry, data in entries
        if _XML.fullmatch(entry.filename)
    }
    relations = _relations({entry.filename: data for entry, data in entries})
    gone: set[str] = set()
    for name, root in trees.items():
        _without_pictures(root, removed, relations.get(name, {}))
        for part, apply in (*_comments(root, gone), *_hidden(root)):
            found.append(part)
            decided = decisions.get(part.key)
            if decided is not None and decided.treatment is not Treatment.KEEP:
                apply(decided.treatment)
    for name, root in trees.items():
        for anchor in [item for item in root.iter(*_ANCHORS) if item.get(f"{_W}id") in gone]:
            _remove(anchor)
        written[name] = etree.tostring(
            root, xml_declaration=True, encoding="UTF-8", standalone=True
        )
    if not decisions:
        return content, found
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in entries:
            archive.writestr(entry, written.get(entry.filename, data))
    return stream.getvalue(), found


def _parser() -> Any:
    from lxml import etree

    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)


def _relations(entries: Mapping[str, bytes]) -> dict[str, dict[str, str]]:
    """For each part, the part that each of its relationships leads to."""
    from posixpath import dirname, join, normpath

    from lxml import etree

    found: dict[str, dict[str, str]] = {}
    for name, data in entries.items():
        folder, _, last = name.rpartition("_rels/")
        if not last.endswith(".rels") or not folder:
            continue
        part = folder + last.removesuffix(".rels")
        found[part] = {
            item.get("Id", ""): normpath(join(dirname(part), item.get("Target", ""))).lstrip("/")
            for item in etree.fromstring(data, _parser())
        }
    return found


def _without_pictures(root: Any, removed: set[str], relations: Mapping[str, str]) -> None:
    """Take the frames of removed pictures out of a part."""
    if not removed:
        return
    for element in list(root.iter()):
        values = [value for key, value in element.attrib.items() if key.startswith(_RELATION)]
        targets = {relations.get(value, "") for value in values} | {element.get(_XLINK, "")}
        if not targets & removed:
            continue
        around = list(element.iterancestors())
        frames = [each for each in around if _local(each) in _FRAMES]
        frames += [each for each in around if _local(each) == _INNER_FRAME]
        _remove(frames[0] if frames else element)


_Part = tuple[BesidePart, Callable[[Treatment], None]]


def _comments(root: Any, gone: set[str]) -> Iterator[_Part]:
    for number, element in enumerate(list(root.iter(*_COMMENTS)), start=1):
        text = " ".join("".join(element.itertext()).split())

        def apply(treatment: Treatment, element: Any = element) -> None:
            if treatment is Treatment.BLANK:
                _empty(element)
                return
            gone.add(element.get(f"{_W}id", ""))
            _remove(element)

        key = _key(b"comment", str(number).encode(), text.encode("utf-8", "surrogatepass"))
        yield BesidePart(key, PartKind.COMMENT, f"comment {number}", text), apply


def _hidden(root: Any) -> Iterator[_Part]:
    """Hidden text of a part of a .docx, paragraph by paragraph."""
    for number, paragraph in enumerate(root.iter(f"{_W}p"), start=1):
        runs = [
            run
            for run in paragraph.iter(f"{_W}r")
            if (mark := run.find(f"{_W}rPr/{_W}vanish")) is not None
            and mark.get(f"{_W}val", "1") not in ("0", "false", "off")
        ]
        text = " ".join("".join("".join(run.itertext()) for run in runs).split())
        if not text:
            continue

        def apply(treatment: Treatment, runs: list[Any] = runs) -> None:
            for run in runs:
                _empty(run) if treatment is Treatment.BLANK else _remove(run)

        key = _key(b"hidden", str(number).encode(), text.encode("utf-8", "surrogatepass"))
        yield BesidePart(key, PartKind.HIDDEN, f"paragraph {number}", text), apply


def _empty(element: Any) -> None:
    for each in element.iter():
        each.text = each.tail = None


def _remove(element: Any) -> None:
    """Take an element out of its tree; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _pdf(content: bytes, decisions: Mapping[str, Decided]) -> tuple[bytes, list[BesidePart]]:
    try:
        import pikepdf
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("reading a PDF", "documents") from error
    found: list[BesidePart] = []
    with pikepdf.open(io.BytesIO(content)) as pdf:
        seen: set[Any] = set()
        for number, page in enumerate(pdf.pages, start=1):
            for image in _pdf_images(page.obj.get("/Resources"), 0):
                if image.objgen in seen:
                    continue
                seen.add(image.objgen)
                stream = io.BytesIO()
                try:
                    drawn = pikepdf.PdfImage(image).as_pil_image()
                except (pikepdf.PdfError, ValueError, NotImplementedError, OSError):
                    # Nobody can be shown it: to be removed, or kept unseen by nobody.
                    raw = image.read_raw_bytes()
                    part = BesidePart(
                        _key(b"image", raw),
                        PartKind.PICTURE,
                        f"page {number}, in a form that can't be shown",
                        treatments=(Treatment.REMOVE,),
                    )
                    drawn = Image.new("L", (1, 1), 229)
                else:
                    drawn.convert("L" if drawn.mode in ("1", "L") else "RGB").save(stream, "PNG")
                    part = _picture(stream.getvalue(), f"page {number}")
                found.append(part)
                decided = decisions.get(part.key)
                if decided is None or decided == Decided(Treatment.KEEP):
                    continue
                blank = decided.treatment is not Treatment.KEEP
                boxes = (Box(0, 0, 10_000, 10_000),) if blank else decided.boxes
                colour = "white" if decided.treatment is Treatment.REMOVE else "#e5e5e5"
                painted = _painted(drawn, boxes, colour if blank else "black").convert("RGB")
                image.write(painted.tobytes())
                image.Width, image.Height = painted.width, painted.height
                image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceRGB, 8
                for name in ("/Decode", "/DecodeParms", "/ImageMask", "/Mask", "/Intent"):
                    if name in image:
                        del image[name]
        output = io.BytesIO()
        if decisions:
            pdf.save(output, deterministic_id=True)
    return (output.getvalue() if decisions else content), found


_DEEPEST = 8


def _pdf_images(resources: Any, depth: int) -> Iterator[Any]:
    """The images of a page and of the forms that it draws, in order."""
    if resources is None or depth > _DEEPEST:
        return
    for _, thing in sorted(dict(resources.get("/XObject", {})).items()):
        if thing.get("/Subtype") == "/Image":
            yield thing
        elif thing.get("/Subtype") == "/Form":
            yield from _pdf_images(thing.get("/Resources"), depth + 1)


def ocr_text(part: BesidePart) -> str:
    """The words that Tesseract reads in a picture, or a sentence why there are none."""
    from .ocr.tesseract import can_read, missing, words

    if not part.content:
        return "This part is no picture that can be read."
    languages = settings().languages
    if not can_read(languages):
        return f"The picture can't be read here; {missing(languages).page}."
    found = words(_opened(part.content).convert("L"), languages, part.place, sparse=True)
    return " ".join(word.text for word in found) or "No word was found; look at it yourself."
