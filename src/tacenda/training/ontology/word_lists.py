"""Things from word lists (dariusk/corpora): companies, newspapers, diseases, drugs, occupations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import InputError
from .hierarchy import Hierarchy
from .thing import Thing

_FILES = {
    "corporations/fortune500.json": ("company", False),
    "corporations/nasdaq.json": ("company", False),
    "corporations/djia.json": ("company", False),
    "corporations/cars.json": ("car manufacturer", False),
    "corporations/charities.json": ("nonprofit organization", False),
    "corporations/newspapers.json": ("newspaper", False),
    "governments/us_federal_agencies.json": ("government agency", False),
    "governments/uk_political_parties.json": ("political party", False),
    "medicine/hospitals.json": ("hospital", False),
    "medicine/infectious_diseases.json": ("infectious disease", True),
    "medicine/cancer.json": ("cancer", True),
    "medicine/drugs.json": ("drug", False),
    "medicine/symptoms.json": ("symptom", True),
    "humans/occupations.json": ("profession", True),
    "humans/obsolete-occupations.json": ("profession", True),
    "religion/religions.json": ("religion", False),
}
_NOTES = frozenset(("description", "source", "sources", "url", "license", "symbol", "credits"))
_WEIGHT = 4.7


def read_lists(hierarchy: Hierarchy, folder: Path) -> Iterator[Thing]:
    """Yield the things of the lists.

    Raises:
        InputError: if a list is missing or is not JSON.
    """
    for file, (key, common) in _FILES.items():
        for number, name in enumerate(_strings(_load(folder / file))):
            yield Thing((name,), (key,), _WEIGHT, f"{file}:{number}", common=common)
    for number, path in enumerate(_load(folder / "medicine/diseases.json")["diseases"]):
        # From general to special: leukocyte disease, leukopenia, lymphopenia.
        key = "disease"
        for name in path[:-1]:
            key = hierarchy.add(f"disease:{name}", name, [key], f"medicine/diseases.json:{number}")
        yield Thing((path[-1],), (key,), _WEIGHT, f"medicine/diseases.json:{number}", common=True)


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read as a JSON list of words ({error}).", str(path)) from error


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in _NOTES:
                yield from _strings(item)
