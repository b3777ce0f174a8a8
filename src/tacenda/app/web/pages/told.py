"""What others did to a document, in words."""

from __future__ import annotations

from collections.abc import Sequence

from ...review.history import Entry

_WORDS = {
    "decide": "decided on an entity",
    "decide_mention": "decided on a mention",
    "type": "changed a type",
    "identifier": "changed an identifier type",
    "split": "split an entity",
    "merge": "merged entities",
    "add": "added a mention",
    "remove": "removed a mention",
    "bound": "moved the bound",
    "note": "wrote a note",
    "done": "changed whether it is done",
}


def told(entries: Sequence[Entry]) -> str:
    """Return who did what, such as ``Ann moved the bound, Ben took something back``."""
    said = dict.fromkeys(f"{entry.person} {_did(entry)}" for entry in entries)
    return ", ".join(said) or "somebody changed it"


def _did(entry: Entry) -> str:
    if entry.change is not None:
        return _WORDS[entry.change.kind]
    return "took something back" if entry.undoes is not None else "brought something back"
