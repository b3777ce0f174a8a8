"""Captions (WebVTT, SubRip): spoken words are text; cues and their times stay.

The text consists of each cue's words, the speakers (``<v Anna Berg>``, read as ``Anna Berg:``),
notes, the title, and every line that the standard doesn't define (WebVTT: W3C Candidate
Recommendation, 2019, section 4). Cue ids that aren't numbers are also text. Classes, settings and
style sheets are searched for masked names. A file that ends within a cue's times is truncated and
refused.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from ..document import Document
from ..errors import InputError
from ..text.decoding import BYTE_ORDER_MARK, read_text
from .formats import Kind, Passage
from .names import NameScrubber
from .record import Extraction, Origin, Region, SourceDocument

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_TIME = r"(?:\d+:)?\d\d:\d\d[.,]\d{1,3}"
_TIMING = re.compile(rf"[ \t]*{_TIME}[ \t]+-->[ \t]+{_TIME}(?P<settings>(?:[ \t].*)?)")
_HALF_TIMING = re.compile(
    r"[ \t]*(?:\d+:)?\d\d:\d\d[.,]\d{3}[ \t]+"
    r"(?:--?|-->[ \t]*(?:\d+(?::\d{0,2}){0,2}|(?:\d+:)?\d\d:\d\d[.,]\d{0,2})?)"
)
"""Matches the start of a cue's times without their end."""
_HALF_TIME = re.compile(r"\d+:(?:\d\d?:?){0,2}(?:[.,]\d{0,3})?")
"""Matches the start of a cue's times that could be words anywhere except under its number."""
_TAG = re.compile(
    rf"</(?:c|i|b|u|v|ruby|rt|lang|font)>|<{_TIME}>"
    r"|<(?:c|i|b|u|ruby|rt|lang|v)(?P<classes>\.[^ \t<>]*)?(?:[ \t]+(?P<annotation>[^<>]*))?>"
)
_SUBRIP_TAG = re.compile(
    r"</?[ibus]>|</font>|<font(?P<classes>(?:[ ]+(?:color|face|size)=\"?[^\"<>]*\"?)*)>|\{\\an?\d{1,2}\}",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"&(?:amp|lt|gt|nbsp|lrm|rlm|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
_STRUCTURE = ("STYLE", "REGION")
_NOTE = ("WEBVTT", "NOTE")


@dataclass(frozen=True, slots=True)
class CaptionSyntax:
    """The syntax of captions: blocks of lines separated by empty lines.

    Attributes:
        tag: pattern of its markup.
        is_web: whether the file starts with ``WEBVTT`` and text has character references.
    """

    tag: re.Pattern[str]
    is_web: bool

    def read(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
        """Yield the one document of a file.

        Raises:
            InputError: if it can't be decoded, doesn't start like its format, or is truncated.
        """
        source = read_text(stream, origin.encoding, origin.name)
        head = source.removeprefix(BYTE_ORDER_MARK)
        if self.is_web and not re.match(r"WEBVTT(?=\s|\Z)", head):
            raise InputError(
                "is not WebVTT: it does not begin with WEBVTT; check the file.", origin.name
            )
        reader = _CaptionReader(source, self)
        reader.read()
        if reader.is_cut_off:
            line = len(source.splitlines())
            raise InputError(
                "ends within the times of a cue; get the whole file.", f"{origin.name}:{line}"
            )
        yield SourceDocument(
            Document(origin.name, reader.extraction.text),
            origin,
            source,
            tuple(reader.extraction.slots),
            tuple(reader.regions),
        )

    def strings(self, text: str) -> Iterator[Passage]:
        """Yield what people read as one string, then tags and times."""
        lines: list[str] = []
        asides: list[Passage] = []
        for number, line in enumerate(text.splitlines(), 1):
            if "-->" in line:
                asides.append(Passage(line, f"times in line {number}", Kind.CODE))
                continue
            words = re.sub(r"<v(?:\.[^ \t<>]*)?[ \t]+([^<>]*)>", r"\1: ", line)
            asides += (
                Passage(tag, f"tag in line {number}", Kind.CODE)
                for tag in re.findall(r"<[^<>]*>", words)
            )
            words = self.tag.sub("", words)
            lines.append(html.unescape(words) if self.is_web else words)
        yield Passage("\n".join(lines), "words", Kind.TEXT)
        yield from asides


WEBVTT = CaptionSyntax(_TAG, is_web=True)
SUBRIP = CaptionSyntax(_SUBRIP_TAG, is_web=False)


class _CaptionReader:
    """Reads one file, line by line."""

    def __init__(self, source: str, syntax: CaptionSyntax) -> None:
        self.source = source
        self.extraction = Extraction(source)
        self.regions: list[Region] = []
        self._syntax = syntax
        self._encode = _referenced if syntax.is_web else _in_a_line
        self.is_cut_off = False
        """Whether the file ends within the times of its last cue."""

    def read(self) -> None:
        """Read all blocks."""
        block: list[tuple[int, int]] = []
        position = int(self.source.startswith(BYTE_ORDER_MARK))
        while position < len(self.source):
            match = _LINE.match(self.source, position)
            assert match is not None
            if match[1].strip():
                block.append(match.span(1))
            else:
                self._block(block)
                block = []
            position = match.end()
        self.is_cut_off = self._ends_within_times(block)
        self._block(block)

    def _ends_within_times(self, lines: list[tuple[int, int]]) -> bool:
        """Return whether the last line is a cue's line of times but contains only part of them."""
        if not lines or lines[-1][1] != len(self.source) or len(lines) > 2:
            return False
        first, last = (self.source[slice(*line)] for line in (lines[0], lines[-1]))
        if _HALF_TIMING.fullmatch(last):
            return not first.startswith(_NOTE)
        is_numbered = len(lines) == 2 and first.strip().isdecimal()
        return is_numbered and _HALF_TIME.fullmatch(last.strip()) is not None

    def _block(self, lines: list[tuple[int, int]]) -> None:
        if not lines:
            return
        first = self.source[slice(*lines[0])]
        timings = [_TIMING.fullmatch(self.source, *line) for line in lines]
        if self._syntax.is_web and first.rstrip() in _STRUCTURE:
            self.regions.append(Region(lines[0][1], lines[-1][1], _struck))
            return
        for index, ((start, end), timing) in enumerate(zip(lines, timings, strict=True)):
            if timing is not None:
                if timing["settings"].strip():
                    self.regions.append(Region(*timing.span("settings"), _struck))
                continue
            is_id = index + 1 < len(lines) and timings[index + 1] is not None
            if is_id and self.source[start:end].strip().isdecimal():
                continue
            word = re.compile(r"WEBVTT|NOTE(?=[ \t]|\Z)").match(self.source, start, end)
            if index == 0 and self._syntax.is_web and word is not None:
                start = word.end()
            self._words(start, end)
            self.extraction.gap("\n")

    def _words(self, start: int, end: int) -> None:
        """Collect the words of a line and of its tags."""
        position = start
        for tag in self._syntax.tag.finditer(self.source, start, end):
            self._plain(position, tag.start())
            position = tag.end()
            groups = tag.groupdict()
            if groups.get("classes"):
                self.regions.append(Region(*tag.span("classes"), _struck))
            if groups.get("annotation"):
                self._plain(*tag.span("annotation"))
                self.extraction.gap(": ")
        self._plain(position, end)

    def _plain(self, start: int, end: int) -> None:
        position = start
        for match in _REFERENCE.finditer(self.source, start, end) if self._syntax.is_web else ():
            self.extraction.verbatim(position, match.start(), self._encode)
            self.extraction.opaque(*match.span(), html.unescape(match[0]), self._encode)
            position = match.end()
        self.extraction.verbatim(position, end, self._encode)


def _in_a_line(text: str) -> str:
    """Write text for a SubRip cue."""
    return " ".join(text.split("\n")).replace("-->", "->")


def _referenced(text: str) -> str:
    """Write text for a WebVTT cue."""
    return html.escape(_in_a_line(text), quote=False)


def _struck(value: str, forms: NameScrubber) -> str:
    """Write classes, settings or a style sheet."""
    filler = re.sub(r"\W", "", value[:1]) or "x"
    return forms.redact(value, code=True, filler=filler)
