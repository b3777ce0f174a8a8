"""``tacenda annotate`` on the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from html import unescape
from http.client import HTTPException
from pathlib import Path
from threading import Timer

import pytest
from typer.testing import CliRunner

from tacenda.app.annotation.service import AnnotationService
from tacenda.app.store import Store
from tacenda.cli import app
from tacenda.errors import InputError, PolicyError

_RUN = CliRunner()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--flow", "dance"], "not one of tab, replacement"),
        (["--pre", "magic"], "not one of none, recognizer, file"),
        ([], "name files, or an existing project"),
    ],
)
def test_wrong_usage_says_what_is_right(arguments: list[str], message: str, tmp_path: Path) -> None:
    """Exit code 2, before anything is made."""
    project = tmp_path / "p.db"
    result = _RUN.invoke(app, ["annotate", *arguments, "--project", str(project)])
    assert result.exit_code == 2
    assert message in re.sub(r"[\s│]+", " ", result.output)
    assert not project.exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """It is the data's fault."""
    result = _RUN.invoke(
        app, ["annotate", "nowhere.txt", "--project", str(tmp_path / "p.db"), "--no-browser"]
    )
    assert isinstance(result.exception, InputError)
    assert "nowhere.txt" in str(result.exception)
    assert not isinstance(result.exception, PolicyError)


def test_what_was_confirmed_outlives_the_program(tmp_path: Path) -> None:
    """Each person's address works; killed while acts come in, every confirmed one is there."""
    letter = tmp_path / "letter.txt"
    letter.write_text("Ada Byron wrote. " * 50, "utf-8")
    project = tmp_path / "p.db"
    command = [sys.executable, "-c", "from tacenda.cli import main; main()", "annotate"]
    options = ["--annotators", "ann,ben", "--project", str(project), "--no-browser"]
    process = subprocess.Popen(
        [*command, str(letter), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(4)]
    people = dict(line.split(": ", 1) for line in lines[:3])
    assert list(people) == ["ann", "ben", "adjudicator"]
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    confirmed = 0
    try:
        with opener.open(people["ben"], timeout=60) as answer:
            page = answer.read().decode()
        assert "letter.txt" in page
        (proof,) = re.findall('"X-Tacenda-Proof": "([^"]+)"', unescape(page))
        killer = Timer(0.5, process.kill)
        while confirmed < 5000:
            if confirmed == 1:  # however slowly the first one came
                killer.start()
            step = {"kind": "step", "value": str(confirmed % 5 + 1)}
            request = urllib.request.Request(
                people["ben"].replace("/?", "/documents/1/acts?"),
                json.dumps({"revision": confirmed, "act": step}).encode(),
                {"Content-Type": "application/json", "X-Tacenda-Proof": proof},
            )
            opener.open(request, timeout=60).close()
            confirmed += 1
    except (OSError, HTTPException):
        pass  # killed while it answered
    finally:
        process.kill()
        process.communicate()
    store = Store(project)
    annotations = AnnotationService(store).begin("p", None, ["ben"])
    assert 0 < confirmed <= annotations.revision(1, "ben") <= confirmed + 1
    store.close()
