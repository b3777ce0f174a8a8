"""Layout of a document: what its lines are in the file that it came in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ...documents.blocks import Block
from ...errors import InputError
from ..export import records_of
from ..service import Service
from ..store.documents import StoredDocument

_BODY = Block(0)


def blocks_of(service: Service, row: StoredDocument) -> tuple[Block, ...]:
    """The lines of a document with a layout; none for one without, which is shown line by line."""
    if row.format != "docx":
        return ()
    return service.blocks.get_or_compute(row.handle, lambda: _read(service, row))


def _read(service: Service, row: StoredDocument) -> tuple[Block, ...]:
    if row.file is None:
        return ()
    try:
        records = records_of(service.store.files.get(row.file))
    except InputError:
        return ()
    text = service.store.documents.text(row.id).text
    # Offsets hold for the text that was reviewed, and for no other reading of the file.
    return records[0].blocks if [record.document.text for record in records] == [text] else ()


def block_at(blocks: Sequence[Block], offset: int) -> Block:
    """The block of an offset of the text."""
    place = bisect_right(blocks, offset, key=lambda block: block.start)
    return blocks[place - 1] if place else _BODY
