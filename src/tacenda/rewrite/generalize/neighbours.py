"""What is written of two names side by side, read as one phrase.

| original | each by itself | together |
|---|---|---|
| in the Ulm Prison | in the ``***`` [prison] | in the [prison] |
| a Finnish drummer | a ``***`` [musician] | a [musician] |
| in Wick Caithness | in a [town] a [region] | in a [town] [region] |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ...document import Span
from ..edits import Edit
from ..operators.suppress import MASK

_ARTICLE = re.compile(r"an?\s", re.IGNORECASE)


def side_by_side(text: str, edits: Iterable[Edit], ids: Collection[str]) -> Iterator[Edit]:
    """Yield the edits, those of names with nothing but a blank between them as one phrase.

    Args:
        text: the original.
        edits: in order of the text.
        ids: entities whose class, or nothing, is written: no people, numbers or dates.
    """
    last: Edit | None = None
    for edit in edits:
        if last is not None and _touch(text, last, edit) and _of(last, ids) and _of(edit, ids):
            if last.text == MASK != edit.text:
                entities = tuple(dict.fromkeys((*last.entities, *edit.entities)))
                last = Edit(Span(last.span.start, edit.span.end), edit.text, entities)
                continue
            if not _ARTICLE.match(edit.span.of(text)):
                edit = replace(edit, text=_ARTICLE.sub("", edit.text, count=1))
        if last is not None:
            yield last
        last = edit
    if last is not None:
        yield last


def _touch(text: str, last: Edit, edit: Edit) -> bool:
    return text[last.span.end : edit.span.start] == " "


def _of(edit: Edit, ids: Collection[str]) -> bool:
    return all(id in ids for id in edit.entities)
