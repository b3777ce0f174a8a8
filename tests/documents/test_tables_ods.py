"""Workbooks of OpenDocument: values, formulas and styles stay; what was masked is in no part of the file."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest
from odf import dc, draw, meta, number, office, style, table, text
from odf.opendocument import OpenDocumentSpreadsheet, load

from tacenda.documents import SourceDocument
from tacenda.documents.inspection.odt import parts
from tacenda.documents.running_numbers import RunningNumbers
from tacenda.errors import InputError
from tests.documents.building_tables import NAME, items_of, sanitized_table
from tests.documents.test_pptx import with_entries
from tests.examples import for_each

SECRETS = re.compile(rb"(?i)yalman|galip")
KEPT = {"*": "keep"}
TREATMENTS = {"Visits.person": "text", "Visits.note": "text", "Hidden": "text", "*": "keep"}


def _cell(value: Any = None, *, shown: str = "", formula: str = "", **attributes: Any) -> Any:
    typed: dict[str, Any] = {}
    if isinstance(value, bool):
        typed = {"valuetype": "boolean", "booleanvalue": str(value).lower()}
    elif isinstance(value, int | float):
        typed = {"valuetype": "float", "value": value}
    elif value is not None:
        typed = {"valuetype": "string"}
    if formula:
        typed["formula"] = formula
    cell = table.TableCell(**typed, **attributes)
    if value is not None:
        cell.addElement(text.P(text=shown or str(value)))
    return cell


def _row(*values: Any, **attributes: Any) -> Any:
    row = table.TableRow(**attributes)
    for value in values:
        row.addElement(value if hasattr(value, "qname") else _cell(value))
    return row


def _sheet(name: str, *rows: Any, **attributes: Any) -> Any:
    sheet = table.Table(name=name, **attributes)
    sheet.addElement(table.TableColumn(numbercolumnsrepeated=4))
    for row in rows:
        sheet.addElement(row)
    return sheet


def _book(more: str = "More") -> Any:
    book = OpenDocumentSpreadsheet()
    loud = style.Style(name="Loud", family="table-cell")
    loud.addElement(style.TextProperties(fontweight="bold"))
    book.automaticstyles.addElement(loud)
    rich = table.TableCell(valuetype="string", stylename=loud)
    paragraph = text.P(text=f"{NAME} ")
    paragraph.addElement(text.Span(text="came."))
    rich.addElement(paragraph)
    book.spreadsheet.addElement(
        _sheet(
            "Visits",
            _row("person", "note", "age", "twice"),
            _row(NAME, rich, _cell(41, shown="41 years"), _cell(82, formula="of:=[.C2]*2")),
            _row(_cell(), "Nobody  came.", 52.5, _cell(105, formula="of:=[.C3]*2")),
            _row(
                *[_cell(numbercolumnsrepeated=3)], _cell(0, formula=f"of:=SUM([$'{more}'.B3:.B9])")
            ),
            _row(_cell(numbercolumnsrepeated=16384), numberrowsrepeated=1048572),
        )
    )
    book.spreadsheet.addElement(
        _sheet(
            more, _row(_cell(numbercolumnsrepeated=4), numberrowsrepeated=2), _row(_cell(), "alone")
        )
    )
    return book


def _planted() -> Any:
    book = _book()
    hidden = style.Style(name="hidden", family="table")
    hidden.addElement(style.TableProperties(display="false"))
    book.automaticstyles.addElement(hidden)
    remark = office.Annotation()
    remark.addElement(dc.Creator(text=NAME))
    remark.addElement(dc.Date(text="2020-01-01T00:00:00"))
    remark.addElement(text.P(text=f"see {NAME}"))
    commented = _cell("x")
    commented.addElement(remark)
    linked = table.TableCell(valuetype="string")
    line = text.P()
    line.addElement(text.A(href="mailto:galip.yalman@x.org", text=f"by {NAME}"))
    linked.addElement(line)
    frame = draw.Frame(name=NAME, width="1cm", height="1cm")
    box = draw.TextBox()
    box.addElement(text.P(text=NAME))
    frame.addElement(box)
    drawn = _cell("y")
    drawn.addElement(frame)
    book.spreadsheet.addElement(
        _sheet(
            "Hidden",
            _row(commented, linked, drawn, _cell("z", formula=f'of:=[.A1]&" by {NAME}"')),
            _row(_cell(5, shown=NAME), _cell(f"with {NAME}", numbercolumnsrepeated=3)),
            stylename=hidden,
        )
    )
    rules = table.ContentValidations()
    rule = table.ContentValidation(
        name="v1",
        condition=f'of:cell-content-is-in-list("{NAME}";"x")',
        basecelladdress="Visits.A9",
    )
    help = table.HelpMessage(title=f"about {NAME}")
    help.addElement(text.P(text=f"Is it {NAME}?"))
    rule.addElement(help)
    rules.addElement(rule)
    book.spreadsheet.insertBefore(rules, book.spreadsheet.firstChild)
    names = table.NamedExpressions()
    names.addElement(
        table.NamedExpression(name="who", expression=f'"{NAME}"', basecelladdress="Visits.A1")
    )
    book.spreadsheet.addElement(names)
    format = number.NumberStyle(name="N1")
    format.addElement(number.Number(minintegerdigits=1))
    format.addElement(number.Text(text=f" of {NAME}"))
    book.styles.addElement(format)
    named = style.Style(name=NAME, displayname=NAME, family="table-cell")
    book.styles.addElement(named)
    page = style.PageLayout(name="Page")
    book.automaticstyles.addElement(page)
    master = style.MasterPage(name="Standard", pagelayoutname=page)
    head = style.Header()
    head.addElement(text.P(text=f"Visits of {NAME}"))
    master.addElement(head)
    book.masterstyles.addElement(master)
    book.meta.addElement(meta.InitialCreator(text=NAME))
    book.meta.addElement(meta.UserDefined(name=NAME, text=NAME))
    return book


def _bytes(book: Any) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _content(data: bytes, part: str = "content.xml") -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(part).decode()


def _values(data: bytes) -> dict[str, list[list[str]]]:
    """Return the strings, values and formulas of the cells of each sheet, by another reader."""
    sheets: dict[str, list[list[str]]] = {}
    for sheet in load(io.BytesIO(data)).spreadsheet.getElementsByType(table.Table):
        rows = sheets.setdefault(sheet.getAttribute("name"), [])
        for row in sheet.getElementsByType(table.TableRow):
            cells = []
            for cell in row.getElementsByType(table.TableCell):
                said = cell.getAttribute("formula") or cell.getAttribute("value") or str(cell)
                cells += [said] * int(cell.getAttribute("numbercolumnsrepeated") or 1)
            rows.append(cells[:6])
    return sheets


def test_a_workbook_without_masks_comes_back() -> None:
    """Values with their types, formulas, styles, empty rows; twice the same bytes."""
    data = _bytes(_book())
    output, errors = sanitized_table(data, "ods", KEPT)
    assert errors == []
    assert _values(output) == _values(data)
    content = _content(output)
    assert 'table:number-rows-repeated="1048572"' in content
    assert re.search(r'table-cell [^>]*table:style-name="Loud"', content)
    assert "<text:span>came.</text:span>" in content
    assert "41 years" not in content
    assert 'office:value="82"' not in content
    assert sanitized_table(data, "ods", KEPT)[0] == output


def test_a_masked_name_is_in_no_part_of_the_file() -> None:
    """Not in comments and their authors, links, formulas, formats, drawings, hidden sheets, or properties."""
    data = _bytes(_planted())
    output, errors = sanitized_table(data, "ods", TREATMENTS, NAME, "galip.yalman@x.org")
    assert errors == []
    sheets = _values(output)
    assert sheets["Visits"][1] == ["[X]", "[X] came.", "41", "of:=[.C2]*2"]
    assert sheets["Hidden"][0][3] == 'of:=[.A1]&" by [X]"'
    assert sheets["Hidden"][1] == ["5", *["with [X]"] * 3]
    content = _content(output)
    for string in (
        "see [X]",
        'href="mailto:[X]"',
        "about [X]",
        "Is it [X]?",
        "Author 1",
    ):
        assert string in content, string
    assert 'table:expression="&quot;[X]&quot;"' in content
    styles = _content(output, "styles.xml")
    assert "Visits of [X]" in styles
    assert ">[X]</number:text>" in styles.replace(" of ", "")
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        assert archive.namelist()[0] == "mimetype"
        for name in archive.namelist():
            assert not SECRETS.search(archive.read(name)), name
    load(io.BytesIO(output))


def test_the_independent_reader_finds_each_planted_name() -> None:
    """Else that it finds none says nothing."""
    passages = list(parts(_bytes(_planted())))
    places = [passage for passage in passages if SECRETS.search(passage.text.encode())]
    assert len(places) >= 15, places


def test_what_is_not_written_is_said() -> None:
    """Drawings have text that no cell has."""
    head = items_of(_bytes(_planted()), "ods", TREATMENTS)[0]
    assert isinstance(head, SourceDocument)
    assert "drawings are not written." in head.notes


def test_a_row_that_fails_is_empty_in_the_file() -> None:
    """Others stay where they are, so formulas point to the same cells."""
    treatments = {**KEPT, "Visits.age": {"treatment": "date", "to": "year"}}
    output, errors = sanitized_table(_bytes(_book()), "ods", treatments)
    assert len(errors) == 2
    assert errors[0].startswith("table.ods:1:2:")
    rows = _values(output)["Visits"]
    assert rows[1] == ["", "", "", ""]
    assert rows[3][3] == "of:=SUM([$'More'.B3:.B9])"
    assert not SECRETS.search(_content(output).encode())


def test_dropped_columns_are_empty_and_identifiers_stay_numbers() -> None:
    """With the name of the column."""
    treatments = {"Visits.note": "drop", "Visits.age": "identifier", "*": "keep"}
    output, errors = sanitized_table(_bytes(_book()), "ods", treatments, name=RunningNumbers())
    assert errors == []
    assert _values(output)["Visits"][:3] == [
        ["person", "", "age", "twice"],
        [NAME, "", "1", "of:=[.C2]*2"],
        ["", "", "2", "of:=[.C3]*2"],
    ]


def test_blanks_lines_and_types_are_those_of_the_cell() -> None:
    """A changed text has the blanks of the new one; dates, times and truths are values."""
    book = OpenDocumentSpreadsheet()
    day = table.TableCell(valuetype="date", datevalue="2019-05-12")
    hour = table.TableCell(valuetype="time", timevalue="PT10H30M00S")
    many = table.TableCell(valuetype="string")
    for line in (f"by  {NAME}", "x"):
        paragraph = text.P(text=line.partition("  ")[0])
        if "  " in line:
            paragraph.addElement(text.S(c=2))
            paragraph.addText(line.partition("  ")[2])
        many.addElement(paragraph)
    book.spreadsheet.addElement(_sheet("S", _row(day, hour, True, many)))
    treatments = {"S.A": {"treatment": "date", "to": "year"}, "S.D": "text", "*": "keep"}
    items = items_of(_bytes(book), "ods", treatments)
    assert items[1].document.text == f"by  {NAME}\nx"  # type: ignore[union-attr]
    output, errors = sanitized_table(_bytes(book), "ods", treatments, NAME)
    assert errors == []
    content = _content(output)
    assert "<text:p>2019</text:p>" in content
    assert 'office:time-value="PT10H30M00S"' in content
    assert 'office:boolean-value="true"' in content
    assert '<text:p>by<text:s text:c="2"/>[X]</text:p><text:p>x</text:p>' in content


def test_a_sheet_whose_name_is_masked_gets_another() -> None:
    """Formulas, ranges and links that refer to it follow."""
    book = _book(NAME)
    output, errors = sanitized_table(_bytes(book), "ods", TREATMENTS | {NAME: "keep"}, NAME)
    assert errors == []
    assert list(_values(output)) == ["Visits", "Sheet2"]
    assert _values(output)["Visits"][3][3] == "of:=SUM([$Sheet2.B3:.B9])"
    assert not SECRETS.search(_content(output).encode())


def _changed(place: str, content: bytes) -> bytes:
    return with_entries(_bytes(_book()), {place: content}, {})


def _bomb() -> bytes:
    book = OpenDocumentSpreadsheet()
    book.spreadsheet.addElement(_sheet("S", _row(_cell("x", numbercolumnsrepeated=9_999_999))))
    return _bytes(book)


@for_each(
    ("data", "message"),
    [
        (b"", "not a valid .ods"),
        (_bytes(_book())[:900], "damaged"),
        (_changed("mimetype", b"application/vnd.oasis.opendocument.text"), "spreadsheet"),
        (_changed("META-INF/manifest.xml", b"<x><manifest:encryption-data/></x>"), "password"),
        (_changed("content.xml", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'), "document type"),
        (_bomb(), "16,384 cells"),
    ],
)
def test_what_is_no_workbook_says_so(data: bytes, message: str) -> None:
    """It says why and the way out."""
    with pytest.raises(InputError, match=message):
        items_of(data, "ods", KEPT)
