"""Files of every format with a secret in each of the places that a format has."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import textwrap
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from urllib.parse import quote

from .further import RECORDS, RESOURCES, xml_text
from .people import Person
from .spellings import SPELLINGS

_FILLER = (
    "the rain fell on wet roofs while old boats lay still and nobody spoke of bread or salt until "
    "warm light came over hills where sheep slept between low walls under tall trees"
).split()
_MARKS = "copper linen velvet amber walnut cedar marble ivory barley kettle".split()
_HIDDEN = (
    "plain",
    "lower",
    "upper",
    "surname",
    "snake",
    "kebab",
    "glued",
    "percent",
    "bare",
    "file",
)
"""Spellings that stand where no reader looks."""

# As many of a thousand documents as the format has; an office file takes as long as fifty texts.
_SHARES = {
    "txt": 365, "md": 150, "html": 230, "csv": 110, "jsonl": 110, "docx": 15, "pdf": 20,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """A file, its name, words that no other has (empty: unsure), and where its secrets stand.

    ``kept`` are the phrases that name nobody: all of them must stand in what is written.
    """

    name: str
    content: bytes
    marker: str
    places: tuple[str, ...]
    kept: tuple[str, ...] = ()


def planted(person: Person, number: int, random: Random, family: str = "columns") -> Planted:
    """Draw a document about a person; its marker is a word that no other document has.

    Args:
        person: whom it is about.
        number: of the document.
        random: source of the draw.
        family: of its format: those with columns, with records, or resources of FHIR.
    """
    if family != "columns":
        return _further(person, number, random, family)
    format = random.choices(list(_SHARES), list(_SHARES.values()))[0]
    marker = " ".join(_MARKS[int(digit)] for digit in str(number))
    if format == "pdf" and not all(ord(each) in _glyphs("Unicode") for each in person.name):
        format = "txt"
    drawn = Draw(person, random, marker)
    content = _FORMATS[format](drawn)
    return Planted(f"doc{number}.{format}", content, marker, tuple(drawn.places), tuple(drawn.kept))


def _further(person: Person, number: int, random: Random, family: str) -> Planted:
    formats = RECORDS if family == "records" else RESOURCES
    format = random.choice(list(formats))
    marker = " ".join(_MARKS[int(digit)] for digit in str(number))
    drawn = Draw(person, random, marker)
    content = formats[format](drawn)
    return Planted(f"doc{number}.{format}", content, marker, tuple(drawn.places), tuple(drawn.kept))


class _Phrase(str):
    """A phrase that notes where it is put: a frame may leave it out."""

    notes: list[str]

    def __new__(cls, text: str, notes: list[str]) -> _Phrase:
        phrase = super().__new__(cls, text)
        phrase.notes = notes
        return phrase

    def __format__(self, spec: str) -> str:
        self.notes.append(str(self))
        return super().__format__(spec)


class Draw:
    """Sentences and secrets of one document, and a note of where which secret went."""

    def __init__(self, person: Person, random: Random, marker: str) -> None:
        self.person, self.random, self.marker = person, random, marker
        self.places: list[str] = []
        self.kept: list[str] = []
        # A contact hides only where it also stands in the open: nothing else tells what it is.
        self._contact = random.choice(("", "", "email", "phone", "iban"))

    def filler(self) -> str:
        words = self.random.choices(_FILLER, k=self.random.randint(3, 12))
        return _Phrase(" ".join(words), self.kept)

    def secret(self) -> str:
        """A secret as it stands in the open."""
        spelling = self.random.choice(list(SPELLINGS))
        self.places.append(f"text:{spelling}")
        return SPELLINGS[spelling](self.person, self.random)

    def hidden(self, place: str) -> str:
        """A secret as it stands where no reader looks."""
        if self._contact and self.random.random() < 0.3:
            self.places.append(f"{place}:{self._contact}")
            return str(getattr(self.person, self._contact))
        spelling = self.random.choice(_HIDDEN)
        self.places.append(f"{place}:{spelling}")
        return SPELLINGS[spelling](self.person, self.random)

    def text(self) -> str:
        """Some sentences, with a secret in most of them."""
        sentences = [f"{self.marker}."]
        for _ in range(self.random.randint(0, 3)):
            frame = self.random.choice(
                (
                    "{f} {s} {g}.",
                    "{s}, {f}.",
                    "{f}: “{s}” {g}",
                    "({s}) {f}",
                    "{f} {s}",
                    "*{s}* {f}",
                    "{f}\n{s}\n{g}",
                )
            )
            sentences.append(frame.format(f=self.filler(), g=self.filler(), s=self.secret()))
        if self._contact:
            self.places.append(f"text:{self._contact}")
            # At the begin of a line: one that a line's end breaks has no form to be told by.
            sentences.append(f"\n{getattr(self.person, self._contact)} {self.filler()}.")
        self.random.shuffle(sentences)
        return self.random.choice((" ", "\n", "\n\n")).join(sentences)


def _txt(drawn: Draw) -> bytes:
    return (drawn.text() + drawn.random.choice(("", "\n"))).encode()


_MARKDOWN = {
    "link": "[{f}](/people/{s})", "image": "![{f}](<{s}.png> \"{s}\")", "reference": "[x]: /p/{s}",
    "front": "---\nauthor: {s}\n---", "code": "```{s}\n{f}\n```", "inline": "`{s}` {f}",
    "html": '<span id="{s}">{f}</span>', "comment": "<!-- {s} -->", "emphasis": "**{s}** {f}",
    "footnote": "[^1]: {s}", "heading": "# {s}", "cell": "| a | b |\n|---|---|\n| {s} | {f} |",
}  # fmt: skip


def _md(drawn: Draw) -> bytes:
    blocks = [drawn.text()]
    front = []
    for place in drawn.random.sample(list(_MARKDOWN), drawn.random.randint(0, 3)):
        block = _MARKDOWN[place].format(f=drawn.filler(), s=drawn.hidden(f"md.{place}"))
        (front if place == "front" else blocks).append(block)
    return "\n\n".join([*front, *blocks]).encode()


_HTML = {
    "class": '<p class="{a}">{f}</p>', "id": '<div id="{a}">{f}</div>',
    "style": '<p style="background:url({q}.png)">{f}</p>',
    "css": "<style>.x::after {{ content: \"{s}\" }}</style>",
    "selector": "<style>#{q} {{ color: red }}</style>",
    "script": "<script>var owner = {j};</script>", "json": '<script type="application/ld+json">{{"name": {j}}}</script>',
    "handler": '<b onclick="show(\'{a}\')">{f}</b>', "srcdoc": '<iframe srcdoc="&lt;p&gt;{a}&lt;/p&gt;"></iframe>',
    "href": '<a href="/people/{q}">{f}</a>', "src": '<img src="{q}.jpg" alt="{f}">', "alt": '<img src="x.png" alt="{a}">',
    "title": '<i title="{a}">{f}</i>', "data": '<i data-owner="{a}">{f}</i>', "name": '<a name="{a}">{f}</a>',
    "data64": '<img src="data:text/plain;base64,{b}">', "dataurl": '<img src="data:text/plain,{q}">',
    "comment": "<!-- {s} -->", "meta": '<meta name="author" content="{a}">', "template": "<template><p>{e}</p></template>",
    "noscript": "<noscript>{e}</noscript>", "textarea": "<textarea>{e}</textarea>", "svg": "<svg><title>{e}</title></svg>",
    "value": '<input value="{a}">', "hidden": '<p hidden>{e}</p>', "option": '<option label="{a}">{f}</option>',
    "custom": '<x-card owner="{a}">{f}</x-card>', "processing": "<?x {s}?>", "split": "<p>{t}</p>", "base": '<base href="https://h.example/{q}/">',
}  # fmt: skip


def _html(drawn: Draw) -> bytes:
    parts = [f"<p>{html.escape(paragraph)}</p>" for paragraph in drawn.text().split("\n\n")]
    for place in drawn.random.sample(list(_HTML), drawn.random.randint(1, 4)):
        secret = drawn.hidden(f"html.{place}")
        cut = drawn.random.randint(0, len(secret))
        parts.append(
            _HTML[place].format(
                f=drawn.filler(), s=secret.replace("--", "- -").replace(">", ""), a=html.escape(secret), q=quote(secret),
                e=html.escape(secret), j=json.dumps(secret, ensure_ascii=drawn.random.random() < 0.5),
                b=base64.b64encode(secret.encode()).decode(),
                t=f"{html.escape(secret[:cut])}<b></b>{html.escape(secret[cut:])}",
            )
        )  # fmt: skip
    drawn.random.shuffle(parts)
    doctype = "<!DOCTYPE html>"
    if drawn.random.random() < 0.05:
        doctype = f'<!DOCTYPE html PUBLIC "{html.escape(drawn.hidden("html.doctype"))}">'
    return f"{doctype}<html><body>{''.join(parts)}</body></html>".encode()


def _csv(drawn: Draw) -> bytes:
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    header = ["id", "text", "note"]
    if drawn.random.random() < 0.1:
        header[2] = drawn.hidden("csv.header")
    rows.writerow(header)
    for number in range(drawn.random.randint(1, 3)):
        text = drawn.text()
        other = drawn.hidden("csv.cell") if drawn.random.random() < 0.5 else drawn.filler()
        rows.writerow([number, text, other])
    return stream.getvalue().encode()


def _jsonl(drawn: Draw) -> bytes:
    lines = []
    for number in range(drawn.random.randint(1, 3)):
        record: dict[str, object] = {"id": number, "text": drawn.text()}
        if drawn.random.random() < 0.4:
            record["by"] = drawn.hidden("jsonl.value")
        if drawn.random.random() < 0.2:
            record["meta"] = {"deep": [drawn.hidden("jsonl.deep"), 1]}
        if drawn.random.random() < 0.1:
            record[drawn.hidden("jsonl.key")] = drawn.filler()
        lines.append(json.dumps(record, ensure_ascii=drawn.random.random() < 0.5))
    return ("\n".join(lines) + "\n").encode()


def _docx(drawn: Draw) -> bytes:
    import docx

    document = docx.Document()
    for paragraph in drawn.text().split("\n\n"):
        document.add_paragraph(xml_text(paragraph))
    places: dict[str, Callable[[str], object]] = {
        "cell": lambda secret: setattr(document.add_table(1, 1).cell(0, 0), "text", secret),
        "header": lambda secret: document.sections[0].header.add_paragraph(secret),
        "footer": lambda secret: document.sections[0].footer.add_paragraph(secret),
        "author": lambda secret: setattr(document.core_properties, "author", secret),
        "keywords": lambda secret: setattr(document.core_properties, "keywords", secret),
        "comment": lambda secret: document.add_comment(
            document.add_paragraph("x").runs, secret, secret
        ),
        "style": lambda secret: document.styles.add_style(secret, 1),
        "used": lambda secret: setattr(
            document.add_paragraph("x"), "style", document.styles.add_style(f"{secret} (x)", 1)
        ),
        "font": lambda secret: setattr(document.add_paragraph().add_run("x").font, "name", secret),
    }
    for place in drawn.random.sample(list(places), drawn.random.randint(0, 3)):
        places[place](xml_text(drawn.hidden(f"docx.{place}")))
    stream = io.BytesIO()
    document.save(stream)
    if drawn.random.random() < 0.5:
        return _patched(stream.getvalue(), drawn)
    return stream.getvalue()


_PARAGRAPHS = {
    "bookmark": '<w:p><w:bookmarkStart w:id="7" w:name="{a}"/><w:r><w:t>x</w:t></w:r><w:bookmarkEnd w:id="7"/></w:p>',
    "attribute": '<w:p w:unknown="{a}"><w:r><w:t>x</w:t></w:r></w:p>',
    "field": '<w:p><w:fldSimple w:instr=" MERGEFIELD {a} "><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>',
    "instruction": '<w:p><w:r><w:instrText>HYPERLINK "http://h.example/{a}"</w:instrText></w:r></w:p>',
    "tag": '<w:sdt><w:sdtPr><w:alias w:val="{a}"/><w:tag w:val="{a}"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>x</w:t></w:r></w:p></w:sdtContent></w:sdt>',
    "split": "<w:p><w:r><w:t>{h}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>{t}</w:t></w:r></w:p>",
    "deleted": '<w:p><w:del w:id="9" w:author="{a}"><w:r><w:delText>{a}</w:delText></w:r></w:del><w:r><w:t>x</w:t></w:r></w:p>',
    "vanish": "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{a}</w:t></w:r></w:p>",
    "vml": '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="{a}" alt="{a}"/></w:pict></w:r></w:p>',
    "comment": "<!-- {c} --><w:p><w:r><w:t>x</w:t></w:r></w:p>",
}  # fmt: skip


def _patched(content: bytes, drawn: Draw) -> bytes:
    """The archive with a paragraph put into its body that no writer of ours makes."""
    place = drawn.random.choice(list(_PARAGRAPHS))
    secret = xml_text(drawn.hidden(f"docx.{place}"))
    cut = drawn.random.randint(0, len(secret))
    added = _PARAGRAPHS[place].format(
        a=html.escape(secret), c=secret.replace("--", "- -"), h=html.escape(secret[:cut]), t=html.escape(secret[cut:])
    )  # fmt: skip
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for part in old.namelist():
            data = old.read(part)
            if part == "word/document.xml":
                data = data.replace(b"<w:sectPr", added.encode() + b"<w:sectPr", 1)
            new.writestr(part, data)
    return stream.getvalue()


@cache
def _glyphs(font: str) -> frozenset[int]:
    """The code points that a font can draw; the one that is no standard font is registered."""
    if font == "Helvetica":
        return frozenset(ord(bytes([code]).decode("latin-1")) for code in range(32, 256))
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(
        TTFont(font, str(files("tacenda") / "documents/pdf/fonts/DejaVuSans-subset.ttf"))
    )
    return frozenset(pdfmetrics.getFont(font).face.charToGlyph)


def _pdf(drawn: Draw) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    stream = io.BytesIO()
    canvas = Canvas(stream, pageCompression=drawn.random.randint(0, 1))
    apart = drawn.random.random() < 0.3
    for _ in range(drawn.random.randint(1, 2)):
        height = 800
        text = drawn.text()
        _glyphs("Unicode")
        font = "Helvetica" if text.isascii() or drawn.random.random() < 0.2 else "Unicode"
        canvas.setFont(font, 12)
        for line in text.splitlines():
            # A character that the font has not would be another name.
            shown = "".join(each for each in line if each >= " " and ord(each) in _glyphs(font))
            for wrapped in textwrap.wrap(shown, 80, break_long_words=False) or [""]:
                left = 40.0
                for part in wrapped if apart else [wrapped]:
                    canvas.drawString(left, height, part)
                    left += canvas.stringWidth(part)
                height -= 15
        canvas.showPage()
    if drawn.random.random() < 0.4:
        canvas.setAuthor(drawn.hidden("pdf.author"))
    if drawn.random.random() < 0.3:
        canvas.setTitle(drawn.hidden("pdf.title"))
    if drawn.random.random() < 0.3:
        canvas.drawString(40, 40, "x")
        canvas.linkURL("http://h.example/" + quote(drawn.hidden("pdf.link")), (30, 30, 90, 60))
    canvas.save()
    return stream.getvalue()


_FORMATS: dict[str, Callable[[Draw], bytes]] = {
    "txt": _txt, "md": _md, "html": _html, "csv": _csv, "jsonl": _jsonl, "docx": _docx, "pdf": _pdf,
}  # fmt: skip
