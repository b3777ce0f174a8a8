"""What a format declares that it holds comes back as it went in."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacenda.annotations import format_named
from tacenda.annotations.corpus import AnnotatedDocument, Reading, Unit
from tacenda.annotations.spacy import SpacyDocBin

from .corpora import at, corpora, document, needs_spacy, round_trip, written

PLAIN = ["tab", "masks", "jsonl", "brat", "label-studio", "presidio", "conll"]
some_time = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", PLAIN)
@some_time
@given(data=st.data())
def test_a_corpus_comes_back_from_the_format(name: str, data: st.DataObject) -> None:
    """All that it holds, with astral characters, marks, every line end, nested and equal spans."""
    format = format_named(name)
    corpus = data.draw(corpora(format))
    assert round_trip(format, corpus) == corpus


@needs_spacy
@pytest.mark.parametrize("key", ["", "sc"])
@some_time
@given(data=st.data())
def test_a_corpus_comes_back_from_spacy(key: str, data: st.DataObject) -> None:
    """As ``doc.ents``, or with overlaps as a span group."""
    format = SpacyDocBin("en", key)
    corpus = data.draw(corpora(format))
    assert round_trip(format, corpus) == corpus


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("name", [name for name in PLAIN if name != "conll"])
@some_time
@given(data=st.data())
def test_a_corpus_comes_back_in_every_unit(name: str, unit: Unit, data: st.DataObject) -> None:
    """Offsets are written and read in code points, UTF-16 units or bytes."""
    format = format_named(name)
    corpus = data.draw(corpora(format))
    assert round_trip(format, corpus, unit) == corpus


@pytest.mark.parametrize("name", PLAIN)
@some_time
@given(data=st.data())
def test_what_was_read_is_written_as_it_was(name: str, data: st.DataObject) -> None:
    """Writing again gives the same bytes."""
    format = format_named(name)
    corpus = data.draw(corpora(format))
    assert written(format, *round_trip(format, corpus)) == written(format, *corpus)


def test_an_empty_document_and_an_empty_corpus_come_back() -> None:
    """No text, no mention, no document: none of these is an error in any format."""
    for name in PLAIN:
        format = format_named(name)
        assert round_trip(format, [AnnotatedDocument("d1", "")]) == [AnnotatedDocument("d1", "")]
        assert round_trip(format, []) == []


def test_conll_without_the_text_has_spaces_between_tokens() -> None:
    """The format has no white space; tokens are joined by spaces, sentences by line breaks."""
    conll = format_named("conll")
    text = "Anna  Berg spoke.\n\nIt rained."
    (read,) = conll.read(
        conll.write([document(text, at(text, "Anna  Berg", type="PERSON"))], Unit.CODE_POINTS),
        Reading(),
    )
    assert read.text == "Anna Berg spoke .\nIt rained ."
    assert read.annotations[0].mentions == (at(read.text, "Anna Berg", type="PERSON"),)
