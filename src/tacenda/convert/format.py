"""The one protocol behind which every annotation format lies.

A format reads and writes bytes by file name and never touches the disk itself; it declares what
it can hold and what it must be told. ``fit`` compares a corpus with that declaration before
anything is written, so a writer is only given what it can hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..document import Span
from ..errors import InputError
from .corpus import AnnotatedDocument, Feature
from .offsets import Unit

Files = Mapping[str, bytes]
"""Contents by file name, relative to a folder; one entry if the format is one file."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader must know beside the file.

    Attributes:
        unit: what offsets count in the file.
        texts: texts by document id, for formats that carry none; None if not given.
        drop: what the user gave leave to drop; OTHER lets a reader pass over what the values of
            ``corpus`` have no word for.
    """

    unit: Unit = Unit.CODE_POINTS
    texts: Mapping[str, str] | None = None
    drop: frozenset[Feature] = field(default_factory=frozenset)

    def text_of(self, id: str) -> str | None:
        """Return the text given for a document; None if no texts were given.

        Raises:
            InputError: texts were given, but not for this document.
        """
        if self.texts is not None and id not in self.texts:
            raise InputError("there is no text of this id in --text; add it.", id)
        return None if self.texts is None else self.texts[id]

    def pass_over(self, what: str, document: str) -> None:
        """Go on if the user gave leave to drop what can't be read.

        Raises:
            InputError: otherwise; names it and the option.
        """
        if Feature.OTHER not in self.drop:
            raise InputError(
                f"{what}, which can't be converted; --drop other passes over it.", document
            )


class Format(Protocol):
    """An annotation format.

    Attributes:
        name: as the user names it.
        holds: features that it can write and read back.
        needs: features without which it can't be written.
        takes_text: whether ``--text`` is of use to its reader.
        masks_only: whether everything it lists is to be masked, so that it can't list NO_MASK.
        folder: whether it is a folder of files.
    """

    name: str
    holds: frozenset[Feature]
    needs: frozenset[Feature]
    takes_text: bool = False
    masks_only: bool = False
    folder: bool = False

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents of a file.

        Raises:
            InputError: names the document or file, the place in it, and the way out.
        """
        ...

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return the files that hold the documents, with offsets in ``unit``.

        Raises:
            InputError: a value, such as a type with a space in it, can't be spelled.
        """
        ...

    def tokens(self, text: str) -> Sequence[Span] | None:
        """Return the tokens to which mentions must be aligned; None if they need not be."""
        return None


def only_file(files: Files) -> tuple[str, bytes]:
    """Return name and content of the file of a format that is one file."""
    ((name, content),) = files.items()
    return name, content
