"""E-mail: one text of headers, bodies and attachments, and a message built anew of it."""

from __future__ import annotations

import io
import json
import mailbox
import re
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from email import message_from_bytes, policy
from email.header import Header
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import openpyxl
import pytest

from tacenda import documents, load
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.examples import for_each

from . import conftest
from .building_docx import build, entries, paragraph
from .conftest import mask_strings
from .test_docx_planted import folded

NAME = "Galip Yalman"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SPELLINGS = (NAME, "GALIP YALMAN", "galip-yalman", "Galip_Yalman", "GalipYalman", "Galip%20Yalman")


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    """A sanitizer that writes tags."""
    return load(Policy(operator="tag"), threads=1)


def message(subject: str = "Minutes", body: str = "The meeting began.\n") -> EmailMessage:
    """Return a plain message."""
    new = EmailMessage(policy.default)
    new["From"] = "Anna Berg <anna.berg@example.org>"
    new["To"] = "Bürgerbüro Köln <info@koeln.example>, hr@example.org"
    new["Subject"] = subject
    new["Date"] = "Mon, 02 Jan 2023 10:00:00 +0100"
    new.set_content(body)
    return new


def attach(new: EmailMessage, data: bytes, type: str, name: str = "") -> EmailMessage:
    """Attach a file to a message."""
    main, _, sub = type.partition("/")
    new.add_attachment(data, main, sub, **({"filename": name} if name else {}))
    return new


items_of = partial(conftest.items_of, format="eml")
sanitized = partial(conftest.sanitized, format="eml", name=NAME)


def failure_of(data: bytes, format: str = "eml") -> str:
    """Return the message of the failure of a file."""
    (item,) = items_of(data, format=format)
    assert isinstance(item, documents.Failure)
    return str(item.error)


def unchanged(data: bytes) -> bytes:
    """Return a message of which nothing is masked."""
    (record,) = items_of(data)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document))
    return output.getvalue()


def parsed(data: bytes) -> EmailMessage:
    """Return a message as a mail program reads it."""
    new = message_from_bytes(data, policy=policy.default)
    assert isinstance(new, EmailMessage)
    return new


def everything(data: bytes) -> str:
    """Return all that is in a message, decoded, folded to letters and digits."""
    texts = [data.decode("latin-1")]
    for part in parsed(data).walk():
        texts += (str(value) for value in part.values())
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            texts.append(re.sub(r"<[^>]*>", "", content.decode("utf-8", "replace")))
            if content.startswith(b"PK"):
                texts += (f"{name} {body!r}" for name, body in entries(content).items())
    return folded(" ".join(texts))


def test_a_message_without_personal_data_comes_back() -> None:
    """Its people, subject, bodies and attachments are those of the original."""
    new = message("Über die Sitzung – " + "ein langer Titel " * 9, "Grüße,\n\n  die Verwaltung\n")
    new["In-Reply-To"] = "<1@example.org>"
    new.add_alternative("<p>Grüße,<br>die <b>Verwaltung</b></p>\n", "html")
    attach(new, build(paragraph("Salt and bread.")), DOCX, "Anlage ä.docx")
    attach(new, b"One line.\n", "text/plain", "note.txt")
    attach(new, message().as_bytes(), "application/octet-stream", "first.eml")
    data = unchanged(new.as_bytes())
    output = parsed(data)
    for name in ("From", "To", "Subject", "Date"):
        assert output[name] == new[name]
    originals = [part for part in new.walk() if not part.is_multipart()]
    parts = [part for part in output.walk() if not part.is_multipart()]
    assert [part.get_content_type() for part in parts] == [
        part.get_content_type() for part in originals
    ]
    assert [part.get_filename() for part in parts] == [part.get_filename() for part in originals]
    assert [part.get_content() for part in parts[:2]] == [part.get_content() for part in originals[:2]]  # fmt: skip
    assert parts[3].get_content() == "One line.\n"
    (inner,) = items_of(parts[4].get_content())
    assert "The meeting began." in inner.document.text
    assert unchanged(new.as_bytes()) == data
    assert unchanged(data) == data


def test_headers_bodies_and_attachments_are_one_text() -> None:
    """In their order, decoded, with a line for the name of each file."""
    new = message(body="Hello.\n")
    new.replace_header("Subject", "Grüße aus Köln")
    attach(new, build(paragraph("Salt.")), DOCX, "a.docx")
    (record,) = items_of(new.as_bytes())
    assert (
        record.document.text.split()
        == (
            "From: Anna Berg <anna.berg@example.org> To: Bürgerbüro Köln <info@koeln.example>, "
            "hr@example.org Subject: Grüße aus Köln Date: Mon, 02 Jan 2023 10:00:00 +0100 "
            "Hello. Attachment: a Salt."
        ).split()
    )


def _header(name: str) -> Callable[[str], EmailMessage]:
    def plant(spelling: str) -> EmailMessage:
        new = message(body=f"About {NAME}.\n")
        del new[name]
        new[name] = spelling
        return new

    return plant


def _part(data: Callable[[str], bytes], type: str, name: str = "") -> Callable[..., EmailMessage]:
    return lambda spelling: attach(
        message(body=f"About {NAME}.\n"), data(spelling), type, name.format(spelling)
    )


def _around(preamble: str, epilogue: str) -> Callable[[str], EmailMessage]:
    def plant(spelling: str) -> EmailMessage:
        new = attach(message(body=f"About {NAME}.\n"), b"x", "text/plain", "x.txt")
        new.preamble, new.epilogue = preamble.format(spelling), epilogue.format(spelling)
        new.set_boundary(re.sub(r"\W", "", spelling))
        return new

    return plant


_HEADERS = (
    "Subject Comments Keywords Organization Received DKIM-Signature X-Mailer Message-ID References "
    "In-Reply-To Return-Path Delivered-To X-Originating-IP List-Unsubscribe Thread-Topic User-Agent "
    "Content-Description Content-Language Content-ID Resent-From"
).split()
PLACES: dict[str, Callable[[str], EmailMessage]] = {
    **{name: _header(name) for name in _HEADERS},
    "From": lambda spelling: _header("From")(f'"{spelling}" <yalman@example.org>'),
    "To": lambda spelling: _header("To")(
        f"Staff: {NAME} <{re.sub(r'[^A-Za-z]', '.', spelling)}@example.org>;"
    ),
    "around": _around("{}", "{}"),
    "html": lambda spelling: _html(
        f'<p title="{spelling}">x</p><!-- {spelling} --><style>.{spelling.replace(" ", "-")}{{}}</style>'
    ),
    "docx": _part(lambda s: build(paragraph(s)), DOCX, "{}.docx"),
    "picture": _part(lambda s: b"\x89PNG" + s.encode(), "image/png", "{}.png"),
    "calendar": _part(lambda s: f"BEGIN:VCALENDAR\nSUMMARY:{s}".encode(), "text/calendar"),
    "card": _part(lambda s: f"FN:{s}".encode(), "text/vcard", "{}.vcf"),
    "table": _part(lambda s: f"id,{s}\n1,{s}\n".encode(), "text/csv", "{}.csv"),
    "unknown": _part(lambda s: s.encode(), "application/x-galip-yalman", "{}.galipyalman"),
    "message": _part(lambda s: message(s).as_bytes(), "application/octet-stream", "{}.eml"),
    "captions": _part(
        lambda s: f"WEBVTT\n\n00:01.000 --> 00:02.000\n<v {NAME}>x {s}".encode(),
        "text/vtt",
        "a.vtt",
    ),
}


def _html(source: str) -> EmailMessage:
    new = message(body=f"About {NAME}.\n")
    new.add_alternative(source, "html")
    return new


@for_each("place", PLACES)
def test_a_planted_name_is_written_nowhere(place: str) -> None:
    """It is masked, struck out or removed wherever it stands; nothing is refused."""
    for spelling in SPELLINGS:
        try:
            output = sanitized(PLACES[place](spelling).as_bytes())
        except LeakError as error:
            raise AssertionError(f"{spelling!r} was refused: {error}") from error
        assert "yalman" not in everything(output), spelling


@for_each("length", range(24, 60, 3))
def test_a_name_in_several_encoded_words_is_one(length: int) -> None:
    """As mailers part long names: the blank between the words is none."""
    name = "Øyvind-Wojciech Brzęczyszczykiewicz-Þorsteinsdóttir प्रियंका"
    source = Header(name, "utf-8", maxlinelen=length, header_name="To").encode()
    (item,) = items_of(f"To: {source} <a@b.example>\n\nx".encode())
    assert isinstance(item, documents.SourceDocument)
    assert f"To: {name} <" in item.document.text


def test_a_letter_in_two_encoded_words_is_one() -> None:
    """As mailers part bytes, not letters."""
    (item,) = items_of(
        b"To: =?utf-8?b?w5h5dmluZCBCasO4cm5zdMM=?=\n =?utf-8?b?pWQ=?= <a@b.example>\n\nx"
    )
    assert isinstance(item, documents.SourceDocument)
    assert "To: Øyvind Bjørnståd <" in item.document.text


def test_what_is_masked_in_an_address_is_still_one() -> None:
    """So that a mail program can read the header."""
    new = message()
    new.replace_header("From", f"{NAME} <galip.yalman@example.org>")
    (record,) = items_of(new.as_bytes())
    output = io.BytesIO()
    strings = NAME, "galip.yalman@example.org"
    writer("same", output).write(record, mask_strings(record.document, *strings, text="[PERSON 1]"))
    (address,) = parsed(output.getvalue())["From"].addresses
    assert (address.display_name, address.addr_spec) == (
        "[PERSON 1]",
        "person-1@redacted.invalid",
    )


@pytest.mark.parametrize("word", ["Subject", "From", "Attachment", "message"])
def test_a_name_that_is_a_word_of_mail_is_masked_in_the_text_alone(word: str) -> None:
    """A message to Mr Subject is no leak for having one."""
    new = attach(message(f"To Mr {word}"), b"One line.\n", "text/plain", "note.txt")
    (record,) = items_of(new.as_bytes())
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document, word))
    assert parsed(output.getvalue())["Subject"] == "To Mr [X]"


def test_a_replacement_makes_no_header() -> None:
    """Its line breaks and commas are none."""
    new = message()
    new.replace_header("Subject", f"About {NAME}")
    (record,) = items_of(new.as_bytes())
    output = io.BytesIO()
    writer("same", output).write(
        record, mask_strings(record.document, NAME, text="x\r\nBcc: a@b.org")
    )
    again = parsed(output.getvalue())
    assert "Bcc" not in again
    assert again["Subject"] == "About x Bcc: a@b.org"


def test_one_person_in_sender_signature_and_attachment(sanitizer: Sanitizer) -> None:
    """Who is masked in one part is masked in all, and is one entity."""
    new = message(
        "Your application", "Dear team,\n\nI am ill today.\n\nBest regards,\nGalip Yalman\n"
    )
    new.replace_header("From", "Galip Yalman <galip.yalman@example.org>")
    new.add_alternative("<p>Dear team,</p><p>I am ill today.<br>Galip <b>Yalman</b></p>", "html")
    attach(new, build(paragraph("Curriculum vitae of Galip Yalman, Ankara")), DOCX, "cv.docx")
    (record,) = items_of(new.as_bytes())
    (result,) = sanitizer.pipe([record.document])
    output = io.BytesIO()
    writer("same", output).write(record, result)
    assert "yalman" not in everything(output.getvalue())
    people = [entity for entity in result.entities if any(
        mention.span.of(record.document.text) == NAME for mention in entity.mentions)]  # fmt: skip
    assert len(people) == 1
    assert len(people[0].mentions) >= 4


def test_values_of_an_attachment_keep_their_types(sanitizer: Sanitizer) -> None:
    """Where a key names somebody, too: the keys are struck out and stay different, the numbers stay."""
    new = message("Your application", "Dear team,\n\nI am ill today.\nMagdalena Köhler\n")
    values = {
        "owner": "Magdalena Köhler",
        "Köhler": 1,
        "Magdalena": 3,
        "of": {"Köhler": {"a": 2.5, "b": None}},
    }
    attach(new, json.dumps(values).encode(), "application/json", "a.json")
    (record,) = items_of(new.as_bytes())
    (result,) = sanitizer.pipe([record.document])
    output = io.BytesIO()
    writer("same", output).write(record, result)
    (part,) = parsed(output.getvalue()).iter_attachments()
    again = json.loads(part.get_content())
    assert "hler" not in part.get_content().decode()
    assert list(again.values())[1:3] == [1, 3]
    assert list(again["of"].values()) == [{"a": 2.5, "b": None}]


def test_the_moment_in_the_date_is_one_date(sanitizer: Sanitizer) -> None:
    """With weekday, time and zone: the zone is no place, and no digit of it is left."""
    new = message("Your application", "Dear team,\n\nI am ill today.\n")
    new.replace_header("Date", "Tue, 3 Sep 2024 10:00:00 +0200")
    (record,) = items_of(new.as_bytes())
    (result,) = sanitizer.pipe([record.document])
    output = io.BytesIO()
    writer("same", output).write(record, result)
    assert re.search(rb"^Date: \[DATE \d+\]\r?$", output.getvalue(), re.MULTILINE)


MAILBOX = (
    b"From anna@example.org Mon Jan  2 10:00:00 2023\nSubject: one\nMessage-ID: <a@x>\n\n"
    b"Galip Yalman.\n>From here on.\n\n"
    b"From b@example.org Mon Jan  2 10:00:00 2023\nSubject: broken\n"
    b"From b@example.org Mon Jan  2 10:00:00 2023\nSubject: two\nMessage-ID: <b@x>\n"
    b"In-Reply-To: <a@x>\n\nFrom\n\n"
    b"From c@example.org Mon Jan  2 10:00:00 2023\nSubject: cut\n"
    b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nhello, this is c"
)


def test_a_bad_message_of_a_mailbox_fails_alone(tmp_path: Path) -> None:
    """With its number and its reason; the others are a mailbox, threads and all."""
    items = items_of(MAILBOX, format="mbox")
    failures = [str(item.error) for item in items if isinstance(item, documents.Failure)]
    assert len(items) == 4
    assert re.match(r"stdin:2: is cut off", failures[0])
    assert len(failures) == 1
    assert "no closing boundary" in items[3].notes[0]
    path = tmp_path / "a.mbox"
    path.write_bytes(sanitized(MAILBOX, format="mbox"))
    with closing(mailbox.mbox(path)) as box:
        first, second, third = box
    subjects = [item["Subject"] for item in (first, second, third)]
    assert subjects == ["one", "two", "cut"]
    assert second["In-Reply-To"] == first["Message-ID"] != second["Message-ID"]
    assert first.get_payload().rstrip() == "[PERSON 1].\n>From here on."
    assert b"anna" not in path.read_bytes()
    assert b"alman" not in path.read_bytes()


def test_mail_behind_a_message_cut_off_is_mail_of_its_own() -> None:
    """The line before it, with the time of delivery, needs no empty line; other lines of a text do."""
    last = b"From b@example.org Mon Jan  2 10:00:00 2023\nSubject: two\n\nHello.\n"
    first = b"From a@example.org Mon Jan  2 10:00:00 2023\nSubject: one\n"
    cut, second = items_of(first + last, format="mbox")
    assert isinstance(cut, documents.Failure)
    assert isinstance(second, documents.SourceDocument)
    assert "two" in second.document.text
    items = items_of(first + b"\nHow are\nFrom Mon to Wed 2023\n" + last, format="mbox")
    texts = [item.document.text for item in items if isinstance(item, documents.SourceDocument)]
    assert ["two" in text for text in texts] == [False, True]
    assert "From Mon to Wed" in texts[0]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_mailbox_cut_off_within_headers_says_so(end: bytes) -> None:
    """Wherever it is cut, up to the empty line behind them; the messages before are done."""
    lines = [
        *(b"From a@example.org Mon Jan  2 10:00:00 2023", b"Subject: one", b"", b"Hello.", b""),
        *(b"From b@example.org Mon Jan  2 10:00:00 2023", b"Subject: two", b"To: c@example.org,"),
        *(b" d@example.org", b"X-Own: 1", b"", b""),
    ]
    data = end.join(lines)
    begin = data.index(b"Subject: two")
    for stop in range(begin, len(data) - len(end) + 1):
        first, second = items_of(data[:stop], format="mbox")
        assert isinstance(first, documents.SourceDocument)
        assert isinstance(second, documents.Failure), data[begin:stop]
        assert str(second.error) == "stdin:2: is cut off within its headers; get the whole file."
    _, whole = items_of(data, format="mbox")
    assert isinstance(whole, documents.SourceDocument)
    assert "d@example.org" in whole.document.text


@pytest.mark.parametrize("body", [b"\n", b"\n\n", b"\nHello.", b"Hello.\n", b"Hello.\n\n"])
def test_a_message_of_a_mailbox_needs_no_body(body: bytes) -> None:
    """With an empty line behind its headers it is whole, and where a line is none of them the body begins."""
    head = b"From a@example.org Mon Jan  2 10:00:00 2023\nSubject: one\n"
    (record,) = items_of(head + body, format="mbox")
    assert isinstance(record, documents.SourceDocument)
    assert ("Hello." in record.document.text) == (b"Hello." in body)


def test_a_mailbox_may_be_one_message_alone() -> None:
    """Without the line before it, which it gets; the next one has its own."""
    head = b"Subject: one\nFrom: a@example.org\n\nHello.\n"
    line = b"\nFrom a@example.org Mon Jan  2 10:00:00 2023\n"
    for data, bodies in ((head, 1), (b"\n" + head + line + head, 2)):
        records = items_of(data, format="mbox")
        assert [record.document.text.split()[-1] for record in records] == ["Hello."] * bodies
    output = conftest.sanitized(head, "mbox", "Galip Yalman")
    assert output.startswith(b"From - ")
    assert b"Hello." in output


def test_what_is_no_mailbox_is_refused() -> None:
    """Also where it is empty after a byte."""
    assert "is not a mailbox" in failure_of(b"hello\n", "mbox")
    assert items_of(b"", format="mbox") == []


def _nested(depth: int) -> bytes:
    head = b"Subject: x\nMIME-Version: 1.0\n"
    parts = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    return head + parts + b"\nhello\n" + b"".join(b"--b%d--\n" % n for n in reversed(range(depth)))


def _typed(type: str, body: str = "hello", more: str = "") -> bytes:
    return f"Subject: x\nMIME-Version: 1.0\nContent-Type: {type}\n{more}\n{body}\n".encode(
        errors="surrogateescape"
    )


@for_each(
    ("data", "reason"),
    [
        (b"hello\nworld\n", "is not an e-mail"),
        (b"", "is not an e-mail"),
        (_typed("multipart/encrypted; boundary=x", "--x\n\na\n--x--"), "is encrypted"),
        (_typed("application/pkcs7-mime", "AAAA"), "is encrypted"),
        (_typed("text/plain; charset=utf-8", "hello", "Content-Transfer-Encoding: x-own\n"), "can't be decoded"),
        (_typed("text/plain", "A" * 5, "Content-Transfer-Encoding: base64\n"), "can't be decoded"),
        (_nested(60), "nested more than 50 deep"),
        (_nested(3000), "stdin: "),
        (b"".join(b"X-%d: y\n" % n for n in range(20_000)) + b"\nhello", "header that can't be read"),
    ],
)  # fmt: skip
def test_a_message_that_can_not_be_read_is_an_error(data: bytes, reason: str) -> None:
    """It says why; nothing of it is written."""
    assert reason in failure_of(data)


@pytest.mark.parametrize(
    ("charset", "body"),
    [
        ("x-own", "\udcf1\udcf2\udcf3 I\udcf1"),
        ("utf-7", "half a character: +2AA-"),
        ("utf-8", "I\0l\0k\0e\0\udcfc"),
        ("utf-8", "馬上評估融資金額".encode("big5").decode("utf-8", "surrogateescape")),
    ],
)
def test_text_in_an_unknown_or_wrong_encoding_is_removed(charset: str, body: str) -> None:
    """A name in it can't be found, and could be read by whoever knows the encoding; notes say so, the rest is written."""
    part = (
        f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n{body}\n"
    )
    text = f"--x\n\nHello Galip Yalman.\n--x\n{part}--x--"
    data = _typed("multipart/mixed; boundary=x", text)
    (record,) = items_of(data)
    assert isinstance(record, documents.SourceDocument)
    assert any("unknown or wrong" in note for note in record.notes)
    assert any("1 part was removed" in note for note in record.notes)
    output = sanitized(data)
    assert b"Hello [PERSON 1]." in output
    assert body.encode("utf-8", "surrogateescape") not in output


@pytest.mark.parametrize(
    "data",
    [
        _typed("multipart/mixed", "Hello Galip Yalman."),
        _typed("multipart/mixed; boundary=x", "Hello Galip Yalman."),
        _typed("multipart/mixed; boundary=x", "--y\n\nHello Galip Yalman.\n--y--"),
        _typed(
            "multipart/mixed; boundary=x",
            "--x\nContent-Type: message/rfc822\n\nSubject: y\nContent-Type: multipart/mixed; boundary=z\n\n"
            "Hello Galip Yalman.\n--z--\n--x--",
        ),
    ],
)
def test_parts_without_boundaries_are_one_text(data: bytes) -> None:
    """As mail programs show them, with a note."""
    (record,) = items_of(data)
    assert isinstance(record, documents.SourceDocument)
    assert any("not the boundaries" in note for note in record.notes)
    output = message_from_bytes(sanitized(data), policy=policy.default)
    texts = [part.get_content() for part in output.walk() if part.get_content_maintype() == "text"]
    assert len(texts) == 1
    assert "Hello [PERSON 1]." in texts[0]


@pytest.mark.parametrize(
    "header", ["Content-Type: text/plain", "Received: by x", "message-id: <a@x>"]
)
def test_a_message_without_people_is_one_by_any_header_of_messages(header: str) -> None:
    """Another line with a colon is the begin of a text."""
    body = "\n\nHello Galip Yalman."
    assert b"Hello [PERSON 1]." in sanitized((header + body).encode())
    assert "is not an e-mail" in failure_of(("Note: x" + body).encode())


@for_each(
    ("label", "codec", "text"),
    [
        ("unknown-8bit", "cp1252", "Grüße von Galip Yalman"),
        ("us-ascii", "cp1252", "“Galip Yalman” sagt Grüße"),
        ("", "latin-1", "Grüße von Galip Yalman"),
        ("x-unknown", "utf-8", "Grüße von Galip Yalman"),
        ("'utf8mb4'", "utf-8", "Grüße von Galip Yalman"),
        ("iso-8859-8-i", "iso8859-8", "שלום Galip Yalman"),
        ("ISO-8859-8-E", "iso8859-8", "שלום Galip Yalman"),
        ("unicode-1-1-utf-7", "utf-7", "Grüße von Galip Yalman"),
        ("gb2312", "gbk", "你好 Galip Yalman 镕"),
        ("x-sjis", "cp932", "日本 Galip Yalman ①"),
        ("windows-31j", "cp932", "日本 Galip Yalman ①"),
        ("ks_c_5601-1987", "cp949", "안녕 Galip Yalman 똠"),
        ("windows-874", "cp874", "สวัสดี Galip Yalman"),
        ("tis-620", "cp874", "สวัสดี Galip Yalman…"),
        ("koi8-r", "koi8-r", "Привет Galip Yalman"),
        ("cp-850", "cp850", "Grüße von Galip Yalman"),
        ("x-mac-roman", "mac-roman", "Grüße von Galip Yalman"),
    ],
)
def test_a_body_is_read_by_the_label_of_its_charset(label: str, codec: str, text: str) -> None:
    """As mail programs do: by other names of a charset, and by a larger one that it has long meant."""
    head = f"Content-Type: text/plain; charset={label}\n" if label else ""
    data = f"From: a@b.example\nSubject: x\n{head}Content-Transfer-Encoding: 8bit\n\n".encode()
    (record,) = items_of(data + text.encode(codec))
    assert isinstance(record, documents.SourceDocument)
    assert text in record.document.text
    output = sanitized(data + text.encode(codec))

    assert NAME not in everything(output)


@pytest.mark.parametrize(
    "encoding", ["quoted-printable;", '"quoted-printable"', "quoted-printable (as ever)", " QUOTED-PRINTABLE"]
)  # fmt: skip
def test_what_stands_around_a_transfer_encoding_does_not_count(encoding: str) -> None:
    """Nor does a charset in its place say more than that bytes are bytes."""
    (record,) = items_of(
        _typed("text/plain", "Gr=C3=BC", f"Content-Transfer-Encoding:{encoding}\n")
    )
    assert isinstance(record, documents.SourceDocument)
    assert "Grü" in record.document.text
    for name in ("utf-8", "8-bit", "iso-8859-1"):
        data = _typed("text/plain", "Gr=C3=BC", f"Content-Transfer-Encoding: {name}\n")
        (record,) = items_of(data)
        assert isinstance(record, documents.SourceDocument)
        assert "Gr=C3=BC" in record.document.text


def test_a_packed_message_within_a_message_is_read() -> None:
    """It must not be packed as a whole (RFC 2046, 5.2.1), and some programs do it."""
    inner = b64encode(b"From: x@y.example\nSubject: Visit of Galip Yalman\n\nhello\n").decode()
    data = _typed("message/rfc822", inner, "Content-Transfer-Encoding: base64\n")
    (record,) = items_of(data)
    assert isinstance(record, documents.SourceDocument)
    assert "Visit of Galip Yalman" in record.document.text
    assert NAME not in everything(sanitized(data))


def test_what_is_removed_is_said() -> None:
    """By kind and number; a zip bomb of an attachment is one of them."""
    new = attach(message(), b"\x89PNG", "image/png", "a.png")
    attach(new, b"x" * 99, "application/x-own", "a.bin")
    attach(new, build(paragraph("x"))[:200], DOCX, "broken.docx")
    (record,) = items_of(new.as_bytes())
    assert record.notes == (
        "3 parts were removed because they could not be read (application, image).",
    )


def _workbook(text: str) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (["day", "note"], [3, text], [4, "Salt."]):
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


TABLES = {
    "a.csv": ("text/csv", lambda text: f"day,note\n3,{text}\n4,Salt.\n".encode()),
    "a.xlsx": ("application/octet-stream", _workbook),
    "a.json": ("application/json", lambda text: json.dumps([{"day": 3, "note": text}]).encode()),
    "a.jsonl": (
        "application/octet-stream",
        lambda text: json.dumps({"day": 3, "note": text}).encode(),
    ),
    "a.xml": ("application/xml", lambda text: f"<a><day>3</day><note>{text}</note></a>".encode()),
    "": ("text/csv", lambda text: f"day,note\n3,{text}\n4,Salt.\n".encode()),
}


@for_each("name", TABLES)
def test_an_attached_table_is_sanitized_with_its_message(name: str) -> None:
    """All its fields are text, and who is named in it is the one who is named in the body."""
    type, data = TABLES[name]
    new = attach(message(body=f"About {NAME}.\n"), data(f"{NAME} came"), type, name)
    (record,) = items_of(new.as_bytes())
    assert isinstance(record, documents.SourceDocument)
    assert f"{NAME} came" in record.document.text
    assert not any("removed" in note for note in record.notes)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document, NAME))
    clean = output.getvalue()
    assert "yalman" not in everything(clean)
    content = next(iter(parsed(clean).iter_attachments())).get_payload(decode=True)
    if name == "a.xlsx":
        assert openpyxl.load_workbook(io.BytesIO(content)).active["A2"].value == 3
    else:
        assert b"3" in content
        assert b"came" in content


@pytest.mark.parametrize("number", [1, 2])
def test_headers_that_are_left_out_are_counted(number: int) -> None:
    """One was, two were."""
    new = message()
    for place in range(number):
        new[f"X-Thing-{place}"] = "x"
    (record,) = items_of(new.as_bytes())
    noun = "1 header was" if number == 1 else "2 headers were"
    assert f"{noun} left out." in record.notes
