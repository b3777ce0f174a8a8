"""XML by element and attribute: out as it came in, but for who is in it; bombs are refused."""

from __future__ import annotations

import io
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.running_numbers import RunningNumbers
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.documents.test_rows_planted import SPELLINGS, assert_gone
from tests.examples import for_each

from .building_records import rewritten

NAME = "Galip Yalman"
SANITIZER = Sanitizer(Policy(recognizer=False, threshold=0.5, target=(NAME,)), None, 0.5)
ALL_TEXT = {"nothing": "text"}


def policy(rules: dict[str, Any] = ALL_TEXT, unlisted: str = "text") -> Fields:
    """Return a field policy as of a file."""
    chosen = FieldPolicy.model_validate({"unlisted": unlisted, "fields": rules})
    return Fields(chosen, "f.yaml", RunningNumbers())


def written(source: str | bytes, fields: Fields | None = None) -> tuple[bytes, list[str]]:
    """Return a file without one person, and the messages of what failed."""
    return rewritten(source, "xml", fields or policy(), SANITIZER)


@for_each(
    "source",
    [
        '<?xml version="1.0" encoding="UTF-8"?>\r\n<!DOCTYPE a SYSTEM "a.dtd">\n<a  x = "1"\ty=\'"\'><b/>  <c>é &amp; &#x41;</c>\n</a >\n',
        "<a><![CDATA[ <not> & so ]]]]><![CDATA[> ]]></a>",
        "\ufeff<a><!-- so -- it -->".replace(" -- ", " - ") + "<?php echo 1 ?></a>\n\n",
        '<?xml version="1.0"?>\n<!-- so it is -->\n<?x y?>\n<!DOCTYPE a PUBLIC "-//X//A" "a>b.dtd" [\n<!ELEMENT a (b|c)*>\n]>\n'
        "<a>x<!-- and so -->y</a>\n<!-- so it was -->\n<?x z?>\n",
        '<h:a xmlns:h="urn:x"><h:b h:c="d &lt; e">one <i>two</i> three &gt; four</h:b></h:a>',
        "<a>]]&gt;</a>", "<a/>",
    ],
)  # fmt: skip
def test_what_nobody_is_in_comes_back_to_the_byte(source: str) -> None:
    """Quotes, references, sections, line ends, instructions, a byte order mark."""
    assert written(source) == (source.encode(), [])


def test_encodings_that_are_declared_stay() -> None:
    """The file comes back in its own, with references for what it can't write."""
    source = '<?xml version="1.0" encoding="iso-8859-1"?><a>Blåbär, by Galip Yalman</a>'
    output, faults = written(source.encode("latin-1"), policy({"a": "identifier"}))
    assert not faults
    assert output.decode("latin-1").endswith("<a>[ID 1]</a>")
    output, _ = written(source.encode("latin-1"))
    assert output.decode("latin-1").startswith(source[:-21])
    source = source.replace("iso-8859-1", "utf-16")
    output, faults = written(source.encode("utf-16"))
    assert not faults
    assert output.decode("utf-16").endswith("<a>Blåbär, by [PERSON 1]</a>")
    (fault,) = written(source.replace("utf-16", "klingon"))[1]
    assert "encoding" in fault


PLACES = {
    "text": "<r><a>{}</a><n>Galip Yalman</n></r>",
    "attribute": "<r><a b=\"{}\"/><n>Galip Yalman</n></r>",
    "attribute in single quotes": "<r><a b='{}'/><n>Galip Yalman</n></r>",
    "section": "<r><a><![CDATA[{}]]></a><n>Galip Yalman</n></r>",
    "comment": "<r><!-- {} --><n>Galip Yalman</n></r>",
    "instruction": "<r><?x {} ?><n>Galip Yalman</n></r>",
    "comment before the root": "<?xml version='1.0'?>\n<!-- {} -->\n<r><n>Galip Yalman</n></r>",
    "instruction before the root": "<?x {} ?>\n<r><n>Galip Yalman</n></r>",
    "comment after the root": "<r><n>Galip Yalman</n></r>\n<!-- {} -->",
    "doctype": "<!DOCTYPE r SYSTEM '{}.dtd'>\n<r><n>Galip Yalman</n></r>",
    "doctype comment": "<!DOCTYPE r [<!-- {} ]> -->]>\n<r><n>Galip Yalman</n></r>",
    "doctype instruction": "<!DOCTYPE r [<?x {}?>]>\n<r><n>Galip Yalman</n></r>",
    "doctype notation": "<!DOCTYPE r [<!NOTATION x SYSTEM '{}'>]>\n<r><n>Galip Yalman</n></r>",
    "entity": "<!DOCTYPE r [<!ENTITY x '{}'>]>\n<r>&x;<n>Galip Yalman</n></r>",
    "entity in an attribute": "<!DOCTYPE r [<!ENTITY x '{}'>]>\n<r y='&x;'><n>Galip Yalman</n></r>",
    "entity that is not used": "<!DOCTYPE r [<!ENTITY x SYSTEM 'a'><!ENTITY x '{}'>]>\n<r><n>Galip Yalman</n></r>",
    "default value": "<!DOCTYPE r [<!ATTLIST n x CDATA '{}'>]>\n<r><n>Galip Yalman</n></r>",
    "tail": "<r><a/>{}<n>Galip Yalman</n></r>",
    "namespace": "<r xmlns:x='urn:{}'><n>Galip Yalman</n></r>",
    "kept": "<r><keep>{}</keep><n>Galip Yalman</n></r>",
    "kept attribute": "<r><keep x=\"{}\"/><n>Galip Yalman</n></r>",
}  # fmt: skip


@for_each("place", PLACES)
def test_a_name_is_nowhere(place: str) -> None:
    """In each place, in each spelling; and the file is XML again."""
    for spelling in SPELLINGS:
        value = (
            spelling
            if place.startswith(("section", "comment", "instruction", "doctype"))
            else spelling.replace("&", "&amp;")
        )
        output, faults = written(PLACES[place].format(value), policy({"r.keep": "keep"}))
        assert not faults
        ElementTree.fromstring(output)
        assert_gone(output.decode())


@pytest.mark.parametrize(
    "source",
    ["<!-- by {} -->\n<r><a>x</a></r>", "<?x by {}?>\n<r><a>x</a></r>", "<r><?x by {}?></r>"],
)
def test_comments_and_instructions_are_text(source: str) -> None:
    """A name that is nowhere else is gone."""
    output, faults = written(source.format("Galip Yalman"))
    assert not faults
    assert output.decode() == source.format("[PERSON 1]")


@pytest.mark.parametrize(
    "body",
    ["Galip <b>Yalman</b> came", "<b>Galip</b> <i>Yal</i>man", "Galip <!-- x -->Yalman", "Gal<![CDATA[ip Yal]]>man",
     "&#71;alip Yalm&#x61;n"],
)  # fmt: skip
def test_a_name_over_elements_is_gone(body: str) -> None:
    """Text with elements in its midst is read as one, also over sections and references."""
    output, faults = written(f"<r><p>x {body} y</p></r>")
    assert not faults
    assert_gone("".join(ElementTree.fromstring(output).itertext()))
    assert_gone(re.sub(r"<[^>]*>", "", output.decode()))


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("<r><GalipYalman>x</GalipYalman ><b/></r>", "<r><masked>x</masked ><b/></r>"),
        ('<p:Yalman xmlns:p="urn:p" a="1"/>', '<p:masked xmlns:p="urn:p" a="1"/>'),
        ('<r GalipYalman="1" p:Galip_Yalman="2" xmlns:p="urn:p"/>', '<r masked="1" p:masked-2="2" xmlns:p="urn:p"/>'),
        (
            '<yalman:r xmlns:yalman="urn:a" xmlns:q="urn:b" yalman:x="1" q:y="2" xml:lang="de"><galip:s xmlns:galip="urn:c"/></yalman:r>',
            '<masked1:r xmlns:masked1="urn:a" xmlns:q="urn:b" masked1:x="1" q:y="2" xml:lang="de"><masked3:s xmlns:masked3="urn:c"/></masked1:r>',
        ),
        ('<yalman:r xmlns:yalman="urn:a" xmlns:masked1="urn:b"/>', '<masked2:r xmlns:masked2="urn:a" xmlns:masked1="urn:b"/>'),
    ],
)  # fmt: skip
def test_an_element_or_attribute_with_a_masked_name_gets_another(source: str, output: str) -> None:
    """Begin and end alike, attributes of one element apart, and prefixes of namespaces, each unlike all others."""
    ElementTree.fromstring(output)
    assert written(source) == (output.encode(), [])


def test_an_attribute_in_a_text_is_read_behind_it() -> None:
    """Its value is not a part of the next word, nor of a name around it."""
    source = '<r><p><a href="u">Galip</a> <b c="d">Yal</b>man and <i>H</i>e</p><q e="f">z</q></r>'
    (record,) = documents.read("-", "xml", stdin=io.BytesIO(source.encode()), fields=policy())
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text.split() == ["Galip", "Yalman", "and", "He", "u", "d", "f", "z"]
    output, faults = written(source)
    assert not faults
    assert_gone("".join(ElementTree.fromstring(output).itertext()))


def test_every_treatment() -> None:
    """By paths of elements and attributes, prefixes aside."""
    source = (
        '<p:list xmlns:p="urn:p"><p:patient id="77012" sex="f"><first>Zofia</first><last>Kowalik</last>'
        "<born>1974-03-05</born><age>47</age><photo>QUJD</photo><note>z.kowalik@x.pl wrote</note></p:patient></p:list>"
    )
    rules = {
        "list.patient.@id": "identifier", "list.patient.@sex": "drop", "list.*.photo": "drop",
        "list.patient.first": {"treatment": "text", "name": "given"},
        "list.patient.last": {"treatment": "identifier", "name": "surname"},
        "list.patient.born": {"treatment": "date", "to": "year"}, "list.patient.age": "number", "list.patient.note": "text",
    }  # fmt: skip
    output, faults = written(source, policy(rules, "refuse"))
    assert not faults
    assert output.decode() == (
        '<p:list xmlns:p="urn:p"><p:patient id="[ID 1]"><first>[PERSON 1]</first><last>[ID 2]</last>'
        "<born>1974</born><age>40-49</age><note>[CODE 1] wrote</note></p:patient></p:list>"
    )


def test_what_is_not_listed_is_refused() -> None:
    """Elements and attributes, by their paths and without their values."""
    (fault,) = written("<r><a x='Secret'>Secret</a></r>", policy({"r.b": "keep"}, "refuse"))[1]
    assert "r.a.@x" in fault
    assert "Secret" not in fault
    source = '<!DOCTYPE r [<!ATTLIST r x CDATA "Secret">]><r/>'
    (fault,) = written(source, policy({"r.b": "keep"}, "refuse"))[1]
    assert "r.@x" in fault
    assert "Secret" not in fault
    (fault,) = written("<r/>", Fields())[1]
    assert "--fields" in fault


LAYERS = "".join(f"<!ENTITY b{n} '{f'&b{n - 1};' * 10}'>" for n in range(1, 12))
BOMB = f"<!DOCTYPE a [{LAYERS}<!ENTITY b0 'b'>]><a>&b11;</a>"
QUADRATIC = f"<!DOCTYPE a [<!ENTITY b '{'b' * 10_000}'>]><a>{'&b;' * 10_000}</a>"
LOOP = '<!DOCTYPE a [<!ENTITY b "&c;"><!ENTITY c "&b;">]><a>&b;</a>'
STAIRS = "".join(f"<!ENTITY b{n} '&b{n + 1};'>" for n in range(9_000))
DEEP = f"<!DOCTYPE a [{STAIRS}<!ENTITY b9000 ''>]><a>&b0;</a>"


@for_each(
    "source",
    [BOMB, QUADRATIC, LOOP, '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', '<!DOCTYPE a SYSTEM "x.dtd"><a>&b;</a>',
     "<a>", "<a></b>", "<a b='1' b='2'/>", "Secret", "", "<a>&b;</a>", "<a>" * 100_000, "<a>\x00</a>", "<a/><b/>",
     '<!DOCTYPE a [<!ENTITY % b "">%b;]><a/>', '<!DOCTYPE a [<!ENTITY b "&#xD800;&#0;">]><a>&b;</a>', DEEP,
     '<!DOCTYPE a [<![INCLUDE[<!ENTITY b "Secret">]]>]><a>&b;</a>', "<!DOCTYPE a [<!ENTITY b>]><a>&b;</a>", "<!DOCTYPE a [<!ATTLIST>]><a/>"],
)  # fmt: skip
def test_hostile_xml_is_an_error(source: str) -> None:
    """It names the file, and shows nothing of it."""
    output, faults = written(source)
    assert not output
    (fault,) = faults
    assert fault.startswith("stdin: ")
    assert "Secret" not in fault
    assert "root:" not in fault


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ('<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>', "<!DOCTYPE a []><a>bbbb</a>"),
        ("<!DOCTYPE a [<!ENTITY b '\"&#38;lt;'>]><a x='&b;'/>", "<!DOCTYPE a []><a x='&quot;&lt;'/>"),
        ('<!DOCTYPE a [<!ENTITY b "<b>&#62;</b>">]><a>&b;<![CDATA[&b;]]><!--&b;--></a>', "<!DOCTYPE a []><a><b>></b><![CDATA[&b;]]><!--&b;--></a>"),
        ('<!DOCTYPE a [<!ATTLIST a x CDATA "1" y (p|q) #IMPLIED>]><a y="p"><a x="2"/></a>',
         '<!DOCTYPE a [<!ATTLIST a x CDATA #IMPLIED y (p|q) #IMPLIED>]><a y="p" x="1"><a x="2"/></a>'),
        ('<!DOCTYPE a [<!ATTLIST a x CDATA #IMPLIED><!ATTLIST a x CDATA #FIXED "1">]><a/>',
         "<!DOCTYPE a [<!ATTLIST a x CDATA #IMPLIED><!ATTLIST a x CDATA #IMPLIED>]><a/>"),
        ('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a/>', "<!DOCTYPE a []><a/>"),
        ('<!DOCTYPE a SYSTEM "x.dtd"><a>Jos&eacute;&amp;</a>', '<!DOCTYPE a SYSTEM "x.dtd"><a>José&amp;</a>'),
        ('<!DOCTYPE a [<!ENTITY % b SYSTEM "x.ent">%b;]><a>&eacute;</a>', "<!DOCTYPE a []><a>é</a>"),
    ],
)  # fmt: skip
def test_entities_and_default_values_are_written_out(source: str, output: str) -> None:
    """Where they are used, and a note says so; other files are never opened."""
    assert written(source) == (output.encode(), [])
    (record,) = documents.read("-", "xml", stdin=io.BytesIO(source.encode()), fields=policy())
    assert isinstance(record, documents.SourceDocument)
    assert len(record.notes) == 1


_NAMES = st.sampled_from(["b", "c", "d"])
_VALUES = st.lists(
    st.sampled_from(["x ", ">", "%", "]", "]>", "--", "'", "&#34;", "&#60;i/>", "&#38;lt;", "&lt;", "&amp;", "é", "&b;", "&c;", "&d;", "<i/>"]), max_size=4
).map("".join)  # fmt: skip


@given(
    entities=st.lists(st.tuples(_NAMES, _VALUES), max_size=4),
    defaults=st.lists(st.tuples(_NAMES, _NAMES, st.sampled_from(["", "#FIXED "]), _VALUES), max_size=3),
    asides=st.lists(st.sampled_from(["<!-- ' ]> <!ENTITY b 'no'> -->", "<?x ]> ' <!ENTITY b 'no'>?>", "<!ELEMENT a (b|c)*>", " "]), max_size=3),
    text=_VALUES,
    value=_VALUES,
)  # fmt: skip
def test_a_doctype_means_what_other_parsers_take_it_for(
    entities: list[tuple[str, str]],
    defaults: list[tuple[str, str, str, str]],
    asides: list[str],
    text: str,
    value: str,
) -> None:
    """Whatever it declares: the tree of the output is that of the input, or neither is XML."""
    declared = [f'<!ENTITY {name} "{literal}">' for name, literal in entities]
    declared += [f'<!ATTLIST {element} {name} CDATA {kind}"{literal}">' for element, name, kind, literal in defaults]  # fmt: skip
    source = f'<!DOCTYPE a [{"".join((*asides, *declared))}]><a c="{value}"><b b=""/>{text}<c/></a>'
    output, faults = written(source)
    try:
        expected = ElementTree.canonicalize(source)
    except ElementTree.ParseError:
        return
    if faults:
        assert "within themselves" in faults[0] or "%" in source
        return
    assert ElementTree.canonicalize(output.decode()) == expected


def test_the_root_is_not_dropped() -> None:
    """A file without elements is no XML."""
    (fault,) = written("<r><a/></r>", policy({"r": "drop"}))[1]
    assert "root" in fault


@given(text=st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30))
def test_any_text_comes_back(text: str) -> None:
    """Read by another parser, what was written is what was there."""
    element = ElementTree.Element("a", {"b": text})
    element.text = text
    source = ElementTree.tostring(element, "unicode")
    assert written(source, policy({"a": "keep"})) == (source.encode(), [])
    output, faults = written(source, policy({"a.@b": "drop", "a": "keep"}))
    assert not faults
    again = ElementTree.fromstring(output)
    assert (again.text or "", again.attrib) == (text, {})
