"""Pixels of a DICOM file: turned into pictures for OCR, and painted over where masked (PS3.3, C.7.6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image
from pydicom.dataset import Dataset
from pydicom.pixels import apply_color_lut, get_decoder, set_pixel_data
from pydicom.pixels.utils import pack_bits

from ...errors import InputError, LeakError
from ..ocr.covering import Patch, mask_of
from ..ocr.files import MOST_DOTS, in_eight_bits

_MOST_VALUES = 500_000_000
_MONOCHROME = ("MONOCHROME1", "MONOCHROME2")
_FLOATS = ("FloatPixelData", "DoubleFloatPixelData")
_PIXEL_DATA = 0x7FE00010
Pixels = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Frames:
    """Decoded pixels.

    Attributes:
        values: [frames, rows, columns], or [frames, rows, columns, color samples].
        kind: their current photometric interpretation.
    """

    values: Pixels
    kind: str

    def picture(self, number: int, dataset: Dataset) -> Image.Image:
        """Return a frame as a grayscale or color picture, at its full range."""
        frame = self.values[number]
        if self.kind == "PALETTE COLOR":
            frame = apply_color_lut(frame, dataset)
        is_ready = frame.ndim == 3 and frame.dtype == np.uint8
        scaled = frame if is_ready else in_eight_bits(frame)
        return Image.fromarray(255 - scaled if self.kind == _MONOCHROME[0] else scaled)

    def painted(self, patches: Sequence[Sequence[Patch]]) -> Frames:
        """Return the frames with patches painted in one value: black, or the lowest of a palette."""
        values = self.values.copy()
        for frame, content in zip(values, patches, strict=True):
            is_dark = self.kind != _MONOCHROME[0]
            frame[mask_of(content, frame.shape[1::-1])] = frame.min() if is_dark else frame.max()
        return Frames(values, self.kind)


def frames_of(dataset: Dataset, name: str) -> Frames | None:
    """Return the pixels of a file, or None if it has none.

    Raises:
        InputError: if they can't be decoded or there are too many.
    """
    if any(each in dataset for each in _FLOATS):
        raise InputError("has pixels in floating point, which can't be read; convert it.", name)
    if "PixelData" not in dataset:
        return None
    try:
        rows, columns, count, samples = (
            int(dataset.get(keyword) or 1)
            for keyword in ("Rows", "Columns", "NumberOfFrames", "SamplesPerPixel")
        )
    except (TypeError, ValueError):
        raise InputError("has pixels of unknown size; check the file.", name) from None
    if rows * columns > MOST_DOTS or rows * columns * count * samples > _MOST_VALUES:
        raise InputError(f"has more than {MOST_DOTS:,} pixels in a frame; split the file.", name)
    syntax = dataset.file_meta.TransferSyntaxUID
    try:
        decoder = get_decoder(syntax)
        values, meta = decoder.as_array(dataset, raw=False)
    except MemoryError:
        raise
    except Exception as error:  # a damaged picture can make its decoder fail in any way
        raise InputError(
            f"has pixels that can't be decoded ({type(error).__name__}; {syntax.name}); "
            "save it without compression, for example with dcmdjpeg.",
            name,
        ) from None
    shape = (count, rows, columns, samples)[: 3 if samples == 1 else 4]
    return Frames(values.reshape(shape), str(meta["photometric_interpretation"]))


def store(dataset: Dataset, frames: Frames) -> None:
    """Write pixels without compression, dropping bits that aren't part of the pixels."""
    values = frames.values if len(frames.values) > 1 else frames.values[0]
    if dataset.BitsAllocated == 1:
        dataset.add_new(_PIXEL_DATA, "OB", pack_bits(values))
        return
    if values.dtype.itemsize > 2:
        content = values.astype(f"<{values.dtype.str[1:]}").tobytes()
        dataset.add_new(_PIXEL_DATA, "OW", content)
        return
    width = 8 * values.dtype.itemsize
    # Some programs store more bits than they declare.
    low, high = int(values.min()), int(values.max())
    needed = max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0) + (
        values.dtype.kind == "i"
    )
    bits = min(width, max(int(dataset.BitsStored), needed))
    set_pixel_data(dataset, values, frames.kind, bits, generate_instance_uid=False)


def require_painted(
    before: Frames, after: Frames, patches: Sequence[Sequence[Patch]], name: str
) -> None:
    """Raise an error unless pixels have one value under patches and are unchanged elsewhere.

    Raises:
        LeakError: if something is left under a patch.
        InputError: if other pixels have changed.
    """
    if before.values.shape != after.values.shape:
        raise InputError("can't be written as it was read; convert it to another format.", name)
    for number, content in enumerate(patches):
        one, other = before.values[number], after.values[number]
        mask = mask_of(content, one.shape[1::-1])
        if mask.any() and (other[mask] != other[mask][0]).any():
            raise LeakError([f"under a box of frame {number + 1}"], name)
        if (one[~mask] != other[~mask]).any():
            raise InputError("can't be written as it was read; convert it to another format.", name)
