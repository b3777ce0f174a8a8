"""Workbooks: values, formulas and styles stay; what was masked is in no part of the file."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, NamedStyle
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table
from openpyxl.writer.theme import theme_xml

from tacenda.documents import SourceDocument
from tacenda.documents.inspection.sheets import sheet_strings
from tacenda.documents.tables.cells import NameReferences
from tacenda.errors import InputError, LeakError
from tests.documents.building_tables import NAME, items_of, sanitized_table
from tests.examples import for_each

SECRETS = re.compile(rb"(?i)yalman|galip")


def _bytes(book: Any) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _book() -> Any:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Visits"
    sheet.append(["person", "note", "age", "twice"])
    sheet.append([NAME, f"{NAME} came.", 41, "=C2*2"])
    sheet.append([None, "Nobody came.", 52.5, "=C3*2"])
    sheet["B2"].font = Font(bold=True)
    sheet.column_dimensions["B"].width = 40
    sheet.freeze_panes = "A2"
    book.create_sheet("More")["B3"] = "alone"
    return book


def _planted() -> Any:
    book = _book()
    sheet = book["Visits"]
    sheet["D2"] = f'=C2&" by {NAME}"'
    sheet["A2"].comment = Comment(f"see {NAME}", NAME)
    sheet["B2"].hyperlink = "mailto:galip.yalman@x.org"
    sheet["C2"].number_format = f'0 "{NAME}"'
    sheet.oddHeader.center.text = f"Visits of {NAME}"
    rule = DataValidation(type="list", formula1=f'"{NAME},x"', prompt=f"Is it {NAME}?")
    sheet.add_data_validation(rule)
    rule.add("A9")
    sheet.conditional_formatting.add("A2:A9", FormulaRule(formula=[f'$A2="{NAME}"']))
    sheet.auto_filter.ref = "A1:D3"
    sheet.auto_filter.add_filter_column(0, [NAME])
    sheet.protection.set_password("x")
    chart = BarChart()
    chart.title = NAME
    chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "G2")
    hidden = book.create_sheet("Hidden")
    hidden.sheet_state = "veryHidden"
    hidden["A1"] = f"by {NAME}"
    hidden["A2"] = 5
    book.defined_names["who"] = DefinedName("who", attr_text=f'"{NAME}"', comment=NAME)
    book.properties.creator = book.properties.title = book.properties.keywords = NAME
    return book


KEPT = {"*": "keep"}
TREATMENTS = {"Visits.person": "text", "Visits.note": "text", "Hidden": "text", "*": "keep"}


def _read(data: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data))


def test_a_workbook_without_masks_comes_back() -> None:
    """Values with their types, formulas, styles, widths, panes; twice the same bytes."""
    data = _bytes(_book())
    output, errors = sanitized_table(data, "xlsx", KEPT)
    assert errors == []
    before, after = _read(data), _read(output)
    assert after.sheetnames == before.sheetnames
    for name in before.sheetnames:
        assert [list(row) for row in after[name].values] == [
            list(row) for row in before[name].values
        ]
    sheet = after["Visits"]
    assert sheet["D2"].value == "=C2*2"
    assert sheet["B2"].font.bold
    assert sheet.column_dimensions["B"].width == 40
    assert sheet.freeze_panes == "A2"
    assert sanitized_table(data, "xlsx", KEPT)[0] == output


def test_a_masked_name_is_in_no_part_of_the_file() -> None:
    """Not in comments and their authors, links, formulas, formats, filters, hidden sheets, or properties."""
    data = _bytes(_planted())
    output, errors = sanitized_table(data, "xlsx", TREATMENTS, NAME, "galip.yalman@x.org")
    assert errors == []
    after = _read(output)
    sheet = after["Visits"]
    assert sheet["B2"].value == "[X] came."
    assert sheet["D2"].value == '=C2&" by ***"'
    assert sheet["A2"].comment.text == "see [X]"
    assert sheet["B2"].hyperlink.target == "mailto:[X]"
    assert sheet.oddHeader.center.text == "Visits of [X]"
    assert after["Hidden"]["A1"].value == "by [X]"
    assert after["Hidden"].sheet_state == "veryHidden"
    assert after.defined_names["who"].attr_text == '"[X]"'
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        for name in archive.namelist():
            assert not SECRETS.search(archive.read(name)), name
    assert not SECRETS.search(output)


def test_the_independent_reader_finds_each_planted_name() -> None:
    """Else that it finds none says nothing."""
    places = {
        place for place, text in sheet_strings(_bytes(_planted())) if SECRETS.search(text.encode())
    }
    assert "element 't' of cell A2 in sheet 1" in places
    kinds = {re.sub(r" (of cell|in part|in sheet) .*", "", place) for place in places}
    assert len(kinds) >= 10, kinds


def test_what_is_not_written_is_said() -> None:
    """Charts can't be: their caches hold values."""
    head = items_of(_bytes(_planted()), "xlsx", TREATMENTS)[0]
    assert isinstance(head, SourceDocument)
    assert head.notes == ("charts are not written.",)


def test_a_row_that_fails_is_empty_in_the_file() -> None:
    """Others stay where they are, so formulas point to the same cells."""
    treatments = {**KEPT, "Visits.age": {"treatment": "date", "to": "year"}, "More": "keep"}
    book = _book()
    book["Visits"]["C3"] = "2019-05-01"
    book["Visits"]["C2"] = NAME
    output, errors = sanitized_table(_bytes(book), "xlsx", treatments)
    assert len(errors) == 1
    assert errors[0].startswith("table.xlsx:1:2:")
    rows = list(_read(output)["Visits"].values)
    assert rows[1] == (None, None, None, None)
    assert rows[2][1:] == ("Nobody came.", "2019", "=C3*2")
    assert not SECRETS.search(b"".join(text.encode() for _, text in sheet_strings(output)))


def test_dropped_columns_are_empty_and_identifiers_stay_numbers() -> None:
    """With the name of the column."""
    treatments = {"Visits.note": "drop", "Visits.age": "identifier", "*": "keep"}
    from tacenda.documents.running_numbers import RunningNumbers

    output, errors = sanitized_table(_bytes(_book()), "xlsx", treatments, name=RunningNumbers())
    assert errors == []
    assert [list(row) for row in _read(output)["Visits"].values] == [
        ["person", None, "age", "twice"],
        [NAME, None, 1, "=C2*2"],
        [None, None, 2, "=C3*2"],
    ]


def test_headers_are_read_as_text_and_tables_follow_them() -> None:
    """A first row is often no header at all."""
    book = _book()
    book["Visits"]["D1"] = f"asked by {NAME}"
    book["Visits"].add_table(Table(displayName="visits", ref="A1:D3"))
    book["Visits"].tables["visits"]._initialise_columns()
    for column, cell in zip(
        book["Visits"].tables["visits"].tableColumns, book["Visits"][1], strict=True
    ):
        column.name = cell.value
    output, errors = sanitized_table(_bytes(book), "xlsx", TREATMENTS, NAME)
    assert errors == []
    assert _read(output)["Visits"]["D1"].value == "asked by [X]"
    assert _read(output)["Visits"].tables["visits"].tableColumns[3].name == "asked by [X]"


def test_a_sheet_whose_name_is_masked_gets_another() -> None:
    """Formulas, names, rules and links that refer to it follow; literals with its name don't."""
    book = _book()
    book["More"].title = NAME
    sheet = book["Visits"]
    sheet["D2"] = f"=SUM('{NAME}'!B3:B9)*[1]Other!A1"
    sheet["D3"] = f'=Visits!C2&"{NAME}!"'
    sheet["D4"] = f"=COUNT('Visits:{NAME}'!B3)"
    sheet["C2"].hyperlink = f"#'{NAME}'!B3"
    sheet["C2"].hyperlink.location = f"'{NAME}'!B3"
    rule = DataValidation(type="list", formula1=f"'{NAME}'!$B$3:$B$9")
    sheet.add_data_validation(rule)
    rule.add("A9")
    formula = FormulaRule(formula=[f"'{NAME}'!$B$3=1"])
    sheet.conditional_formatting.add("A2:A9", formula)
    book.defined_names["area"] = DefinedName("area", attr_text=f"'{NAME}'!$B$3")
    book[NAME].print_area = "A1:B3"
    treatments = TREATMENTS | {NAME: "keep", "Visits": "text"}
    output, errors = sanitized_table(_bytes(book), "xlsx", treatments, NAME)
    assert errors == []
    after = _read(output)
    assert after.sheetnames == ["Visits", "Sheet2"]
    sheet = after["Visits"]
    assert sheet["D2"].value == "=SUM(Sheet2!B3:B9)*[1]Other!A1"
    assert sheet["D3"].value == '=Visits!C2&"[X]!"'
    assert sheet["D4"].value == "=COUNT(Visits:Sheet2!B3)"
    assert sheet.data_validations.dataValidation[0].formula1 == "Sheet2!$B$3:$B$9"
    assert next(iter(sheet.conditional_formatting)).rules[0].formula == ["Sheet2!$B$3=1"]
    assert after.defined_names["area"].attr_text == "Sheet2!$B$3"
    assert not SECRETS.search(b"".join(text.encode() for _, text in sheet_strings(output)))


@pytest.mark.parametrize(
    ("string", "formula"),
    [
        ("sum", "=SUM('Ana López'!C2:C3)"),
        ("XLOOKUP", "=_xlfn.XLOOKUP(C2,A:A,B:B)"),
        ("ANA", "=ANA1*ANA$2+SUM(ANA:ANA)"),
        ("true", "=IF(C2,TRUE,FALSE)"),
    ],
)
def test_words_of_formulas_are_nobodys(string: str, formula: str) -> None:
    """Functions and addresses stay where a cell or a header with that word is masked."""
    book = _book()
    book["More"].title = "Ana López"
    book["Visits"]["D2"] = formula
    book["Visits"]["B3"] = f"{string} came"
    treatments = TREATMENTS | {"Ana López": "keep"}
    output, errors = sanitized_table(_bytes(book), "xlsx", treatments, string, "Ana López")
    assert errors == []
    assert _read(output)["Visits"]["D2"].value == formula.replace("'Ana López'", "Sheet2")
    assert _read(output)["Visits"]["B3"].value == "[X] came"


def test_a_literal_of_a_kept_formula_is_kept_as_a_cell_is() -> None:
    """Somebody masked in another row is no reason to write nothing."""
    book = _book()
    book["Visits"]["D3"] = f'=IF(C3>1,"{NAME}","none")'
    output, errors = sanitized_table(_bytes(book), "xlsx", TREATMENTS, NAME)
    assert errors == []
    assert NAME in _read(output)["Visits"]["D3"].value


@pytest.mark.parametrize("formula", ["=GALIPYALMAN(C2)", "=[2]GalipYalman!C2", "=t[Galip Yalman]"])
def test_a_name_in_a_formula_is_named_with_its_sheet_and_cell(formula: str) -> None:
    """A function of somebody's, a sheet of another workbook, a column of a table."""
    book = _book()
    book["Visits"]["D3"] = formula
    with pytest.raises(LeakError, match=r"output: formula of cell D3 in sheet 1\. Nothing"):
        sanitized_table(_bytes(book), "xlsx", TREATMENTS, NAME)


def test_a_masked_name_of_a_table_keeps_the_file_from_being_written() -> None:
    """Formulas refer to it."""
    book = _book()
    book["Visits"].add_table(Table(displayName="Galip_Yalman", ref="A1:D3"))
    output, errors = sanitized_table(_bytes(book), "xlsx", TREATMENTS, "Galip_Yalman")
    assert "name of table 1 of sheet 1" in errors[0]
    assert output == b""


def test_a_row_of_formulas_alone_stays() -> None:
    """Such as that of the sums."""
    book = _book()
    book["Visits"]["C5"] = "=SUM(C2:C3)"
    output, errors = sanitized_table(_bytes(book), "xlsx", KEPT)
    assert errors == []
    assert _read(output)["Visits"]["C5"].value == "=SUM(C2:C3)"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a workbook"),
        (b"PK\x03\x04 and nothing", "not a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted"),
    ],
)
def test_what_is_no_workbook_says_so(data: bytes, message: str) -> None:
    """An encrypted one, too."""
    with pytest.raises(InputError, match=message):
        items_of(data, "xlsx", KEPT)


def test_a_column_without_treatment_is_named_by_its_place_which_is_understood() -> None:
    """A path with a capital may be somebody's name: the message has sheet and letter, and options take them."""
    data = _bytes(_book())
    item = items_of(
        data, "xlsx", {"Visits.note": "text", "sheet 1 column A": "keep", "More.B": "keep"}
    )[0]
    assert isinstance(item, SourceDocument)
    refusal = item.beside.refusal
    assert "3 columns (sheet 1 column C,sheet 1 column D,sheet 2 column A)" in refusal
    places = {f"sheet {place}": "keep" for place in ("1 column C", "1 column D", "2 column A")}
    rules = {"Visits.note": "text", "sheet 1 column A": "drop", "More.B": "keep", **places}
    output, errors = sanitized_table(data, "xlsx", rules)
    assert errors == []
    assert openpyxl.load_workbook(io.BytesIO(output))["Visits"]["A2"].value is None


def test_formulas_follow_a_defined_name_that_is_masked() -> None:
    """The name is another wherever it is used, in any case of letters, and still means the same cell."""
    book = _book()
    book.defined_names["Yalman_rate"] = DefinedName("Yalman_rate", attr_text="Visits!$C$2")
    book["Visits"]["D2"] = "=C2*yalman_RATE"
    book["Visits"]["D3"] = "=Yalman_rate+SUM(Yalman_rate,1)"
    output, errors = sanitized_table(_bytes(book), "xlsx", KEPT, "Yalman_rate")
    after = _read(output)
    assert not errors
    assert list(after.defined_names) == ["Name_1"]
    assert after["Visits"]["D2"].value == "=C2*Name_1"
    assert after["Visits"]["D3"].value == "=Name_1+SUM(Name_1,1)"


@pytest.mark.parametrize(("typeface", "kept"), [("Georgia", True), ("Galip Yalman Sans", False)])
def test_a_typeface_stays_unless_somebody_made_up_its_name(typeface: str, kept: bool) -> None:
    """A shipped typeface of a masked name stays; another one is replaced."""
    book = _book()
    book["Visits"]["B2"].value = "Georgia and Galip Yalman"
    book["Visits"]["B2"].font = Font(name=typeface)
    output, errors = sanitized_table(_bytes(book), "xlsx", TREATMENTS, "Georgia", NAME)
    assert not errors
    assert (_read(output)["Visits"]["B2"].font.name == typeface) is kept


def test_machinery_of_a_workbook_is_nobodys() -> None:
    """Typefaces of themes and pages, styles and formats that programs ship, their names, and comments' frames."""
    words = "Vrinda Roman Regular Normal Office Microsoft Excel author False landscape frozen MMDDYY".split()
    book = _book()
    sheet = book["Visits"]
    sheet["B2"].value = " and ".join(words)
    sheet["B3"].comment = Comment("x", "y")
    sheet["A2"].number_format = "MMDDYYAM/PMDD"
    sheet.oddHeader.center.text = "&A"
    sheet.oddHeader.center.font = "Times New Roman,Normal"
    sheet.page_setup.orientation = "landscape"
    sheet.freeze_panes = "B2"
    output, errors = sanitized_table(_bytes(book), "xlsx", TREATMENTS, *words)
    assert not errors
    assert not any(word in str(_read(output)["Visits"]["B2"].value) for word in words)
    assert _read(output)["Visits"].oddHeader.center.font == "Times New Roman,Normal"


def test_machinery_that_somebody_named_gets_another_name() -> None:
    """A style, a theme and the typeface of a page."""
    book = _book()
    sheet = book["Visits"]
    sheet["B2"].value = NAME
    book.add_named_style(NamedStyle(f"{NAME} style"))
    sheet["B2"].style = f"{NAME} style"
    book.loaded_theme = theme_xml.replace('name="Office Theme"', f'name="{NAME}"').encode()
    sheet.oddFooter.left.text = "x"
    sheet.oddFooter.left.font = f"{NAME} Sans,Regular"
    output, errors = sanitized_table(_bytes(book), "xlsx", TREATMENTS, NAME)
    assert not errors
    assert _read(output)["Visits"]["B2"].style.startswith("Style ")


@for_each(
    "formula", ['="rate"', "=rates", "=my_rate", "=rate(1)", "=rate[x]", "='a rate'!A1", "=rate!A1"]
)
def test_what_only_looks_like_a_defined_name_is_left(formula: str) -> None:
    """A literal, a longer name, a function, a table and a sheet keep their names."""
    assert NameReferences({"rate": "Name_1"}).renamed(formula) == formula
