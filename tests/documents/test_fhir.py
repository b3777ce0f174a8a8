"""FHIR R4: what the definitions say of an element decides on it; resources stay resources, in JSON and in XML."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import pytest

from tacenda.documents.fhir import definitions
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.running_numbers import RunningNumbers
from tests.documents.test_rows_planted import folded
from tests.examples import for_each

from .building_records import rewritten

XHTML = "http://www.w3.org/1999/xhtml"
PATIENT: dict[str, Any] = {
    "resourceType": "Patient", "id": "pat-4711",
    "meta": {"versionId": "3", "lastUpdated": "2019-05-02T10:11:12.239+02:00",
             "source": "https://his.example/malmberg"},
    "text": {"status": "generated", "div": f'<div xmlns="{XHTML}"><p>Ottilie <b>Malmberg</b>, born 1974<br/></p></div>'},
    "identifier": [{"system": "urn:oid:1.2", "value": "MRN-88123", "period": {"start": "2001-02"}}],
    "name": [{"use": "official", "family": "Malmberg", "given": ["Ottilie", "Sofia"], "prefix": ["Dr."]},
             {"text": "Tilly Malmberg"}],
    "telecom": [{"system": "phone", "value": "+46 8 123 456 78"}, {"system": "email", "value": "ottilie@malmberg.se"}],
    "gender": "female", "birthDate": "1974-03-05",
    "_birthDate": {"extension": [{"url": "http://x.org/time", "valueDateTime": "1974-03-05T14:35:45-05:00"}]},
    "deceasedBoolean": False, "multipleBirthInteger": 2,
    "address": [{"use": "home", "line": ["Storgatan 5"], "city": "Uppsala", "postalCode": "75331", "country": "SE"}],
    "photo": [{"contentType": "image/png", "data": "R2FsaXA="}],
    "contact": [{"name": {"family": "Lindkvist", "given": ["Bo"]}, "telecom": [{"value": "bo@lindkvist.se"}]}],
    "generalPractitioner": [{"reference": "Practitioner/prac-9", "display": "Dr Greta Hallonqvist"}],
    "managingOrganization": {"reference": "Organization/org-1", "display": "Ward 3"},
    "contained": [{"resourceType": "RelatedPerson", "id": "r1", "patient": {"reference": "Patient/pat-4711"},
                   "name": [{"family": "Malmberg", "given": ["Egon"]}], "birthDate": "1999"}],
}  # fmt: skip
OBSERVATION: dict[str, Any] = {
    "resourceType": "Observation", "id": "obs-1", "status": "final",
    "code": {"coding": [{"system": "http://loinc.org", "code": "8310-5", "display": "Body temperature"}]},
    "subject": {"reference": "Patient/pat-4711", "display": "Ottilie Malmberg"},
    "effectiveDateTime": "2019-05-12", "issued": "2019-05-12T08:00:00Z",
    "valueQuantity": {"value": 37.20, "unit": "C", "system": "http://unitsofmeasure.org", "code": "Cel"},
    "note": [{"authorString": "Greta Hallonqvist", "time": "2019-05-12", "text": "Hallonqvist saw Ms Malmberg."}],
}  # fmt: skip
BUNDLE: dict[str, Any] = {
    "resourceType": "Bundle", "id": "b1", "type": "transaction", "timestamp": "2020-01-01T00:00:00Z",
    "link": [{"relation": "self", "url": "https://x.org/Patient?name=malmberg"}],
    "entry": [
        {"fullUrl": "https://x.org/Patient/pat-4711", "resource": PATIENT, "request": {"method": "PUT", "url": "Patient/pat-4711"}},
        {"fullUrl": "urn:uuid:2b1f", "resource": OBSERVATION},
        {"resource": {"resourceType": "DocumentReference", "status": "current", "subject": {"reference": "Patient/pat-4711"},
                      "content": [{"attachment": {"contentType": "text/plain", "title": "Letter to malmberg",
                                                  "data": "T3R0aWxpZSBNYWxtYmVyZw==", "url": "https://x.org/m"}}]}},
    ],
}  # fmt: skip
PLANTED = (
    "malmberg", "ottilie", "tilly", "lindkvist", "hallonqvist", "storgatan", "uppsala", "75331", "88123",
    "4711", "123456", "prac9", "19740305", "t3r0awxpzs", "20190502", "20190512", "2b1f",
)  # fmt: skip


def fhir(**rules: Any) -> Fields:
    """Return the shipped policy, perhaps with further rules, in a run of its own under one key."""
    policy = FieldPolicy.load("fhir")
    more = FieldPolicy.model_validate({"fields": rules}).fields
    return Fields(
        policy.model_copy(update={"fields": {**policy.fields, **more}}),
        "fhir",
        RunningNumbers(),
        bytes(32),
    )


def written(
    source: str, format: str = "json", fields: Fields | None = None
) -> tuple[str, list[str]]:
    """Return a file sanitized without a recognizer, and what failed."""
    data, faults = rewritten(source, format, fields or fhir())
    return data.decode(), faults


def _resources(value: Any) -> Any:
    """Yield the resources in a value."""
    if isinstance(value, dict):
        if "resourceType" in value:
            yield value
        for inner in value.values():
            yield from _resources(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _resources(inner)


def assert_gone(text: str) -> None:
    """Nothing planted is left, as it stands or decoded."""
    letters = folded(text)
    assert [planted for planted in PLANTED if planted in letters] == []


@pytest.mark.parametrize("indent", [None, 2])
def test_nothing_personal_of_a_bundle_survives(indent: int | None) -> None:
    """Names, addresses, numbers, dates, attachments, references, narratives."""
    output, faults = written(json.dumps(BUNDLE, indent=indent))
    assert not faults
    assert_gone(output)
    again = json.loads(output)
    observation = again["entry"][1]["resource"]
    assert observation["valueQuantity"] == OBSERVATION["valueQuantity"]
    assert observation["code"] == OBSERVATION["code"]
    assert again["entry"][0]["resource"]["gender"] == "female"
    assert again["entry"][0]["resource"]["managingOrganization"]["display"] == "Ward 3"


def test_an_unknown_element_is_named_with_its_line() -> None:
    """By its whole path, since a resource has its treatments by types: the resource is no field to be listed."""
    item = {
        **OBSERVATION,
        "myExt": "x",
        "component": [{"code": {"text": "Sodium"}, "other": {"deep": 1}}],
    }
    _, (fault,) = written(json.dumps(item, indent=1))
    line = json.dumps(item, indent=1).split('"myExt"')[0].count("\n") + 1
    assert f"line {line}: fhir has no treatment for 2 fields " in fault
    assert "(Observation.myExt,Observation.component.other.deep)" in fault
    rules = {"Observation.myExt": "keep", "Observation.component.other.deep": "keep"}
    assert written(json.dumps(item), fields=fhir(**rules))[1] == []


def test_ids_and_references_agree_in_bulk_lines() -> None:
    """Each line is a resource; ids are ids of FHIR, and a patient's dates move together."""
    lines = "".join(json.dumps(item) + "\n" for item in (PATIENT, OBSERVATION))
    output, faults = written(lines, "jsonl")
    assert not faults
    assert_gone(output)
    patient, observation = map(json.loads, output.splitlines())
    assert re.fullmatch(r"[A-Za-z0-9\-.]{1,64}", patient["id"])
    assert observation["subject"]["reference"] == f"Patient/{patient['id']}"
    assert patient["contained"][0]["patient"]["reference"] == f"Patient/{patient['id']}"
    updated = date.fromisoformat(patient["meta"]["lastUpdated"][:10])
    assert (date.fromisoformat(observation["effectiveDateTime"]) - updated).days == 10
    assert patient["birthDate"] == "1974"
    assert re.fullmatch(r"\d{4}-\d{2}", patient["identifier"][0]["period"]["start"])


def test_dates_stay_in_the_forms_of_fhir() -> None:
    """An instant has its seconds and its zone, a date its precision."""
    output, _ = written(json.dumps(BUNDLE))
    form = re.compile(r"\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?)?)?")
    instant = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")
    again = json.loads(output)
    patient = again["entry"][0]["resource"]
    for value in (again["timestamp"], patient["meta"]["lastUpdated"]):
        assert instant.fullmatch(value)
    assert patient["meta"]["lastUpdated"].endswith("T10:11:12.239+02:00")
    assert form.fullmatch(patient["_birthDate"]["extension"][0]["valueDateTime"])


def test_a_narrative_stays_xhtml() -> None:
    """It parses, has its elements, and escapes what was written into it."""
    output, _ = written(json.dumps(PATIENT))
    root = ElementTree.fromstring(json.loads(output)["text"]["div"])
    assert [element.tag.rpartition("}")[2] for element in root.iter()] == ["div", "p", "b", "br"]


def test_every_element_of_the_definitions_has_a_treatment() -> None:
    """None is forgotten: whatever a valid resource has, somebody has thought of its type."""
    fields, table = fhir(), definitions()
    for type, (_, elements) in table.types.items():
        for name, value in elements.items():
            names, _ = table.names(type, name, {})
            if value not in table.types and fields.rule((type, name), *names) is None:
                assert value in ("str", ""), f"{type}.{name}: {value}"


@pytest.mark.parametrize("member", [{"fhir_comments": ["Malmberg"]}, {"nickname": "Tilly"}])
def test_what_the_definitions_do_not_know_is_refused(member: dict[str, Any]) -> None:
    """One such resource fails, with the name of the field alone; the others are done."""
    lines = json.dumps(PATIENT | member) + "\n" + json.dumps(OBSERVATION) + "\n"
    output, faults = written(lines, "jsonl")
    assert len(output.splitlines()) == 1
    (fault,) = faults
    assert "stdin:1" in fault
    assert "Malmberg" not in fault
    unknown = '{"resourceType": "Malmberg", "id": "x"}'
    assert len(written(unknown)[1]) == 1


def test_a_resource_without_personal_data_stays_to_the_byte() -> None:
    """Codes, measures, canonical addresses: their digits and spacing too."""
    source = (
        '{ "resourceType" : "Observation", "status":"final", "code": {"coding": [{"system":'
        '"http://loinc.org", "code" : "8310-5", "display": "Body temperature"}]},\n'
        ' "valueQuantity": {"value": 37.20, "comparator": "<"}, "text": {"status": "generated",'
        f'"div": "<div xmlns=\\"{XHTML}\\">Warm &amp; well<br/></div>"' + "}}\n"
    )
    assert written(source) == (source, [])


def test_a_path_goes_before_a_type() -> None:
    """What a user says of one element holds beside the shipped policy."""
    fields = fhir(**{"Patient.gender": "drop", "Patient.address.country": "keep"})
    output, faults = written(json.dumps(PATIENT), fields=fields)
    assert not faults
    patient = json.loads(output)
    assert "gender" not in patient
    assert patient["address"] == [{"country": "SE"}]


# The same in XML (FHIR R4, section 2.6.1).


def in_xml(resource: dict[str, Any], head: str = ' xmlns="http://hl7.org/fhir"') -> str:
    """Return the XML of a resource, without white space between elements."""
    name = resource["resourceType"]
    members = {key: value for key, value in resource.items() if key != "resourceType"}
    return f"<{name}{head}>{_members(members)}</{name}>"


def _members(members: dict[str, Any]) -> str:
    parts = []
    for key, value in members.items():
        if key.startswith("_"):
            continue
        for item in value if isinstance(value, list) else [value]:
            inner = members.get(f"_{key}")
            if isinstance(item, dict) and "resourceType" in item:
                parts.append(f"<{key}>{in_xml(item, '')}</{key}>")
            elif key == "div":
                parts.append(item)
            elif isinstance(item, dict):
                own = "".join(f" url={quoteattr(item[k])}" for k in ("url",) if key == "extension")
                rest = {k: v for k, v in item.items() if k != "url" or key != "extension"}
                parts.append(f"<{key}{own}>{_members(rest)}</{key}>")
            else:
                said = str(item).lower() if isinstance(item, bool) else str(item)
                parts.append(f"<{key} value={quoteattr(said)}>{_members(inner or {})}</{key}>")
    return "".join(parts)


def canonical(source: str) -> str:
    """Return XML in its canonical form."""
    return ElementTree.canonicalize(source)


@pytest.mark.parametrize(
    "resource", [BUNDLE, PATIENT, OBSERVATION], ids=lambda item: item["resourceType"]
)
def test_xml_says_what_json_says(resource: dict[str, Any]) -> None:
    """The same definitions decide on the same elements, and name them alike."""
    output, faults = written(in_xml(resource), "xml")
    assert not faults
    assert_gone(output)
    plain, _ = written(json.dumps(resource))
    assert canonical(output) == canonical(in_xml(json.loads(plain, parse_float=str)))


def test_a_resource_in_xml_without_personal_data_stays_to_the_byte() -> None:
    """With its comments, its schema, its narrative and its white space."""
    source = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Observation xmlns="http://hl7.org/fhir" xmlns:xsi='
        '"http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://hl7.org/fhir ../observation.xsd">\n'
        f'  <text><status value="generated"/><div xmlns="{XHTML}">Warm &amp; <b>well</b><br/></div></text>\n'
        "  <!-- measured -->\n  <status value = 'final'/><valueQuantity><value value=\"37.20\"/>"
        '<comparator value="&lt;"/></valueQuantity>\n</Observation>\n'
    )
    assert written(source, "xml") == (source, [])


@for_each(
    "inner",
    [
        '<nickname value="Tilly Malmberg"/>',
        '<name value="Malmberg"/>',
        '<gender value="female">Malmberg</gender>',
        '<gender value="female" who="Malmberg"/>',
        f'<text><div xmlns="{XHTML}"><![CDATA[Malmberg]]></div></text>',
        f'<text><div xmlns="{XHTML}"><style/>Malmberg</div></text>',
    ],
)
def test_what_no_resource_in_xml_has_is_refused(inner: str) -> None:
    """Unknown elements and attributes, text between them, sections in a narrative."""
    output, faults = written(f'<Patient xmlns="http://hl7.org/fhir">{inner}</Patient>', "xml")
    assert output == ""
    (fault,) = faults
    assert "Malmberg" not in fault


@pytest.mark.parametrize(
    "narrative",
    [
        '<div xmlns="{x}"><p id="Malmberg" title="of Malmberg">x</p><a href="/malmberg">y</a></div>',
        '<div xmlns="{x}" class="malmberg"/>',
        '<div xmlns="{x}"><!-- Malmberg -->Mal<i>mberg</i></div>',
    ],
)
def test_a_name_is_nowhere_in_a_narrative(narrative: str) -> None:
    """Neither in attributes nor in comments; and it is XHTML still."""
    name = '<name><family value="Malmberg"/></name>'
    source = f'<Patient xmlns="http://hl7.org/fhir"><text>{narrative.format(x=XHTML)}</text>{name}</Patient>'
    output, faults = written(source, "xml")
    assert not faults
    ElementTree.fromstring(output)
    assert "malmberg" not in folded(output)


def _patient(note: str, *names: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a patient of these names with a narrative."""
    div = f'<div xmlns="{XHTML}"><p>{note}</p></div>'
    text = {"status": "generated", "div": div}
    named = {"name": list(names)} if names else {}
    return {"resourceType": "Patient", "id": "p1", "text": text, **named, **more}


def _extension(name: str, value: str) -> dict[str, Any]:
    url = f"http://hl7.org/fhir/StructureDefinition/{name}"
    return {"extension": [{"url": url, "valueString": value}]}


def _in_xml(name: str, value: Any) -> str:
    """Return a member of a resource as XML."""
    if isinstance(value, list):
        return "".join(_in_xml(name, item) for item in value)
    if name == "div":
        return str(value)
    if not isinstance(value, dict):
        return f"<{name} value={quoteattr(value)}/>"
    url = f" url={quoteattr(value['url'])}" if "url" in value else ""
    inner = "".join(_in_xml(key, item) for key, item in value.items() if key != "url")
    return f"<{name.lstrip('_')}{url}>{inner}</{name.lstrip('_')}>"


@for_each("format", ["json", "xml"])
@for_each(
    ("note", "names", "more"),
    [
        ("Mr. Abbott774 came, Aaron697 left.", [{"family": "Abbott774", "given": ["Aaron697"]}], {}),
        ("Li22 and Abbott774.", [{"given": ["Li22"]}, {"family": "Abbott774"}], {}),
        ("A. Malmberg and omalmberg87", [{"given": ["Ottilie", "Anna"]}, {"family": "Malmberg"}], {}),
        ("Ms Malmberg, called Ottilie", [{"given": ["Ottilie"], "_family": _extension("humanname-own-name", "Malmberg")}], {}),
        ("Her mother was a Malmberg, Greta.", [], _extension("patient-mothersMaidenName", "Greta Malmberg")),
    ],
)  # fmt: skip
def test_a_name_is_gone_however_its_parts_are_spread(
    note: str, names: list[dict[str, Any]], more: dict[str, Any], format: str
) -> None:
    """With numbers in it, over two names of one patient, in an extension."""
    source = _patient(note, *names, **more)
    text = json.dumps(source)
    if format == "xml":
        inner = "".join(_in_xml(k, v) for k, v in source.items() if k != "resourceType")
        text = f'<Patient xmlns="http://hl7.org/fhir">{inner}</Patient>'
    output, faults = written(text, format)
    assert not faults
    letters = folded(output)
    for part in ("malmberg", "ottilie", "abbott", "aaron", "li22", "greta"):
        assert part not in letters
