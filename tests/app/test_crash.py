"""Killed in the middle of decisions, the program has lost nothing it had confirmed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from html import unescape
from itertools import count
from pathlib import Path
from threading import Timer

import httpx

from tacenda.app.review.comments import comments
from tacenda.app.service import Service
from tacenda.app.store import Store

from .building import LETTER, sanitizer

_KILLED_AFTER = 12
"""Decisions."""


def _decide(client: httpx.Client, document: str, number: int, proof: str) -> None:
    change = {"kind": "note", "spans": [[0, 9]], "value": f"note {number}"}
    answer = client.post(
        f"{document}/changes",
        data={"revision": str(number), "change": json.dumps(change)},
        headers={"X-Tacenda-Proof": proof},
    )
    answer.raise_for_status()
    assert f'data-revision="{number + 1}"' in answer.text


def test_what_was_confirmed_is_there_after_a_kill(tmp_path: Path) -> None:
    """SIGKILL while decisions come in: each that was answered is in the store, in order."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.serving", str(tmp_path), LETTER],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    url, document = process.stdout.readline().split()
    confirmed = 0
    with httpx.Client(base_url=url.split("/?")[0], timeout=60) as client:
        client.get(url)
        page = unescape(client.get(document).text)
        (proof,) = re.findall(r'"X-Tacenda-Proof": "([^"]+)"', page)
        killer = Timer(0.05, process.kill)
        try:
            for number in count():
                if number == _KILLED_AFTER:
                    # It strikes while the following decisions are on their way.
                    killer.start()
                _decide(client, document, number, proof)
                confirmed += 1
        except httpx.TransportError:
            pass
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    assert process.returncode == -signal.SIGKILL
    assert confirmed >= _KILLED_AFTER
    store = Store(tmp_path / "projects.db")
    notes = [entry.event.value for entry in store.log.entries(1) if entry.event is not None]
    assert notes[:confirmed] == [f"note {number}" for number in range(confirmed)]
    # One more may have been written, and killed before it was answered; none is there half.
    assert len(notes) - confirmed in (0, 1)
    document_view = Service(store, sanitizer()).open(1)
    assert document_view.row.revision == len(notes)
    assert [comment.text for comment in comments(document_view.entries)] == [notes[-1]]
    store.close()
