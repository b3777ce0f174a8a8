"""An annotated document of the generated variety."""

from __future__ import annotations

from dataclasses import dataclass

# Offsets [start, end) in code points, semantic type, identifier type.
Mention = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class Sample:
    """A generated document with its annotation after TAB's guidelines (section 4.2).

    Attributes:
        kind: the frame file that it came from, such as ``forum_post``.
        text: the document.
        mentions: in order of the text, without overlaps; the identifier type is seen from the
            person whom the document is about or by.
    """

    kind: str
    text: str
    mentions: tuple[Mention, ...]
