"""Items from a full Wikidata JSON dump, streamed: memory holds one entity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..wikidata_json import entities, item_of, open_dump
from .item import PROPERTIES, Item


def read_dump(dump: str, least_links: int, progress: Callable[[], None]) -> Iterator[Item]:
    """Yield the items with an English label, in the order of the dump.

    Args:
        dump: path of the dump, plain or .gz or .bz2.
        least_links: of how many Wikipedias an item must have an article; classes are yielded
            whatever they have, since they are not named but written.
        progress: called after each entity.

    Raises:
        InputError: if the dump can't be read or a line is not an entity.
    """
    with open_dump(dump) as lines:
        for entity in entities(lines, dump):
            progress()
            item = _item(entity)
            if item is not None and (item.links >= least_links or "P279" in item.statements):
                yield item


def _item(entity: dict[str, Any]) -> Item | None:
    label = (entity.get("labels") or {}).get("en")
    if label is None or not entity["id"].startswith("Q"):
        return None
    aliases = (entity.get("aliases") or {}).get("en", ())
    description = (entity.get("descriptions") or {}).get("en", {"value": ""})
    return Item(
        entity["id"],
        label["value"],
        tuple(alias["value"] for alias in aliases),
        description["value"],
        _statements(entity),
        sum(site.endswith("wiki") for site in entity.get("sitelinks") or {}),
    )


def _statements(entity: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the values of `PROPERTIES`, the preferred ones alone where there are any."""
    found = {}
    # Wikidata writes an entity without statements as [] instead of {}.
    claims = entity.get("claims") or {}
    for property in PROPERTIES:
        statements = [each for each in claims.get(property, ()) if each["rank"] != "deprecated"]
        preferred = [each for each in statements if each["rank"] == "preferred"]
        values = [item_of(each["mainsnak"]) for each in preferred or statements]
        if known := tuple(value for value in values if value is not None):
            found[property] = known
    return found
