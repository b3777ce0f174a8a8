"""A text as it is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.text.readings import readings
from tacenda.text.word_parts import divided_words
from tests.examples import MANY, for_each
from tests.growth import assert_linear

pieces = st.sampled_from(
    [
        "%C3%A7",
        "%E7",
        "&amp;",
        "&#x131;",
        "=?utf-8?q?=C3=A7_a?=",
        "=C3=A7",
        "=\n",
        "\\u015f",
        "\\x41",
        "\\303\\247",
        "-\n> ",
        "**",
        "<b>",
        " ",
        "a b c d",
        "Yal",
        "man",
        "ß",
        "́",
        "а",
        "Ω",
        "각",
        "\n",
    ]
)


@for_each(
    ("written", "read"),
    [
        ("%C3%87a%C4%9flar", "caglar"),
        ("%25C3%2587alis", "calis"),
        ("Ren%E9e", "renee"),
        ("Ca%u011flar \\u015Een", "caglar sen"),
        ("\\ud835\\udc00nna \\u{1D400}b", "anna ab"),
        ("&Ccedil;al&#305;&#x15f; &amp;amp;", "calis &"),
        ("=?utf-8?q?Gal=C4=B1p_Y?=", "galip y"),
        ("=?UTF-8?B?w4c=?= =?UTF-8?B?YW4=?=", "can"),
        ("=?utf-8?b?w4?= =?utf-8?b?h2E=?=", "ca"),
        ("=?nosuch?q?=E7a?=", "ca"),
        ("Gal=C4=B1p Yal=\nman", "galip yalman"),
        ("key=Fer\x0bgus &amp; key=FEr\x0bgus", "key=fergus &amp; key=fergus"),
        ("=E0=A4=\n=B0", "र"),
        ("\\x47alip \\131\\141l \\00006dan", "galip yal man"),
        ("Galip\\nYalman", "galip yalman"),
        ("Yal-\n> > man", "yalman"),
        ("Yal- > man", "yalman"),
        ("YAL-\r\n  MAN", "yalman"),
        ("Yal- man, Yal\u2011man", "yalman, yalman"),
        ("**Ga**lip _Yal_man", "**galip _yalman"),
        ("<b>Yal</b>man Yal<!-- x -->man", "<b>yalman yalman"),
        ("Yal\x0cman", "yalman"),
        ("G a l i p  Y a l m a n", "galip yalman"),
        ("Y.A.L.M.A.N.", "yalman."),
        ("Yаlmаn", "yalman"),
        ("ΙΝΑ", "ina"),
        ("\u1100\u1175\u11b7", "김"),
        ("\u304b\u3099", "が"),
    ],
)
def test_encodings_and_joints(written: str, read: str) -> None:
    """One of the readings of a text is what a program or a person makes of it."""
    assert read in [reading.searched for reading in readings(written)]


@pytest.mark.parametrize("text", ["a plain text", "3 * 4", "x < y", "50 % of A & B", "C:\\docs"])
def test_a_plain_text_is_read_once(text: str) -> None:
    """Where nothing is encoded, there is one reading."""
    assert len(list(readings(text))) == 1


@for_each(
    ("text", "searched", "original"),
    [
        ("by G%61lip.", "galip", "G%61lip"),
        ("by %47%61lip%21", "galip", "%47%61lip"),
        ("by =?utf-8?q?Ga=6Cip?=!", "galip", "=?utf-8?q?Ga=6Cip?="),
        ("by Ga-\n> lip.", "galip", "Ga-\n> lip"),
        ("by **Ga**lip*", "galip", "Ga**lip"),
        ("by G a l i p  D e m", "galip", "G a l i p"),
    ],
)
def test_where_it_is_written(text: str, searched: str, original: str) -> None:
    """What is found in a reading comes back as the characters that it was read from."""
    found = {
        reading.original(reading.place(start, start + len(searched))).of(text)
        for reading in readings(text)
        if (start := reading.searched.find(searched)) >= 0
    }
    assert found == {original}


@given(st.lists(pieces | st.characters(), max_size=12).map("".join))
@MANY
def test_places_are_in_the_text(text: str) -> None:
    """Whatever stands in a text, each letter of a reading comes from somewhere in it."""
    for reading in readings(text):
        for position in range(len(reading.searched)):
            span = reading.original(reading.place(position, position + 1))
            assert 0 <= span.start < span.end <= len(text)


@for_each(
    "piece",
    [
        "%41",
        "&amp;",
        "=?utf-8?q?a",
        "=?a?q?b?= ",
        "\\u0041",
        "a-\n> ",
        "a ",
        "a**b",
        "<a",
        "<b>a",
        "а",
        "a-b ",
        "\\101",
        "=41",
        "=\n",
        "-\n" + " " * 30,
        "%25",
        "가゙",
    ],
)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    """As much of a long run of any code or joint."""
    assert_linear(lambda size: list(readings(piece * (size // len(piece)))), 30_000)


@pytest.mark.parametrize(
    "text", ["a sheep W\nojciechowski.", "E l e n a W o j c\niechowski", "Wojcie\nchowski came"]
)
def test_a_word_goes_on_after_the_end_of_a_line(text: str) -> None:
    """Behind one letter or many, of spaced ones from the last capital on."""
    assert [word for _, word in divided_words(text)] == ["wojciechowski"]
