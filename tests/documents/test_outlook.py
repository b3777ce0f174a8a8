"""Messages of Outlook (.msg), read and written as mail."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from tacenda import documents
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tests.documents.building_docx import build, paragraph
from tests.documents.building_msg import Attached, Note, build_msg
from tests.documents.conftest import items_of, mask_strings, sanitized
from tests.forks import tacenda

olefile = pytest.importorskip("olefile")
pytest.importorskip("lxml")

NAME = "Galip Yalman"
EXCHANGE = "/O=COURT/OU=EXCHANGE/CN=RECIPIENTS/CN=GALIP.YALMAN"
PAGE = f"<p>Dear <b>{NAME}</b>,</p><p>the café is shut.</p>"
NOTE = Note(
    {
        0x001A: "IPM.Note",
        0x0037: f"The case of {NAME}",
        0x0042: NAME,
        0x5D02: "galip.yalman@example.org",
        0x0C1A: "Registry",
        0x5D01: "registry@example.org",
        0x1000: f"Dear {NAME},\r\n\r\nthe café is shut.\r\n",
        0x1035: "<secret.yalman@example.org>",
        0x007D: f"Received: from yalman.example.org\r\nX-Author: {NAME}\r\n",
    },
    people=(
        (1, "Zoë Jørgensen", "zoe@example.org", ""),
        (2, NAME, "", EXCHANGE),
        (3, "", "hidden@example.org", ""),
    ),
    bodies={0x1013: PAGE.encode("cp1252")},
    numbers={0x3FDE: 1252},
    sent=datetime(2024, 3, 5, 14, 30, tzinfo=UTC),
)


def mail_of(note: Note, *names: str) -> EmailMessage:
    """Return a message as it is written with names masked."""
    message = message_from_bytes(written(build_msg(note), *names), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def written(data: bytes, *names: str) -> bytes:
    """Return the file with names masked."""
    (item,) = items_of(data, "msg")
    if isinstance(item, documents.Failure):
        raise item.error
    output = io.BytesIO()
    sink = writer("same", output, input_format="msg")
    sink.write(item, mask_strings(item.document, *names))
    sink.close()
    return output.getvalue()


def text_of(message: EmailMessage, *kinds: str) -> str:
    """Return the body of a kind."""
    body = message.get_body(kinds)
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_a_message_of_outlook_is_one_of_mail() -> None:
    """People, subject, date and both bodies are as they were; Exchange's own addresses are not."""
    message = mail_of(NOTE)
    assert message["subject"] == f"The case of {NAME}"
    assert message["from"] == f"{NAME} <galip.yalman@example.org>"
    assert message["sender"] == "Registry <registry@example.org>"
    assert message["to"] == "Zoë Jørgensen <zoe@example.org>"
    assert message["cc"].strip('"') == NAME
    assert message["bcc"] == "hidden@example.org"
    assert message["date"].datetime == NOTE.sent
    assert message["message-id"] == "<message-1@redacted.invalid>"
    assert text_of(message, "plain") == f"Dear {NAME},\n\nthe café is shut.\n"
    assert text_of(message, "html").strip() == PAGE


def test_a_masked_person_is_gone_from_headers_bodies_and_properties() -> None:
    """One name in all of them is one person, and the file holds no other spelling of it."""
    data = sanitized(build_msg(NOTE), "msg", NAME)
    assert b"alman" not in data
    message = message_from_bytes(data, policy=policy.default)
    assert "Zoë" in message["to"]
    assert "the café is shut." in text_of(message, "plain")  # type: ignore[arg-type]


def test_strings_of_eight_bits_are_in_the_code_page_of_the_message() -> None:
    """Old messages name theirs; those that don't are of Western Europe."""
    texts = {0x0037: "Łódź", 0x1000: "Zażółć", 0x0042: "Łukasz"}
    note = Note(texts, codec="cp1250", numbers={0x3FFD: 1250})
    message = mail_of(note)
    assert (message["subject"], message["from"]) == ("Łódź", "Łukasz")
    assert text_of(message, "plain").strip() == "Zażółć"
    assert mail_of(Note({0x0037: "Café"}, codec="cp1252"))["subject"] == "Café"


def test_rich_text_is_the_body_where_there_is_no_other() -> None:
    """It is packed; the sample is that of [MS-OXRTFCP], 3.1.1."""
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af362"
        "68656c090020627705b06c647d0a800fa0"
    )
    note = Note({0x0037: "A"}, bodies={0x1009: packed})
    (item,) = items_of(build_msg(note), "msg")
    assert isinstance(item, documents.SourceDocument)
    assert item.document.text.split() == ["Subject:", "A", "world"]
    message = mail_of(note, "world")
    assert message.get_content_type() == "application/rtf"
    assert b"[X]" in message.get_content()
    plain = b"{\\rtf1 hello}"
    head = len(plain).to_bytes(4, "little") * 2 + b"MELA" + bytes(4)
    (item,) = items_of(build_msg(replace(note, bodies={0x1009: head + plain})), "msg")
    assert "hello" in item.document.text
    (item,) = items_of(build_msg(replace(note, bodies={0x1009: b"LZFu"})), "msg")
    assert isinstance(item, documents.Failure)


def test_attachments_are_read_as_those_of_mail() -> None:
    """Files and messages are sanitized in their own format; what can't be read is removed, and counted."""
    letter = build(paragraph(f"Report on {NAME}. " + "Nothing else. " * 400))
    inner = Note({0x0037: f"About {NAME}", 0x1000: "Forwarded"}, people=NOTE.people)
    attached = (
        Attached(f"report {NAME}.docx", letter),
        Attached("table.csv", f"text\n{NAME}\n".encode(), "text/csv"),
        Attached(content=inner),
        Attached("photo.jpg", b"\xff\xd8\xff", "image/jpeg"),
        Attached("linked.docx", method=2),
        Attached("object", method=6, type="odd"),
    )
    note = replace(NOTE, attached=attached)
    (item,) = items_of(build_msg(note), "msg")
    assert any("3 parts were removed" in note for note in item.notes), item.notes
    message = mail_of(note, NAME, "galip.yalman@example.org")
    names = [part.get_filename() for part in message.iter_attachments()]
    assert names == ["report [X].docx", "table.csv", None]
    report, table, forwarded = message.iter_attachments()
    (record,) = items_of(report.get_content(), "docx")
    assert "Report on [X]" in record.document.text
    assert table.get_content() == "text\n[X]\n"
    assert forwarded.get_content()["subject"] == "About [X]"


def test_a_file_of_outlook_attached_to_a_message_becomes_mail() -> None:
    """Under its name, with the extension of its new format, and with people masked in it and in its own files."""
    table = Attached("table.csv", f"text\n{NAME}\n".encode(), "text/csv")
    inner = build_msg(replace(NOTE, attached=(table,)))
    kind = "application/vnd.ms-outlook"
    outer = Note({0x0037: "Forwarded"}, attached=(Attached("old case.msg", inner, kind),))
    data = sanitized(build_msg(outer), "msg", NAME)
    assert b"alman" not in data
    (forwarded,) = message_from_bytes(data, policy=policy.default).iter_attachments()  # type: ignore[attr-defined]
    assert forwarded.get_content_type() == "message/rfc822"
    assert forwarded.get_filename() == "old case.eml"
    message = forwarded.get_content()
    assert message["subject"] == "The case of [PERSON 1]"
    assert [part.get_filename() for part in message.iter_attachments()] == ["table.csv"]


def test_a_signed_message_is_read_and_an_encrypted_one_refused() -> None:
    """Outlook keeps both as one attachment."""
    head = b'Content-Type: multipart/signed; boundary="b"; protocol="application/pkcs7-signature"\r\n\r\n'
    body = b"--b\r\nContent-Type: text/plain\r\n\r\nDear Galip\r\n--b\r\nContent-Type: application/pkcs7-signature\r\n\r\nx\r\n--b--\r\n"
    note = Note({0x0037: "A", 0x001A: "IPM.Note.SMIME.MultipartSigned"})
    signed = Attached("smime.p7m", head + body, "multipart/signed")
    (item,) = items_of(build_msg(replace(note, attached=[signed])), "msg")
    assert "Dear Galip" in item.document.text
    sealed = Attached("smime.p7m", b"\x30\x80", "application/pkcs7-mime")
    (item,) = items_of(build_msg(replace(note, attached=[sealed])), "msg")
    with pytest.raises(InputError, match="encrypted"):
        raise item.error


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"Subject: a\n\nb", "not a message of Outlook"),
        (build_msg(NOTE)[:2000], "damaged"),
        (build_msg(Note({0x001A: "IPM.Contact", 0x0037: "A"})), "not a message; save it"),
    ],
)
def test_other_files_are_refused(data: bytes, message: str) -> None:
    """The message says what to do, and nothing of the contents."""
    (item,) = items_of(data, "msg")
    assert isinstance(item, documents.Failure)
    assert message in str(item.error)


def test_messages_within_messages_have_a_limit() -> None:
    """A chain of them costs no more than the limit allows."""
    note = Note({0x0037: "A"})
    for _ in range(25):
        note = Note({0x0037: "A"}, attached=[Attached(content=note)])
    (item,) = items_of(build_msg(note), "msg")
    with pytest.raises(InputError, match="nested more than 20 deep"):
        raise item.error


def test_a_folder_maps_messages_to_mail(tmp_path: Path) -> None:
    """The output has the extension of its format, and of two inputs of one name neither is lost."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.msg").write_bytes(build_msg(NOTE))
    (tmp_path / "in" / "a.eml").write_bytes(b"Subject: Other\n\nOther text\n")
    run = tacenda("sanitize", str(tmp_path / "in"), "-o", str(tmp_path / "out"))
    assert run.returncode == 0, run.stderr
    outputs = sorted((tmp_path / "out").iterdir())
    assert [path.suffix for path in outputs] == [".eml", ".eml"]
    texts = [path.read_bytes() for path in outputs]
    assert sum(b"Other text" in text for text in texts) == 1
    one = tacenda("sanitize", str(tmp_path / "in" / "a.msg"), "-o", str(tmp_path / "b.eml"))
    assert one.returncode == 0, one.stderr
    wrong = tacenda("sanitize", str(tmp_path / "in" / "a.msg"), "-o", str(tmp_path / "b.msg"))
    assert wrong.returncode == 2
    assert "as eml does" in " ".join(wrong.stderr.decode().replace("│", " ").split())
