"""The release of a project: nothing leaves as released before all is settled."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from tacenda.app.release import checklist, is_released, part, parts, release, released_file
from tacenda.app.review.events import ReviewEvent, ReviewKind
from tacenda.app.service import Service
from tacenda.app.store.log import RevisionConflict
from tacenda.audit.decisions import schema
from tacenda.errors import InputError

from ..documents.building_docx import entries
from ..documents.test_beside import letter, picture
from .building import MEMO, client, come_in, service, until

DONE = ReviewEvent(ReviewKind.DONE, value="yes")
ALL = ReviewEvent(ReviewKind.BOUND, value="0")


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """Return a service without projects."""
    found = service(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def inside(made: Service) -> Iterator[TestClient]:
    """Return a client with a letter as .docx and a memo as project 1."""
    with client(made) as found:
        come_in(found)
        files = [("files", ("letter.docx", letter())), ("files", ("memo.txt", MEMO.encode()))]
        assert found.post("/projects", data={"name": "Both"}, files=files).status_code == 204
        until(lambda: not made.store.documents.waiting(1))
        yield found


def _do(made: Service, document: int, *changes: ReviewEvent) -> None:
    for change in changes:
        made.change(document, "Ann", made.store.documents.get(document).revision, change)


def _decide(inside: TestClient, made: Service, treatment: str, boxes: str = "[]") -> None:
    for item in parts(made, made.open(1)):
        values = {
            "revision": made.store.documents.get(1).revision,
            "treatment": treatment,
            "boxes": boxes if item.part.content else "[]",
        }
        answer = inside.post(f"/documents/1/parts/{item.part.key}", data=values)
        assert answer.status_code == 200, answer.text


def _open(made: Service) -> list[str]:
    return [check.name for check in checklist(made, 1) if not check.is_settled]


def _settled(inside: TestClient, made: Service) -> None:
    for document in (1, 2):
        _do(made, document, ALL)
    _decide(inside, made, "keep", "[[0, 0, 5000, 5000]]")
    for document in (1, 2):
        _do(made, document, DONE)


def test_the_checklist_names_what_is_open(inside: TestClient, made: Service) -> None:
    """Point by point, until nothing is; each point holds up the release by itself."""
    undecided, beside, review = (
        "Nothing is undecided that may have to be masked",
        "Every picture, comment and hidden part is decided",
        "Every document is reviewed as it stands",
    )
    assert _open(made) == [undecided, beside, review]
    for step in range(4):
        with pytest.raises(InputError, match="Still open"):
            release(made, 1, "Ann")
        if step == 0:
            _do(made, 1, ALL)
            _do(made, 2, ALL)
            assert _open(made) == [beside, review]
        elif step == 1:
            _decide(inside, made, "remove")
            assert _open(made) == [review]
        elif step == 2:
            _do(made, 1, DONE)
            assert _open(made) == [review]
    _do(made, 2, DONE)
    assert _open(made) == []
    assert made.store.releases.of(1) == []


def test_what_is_released_has_files_record_and_digests(inside: TestClient, made: Service) -> None:
    """Files by their own names, boxes in the pixels, the record by its schema, digests of all."""
    _settled(inside, made)
    assert inside.post("/projects/1/release").status_code == 204
    (item,) = made.store.releases.of(1)
    answer = inside.get(f"/projects/1/releases/{item.digest}")
    assert hashlib.sha256(answer.content).hexdigest() == item.digest
    assert "draft" not in answer.headers["content-disposition"]
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    names = ["letter.docx", "memo.txt", "record.json", "record.html", "SHA256SUMS.txt"]
    assert archive.namelist() == names
    sums = dict(line.split("  ")[::-1] for line in archive.read(names[-1]).decode().splitlines())
    for name in names[:-1]:
        assert sums[name] == hashlib.sha256(archive.read(name)).hexdigest()
    assert picture() not in entries(archive.read("letter.docx")).values()
    record = json.loads(archive.read("record.json"))
    jsonschema.validate(record, schema())
    first = record["documents"][0]
    assert first["review"]["stage"] == "released"
    assert [len(each["boxes"]) for each in first["parts"]] == [1, 0, 0]
    assert "Ada Byron" not in archive.read("memo.txt").decode()
    assert item.digest in inside.get("/projects/1/release").text


def test_a_later_change_takes_the_release_off_the_page(inside: TestClient, made: Service) -> None:
    """It is named as changed since, and its archive is not given out any more."""
    _settled(inside, made)
    item = release(made, 1, "Ann")
    assert is_released(made.store.documents.of(1))
    _do(made, 2, ReviewEvent(ReviewKind.BOUND, value="0.1"))
    assert not is_released(made.store.documents.of(1))
    answer = inside.get(f"/projects/1/releases/{item.digest}")
    assert (answer.status_code, "changed since" in answer.text) == (422, True)
    assert "changed since" in inside.get("/projects/1/release").text
    assert "changed by Ann" in inside.get("/projects/1").text
    with pytest.raises(InputError, match="no release of that digest"):
        released_file(made, 1, "0" * 64)


def test_a_change_meanwhile_stops_all_of_it(
    inside: TestClient, made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No document is released, and nothing is kept."""
    _settled(inside, made)
    from tacenda.app import release as module

    monkeypatch.setattr(
        module, "decided_parts", lambda *_: _do(made, 2, ALL, DONE) or {1: {}, 2: {}}
    )
    with pytest.raises(RevisionConflict):
        release(made, 1, "Ann")
    assert made.store.releases.of(1) == []
    assert made.open(1).sign_offs.released is None


def test_a_part_that_is_painted_over_is_undecided_again(inside: TestClient, made: Service) -> None:
    """A key is of the content: a comment whose words are masked is another one."""
    before = {item.part.key for item in parts(made, made.open(1))}
    assert len(before) == 3
    key = min(before)
    assert part(made, 1, key).part.key == key
    with pytest.raises(InputError, match="no such part"):
        part(made, 1, "0" * 32)


def test_drafts_are_named_so(inside: TestClient, made: Service) -> None:
    """Whatever can be downloaded before the release says in its name that it is a draft."""
    _do(made, 1, ALL)
    _do(made, 2, ALL)
    paths = ["/documents/1/result?format=same", "/documents/2/result", "/projects/1/result"]
    paths += [f"/projects/1/result?format={format}" for format in ("text", "html", "json")]
    for path in paths:
        answer = inside.get(path)
        assert answer.status_code == 200
        assert 'filename="draft-' in answer.headers["content-disposition"], path


def test_what_can_not_be_is_refused_in_a_sentence(inside: TestClient, made: Service) -> None:
    """An unknown treatment, boxes outside, boxes on a comment, an old revision."""
    items = {item.part.kind: item.part for item in parts(made, made.open(1))}

    def sent(kind: str, **values: Any) -> tuple[int, str]:
        form = {"revision": 0, "treatment": "keep"} | values
        answer = inside.post(f"/documents/1/parts/{items[kind].key}", data=form)
        found = re.search(r'role="alert"[^>]*>([^<]*)<', answer.text)
        assert found is not None
        return answer.status_code, found[1]

    assert sent("picture", treatment="burn")[0] == 422
    assert sent("picture", boxes="[[0, 0, 1, 20000]]")[0] == 422
    assert sent("picture", boxes="[")[0] == 422
    status, sentence = sent("comment", boxes="[[0, 0, 1, 1]]")
    assert (status, "pictures only" in sentence) == (422, True)
    assert sent("picture", revision=7)[0] == 409
    assert made.open(1).row.revision == 0


def test_pictures_are_shown_and_comments_are_not(inside: TestClient, made: Service) -> None:
    """The picture comes as it would leave; what is none is refused."""
    items = {item.part.kind: item.part for item in parts(made, made.open(1))}
    shown = inside.get(f"/documents/1/parts/{items['picture'].key}")  # type: ignore[index]
    assert (shown.content, shown.headers["content-type"]) == (picture(), "image/png")
    refused = inside.get(f"/documents/1/parts/{items['comment'].key}")  # type: ignore[index]
    assert refused.status_code == 422
    words = inside.get(f"/documents/1/parts/{items['picture'].key}/words")  # type: ignore[index]
    assert words.status_code == 200
