"""Messages of Outlook, written byte by byte: compound files ([MS-CFB]) of properties ([MS-OXMSG])."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
Folder = Mapping[str, "bytes | Folder"]


@dataclass
class Attached:
    """A file, or a message, attached to a message."""

    name: str = ""
    content: bytes | Note = b""
    type: str = ""
    method: int = 1


@dataclass
class Note:
    """A message.

    Attributes:
        texts: strings by the numbers of their properties.
        people: kind, name, SMTP address and Exchange's address of each recipient.
        bodies: bytes by the numbers of their properties.
        codec: of strings; UTF-16 by default.
    """

    texts: Mapping[int, str]
    people: Sequence[tuple[int, str, str, str]] = ()
    bodies: Mapping[int, bytes] = field(default_factory=dict)
    numbers: Mapping[int, int] = field(default_factory=dict)
    sent: datetime | None = None
    attached: Sequence[Attached] = ()
    codec: str = "utf-16-le"

    def folder(self, head: int) -> Folder:
        """Return its storage."""
        entries: dict[str, bytes | Folder] = dict(_texts(self.texts, self.codec))
        entries |= {f"__substg1.0_{number:04X}0102": body for number, body in self.bodies.items()}
        values = [(number << 16 | 3, value) for number, value in self.numbers.items()]
        if self.sent is not None:
            passed = self.sent - datetime(1601, 1, 1, tzinfo=UTC)
            values.append((0x0039 << 16 | 0x40, round(passed.total_seconds()) * 10**7))
        for number, (kind, name, smtp, own) in enumerate(self.people):
            texts = _texts({0x3001: name, 0x39FE: smtp, 0x3003: own}, self.codec)
            properties = _properties([(0x0C15 << 16 | 3, kind)], 8, texts)
            entries[f"__recip_version1.0_#{number:08X}"] = {**texts, **properties}
        for number, each in enumerate(self.attached):
            texts = _texts({0x3707: each.name, 0x370E: each.type}, self.codec)
            method = 5 if isinstance(each.content, Note) else each.method
            content: Folder = (
                {"__substg1.0_3701000D": each.content.folder(24)}
                if isinstance(each.content, Note)
                else {"__substg1.0_37010102": each.content}
            )
            streams = {**texts, **content}
            properties = _properties([(0x3705 << 16 | 3, method)], 8, streams)
            entries[f"__attach_version1.0_#{number:08X}"] = {**streams, **properties}
        return {**entries, **_properties(values, head, entries)}


def build_msg(note: Note) -> bytes:
    """Return the file of a message."""
    names = {f"__substg1.0_000{number}0102": b"" for number in (2, 3, 4)}
    return compound_file({**note.folder(32), "__nameid_version1.0": names})


def _texts(texts: Mapping[int, str], codec: str) -> dict[str, bytes]:
    type = "001F" if codec == "utf-16-le" else "001E"
    return {
        f"__substg1.0_{number:04X}{type}": text.encode(codec)
        for number, text in texts.items()
        if text
    }


def _properties(
    values: Sequence[tuple[int, int]], head: int, streams: Mapping[str, object]
) -> dict[str, bytes]:
    rows = b"".join(struct.pack("<IIQ", tag, 6, value) for tag, value in values)
    for name, content in streams.items():
        if name.startswith("__substg1.0_"):
            size = len(content) if isinstance(content, bytes) else 0xFFFFFFFF
            size += 2 * name.endswith("001F") + name.endswith("001E")
            rows += struct.pack("<III4x", int(name[-8:], 16), 6, size)
    return {"__properties_version1.0": bytes(head) + rows}


def compound_file(root: Folder) -> bytes:
    """Return a compound file of version 3 with streams and storages."""
    names, kinds, children, links, contents = ["Root Entry"], [5], [_FREE], [_FREE], [b""]

    def add(folder: Folder, parent: int) -> None:
        last = None
        for name in sorted(folder, key=lambda name: (len(name), name.upper())):
            index, item = len(names), folder[name]
            names.append(name)
            is_stream = isinstance(item, bytes)
            kinds.append(2 if is_stream else 1)
            children.append(_FREE)
            links.append(_FREE)
            contents.append(item if isinstance(item, bytes) else b"")
            if last is None:
                children[parent] = index
            else:
                links[last] = index
            last = index
            if not isinstance(item, bytes):
                add(item, index)

    add(root, 0)
    mini, mini_table, starts = b"", [], [_END] * len(names)
    for index, content in enumerate(contents):
        if kinds[index] == 2 and 0 < len(content) < _CUTOFF:
            starts[index] = len(mini) // _MINI
            count = -(-len(content) // _MINI)
            mini_table += [*range(starts[index] + 1, starts[index] + count), _END]
            mini += content.ljust(count * _MINI, b"\0")
    sectors: list[bytes] = []
    table: list[int] = []

    def store(content: bytes) -> int:
        start, count = len(sectors), -(-len(content) // _SECTOR)
        if not count:
            return _END
        padded = content.ljust(count * _SECTOR, b"\0")
        sectors.extend(padded[at : at + _SECTOR] for at in range(0, len(padded), _SECTOR))
        table.extend([*range(start + 1, start + count), _END])
        return start

    starts[0] = store(mini)
    for index, content in enumerate(contents):
        if kinds[index] == 2 and len(content) >= _CUTOFF:
            starts[index] = store(content)
    mini_start = store(_table(mini_table))
    sizes = [len(mini), *map(len, contents[1:])]
    entries = b"".join(
        name.encode("utf-16-le").ljust(64, b"\0")
        + struct.pack("<HBBIII", 2 * len(name) + 2, kind, 1, _FREE, link, child)
        + bytes(36)
        + struct.pack("<IQ", start, size)
        for name, kind, link, child, start, size in zip(
            names, kinds, links, children, starts, sizes, strict=True
        )
    )
    directory = store(entries)
    count = 1
    while count * _SECTOR // 4 < len(table) + count:
        count += 1
    tables = list(range(len(sectors), len(sectors) + count))
    allocation = _table([*table, *[_FAT] * count])
    sectors += [allocation[at : at + _SECTOR] for at in range(0, len(allocation), _SECTOR)]
    head = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(16)
    head += struct.pack("<HHHHH6xIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, count, directory, 0)
    mini_count = -(-len(mini_table) * 4 // _SECTOR)
    head += struct.pack("<IIIII", _CUTOFF, mini_start, mini_count, _END, 0)
    head += struct.pack("<109I", *tables, *[_FREE] * (109 - len(tables)))
    return head + b"".join(sectors)


def _table(numbers: Sequence[int]) -> bytes:
    rows = [*numbers, *[_FREE] * (-len(numbers) % (_SECTOR // 4))]
    return struct.pack(f"<{len(rows)}I", *rows)
