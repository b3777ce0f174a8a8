"""The release of a project: nothing leaves as released before all is settled."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from starlette.testclient import TestClient

from tacenda import documents
from tacenda.app.events import Event, EventKind
from tacenda.app.intake import from_upload
from tacenda.app.parts import part, parts
from tacenda.app.release import checklist, release, release_to_publish, released_file
from tacenda.app.service import Service
from tacenda.app.store.log import RevisionConflict
from tacenda.app.store.projects import ProjectRole as Role
from tacenda.app.web.access import Access
from tacenda.app.web.keys import Key
from tacenda.audit.decisions import schema
from tacenda.document import Span
from tacenda.documents.ocr.tesseract import is_installed, settings
from tacenda.errors import InputError
from tests.waiting import until

from ..documents.building_docx import build, entries, paragraph
from ..documents.test_parts import letter, picture
from .building import MEMO, client, come_in, service

DONE = Event(EventKind.DONE, value="yes")
ALL = Event(EventKind.BOUND, value="0")


@pytest.fixture
def inside(made: Service) -> Iterator[TestClient]:
    """Return a client with a letter as .docx and a memo as project 1."""
    with client(made) as found:
        come_in(found)
        files = [("files", ("letter.docx", letter())), ("files", ("memo.txt", MEMO.encode()))]
        assert found.post("/projects", data={"name": "Both"}, files=files).status_code == 204
        until(lambda: not made.store.documents.waiting(1))
        yield found


def _do(made: Service, document: int, *changes: Event) -> None:
    for change in changes:
        made.change(document, "Ann", made.store.documents.get(document).revision, change)


def _decide(inside: TestClient, made: Service, treatment: str, boxes: str = "[]") -> None:
    for item in parts(made, made.open(1)):
        values = {
            "revision": made.store.documents.get(1).revision,
            "treatment": treatment,
            "boxes": boxes if item.part.media_type else "[]",
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
        "Everything that may need masking is decided",
        "Every picture, comment and hidden part is decided",
        "Every document is reviewed in its current state",
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


def test_the_checklist_says_what_was_accepted_and_leaves_out_what_there_is_none_of(
    tmp_path: Path,
) -> None:
    """An accepted leak is settled, but still read; a text alone has no pictures to decide on."""
    text = "Ada Byron came. Then Ada Byron left."
    made = service(tmp_path, text)
    span = Span(text.rindex("Ada"), text.rindex(" left"))
    keep = Event(EventKind.DECIDE_MENTION, (span,), "keep")
    _do(made, 1, ALL, keep)
    leaks = "Nothing masked can still be read"
    assert _open(made)[0] == leaks
    _do(made, 1, Event(EventKind.ACCEPT, (span,), "another Ada Byron"), DONE)
    names = [check.name for check in checklist(made, 1)]
    assert names[1] == f"{leaks}, besides 1 accepted with a reason"
    assert not any("picture" in name for name in names)
    assert _open(made) == []


def _unpacked(answer: Any) -> zipfile.ZipFile:
    """Return an archive whose files have the digests that it says."""
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    *names, last = archive.namelist()
    sums = dict(line.split("  ")[::-1] for line in archive.read(last).decode().splitlines())
    assert last == "SHA256SUMS.txt"
    assert sums == {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}
    return archive


def test_what_is_released_has_files_and_apart_from_them_the_record(
    inside: TestClient, made: Service
) -> None:
    """Files by their own names, boxes in the pixels; no reviewer and no tag's meaning among them."""
    _settled(inside, made)
    assert inside.post("/projects/1/release").status_code == 204
    (item,) = made.store.releases.of(1)
    answer = inside.get(f"/projects/1/releases/{item.digest}")
    assert hashlib.sha256(answer.content).hexdigest() == item.digest
    assert "draft" not in answer.headers["content-disposition"]
    archive = _unpacked(answer)
    assert archive.namelist() == ["letter.docx", "memo.txt", "SHA256SUMS.txt"]
    assert picture() not in entries(archive.read("letter.docx")).values()
    answer = inside.get(f"/projects/1/releases/{item.digest}/record")
    assert 'filename="private-record-of-' in answer.headers["content-disposition"]
    private = _unpacked(answer)
    assert private.namelist() == ["record.json", "record.html", "SHA256SUMS.txt"]
    record = json.loads(private.read("record.json"))
    jsonschema.validate(record, schema())
    first = record["documents"][0]
    assert first["review"]["stage"] == "released"
    assert [len(each["boxes"]) for each in first["parts"]] == [1, 0, 0]
    assert "Ada Byron" not in archive.read("memo.txt").decode()
    page = inside.get("/projects/1/release").text
    assert f'/releases/{item.digest}/record">private record' in page
    assert "Don't publish it" in page


def _results(inside: TestClient) -> dict[str, str]:
    """Return the text of the views and exports of the result of document 1, by their names."""
    page = inside.get("/documents/1").text
    shown = " ".join(re.findall(r'<div class="result"[^>]*>(.*?)</div>', page, re.DOTALL))
    texts = {"view": re.sub("<[^>]+>", "", shown)}
    for format in ("text", "html", "json", "masks", "pdf", "same"):
        for path in ("/documents/1", "/projects/1"):
            content = inside.get(f"{path}/result?format={format}").content
            texts[path + format] = _readable(content)
    return texts


def _readable(content: bytes) -> str:
    """Return the text of a file, and of those in an archive."""
    if content.startswith(b"PK"):
        return " ".join(map(_readable, entries(content).values()))
    if content.startswith(b"%PDF"):
        (record,) = documents.read("-", "pdf", stdin=io.BytesIO(content))
        assert isinstance(record, documents.SourceDocument)
        return record.document.text
    return content.decode("utf-8", "replace")


@pytest.mark.parametrize("treatment", ["keep", "blank", "remove"])
def test_what_is_removed_is_out_of_every_view_and_export(
    inside: TestClient, made: Service, treatment: str
) -> None:
    """The text of comments and hidden parts is in all of them or in none, before and after the release."""
    for document in (1, 2):
        _do(made, document, ALL)
    words = [item.part.text for item in parts(made, made.open(1)) if item.part.text]
    assert len(words) == 2
    _decide(inside, made, treatment)
    for is_released_now in (False, True):
        for name, text in _results(inside).items():
            if "masks" not in name:  # which has places alone
                assert "Dear" in text, name
                for word in words:
                    assert (word in text) == (treatment == "keep"), (name, word)
        if not is_released_now:
            for document in (1, 2):
                _do(made, document, DONE)
            release(made, 1, "Ann")
    made.undo(1, "Ann", made.store.documents.get(1).revision)  # its review
    for _ in words:
        made.undo(1, "Ann", made.store.documents.get(1).revision)
    assert all(word in _results(inside)["/documents/1text"] for word in words)


def test_an_approval_leaves_a_release_as_it_is(inside: TestClient, made: Service) -> None:
    """Only what is written makes a release stale, or a person who says so."""
    _settled(inside, made)
    item = release(made, 1, "Ann")

    def approve(value: str) -> None:
        change = Event(EventKind.APPROVE, value=value)
        made.sign(2, "Ben", made.store.documents.get(2).revision, change)

    approve("yes")
    assert release_to_publish(made, 1) == item
    assert inside.get(f"/projects/1/releases/{item.digest}").status_code == 200
    approve("no")
    assert release_to_publish(made, 1) is None


def test_the_download_of_a_release_is_the_archive(inside: TestClient, made: Service) -> None:
    """The main button of the project and of its release page leads to it, until something changes."""
    _settled(inside, made)
    item = release(made, 1, "Ann")
    for path in ("/projects/1", "/projects/1/release"):
        (place,) = re.findall(
            r'class="button primary" id="download-release" href="([^"]+)"', inside.get(path).text
        )
        answer = inside.get(place)
        assert hashlib.sha256(answer.content).hexdigest() == item.digest
    assert 'class="primary" id="release-button"' not in inside.get("/projects/1/release").text
    assert 'id="to-release"' in inside.get("/projects/1").text
    _do(made, 2, Event(EventKind.BOUND, value="0.1"), DONE)
    for path in ("/projects/1", "/projects/1/release"):
        assert "download-release" not in inside.get(path).text
    assert 'class="primary" id="release-button"' in inside.get("/projects/1/release").text


def test_a_document_counts_its_parts_and_leads_to_them(inside: TestClient, made: Service) -> None:
    """What waits on the release page is to be decided, too; when nothing waits, nothing is counted."""
    _do(made, 1, ALL)
    _page(inside, "/projects/1/release")

    def shown() -> tuple[str, bool, bool]:
        page = inside.get("/documents/1").text
        (count,) = re.findall(r'<strong id="to-decide">(\d+)</strong>', page)
        return count, 'id="to-parts"' in page, "Nothing is left to decide" in page

    assert shown() == ("3", True, False)
    assert "Still to decide: <a" in inside.get("/documents/1/entity?at=").text
    _decide(inside, made, "keep")
    assert shown() == ("0", False, True)


def test_a_next_document_is_offered_where_there_is_one(inside: TestClient, made: Service) -> None:
    """The last one to be reviewed leads to the project instead."""
    for document, words in ((1, "Next document"), (2, "To the project")):
        _do(made, document, ALL)
        before = inside.get(f"/documents/{document}").text
        assert f"Done, {words[0].lower()}{words[1:]}" in before
        _do(made, document, DONE)
        assert f">{words}</a>" in inside.get(f"/documents/{document}").text


def test_a_later_change_takes_the_release_off_the_page(inside: TestClient, made: Service) -> None:
    """It is named as changed since, and its archive is not given out any more."""
    _settled(inside, made)
    item = release(made, 1, "Ann")
    assert release_to_publish(made, 1) == item
    _do(made, 2, Event(EventKind.BOUND, value="0.1"))
    assert release_to_publish(made, 1) is None
    answer = inside.get(f"/projects/1/releases/{item.digest}")
    assert (answer.status_code, "changed since" in answer.text) == (422, True)
    assert "changed since" in inside.get("/projects/1/release").text
    assert "changed by Ann" in inside.get("/projects/1").text
    with pytest.raises(InputError, match="no release has that digest"):
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
    with pytest.raises(InputError, match="no longer has this part"):
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
        assert answer.headers["content-type"].startswith("text/plain")
        return answer.status_code, answer.text

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


def _many(made: Service, count: int) -> None:
    """Put letters into a project 2, with three parts each."""
    new = [item for n in range(count) for item in from_upload(f"{n:03}.docx", letter())]
    project = made.add_project("Many", new)
    for row in made.store.documents.of(project.id):
        made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))


def _page(inside: TestClient, address: str) -> str:
    """Return the release page once all files are looked at."""
    while "data-left" in (text := inside.get(address).text):
        pass
    return text


def test_parts_are_listed_by_fifty_and_none_is_passed_over(
    inside: TestClient, made: Service
) -> None:
    """Those to decide first; the next page goes on where this one ended, whatever was decided on it."""
    _many(made, 40)
    text = _page(inside, "/projects/2/release")
    assert "1 to 50 of 120" in text
    keys = re.findall(r'data-place="(/documents/[^"]+)" data-revision="(\d+)"', text)
    assert len(keys) == 50
    for place, _ in keys[:7:3]:
        assert inside.post(place, data={"revision": 0, "treatment": "remove"}).status_code == 200
    (following,) = re.findall(r'rel="next" href="([^"]+)"', text)
    second = _page(inside, following)
    assert "48 to 97 of 120" in second
    others = re.findall(r'data-place="(/documents/[^"]+)"', second)
    assert len({place for place, _ in keys} | set(others)) == 100
    (back,) = re.findall(r'rel="prev" href="([^"]+)"', second)
    assert "1 to 47 of 120" in _page(inside, back)
    last = _page(inside, re.findall(r'rel="next" href="([^"]+)"', second)[0])
    assert last.count('class="part"') == 23
    assert last.count(">removed<") == 3
    assert "120" in _page(inside, "/projects/2/release?after=nonsense")


def test_remarks_on_files_come_by_fifty(inside: TestClient, made: Service) -> None:
    """With the names of their files, and links to the others."""
    _many(made, 60)
    text = _page(inside, "/projects/2/release")
    assert text.count("1 picture is covered") == 50
    assert "1 to 50 of 60" in text
    assert _page(inside, "/projects/2/release?notes=2").count("1 picture is covered") == 10


def test_the_answer_to_a_decision_is_that_part_and_the_checklist(
    inside: TestClient, made: Service
) -> None:
    """Nothing of the other parts, however many there are."""
    _many(made, 40)
    _page(inside, "/projects/2/release")
    item = parts(made, made.open(3))[1]
    answer = inside.post(
        f"/documents/3/parts/{item.part.key}", data={"revision": 0, "treatment": "blank"}
    )
    assert answer.text.count('class="part"') == 1
    assert "left blank" in answer.text
    assert 'data-open="119"' in answer.text
    assert len(answer.content) < 8_000


def test_a_reviewer_is_not_offered_the_release(tmp_path: Path) -> None:
    """Neither on the page nor in the answer to a decision."""
    from ..keys import KEY

    made = service(tmp_path)
    access = Access("local", {"ann": Key.of(KEY), "ben": Key.of(KEY[::-1])})
    with client(made, access) as outside:
        documents = from_upload("letter.docx", letter())
        project = made.add_project("Both", documents, owner="ann")
        made.share(project.id, {"ben": Role.REVIEWER}, False)
        made.analysed(1, made.sanitizer.analyze(made.store.documents.text(1)))
        assert outside.post("/login", data={"key": KEY[::-1]}).status_code == 303
        page = outside.get("/projects/1/release").text
        found = re.search(r'"X-Tacenda-Proof": "([^"]+)"', unescape(page))
        assert found is not None
        outside.headers["X-Tacenda-Proof"] = found[1]
        item = parts(made, made.open(1))[1]
        answer = outside.post(
            f"/documents/1/parts/{item.part.key}", data={"revision": 0, "treatment": "keep"}
        )
        assert answer.status_code == 200
        for text in (page, answer.text):
            assert "release-button" not in text
            assert "An approver or an owner" in text
    made.store.close()


def test_a_file_is_looked_at_again_only_when_its_text_changes(
    inside: TestClient, made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for a decision on a part, its undoing, a comment or a sign-off; but for each new text and file."""
    from tacenda.app import parts as module
    from tacenda.app import worker

    monkeypatch.setattr(worker, "CALM", 3600.0)
    looks: list[int] = []
    look_at = module.look_at

    def counted(service: Service, view: Any) -> None:
        looks.append(view.row.id)
        look_at(service, view)

    monkeypatch.setattr(module, "look_at", counted)
    checklist(made, 1)
    assert looks == [1]
    item = parts(made, made.open(1))[1]
    change = Event.of({"kind": "part", "part": item.part.key, "value": "remove"})
    _do(made, 1, change, Event(EventKind.DONE, value="yes"))
    assert [each.decided is not None for each in parts(made, made.open(1))] == [False, True, False]
    made.undo(1, "Ann", made.store.documents.get(1).revision)
    made.undo(1, "Ann", made.store.documents.get(1).revision)
    assert [each.decided for each in parts(made, made.open(1))] == [None] * 3
    assert checklist(made, 1)[3].open[0][1] == "3 to decide"
    assert looks == [1]
    _do(made, 1, ALL)
    checklist(made, 1)
    assert looks == [1, 1]
    other = from_upload("letter.docx", letter() + b"\0")
    memo = from_upload("memo.txt", MEMO.encode())
    made.bring_files(1, [*other, *memo])
    assert made.store.parts.stale(1) == [1]


def test_a_file_that_can_not_be_looked_at_holds_up_the_release_and_not_the_page(
    inside: TestClient, made: Service
) -> None:
    """Its reason stands in the checklist."""
    with made.store.database.transaction() as connection:
        connection.execute("UPDATE file SET content = x'00' WHERE format = 'docx'")
    check = checklist(made, 1)[3]
    assert check.open[0][0].name == "letter.docx"
    page = _page(inside, "/projects/1/release")
    assert "is not a valid .docx" in page


def test_nothing_is_shown_of_a_file_that_can_not_be_read_without_its_removed_parts(
    inside: TestClient, made: Service
) -> None:
    """Views and drafts have no text of it, and the result says why; what is removed no more comes back."""
    shown = made.open(1).reviewed.sanitized.text
    items = parts(made, made.open(1))
    with made.store.database.transaction() as connection:
        connection.execute("UPDATE file SET content = x'00' WHERE format = 'docx'")
    for item in items:
        _do(made, 1, Event.of({"kind": "part", "part": item.part.key, "value": "remove"}))
        hidden = made.open(1).reviewed.sanitized
        assert not hidden.text.strip()
        assert "is not a valid .docx" in hidden.warnings[-1]
    assert not inside.get("/documents/1/result?format=text").text.strip()
    for _ in items:
        made.undo(1, "Ann", made.store.documents.get(1).revision)
    assert made.open(1).reviewed.sanitized.text == shown


@pytest.mark.skipif(not is_installed() or not settings().languages, reason="no Tesseract")
def test_words_of_a_picture_go_with_what_is_covered_of_it(tmp_path: Path) -> None:
    """Under a box, or with the whole picture; what the policy masked stays as it was."""
    font = pytest.importorskip("PIL.ImageFont").load_default(40)
    canvas = pytest.importorskip("PIL.Image").new("RGB", (1200, 500), "white")
    pen = pytest.importorskip("PIL.ImageDraw").Draw(canvas)
    pen.text((40, 60), "Ada Byron wrote to Ben Cole.", fill="black", font=font)
    pen.text((40, 200), "Room twelve upstairs", fill="black", font=font)
    stream = io.BytesIO()
    canvas.save(stream, "PNG")
    made = service(tmp_path)
    made.add_project("Sign", from_upload("sign.png", stream.getvalue()))
    made.analysed(1, made.sanitizer.analyze(made.store.documents.text(1)))
    (picture,) = parts(made, made.open(1))
    change = {"kind": "part", "part": picture.part.key, "value": "keep"}
    box = {"boxes": [[0, 3000, 10000, 10000]]}
    for event, expected in (
        (change | box, "[PERSON 1] wrote to [PERSON 2]."),
        (change | {"value": "remove"}, ""),
    ):
        _do(made, 1, Event.of(event))
        assert made.open(1).reviewed.sanitized.text.strip() == expected
    made.store.close()


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("Ward 7.docx", "draft-Ward 7.docx"),
        ("Ada Byron.docx", "draft-document-1.docx"),
        ("Øvre Łódź.docx", "draft-Øvre Łódź.docx"),
        ('a"; x="b.docx', "draft-a-- x--b.docx"),
    ],
)
def test_a_single_file_carries_its_name(made: Service, name: str, saved: str) -> None:
    """As in the archive of a project: not if it tells what is masked; no letter of it is lost on the way."""
    word = build(paragraph("Dear Ada Byron,"))
    made.add_project("One", from_upload(name, word))
    made.analysed(1, made.sanitizer.analyze(made.store.documents.text(1)))
    with client(made) as inside:
        come_in(inside)
        for format, ending in (("same", ""), ("text", ".txt")):
            answer = inside.get(f"/documents/1/result?format={format}")
            header = answer.headers["content-disposition"]
            assert header.isascii()
            found = re.search(r"filename\*=UTF-8''(\S+)|filename=\"([^\"]+)\"$", header)
            assert found is not None
            told = saved.removesuffix(".docx") if "document-1" in saved and ending else saved
            assert unquote(found[1] or found[2]) == told + ending
