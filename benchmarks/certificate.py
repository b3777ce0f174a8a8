"""What a stranger notices who checks a certificate: changes of it, and masked strings planted in the file.

    python -m benchmarks certificate [--seed 1]

The letter and the discharge summary of ``examples/`` are sanitized by the default policy, written as HTML and as a Word document, and certified.
*certificate*: each value in it is changed by itself, and it is verified against the file. *file*: one bit of it is changed, 200 times. *opening*: each string
with the salt of another, and with its own salt but a letter more. *planted*: each masked string, written into one layer of the file in one of three spellings
(as it was, in capitals, with entities of HTML or XML), is opened against that file, whose digest is left aside. Counted is what verification rejects.
*honest*: the untouched file with every opening, which it must accept.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import tacenda
from benchmarks.tables import print_header
from tacenda.audit.certificate import (
    Certificate,
    Opening,
    Openings,
    certify,
    found_in,
    verify_certificate,
)
from tacenda.audit.signing import make_key, read_key
from tacenda.errors import TacendaError
from tacenda.reidentify.rates import rate

ROOT = Path(__file__).parents[1] / "examples"
_FLIPS = 200
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)


def as_html(text: str, layer: str = "", planted: str = "") -> bytes:
    """A page with a text, and something planted in one of its layers, already escaped."""
    layers = {
        "text": f"<p>{planted}</p>",
        "attribute": f'<p title="{planted}">x</p>',
        "hidden text": f'<p hidden style="display:none">{planted}</p>',
        "comment": f"<!-- {planted} -->",
        "address": f'<a href="https://example.org/?q={planted}">x</a>',
        "metadata": f'<meta name="author" content="{planted}">',
        "script": f'<script>let a = "{planted}";</script>',
    }
    return f"<html><body><p>{escape(text)}</p>{layers.get(layer, '')}</body></html>".encode()


def as_docx(text: str, layer: str = "", planted: str = "") -> bytes:
    """The same as a Word document."""
    run = f"<w:p><w:r><w:t>{planted}</w:t></w:r></w:p>"
    letters = re.findall(r"&[^;]+;|.", planted, re.S)
    halves = ["".join(letters[: len(letters) // 2]), "".join(letters[len(letters) // 2 :])]
    body = {
        "text": run,
        "text in two runs": "<w:p>{}</w:p>".format(
            "".join(f'<w:r><w:t xml:space="preserve">{half}</w:t></w:r>' for half in halves)
        ),
        "hidden text": f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{planted}</w:t></w:r></w:p>",
        "deleted text": f'<w:p><w:del w:id="1" w:author="x"><w:r><w:delText>{planted}</w:delText></w:r></w:del></w:p>',
        "attribute": f'<w:p><w:bookmarkStart w:id="1" w:name="{planted}"/></w:p>',
    }.get(layer, "")
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELATIONS,
        "word/document.xml": f"<w:document {_WORD}><w:body><w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>{body}</w:body></w:document>",
    }
    if layer == "comment":
        parts["word/comments.xml"] = (
            f'<w:comments {_WORD}><w:comment w:id="1" w:author="x">{run}</w:comment></w:comments>'
        )
    if layer == "header":
        parts["word/header1.xml"] = f"<w:hdr {_WORD}>{run}</w:hdr>"
    if layer == "property":
        parts["docProps/custom.xml"] = f"<Properties><lpwstr>{planted}</lpwstr></Properties>"
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


Writer = Callable[..., bytes]
FORMATS: Mapping[str, tuple[Writer, tuple[str, ...]]] = {
    "html": (
        as_html,
        ("text", "attribute", "hidden text", "comment", "address", "metadata", "script"),
    ),
    "docx": (
        as_docx,
        (
            "text",
            "text in two runs",
            "hidden text",
            "deleted text",
            "attribute",
            "comment",
            "header",
            "property",
        ),
    ),
}


def spellings(string: str) -> Iterator[str]:
    """A string as it was, in capitals, and with a reference for each other character, all escaped."""
    yield escape(string)
    yield escape(string.upper())
    yield "".join(f"&#{ord(char)};" if n % 2 else escape(char) for n, char in enumerate(string))


def changes(value: Any, path: Sequence[Any] = ()) -> Iterator[tuple[Sequence[Any], Any]]:
    """Each leaf of a JSON value by its path, with another value for it."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from changes(item, (*path, key))
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int | float):
        yield path, value + 1
    else:
        yield path, f"{value or ''}0"


def with_change(raw: dict[str, Any], path: Sequence[Any], value: Any) -> dict[str, Any]:
    """A copy of a JSON object with one value changed."""
    copy: dict[str, Any] = json.loads(json.dumps(raw))
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def holds(certificate: Certificate, file: str, openings: Openings | None, key: str) -> bool:
    """Whether everything that is verified holds."""
    items = verify_certificate(certificate, file, openings, key)
    return all(item.holds is not False for item in items)


def forgeries(raw: dict[str, Any], file: str, key: str) -> Iterator[bool]:
    """Whether each changed certificate is rejected, as unreadable or as not signed."""
    for path, value in changes(raw):
        try:
            forged = Certificate.model_validate_json(json.dumps(with_change(raw, path, value)))
            yield not holds(forged, file, None, key)
        except (ValueError, TacendaError):
            yield True


def wrong_openings(openings: Sequence[Opening]) -> Iterator[Opening]:
    """Openings with the salt of another string, and of a string with a letter more."""
    for n, opening in enumerate(openings):
        yield opening.model_copy(update={"salt": openings[n - 1].salt})
        yield opening.model_copy(update={"string": f"{opening.string}a"})


def measure(folder: Path, seed: int) -> Counter[tuple[str, str, bool]]:
    """Count what is rejected, by format and kind."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    random = Random(seed)
    private = folder / "key.pem"
    key = make_key(private)
    sanitizer = tacenda.load()
    for name in ("letter.txt", "discharge.txt"):
        result = sanitizer.sanitize((ROOT / name).read_text("utf-8"))
        masked = folder / "masked.jsonl"
        masked.write_text(result.to_json(reveal=True) + "\n", "utf-8")
        for kind, (write, layers) in FORMATS.items():
            file = folder / f"{name}.{kind}"
            file.write_bytes(write(result.text))
            certificate, openings = certify([str(file)], str(masked), signer="a stranger's clerk")
            certificate = certificate.signed(read_key(private))
            raw = certificate.model_dump(mode="json")
            counts[kind, "honest", not holds(certificate, str(file), openings, key)] += 1
            counts.update((kind, "certificate", seen) for seen in forgeries(raw, str(file), key))
            data = file.read_bytes()
            for _ in range(_FLIPS):
                flipped = bytearray(data)
                flipped[random.randrange(len(data))] ^= 1 << random.randrange(8)
                copy = folder / f"copy.{kind}"
                copy.write_bytes(flipped)
                counts[kind, "file", not holds(certificate, str(copy), None, key)] += 1
            for opening in wrong_openings(openings.openings):
                one = Openings(openings=(opening,))
                counts[kind, "opening", not holds(certificate, str(file), one, key)] += 1
            counts.update(plants(write, layers, result.text, openings, folder / f"copy.{kind}"))
    return counts


def plants(
    write: Writer, layers: Sequence[str], text: str, openings: Openings, copy: Path
) -> Iterator[tuple[str, str, bool]]:
    """Whether each masked string that doesn't stand in the file is seen in each layer and spelling."""
    kind = copy.suffix[1:]
    strings = {opening.string for opening in openings.openings}
    copy.write_bytes(write(text))
    for string in sorted(strings - found_in(str(copy), strings)):
        for layer in layers:
            for planted in spellings(string):
                copy.write_bytes(write(text, layer, planted))
                yield kind, f"planted: {layer}", bool(found_in(str(copy), [string]))


def main(parser: argparse.ArgumentParser) -> None:
    """Print the table."""
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = measure(Path(folder), arguments.seed)
    print_header("| format | what | tried | rejected |")
    for kind, what in sorted({key[:2] for key in counts}):
        n = counts[kind, what, True] + counts[kind, what, False]
        print(f"| {kind} | {what} | {n} | {rate(counts[kind, what, True], n)} |")
