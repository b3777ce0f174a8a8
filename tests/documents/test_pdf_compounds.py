"""Denied words beside a hyphen that ends a line of a PDF, whatever the reader makes of the two parts."""

from __future__ import annotations

import io
import re
from contextlib import closing

import pytest
from pdfminer.high_level import extract_text
from pypdfium2 import PdfDocument

from tacenda import documents
from tacenda.documents.hyphenation import joined_words
from tacenda.documents.inspection import Passage, survivors
from tacenda.documents.inspection.pdf import strings
from tacenda.documents.ocr.covering import masked
from tacenda.documents.ocr.tesseract import Word
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.result import Result
from tests.documents.test_pdf import drawn
from tests.examples import for_each

TEXTS = [
    "The within-\n{word} results\nof the year.",
    "The {word}-\nwithin results\nof the year.",
    "A quasi-\n{word} with a\nqqx-\n{word}, no less.",
    "A {word}-\nqqx and {word} again.",
    "Pre-\n{word}",
    "Über-\n{word}-ähnlich\nis a word.",
    "of the within-{word} re-\ngression lines of\n{word}-based results.",
]
WORDS = ["school", "unit", "hiv", "berg", "Wolf", "PTSD", "regression", "turkey"]
PAIRS = [(word, text) for number, text in enumerate(TEXTS) for word in WORDS[number % 2 :: 2]]
"""Each text with half of the words."""


def denying(word: str, **rule: object) -> Sanitizer:
    """Return a sanitizer that masks one word, and nothing else."""
    rules = [{"exact": word, "type": "MISC", **rule}]
    policy = {"recognizer": False, "threshold": 0.5, "deny": rules}
    return Sanitizer(Policy.model_validate(policy), None, 0.5)


def written(data: bytes, format: str, sanitizer: Sanitizer) -> tuple[Result, bytes]:
    """Return the result for a file, and the file that is written."""
    output = io.BytesIO()
    sink = writer("same", output, input_format=format)
    (record,) = documents.read("-", format, stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument)
    result = sanitizer.sanitize(record.document.text, id=record.document.id)
    sink.write(record, result)
    sink.close()
    return result, output.getvalue()


def by_pdfium(data: bytes) -> str:
    """Return the text as pdfium reads it; it has a character of its own for a hyphen at a line end."""
    with closing(PdfDocument(data)) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def by_pdfminer(data: bytes) -> str:
    """Return the text as pdfminer reads it."""
    return extract_text(io.BytesIO(data))


def words(text: str) -> set[str]:
    """Return the words of a text, in small letters, those at a line's end alone and put together."""
    joined = re.sub(r"(?:-\s*\n\s*|\ufffe)", "", text)
    return {word.lower() for each in (text, joined) for word in re.findall(r"[^\W\d_]+", each)}


@for_each(("word", "text"), PAIRS)
def test_a_denied_word_beside_a_hyphen_is_gone(word: str, text: str) -> None:
    """Whether or not the two parts are words, and the denied one is generic, short or a name; the rest stays."""
    _, data = written(drawn(text.format(word=word)), "pdf", denying(word))
    for reader in (by_pdfium, by_pdfminer):
        left = words(reader(data))
        assert word.lower() not in left
        assert {"results", "with", "again", "is", "year"} & words(text) <= left


@for_each("word", WORDS)
@for_each("text", TEXTS)
@for_each("format", ["text", "rtf"])
def test_other_formats_mask_it_too(format: str, word: str, text: str) -> None:
    """Of formats with line ends of their own."""
    content = text.format(word=word)
    if format == "rtf":
        escaped = "".join(c if c < "\x7f" else f"\\u{ord(c)}?" for c in content)
        content = "{\\rtf1\\ansi " + escaped.replace("\n", "\\line ") + "\\par}"
    _, data = written(content.encode(), format, denying(word))
    assert word.lower() not in words(data.decode())


@pytest.mark.parametrize("word", ["regression", "school", "PTSD"])
def test_a_divided_word_is_masked(word: str) -> None:
    """Both halves of a denied word go, and nothing else."""
    _, data = written(drawn(f"lines {word[:2]}-\n{word[2:]} here"), "pdf", denying(word))
    for reader in (by_pdfium, by_pdfminer):
        left = words(reader(data))
        assert {"lines", "here"} <= left
        assert left.isdisjoint({word.lower(), word[2:].lower()})


@for_each(
    ("text", "expected"),
    [
        ("within-\nschool results", "within-school\nresults"),
        ("within-school re-\ngression lines", "within-school regression\nlines"),
        ("Within-\nschool", "Withinschool\n"),
        ("con-\ncluding", "concluding\n"),
        ("Galip Yal-\nman went", "Galip Yalman\nwent"),
        ("with-\nin it", "within\nit"),
        ("within-\nberg came", "within-berg\ncame"),
        ("over-\nzorping and overzorping", "overzorping\nand overzorping"),
        ("so-\nzorping", "sozorping\n"),
    ],
)
def test_compounds_keep_their_hyphen(text: str, expected: str) -> None:
    """Two words that are none together are a compound, and so may be a word and an unknown one."""
    joined, origins = joined_words(text, [(place,) for place in range(len(text))])
    assert joined == expected
    assert len(origins) == len(joined)
    hyphens = {place for place, character in enumerate(text) if character == "-"}
    assert hyphens <= {place for each in origins for place in each}


@for_each(("word", "text"), PAIRS)
def test_the_check_refuses_a_file_with_the_word(word: str, text: str) -> None:
    """The original is what a writer would leave that masks nothing."""
    data = drawn(text.format(word=word))
    result, _ = written(data, "pdf", denying(word))
    assert survivors(strings(data), result)


def test_a_generic_word_is_checked_in_any_format() -> None:
    """A denied word is forbidden even if it would name nothing as a part of a text."""
    result = denying("school").sanitize("no such word", id="x")
    content = [Passage("the within-\nschool results", "here", documents.inspection.Kind.TEXT)]
    assert survivors(iter(content), result) == ("here",)


@pytest.mark.parametrize("format", ["text", "pdf"])
def test_a_rule_that_minds_the_case_leaves_other_words(format: str) -> None:
    """Generic words in small letters stay where only the capital is denied."""
    text = "the School is a school here"
    data = drawn(text) if format == "pdf" else text.encode()
    result, _ = written(data, format, denying("School", ignore_case=False))
    assert result.text == "the [ITEM 1] is a school here"


def test_a_masked_word_in_small_letters_within_another_stays() -> None:
    """Only denied words are searched for in the halves: names are found by their context."""
    _, data = written(drawn("Heidel-\nberg is\nAnna Berg's town"), "pdf", denying("Anna Berg"))
    assert "heidelberg" in words(by_pdfium(data))


@for_each("word", WORDS)
@for_each("lines", ["the within-{word}", "quasi- {word}", "{word}- within", "qqx- {word}"])
def test_words_of_a_picture_are_checked_alike(word: str, lines: str) -> None:
    """OCR gives words in lines; a hyphen is at the end of one."""
    content = [
        Word(part, (0, 20 * line, 90, 20 * line + 10), 99.0, (line, 0))
        for line, part in enumerate(lines.format(word=word).split())
    ]
    indices = set(masked(content, denying(word).sanitize("no such word", id="x")))
    assert indices == {n for n, each in enumerate(content) if word in each.text}


def test_a_leak_is_an_error() -> None:
    """What the check finds isn't written."""
    result = denying("school").sanitize("no such word", id="x")
    assert isinstance(result, Result)
    with pytest.raises(LeakError):
        documents.inspection.refuse_survivors(strings(drawn("within-\nschool")), result)
