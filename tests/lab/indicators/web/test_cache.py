"""Answers on disk: paid for once, unreadable to others, silent about what was asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tacenda.background.documents import Query
from tacenda.errors import InputError
from tacenda_lab.indicators.web_search import CachedBackend
from tests.risk.search.toy import Pages

QUERY = Query.of(("Yalman",))
DAY = 86_400.0


def pages() -> Pages:
    """Return a back end with one page."""
    return Pages({"example.org/1": {"Yalman"}}, exhaustive=False)


def test_an_answer_is_asked_for_once(tmp_path: Path) -> None:
    """Another process with the same folder asks nothing."""
    backend, again = pages(), pages()
    hits = CachedBackend(backend, tmp_path / "cache").search(QUERY, 5)
    assert CachedBackend(again, tmp_path / "cache").search(QUERY, 5) == hits
    assert (len(backend.asked), len(again.asked)) == (1, 0)


def test_another_count_or_query_is_another_question(tmp_path: Path) -> None:
    """The name of the file holds both."""
    backend = pages()
    cached = CachedBackend(backend, tmp_path / "cache")
    for query, count in ((QUERY, 5), (QUERY, 6), (Query.of(("Berg",)), 5)):
        cached.search(query, count)
    assert len(backend.asked) == 3


def test_nothing_on_disk_tells_what_was_asked(tmp_path: Path) -> None:
    """Neither names nor contents hold the query; two folders name it differently."""
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        CachedBackend(pages(), folder).search(QUERY, 5)
    for file in (file for folder in folders for file in folder.iterdir()):
        assert "yalman" not in file.name.lower()
        assert b"yalman" not in file.read_bytes().lower()
    first, second = ({file.name for file in folder.glob("*.json")} for folder in folders)
    assert first.isdisjoint(second)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    """The folder has mode 0700, its files 0600."""
    CachedBackend(pages(), tmp_path / "cache").search(QUERY, 5)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "cache").iterdir()} == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    """The message says what to do."""
    (tmp_path / "open").mkdir(mode=0o755)
    with pytest.raises(InputError, match="chmod 700"):
        CachedBackend(pages(), tmp_path / "open")


def test_an_old_answer_is_asked_for_again(tmp_path: Path) -> None:
    """After thirty days the web may have changed."""
    backend = pages()
    now = [0.0]
    cached = CachedBackend(backend, tmp_path / "cache", clock=lambda: now[0])
    for now[0] in (0.0, 29 * DAY, 31 * DAY):
        cached.search(QUERY, 5)
    assert len(backend.asked) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"asked": 1e12, "hits": [["a"]]}'])
def test_a_damaged_answer_is_asked_for_again(tmp_path: Path, content: bytes) -> None:
    """What a crash left behind is no answer."""
    backend = pages()
    cached = CachedBackend(backend, tmp_path / "cache")
    hits = cached.search(QUERY, 5)
    (file,) = (tmp_path / "cache").glob("*.json")
    file.write_bytes(content)
    assert cached.search(QUERY, 5) == hits
    assert len(backend.asked) == 2


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    """The message names the folder and the way out."""
    (tmp_path / "cache").write_text("")
    with pytest.raises(InputError, match=r"cache.*choose another folder"):
        CachedBackend(pages(), tmp_path / "cache")
