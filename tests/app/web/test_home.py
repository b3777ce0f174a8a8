"""The first page: a text is tried out, files are looked at, a project begins."""

from __future__ import annotations

import io
import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tacenda.app.intake import title_of
from tacenda.app.profiles import PROFILES, STYLES, policy_of, profile_of
from tacenda.app.service import Service
from tacenda.errors import InputError
from tacenda.policy import Policy
from tests.waiting import until

from ..building import LETTER, MEMO, addressed, documents

TEXTS = (LETTER, MEMO)
"""Of the documents of project 1."""

TABLE = b"id,comment,ward\n1,Ada Byron came in with Ben,B\n2,Eve Byron was not there at all,C\n"


def _try(inside: TestClient, text: str, **settings: Any) -> Any:
    return inside.post("/try", data={"text": text} | settings).json()


def test_a_text_is_tried_out(inside: TestClient) -> None:
    """In pieces, each with what happens to it; what was there is in the title alone."""
    answer = _try(inside, "Ada Byron lives in Kentville.")
    assert answer["text"] == "[PERSON 1] lives in Kentville."
    assert [(item["text"], item.get("outcome")) for item in answer["pieces"]] == [
        ("[PERSON 1]", "masked"),
        (" lives in ", None),
        ("Kentville", "doubtful"),
        (".", None),
    ]
    assert answer["pieces"][0]["badge"] == "P"
    assert answer["pieces"][0]["title"].startswith("Ada Byron · person")
    assert (answer["masked"], answer["doubtful"], answer["leaks"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"style": "box"}, "*** lives in Kentville."),
        ({"position": "20"}, "[PERSON 1] lives in [PLACE 1]."),
        ({"position": "0"}, "Ada Byron lives in Kentville."),
        ({"position": "0", "target": "Ada Byron"}, "[PERSON 1] lives in Kentville."),
        ({"position": "0", "target": "Ben Cole\n Ada Byron "}, "[PERSON 1] lives in Kentville."),
    ],
)
def test_style_strictness_and_person_are_chosen(
    inside: TestClient, settings: dict[str, str], text: str
) -> None:
    """Each changes the result."""
    assert _try(inside, "Ada Byron lives in Kentville.", **settings)["text"] == text


def test_made_up_names_need_no_setting(inside: TestClient, made: Service) -> None:
    """Their key is made beside the projects, for the owner's eyes, once."""
    first = _try(inside, "Ada Byron wrote.", style="made-up")["text"]
    assert first == _try(inside, "Ada Byron wrote.", style="made-up")["text"]
    assert "Byron" not in first
    assert "[" not in first
    (key,) = made.store.path.parent.glob("*.key")
    assert key.stat().st_mode & 0o777 == 0o600


def test_nothing_of_a_tried_text_is_kept(
    inside: TestClient, made: Service, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither in the store nor in a log, and no access is written down."""
    before = len(made.store.accesses.latest(100, None))
    with caplog.at_level(logging.DEBUG):
        _try(inside, "Ada Byron keeps quokkas.")
        inside.post("/preview", files={"file": ("a.txt", b"Ben Cole keeps quokkas.", "text/plain")})
    assert "quokka" not in caplog.text
    stored = b"".join(file.read_bytes() for file in made.store.path.parent.iterdir())
    assert b"quokka" not in stored
    assert len(made.store.accesses.latest(100, None)) == before


@pytest.mark.parametrize(
    "settings",
    [{"style": "none"}, {"profile": "none"}, {"text": "a" * 20_001}, {"target": "-"}],
)
def test_what_can_not_be_tried_is_said(inside: TestClient, settings: dict[str, str]) -> None:
    """422 and a sentence without the text."""
    answer = inside.post("/try", data={"text": "Ada Byron."} | settings)
    assert answer.status_code == 422
    assert "Byron" not in answer.json()["error"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("style", STYLES)
def test_each_profile_goes_with_each_style(tmp_path: Path, profile: str, style: str) -> None:
    """And its types that are masked less readily stay so at a stricter bound."""
    policy = policy_of(Policy(), tmp_path, profile, style, 0.01)
    assert policy.operator == STYLES[style].operator
    assert policy.threshold == 0.01
    assert all(value >= 0.5 for value in policy.thresholds.values())


def test_a_profile_that_is_none_is_refused(tmp_path: Path) -> None:
    """With those there are."""
    with pytest.raises(InputError, match="'hearsay'; use one of usual, court"):
        policy_of(Policy(), tmp_path, "hearsay")


def _look(inside: TestClient, name: str, content: bytes) -> Any:
    return inside.post("/preview", files={"file": (name, content, "x/x")}).json()


def test_files_are_looked_at_one_by_one(inside: TestClient) -> None:
    """What each is, or what is wrong with it; a table shows its columns and first rows."""
    german = "Der Zeuge sagte, dass er das Haus erst nach dem Abend wieder verlassen habe."
    assert _look(inside, "a.txt", german.encode())["language"] == "de"
    text = _look(inside, "C:\\x\\a.txt", b"Ada Byron.")
    assert (text["name"], text["kind"], text["text"]) == ("a.txt", "text", "Ada Byron.")
    assert _look(inside, "a.gif", b"GIF89a")["fault"] == "files with .gif can't be read."
    assert "UTF-8" in _look(inside, "a.txt", b"\xff\xfe\xfa")["fault"]
    table = _look(inside, "notes.csv", TABLE)
    assert (table["kind"], table["columns"]) == ("table, 2 rows", ["id", "comment", "ward"])
    assert table["suggested"] == ["comment"]
    assert table["rows"][0] == ["1", "Ada Byron came in with Ben", "B"]
    lines = _look(inside, "n.jsonl", b'{"a": {"b": "One two three four."}}\n{"text": "x"}\n')
    assert (lines["columns"], lines["suggested"]) == (["a.b", "text"], ["text"])
    objects = _look(inside, "n.json", b'[{"body": "Ada Byron was here today."}]')
    assert (objects["kind"], objects["suggested"]) == ("JSON, 1 row", ["body"])
    wrong = _look(inside, "n.jsonl", b'{"a": "x"}\n{"a": \n')
    assert "n.jsonl:2" in wrong["fault"]
    assert _look(inside, "a.txt", b"a")["digest"] == _look(inside, "b.txt", b"a")["digest"]


def _begin(inside: TestClient, *files: tuple[str, bytes], **values: str) -> Any:
    sent = [("files", (name, content, "x/x")) for name, content in files]
    return inside.post("/projects", data=values, files=sent or None)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json"])
def test_ticked_columns_are_reviewed_and_written_back(
    inside: TestClient, made: Service, ending: str
) -> None:
    """The others are left out of the result, in the file's own format."""
    content = {"csv": TABLE, "xlsx": _workbook(), "json": _objects()}[ending]
    column = "Sheet.comment" if ending == "xlsx" else "comment"
    answer = _begin(inside, (f"n.{ending}", content), columns=json.dumps([[column]]))
    assert answer.status_code == 204, answer.text
    until(lambda: not made.store.documents.waiting(1))
    result = inside.get("/projects/2/result?format=same")
    assert result.status_code == 200, result.text
    from zipfile import ZipFile

    (name,) = (archive := ZipFile(io.BytesIO(result.content))).namelist()
    assert name == f"n.{ending}"
    written = archive.read(name)
    if ending == "csv":
        assert written.splitlines()[:2] == [b"comment", b"[PERSON 1] came in with Ben"]
    if ending == "json":
        assert json.loads(written)[0] == {"comment": "[PERSON 1] came in with Ben"}
    if ending == "xlsx":
        from openpyxl import load_workbook

        values = [list(row) for row in load_workbook(io.BytesIO(written)).active.values]
        assert "[PERSON 1] came in with Ben" in values[1]
        assert 1 not in values[1]


def _workbook() -> bytes:
    from openpyxl import Workbook

    book, stream = Workbook(), io.BytesIO()
    for row in (["id", "comment"], [1, "Ada Byron came in with Ben"]):
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def _objects() -> bytes:
    return b'[{"id": 1, "comment": "Ada Byron came in with Ben"}]'


def test_an_unnamed_project_is_not_called_after_a_file(inside: TestClient, made: Service) -> None:
    """The name of a file may be a patient's; the number of documents and the day tell projects apart."""
    files = ("Byron Ada.txt", b"Ada Byron."), ("Cole Ben.txt", b"Ben Cole.")
    _begin(inside, *files)
    assert re.fullmatch(r"2 documents, \d{1,2} [A-Z][a-z]+ \d{4}", made.project(2).name)


def test_a_pasted_text_becomes_a_project(inside: TestClient, made: Service) -> None:
    """Under the profile, the style and the strictness of the page."""
    answer = _begin(inside, text="Ada Byron.", profile="court", style="box", position="12")
    assert answer.headers["HX-Redirect"] == addressed(made, "/projects/2")
    project = made.project(2)
    assert (project.name, project.policy.operator) == (
        title_of(documents("Ada Byron.")),
        "suppress",
    )
    assert project.policy.domain == "court"


@pytest.mark.parametrize(
    "field", ["Ada Byron, Ben Cole", "Ada Byron\r\n\nBen Cole;", " Ada Byron;Ben Cole"]
)
def test_several_people_are_protected(inside: TestClient, made: Service, field: str) -> None:
    """One a line or with commas, in pasted texts and in files alike, as ``--target`` several times."""
    _begin(inside, ("a.txt", b"Ben Cole came."), text="Ada Byron met Ben.", target=field)
    rows = made.store.documents.of(2)
    targets = [made.store.documents.text(row.id).target for row in rows]
    assert targets == [("Ada Byron", "Ben Cole")] * 2


def test_each_document_has_the_language_that_the_page_says(
    inside: TestClient, made: Service
) -> None:
    """Its tags have words of it; of a document without one, those of the language that it seems to have."""
    german = (
        "Der Zeuge sagte, dass er das Haus von Ada Byron in Kentville erst abends verlassen habe."
    )
    files = [(f"{name}.txt", f"{name}. {german}".encode()) for name in "ab"]
    values = {"languages": '["", "fr"]', "language": "es", "position": "20"}
    answer = _begin(inside, *files, text=german, **values)
    assert answer.status_code == 204, answer.text
    until(lambda: not made.store.documents.waiting(1))
    rows = made.store.documents.of(2)
    assert [made.store.documents.text(row.id).language for row in rows] == ["es", "", "fr"]
    results = [made.open(row.id).reviewed.sanitized for row in rows]
    for result, word in zip(results, ("LUGAR", "ORT", "LIEU"), strict=True):
        assert f"[{word} 1]" in result.text
    assert ["Spanish" in result.warnings[0] for result in results] == [True, False, False]


def test_a_form_that_is_sent_twice_makes_one_project(inside: TestClient, made: Service) -> None:
    """A double click goes to the same page; the next form makes another."""
    places = [
        _begin(inside, ("a.txt", b"Ada Byron."), once=once).headers["HX-Redirect"]
        for once in ("one", "one", "two")
    ]
    assert places[0] == places[1] != places[2]
    assert len(made.store.projects.all()) == 3


@pytest.mark.parametrize(
    ("files", "values", "message"),
    [
        ((("a.txt", b"x"), ("b.txt", b"x")), {}, "b.txt: is the same file as 'a.txt'"),
        (
            (("n.csv", TABLE),),
            {"columns": '[["comment"], []]'},
            "columns are given for 2 files, but the form has 1 file",
        ),
        ((("a.txt", b"x"),), {"languages": '["de", "fr"]'}, "languages are given for 2 files"),
        ((("a.txt", b"x"),), {"languages": '["xx"]'}, "must be a list of ISO 639-1 codes"),
        ((), {"text": "x", "language": "German"}, "language"),
        ((("n.csv", TABLE),), {"columns": "x"}, "must be a list of lists"),
        ((), {}, "no documents to review"),
    ],
)
def test_a_project_that_is_none_is_refused(
    inside: TestClient, made: Service, files: Any, values: Any, message: str
) -> None:
    """In a sentence, and nothing begins."""
    answer = _begin(inside, *files, name="x", **values)
    assert answer.status_code == 422
    assert message in answer.text
    assert len(made.store.projects.all()) == 1


def test_projects_say_what_waits_for_me(inside: TestClient, made: Service) -> None:
    """As many as are ready and not reviewed."""
    assert "2 for you" in inside.get("/").text
    data = {"revision": "0", "change": json.dumps({"kind": "done", "value": "yes"})}
    data |= {"unfinished": "true"}
    inside.post("/documents/1/changes", data=data)
    assert "1 for you" in inside.get("/").text


def test_a_policy_knows_the_profile_that_it_was_made_of(tmp_path: Path) -> None:
    """Of one that says the same where style and bound are others; a policy of its own is of none."""
    base = Policy()
    for profile in PROFILES:
        assert profile_of(base, policy_of(base, tmp_path, profile)) == profile
        for style in STYLES:
            policy = policy_of(base, tmp_path, profile, style, 0.3)
            found = profile_of(base, policy)
            assert policy_of(base, tmp_path, found, style, 0.3) == policy
    assert profile_of(base, Policy(patterns=False)) == ""


@pytest.mark.parametrize("name", ["court", "clinical", "chat", "strict", "lenient"])
def test_the_policy_of_a_server_is_called_by_its_profile(tmp_path: Path, name: str) -> None:
    """Not "any text", whether the profile was chosen or is the server's; a policy of its own is none."""
    base = Policy.load(name)
    for profile in (name, ""):
        assert PROFILES[profile_of(base, policy_of(base, tmp_path, profile))].policy == name
