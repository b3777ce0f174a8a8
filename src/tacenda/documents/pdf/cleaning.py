"""Rebuild a PDF from what its pages draw, using only known operators and known object keys.

Form fields and stamps become part of their page as they look; ``forms`` knows which can become
fields again. Hidden layers are removed, and so is everything that readers don't see: properties,
bookmarks, named destinations, labels, tags, comments, attachments, scripts, thumbnails and earlier
versions. Resources get new names. Text in tiling patterns, soft masks and Type 3 letters, which is
never read, is no longer drawn, nor are pictures with an edge in such patterns and masks.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from ...errors import InputError
from ...isolation.limits import limits
from ...shipped import shipped_table
from ..pictures import strip_picture
from . import forms
from .layers import Layers
from .painting import filters, may_show_text

_TABLE = shipped_table("pdf")
_ARGUMENTS = {
    operator: int(count)
    for count, operators in _TABLE["operators"].items()
    for operator in operators.split()
}
"""Operators with the number of their operands; ``SC`` and its kin take any number."""
_COLOURS = ("SC", "SCN", "sc", "scn")
_PAINTS = frozenset("S s f F f* B B* b b*".split())
_SHOWS = ("Tj", "TJ")
_INTENTS = frozenset("/AbsoluteColorimetric /RelativeColorimetric /Saturation /Perceptual".split())
_SPACES = frozenset("/DeviceGray /DeviceRGB /DeviceCMYK /Pattern".split())
_RESOURCES = {
    "Tf": ("/Font", "F"),
    "Do": ("/XObject", "X"),
    "gs": ("/ExtGState", "G"),
    "sh": ("/Shading", "S"),
    "CS": ("/ColorSpace", "C"),
    "cs": ("/ColorSpace", "C"),
    "SCN": ("/Pattern", "P"),
    "scn": ("/Pattern", "P"),
}
_KEYS = frozenset(f"/{key}" for key in _TABLE["drawing_keys"].split())
_INKS = frozenset("/All /None /Cyan /Magenta /Yellow /Black /Red /Green /Blue".split())
_DEEPEST = 100


Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class CleanedFile:
    """A PDF that contains only the content of its pages.

    Attributes:
        data: the file.
        strings: for each page, the texts of its comments and form fields, which aren't in the file.
        comments: for each page, ``(left, bottom, right, top)`` of annotations without their own
            drawing.
        layers: number of hidden layers.
        covered: number of pictures in patterns and masks that are no longer drawn.
        shown: what its pages must look like: the original file with each form field drawn, unless
            pictures were removed.
        fields: for each page, the form fields drawn there.
        was_archival: whether the file declared itself PDF/A, which this one doesn't.
    """

    data: bytes
    strings: tuple[tuple[str, ...], ...]
    comments: tuple[tuple[Rectangle, ...], ...]
    layers: int
    covered: int
    shown: bytes
    fields: tuple[tuple[forms.Field, ...], ...]
    was_archival: bool


def cleaned(data: bytes, name: str, *, keeps: bool = False) -> CleanedFile:
    """Return a PDF rebuilt from what its pages draw.

    Raises:
        InputError: if it is protected or has too many pages; also whatever the parser raises for
            damaged files.
    """
    try:
        source = _opened(data)
    except pikepdf.PasswordError:
        raise InputError("is protected by a password; save it without one.", name) from None
    except pikepdf.PdfError:
        data = _repaired(data)
        source = _opened(data)
    with source, pikepdf.Pdf.new() as target:
        count = len(source.pages)
        limits().check_parts(count, "pages", name)
        strings = tuple(tuple(_texts(page.obj)) for page in source.pages)
        comments = tuple(tuple(_comments(page.obj)) for page in source.pages)
        form = source.Root.get("/AcroForm")
        form = form if isinstance(form, Dictionary) else Dictionary()
        if form.get("/NeedAppearances"):
            # Each program draws such fields differently, so they are compared as drawn here.
            source.generate_appearance_streams()
            data = _saved(source)
        fields = [list(forms.fields(page.obj, form)) for page in source.pages]
        source.flatten_annotations("screen")
        # Programs disagree about where an inline picture's data ends, and therefore about the text
        # after it.
        for page in source.pages:
            page.externalize_inline_images()
        copier = _Copier(source, Layers(source), keeps)
        for page in source.pages:
            target.pages.append(pikepdf.Page(copier.page(page.obj)))
        target.remove_unreferenced_resources()
        content, off = _saved(target), copier.layers.switched_off
        shown = content if copier.covered else data
        drawn = zip(fields, copier.drawings, strict=True)
        kept = tuple(tuple(forms.drawn(found, drawings)) for found, drawings in drawn)
        return CleanedFile(
            content, strings, comments, off, copier.covered, shown, kept, _is_archival(source.Root)
        )


def _opened(data: bytes) -> pikepdf.Pdf:
    pdf = pikepdf.open(io.BytesIO(data), suppress_warnings=True)
    len(pdf.pages)  # Counting pages walks the page tree.
    return pdf


def _repaired(data: bytes) -> bytes:
    """Return a file with the pages that PDFium finds in a damaged one."""
    from pypdfium2 import PdfDocument

    stream = io.BytesIO()
    with closing(PdfDocument(data)) as damaged, closing(PdfDocument.new()) as whole:
        whole.import_pages(damaged)
        whole.save(stream)
    return stream.getvalue()


def _is_archival(root: Any) -> bool:
    """Return whether a file declares itself PDF/A."""
    metadata = root.get("/Metadata")
    return isinstance(metadata, Stream) and b"pdfaid:part" in metadata.read_bytes()


def _saved(pdf: pikepdf.Pdf) -> bytes:
    output = io.BytesIO()
    pdf.save(output, deterministic_id=True, compress_streams=True)
    return output.getvalue()


def _comments(page: Any) -> Iterator[Rectangle]:
    """Yield the positions of annotations that programs draw differently or not at all."""
    for annotation in forms.annotated(page):
        rectangle = annotation.get("/Rect")
        if "/AP" not in annotation and isinstance(rectangle, Array) and len(rectangle) == 4:
            a, b, c, d = map(float, rectangle)
            yield min(a, c), min(b, d), max(a, c), max(b, d)


def _texts(page: Any) -> Iterator[str]:
    """Yield the texts of a page's annotations; a field may inherit one from its parent."""
    for annotation in forms.annotated(page):
        yield from forms.strings(annotation.get("/Contents"))
        if annotation.get("/Subtype") == "/Widget":
            is_choice = forms.inherited(annotation, "/FT") == "/Ch"
            for key in ("/V", "/TU", *["/Opt"] * is_choice):
                yield from forms.strings(forms.inherited(annotation, key))


class _UsedResources:
    """The resources that content uses, under new names.

    Attributes:
        used: the new objects by kind and new name.
    """

    def __init__(self, given: Any) -> None:
        self._given = given if isinstance(given, Dictionary) else Dictionary()
        self.used: dict[str, dict[str, Any]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def find(self, kind: str, name: object) -> Any:
        """Return the object of a kind with this old name, or None."""
        objects = self._given.get(kind)
        return objects.get(str(name)) if isinstance(objects, Dictionary) else None

    def use(self, kind: str, letter: str, name: object, value: Any) -> Name:
        """Return an object's new name."""
        key = kind, str(name)
        if key not in self._names:
            self._names[key] = f"/{letter}{len(self.used.setdefault(kind, {}))}"
            self.used[kind][self._names[key]] = value
        return Name(self._names[key])

    def dictionary(self) -> Any:
        """Return the new resources."""
        return Dictionary({kind: Dictionary(objects) for kind, objects in self.used.items()})


class _Copier:
    """Copies the objects that draw."""

    def __init__(self, source: pikepdf.Pdf, layers: Layers, keeps: bool) -> None:
        self._source = source
        self._keeps = keeps
        self.layers = layers
        self.covered = 0
        self.drawings: list[dict[forms.Key, list[int]]] = []
        self._copies: dict[tuple[Any, ...], Any] = {}
        self._fonts: dict[forms.Key, int] = {}
        self._inner: list[Any] = []

    def page(self, page: Any) -> Any:
        """Return a page with its boxes, rotation and content."""
        self.drawings.append({})
        data, resources = self._content(
            page, forms.inherited(page, "/Resources"), mute=False, drawings=self.drawings[-1]
        )
        copy = Dictionary(Type=Name.Page)
        for key in ("/MediaBox", "/CropBox"):
            box = forms.inherited(page, key)
            if isinstance(box, Array) and len(box) == 4:
                copy[key] = Array([float(edge) for edge in box])
        if "/MediaBox" not in copy:
            copy.MediaBox = Array([0, 0, 612, 792])
        rotation = forms.inherited(page, "/Rotate")
        if isinstance(rotation, int) and rotation % 90 == 0:
            copy.Rotate = rotation % 360
        for key in ("/UserUnit", "/Group"):
            if key in page:
                copy[key] = self.value(page[key])
        copy.Contents = self._source.make_stream(data)
        copy.Resources = resources
        return self._source.make_indirect(copy)

    def form(self, form: Any, fallback: Any, *, mute: bool) -> Any:
        """Return a form XObject, without text if ``mute``; None if it contains itself."""
        own = form.get("/Resources")
        resources = own if isinstance(own, Dictionary) else fallback
        key = ("form", form.objgen, 0 if own is not None else id(fallback), mute)
        if key in self._copies:
            return self._copies[key]
        if form.objgen in self._inner or len(self._inner) > _DEEPEST:
            return None
        self._inner.append(form.objgen)
        data, used = self._content(form, resources, mute=mute)
        self._inner.pop()
        copy = self._source.make_stream(data)
        copy.Type, copy.Subtype, copy.Resources = Name.XObject, Name.Form, used
        for name in ("/BBox", "/Matrix", "/Group"):
            if name in form:
                copy[name] = self.value(form[name])
        self._copies[key] = copy
        return copy

    def _content(
        self,
        holder: Any,
        given: Any,
        *,
        mute: bool,
        drawings: dict[forms.Key, list[int]] | None = None,
    ) -> tuple[bytes, Any]:
        """Return the content of a page or form with its resources; ``drawings`` receives what its operators draw."""
        resources = _UsedResources(given)
        content = _Content(self, resources, given, mute, drawings=drawings)
        instructions = list(content.instructions(pikepdf.parse_content_stream(holder)))
        return pikepdf.unparse_content_stream(instructions), resources.dictionary()

    def drawn(self, value: Any, fallback: Any, *, mute: bool) -> Any:
        """Return a form XObject or a picture; None for anything else, or in a hidden layer."""
        if not isinstance(value, Stream) or self.layers.hides(value.get("/OC")):
            return None
        if value.get("/Subtype") == "/Form":
            return self.form(value, fallback, mute=mute)
        return self.value(value) if value.get("/Subtype") == "/Image" else None

    def covers(self, value: Any) -> bool:
        """Return whether an object in a pattern or mask is a picture to remove, since it may show text."""
        is_picture = isinstance(value, pikepdf.ContentStreamInlineImage) or (
            isinstance(value, Stream) and value.get("/Subtype") == "/Image" and may_show_text(value)
        )
        self.covered += is_picture and not self._keeps
        return is_picture and not self._keeps

    def indirect(self, value: Any) -> Any:
        """Return an object with its own number."""
        return self._source.make_indirect(value)

    def value(self, value: Any, depth: int = 0) -> Any:
        """Return a copy of an object without strings and unknown keys."""
        if depth > _DEEPEST:
            raise ValueError
        if isinstance(value, Stream | Dictionary):
            key = ("value", value.objgen)
            indirect = value.is_indirect
            if indirect and key in self._copies:
                return self._copies[key]
            copy = self._holder(value)
            if indirect:
                copy = copy if copy.is_indirect else self._source.make_indirect(copy)
                self._copies[key] = copy
            self._fill(copy, value, depth)
            return copy
        if isinstance(value, Array):
            return self._array(value, depth)
        return None if isinstance(value, String) else value

    def _holder(self, value: Any) -> Any:
        if not isinstance(value, Stream):
            return Dictionary()
        if value.get("/PatternType") == 1:
            data, resources = self._content(value, value.get("/Resources"), mute=True)
            return self._source.make_stream(data, Resources=resources)
        return self._source.make_stream(self._jpeg(value) or value.read_raw_bytes())

    def _jpeg(self, value: Any) -> bytes | None:
        """Return a JPEG without anything but its pixels, with no filter before its own; None for other streams."""
        if filters(value)[-1:] != ["/DCTDecode"]:
            return None
        names, parameters = value["/Filter"], value.get("/DecodeParms")
        data = value.read_raw_bytes()
        if isinstance(names, Array) and len(names) > 1:
            outer = self._source.make_stream(data, Filter=Array(list(names)[:-1]))
            if isinstance(parameters, Array):
                outer.DecodeParms = Array(list(parameters)[:-1])
            data = outer.read_bytes()
        stripped = strip_picture(data)
        return stripped[0] if stripped else b"\0"

    def _fill(self, copy: Any, value: Any, depth: int) -> None:
        tiling = value.get("/PatternType") == 1
        is_jpeg = filters(value)[-1:] == ["/DCTDecode"]
        descriptor = _descriptor(value)
        embedded = any(f"/FontFile{n}" in descriptor for n in ("", 2, 3))
        for key in value.keys():  # noqa: SIM118  # of a dictionary of PDF
            if key not in _KEYS or (tiling and key in ("/Filter", "/DecodeParms")):
                continue
            item = value[key]
            if is_jpeg and key in ("/Filter", "/DecodeParms") and isinstance(item, Array):
                item = item[-1]
            if key in ("/Registry", "/Ordering"):
                known = bytes(item) if isinstance(item, String) else b""
                copy[key] = String(known.decode("latin-1") if known in _COLLECTIONS else "Identity")
            elif key == "/G" and value.get("/S") in ("/Alpha", "/Luminosity"):
                form = self.drawn(item, None, mute=True)
                if form is not None:
                    copy[key] = form
            elif key in ("/FontName", "/BaseFont") and embedded:
                number = self._fonts.setdefault(descriptor.objgen, len(self._fonts) + 1)
                copy[key] = Name(f"/AAAAAA+F{number}")
            else:
                inner = self.value(item, depth + 1)
                if inner is not None:
                    copy[key] = inner
        if value.get("/Subtype") == "/Type3":
            self._letters(copy, value)

    def _letters(self, copy: Any, font: Any) -> None:
        """Copy the drawings of a Type 3 font's letters, which share the same resources."""
        procedures = font.get("/CharProcs")
        resources = _UsedResources(font.get("/Resources"))
        copy.CharProcs = Dictionary()
        for name in procedures.keys() if isinstance(procedures, Dictionary) else ():
            if isinstance(procedures[name], Stream):
                content = _Content(self, resources, font.get("/Resources"), True, is_letter=True)
                parsed = pikepdf.parse_content_stream(procedures[name])
                data = pikepdf.unparse_content_stream(list(content.instructions(parsed)))
                copy.CharProcs[name] = self._source.make_stream(data)
        copy.Resources = resources.dictionary()

    def _array(self, value: Any, depth: int) -> Any:
        head = value[0] if len(value) else None
        items = [self.value(item, depth + 1) for item in value]
        if head == "/Indexed" and len(value) == 4 and isinstance(value[3], String):
            items[3] = String(bytes(value[3]))
        elif head == "/Separation" and len(value) == 4 and str(value[1]) not in _INKS:
            items[1] = Name("/Spot")
        elif head == "/DeviceN" and len(value) >= 4 and isinstance(value[1], Array):
            inks = [
                ink if str(ink) in _INKS else Name(f"/Spot{n}") for n, ink in enumerate(value[1])
            ]
            items = [items[0], Array(inks), *items[2:4]]
        return Array([item for item in items if item is not None])


_COLLECTIONS = frozenset(_TABLE["collections"].encode().split())


def _descriptor(font: Any) -> Any:
    """Return the descriptor of a font, of its descendant, or the object itself if it is one."""
    for descendant in font.get("/DescendantFonts", ()):
        font = descendant
    return font.get("/FontDescriptor", font)


class _Content:
    """The operators of some content, with only known names and operands."""

    def __init__(
        self,
        copier: _Copier,
        resources: _UsedResources,
        given: Any,
        mute: bool,
        *,
        is_letter: bool = False,
        drawings: dict[forms.Key, list[int]] | None = None,
    ) -> None:
        self._copier = copier
        self._resources = resources
        self._given = given
        self._mute = mute
        self._is_letter = is_letter
        self._drawings = {} if drawings is None else drawings
        self._done = 0
        self._hidden: list[bool] = []

    def instructions(self, parsed: Iterable[Any]) -> Iterator[Any]:
        """Yield the instructions that stay."""
        for instruction in parsed:
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                if not any(self._hidden) and (
                    self._is_letter or not self._copier.covers(instruction)
                ):
                    yield instruction
                continue
            operator = str(instruction.operator)
            operands = list(instruction.operands)
            if operator in ("BMC", "BDC"):
                self._hidden.append(operator == "BDC" and self._hides(operands))
            elif operator == "EMC":
                if self._hidden:
                    self._hidden.pop()
            elif operator in _PAINTS and any(self._hidden):
                yield _instruction("n")
            elif operator in (*_SHOWS, "'", '"', "Do", "sh") and any(self._hidden):
                continue
            else:
                yield from self._known(operator, operands)

    def _hides(self, operands: list[Any]) -> bool:
        if len(operands) != 2 or operands[0] != "/OC":
            return False
        group = self._resources.find("/Properties", operands[1])
        return self._copier.layers.hides(group)

    def _known(self, operator: str, operands: list[Any]) -> Iterator[Any]:
        if operator in _COLOURS:
            yield from self._colour(operator, operands)
            return
        count = _ARGUMENTS.get(operator)
        if count is None or len(operands) < count:
            return
        operands = operands[len(operands) - count :]
        if operator in (*_SHOWS, "'", '"'):
            yield from self._show(operator, operands)
        elif operator in ("CS", "cs") and str(operands[0]) in _SPACES:
            yield _instruction(operator, operands[0])
        elif operator in _RESOURCES:
            kind, letter = _RESOURCES[operator]
            name = self._named(kind, letter, operands[0])
            if name is not None and all(map(_is_number, operands[1:])):
                if operator == "Do":
                    id = self._resources.find(kind, operands[0]).objgen
                    self._drawings.setdefault(id, []).append(self._done)
                    self._done += 1
                yield _instruction(operator, name, *operands[1:])
        elif operator == "ri":
            if str(operands[0]) in _INTENTS:
                yield _instruction(operator, operands[0])
        elif operator == "d":
            if isinstance(operands[0], Array) and all(map(_is_number, (*operands[0], operands[1]))):
                yield _instruction(operator, *operands)
        elif all(map(_is_number, operands)):
            yield _instruction(operator, *operands)

    def _show(self, operator: str, operands: list[Any]) -> Iterator[Any]:
        """Yield a text-showing operator as ``Tj`` or ``TJ``."""
        if operator == '"':
            if not all(map(_is_number, operands[:2])):
                return
            yield _instruction("Tw", operands[0])
            yield _instruction("Tc", operands[1])
        if operator in ("'", '"'):
            yield _instruction("T*")
        if self._mute:
            return
        shown = operands[-1]
        items = list(shown) if isinstance(shown, Array) else [shown]
        operators = [item for item in items if isinstance(item, String) or _is_number(item)]
        yield _instruction("TJ", Array(operators))

    def _colour(self, operator: str, operands: list[Any]) -> Iterator[Any]:
        last = operands[-1] if operands else None
        if isinstance(last, Name) and operator in _RESOURCES:
            name = self._named(*_RESOURCES[operator], last)
            if name is not None and all(map(_is_number, operands[:-1])):
                yield _instruction(operator, *operands[:-1], name)
        elif operands and all(map(_is_number, operands)):
            yield _instruction(operator, *operands)

    def _named(self, kind: str, letter: str, name: object) -> Name | None:
        """Return a resource's new name, or None if there is nothing to draw."""
        value = self._resources.find(kind, name)
        is_blind = self._mute and not self._is_letter
        if value is None or (is_blind and self._copier.covers(value)):
            return None
        copy: Any
        if kind == "/XObject":
            copy = self._copier.drawn(value, self._given, mute=self._mute)
        else:
            copy = self._copier.value(value)
        if copy is None:
            return None
        if kind == "/Font" and not copy.is_indirect:
            copy = self._copier.indirect(copy)
        return self._resources.use(kind, letter, name, copy)


def _instruction(operator: str, *operands: Any) -> Any:
    return pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(operator))


def _is_number(value: object) -> bool:
    from decimal import Decimal

    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
