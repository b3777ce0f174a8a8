"""Thrift's compact protocol, which Parquet's metadata uses: read structs as dictionaries."""

from __future__ import annotations

from typing import Any

from ...errors import InputError

# https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_DEEPEST = 32


class CompactReader:
    """Reads structs one after another.

    Args:
        data: the bytes.

    Raises:
        InputError: if they aren't structs.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the next struct: values by field number, with strings as bytes."""
        if depth > _DEEPEST:
            raise InputError("metadata is nested too deeply.")
        fields: dict[int, Any] = {}
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._zigzag()
            fields[number] = self._value(header & 15, depth)
        return fields

    def _value(self, kind: int, depth: int, *, in_list: bool = False) -> Any:
        if kind in (_TRUE, _FALSE):
            return self._byte() == _TRUE if in_list else kind == _TRUE
        if kind in (_I16, _I32, _I64):
            return self._zigzag()
        if kind == _BYTE:
            return self._byte()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _BINARY:
            return self._take(self._varint())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, _SET):
            header = self._byte()
            size = header >> 4 if header >> 4 < 15 else self._varint()
            return [self._value(header & 15, depth + 1, in_list=True) for _ in range(size)]
        if kind == _MAP:
            size = self._varint()
            kinds = self._byte() if size else 0
            return [
                (
                    self._value(kinds >> 4, depth + 1, in_list=True),
                    self._value(kinds & 15, depth + 1, in_list=True),
                )
                for _ in range(size)
            ]
        raise InputError("metadata has a value of an unknown kind.")

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, size: int) -> bytes:
        part = self._data[self.position : self.position + size]
        if len(part) != size:
            raise InputError("metadata is cut off.")
        self.position += size
        return part

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def _zigzag(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
