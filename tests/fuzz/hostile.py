"""Files made to break a reader: bombs, broken archives, endless nesting, bytes that are no text."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from random import Random

_XML = '<?xml version="1.0"?>'
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def mutated(content: bytes, random: Random) -> bytes:
    """The file with a few bytes changed, doubled, cut off or put in."""
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(content) + 1)
        stop = min(len(content), start + random.randint(1, 40))
        match random.randrange(5):
            case 0:
                content = content[:start] + random.randbytes(stop - start) + content[stop:]
            case 1:
                content = content[:start] + content[stop:]
            case 2:
                content = (
                    content[:stop] + content[start:stop] * random.randint(1, 50) + content[stop:]
                )
            case 3:
                odd = random.choice(
                    (b"\0", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xff", b"]]>", b"<!--", b'"', b"\r")
                )
                content = content[:start] + odd + content[start:]
            case 4:
                content = content[:start] if random.random() < 0.3 else content
    return content


def _docx(parts: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        types = (
            f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
        )
        relations = (
            f'{_XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
        )
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", relations)
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _body(inner: str, before: str = "") -> bytes:
    return _docx(
        {
            "word/document.xml": f"{_XML}{before}<w:document {_WORD}><w:body>{inner}</w:body></w:document>".encode()
        }
    )


def _pdf(objects: str, trailer: str) -> bytes:
    return f"%PDF-1.4\n{objects}\nxref\n0 1\n0000000000 65535 f \ntrailer\n{trailer}\nstartxref\n9\n%%EOF\n".encode()


_BILLION = (
    "<!DOCTYPE x ["
    + "".join(
        f'<!ENTITY {chr(97 + n)} "{f"&{chr(96 + n)};" * 10 if n else "lol"}">' for n in range(10)
    )
    + "]>"
)
_OUTSIDE = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'

HOSTILE: dict[str, Callable[[], bytes]] = {
    "paragraphs.docx": lambda: _body("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 8_000),
    "deep.docx": lambda: _body("<w:sdt><w:sdtContent>" * 20_000 + "</w:sdtContent></w:sdt>" * 20_000),
    "billion.docx": lambda: _body("<w:p><w:r><w:t>&j;</w:t></w:r></w:p>", _BILLION),
    "outside.docx": lambda: _body("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>", _OUTSIDE),
    "bomb.docx": lambda: _body("<w:p><w:r><w:t>" + " " * 300_000_000 + "</w:t></w:r></w:p>"),
    "parts.docx": lambda: _docx({f"word/{n}.xml": b"<x/>" for n in range(20_000)}),
    "cut.docx": lambda: _body("<w:p/>")[:-40],
    "empty.docx": lambda: b"",
    "text.docx": lambda: b"this is no archive",
    "loop.pdf": lambda: _pdf("1 0 obj<</Type/Pages/Kids[1 0 R]/Count 9>>endobj", "<</Root 1 0 R/Prev 9>>"),
    "pages.pdf": lambda: _pdf("1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>endobj", "<</Root 1 0 R>>"),
    "empty.pdf": lambda: b"%PDF-1.7\n",
    "deep.pdf": lambda: _pdf("1 0 obj" + "[" * 100_000 + "]" * 100_000 + "endobj", "<</Root 1 0 R>>"),
    "deep.html": lambda: b"<div>" * 100_000 + b"a",
    "open.html": lambda: b"<" * 100_000,
    "comment.html": lambda: b"<!--" * 100_000,
    "attributes.html": lambda: b"<p " + b"a=b " * 10_000 + b">x</p>",
    "entities.html": lambda: b"&amp;" * 100_000,
    "deep.json": lambda: b"[" * 200_000 + b"]" * 200_000,
    "deep.jsonl": lambda: b'{"text":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "surrogate.jsonl": lambda: b'{"text": "a \\ud800 b"}\n',
    "number.jsonl": lambda: b'{"text": "a", "n": ' + b"9" * 100_000 + b"}\n",
    "long.jsonl": lambda: json.dumps({"text": "rain " * 30_000}).encode() + b"\n",
    "cell.csv": lambda: b'id,text\n1,"' + b"rain " * 100_000 + b'"\n',
    "quote.csv": lambda: b'id,text\n1,"rain\n' * 10_000,
    "wide.csv": lambda: b",".join(b"c%d" % n for n in range(50_000)) + b"\n",
    "line.txt": lambda: b"rain on old roofs " * 10_000,
    "nul.txt": lambda: b"rain\0on\0roofs " * 10_000,
    "rtl.txt": lambda: "rain \u202e sfoor no \u202c ".encode() * 10_000,
    "marks.txt": lambda: ("a" + "\u0301" * 200_000).encode(),
    "latin.txt": lambda: b"caf\xe9 \xff\xfe",
    "quotes.md": lambda: b">" * 200_000 + b" a",
    "brackets.md": lambda: b"[" * 200_000,
    "stars.md": lambda: b"*a " * 50_000,
    "table.md": lambda: b"|a" * 30_000 + b"\n" + b"|-" * 30_000,
}  # fmt: skip
"""By file name; each makes its bytes when it is called."""
