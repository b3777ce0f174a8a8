"""`tacenda review` and `tacenda serve app`, started as a person starts them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tacenda.app.intake import from_paths
from tacenda.app.store import Store
from tacenda.background.documents import IndexBuilder
from tacenda.cli.app import ReviewSettings, _project, open_service
from tacenda.cli.options import SanitizerOptions
from tests.documents.building_docx import build, entries
from tests.forks import tacenda
from tests.waiting import until

from ..keys import KEY, write_key

_PROJECT = re.compile(r"/projects/[0-9a-f]{32}(?=\?token=)")
_DOCUMENT = re.compile(r'(?<=href=")/documents/[0-9a-f]{32}')


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tacenda", *arguments]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a letter and a policy that needs no recognizer."""
    (tmp_path / "letter.txt").write_text("Write to ada@example.org.")
    (tmp_path / "policy.yaml").write_text("recognizer: false\nthreshold: 0.5\noperator: tag\n")
    return tmp_path


@contextmanager
def _started(folder: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """Run a command; yield the address that it prints; stop it as Ctrl+C does."""
    policy = ("--policy", "policy.yaml") if arguments[0] != "annotate" else ()
    process = subprocess.Popen(
        _command(*arguments, *policy, "--port", "0"),
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_DATA_HOME": str(folder / "data")} | environment,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        # Before it serves, an interrupt is lost where a shell started the tests in the background.
        _page(found[0])
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(90)
        process.stdout.close()


def _page(url: str) -> str:
    with httpx.Client(
        follow_redirects=True, transport=httpx.HTTPTransport(retries=20), timeout=60
    ) as client:
        return client.get(url).text


def test_files_are_opened_and_opened_again(folder: Path) -> None:
    """The same files lead to the same project; --again begins another."""
    arguments = ("review", "letter.txt", "--no-browser", "--name", "Mine")
    with _started(folder, *arguments) as url:
        path = _PROJECT.findall(url)
        assert "<h1>Mine</h1>" in _page(url)
    with _started(folder, *arguments, "--again") as url:
        assert _PROJECT.findall(url) not in (path, [])
        assert _page(_PROJECT.sub("/", url)).count("<strong>Mine</strong>") == 2
    assert (folder / "data" / "tacenda" / "projects.db").exists()


def test_a_name_chooses_the_project(folder: Path) -> None:
    """Another name is another project of the same files; without one, the newest is opened."""
    options = SanitizerOptions(policy=str(folder / "policy.yaml"))
    service = open_service(folder / "projects.db", options)
    files = from_paths([str(folder / "letter.txt")])
    march, april, named, newest = (
        _project(service, files, ReviewSettings(name=name), [], "ann")
        for name in ("March", "April", "March", None)
    )
    service.store.close()
    assert (march != april, named, newest) == (True, march, april)


def test_a_kept_policy_is_mentioned_where_another_is_given(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A project keeps its own; only who named another one is told."""
    (folder / "other.yaml").write_text("recognizer: false\nthreshold: 0.9\n")
    files = [str(folder / "letter.txt")]
    notes = []
    for name, given in (("policy", []), ("other", []), ("other", ["policy"])):
        options = SanitizerOptions(policy=str(folder / f"{name}.yaml"))
        service = open_service(folder / "projects.db", options)
        _project(service, from_paths(files), ReviewSettings(), given, "ann")
        service.store.close()
        notes.append("keeps its original policy" in capfd.readouterr().err)
    assert notes == [False, False, True]


def test_a_review_takes_the_options_of_replacements(folder: Path) -> None:
    """Made-up names need no key to be named: it is kept with the projects."""
    choices = ("--operator", "surrogate", "--tag-language", "de", "--tags-per-document")
    with _started(folder, "review", "letter.txt", "--no-browser", *choices):
        pass
    store = Store(folder / "data" / "tacenda" / "projects.db")
    (project,) = store.projects.all()
    policy = project.policy
    assert (policy.operator, policy.tag_language, project.linked) == ("surrogate", "de", False)
    assert policy.key_file is not None
    assert policy.key_file.parent == store.path.parent
    assert len(policy.key()) >= 16
    store.close()


def test_a_server_with_keys_answers_programs(folder: Path) -> None:
    """No token is printed; the key opens the API."""
    write_key(folder / "keys", f"robot {KEY}\n")
    with _started(folder, "serve", "app", "--api-key-file", "keys") as url:
        assert "token" not in url
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), timeout=60) as client:
            answer = client.post(
                f"{url}api/v1/sanitize",
                json={"text": "Write to ada@example.org."},
                headers={"Authorization": f"Bearer {KEY}"},
            )
        assert answer.json()["text"] == "Write to [CODE 1]."


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("review", "gone.txt", "--no-browser"), 1, "gone.txt: can't be opened"),
        (("serve", "app", "--host", "0.0.0.0"), 2, "can be reached by others"),
        (("serve", "app", "--api-key-file", "gone"), 1, "the keys can't be read"),
        (("review", "--store", "letter.txt", "--no-browser"), 1, "not a project file of tacenda"),
    ],
)
def test_faults_are_said(folder: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    """A sentence and an exit code, never a traceback."""
    environment = os.environ | {"XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "200"}
    done = tacenda(*arguments, "--policy", "policy.yaml", cwd=folder, text=True, env=environment)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_extra_is_named(folder: Path) -> None:
    """Without FastAPI the command says what to install."""
    code = (
        "import sys; sys.modules['fastapi'] = None; sys.argv = ['tacenda', 'review', 'letter.txt'];"
        "from tacenda.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert "[app]" in done.stderr


def test_a_port_that_is_taken_is_said(folder: Path) -> None:
    """The error names the address and the option."""
    with _started(folder, "review", "letter.txt", "--no-browser") as url:
        port = url.split(":")[2].split("/")[0]
        options = ("--no-browser", "--policy", "policy.yaml", "--port", port)
        environment = os.environ | {"XDG_DATA_HOME": str(folder / "data")}
        done = tacenda("review", *options, cwd=folder, text=True, env=environment)
    assert done.returncode == 1
    assert f"can't listen on 127.0.0.1:{port}" in done.stderr


def test_a_word_file_is_reviewed_against_a_background(folder: Path) -> None:
    """It opens, says what it is decided by, and comes back as .docx; other bytes take its place."""
    pytest.importorskip("lxml.etree")
    with IndexBuilder(folder / "knowledge.db") as builder:
        builder.begin("pages")
        builder.add("ada", "Ada is ada@example.org")
        builder.finish()
    arguments = ("review", "letter.docx", "--no-browser", "--background", "knowledge.db")
    for style in ("", "<w:b/>"):
        run = f"<w:r><w:rPr>{style}</w:rPr><w:t>To ada@example.org</w:t></w:r>"
        (folder / "letter.docx").write_bytes(build(f"<w:p>{run}</w:p>"))
        with (
            _started(folder, *arguments) as url,
            httpx.Client(follow_redirects=True, timeout=60) as client,
        ):
            assert _PROJECT.search(url)
            page = client.get(url).text
            assert "against what knowledge.db knows" in page
            while "; 1 still to be analyzed" in page:
                time.sleep(0.1)
                page = client.get(url).text
            root = url.split("/projects")[0]
            sanitized = client.get(f"{root}{_DOCUMENT.findall(page)[0]}/result?format=same").content
            assert (b"<w:b/>" in entries(sanitized)["word/document.xml"]) == bool(style)
            assert b"ada@" not in entries(sanitized)["word/document.xml"]


_BROWSER = """#!/bin/sh
cat "/proc/$$/cmdline" | tr '\\0' ' ' > command
file=$(printf '%s' "$1" | sed 's,^file://,,')
stat -c '%a' "$file" "$(dirname "$file")" > modes
cp "$file" page
"""


@pytest.mark.parametrize(
    "arguments", [("review", "letter.txt"), ("annotate", "letter.txt", "--annotators", "ann,ben")]
)
def test_the_token_is_on_no_command_line(folder: Path, arguments: tuple[str, ...]) -> None:
    """The browser gets the name of a file of its owner's, which leads in once and is gone then."""
    browser = folder / "browser"
    browser.write_text(_BROWSER)
    browser.chmod(0o755)
    (folder / "private").mkdir()
    places = {"BROWSER": f"{browser} %s", "TMPDIR": str(folder / "private")}
    with _started(folder, *arguments, **places):
        page = folder / "page"
        until(lambda: page.exists() and "href" in page.read_text())
        assert "http" not in (folder / "command").read_text()
        assert "file://" in (folder / "command").read_text()
        assert (folder / "modes").read_text().split() == ["600", "700"]
        (url,) = re.findall(r'href="([^"]+)"', page.read_text())
        assert list((folder / "private").iterdir())
        from_file = {"Sec-Fetch-Site": "cross-site"}
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), timeout=60) as client:
            answer = client.get(url, headers=from_file)
            assert 'http-equiv="refresh" content="0;url=/' in answer.text
            assert client.get(url.partition("?")[0]).status_code == 200
        assert not list((folder / "private").iterdir())
        answer = httpx.get(url, timeout=60)
        assert answer.status_code in (303, 401)
        assert "set-cookie" not in answer.headers
