"""Files of a folder, with three of their own words denied: written, refused, seconds, and words left.

python -m benchmarks files DIR --extension .pdf --most 200

DIR has files as people have them, such as the test data of packages. A PDF counts if two of three other readers
(pypdfium2, pdfminer.six, pypdf) see text in it; another file if Python's own parsers of XML, HTML or mail do, or, where
they don't know the format, our inspection. Every field is text. Each file gets a policy that denies the three most
frequent words of at least five letters that all of these readers see. Words left are those that one of them sees in the
output, also across a line break, with or without a hyphen.
"""

from __future__ import annotations

import argparse
import io
import logging
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from email import message_from_bytes, policy
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

from pdfminer.high_level import extract_text
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from tacenda import documents
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.inspection import Kind, passages
from tacenda.documents.record import Failure
from tacenda.documents.writing import writer
from tacenda.errors import TacendaError
from tacenda.isolation.limits import Limits
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

_WORD = re.compile(r"\w+")
_SHORTEST = 5
_DENIED = 3
_BREAK = re.compile("[-\u00ad\u2010\ufffe]\\s*\n\\s*|\ufffe")
_FIELDS = Fields(FieldPolicy(unlisted="text"), "every field is text")
_MESSAGE = re.compile(rb"^From .*\n", re.MULTILINE)
_BODY = re.compile(
    r"(?:/document|/slide\d+|/sharedStrings|/comments\d*|/core|^content|^meta)\.xml$"
)
"""Parts of an archive whose strings are text, not machinery such as the names of programs and typefaces."""
_NUMBER = re.compile(r"\d[\d,.:]*")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome for a file.

    Attributes:
        name: of the file.
        fault: of the file that was refused, numbers left out; empty if it was written.
        seconds: of reading, sanitizing and writing.
        left: denied words that readers see in the output.
        is_crash: whether the fault is an unexpected exception.
    """

    name: str
    fault: str
    seconds: float
    left: frozenset[str] = frozenset()
    is_crash: bool = False


def _pdfium(data: bytes) -> str:
    with closing(PdfDocument(data)) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def _pypdf(data: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)


def _pdfminer(data: bytes) -> str:
    return extract_text(io.BytesIO(data))


def _inspected(data: bytes, format: str) -> str:
    return "\n".join(item.text for item in passages(data, format) if item.kind is Kind.TEXT)


def _parsed(data: bytes, format: str) -> str:
    """Return the strings of a file, one by one and all in one: a word may be in several elements."""
    strings = list(_strings(data, format))
    return "\n".join((*strings, "".join(strings)))


def _strings(data: bytes, format: str) -> Iterator[str]:
    """Yield the strings of a file, as Python's own parsers see them."""
    match format:
        case "xml":
            yield from ElementTree.fromstring(data).itertext()
        case "html":
            page = _Page()
            page.feed(data.decode("utf-8", "replace"))
            yield from page.strings
        case "eml":
            for part in message_from_bytes(data, policy=policy.default).walk():
                yield from (
                    str(part[name]) for name in ("From", "To", "Cc", "Subject") if part[name]
                )
                if part.get_content_maintype() == "text":
                    text = part.get_content()
                    is_page = part.get_content_subtype() == "html"
                    yield from _strings(text.encode(), "html") if is_page else (text,)
        case "mbox":
            for message in _MESSAGE.split(data):
                yield from _strings(message, "eml")
        case "docx" | "pptx" | "xlsx" | "odt" | "ods":
            with ZipFile(io.BytesIO(data)) as archive:
                for name in filter(_BODY.search, archive.namelist()):
                    yield from _strings(archive.read(name), "xml")


class _Page(HTMLParser):
    """Strings of a web page outside of scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.strings: list[str] = []

    def handle_data(self, data: str) -> None:
        """Take a string."""
        if self.cdata_elem is None:
            self.strings.append(data)


def _texts(data: bytes, format: str) -> Iterator[str]:
    """Yield the text of a file as each reader sees it, nothing for those that fail."""
    # The inspection of a mailbox takes one message at a time.
    ours = () if format == "mbox" else (partial(_inspected, format=format),)
    others = (partial(_parsed, format=format), *ours)
    for reader in (_pdfium, _pdfminer, _pypdf) if format == "pdf" else others:
        try:
            text = reader(data)
        except Exception:  # strangers' readers fail on damaged files in any way there is
            continue
        if len(_WORD.findall(text)) >= _DENIED:
            yield text.replace("\r\n", "\n")


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text) if word.isalpha()]


def _denied(texts: list[str]) -> list[str]:
    """Return the most frequent words that all readers see."""
    words = Counter(word for word in _words(texts[0]) if len(word) >= _SHORTEST)
    common = set[str].intersection(*(set(_words(text)) for text in texts))
    return [word for word, _ in words.most_common() if word in common][:_DENIED]


def _left(texts: list[str], denied: list[str]) -> frozenset[str]:
    seen = {word for text in texts for word in (*_words(text), *_words(_BREAK.sub("", text)))}
    return frozenset(seen.intersection(denied))


def outcome(path: Path, denied: list[str]) -> Outcome:
    """Return what becomes of a file when words are denied."""
    denying = Policy.model_validate(
        {
            "recognizer": False,
            "threshold": 0.5,
            "deny": [{"exact": word, "type": "MISC"} for word in denied],
        }
    )
    sanitizer = Sanitizer(denying, None, 0.5)
    begin = time.perf_counter()
    output = io.BytesIO()
    format = path.suffix[1:].lower()
    try:
        sink = writer("same", output, input_format=format)
        for record in documents.read(path, fields=_FIELDS):
            if isinstance(record, Failure):
                raise record.error
            sink.write(record, sanitizer.sanitize(record.document.text, id=record.document.id))
        sink.close()
    except TacendaError as error:
        fault = _NUMBER.sub("#", str(error).replace(path.name, "FILE"))
        return Outcome(path.name, fault, time.perf_counter() - begin)
    except Exception as error:  # a crash is what is measured
        seconds = time.perf_counter() - begin
        return Outcome(path.name, type(error).__name__, seconds, is_crash=True)
    seconds = time.perf_counter() - begin
    left = _left(list(_texts(output.getvalue(), format)), denied)
    return Outcome(path.name, "", seconds, left)


def main(parser: argparse.ArgumentParser) -> None:
    """Print the shares, and the reasons of refusals."""
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--extension", default=".pdf")
    parser.add_argument("--most", type=int, default=200, help="files, the first by name")
    parser.add_argument("--each", action="store_true", help="print a line for each file, too")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    outcomes: list[Outcome] = []
    late = 0
    for path in sorted(options.folder.glob(f"*{options.extension}")):
        if len(outcomes) == options.most:
            break
        data = path.read_bytes()
        texts = list(_texts(data, options.extension[1:]))
        if len(texts) < (2 if options.extension == ".pdf" else 1) or not (denied := _denied(texts)):
            continue
        result = outcome(path, denied)
        outcomes.append(result)
        late += result.seconds > Limits().time(len(data)) * 2
        if options.each:
            status = result.fault or f"written, left: {' '.join(sorted(result.left)) or 'nothing'}"
            print(f"{result.name}\t{result.seconds:.1f}\t{status}", flush=True)
    written = [each for each in outcomes if not each.fault]
    leaking = sum(bool(each.left) for each in written)
    crashes = sum(each.is_crash for each in outcomes)
    seconds = [each.seconds for each in outcomes] or [0.0]
    print(
        f"{len(written)} of {len(outcomes)} written, {leaking} with denied words left, {crashes} crashed"
    )
    print(
        f"median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s, {late} above the limit"
    )
    for fault, count in Counter(each.fault for each in outcomes if each.fault).most_common():
        print(f"{count}  {fault}")
