"""Captions: cues and times stay, what is said in them is text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tacenda import documents

NAME = "Galip Yalman"
VTT = """\ufeffWEBVTT - A talk by Galip Yalman
Kind: captions

STYLE
::cue(.yalman) { color: red }

NOTE
Galip Yalman was late.

1
00:00:01.000 --> 00:00:04.000 align:start position:0%
<v.loud Galip Yalman>Good <b>morning</b>, I am Galip
Yalman of R&amp;D.</v>

answer by Galip Yalman
00:05.000 --> 00:06.000
<00:05.500><c.yalman>1 &lt; 2 <Galip Yalman></c>
"""
SRT = """1
00:00:01,000 --> 00:00:04,000 X1:40
{\\an8}<i>Galip</i> Yalman: good morning

2
00:00:05,000 --> 00:00:06,000
<font color="#ffffff">R&D --> Galip Yalman</font>
"""


@pytest.mark.parametrize(("format", "source"), [("vtt", VTT), ("srt", SRT)])
def test_captions_without_personal_data_come_back_as_they_were(
    format: str, source: str, through: Callable[..., str]
) -> None:
    """Byte for byte, with whatever ends its lines."""
    for variant in (source, source.replace("\n", "\r\n")):
        assert through(variant, format) == variant


def test_speakers_and_words_are_read_as_one_text(read_all: Callable[..., list[object]]) -> None:
    """A speaker stands before what is said; tags split no word, times and numbers are no text."""
    (record,) = read_all(VTT, "vtt")
    assert isinstance(record, documents.SourceDocument)
    text = record.document.text
    assert "Galip Yalman: Good morning, I am Galip\nYalman of R&D." in text
    assert "-->" not in text
    assert "color" not in text
    assert "1 < 2 <Galip Yalman>" in text


def test_a_name_is_masked_in_every_place_of_captions(through: Callable[..., str]) -> None:
    """In title, notes, ids, speakers, classes, style sheets, and over tags and lines."""
    output = through(VTT, "vtt", NAME, "Galip\nYalman")
    assert "alip" not in output
    assert "alman" not in output
    assert "00:00:01.000 --> 00:00:04.000 align:start position:0%\n<v.loud [X]>Good" in output
    assert "1 &lt; 2 <[X]>" in output
    output = through(SRT, "srt", NAME)
    assert "alman" not in output
    assert "{\\an8}<i>[X]</i>: good morning" in output


def test_a_replacement_makes_no_cue_and_no_tag(through: Callable[..., str]) -> None:
    """Arrows, tags and empty lines of a replacement are words."""
    names = NAME, "Galip\nYalman"
    output = through(VTT, "vtt", *names, text="<i>\n\n00:01.000 --> 00:02.000")
    for mark in ("\n\n", "-->", "<i>"):
        assert output.count(mark) == VTT.count(mark)


def test_a_secret_beside_the_words_is_struck_out(through: Callable[..., str]) -> None:
    """In classes and settings, which nobody reads."""
    source = (
        "WEBVTT\n\n00:01.000 --> 00:02.000 region:galip-yalman\n<c.galip-yalman>Galip Yalman</c>\n"
    )
    output = through(source, "vtt", NAME)
    assert "yalman" not in output.lower()
    assert "<c.x>[X]</c>" in output


def test_what_is_no_webvtt_is_refused(read_all: Callable[..., list[object]]) -> None:
    """A file that begins otherwise is an error with the way out."""
    (failure,) = read_all("1\n00:01.000 --> 00:02.000\nhello\n", "vtt")
    assert isinstance(failure, documents.Failure)
    assert "does not begin with WEBVTT" in str(failure.error)


def _cuts(source: str, line: str, first: int) -> list[str]:
    """Return what is left of captions when they end within a line, from so many characters of it on."""
    start = source.index(line)
    return [source[: start + length] for length in range(first, len(line))]


@pytest.mark.parametrize(
    ("format", "source"),
    [
        *(("vtt", cut) for cut in _cuts(VTT, "00:05.000 --> 00:06.000", len("00:05.000 -"))),
        *(("srt", cut) for cut in _cuts(SRT, "00:00:05,000 --> 00:00:06,000", len("00:"))),
    ],
)
def test_captions_that_end_within_the_times_of_a_cue_are_refused(
    format: str, source: str, read_all: Callable[..., list[object]]
) -> None:
    """By the line, and without a word of what is in them."""
    (failure,) = read_all(source, format)
    assert isinstance(failure, documents.Failure)
    message = str(failure.error)
    assert f":{len(source.splitlines())}: ends within the times of a cue" in message
    assert "Yalman" not in message


@pytest.mark.parametrize(
    ("format", "source"),
    [
        ("srt", SRT.rstrip()),
        ("vtt", VTT.rstrip()),
        ("vtt", "WEBVTT\n\n00:01.0 --> 00:02.5"),
        ("vtt", "WEBVTT\n\nNOTE\n00:05.000 -->"),
        ("srt", "1\n00:00:01,000 --> 00:00:02,000\nHe came at\n\n12:30"),
        ("srt", "1\n00:00:01,000 --> 00:00:02,000\n12:30"),
        ("srt", "1\n00:00:01,000 --> 00:00:02,000"),
        ("vtt", "WEBVTT"),
    ],
)
def test_captions_without_a_last_line_end_are_whole(
    format: str, source: str, through: Callable[..., str]
) -> None:
    """Times among the words are words, and short fractions are times."""
    assert through(source, format) == source
