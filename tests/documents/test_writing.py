"""Writers: results, reports, and names that tell nobody."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.document import Document, Leak
from tacenda.documents.names import safe_name
from tacenda.documents.writing import extension_of, writer
from tacenda.errors import InputError, LeakError
from tacenda.result import Result, schema
from tests.examples import for_each

from .conftest import mask_strings

Through = Callable[..., str]
ReadAll = Callable[..., list[documents.SourceDocument | documents.Failure]]
Mask = Callable[..., Result]


class Report(HTMLParser):
    """The text of the sanitized sections of a report, and its marks."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.marks, self._inside = "", [], False  # type: ignore[var-annotated]
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "div":
            self._inside = dict(attrs).get("class") == "text"
        elif self._inside and tag in ("mark", "u"):
            self.marks.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag == "div":
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.text += data


def test_the_schema_at_the_root_is_the_shipped_one() -> None:
    """There is one schema: the file at the root of the project is a copy of the package's."""
    root = Path(__file__).parents[2] / "schemas" / "result.schema.json"
    assert json.loads(root.read_text("utf-8")) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("reveal", [False, True])
def test_results_follow_the_schema(reveal: bool, through: Through) -> None:
    """Each line of --to json is an object of the schema; originals are in it only if asked."""
    output = through("Galip and left", "text", "Galip", to="json", reveal=reveal, kept=("left",))
    result = json.loads(output)
    jsonschema.validate(result, schema())
    assert result["text"] == "[X] and left"
    assert ("Galip" in output) is reveal
    edit = result["replacements"][0]
    assert (edit["start"], edit["end"], edit["output_start"], edit["output_end"]) == (0, 5, 0, 3)
    assert [entity["decision"] for entity in result["entities"]] == ["mask", "keep"]
    assert result["risk"] == {"before": 1.5, "residual": 0.25, "highest_kept": 0.1, "leaks": 0}


def test_the_schema_refuses_what_is_no_result() -> None:
    """A result without its text or with unknown keys is refused."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema_version": "1.2"}, schema())


@given(text=st.text(max_size=40))
def test_the_report_shows_the_sanitized_text(text: str, through: Through) -> None:
    """Whatever the text, the page shows it unchanged and escaped."""
    text = text.replace("\r", "").replace("\x00", "")
    page = Report(through(f"Galip {text} left", "text", "Galip", to="html", kept=("left",)))
    assert page.text == f"[X] {text.replace('Galip', '[X]')} left"


def test_the_report_has_reasons_and_no_originals(through: Through) -> None:
    """An edit can be focused, says why, and shows what stood there only with reveal."""
    hidden = through("Galip left", "text", "Galip", to="html", kept=("left",))
    page = Report(hidden)
    assert [tag for tag, _ in page.marks] == ["mark", "u"]
    attributes = page.marks[0][1]
    assert attributes["class"] == "PERSON"
    assert attributes["tabindex"] == "0"
    assert 'a name <from> the "test"' in attributes["title"]
    assert "Galip" not in hidden
    assert "was: Galip" in through("Galip left", "text", "Galip", to="html", reveal=True)


def test_the_report_is_one_file_without_scripts(through: Through) -> None:
    """Nothing is loaded from elsewhere and nothing runs."""
    page = through("<script>alert(1)</script> Galip", "text", "Galip", to="html", text="<b>")
    assert "<script" not in page
    assert not re.search(r"https?:", page)
    assert "<b>" not in page


def test_a_report_without_documents_is_a_page(through: Through) -> None:
    """An empty run gives a whole page."""
    assert through("[]", "tab", to="html").endswith("</html>\n")


def test_json_lines_have_one_object_a_document(through: Through) -> None:
    """A JSONL input keeps its objects; any other becomes id and text."""
    assert (
        through('\n{"n": 1, "text": "Galip"}', "jsonl", "Galip", to="jsonl")
        == '{"n": 1, "text": "[X]"}\n'
    )
    assert json.loads(through("Galip", "text", "Galip", to="jsonl")) == {
        "id": "stdin",
        "text": "[X]",
    }


def test_text_output_is_the_extracted_text(through: Through) -> None:
    """--to text leaves markup behind, and parts documents by line breaks."""
    assert through("<p>Galip &amp; Co</p>", "html", "Galip", to="text") == "[X] & Co\n"
    assert through('["a", "b\\n", "c"]', "json", to="text") == "a\nb\nc"


@pytest.mark.parametrize("to", documents.OUTPUT_FORMATS)
def test_lone_surrogates_never_stop_a_writer(to: str, read_all: ReadAll, mask: Mask) -> None:
    """A replacement with half a character is written as U+FFFD, never as a crash."""
    (record,) = read_all("Galip", "text")
    assert isinstance(record, documents.SourceDocument)
    stream = io.BytesIO()
    sink = writer(to, stream)
    sink.write(record, mask(record.document, "Galip", text="\ud800"))
    sink.close()
    if to != "pdf":
        stream.getvalue().decode("utf-8")


def test_an_output_format_that_is_none_is_refused() -> None:
    """The error lists the formats there are."""
    with pytest.raises(InputError, match=r"unknown output format 'doc'.*masks"):
        writer("doc", io.BytesIO())


def test_what_the_encoding_can_not_hold_is_an_error(read_all: ReadAll, mask: Mask) -> None:
    """A replacement that Latin-1 can't write is an error that names it and the way out."""
    (record,) = read_all(b"Galip", "text", encoding="latin-1")
    assert isinstance(record, documents.SourceDocument)
    with pytest.raises(InputError, match=r"iso8859-1.*--to json"):
        writer("same", io.BytesIO()).write(record, mask(record.document, "Galip", text="…"))


def test_masks_of_two_documents_with_one_id_are_an_error(read_all: ReadAll, mask: Mask) -> None:
    """A second document of the same id is refused; the output stays whole."""
    (record,) = read_all("Galip", "text")
    assert isinstance(record, documents.SourceDocument)
    stream = io.BytesIO()
    sink = writer("masks", stream)
    sink.write(record, mask(record.document, "Galip"))
    with pytest.raises(InputError, match="stdin"):
        sink.write(record, mask(record.document, "Galip"))
    sink.close()
    assert json.loads(stream.getvalue()) == {"stdin": [[0, 5]]}


@pytest.mark.parametrize(
    "name",
    ["galip-yalman.txt", "Yalman.txt", "GALIP_YALMAN.txt", "GalipYalmanCV.txt", "yalman v turkey.txt",
     "gälip.txt", "cases/yalman/1.txt", "yalmans.txt", "gyalman.txt", "letter_yalmans-2.txt", "gy.txt",
     "R2FsaXAgWWFsbWFu.txt"],
)  # fmt: skip
def test_a_name_that_tells_is_replaced(name: str, mask: Mask) -> None:
    """A file named after somebody who was masked gets a neutral name with its extension."""
    result = mask(Document("d", "Mr Galip Yalman"), "Galip Yalman")
    assert safe_name(name, [result], 3) == "document-3.txt"


@pytest.mark.parametrize(
    ("name", "person"),
    [("person-31.txt", "Person 31"), ("bergs.txt", "Anna Berg"), ("li-cv.txt", "Wei Li"),
     ("rose.txt", "John Rose"), ("小明.txt", "王小明"), ("mueller.txt", "Jürgen Müller")],
)  # fmt: skip
def test_a_name_of_few_letters_tells_too(name: str, person: str, mask: Mask) -> None:
    """Of people each word counts, also those that are other words or as short as two letters."""
    result = mask(Document("d", f"We met {person} there"), person)
    assert safe_name(name, [result], 3) == "document-3.txt"


@pytest.mark.parametrize("name", ["case-12.txt", "letter.html", "notes", "-"])
def test_a_name_that_tells_nobody_stays(name: str, mask: Mask) -> None:
    """Other names are kept, and so is the name of somebody who was kept."""
    result = mask(Document("d", "Mr Galip Yalman, letter"), "Galip Yalman", kept=("letter",))
    assert safe_name(name, [result], 3) == name


def test_ids_in_outputs_tell_nobody(tmp_path: Path, mask: Mask) -> None:
    """The id of a file named after a masked person is neutral in every output."""
    (tmp_path / "yalman.txt").write_text("Galip Yalman")
    (record,) = documents.read(tmp_path / "yalman.txt")
    assert isinstance(record, documents.SourceDocument)
    for to in ("json", "jsonl", "masks", "html"):
        stream = io.BytesIO()
        sink = writer(to, stream)
        sink.write(record, mask(record.document, "Galip Yalman"))
        sink.close()
        assert b"yalman" not in stream.getvalue().lower()
        assert b"document-1" in stream.getvalue()


def test_ids_of_the_data_tell_nobody_but_where_outputs_are_joined(
    read_all: ReadAll, mask: Mask
) -> None:
    """Standoff is joined with its texts by the ids; a text that leaves alone has a neutral one."""
    source = json.dumps([{"doc_id": "yalman-1", "text": "Galip Yalman"}])
    (record,) = read_all(source, "tab")
    assert isinstance(record, documents.SourceDocument)
    for to in ("json", "jsonl", "html", "tab", "masks"):
        stream = io.BytesIO()
        sink = writer(to, stream)
        sink.write(record, mask(record.document, "Galip Yalman"))
        sink.close()
        assert (b"yalman-1" in stream.getvalue()) is (to in ("tab", "masks"))


@for_each(
    ("to", "path", "extension"),
    [("same", "a/b.MD", ".MD"), ("same", "-", ".txt"), ("text", "a.html", ".txt"),
     ("json", "a.txt", ".jsonl"), ("masks", "dev.json", ".json"), ("same", "a.b/c", ".txt"),
     ("same", "a.csv.gz", ".csv.gz"), ("text", "a.csv.zst", ".txt"), ("same", "a.gz", ".txt.gz"),
     ("same", "a/B.DOC", ".docx"), ("same", "a.msg.gz", ".eml.gz"), ("text", "a.msg", ".txt")],
)  # fmt: skip
def test_outputs_have_the_extension_of_their_format(to: str, path: str, extension: str) -> None:
    """What came in keeps its extension; other formats bring their own."""
    assert extension_of(to, path) == extension


def _leaking(sanitized: Result) -> Result:
    return replace(sanitized, leaks=(Leak("e1", 0, 5),))


@pytest.mark.parametrize("to", documents.OUTPUT_FORMATS)
def test_a_document_with_leaks_is_not_written(to: str, read_all: ReadAll, mask: Mask) -> None:
    """Nothing of it is in the output, which is as if it had not been there."""
    outputs = []
    for leaking in (False, True):
        stream = io.BytesIO()
        sink = writer(to, stream)
        for number, record in enumerate(read_all('{"text": "Galip"}\n' * 3, "jsonl")):
            assert isinstance(record, documents.SourceDocument)
            result = mask(record.document, "Galip")
            if number == 0 and not leaking:
                sink.write(record, result)
            elif number == 0:
                with pytest.raises(LeakError, match=r"stdin:1: .*code points 0:5"):
                    sink.write(record, _leaking(result))
            else:
                sink.write(record, result)
        sink.close()
        outputs.append(stream.getvalue())
    assert len(outputs[1]) < len(outputs[0])
    if to in ("json", "jsonl", "same"):
        assert outputs[0].endswith(outputs[1])
        assert len(outputs[1].splitlines()) == 2
    elif to == "tab":
        assert len(json.loads(outputs[1])) == 2


def test_leaks_are_written_where_they_are_allowed(read_all: ReadAll, mask: Mask) -> None:
    """With allow_leaks a document is written as it is."""
    (record,) = read_all("Galip", "text")
    assert isinstance(record, documents.SourceDocument)
    stream = io.BytesIO()
    writer("same", stream, allow_leaks=True).write(record, _leaking(mask(record.document, "Galip")))
    assert stream.getvalue() == b"[X]"


def test_a_document_that_can_not_be_written_leaves_the_rest_whole(
    read_all: ReadAll, mask: Mask
) -> None:
    """A first document that the encoding can't hold leaves neither bytes nor a second mark."""
    stream = io.BytesIO()
    sink = writer("same", stream)
    (record,) = read_all("Galip".encode("utf-16"), "text", encoding="utf-16")
    assert isinstance(record, documents.SourceDocument)
    with pytest.raises(LeakError):
        sink.write(record, _leaking(mask(record.document, "Galip")))
    sink.write(record, mask(record.document, "Galip", text="…"))
    assert stream.getvalue() == "…".encode("utf-16")


def test_a_neutral_name_says_the_format() -> None:
    """The suffix stays, even where a word like it was masked; without it nothing opens the file."""
    masked = mask_strings(Document("d", "Made by Docx, for Ann Berg."), "Docx", "Ann Berg")
    assert safe_name("ann-berg.docx", [masked], 3) == "document-3.docx"
