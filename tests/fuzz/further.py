"""Files of the formats with records, of messages, captions and office programs, with a secret in each of their places.

All are read under a field policy by which whatever has no treatment is text; resources of FHIR under the one that ships.
"""

from __future__ import annotations

import gzip
import html
import io
import json
from collections.abc import Callable
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

import zstandard

if TYPE_CHECKING:
    from .documents import Draw


def xml_text(text: str) -> str:
    """Return a text without what XML can't hold."""
    return "".join(each for each in text if each >= " " or each in "\n\t")


def _json(drawn: Draw) -> bytes:
    record: dict[str, Any] = {"id": 7, "text": drawn.text(), "list": [drawn.filler(), None, 1.50]}
    places: dict[str, Callable[[str], object]] = {
        "value": lambda secret: record.update(by=secret),
        "deep": lambda secret: record.update(meta={"deep": [{"er": secret}]}),
        "key": lambda secret: record.update({secret: drawn.filler()}),
        "held": lambda secret: record.update(arguments=json.dumps({"who": secret})),
    }
    _planted(drawn, places, "json")
    value = [record] if drawn.random.random() < 0.5 else record
    return json.dumps(value, ensure_ascii=drawn.random.random() < 0.5).encode()


def _planted(drawn: Draw, places: dict[str, Callable[[str], object]], format: str) -> None:
    """Put secrets into some of the places of a format."""
    for place in drawn.random.sample(list(places), drawn.random.randint(0, min(3, len(places)))):
        places[place](drawn.hidden(f"{format}.{place}"))


_ELEMENTS = {
    "element": "<by>{s}</by>", "attribute": '<x by="{s}">{f}</x>', "cdata": "<x><![CDATA[{c}]]></x>", "comment": "<!-- {d} -->",
    "instruction": "<?x {c}?>", "namespace": '<n:x xmlns:n="urn:{s}">{f}</n:x>', "split": "<p>{h}<b/>{t}</p>",
    "references": "<x>{r}</x>",
}  # fmt: skip


def _xml(drawn: Draw) -> bytes:
    parts = [f"<note>{html.escape(xml_text(drawn.text()))}</note>"]
    for place in drawn.random.sample(list(_ELEMENTS), drawn.random.randint(0, 3)):
        secret = xml_text(drawn.hidden(f"xml.{place}"))
        cut = drawn.random.randint(0, len(secret))
        parts.append(
            _ELEMENTS[place].format(
                s=html.escape(secret), c=secret.replace("]]>", "").replace("?>", ""), d=secret.replace("--", "- -").rstrip("-"),
                f=drawn.filler(), h=html.escape(secret[:cut]), t=html.escape(secret[cut:]), r="".join(f"&#{ord(each)};" for each in secret),
            )
        )  # fmt: skip
    drawn.random.shuffle(parts)
    return f"<letter><in>{''.join(parts)}</in></letter>".encode()


def _patient(drawn: Draw) -> dict[str, str]:
    person = drawn.person
    values = {
        "family": person.surname,
        "given": person.given,
        "phone": person.phone,
        "note": drawn.text(),
        "said": drawn.filler(),
    }
    return {name: html.escape(xml_text(value)) for name, value in values.items()}


def _fhir_xml(drawn: Draw) -> bytes:
    values = _patient(drawn)
    values["note"] = values["note"].replace("\n", "&#10;")
    extension = html.escape(xml_text(drawn.hidden("fhir.extension")))
    return (
        '<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/><entry><resource><Patient><id value="p1"/>'
        '<text><status value="generated"/><div xmlns="http://www.w3.org/1999/xhtml"><p class="{family}">{given} <b>{family}</b>'
        '</p></div></text><extension url="http://x.org/e"><valueString value="{x}"/></extension>'
        '<name><family value="{family}"/><given value="{given}"/></name><telecom><value value="{phone}"/></telecom></Patient>'
        '</resource></entry><entry><resource><Observation><status value="final"/><code><text value="{said}"/></code>'
        '<subject><display value="{given} {family}"/></subject><note><text value="{note}"/></note></Observation></resource>'
        "</entry></Bundle>"
    ).format(x=extension, **values).encode()  # fmt: skip


def _fhir_json(drawn: Draw) -> bytes:
    person = drawn.person
    patient = {
        "resourceType": "Patient", "name": [{"family": person.surname, "given": [person.given]}],
        "telecom": [{"value": person.phone}], "extension": [{"url": "http://x.org/e", "valueString": drawn.hidden("fhir.extension")}],
    }  # fmt: skip
    note = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"text": drawn.filler()},
        "note": [{"text": drawn.text()}],
    }
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"resource": patient}, {"resource": note}],
    }
    return json.dumps(bundle).encode()


def _parquet(drawn: Draw) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {"id": [1, 2], "text": [drawn.text(), None]}
    metadata: dict[str, str] = {}
    places: dict[str, Callable[[str], object]] = {
        "cell": lambda secret: columns.update(by=[secret, drawn.filler()]),
        "struct": lambda secret: columns.update(in_it=[{"who": [secret]}, {"who": []}]),
        "metadata": lambda secret: metadata.update(author=secret),
        "category": lambda secret: columns.update(kind=pa.array([secret, "x"]).dictionary_encode()),
    }
    _planted(drawn, places, "parquet")
    stream = io.BytesIO()
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata or None), stream)
    return stream.getvalue()


def _xlsx(drawn: Draw) -> bytes:
    import openpyxl
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["id", "text", "sum"])
    sheet.append([1, xml_text(drawn.text()), "=A2*2"])
    sheet.append([2, drawn.filler(), "=A3*2"])
    places: dict[str, Callable[[str], object]] = {
        "cell": lambda secret: sheet.append([3, secret]),
        "comment": lambda secret: setattr(sheet["B2"], "comment", Comment(secret, secret)),
        "literal": lambda secret: sheet.append(
            [None, None, '=A2&"' + secret.replace('"', "") + '"']
        ),
        "creator": lambda secret: setattr(book.properties, "creator", secret),
        "header": lambda secret: setattr(sheet.oddHeader.center, "text", secret.replace("&", "")),
        "sheet": lambda secret: book.create_sheet(
            "".join(each for each in secret if each.isalnum())[:30] or "x"
        ),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "xlsx")
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _clean(put: Callable[[str], object]) -> Callable[[str], object]:
    return lambda secret: put(xml_text(secret))


def _ods(drawn: Draw) -> bytes:
    from odf import dc, meta, office, table, text
    from odf.opendocument import OpenDocumentSpreadsheet

    book = OpenDocumentSpreadsheet()
    sheet = table.Table(name="S")
    cells: dict[str, Any] = {}
    for value in ("id", "text"), (1, xml_text(drawn.text())), ("x", drawn.filler()):
        row = table.TableRow()
        for each in value:
            cell = table.TableCell(valuetype="string")
            for line in str(each).split("\n"):
                cell.addElement(text.P(text=line))
            row.addElement(cell)
            cells["last"] = cell
        sheet.addElement(row)
        cells["row"] = row
    book.spreadsheet.addElement(sheet)

    def comment(secret: str) -> None:
        remark = office.Annotation()
        remark.addElement(dc.Creator(text=secret))
        remark.addElement(text.P(text=secret))
        cells["last"].addElement(remark)

    places: dict[str, Callable[[str], object]] = {
        "comment": comment,
        "formula": lambda secret: cells["row"].addElement(
            table.TableCell(formula='of:="' + secret.replace('"', "") + '"')
        ),
        "sheet": lambda secret: book.spreadsheet.addElement(table.Table(name=secret)),
        "creator": lambda secret: book.meta.addElement(meta.InitialCreator(text=secret)),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "ods")
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _odt(drawn: Draw) -> bytes:
    from odf import meta, text
    from odf.opendocument import OpenDocumentText

    letter = OpenDocumentText()
    for paragraph in xml_text(drawn.text()).split("\n\n"):
        first, *others = paragraph.split("\n")
        letter.text.addElement(text.P(text=first))
        for line in others:
            letter.text.lastChild.addElement(text.LineBreak())
            letter.text.lastChild.addText(line)

    def link(secret: str) -> None:
        line = text.P(text="x ")
        line.addElement(text.A(href=f"https://h.example/{secret}", text="y"))
        letter.text.addElement(line)

    places: dict[str, Callable[[str], object]] = {
        "link": link,
        "bookmark": lambda secret: letter.text.lastChild.addElement(text.Bookmark(name=secret)),
        "creator": lambda secret: letter.meta.addElement(meta.InitialCreator(text=secret)),
        "defined": lambda secret: letter.meta.addElement(
            meta.UserDefined(name=secret, text=secret)
        ),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "odt")
    stream = io.BytesIO()
    letter.save(stream)
    return stream.getvalue()


def _pptx(drawn: Draw) -> bytes:
    import pptx
    from pptx.util import Inches

    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = drawn.filler()
    slide.placeholders[1].text = _in_lines(xml_text(drawn.text()), "\v")
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    places: dict[str, Callable[[str], object]] = {
        "notes": lambda secret: setattr(slide.notes_slide.notes_text_frame, "text", secret),
        "shape": lambda secret: setattr(box, "name", secret),
        "box": lambda secret: setattr(box.text_frame, "text", secret),
        "author": lambda secret: setattr(show.core_properties, "author", secret),
        "cell": lambda secret: setattr(
            slide.shapes.add_table(1, 1, 0, 0, Inches(1), Inches(1)).table.cell(0, 0),
            "text",
            secret,
        ),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "pptx")
    stream = io.BytesIO()
    show.save(stream)
    return stream.getvalue()


def _rtf(drawn: Draw) -> bytes:
    parts = [_rtf_text(_in_lines(drawn.text(), "\v"))]
    places: dict[str, Callable[[str], object]] = {
        "info": lambda secret: parts.insert(0, "{\\info{\\author " + _rtf_text(secret) + "}}"),
        "bookmark": lambda secret: parts.append("{\\*\\bkmkstart " + _rtf_text(secret) + "}x"),
        "unknown": lambda secret: parts.append("{\\*\\unknown " + _rtf_text(secret) + "}"),
        "link": lambda secret: parts.append(
            '{\\field{\\*\\fldinst HYPERLINK "http://h.example/'
            + _rtf_text(secret)
            + '"}{\\fldrslt y}}'
        ),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "rtf")
    return ("{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\n" + "\\par\n".join(parts) + "}").encode()


def _rtf_text(text: str) -> str:
    said = []
    for each in text:
        if each in "\\{}":
            said.append("\\" + each)
        elif each in "\n\v":
            said.append("\\par " if each == "\n" else "\\line ")
        elif each < "\x7f":
            said.append(each)
        else:
            units = each.encode("utf-16-le")
            codes = (
                int.from_bytes(units[n : n + 2], "little", signed=True)
                for n in range(0, len(units), 2)
            )
            said += (f"\\u{code}?" for code in codes)
    return "".join(said)


def _message(drawn: Draw) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = drawn.filler()
    message["From"] = f"x <{drawn.person.email}>"
    message.set_content(xml_text(drawn.text()))
    places: dict[str, Callable[[str], object]] = {
        "to": lambda secret: message.add_header("To", f'"{_line(secret)}" <a@b.example>'),
        "other": lambda secret: message.add_header("X-Owner", _line(secret)),
        "html": lambda secret: message.add_alternative(
            f"<p>{html.escape(secret)}</p>", subtype="html"
        ),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "eml")
    if drawn.random.random() < 0.3:
        name = _line(xml_text(drawn.hidden("eml.attachment"))).replace("/", "")
        message.add_attachment(drawn.text().encode(), "text", "plain", filename=f"{name}.txt")
    return message


def _line(text: str) -> str:
    return "".join(each for each in text if each.isprintable() and each not in '"\\<>')


def _eml(drawn: Draw) -> bytes:
    return _message(drawn).as_bytes()


def _mbox(drawn: Draw) -> bytes:
    body = _message(drawn).as_bytes().replace(b"\nFrom ", b"\n>From ")
    return b"From x@y.example Thu Jan  1 00:00:00 2015\n" + body + b"\n"


def _in_lines(text: str, end: str) -> str:
    """Return a text in which only paragraphs end by a line feed, and lines by something else."""
    return "\n".join(part.replace("\n", end) for part in text.split("\n\n"))


def _cues(drawn: Draw) -> list[str]:
    return [
        part.strip()
        for part in xml_text(drawn.text()).split("\n\n")
        if part.strip() and "-->" not in part
    ]


def _vtt(drawn: Draw) -> bytes:
    said = [
        line for line in xml_text(drawn.text()).split("\n") if line.strip() and "-->" not in line
    ]
    cues = [
        f"00:00:0{n % 10}.000 --> 00:00:0{n % 10}.900\n{html.escape(line, False)}"
        for n, line in enumerate(said)
    ]
    blocks = ["WEBVTT", *cues]
    places: dict[str, Callable[[str], object]] = {
        "note": lambda secret: blocks.insert(1, f"NOTE {_line(secret)}"),
        "speaker": lambda secret: blocks.append(
            f"00:01:00.000 --> 00:01:01.000\n<v {_line(secret)}>x"
        ),
        "identifier": lambda secret: blocks.append(
            f"{_line(secret)}\n00:02:00.000 --> 00:02:01.000\ny"
        ),
    }
    _planted(drawn, {place: _clean(put) for place, put in places.items()}, "vtt")
    return "\n\n".join(blocks).encode()


def _srt(drawn: Draw) -> bytes:
    said = [
        line for line in xml_text(drawn.text()).split("\n") if line.strip() and "-->" not in line
    ]
    return "\n".join(
        f"{number}\n00:00:01,000 --> 00:00:02,000\n{line}\n" for number, line in enumerate(said, 1)
    ).encode()


def _gz(make: Callable[[Draw], bytes]) -> Callable[[Draw], bytes]:
    return lambda drawn: gzip.compress(make(drawn), mtime=0)


def _zst(make: Callable[[Draw], bytes]) -> Callable[[Draw], bytes]:
    return lambda drawn: zstandard.compress(make(drawn))


RECORDS: dict[str, Callable[[Draw], bytes]] = {
    "json": _json, "xml": _xml, "parquet": _parquet, "xlsx": _xlsx, "ods": _ods, "odt": _odt, "pptx": _pptx, "rtf": _rtf,
    "eml": _eml, "mbox": _mbox, "vtt": _vtt, "srt": _srt, "xml.gz": _gz(_xml), "eml.gz": _gz(_eml), "vtt.zst": _zst(_vtt), "json.zst": _zst(_json),
}  # fmt: skip
RESOURCES: dict[str, Callable[[Draw], bytes]] = {"json": _fhir_json, "xml": _fhir_xml}
POLICIES = {"records": "unlisted: text\nfields: {id: keep}\n", "resources": "extends: fhir\n"}
"""Field policies of the families."""
