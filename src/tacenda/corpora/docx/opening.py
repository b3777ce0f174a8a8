"""The bytes of a .docx as its entries, once they are known to be harmless.

A .docx is a ZIP archive of XML parts (ECMA-376, Part 2). Nothing is unpacked before its declared
size is known to be reasonable, and ``zipfile`` never reads beyond what an entry declares.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import BinaryIO

from ...errors import InputError
from ...isolation.limits import limits

LARGEST_FILE = 100_000_000
LARGEST_ENTRY = 100_000_000
LARGEST_XML = 32_000_000
LARGEST_TOTAL = 300_000_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_entries(stream: BinaryIO, name: str) -> dict[str, bytes]:
    """Return the entries of a document's archive by their name.

    Raises:
        InputError: if it is no .docx, encrypted, damaged, or too large when unpacked.
    """
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the document.", name)
    if data.startswith(_OLE):
        raise InputError(
            "is protected by a password, or an old .doc; open it and save it as .docx without a "
            "password.",
            name,
        )
    if not data.startswith(b"PK"):
        raise InputError("is no .docx: it does not begin as a ZIP archive; check the file.", name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [item for item in archive.infolist() if not item.is_dir()]
            _check(entries, name)
            return {item.filename.lstrip("/"): archive.read(item) for item in entries}
    except InputError:
        raise
    except _BROKEN as error:
        raise InputError(
            f"the ZIP archive is damaged ({type(error).__name__}); open it in a word processor and "
            "save it anew.",
            name,
        ) from None


def _check(entries: list[zipfile.ZipInfo], name: str) -> None:
    limits().check_parts(len(entries), "entries", name)
    total = 0
    names: set[str] = set()
    for item in entries:
        known = item.filename.lstrip("/").lower()
        if known in names:
            raise InputError("has an entry twice; open it and save it anew.", name)
        names.add(known)
        if item.flag_bits & 0x1:
            raise InputError("has an encrypted entry; save it without a password.", name)
        total += item.file_size
        largest = LARGEST_XML if known.endswith((".xml", ".rels")) else LARGEST_ENTRY
        if item.file_size > largest or total > LARGEST_TOTAL:
            raise InputError(
                f"would be more than {largest if item.file_size > largest else LARGEST_TOTAL:,} bytes "
                "when unpacked; that is no letter. Split the document.",
                name,
            )
