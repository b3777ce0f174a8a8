"""The definitions of FHIR R4 (4.0.1): each element's type, which field policies may use as a name.

In addition to its path (``Patient.contact.name.family``), a value in a resource has these names,
most specific first: its element in the type that defines it (``HumanName.family``), the type it is
part of (``HumanName``), and its own type (``string``). What a reference says about a person is in
``PersonReference``. The table is compiled from the structure definitions; ``data/README.md`` says
how.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

_FILE = "fhir_r4.json.gz"
_PEOPLE = frozenset(("Patient", "Practitioner", "PractitionerRole", "RelatedPerson", "Person"))
_TARGET = re.compile(r"(?:^|/)([A-Z][A-Za-z]+)/[^/]+(?:/_history/[^/]+)?\Z")
_PARTS_OF_NAMES = {
    "humanname-fathers-family": "HumanName.family",
    "humanname-mothers-family": "HumanName.family",
    "humanname-own-name": "HumanName.family",
    "humanname-partner-name": "HumanName.family",
    "patient-mothersMaidenName": "HumanName.text",
}
"""Extensions that contain part of a name, by the end of their URL, with the element they are treated like."""
_SUBJECT = frozenset(("subject", "patient", "beneficiary", "individual"))


@dataclass(frozen=True, slots=True)
class Definitions:
    """The elements of each type, with their types.

    Attributes:
        types: for each type, the type it is based on and its own elements.
    """

    types: Mapping[str, tuple[str, Mapping[str, str]]]

    def element(self, type: str, name: str) -> tuple[str, str]:
        """Return the type that defines an element, and the element's type; empty if unknown."""
        if name.startswith("_") and self.element(type, name[1:])[0]:
            return type, "Element"
        while type in self.types:
            base, elements = self.types[type]
            if name in elements:
                return type, elements[name]
            type = base
        return "", ""

    def is_resource(self, type: str) -> bool:
        """Return whether a type is a resource type."""
        while type in self.types:
            if type == "Resource":
                return True
            type = self.types[type][0]
        return False

    def names(self, type: str, name: str, value: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
        """Return a member's names in addition to its path, and the type of its value.

        Args:
            type: the object's type; empty if unknown.
            name: the member's name.
            value: the object, if it is a reference or an extension.
        """
        if name == "resourceType" and self.is_resource(type):
            return ("code",), "code"
        owner, element = self.element(type, name)
        if not owner:
            return (), ""
        special: tuple[str, ...] = ()
        if type == "Reference" and _names_person(value):
            special = (f"PersonReference.{name}",)
        elif type == "Extension" and name.startswith("value"):
            part = _PARTS_OF_NAMES.get(str(value.get("url", "")).rpartition("/")[2])
            special = () if part is None else (part,)
        return (*special, f"{owner}.{name}", type, element), element


@cache
def definitions() -> Definitions:
    """Return the shipped definitions."""
    data = resources.files("tacenda").joinpath("data").joinpath(_FILE).read_bytes()
    return Definitions(json.loads(gzip.decompress(data)))


def _names_person(reference: Mapping[str, Any]) -> bool:
    """Return whether a reference may be to a person, which it isn't if another type is given."""
    match = _TARGET.search(str(reference.get("reference", "")))
    type = match[1] if match else str(reference.get("type", ""))
    return not type or type in _PEOPLE


def patient(type: str, path: tuple[str, ...], value: Mapping[str, Any]) -> str:
    """Return the id of the patient that an object is, or has as its subject; empty if none.

    Args:
        type: of the object.
        path: the object's path.
        value: the object.
    """
    if type == "Patient":
        return str(value.get("id", ""))
    reference = str(value.get("reference", ""))
    if type == "Reference" and path[-1] in _SUBJECT and "Patient/" in reference:
        return reference.rpartition("Patient/")[2].partition("/")[0]
    return ""
