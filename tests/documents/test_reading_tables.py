"""CSV and JSONL: where other columns are kept, only the text of a row changes, row by row."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.csv import ends_in_quotes, split_row
from tacenda.text.passages import Passages

Through = Callable[..., str]
ReadAll = Callable[..., list[documents.SourceDocument | documents.Failure]]


@given(
    rows=st.lists(st.lists(st.text("a,;\" \n'é\t", max_size=6), min_size=2, max_size=2), max_size=5)
)
def test_cells_are_those_of_the_csv_module(rows: list[list[str]], read_all: ReadAll) -> None:
    """Rows and cells are found where Python's csv module finds them."""
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([["text", "other"], *rows])
    records = read_all(stream.getvalue(), "csv", columns=["text", "other"])
    texts = [
        r.document.text for r in records if isinstance(r, documents.SourceDocument) and r.slots
    ]
    assert texts == ["\n".join(row) for row in rows]


@given(st.text('ab,"', max_size=12))
def test_unruly_quotes_are_read_as_the_csv_module_reads_them(row: str) -> None:
    """Quotes in the middle of a cell are characters, and text behind a closing quote is kept."""
    row += "x"
    if not ends_in_quotes(row, False, ","):
        assert [cell.value for cell in split_row(row, ",")] == next(csv.reader([row]))


def test_other_columns_quoting_and_line_ends_stay(through: Through) -> None:
    """Everything but the edited cell comes back as it came."""
    source = 'id,"note",text\r\n1,"a ""q""",Galip left\r\n\r\n002, b ,"said ""Galip"", left"\r\n'
    expected = source.replace("Galip", "[X]")
    assert through(source, "csv", "Galip") == expected


def test_a_row_stays_one_where_its_only_cell_is_empty(through: Through) -> None:
    """In quotes: readers take a line with nothing on it for no row."""
    dropped = documents.Fields.of_options(drop=("*",))
    source = "id,text\n1,Galip\n2,\n3,left\n"
    assert through(source, "csv", fields=dropped) == 'text\nGalip\n""\nleft\n'
    assert through("text\nGalip\nleft\n", "csv", "Galip", text="") == 'text\n""\nleft\n'
    assert through("text,n\nGalip,\n", "csv", "Galip", text="") == "text,n\n,\n"


def test_a_cell_is_quoted_where_it_must_be(through: Through) -> None:
    """A replacement with a delimiter, a quote or a line break puts its cell in quotes."""
    assert through("text;n\nGalip;1\n", "csv", "Galip", text='a;"b"') == 'text;n\n"a;""b""";1\n'


def test_several_columns_are_one_text(through: Through, read_all: ReadAll) -> None:
    """The named columns of a row are one document, so that a person is one entity in both."""
    source = "name\tage\tnotes\nGalip\t40\tGalip came\n"
    (record,) = read_all(source, "csv", columns=["name", "notes"])
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == "Galip\nGalip came"
    assert record.document.id == "stdin:2"
    expected = "name\tage\tnotes\n[X]\t40\t[X] came\n"
    assert through(source, "csv", "Galip", columns=["name", "notes"]) == expected


def test_huge_cells_are_read(through: Through) -> None:
    """A cell of 200 kB, beyond the limit of the csv module, is a document like others."""
    cell = "x " * 100_000
    assert through(f'text\n"{cell}Galip"\n', "csv", "Galip") == f'text\n"{cell}[X]"\n'


@pytest.mark.parametrize(
    ("format", "rows"),
    [
        ("jsonl", ('{"text": "a"}', '{"text": "' + "long " * 300 + '"}', '{"text": "b"}')),
        ("csv", ("text", "a", '"' + "long, x " * 150 + '"', "b")),
        ("csv", ("text", "a", "long " * 300, "b")),
        ("csv", ("text", "a", '"' + "long\n" * 300 + '"', "b")),
    ],
    ids=["a line", "a quoted cell", "a cell", "a cell of lines"],
)
def test_a_cell_too_long_is_named_and_the_rest_is_done(
    format: str, rows: tuple[str, ...], read_all: ReadAll, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its row, whatever stands in it; memory holds no more than the longest that is read."""
    monkeypatch.setattr("tacenda.text.decoding.LARGEST_LINE", 1_000)
    monkeypatch.setattr("tacenda.text.decoding._PIECE", 70)
    *before, failure, after = read_all("\n".join(rows) + "\n", format)
    assert isinstance(failure, documents.Failure)
    assert str(failure.error).startswith(f"stdin:{len(rows) - 1}: the ")
    assert "1,000" in str(failure.error)
    assert "long" not in str(failure.error)
    texts = [item.document.text for item in (*before, after)]  # type: ignore[union-attr]
    assert texts == ["a", "b"]


def test_a_header_alone_comes_back(through: Through) -> None:
    """A table without rows is written as it came."""
    assert through("id,text\n", "csv") == "id,text\n"
    assert through("", "csv") == ""


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ("a,b\n1,2\n", "text", "no column 'text'"),
        ("text,text\n1,2\n", "text", "more than one column"),
        ('text\n"open\n', "text", "line 2: a quoted cell"),
    ],
)
def test_a_table_at_fault_says_where(
    source: str, column: str, message: str, read_all: ReadAll
) -> None:
    """A missing or doubled column and a quote that never closes are errors with their line."""
    (failure,) = read_all(source, "csv", columns=[column])
    assert isinstance(failure, documents.Failure)
    assert message in str(failure.error)


def test_a_short_row_fails_and_the_next_is_done(read_all: ReadAll, through: Through) -> None:
    """A row without the column is an error that names its line; the others are done."""
    source = "id,text\n1\n2,Galip\n"
    failure, record = read_all(source, "csv")
    assert isinstance(failure, documents.Failure)
    assert failure.error.document == "stdin:2"
    assert isinstance(record, documents.SourceDocument)
    assert through(source, "csv", "Galip") == "id,text\n2,[X]\n"


def test_other_fields_of_json_lines_stay_to_the_character(through: Through) -> None:
    """Digits, spacing, the order of keys and doubled other keys survive."""
    source = (
        '{"n": 1.10, "big": '
        + "9" * 5000
        + ', "text" : "Galip \\u00e9", "z":[ ], "z":1e400}\n\n{"text":"b"}'
    )
    expected = source.replace('"Galip \\u00e9"', '"[X] é"')
    assert through(source, "jsonl", "Galip") == expected


def test_the_field_is_found_by_name_at_the_top_only(through: Through) -> None:
    """A nested field of the same name is another field."""
    source = '{"a": {"note": "Ali"}, "note": "Galip"}\n'
    expected = '{"a": {"note": "Ali"}, "note": "[X]"}\n'
    assert through(source, "jsonl", "Galip", field="note") == expected
    source = '{"note": "Ali", "a": {"note": "Galip"}}\n'
    expected = '{"note": "Ali", "a": {"note": "[X]"}}\n'
    assert through(source, "jsonl", "Galip", field="a.note") == expected


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", "1", '{"text": 1}', '{"other": "Secret"}', '{"text": "a"} x',
        '{"text": "a", "text": "b"}', '{"text": "\\ud800"}', '{"text": "a",}', "[" * 100_000,
        '{"text": "Secret', '{"text" "Secret"}', "Secret",
    ],
)  # fmt: skip
def test_a_line_at_fault_fails_alone(line: str, read_all: ReadAll) -> None:
    """A bad line is an error that names the line and shows none of it; the next is read."""
    failure, record = read_all(line + '\n{"text": "fine"}\n', "jsonl")
    assert isinstance(failure, documents.Failure)
    assert failure.error.document == "stdin:1"
    assert str(failure.error).count("stdin:1") == 1
    assert "Secret" not in str(failure.error)
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == "fine"


@given(text=st.text(max_size=30), ascii_only=st.booleans())
def test_any_string_of_json_comes_back(text: str, ascii_only: bool, through: Through) -> None:
    """A field says the same after an edit elsewhere in it, in every script."""
    source = json.dumps({"text": "Galip" + text, "é": text}, ensure_ascii=ascii_only) + "\n"
    written = json.loads(through(source, "jsonl", "Galip", text="Y"))
    assert written == {"text": ("Galip" + text).replace("Galip", "Y"), "é": text}


@pytest.mark.parametrize(("format", "line"), [("jsonl", b'{"text": "a"}\n'), ("csv", b"text\n")])
def test_tables_are_streamed(format: str, line: bytes) -> None:
    """The first row is there before the last one is read."""

    class Endless(io.RawIOBase):
        served = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            Endless.served += 1
            assert Endless.served < 4, "the reader runs ahead"
            count = len(buffer) // len(line)  # type: ignore[arg-type]
            buffer[: count * len(line)] = line * count  # type: ignore[index]
            return count * len(line)

    records: Iterator[documents.SourceDocument | documents.Failure]
    records = documents.read("-", format, stdin=io.BufferedReader(Endless()))
    assert isinstance(next(records), documents.SourceDocument)
    assert isinstance(next(records), documents.SourceDocument)


def test_no_mention_lies_in_two_cells(read_all: ReadAll) -> None:
    """However long a cell is, and however the next one goes on, they are two passages."""
    cells = (
        "the lesson of the seventh form was given that day by the teacher Anna",
        "berg was late once more and nobody in the form knew the reasons why",
        "all of them were sent home before noon because of the snow that day",
    )
    source = f"a,b,c\n{','.join(cells)}\n"
    (record,) = read_all(source, "csv", columns=["a", "b", "c"])
    assert isinstance(record, documents.SourceDocument)
    text = record.document.text
    wrapped = "\n".join(cells)
    start = text.index("Anna")
    assert Passages.of(text).parted(start, text.index("berg") + 4)
    assert not Passages.of(wrapped).parted(start, wrapped.index("berg") + 4)
