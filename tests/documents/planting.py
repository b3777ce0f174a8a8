"""Pages with a name planted in every place of HTML, in every spelling, and who still finds it there.

The check knows nothing of the product: it decodes a page in every way that it knows, again and
again, leaves letters only, and looks for the parts of the name.
"""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import quote, unquote

GIVEN, SURNAME = "Gökçe", "Yalmanoğlu"
NAME = f"{GIVEN} {SURNAME}"
PARTS = ("gokce", "yalmanoglu")


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if character.isalnum())


def _numeric(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)


def _hexadecimal(text: str) -> str:
    return "".join(f"&#x{ord(character):x};" for character in text)


SPELLINGS = {
    "as it is": NAME,
    "hyphens": "gokce-yalmanoglu",
    "underscores": "gökçe_yalmanoğlu",
    "camel case": "GokceYalmanoglu",
    "glued": "gokceyalmanoglu",
    "capitals": "GÖKÇE.YALMANOĞLU",
    "surname": "Yalmanoglu",
    "inside a word": "freeyalmanoglunow",
    "given name": "gokce",
    "a file": "/img/gokce-yalmanoglu.jpg",
    "decomposed": unicodedata.normalize("NFD", "Yalmanoğlu"),
    "soft hyphen": "Yalma\u00adnoğlu",
    "percent": quote(NAME),
    "percent twice": quote(quote("yalmanoğlu")),
    "percent of letters": "%59%61lmanoglu",
    "references": "Y&#97;lmano&#x11f;lu",
    "all references": _numeric("yalmanoglu"),
    "references in hexadecimal": _hexadecimal(SURNAME),
    "escapes of scripts": "Yalmano\\u011flu",
    "escapes of styles": "\\59 almano\\11f lu",
    "base64": base64.b64encode(f"by {NAME}".encode()).decode(),
    "punycode": "xn--" + "yalmanoğlu".encode("punycode").decode(),
}
PLACES = {
    "class": '<p class="a {} b">x</p>',
    "class, single quotes": "<p class='{}'>x</p>",
    "id": '<p id="{}">x</p>',
    "href": '<a href="/people/{}">x</a>',
    "absolute href": '<a href="https://example.org/{}?q=1#top">x</a>',
    "mailto": '<a href="mailto:{}@example.org">x</a>',
    "javascript address": "<a href=\"javascript:show('{}')\">x</a>",
    "src": '<img src="{}.jpg" alt="a picture">',
    "srcset": '<img srcset="/a/{}.jpg 1x, /b/{}.jpg 2x">',
    "alt": '<img src="a.jpg" alt="{}">',
    "title": '<p title="{}">x</p>',
    "data attribute": '<p data-user="{}">x</p>',
    "name of an attribute": '<p data-{}="1">x</p>',
    "style attribute": '<p style="background:url({}.png)">x</p>',
    "onclick": "<p onclick=\"open('{}')\">x</p>",
    "unknown event": '<p onfoo="{}">x</p>',
    "srcdoc": '<iframe srcdoc="&lt;p class=&quot;{}&quot;&gt;a&lt;/p&gt;"></iframe>',
    "text of srcdoc": '<iframe srcdoc="<p>Dear {},</p>"></iframe>',
    "data address": '<a href="data:text/plain,{}">x</a>',
    "name of an element": "<x-{}>x</x-{}>",
    "unknown element": '<foo bar="{}">x</foo>',
    "end tag": '<p>x</p class="{}">',
    "doctype": '<!DOCTYPE html SYSTEM "{}">',
    "comment": "<!-- {} -->",
    "conditional comment": '<!--[if IE]><p class="{}"><![endif]-->',
    "instruction": "<?php echo '{}' ?>",
    "declaration": "<!ENTITY {}>",
    "section": "<![CDATA[{}]]>",
    "script": "<script>var who = '{}';</script>",
    "JSON in a script": '<script type="application/ld+json">{{"name": "{}"}}</script>',
    "key in a script": '<script type="application/json">{{"{}": 1}}</script>',
    "template in a script": '<script type="text/x-template"><b id="{}"></b></script>',
    "style": '<style>.{} {{ color: red }} p::after {{ content: "x" }}</style>',
    "content of a style": '<style>p::after {{ content: "{}" }}</style>',
    "comment of a style": "<style>/* {} */ p {{ color: red }}</style>",
    "template": '<template><p id="{}">x</p></template>',
    "noscript": '<noscript><img src="{}"></noscript>',
    "textarea": "<textarea>{}</textarea>",
    "title of the page": "<title>{}</title>",
    "meta": '<meta name="author" content="{}">',
    "refresh": '<meta http-equiv="refresh" content="0;url=/{}">',
    "base": '<base href="https://{}.example.org/">',
    "link": '<link rel="author" href="/{}">',
    "text of a drawing": "<svg><text>{}</text></svg>",
    "title of a drawing": "<svg><title>{}</title></svg>",
    "attribute of a drawing": '<svg><use xlink:href="#{}"/></svg>',
    "element of a drawing": "<svg><{}/></svg>",
    "formula": "<math><mtext>{}</mtext></math>",
    "language": '<p lang="{}">x</p>',
    "type": '<input type="{}" value="x">',
    "value": '<input value="{}">',
    "unquoted": "<p data-x={}>x</p>",
    "form": '<form action="/{}"><input name="{}"></form>',
    "name without value": "<p {}>x</p>",
    "text": "<p>{}</p>",
}
_NAMES = ("name of an attribute", "name of an element", "element of a drawing", "style", "unquoted",
          "name without value", "declaration")  # fmt: skip
TEXTS = (
    "textarea",
    "title of the page",
    "text of a drawing",
    "title of a drawing",
    "formula",
    "text",
)
"""Places that people read: what stands there is text, which detection looks at."""


def pages() -> Iterator[tuple[str, str, str]]:
    """Yield place, spelling and page, of all that go together but text."""
    for place, frame in PLACES.items():
        if place in TEXTS:
            continue
        for spelling, name in SPELLINGS.items():
            # A name of an element or of an attribute ends at a blank or a slash.
            if place in _NAMES and re.search(r"[ /\\%&]", name):
                continue
            yield place, spelling, frame.format(name, name)


def survives(page: str) -> bool:
    """Tell whether a part of the name can be read in a page."""
    return any(part in _plain(reading) for reading in _readings(page) for part in PARTS)


def _readings(page: str) -> set[str]:
    readings = {page, *_Strings(page).strings}
    for _ in range(4):
        further = {decoded for reading in readings for decoded in _decoded(reading)}
        if further <= readings:
            break
        readings |= further
    return readings


def _decoded(text: str) -> Iterator[str]:
    yield html.unescape(text)
    yield unquote(text)
    yield re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)
    yield re.sub(r"\\([0-9a-f]{2,6}) ?", lambda match: chr(int(match[1], 16)), text)
    yield re.sub(r"xn--([\w-]+)", lambda match: _punycode(match[1]), text)
    for match in re.finditer(r"[A-Za-z0-9+]{16,}={0,2}", text):
        try:
            yield base64.b64decode(match[0]).decode()
        except ValueError:
            continue


def _punycode(text: str) -> str:
    try:
        return text.encode().decode("punycode")
    except UnicodeError:
        return text


class _Strings(HTMLParser):
    """All that the parser of the standard library reports."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.strings: list[str] = []
        self.tags: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.strings += (tag, *(part or "" for pair in attrs for part in pair))

    def handle_endtag(self, tag: str) -> None:
        self.strings.append(tag)

    def handle_data(self, data: str) -> None:
        self.strings.append(data)

    handle_comment = handle_decl = handle_pi = unknown_decl = handle_data


def tags(page: str) -> list[str]:
    """Return the names of the elements of a page."""
    return _Strings(page).tags
