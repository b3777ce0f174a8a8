"""The audit record as a page to print, file and sign; it runs and loads nothing."""

from __future__ import annotations

from typing import Any

from ..document import LossBound, Risk
from ..wording import in_words, risk_left
from . import frame, render


def ends(origin: dict[str, Any]) -> tuple[str, str]:
    """Return the parts of the page before and after the sections.

    Args:
        origin: the values that all documents share, as in the record.
    """
    return frame("audit.html", origin=origin, settings=_settings(origin["policy"]))


def section(item: dict[str, Any]) -> str:
    """Return the section of one document, as in the record."""
    entities = item["entities"]
    edits: dict[str, dict[str, None]] = {entity["id"]: {} for entity in entities}
    for edit in item["replacements"]:
        for id in edit["entities"] if edit["text"] else ():
            edits.setdefault(id, {})[edit["text"]] = None
    return render(
        "audit_section.html",
        item=item,
        masked=sum(entity["decision"] == "mask" for entity in entities),
        risk_left=risk_left(_risk(item["risk"])),
        entities=sorted(entities, key=lambda entity: -entity["risk"]),
        edits={id: list(texts) for id, texts in edits.items()},
        labels={
            entity["id"]: f"{in_words(entity['type'])} {entity['number']}" for entity in entities
        },
    )


def _risk(item: dict[str, Any]) -> Risk:
    promise = LossBound(**item["promise"]) if "promise" in item else None
    return Risk(**{**item, "promise": promise})


def _settings(policy: dict[str, Any]) -> str:
    items = {key: value for key, value in policy["settings"].items() if value not in ({}, [], None)}
    items |= {f"rules of {key}": count for key, count in policy["rules"].items() if count}
    return "; ".join(f"{in_words(key)}: {_in_words(value)}" for key, value in items.items())


def _in_words(value: Any) -> str:
    """Return a setting's value in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{in_words(key)} {_in_words(item)}" for key, item in value.items())
        case list():
            return ", ".join(map(_in_words, value))
        case _:
            return in_words(str(value))
