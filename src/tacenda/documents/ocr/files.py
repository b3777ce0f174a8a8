"""PNG, JPEG and TIFF: pictures of text, written with the same size and only their pixels."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO

from ...document import Document
from ...errors import InputError, MissingExtraError
from ...result import Result
from ..record import PAGE_BREAK, Origin, SourceDocument

try:
    import numpy as np
    from PIL import Image, ImageOps
except ImportError as error:
    raise MissingExtraError("reading a picture", "documents") from error

from .covering import Patch, covered, patch, patches, require_covered
from .scans import Scan, scanned, unread_notes
from .tesseract import OcrSettings, require, settings

MOST_DOTS = 60_000_000
"""Maximum number of dots in a picture: 500 dpi on a sheet of A3."""
MOST_FRAMES = 100
_QUALITY = 92
_TOLERANCE = {"PNG": 0, "JPEG": 72, "TIFF": 0}


def _read(stream: BinaryIO, origin: Origin, *, kinds: tuple[str, ...]) -> Iterator[SourceDocument]:
    """Yield the one document of a file.

    Args:
        stream: the file.
        origin: the file's name.
        kinds: Pillow's names for what files in the format may turn out to be.

    Raises:
        InputError: if it isn't such a picture, is damaged, too large or without text, or if the
            program or a language is missing.
    """
    options = origin.ocr or settings()
    require(options.languages, origin.name)
    data = stream.read()
    scans = tuple(
        scanned(frame, options.languages, origin.name) for frame in frames(data, kinds, origin.name)
    )
    text = PAGE_BREAK.join(scan.text()[0] for scan in scans)
    if not text.replace(PAGE_BREAK, "").strip():
        raise InputError(
            "is a picture in which no text can be read; look at it to decide whether to release it.",
            origin.name,
        )
    pages = [(number, scan.unread) for number, scan in enumerate(scans, 1)]
    yield SourceDocument(
        Document(origin.name, text),
        origin,
        text,
        (),
        container=_PictureContainer(
            data, scans, kinds[0], kinds, options.languages, options.keeps_unread
        ),
        notes=tuple(unread_notes(pages, "picture", kept=options.keeps_unread)),
    )


read_png = partial(_read, kinds=("PNG",))
read_jpeg = partial(_read, kinds=("JPEG", "MPO"))
read_tiff = partial(_read, kinds=("TIFF",))


@dataclass(frozen=True, slots=True)
class _PictureContainer:
    """A file of pictures, and what was read in them.

    Attributes:
        data: the original file.
        scans: one per picture.
        kind, kinds: see the format.
        languages: the languages it was read in.
        keeps_unread: whether what couldn't be read stays.
    """

    data: bytes = field(repr=False)
    scans: tuple[Scan, ...] = field(repr=False)
    kind: str
    kinds: tuple[str, ...]
    languages: str
    keeps_unread: bool

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the pictures with what is masked painted over.

        Raises:
            LeakError: if a masked string can still be read, or something is left under a box.
            InputError: if the file can't be read again as before.
        """
        name = record.origin.name
        pictures = frames(self.data, self.kinds, name)
        options = OcrSettings(self.languages, self.keeps_unread)
        outputs = list(covered_pictures(pictures, self.scans, sanitized, options, "picture"))
        data = _written([image for image, _ in outputs], self.kind)
        rows = zip(outputs, frames(data, self.kinds, name), strict=True)
        for number, ((image, content), output) in enumerate(rows, 1):
            require_covered(
                image, output, content, _TOLERANCE[self.kind], f"picture {number}", name
            )
        return data


def covered_pictures(
    pictures: Iterable[Image.Image],
    scans: Sequence[Scan],
    sanitized: Result,
    options: OcrSettings,
    kind: str,
) -> Iterator[tuple[Image.Image, tuple[Patch, ...]]]:
    """Yield the pictures of a file with what is masked painted over, and what was painted.

    Args:
        pictures: the pictures, in order.
        scans: what was read in each; all of it is the text of the document.
        sanitized: the document.
        options: the languages it was read in, and whether regions that couldn't be read stay.
        kind: what a picture is called in messages.

    Raises:
        LeakError: if a masked string can still be read.
    """
    offset = 0
    for number, (picture, scan) in enumerate(zip(pictures, scans, strict=True), 1):
        content = list(edited(scan, sanitized, offset))
        if not options.keeps_unread:
            content += map(patch, scan.unread)
        place = f"{kind} {number}"
        yield covered(picture, content, scan, sanitized, options.languages, place)
        offset += len(scan.text()[0]) + len(PAGE_BREAK)


def edited(scan: Scan, sanitized: Result, offset: int) -> Iterator[Patch]:
    """Yield what covers the edited words in a picture.

    Args:
        scan: its words.
        sanitized: the document.
        offset: where the picture's text starts.
    """
    text, origins = scan.text()
    for edit in sanitized.replacements:
        start, end = edit.original.start - offset, edit.original.end - offset
        if start < len(text) and end > 0:
            indices = {index for each in origins[max(0, start) : end] for index in each}
            yield from patches(scan.words, indices, edit.text if start >= 0 else "")


def frames(data: bytes, kinds: tuple[str, ...], name: str) -> Iterator[Image.Image]:
    """Yield the pictures in a file, upright and without transparency.

    Args:
        data: the file.
        kinds: names of formats that it may have.
        name: name of the document, for error messages.

    Raises:
        InputError: if it has another format, is damaged, or would be too large.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data), formats=kinds)
            count = 1 if kinds[0] == "JPEG" else getattr(image, "n_frames", 1)
            _require_possible(image, count, kinds[0], name)
            for number in range(count):
                image.seek(number)
                _require_possible(image, count, kinds[0], name)
                yield _plain(image)
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise _too_large(name) from None
    except MemoryError:
        raise
    except Exception as error:  # a damaged picture can make its decoder fail in any way
        raise InputError(
            f"isn't a {kinds[0]} picture, or is damaged ({type(error).__name__}); open and re-save it.",
            name,
        ) from None


def _require_possible(image: Image.Image, count: int, kind: str, name: str) -> None:
    if image.width * image.height > MOST_DOTS:
        raise _too_large(name)
    if count > MOST_FRAMES:
        raise InputError(f"has more than {MOST_FRAMES} pictures; split the file.", name)
    if count > 1 and kind == "PNG":
        raise InputError("is animated; save its pictures one by one.", name)


def _too_large(name: str) -> InputError:
    return InputError(f"has a picture of more than {MOST_DOTS:,} dots; make it smaller.", name)


def _plain(image: Image.Image) -> Image.Image:
    """Return a picture's pixels as seen: upright, on white."""
    resolution = image.info.get("dpi")
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I") or upright.mode == "F":
        upright = Image.fromarray(in_eight_bits(np.asarray(upright)))
    elif upright.has_transparency_data:
        # Transparent pixels may hide letters in their colors.
        upright = upright.convert("RGBA")
        paper = Image.new("RGBA", upright.size, "white")
        upright = Image.alpha_composite(paper, upright).convert("RGB")
    elif upright.mode not in ("1", "L", "RGB"):
        upright = upright.convert("L" if upright.mode in ("LA", "La") else "RGB")
    plain = Image.frombytes(upright.mode, upright.size, upright.tobytes())
    if isinstance(resolution, tuple) and all(0 < float(side) < 1e5 for side in resolution):
        plain.info["dpi"] = tuple(map(float, resolution))
    return plain


def in_eight_bits(values: Any) -> Any:
    """Return the values of pixels spread over the range of a byte."""
    low, high = float(values.min()), float(values.max())
    scale = 255.0 / (high - low) if high > low else 0.0
    return ((values.astype(np.float64) - low) * scale).astype(np.uint8)


def _written(images: Sequence[Image.Image], kind: str) -> bytes:
    output = io.BytesIO()
    options: dict[str, Any] = {}
    if "dpi" in images[0].info:
        options["dpi"] = images[0].info["dpi"]
    match kind:
        case "JPEG":
            options |= {"quality": _QUALITY, "subsampling": 0}
            images = [images[0].convert("RGB") if images[0].mode == "1" else images[0]]
        case "TIFF":
            fax = all(image.mode == "1" for image in images)
            options["compression"] = "group4" if fax else "tiff_adobe_deflate"
            options |= {"save_all": True, "append_images": images[1:]}
    images[0].save(output, kind, **options)
    return output.getvalue()
