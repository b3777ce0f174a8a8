"""Documents of Word before 2007 (.doc), converted by LibreOffice."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tacenda import documents
from tacenda.documents import doc
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tacenda.isolation import workers
from tests.documents.building_docx import build, paragraph
from tests.documents.conftest import items_of, mask_strings, sanitized
from tests.forks import tacenda
from tests.waiting import until

docx = pytest.importorskip("docx")

NAME = "Galip Yalman"
OLE = bytes.fromhex("D0CF11E0A1B11AE1")
LETTER = build(paragraph(f"Dear {NAME},") + paragraph("the court is shut."))
needs_office = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice is not installed"
)
PROGRAM = """\
#!{python} -IS
import os, pathlib, shutil, sys, time
arguments = sys.argv[1:]
profile = next(a for a in arguments if a.startswith("-env:")).partition("file://")[2]
folder = pathlib.Path(arguments[arguments.index("--outdir") + 1])
source = pathlib.Path(arguments[-1])
pathlib.Path({log!r}).write_text(repr((profile, str(folder), oct(folder.stat().st_mode))))
assert (pathlib.Path(profile) / "user" / "registrymodifications.xcu").is_file()
assert source.parent == folder and source.read_bytes().startswith({ole!r})
{rest}
"""


@pytest.fixture(autouse=True)
def _new_workers() -> Iterator[None]:
    """A worker has the environment of its start."""
    workers._end()
    yield
    workers._end()


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Put a program in the place of LibreOffice; return what it was started with."""

    def install(rest: str) -> Path:
        folder, log = tmp_path / "bin", tmp_path / "log"
        folder.mkdir(exist_ok=True)
        program = folder / "soffice"
        letter = tmp_path / "letter.docx"
        letter.write_bytes(LETTER)
        rest = rest.format(letter=str(letter))
        program.write_text(
            PROGRAM.format(python=sys.executable, log=str(log), ole=OLE, rest=rest), "utf-8"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        return log

    return install


COPY = 'shutil.copy("{letter}", folder / "document.docx")'


def old(path: Path, source: bytes, extension: str) -> bytes:
    """Return a document as LibreOffice writes it in the old format."""
    file = path / f"letter{extension}"
    file.write_bytes(source)
    profile = (path / "profile").as_uri()
    options = ("--headless", "--convert-to", "doc:MS Word 97", "--outdir", str(path))
    subprocess.run(
        ["soffice", f"-env:UserInstallation={profile}", *options, str(file)],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return (path / "letter.doc").read_bytes()


@needs_office
def test_a_document_is_written_as_docx(tmp_path: Path) -> None:
    """Its text is sanitized like that of any other, and another program opens the output."""
    data = old(tmp_path, LETTER, ".docx")
    assert data.startswith(OLE)
    output = sanitized(data, "doc", NAME)
    text = "\n".join(each.text for each in docx.Document(io.BytesIO(output)).paragraphs)
    assert "the court is shut." in text
    assert "alman" not in text


def attached(data: bytes) -> bytes:
    """Return a message with a document."""
    message = EmailMessage(policy.default)
    message["Subject"] = "Letter"
    message.set_content("See the letter.\n")
    message.add_attachment(data, "application", "msword", filename=f"{NAME}.doc")
    message.add_attachment(f"Bye {NAME}", filename="end.txt")
    return message.as_bytes()


@needs_office
def test_a_document_attached_to_a_message_is_written_as_docx(tmp_path: Path) -> None:
    """The file has the extension of its new format, and no name in it or on it."""
    output = sanitized(attached(old(tmp_path, LETTER, ".docx")), "eml", NAME)
    message = message_from_bytes(output, policy=policy.default)
    letter, _ = message.iter_attachments()  # type: ignore[attr-defined]
    assert letter.get_filename() == "[PERSON 1].docx"
    paragraphs = docx.Document(io.BytesIO(letter.get_content())).paragraphs
    text = "\n".join(each.text for each in paragraphs)
    assert "the court is shut." in text
    assert "alman" not in text


def test_a_document_attached_to_a_message_is_removed_if_it_can_not_be_converted(
    tmp_path: Path, office: Callable[[str], Path]
) -> None:
    """A note counts it; if the program fails only when the message is written, nothing is."""
    office(COPY)
    (record,) = items_of(attached(OLE), "eml")
    assert "the court is shut." in record.document.text
    (tmp_path / "bin" / "soffice").unlink()
    output = io.BytesIO()
    sink = writer("same", output, input_format="eml")
    with pytest.raises(InputError, match="twice alike"):
        sink.write(record, mask_strings(record.document, NAME))
    (record,) = items_of(attached(OLE), "eml")
    assert any("1 part was removed" in note for note in record.notes)
    sink.write(record, mask_strings(record.document, NAME))
    assert b"alman" not in output.getvalue()


@needs_office
def test_links_of_a_document_are_not_followed(tmp_path: Path) -> None:
    """A picture on a server stays there: nothing leaves the machine, not even that a file is read."""
    requests: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            self.send_error(404)

        do_HEAD = do_OPTIONS = do_GET

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/picture.png"
        page = f'<html><body><p>Dear {NAME}</p><img src="{address}"></body></html>'
        data = old(tmp_path, page.encode(), ".html")
        assert b"/picture.png" in data.replace(b"\0", b"")
        requests.clear()
        (item,) = items_of(data, "doc")
        server.shutdown()
        thread.join()
    assert isinstance(item, documents.SourceDocument)
    assert NAME in item.document.text
    assert requests == []


def test_the_program_gets_a_private_folder_that_is_gone_afterwards(
    office: Callable[[str], Path],
) -> None:
    """Its profile is in it; the record is one of Word, and a note says how it came about."""
    log = office(COPY)
    (item,) = items_of(OLE + bytes(600), "doc")
    assert isinstance(item, documents.SourceDocument)
    assert item.origin.format == "docx"
    assert NAME in item.document.text
    assert item.notes[0].startswith("was converted to .docx by LibreOffice")
    profile, folder, mode = eval(log.read_text())
    assert profile.startswith(folder)
    assert mode == "0o40700"
    assert not Path(folder).exists()


def test_the_program_is_started_again_once_it_has_made_its_profile(
    office: Callable[[str], Path],
) -> None:
    """It says so with an exit code of its own, and has converted nothing then."""
    office(
        'marker = pathlib.Path(profile, "made")\n'
        "if not marker.exists():\n    marker.touch()\n    sys.exit(81)\n" + COPY
    )
    (item,) = items_of(OLE, "doc")
    assert isinstance(item, documents.SourceDocument)


@pytest.mark.parametrize(
    ("rest", "message", "seconds"),
    [
        ("sys.exit(1)", "can't be converted by LibreOffice; remove its password", 60),
        ('(folder / "document.docx").write_bytes(b"x")', "is not a valid .docx file", 60),
        ("time.sleep(60)", "took more than 4 s and was stopped", 8),
    ],
)
def test_a_document_that_is_not_converted_is_refused(
    office: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    rest: str,
    message: str,
    seconds: int,
) -> None:
    """The message says why and what to do, and the folder is gone all the same."""
    monkeypatch.setenv("TACENDA_LIMIT_SECONDS", str(seconds))
    log = office(rest)
    (item,) = items_of(OLE, "doc")
    assert isinstance(item, documents.Failure)
    assert message in str(item.error)
    assert not Path(eval(log.read_text())[1]).exists()


def test_the_folder_is_gone_also_where_the_process_is_killed(
    office: Callable[[str], Path],
) -> None:
    """As at the end of its time, or when a user interrupts it: no text is left behind."""
    log = office("import signal; os.kill(os.getppid(), signal.SIGKILL); time.sleep(1)")
    (item,) = items_of(OLE, "doc")
    assert isinstance(item, documents.Failure)
    assert "ended the process that read it" in str(item.error)
    folder = Path(eval(log.read_text())[1])
    until(lambda: not folder.exists())


def test_without_the_program_the_message_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And which other way there is."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (item,) = items_of(OLE, "doc")
    with pytest.raises(InputError, match=r"needs LibreOffice.*apt install.*save it as \.docx"):
        raise item.error
    (item,) = items_of(b"{\\rtf1 hello}", "doc")
    with pytest.raises(InputError, match=r"is not a document of Word 97 to 2003"):
        raise item.error


def test_a_folder_maps_old_documents_to_new_ones(
    office: Callable[[str], Path], tmp_path: Path
) -> None:
    """Under the extension of their format."""
    office(COPY)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.doc").write_bytes(OLE)
    run = tacenda("sanitize", str(tmp_path / "in"), "-o", str(tmp_path / "out"), env={**os.environ})
    assert run.returncode == 0, run.stderr
    (output,) = (tmp_path / "out").iterdir()
    assert output.name == "a.docx"
    assert docx.Document(str(output)).paragraphs


def test_settings_of_the_profile_are_valid() -> None:
    """As the program stores them: a path and a name for each value."""
    from xml.etree import ElementTree

    items = "".join(doc._ITEM.format(*item) for item in doc._SETTINGS)
    root = ElementTree.fromstring(f"{doc._HEAD}{items}</oor:items>")
    assert len(root) == len(doc._SETTINGS)
