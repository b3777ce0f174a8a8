"""HTML: the text that a reader sees (or hears) is edited; the markup around it isn't changed.

Text includes character data, ``<title>``, comments, and every attribute not known to be structure:
``alt``, ``title``, ``placeholder``, ``aria-label``, ``content``, ``data-*``; if in doubt, an
attribute is text. Block-level tags separate text with line breaks, inline tags don't split words;
attributes and comments follow the block that contains them, so that they don't interrupt sentences.
JSON inside scripts and pages inside attributes (``srcdoc``) are also text. Names of elements and
attributes, addresses, ids, classes, styles and declarations aren't text, but masked names are
struck out of them (``SourceDocument.regions``); a script with a masked name is emptied, since half
a script might do something else.

A file is read in one pass from left to right; unclosed markup is read as text up to the end of the
file.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import BinaryIO

from ..document import Document
from ..shipped import shipped_table
from ..text.decoding import BYTE_ORDER_MARK, check_encoding, read_text
from .base64_data import DATA, covered_source, file_of
from .names import NameScrubber
from .record import Extraction, Origin, Region, SourceDocument

# Tags: which ones separate text, which attributes are structure, and how to scan them.


_TABLE = shipped_table("html")
_HEAD = 1024
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
"""Matches the encoding in the first bytes of a page (HTML Standard, 13.2.3.2)."""
_LATIN_1 = ("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii")

BLOCK = frozenset(_TABLE["block"].split())
_INLINE = frozenset(_TABLE["inline"].split())


def is_element(name: str) -> bool:
    """Return whether ``name`` (lowercase) is an HTML element."""
    return name in BLOCK or name in _INLINE


def is_attribute(name: str) -> bool:
    """Return whether ``name`` (lowercase) is a known HTML attribute."""
    return name in CLOSED_ATTRIBUTES or name in SWEPT_ATTRIBUTES or name in _FREE


def is_custom(name: str) -> bool:
    """Return whether ``name`` (lowercase) may be a custom or prefixed element."""
    return _CUSTOM.fullmatch(name) is not None


CLOSED_ATTRIBUTES = frozenset(_TABLE["closed_attributes"].split())
"""Attributes whose values aren't text but words from closed lists, numbers and lengths."""

SWEPT_ATTRIBUTES = frozenset(_TABLE["swept_attributes"].split())
"""Addresses, ids and references, which aren't text; masked names are struck out of them."""

_FREE = frozenset(_TABLE["free_attributes"].split())

_CUSTOM = re.compile(r"[a-z0-9]+(?:[-:_][a-z0-9]+)+")
_SKIPPED = re.compile(r"[ \t\n\r\f/]*")
_NAME = re.compile(r"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*")
_EQUALS = re.compile(r"[ \t\n\r\f]*=[ \t\n\r\f]*")
_UNQUOTED = re.compile(r"[^ \t\n\r\f>]+")


@dataclass(frozen=True, slots=True)
class HtmlAttribute:
    """A tag's attribute: its lowercase name, and where its value is in the source.

    Attributes:
        name: lowercase; empty for a name without a value, which then counts as the value.
        begin: code point where the attribute starts.
        start, end: code points of the value, without quotes.
        quote: the quotation mark around it, or empty.
    """

    name: str
    begin: int
    start: int
    end: int
    quote: str


def parse_attributes(source: str, position: int) -> tuple[list[HtmlAttribute], int]:
    """Scan a tag from the end of its name, as the HTML standard tokenizes it.

    Returns:
        The attributes, and the code point after ``>``; -1 if the tag never ends.
    """
    attributes: list[HtmlAttribute] = []
    while True:
        position = _end(_SKIPPED, source, position)
        if position >= len(source):
            return attributes, -1
        if source[position] == ">":
            return attributes, position + 1
        after = _end(_NAME, source, position)
        begin, position = position, after
        name = source[begin:after].lower()
        equals = _EQUALS.match(source, position)
        if not equals:
            if name not in CLOSED_ATTRIBUTES:
                last = attributes[-1] if attributes else None
                if last and not last.name and source[last.end : begin].isspace():
                    begin = attributes.pop().start
                attributes.append(HtmlAttribute("", begin, begin, position, ""))
            continue
        position = equals.end()
        quote = source[position : position + 1]
        if quote in ('"', "'"):
            close = source.find(quote, position + 1)
            if close < 0:
                return attributes, -1
            attributes.append(HtmlAttribute(name, begin, position + 1, close, quote))
            position = close + 1
        elif quote and quote != ">":
            after = _end(_UNQUOTED, source, position)
            attributes.append(HtmlAttribute(name, begin, position, after, ""))
            position = after


def _end(pattern: re.Pattern[str], source: str, position: int) -> int:
    match = pattern.match(source, position)
    return match.end() if match else position


REFERENCE = r"&(?:#[0-9]{1,10};?|#[xX][0-9a-fA-F]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31};?)"
_SPECIAL = re.compile(rf"(?P<space>[ \t\n\r\f]{{2,}}|[\t\n\r\f])|(?P<reference>{REFERENCE})")
_TAG = re.compile(r"</?([A-Za-z][^ \t\n\r\f/>]*)")
_RAW_END = {
    name: re.compile(rf"</{name}(?=[ \t\n\r\f/>])", re.IGNORECASE) for name in ("script", "style")
}
_SCHEME = re.compile(r"\s*(?:mailto|tel|sms|callto|xmpp|skype):|\s*[a-z][a-z0-9+.-]*://", re.I)
_PROGRAM = re.compile(r"\s*(?:javascript|vbscript)\s*:", re.I)
_INSIDE = re.compile(r"[^<>]{1,2000}")
_NOT_BARE = re.compile(r"[ \t\n\r\f\"'<>/=]+")
_CLOSE = re.compile(">")
_COMMENT_END = re.compile(r"--!?>")


def _element_text(text: str) -> str:
    return html.escape(text, quote=False)


def _in_italics(text: str) -> str:
    return f"<i>{_element_text(text)}</i>"


def _quoted(text: str) -> str:
    return html.escape(text, quote=True)


def _unquoted(text: str) -> str:
    """Return an attribute value in quotes, for one without quotes in the source."""
    return f'"{html.escape(text, quote=True)}"'


def _bare(text: str) -> str:
    """Write the name of an attribute without a value."""
    return _NOT_BARE.sub("_", text)


def _comment(text: str) -> str:
    return text.replace("--", "- -").replace(">", "&gt;")


def _json_in_script(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("<", "\\u003c")


def _page(text: str) -> str:
    """Write text back as a page inside a quoted attribute."""
    return html.escape("".join(f"<p>{html.escape(line)}</p>" for line in text.split("\n") if line))


def _unquoted_page(text: str) -> str:
    return f'"{_page(text)}"'


def _text_of(value: str) -> str:
    """Return the text of a page inside an attribute."""
    reader = _HtmlReader(html.unescape(value))
    reader.run()
    return reader.extraction.text


def _strike_value(value: str, forms: NameScrubber) -> str:
    return forms.redact(value)


def _strike_code(value: str, forms: NameScrubber) -> str:
    return forms.redact(value, code=True)


def _strike_name(name: str, forms: NameScrubber) -> str:
    """Return an element's name with forms struck out; it starts with a letter and has a hyphen."""
    result = forms.redact(name, code=True, filler="x")
    return result if result == name or is_custom(result.lower()) else "x-x"


def _strike_address(value: str, forms: NameScrubber) -> str | None:
    """Return a value with forms struck out; None for a whole page (``data:``) that contains a form."""
    result = forms.redact(value)
    page = DATA.match(html.unescape(result))
    text = file_of(page).decode("utf-8", "replace") if page else ""
    return None if forms.occurs_in(_text_of(text)) else result


def _strike_script(value: str, forms: NameScrubber) -> str | None:
    return None if forms.occurs_in(value, code=True) else value


def _strike_json(value: str, forms: NameScrubber) -> str | None:
    result = forms.strike_words(value)
    return None if forms.occurs_in(result) else result


def _strike_style(value: str, forms: NameScrubber) -> str | None:
    result = forms.strike_words(value, code=True, filler="x")
    return None if forms.occurs_in(result, code=True) else result


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of an HTML file.

    Raises:
        InputError: if it can't be decoded.
    """
    data = stream.read()
    origin = replace(origin, encoding=_encoding(data, origin.encoding))
    source, notes = read_source(BytesIO(data), origin)
    extraction, places = extract(source)
    document = Document(origin.name, extraction.text)
    slots = tuple(extraction.slots)
    yield SourceDocument(document, origin, source, slots, regions=tuple(places), notes=notes)


def _encoding(data: bytes, encoding: str) -> str:
    """Return the encoding that a page declares if it isn't UTF-8, which is the default."""
    declared = _CHARSET.search(data[:_HEAD])
    if declared is None or encoding != "utf-8":
        return encoding
    try:
        data.decode()
    except UnicodeDecodeError:
        name = declared[1].decode("ascii").lower()
        # Programs write the former and mean the latter (Encoding Standard, 4.2).
        return "cp1252" if name in _LATIN_1 else check_encoding(name)
    return encoding


def read_source(stream: BinaryIO, origin: Origin) -> tuple[str, tuple[str, ...]]:
    """Return a file's characters, with pictures in addresses covered if they may show text, and notes about it.

    Raises:
        InputError: if it can't be decoded.
    """
    source = read_text(stream, origin.encoding, origin.name)
    return covered_source(source, origin, _values)


def _values(source: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of attribute values."""
    for region in regions(source):
        if source[region.start - 1 : region.start] in ('"', "'", "="):
            yield region.start, region.end


def extract(source: str) -> tuple[Extraction, list[Region]]:
    """Return a page's text, and the parts of its markup that may repeat a name, without overlaps."""
    reader = _HtmlReader(source)
    reader.run()
    return reader.extraction, reader.regions


def regions(source: str) -> list[Region]:
    """Return the parts of the markup that may repeat a name, in order, without overlaps."""
    return extract(source)[1]


class _HtmlReader:
    """One pass over a page's source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.extraction = Extraction(source)
        self.regions: list[Region] = []
        self._asides: list[tuple[int, int, Callable[[str], str]]] = []
        self._preformatted = 0
        self._drawing = 0
        self._is_plain = False

    def run(self) -> None:
        source = self.source
        position = int(source.startswith(BYTE_ORDER_MARK))
        while position < len(source):
            opening = source.find("<", position)
            if opening < 0:
                opening = len(source)
            if opening > position:
                self._characters(position, opening)
            position = self._markup(opening) if opening < len(source) else opening
        self._break()

    def _markup(self, start: int) -> int:
        """Read the markup from ``<`` at ``start``; return its end."""
        source = self.source
        if source.startswith("<!--", start):
            return self._aside(start + 4, _COMMENT_END.search(source, start + 4))
        if source.startswith(("<!", "<?"), start):
            close = _CLOSE.search(source, start)
            if source[start : start + 9].lower() == "<!doctype":
                stop = close.start() if close else len(source)
                self.regions.append(Region(start + 9, stop, _strike_value))
                return close.end() if close else stop
            return self._aside(start + 2, close)
        tag = _TAG.match(source, start)
        name = tag[1].lower() if tag else ""
        if not tag or not (self._drawing or is_element(name) or is_custom(name)):
            # "a < b", "<jane@example.org>", "<Jane Doe>": not meaningful markup
            self.extraction.verbatim(start, start + 1, _element_text)
            if tag and (inside := _INSIDE.match(source, start + 1)):
                self.regions.append(Region(*inside.span(), _strike_value))
            return start + 1
        attributes, end = parse_attributes(source, tag.end())
        if end < 0:  # a tag that never ends: what follows would not be shown, but might leak
            self._characters(start, len(source))
            return len(source)
        if not is_element(name):
            self.regions.append(Region(*tag.span(1), _strike_name))
        closing = source.startswith("</", start)
        if name in BLOCK:
            self._break()
        for attribute in attributes:
            self._attribute(name, attribute, attributes)
        if name in ("pre", "textarea"):
            self._preformatted = 0 if closing else 1
        elif name in ("svg", "math"):
            self._drawing = 0 if closing else 1
        elif name in ("title", "option"):
            self._is_plain = not closing
        elif name in _RAW_END and not closing:
            return self._raw(name, attributes, end)
        return end

    def _aside(self, start: int, end: re.Match[str] | None) -> int:
        stop = end.start() if end else len(self.source)
        self._asides.append((start, stop, _comment))
        self.regions.append(Region(start, stop, _strike_value))
        return end.end() if end else stop

    def _raw(self, name: str, attributes: list[HtmlAttribute], start: int) -> int:
        """Read the content of ``script`` or ``style``; return where its end tag starts."""
        end = _RAW_END[name].search(self.source, start)
        stop = end.start() if end else len(self.source)
        types = [self.source[a.start : a.end] for a in attributes if a.name == "type"]
        if name == "style":
            self.regions.append(Region(start, stop, _strike_style))
        elif any("json" in value.lower() for value in types):
            self._asides.append((start, stop, _json_in_script))
            self.regions.append(Region(start, stop, _strike_json))
        else:
            self.regions.append(Region(start, stop, _strike_script))
        return stop

    def _attribute(
        self, tag: str, attribute: HtmlAttribute, attributes: list[HtmlAttribute]
    ) -> None:
        start, end, name = attribute.start, attribute.end, attribute.name
        if name and not is_attribute(name):
            stop = attribute.begin + len(name)
            self.regions.append(Region(attribute.begin, stop, _strike_value))
        if start == end:
            return
        if not name:
            self._asides.append((start, end, _bare))
            self.regions.append(Region(start, end, _strike_value))
            return
        self._value_region(attribute)
        if name in CLOSED_ATTRIBUTES or name == "style":
            return
        if name == "srcdoc":
            self._asides.append((start, end, _page if attribute.quote else _unquoted_page))
            return
        address = _SCHEME.match(self.source, start, end) if name == "href" else None
        if address and tag in ("a", "area"):
            # The scheme of a mail address or telephone number is kept; that of a page is part of
            # the address.
            if not address[0].endswith("//") and attribute.quote:
                start = address.end()
        elif (
            name in SWEPT_ATTRIBUTES
            or name.startswith("on")
            or tag in ("script", "link", "style")
            or (tag == "meta" and any(a.name in ("http-equiv", "charset") for a in attributes))
            or (self._drawing and not name.startswith("aria-") and name not in ("title", "alt"))
        ):
            return
        self._asides.append((start, end, _quoted if attribute.quote else _unquoted))

    def _value_region(self, attribute: HtmlAttribute) -> None:
        start, end, name = attribute.start, attribute.end, attribute.name
        if name.startswith("on") or _PROGRAM.match(html.unescape(self.source[start:end])):
            strike = _strike_script
        elif name == "style":
            strike = _strike_style
        else:
            strike = _strike_code if name in CLOSED_ATTRIBUTES else _strike_address
        self.regions.append(Region(start, end, strike, "" if attribute.quote else '""'))

    def _characters(self, start: int, end: int) -> None:
        """Add character data, with white space folded and references decoded."""
        extraction, source = self.extraction, self.source
        italic = None if self._preformatted or self._drawing or self._is_plain else _in_italics
        for match in _SPECIAL.finditer(source, start, end):
            if match["space"]:
                if self._preformatted:
                    continue
                extraction.verbatim(start, match.start(), _element_text, italic=italic)
                if extraction.last.strip(" \n"):
                    extraction.opaque(match.start(), match.end(), " ", _element_text)
            else:
                text = html.unescape(match["reference"])
                if text == match["reference"]:
                    continue
                extraction.verbatim(start, match.start(), _element_text, italic=italic)
                extraction.opaque(match.start(), match.end(), text, _element_text)
            start = match.end()
        extraction.verbatim(start, end, _element_text, italic=italic)

    def _break(self) -> None:
        """End the line, followed by the block's attributes and comments."""
        extraction = self.extraction
        asides, self._asides = self._asides, []
        if extraction.length and extraction.last != "\n":
            extraction.gap("\n")
        for start, end, encode in asides:
            if not self.source[start:end].strip():
                continue
            if encode in (_page, _unquoted_page):
                extraction.opaque(start, end, _text_of(self.source[start:end]), encode)
            elif encode is _unquoted:
                text = html.unescape(self.source[start:end])
                extraction.opaque(start, end, text, encode)
            elif encode is _quoted:
                self._value(start, end)
            else:
                extraction.verbatim(start, end, encode)
            extraction.gap("\n")

    def _value(self, start: int, end: int) -> None:
        """Add a quoted attribute value, with references decoded."""
        for match in _SPECIAL.finditer(self.source, start, end):
            text = html.unescape(match["reference"] or "")
            if text != (match["reference"] or ""):
                self.extraction.verbatim(start, match.start(), _quoted)
                self.extraction.opaque(match.start(), match.end(), text, _quoted)
                start = match.end()
        self.extraction.verbatim(start, end, _quoted)
