"""Headers according to the Basic Application Level Confidentiality Profile (DICOM PS3.15, Annex E).

The action for each attribute is in ``data/dicom_profile.tsv``. If there are several (``X/Z/D``),
the last one is taken, which suits every kind of object. Beyond the table, attributes that aren't in
the dictionary are removed, unlisted names and dates are emptied, identifiers are replaced, and
masked strings are struck out of everything that stays.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import cache

from pydicom import config
from pydicom.datadict import dictionary_has_tag
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.multival import MultiValue
from pydicom.sequence import Sequence
from pydicom.uid import PYDICOM_IMPLEMENTATION_UID, ExplicitVRLittleEndian

from ..._version import __version__
from ...shipped import shipped_text
from ..names import NameScrubber

# Values in other programs' files are often invalid; what stays is written unchanged.
config.settings.reading_validation_mode = config.IGNORE
config.settings.writing_validation_mode = config.IGNORE

_ANONYMIZED = "ANONYMIZED"
_DUMMIES: dict[str, str | bytes] = dict.fromkeys("AE LO LT PN SH ST UC UT".split(), _ANONYMIZED)
_DUMMIES |= {"AS": "000Y", "DA": "19000101", "DT": "19000101000000", "TM": "000000"}
_DUMMIES |= {"CS": _ANONYMIZED, "UR": "urn:anonymized", "OB": b"\0\0"}
"""Replacement values by value representation (PS3.5, 6.2)."""
_TEXTS = frozenset("AE CS LO LT SH ST UC UR UT".split())
_CURVES, _OVERLAYS = range(0x5000, 0x5100), range(0x6000, 0x6100)
_PIXELS = frozenset((0x7FE00008, 0x7FE00009, 0x7FE00010))
_PATIENT_ID = 0x00100020
_BASIC = ("113100", "Basic Application Confidentiality Profile")
_CLEAN_PIXELS = ("113101", "Clean Pixel Data Option")
"""Codes from PS3.16, CID 7050."""
_UUID_ROOT = "2.25."
"""Prefix of identifiers that consist of 128 bits (PS3.5, B.2)."""
_STANDARD_ROOT = "1.2.840.10008."
_CLASSES = ("SOPClass", "TransferSyntax")
"""Words in the keywords of identifiers that name kinds of objects."""
_NAMES_AND_DATES = frozenset("PN DA DT TM".split())


@cache
def actions() -> dict[int, str]:
    """Return the action for each attribute in the table: ``X``, ``Z``, ``D`` or ``U``."""
    rows = (line.split("\t") for line in shipped_text("dicom_profile.tsv").splitlines())
    return {int(row[0], 16): row[1].rstrip("*")[-1] for row in rows if not row[0].startswith("#")}


class Deidentifier:
    """Applies the profile in one run.

    Args:
        key: key for pseudonyms; under one key, equal values have equal pseudonyms.
        forms: the masked strings.
    """

    def __init__(self, key: bytes, forms: NameScrubber) -> None:
        self._key = key
        self._forms = forms

    def apply(self, dataset: Dataset, *, cleaned_pixels: bool) -> None:
        """Change the attributes of a file, and record in it that this was done.

        Args:
            dataset: the file's whole data set.
            cleaned_pixels: whether its pixels were read and everything unreadable was covered.
        """
        self._clean(dataset, is_dummy=False, is_nested=False)
        codes = (_BASIC, _CLEAN_PIXELS) if cleaned_pixels else (_BASIC,)
        _set(
            dataset,
            PatientIdentityRemoved="YES",
            DeidentificationMethod=[f"tacenda {__version__}", "DICOM PS3.15 2026c Annex E"],
            DeidentificationMethodCodeSequence=Sequence(_code(*each) for each in codes),
            LongitudinalTemporalInformationModified="REMOVED",
        )
        if cleaned_pixels:
            _set(dataset, BurnedInAnnotation="NO")

    def _clean(self, dataset: Dataset, *, is_dummy: bool, is_nested: bool) -> None:
        """Change the attributes of a data set.

        Args:
            dataset: the file, or an item of a sequence.
            is_dummy: whether all its text is replaced.
            is_nested: whether it is an item of a sequence.
        """
        for tag in list(dataset.keys()):
            element = dataset[tag]
            number, vr = int(tag), element.VR
            action = actions().get(number, "")
            if _is_foreign(number) or action == "X" or (is_nested and number in _PIXELS):
                del dataset[tag]
            elif vr == "SQ":
                if action == "Z":
                    element.value = Sequence()
                for item in element.value:
                    self._clean(item, is_dummy=is_dummy or action == "D", is_nested=True)
            elif action == "Z" or (vr in _NAMES_AND_DATES and not action):
                element.value = ""
            elif vr == "UI" and not any(word in element.keyword for word in _CLASSES):
                element.value = _each(element, self._uid)
            elif action == "D" or (is_dummy and vr in _DUMMIES):
                self._replace(dataset, element)
            elif vr == "UN":
                del dataset[tag]
            elif vr in _TEXTS:
                element.value = _each(element, self._forms.redact)

    def _replace(self, dataset: Dataset, element: DataElement) -> None:
        """Replace a value with a meaningless one, or a patient's number with its pseudonym."""
        if int(element.tag) == _PATIENT_ID:
            element.value = f"ID{self._digest(str(element.value)):032x}"[:14].upper()
        elif element.VR in _DUMMIES:
            element.value = _DUMMIES[element.VR]
        else:
            del dataset[element.tag]

    def _uid(self, value: str) -> str:
        """Return the replacement for a UID; the standard's own UIDs stay."""
        if value.startswith(_STANDARD_ROOT):
            return value
        return f"{_UUID_ROOT}{self._digest(value)}"

    def _digest(self, value: str) -> int:
        digest = hmac.digest(self._key, value.strip().encode("utf-8", "replace"), "sha256")
        return int.from_bytes(digest[:16], "big")


def _is_foreign(tag: int) -> bool:
    """Return whether an attribute is private or unknown, belongs to a curve or overlay, or is only a length."""
    group = tag >> 16
    is_drawn = group in _CURVES or group in _OVERLAYS
    return is_drawn or tag & 0xFFFF == 0 or not dictionary_has_tag(tag)


def _each(element: DataElement, change: Callable[[str], str]) -> str | list[str]:
    """Return a changed value, or each of several values changed."""
    if isinstance(element.value, MultiValue):
        return [change(str(each)) for each in element.value]
    return change(str(element.value)) if element.value else ""


def _code(value: str, meaning: str) -> Dataset:
    return _set(Dataset(), CodeValue=value, CodingSchemeDesignator="DCM", CodeMeaning=meaning)


def _set(dataset: Dataset, **values: object) -> Dataset:
    """Set attributes by their keywords."""
    for keyword, value in values.items():
        setattr(dataset, keyword, value)
    return dataset


def names_and_codes(dataset: Dataset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of people in a header, and the numbers that identify the patient."""
    names: dict[str, None] = {}
    codes: dict[str, None] = {}

    def look(_: Dataset, element: DataElement) -> None:
        values = element.value if isinstance(element.value, MultiValue) else [element.value]
        if element.VR == "PN":
            # Family, given and middle name, prefix and suffix; ideographic and phonetic spellings (PS3.5, 6.2.1).
            for spelling in "=".join(map(str, values)).split("="):
                family, given, *_ = [*spelling.split("^"), ""]
                name = " ".join(f"{given} {family}".split())
                if any(map(str.isalpha, name)):
                    names[name] = None
        elif element.keyword in _CODES:
            codes.update((str(each).strip(), None) for each in values if _tells(str(each)))

    dataset.walk(look)
    return tuple(names), tuple(codes)


_CODES = frozenset("PatientID OtherPatientIDs AccessionNumber StudyID AdmissionID".split())
_SHORTEST_CODE = 4


def _tells(code: str) -> bool:
    return len(code.strip()) >= _SHORTEST_CODE and any(map(str.isdigit, code))


def replace_meta(dataset: Dataset) -> None:
    """Write a new file meta header: class, instance UID and byte order."""
    dataset.file_meta = _set(
        FileMetaDataset(),
        MediaStorageSOPClassUID=str(dataset.get("SOPClassUID", "")),
        MediaStorageSOPInstanceUID=str(dataset.get("SOPInstanceUID", "")),
        TransferSyntaxUID=ExplicitVRLittleEndian,
        ImplementationClassUID=PYDICOM_IMPLEMENTATION_UID,
    )
    dataset.preamble = bytes(128)
