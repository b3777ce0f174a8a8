"""HTML tags: which of them part the text, which attributes are structure, how to scan them."""

from __future__ import annotations

import re
from dataclasses import dataclass


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


BLOCK = _names(
    """
    address article aside blockquote body br button caption center col colgroup dd details dialog
    dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header
    hgroup hr html legend li link main menu meta nav noscript ol optgroup option p pre script
    search section select style summary table tbody td template textarea tfoot th thead title tr
    ul
    """
)

_INLINE = _names(
    """
    a abbr acronym applet area audio b base basefont bdi bdo bgsound big blink canvas cite code
    command content data datalist del dfn em embed font frame i iframe image img input ins kbd
    keygen label listing map mark marquee meter nobr noembed noframes object output param picture
    plaintext portal progress q rb rp rt rtc ruby s samp shadow slot small source spacer span
    strike strong sub sup time track tt u var video wbr xmp svg math
    """
)


def is_element(name: str) -> bool:
    """Tell whether ``name`` (in lower case) names an element of HTML."""
    return name in BLOCK or name in _INLINE


def is_attribute(name: str) -> bool:
    """Tell whether ``name`` (in lower case) is an attribute that tells nobody by its name."""
    return name in CLOSED_ATTRIBUTES or name in SWEPT_ATTRIBUTES or name in _FREE


def is_custom(name: str) -> bool:
    """Tell whether ``name`` (in lower case) can name a custom or prefixed element."""
    return _CUSTOM.fullmatch(name) is not None


CLOSED_ATTRIBUTES = _names(
    """
    accept accept-charset align async autocomplete autofocus autoplay bgcolor border cellpadding
    cellspacing charset checked color cols colspan contenteditable controls coords
    crossorigin defer dir disabled draggable enctype face height hidden hreflang http-equiv
    integrity ismap itemscope itemtype kind lang loading loop max maxlength media method min
    minlength multiple muted nonce novalidate open pattern preload readonly referrerpolicy rel
    required rev reversed role rows rowspan sandbox scope selected shape size sizes span
    spellcheck step tabindex target translate type valign viewbox width wrap xml:lang xmlns
    """
)
"""Attributes whose values are words of closed lists, numbers and lengths: no text."""

SWEPT_ATTRIBUTES = _names(
    """
    action aria-controls aria-describedby aria-labelledby aria-owns background cite class classid
    codebase data for form formaction headers href id itemid itemprop itemref list longdesc
    manifest name ping poster profile property slot src srcdoc srcset usemap xlink:href
    """
)
"""Addresses, ids and references: no text, but a masked name is struck out in them."""

_FREE = _names(
    """
    abbr alt aria-label content label placeholder style summary title value
    """
)

_CUSTOM = re.compile(r"[a-z0-9]+(?:[-:_][a-z0-9]+)+")
_SKIPPED = re.compile(r"[ \t\n\r\f/]*")
_NAME = re.compile(r"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*")
_EQUALS = re.compile(r"[ \t\n\r\f]*=[ \t\n\r\f]*")
_UNQUOTED = re.compile(r"[^ \t\n\r\f>]+")


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a tag: its name in lower case and where its value stands in the source.

    Attributes:
        name: in lower case; empty for names without values, which are then the value.
        begin: code point where the attribute begins.
        start, end: code points of the value, without its quotes.
        quote: the quote around it; empty if there is none.
    """

    name: str
    begin: int
    start: int
    end: int
    quote: str


def parse_attributes(source: str, position: int) -> tuple[list[Attribute], int]:
    """Scan a tag from behind its name, as the HTML standard tokenizes it.

    Returns:
        The attributes, and the code point behind ``>``; -1 if the tag never
        ends.
    """
    attributes: list[Attribute] = []
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
                attributes.append(Attribute("", begin, begin, position, ""))
            continue
        position = equals.end()
        quote = source[position : position + 1]
        if quote in ('"', "'"):
            close = source.find(quote, position + 1)
            if close < 0:
                return attributes, -1
            attributes.append(Attribute(name, begin, position + 1, close, quote))
            position = close + 1
        elif quote and quote != ">":
            after = _end(_UNQUOTED, source, position)
            attributes.append(Attribute(name, begin, position, after, ""))
            position = after


def _end(pattern: re.Pattern[str], source: str, position: int) -> int:
    match = pattern.match(source, position)
    return match.end() if match else position
